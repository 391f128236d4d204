"""Put the contract's schemas into words for tools/reference.py: `integer, 1 to 25`, or `array of 2 to 256 items: Cell`.

An unknown keyword is an error, so that no constraint is silently left out. All functions return HTML."""
import html
import json

import markdown

KNOWN = {"$ref", "additionalProperties", "anyOf", "const", "contentMediaType", "contentSchema", "default", "description", "enum",
         "examples", "format", "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "multipleOf", "oneOf",
         "pattern", "prefixItems", "properties", "required", "type", "uniqueItems"}
FORMATS = {"json-pointer": "a JSON Pointer", "uri-reference": "a URI reference"}


def literal(value):
    return markdown.code(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def name_of(part):
    """The name of the component that a $ref points to; None if there is no $ref."""
    return part["$ref"].rsplit("/", 1)[1] if "$ref" in part else None


def choice(pieces):
    """Join pieces: `a, b or c`."""
    *first, last = pieces
    return f"{', '.join(first)} or {last}" if first else last


def _range(least, most, unit=""):
    """A range in words; empty if there are no limits."""
    least, most = (None if number is None else f"{number:,}" for number in (least, most))
    if least is None and most is None:
        return ""
    if least == most:
        return f"exactly {most}{unit}"
    if least is None:
        return f"at most {most}{unit}"
    return f"at least {least}{unit}" if most is None else f"{least} to {most}{unit}"


class SchemaWords:
    def __init__(self, schemas):
        self.schemas = schemas

    def target(self, schema):
        """The schema that the $ref points to, or this one if it has no $ref."""
        return self.schemas[name_of(schema)] if "$ref" in schema else schema

    def words(self, schema):
        """Type, constraints and default."""
        if not KNOWN.issuperset(schema):
            raise ValueError(f"unknown keywords: {set(schema) - KNOWN}")
        default = f", default {literal(schema['default'])}" if "default" in schema else ""
        return self._kind(schema) + default

    def _kind(self, schema):
        if "$ref" in schema:
            return self._reference(schema)
        if "oneOf" in schema:
            return "either " + " or ".join(map(self.words, schema["oneOf"]))
        if "anyOf" in schema:
            return " or ".join(map(self._alternative, schema["anyOf"]))
        if "const" in schema:
            return f"always {literal(schema['const'])}"
        if "enum" in schema:
            return choice([literal(value) for value in schema["enum"]])
        if "type" not in schema:
            return "anything"
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return " or ".join(getattr(self, f"_{kind}")(schema) for kind in kinds)

    def _alternative(self, schema):
        """One of several alternatives. Includes the description, which has no row of its own in a table."""
        beside = f" ({html.escape(schema['description'].rstrip('.'), quote=False)})" if "description" in schema else ""
        return self.words(schema) + beside

    def _reference(self, schema):
        name, target = name_of(schema), self.target(schema)
        link = f'<a href="#schema-{name}">{name}</a>'
        if target.get("type") in ("string", "integer", "number", "boolean") and "contentSchema" not in target:
            return f"{link}: {self.words(target)}"
        return link + (f", default {literal(target['default'])}" if "default" in target else "")

    @staticmethod
    def _null(_):
        return "<code>null</code>"

    @staticmethod
    def _boolean(_):
        return "boolean"

    @staticmethod
    def _integer(schema):
        bounds = _range(schema.get("minimum"), schema.get("maximum"))
        return "integer" + (f", {bounds}" if bounds else "")

    @staticmethod
    def _number(schema):
        bounds = _range(schema.get("minimum"), schema.get("maximum"))
        return (f"number, a multiple of {schema['multipleOf']}" if "multipleOf" in schema else "number") + (f", {bounds}" if bounds else "")

    def _string(self, schema):
        said = ["string"]
        if "format" in schema:
            said = [FORMATS[schema["format"]]]
        if "contentSchema" in schema:
            said = [f"string that contains JSON ({self.words(schema['contentSchema'])})"]
        length = _range(schema.get("minLength"), schema.get("maxLength"), " characters")
        if length:
            said.append(f"of {length}")
        if "pattern" in schema:
            said.append(f"matching {literal(schema['pattern'])}")
        return " ".join(said)

    def _array(self, schema):
        count = _range(schema.get("minItems"), schema.get("maxItems"), " items")
        start = "array" + (f" of {count}" if count else "") + (", no duplicates" if schema.get("uniqueItems") else "")
        if "prefixItems" in schema:  # then `items` adds nothing
            return f"{start}: {', then '.join(map(self._alternative, schema['prefixItems']))}"
        return f"{start}: {self.words(schema['items'])}"

    @staticmethod
    def _object(schema):
        if "properties" in schema and schema.get("additionalProperties") is False:
            return "object with these members only"
        return "object"
