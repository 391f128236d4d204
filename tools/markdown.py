"""Convert Markdown to HTML for tools/reference.py. Supports only what the descriptions in openapi.yaml use.

Blocks are separated by empty lines: headings (`##`, `###`), lists (`*`, `1.`), tables, paragraphs, and code fenced with three
backquotes. Inline, there are `code`, **bold** and *emphasis*. Any other Markdown is an error, so that no description silently
loses its formatting. Everything is escaped."""
import html
import re

# Titles that have changed keep their anchors, because people link to them.
FORMER_SLUGS = {"getting-answers-from-a-link": "answers-by-link"}

ITEM = re.compile(r"(\*|\d+\.) +")
ANOTHER_FORM = re.compile(r"\*|\]\(|!\[|^>|^---|^- ", re.MULTILINE)


def code(text, links=None):
    """Inline code; a link if `links` has an address for this text."""
    shown = f"<code>{html.escape(text, quote=False)}</code>"
    return f'<a href="{html.escape(links[text])}">{shown}</a>' if links and text in links else shown


def block(text, attributes=""):
    """A block of code."""
    return f"<pre{attributes}><code>{html.escape(text, quote=False)}</code></pre>"


def _words(text, links):
    """Text without code. `links` has addresses for words in bold, and for chapter titles in double quotes."""
    def bold(found):
        strong = f"<strong>{found[1]}</strong>"
        return f'<a href="{links[found[1]]}">{strong}</a>' if found[1] in links else strong

    def quoted(found):
        return f'<a href="{links[found[0]]}">{found[0]}</a>' if found[0] in links else found[0]

    text = re.sub(r"\*\*([^*]+)\*\*", bold, html.escape(text, quote=False))
    text = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)
    if ANOTHER_FORM.search(text):
        raise ValueError(f"unsupported Markdown: {text}")
    return re.sub(r'"[^"<>=]+"', quoted, text)


def inline(text, links):
    """Convert inline Markdown, on one line or several, to HTML."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(code(part, links) if n % 2 else _words(part, links) for n, part in enumerate(parts))


def _heading(line, links, prefix):
    marks, title = line.split(" ", 1)
    level = len(marks) + 1
    return f'<h{level} id="{prefix}--{slug(title)}">{inline(title, links)}</h{level}>'


def slug(title):
    """The end of an anchor, made from a title."""
    end = re.sub(r"\W+", "-", title.lower())
    return FORMER_SLUGS.get(end, end)


def _list(lines, links):
    items = []
    for line in lines:
        mark = ITEM.match(line)
        if mark:
            items.append(line[mark.end():])
        else:
            items[-1] += "\n" + line.strip()
    kind = "ul" if lines[0].startswith("*") else "ol"
    return f"<{kind}>" + "".join(f"<li>{inline(item, links)}</li>" for item in items) + f"</{kind}>"


def _table(lines, links):
    head, rule, *rows = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines)
    if set("".join(rule)) != {"-"} or any(len(row) != len(head) for row in rows):
        raise ValueError("not a valid table:\n" + "\n".join(lines))
    body = "".join("<tr>" + "".join(f"<td>{inline(cell, links)}</td>" for cell in row) + "</tr>\n" for row in rows)
    # A column without a title gets an ordinary cell instead of an empty heading.
    titles = "".join(f'<th scope="col">{inline(title, links)}</th>' if title else "<td></td>" for title in head)
    return f"<table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n{body}</tbody></table>"


def _block(lines, links, prefix):
    if re.match(r"#{2,3} ", lines[0]):
        return _heading(lines[0], links, prefix)
    if lines[0].startswith("|"):
        return _table(lines, links)
    if ITEM.match(lines[0]):
        return _list(lines, links)
    text = "\n".join(lines)
    return f"<p>{inline(text, links)}</p>"


def blocks(text, links, prefix=""):
    """Convert a whole description to HTML. `##` becomes a level-3 heading with an anchor that starts with `prefix`."""
    done, lines, fenced = [], [], False
    for line in [*text.rstrip().split("\n"), ""]:
        if line.startswith("```"):
            fenced = not fenced
            if not fenced:
                done.append(block("\n".join(lines)))
            elif lines:
                raise ValueError("a code block needs an empty line before it")
            lines = []
        elif fenced or line:
            lines.append(line)
        elif lines:
            done.append(_block(lines, links, prefix))
            lines = []
    if fenced:
        raise ValueError("a code block is not closed")
    return "\n".join(done)
