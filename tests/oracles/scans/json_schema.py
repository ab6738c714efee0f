"""The part of JSON Schema (draft 7) that the schema of Elements reports uses."""

import re
from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, Any] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}
_KNOWN = {
    "$id",
    "$ref",
    "$schema",
    "additionalProperties",
    "definitions",
    "description",
    "enum",
    "examples",
    "format",
    "items",
    "maximum",
    "minimum",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
}


def faults(
    value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$"
) -> Iterator[str]:
    """Where a value does not fit its schema; a keyword unknown here is an error of ours."""
    if unknown := set(schema) - _KNOWN:
        raise AssertionError(f"keywords not understood: {unknown}")
    if "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from faults(value, target, root, at)
        return
    if "type" in schema and not _TYPES[schema["type"]](value):
        yield f"{at}: not of type {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{at}: {value!r} does not match {schema['pattern']}"
    if value_out_of_range(value, schema):
        yield f"{at}: {value} is out of range"
    if isinstance(value, list):
        if schema.get("uniqueItems") and any(value[n] in value[:n] for n in range(len(value))):
            yield f"{at}: items are repeated"
        for number, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), root, f"{at}[{number}]")
    if isinstance(value, dict):
        yield from (f"{at}: no {key}" for key in schema.get("required", []) if key not in value)
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
            yield from faults(item, inner, root, f"{at}.{key}")


def value_out_of_range(value: Any, schema: dict[str, Any]) -> bool:
    if not _TYPES["number"](value):
        return False
    return not schema.get("minimum", value) <= value <= schema.get("maximum", value)
