"""Examples of bodies and parameters, made from their schemas.

A field's own example is in its proto, and in its schema under `examples`; other fields get a value of their type and format. A
field with a pattern needs its own, since none can be derived from a pattern.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from catenary_edge.transcoding.schema import Schema

_MOMENT = "2030-01-31T12:00:00Z"
_DEPTH = 8

_BY_FORMAT: Mapping[str, str] = {
    "date-time": _MOMENT,
    "uri": "https://example.com/page",
    "email": "robin@example.com",
}


def example(schema: Schema, components: Mapping[str, Schema], name: str = "", depth: int = 0) -> Any:
    """Build a value allowed by the schema; `name` is the name of its field."""
    types = _types(schema)
    if "null" in types and depth > _DEPTH:
        return None
    if "const" in schema:
        return schema["const"]
    if "examples" in schema:
        return schema["examples"][0]
    if "$ref" in schema:
        return example(components[schema["$ref"].rpartition("/")[2]], components, name, depth)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(schema["anyOf"][0], components, name, depth)
    kind = next((one for one in types if one != "null"), "")
    if kind == "object":
        return _object(schema, components, depth)
    if kind == "array":
        items = schema["items"]
        usual = 3 if items.get("type") == "number" else 1  # lists of numbers are points
        count = 0 if depth > _DEPTH else max(usual, schema.get("minItems", 0))
        return [example(items, components, name.removesuffix("s"), depth + 1) for _ in range(count)]
    if kind == "string":
        return _text(schema, name)
    if kind in ("integer", "number"):
        return _number(schema)
    return kind == "boolean" or 24


def _object(schema: Schema, components: Mapping[str, Schema], depth: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    found = {key: example(inner, components, key, depth + 1) for key, inner in properties.items()}
    more = schema.get("additionalProperties")
    if not properties and isinstance(more, dict):
        found["name"] = example(more, components, "value", depth + 1)
    return found


def _text(schema: Schema, name: str) -> str:
    form = schema.get("format", "")
    is_id = name.endswith("_id") or schema.get("description", "").startswith("Id of")
    if form == "uuid" or (not form and is_id):
        return f"01926c1e-0000-7000-8000-{zlib.crc32(name.encode()):012x}"
    text = _BY_FORMAT.get(form) or name.replace("_", " ") or "text"
    return text[: schema.get("maxLength", len(text))]


def _number(schema: Schema) -> int | float:
    low: int | float = schema.get("minimum", 0)
    high: int | float = schema.get("maximum", 100)
    return low if low > 0 else min(24, high)


def _types(schema: Schema) -> list[str]:
    given = schema.get("type", [])
    found = [given] if isinstance(given, str) else list(given)
    return found + [inner["type"] for inner in schema.get("anyOf", ()) if inner.get("type") == "null"]
