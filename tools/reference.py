"""A build tool: reference.py CONTRACT TEMPLATE OUTPUT generates the reference page at /docs from the contract (openapi.yaml).

The page is complete without JavaScript. Each operation has a description, parameters, body, responses, examples, and a form for
trying it. The form's fields are hidden until web/docs/reference.js runs; until then it shows a curl command. Each example appears in
the page only once, and the form reads it from there by its id. The template is web/docs/reference.html.in.

Don't change anchors, because people link to them: `post-/pawn`, `get-/web/-file-`, `tag--Problems--streams`, `schema-PawnCase`,
`header-ETag`, `response-Malformed`.

If the contract contains anything that this tool doesn't know, the build fails, so that nothing is silently left out.
tools/markdown.py converts descriptions to HTML, tools/schema_words.py puts types into words, and tools/operation.py models an
operation."""
import html
import re
import sys

import yaml

import markdown
from markdown import block
from operation import Operation, as_sent, known, media_types, pretty
from schema_words import SchemaWords, literal, name_of


def check_names(part):
    """Fail if a name needs escaping. Names are inserted into the page as they are; texts and values are escaped."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        for name in (key, value) if key in ("in", "name", "operationId", "title", "version") else (key,):
            if isinstance(name, str) and html.escape(name) != name:
                raise ValueError(f"names must not need escaping: {name}")
        if key != "value":  # of an example
            check_names(value)


def link(address, text):
    return f'<a href="{html.escape(address)}">{text}</a>'


def table(titles, rows):
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    body = "".join(f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>\n"
                   for first, *rest in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>"


def select(label, attributes, pairs, chosen=None):
    options = "".join(f'<option value="{html.escape(value)}"{" selected" if value == chosen else ""}>{html.escape(text)}</option>'
                      for value, text in pairs)
    return f"<label>{label} <select {attributes}>{options}</select></label>"


class Reference:
    def __init__(self, contract):
        self.contract, self.parts = known("contract", contract), known("component", contract["components"])
        self.schemas = SchemaWords(self.parts["schemas"])
        self.operations = [Operation(method, path, described, self.resolve)
                           for path, methods in contract["paths"].items() for method, described in known("path", methods).items()]
        self.links = self.find_links()
        self.header_names = {}  # the header's real name, by its name in `components`
        self.users = {name: {} for name in self.parts["schemas"]}  # for each schema, the parts of the page that use it: {title: address}

    def find_links(self):
        """Addresses for the names that descriptions put in code, bold or quotes."""
        schemas = self.parts["schemas"]
        links = {operation.title: f"#{operation.anchor}" for operation in self.operations}
        links |= {name: f"#schema-{name}" for name in schemas}
        links |= {name: f"docs/limits#{name}" for name in schemas["Limits"]["properties"]}
        links |= {kind: kind[1:] for kind in schemas["Problem"]["properties"]["type"]["anyOf"][0]["enum"]}
        links["/docs/guides"] = "docs/guides"
        for tag in self.contract["tags"]:
            known("tag", tag)
            links[tag["name"]] = f"#tag--{tag['name']}"
            links |= {f'"{title}"': address for title, address in self.headings(tag)}
        return links

    @staticmethod
    def headings(tag):
        return [(title, f"#tag--{tag['name']}--{markdown.slug(title)}")
                for title in re.findall("^## (.+)$", tag["description"], re.MULTILINE)]

    def resolve(self, part):
        """Follow the $ref of a part that isn't a schema."""
        return self.parts[part["$ref"].split("/")[2]][name_of(part)] if "$ref" in part else part

    def inline(self, text):
        return markdown.inline(text.rstrip(), self.links)

    def blocks(self, text, prefix=""):
        return markdown.blocks(text, self.links, prefix)

    def use(self, schema, title, address):
        """Record that the part of the page with this title uses all schemas that `schema` refers to."""
        if isinstance(schema, dict):
            if "$ref" in schema:
                self.users[name_of(schema)][title] = address
            for key, value in schema.items():
                if key not in ("default", "enum", "examples"):
                    self.use(value, title, address)
        elif isinstance(schema, list):
            for value in schema:
                self.use(value, title, address)

    # --- schemas ----------------------------------------------------------------------------------------------------

    def members(self, schema, path=""):
        """The rows of the members table. Members of a nested object follow it, prefixed with its name."""
        rows = []
        for name, member in schema["properties"].items():
            required = " <small>required</small>" if name in schema.get("required", []) else ""
            meaning = member.get("description") or self.schemas.target(member).get("description", "")
            rows.append((f"<code>{path}{name}</code>{required}", self.schemas.words(member), self.blocks(meaning)))
            if "properties" in member:
                rows += self.members(member, f"{path}{name}.")
        return rows

    def type(self, schema):
        """A schema's type. Alternatives are shown as a list."""
        words = self.schemas.words(schema)
        for key, title in (("oneOf", "Exactly one of"), ("anyOf", "At least one of")):
            if key in schema:
                default = f" (default {literal(schema['default'])})" if "default" in schema else ""
                items = "".join(f"<li>{self.schemas.words(one)}</li>\n" for one in schema[key])
                return f'<div class="type"><p>{title}{default}:</p>\n<ul>{items}</ul></div>'
        return f'<p class="type">{words}</p>'

    def schema(self, name, schema):
        users = ", ".join(link(address, title) for title, address in self.users[name].items())
        examples = "\n".join(block(pretty(value)) for value in schema.get("examples", []))
        return "\n".join(filter(None, [
            f'<section id="schema-{name}">\n<h3>{link(f"#schema-{name}", name)}</h3>',
            self.blocks(schema["description"]),
            self.type(schema),
            "properties" in schema and table(["Member", "Type", "Meaning"], self.members(schema)),
            examples and f"<details><summary>Examples</summary>\n{examples}</details>",
            users and f'<p class="soft users">Used by {users}.</p>',
            "</section>"]))

    # --- responses --------------------------------------------------------------------------------------------------

    def content(self, content, *user):
        """The list of media types, each with its schema."""
        lines = []
        for kind, holder in media_types(content):
            schema = holder["schema"]
            self.use(schema, *user)
            more = ". " + self.inline(schema["description"]) if "description" in schema else ""
            lines.append(f"<li><code>{kind}</code>: {self.schemas.words(schema)}{more}</li>\n")
        return lines and f"<ul>\n{''.join(lines)}</ul>"

    def header(self, name, header):
        if "$ref" in header:
            self.header_names[name_of(header)] = name
            return link(f"#header-{name_of(header)}", name)
        known("header", header)
        return f"{name} ({self.schemas.words(header['schema'])}: {self.inline(header['description']).rstrip('.')})"

    def response(self, answer, *user):
        """A response without its examples."""
        headers = ", ".join(self.header(*pair) for pair in known("answer", answer).get("headers", {}).items())
        return "\n".join(filter(None, [self.blocks(answer["description"]), self.content(answer.get("content", {}), *user),
                                       headers and f'<p class="soft">Headers: {headers}</p>']))

    @staticmethod
    def response_examples(answer):
        """(key, media type, summary, text) for each example."""
        return [(key, kind, example["summary"], as_sent(example["value"]))
                for kind, holder in answer.get("content", {}).items() for key, example in holder.get("examples", {}).items()]

    def shared_response(self, name, answer):
        """A response that several operations share."""
        statuses = {status for operation in self.operations for status, one in operation.responses.items() if name_of(one) == name}
        title, address = f"{', '.join(sorted(statuses))} {name}", f"#response-{name}"
        return "\n".join([
            f'<section id="response-{name}">\n<h3>{link(address, title)}</h3>', self.response(answer, title, address),
            *(f"<details><summary>{self.inline(summary)}</summary>\n{block(text)}</details>"
              for _, _, summary, text in self.response_examples(answer)), "</section>"])

    # --- operations -------------------------------------------------------------------------------------------------

    def parameter_table(self, operation):
        rows = []
        for parameter in operation.parameters:
            self.use(parameter["schema"], operation.title, f"#{operation.anchor}")
            required = ", required" if parameter.get("required") else ""
            rows.append((f"<code>{parameter['name']}</code> <small>{parameter['in']}{required}</small>",
                         self.schemas.words(parameter["schema"]), self.blocks(parameter["description"])))
        return rows and "<h4>Parameters</h4>\n" + table(["Parameter", "Type", "Meaning"], rows)

    def response_list(self, operation):
        own, shared = [], []
        for status, answer in operation.responses.items():
            name = name_of(answer)
            if name:
                shared.append(link(f"#response-{name}", f"{status}\N{NO-BREAK SPACE}{name}"))
            else:
                own.append(f"<h5>{status}</h5>\n{self.response(answer, operation.title, f'#{operation.anchor}')}")
        return "\n".join(["<h4>Responses</h4>", *own, f"<p>Shared with other operations: {', '.join(shared)}.</p>"])

    def example_list(self, operation):
        """Each example request together with its response, which has the same key."""
        answered = {}
        for status, answer in operation.responses.items():
            for key, kind, summary, text in [] if "$ref" in answer else self.response_examples(answer):
                answered[key] = f"<p>{status}, <code>{kind}</code>: {self.inline(summary)}</p>\n{block(text)}"
        keys = [key for key, *_ in operation.examples]
        if sorted(keys) != sorted(answered):
            raise ValueError(f"{operation.title}: each example request needs a response example with the same, unique key")
        details = [f'<details{"" if n else " open"}><summary>{self.inline(summary)}</summary>\n<p><code>{place}</code></p>\n'
                   + block(text, f' id="{operation.example_id(key)}" data-for="{place}"') + f"\n{answered[key]}</details>"
                   for n, (key, summary, place, text) in enumerate(operation.examples)]
        return details and "\n".join(["<h4>Examples</h4>", *details])

    def field(self, operation, parameter):
        name, value, required = parameter["name"], operation.first_value(parameter), parameter.get("required", False)
        attributes = f'name="{name}" data-in="{parameter["in"]}"' + " required" * required
        if "enum" in parameter["schema"]:
            pairs = [("", "not sent")] * (not required) + [(one, one) for one in parameter["schema"]["enum"]]
            return select(name, attributes, pairs, value)
        return f'<label>{name} <input {attributes} value="{html.escape(value)}" autocomplete="off" spellcheck="false"></label>'

    def form(self, operation):
        fields = [self.field(operation, parameter) for parameter in operation.parameters]
        if len(operation.examples) > 1:
            pairs = [(operation.example_id(key), summary) for key, summary, _, _ in operation.examples]
            fields.insert(0, select("Example", 'name="example"', pairs))
        if operation.bodies:
            fields.append(select("Media type of the body", 'name="type"', [(kind, kind) for kind in operation.bodies]))
            fields.append('<label>Body <textarea name="body" rows="8" spellcheck="false"></textarea></label>')
        if "406" in operation.responses:  # other operations ignore `Accept`
            kinds = operation.responses["200"]["content"]
            pairs = [("", "server default"), *((kind, kind) for kind in kinds)]
            fields.append(select("Accept", 'name="accept"', pairs))
        return "\n".join([
            f'<form class="card" id="try-{operation.name}" data-method="{operation.method}" data-path="{operation.path}"'
            f' aria-label="Try {operation.title}">\n<h4>Try it</h4>\n<fieldset hidden>', *fields,
            '<label hidden>Token <input type="password" name="token" pattern=" *[!-~]* *" autocomplete="off"></label>',
            '<p class="row"><button class="main">Send</button> <button type="button" name="cancel" hidden>Cancel</button></p>',
            '</fieldset>\n<p role="status"></p>\n<div class="answer" hidden></div>',
            '<p class="soft">The same request with curl:</p>',
            f'<pre><code class="command">{html.escape(operation.command(), quote=False)}</code></pre>\n</form>'])

    def operation(self, operation):
        body = self.content(operation.bodies, operation.title, f"#{operation.anchor}")
        return "\n".join(filter(None, [
            f'<section class="operation" id="{operation.anchor}">\n<div>',
            f'<h3>{link(f"#{operation.anchor}", f"<code>{operation.title}</code>")} {self.inline(operation.summary)}</h3>',
            f'<p class="jump">{link(f"#try-{operation.name}", "Try it")}</p>',
            self.blocks(operation.description, operation.anchor),
            self.parameter_table(operation),
            body and f"<h4>Body</h4>\n{body}",
            self.response_list(operation),
            self.example_list(operation),
            "</div>", self.form(operation), "</section>"]))

    # --- the page ---------------------------------------------------------------------------------------------------

    def of_tag(self, tag):
        return [operation for operation in self.operations if operation.tag == tag["name"]]

    def contents(self):
        def entry(address, text, inner=""):
            return f"<li>{link(address, text)}{inner}</li>\n"

        entries = [entry("#overview", "Overview")]
        for tag in self.contract["tags"]:
            inside = [entry(address, title) for title, address in self.headings(tag)]
            inside += [entry(f"#{operation.anchor}", f"<code>{operation.title}</code>") for operation in self.of_tag(tag)]
            entries.append(entry(f"#tag--{tag['name']}", tag["name"], f"<ul>\n{''.join(inside)}</ul>"))
        names = "".join(entry(f"#schema-{name}", name) for name in self.parts["schemas"])
        entries += [entry("#responses", "Responses"), entry("#headers", "Headers"),
                    entry("#schemas", "Schemas", f"<details><summary>All schemas</summary><ul>\n{names}</ul></details>")]
        return f'<nav class="contents" aria-label="Contents"><ul>\n{"".join(entries)}</ul></nav>'

    def header_table(self):
        rows = [(f'<code id="header-{name}">{self.header_names[name]}</code>'
                 + " <small>always sent</small>" * header.get("required", False),
                 self.schemas.words(header["schema"]), self.blocks(header["description"]))
                for name, header in self.parts["headers"].items() if known("header", header)]
        return table(["Header", "Value", "Meaning"], rows)

    def text(self):
        for name, schema in self.parts["schemas"].items():
            self.use(schema, name, f"#schema-{name}")
        info = known("info", self.contract["info"])
        about = f"<p><strong>{info['title']} {info['version']}</strong>, {info['license']['name']}. {self.inline(info['summary'])}</p>"
        chapters = [("overview", ["<h1>Reference</h1>", about, self.blocks(info["description"])])]
        for tag in self.contract["tags"]:
            anchor = f"tag--{tag['name']}"
            chapters.append((anchor, [f"<h2>{tag['name']}</h2>", self.blocks(tag["description"], anchor),
                                      *map(self.operation, self.of_tag(tag))]))
        # These come last because rendering the operations records what they use.
        chapters.append(("responses", ["<h2>Responses</h2>\n<p>These responses are shared by several operations. Each operation lists"
                                       " the ones it can return.</p>",
                                       *(self.shared_response(*pair) for pair in self.parts["responses"].items())]))
        chapters.append(("headers", ["<h2>Headers</h2>", self.header_table()]))
        chapters.append(("schemas", ["<h2>Schemas</h2>\n<p>In types, <em>either A or B</em> means exactly one of the two;"
                                     " <em>A or B</em> means at least one.</p>",
                                     *(self.schema(*pair) for pair in self.parts["schemas"].items())]))
        return "\n".join(f'<section class="chapter" id="{anchor}">\n' + "\n".join(parts) + "\n</section>"
                         for anchor, parts in chapters)


def main(contract_file, template_file, output_file):
    with open(contract_file, encoding="utf-8") as file:
        contract = yaml.safe_load(file)
    check_names(contract)
    reference = Reference(contract)
    with open(template_file, encoding="utf-8") as file:
        template = file.read()
    with open(output_file, "w", encoding="utf-8", newline="\n") as file:
        file.write(template.replace("@CONTENTS@", reference.contents()).replace("@TEXT@", reference.text()))


main(*sys.argv[1:])
