"""A build tool: programs.py OUTPUT TEMPLATE PROGRAM... writes a page that shows the programs of examples/.

Programs of one name do the same in several languages. A line `@referee@` of the template becomes the programs of that name, in the
order of the arguments: each in a part that can be opened, and the first is open. So a program is written once, and the page is
complete without JavaScript. A program that the template does not show is an error, and so is a line that names none.

The anchor of a program is its file's name, `referee.py`: a link to it opens its part."""
import os
import re
import sys

from markdown import block, code

LANGUAGES = {".mjs": "Node", ".py": "Python", ".sh": "Shell"}
PLACE = re.compile(r"^@(\w+)@$", re.MULTILINE)


def part(file, is_open):
    """A program in a part that can be opened. Its lines do not wrap, so it scrolls, and keys must reach it."""
    name = os.path.basename(file)
    with open(file, encoding="utf-8", newline="") as opened:
        text = opened.read()
    shown = block(text, f' id="{name}" role="group" aria-label="{name}" tabindex="0"')
    summary = f"{LANGUAGES[os.path.splitext(name)[1]]}: {code(f'examples/{name}')}"
    return f'<details class="program"{" open" * is_open}>\n<summary>{summary}</summary>\n{shown}\n</details>'


def main(output, template, *files):
    programs = {}
    for file in files:
        programs.setdefault(os.path.splitext(os.path.basename(file))[0], []).append(file)
    with open(template, encoding="utf-8") as opened:
        page = opened.read()
    if sorted(PLACE.findall(page)) != sorted(programs):
        raise ValueError(f"{template} must have one place for each of these programs, and no other: {', '.join(programs)}")
    shown = {name: "\n".join(part(file, file == same[0]) for file in same) for name, same in programs.items()}
    with open(output, "w", encoding="utf-8", newline="\n") as opened:
        opened.write(PLACE.sub(lambda place: shown[place[1]], page))


main(*sys.argv[1:])
