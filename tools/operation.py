"""The contract's operations, prepared for tools/reference.py: examples as text, and the first request as a curl command.

`known` fails on any member that the reference would otherwise silently leave out."""
import json
import re
import urllib.parse

WIDTH = 72
ADDRESS = "http://127.0.0.1:8080"  # web/docs/address.js replaces this with the server's own address

# For each kind of part, the members that the reference shows or deliberately omits.
KNOWN = {
    "contract": {"openapi", "info", "servers", "security", "tags", "paths", "components"},
    "info": {"title", "version", "summary", "license", "description"},
    "tag": {"name", "description"},
    "path": {"get", "post"},
    "operation": {"operationId", "tags", "summary", "description", "parameters", "requestBody", "responses"},
    "parameter": {"name", "in", "required", "description", "schema", "example", "examples"},
    "body": {"required", "content"},
    "media type": {"schema", "examples"},
    "example": {"summary", "value"},
    "answer": {"description", "headers", "content"},
    "header": {"description", "required", "schema"},
    "component": {"parameters", "headers", "responses", "schemas"},
}


def known(kind, part):
    """Return the part, after checking that this tool knows all its members."""
    if not KNOWN[kind].issuperset(part):
        raise ValueError(f"unknown members of the {kind} {part}: {set(part) - KNOWN[kind]}")
    return part


def media_types(content):
    """(name, media type) pairs. Checks their examples."""
    for holder in content.values():
        for example in known("media type", holder).get("examples", {}).values():
            known("example", example)
    return content.items()


def pretty(value, depth=0):
    """Pretty-print JSON: whatever fits on one line stays on one line, except that each row of a board gets its own.

    web/docs/reference.js does the same."""
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    indent, (start, end) = "  " * depth, "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {pretty(member, depth + 1)}" for name, member in value.items()]
    else:
        parts = [pretty(item, depth + 1) for item in value]
    line = start + ", ".join(parts) + end
    board = (depth == 1 and start == "[" and len(parts) > 1 and len(set(map(len, parts))) == 1
             and all(re.fullmatch('"[^a-z]{2,}"', part) for part in parts))
    if not board and "\n" not in line and len(indent) + len(line) <= WIDTH:
        return line
    return start + ",".join(f"\n{indent}  {part}" for part in parts) + f"\n{indent}{end}"


def as_sent(value):
    """An example as it is sent."""
    return value if isinstance(value, str) else pretty(value)


def shell(text):
    """Quote a word for the shell, if necessary. reference.js does the same."""
    return text if re.fullmatch(r"[\w./:@%+=,-]+", text, re.ASCII) else "'" + text.replace("'", r"'\''") + "'"


class Operation:
    """An operation of the contract, with its parameters resolved."""

    def __init__(self, method, path, described, resolve):
        known("operation", described)
        self.method, self.path = method.upper(), path
        self.title = f"{self.method} {path}"
        self.anchor = f"{method}-{re.sub('[{}]', '-', path)}"
        self.name, self.tag = described["operationId"], described["tags"][0]
        self.summary, self.description = described["summary"], described["description"]
        self.parameters = [known("parameter", resolve(parameter)) for parameter in described.get("parameters", [])]
        self.bodies = known("body", described.get("requestBody", {})).get("content", {})
        self.responses = described["responses"]
        # (key, summary, the media type or parameter it belongs to, text)
        self.examples = [(key, example["summary"], place, as_sent(example["value"]))
                         for place, holder in [*((one["name"], one) for one in self.parameters), *media_types(self.bodies)]
                         for key, example in holder.get("examples", {}).items() if known("example", example)]

    def example_id(self, key):
        return f"{self.name}-{key}"

    def first_value(self, parameter):
        """The initial value of a parameter's field."""
        texts = (text for _, _, place, text in self.examples if place == parameter["name"])
        return parameter.get("example") or next(texts, "")

    def command(self):
        """The form's initial request as a curl command. reference.js builds the same one."""
        path, query = self.path, []
        for parameter in self.parameters:
            name, value = parameter["name"], self.first_value(parameter)
            if parameter["in"] == "path":
                path = path.replace(f"{{{name}}}", urllib.parse.quote(value))
            elif value:
                query.append(f"{name}={urllib.parse.quote_plus(value, safe='*').replace('~', '%7E')}")
        words = [f"curl {shell(ADDRESS + path + '?' * bool(query) + '&'.join(query))}"]
        if self.bodies:
            _, _, kind, text = self.examples[0]
            words += [f"-H {shell(f'Content-Type: {kind}')}", f"--data-binary {shell(text)}"]
        return " \\\n  ".join(words)
