"""A build tool: programs.py OUTPUT TEMPLATE PROGRAM... inserts programs from examples/ into a page.

Programs with the same name do the same thing in different languages. A line `@referee@` in the template is replaced by all the
programs called referee, in the order of the arguments. Each is collapsible; only the first is open. This way, the source of each
program exists only once, and the page works without JavaScript. It is an error if the template doesn't show one of the programs, or names one that
doesn't exist.

A program's anchor is its file name, such as `referee.py`; following a link to it expands the program."""
import os
import re
import sys

from markdown import block, code

LANGUAGES = {".mjs": "Node", ".py": "Python", ".sh": "Shell"}
PLACE = re.compile(r"^@(\w+)@$", re.MULTILINE)


def part(file, is_open):
    """A collapsible program. Its lines don't wrap, so the block scrolls, and needs a tabindex for the keyboard."""
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
        raise ValueError(f"{template} must name each of these programs once, and no others: {', '.join(programs)}")
    shown = {name: "\n".join(part(file, file == same[0]) for file in same) for name, same in programs.items()}
    with open(output, "w", encoding="utf-8", newline="\n") as opened:
        opened.write(PLACE.sub(lambda place: shown[place[1]], page))


main(*sys.argv[1:])
