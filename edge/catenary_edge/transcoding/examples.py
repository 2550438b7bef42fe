"""Examples of bodies and parameters, made from their schemas and the names of fields.

A field with a pattern has its example in its proto (`example` of `buf.validate`), since none can be derived from a
pattern.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from catenary_edge.transcoding.schema import Schema

_MOMENT = "2030-01-31T12:00:00Z"
_DEPTH = 8

# Values by field name, used where the type fits; other fields get a value of their type.
_BY_NAME: Mapping[str, Any] = {
    "access_token": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJyb2JpbiJ9.c2lnbmF0dXJl",
    "admin": False,
    "centre_of_gravity": [0.0, 0.0, 1.5],
    "choices": ["steel", "timber"],
    "client_secret": "kPq3v0cXU5mS9wYt2hRb7LdNfZaJ1gEo8iTx4uQsWyA",
    "code": "MODEL_FAILED",
    "cursor": "WyIyMDMwLTAxLTMxIiwxXQ",
    "default": 24,
    "description": "A footbridge over the canal.",
    "disabled": False,
    "email": "robin@example.com",
    "expires_in": 3600,
    "format": "glb",
    "grade_level": 7,
    "grant_type": "client_credentials",
    "if_range": '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    "key": "cat_3f8a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
    "label": "Span",
    "line": 12,
    "location_name": "Zurich",
    "max": 60,
    "metric": "mass",
    "min": 5,
    "my_people_page_url": "https://people.example.com/robin",
    "name": "Footbridge",
    "next_cursor": "WyIyMDMwLTAxLTMxIiw1MF0",
    "op": "<=",
    "parameters": {"span": 24},
    "prefer": "wait=10",
    "prefix": "cat_3f8a",
    "range": "bytes=0-1023",
    "requestId": "01926c1e-0000-7000-8000-000000000001",
    "scope": "platform:read platform:write",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "staff_name": "Robin Example",
    "step": 0.5,
    "tables": {"members": [{"number": 1, "length": 4.2}]},
    "token_type": "Bearer",
    "token_type_hint": "access_token",
    "unit": "m",
    "url": "/v1/evaluations/01926c1e-0000-7000-8000-000000000001/geometry/bridge",
    "value": 24,
}
_BY_FORMAT: Mapping[str, str] = {
    "date-time": _MOMENT,
    "uri": "https://example.com/page",
    "email": "robin@example.com",
}
_USUAL = ("completed", "ready", "active")
"""Enum values consistent with the other values of an example."""
_ABSENT = ("deleted_at", "error", "retired_at")
"""Fields with null in a usual response."""


def example(schema: Schema, components: Mapping[str, Schema], name: str = "", depth: int = 0) -> Any:
    """Build a value allowed by the schema; `name` is the name of its field."""
    types = _types(schema)
    if "null" in types and (name in _ABSENT or depth > _DEPTH):
        return None
    if "const" in schema:
        return schema["const"]
    if "$ref" in schema:
        return example(components[schema["$ref"].rpartition("/")[2]], components, name, depth)
    if "examples" in schema:
        return schema["examples"][0]
    if "enum" in schema:
        return next((value for value in _USUAL if value in schema["enum"]), schema["enum"][0])
    if "anyOf" in schema:
        return example(schema["anyOf"][0], components, name, depth)
    known = _BY_NAME.get(name) if schema.get("format") not in _BY_FORMAT else None
    if known is not None and (not types or _type_of(known) in types) and not _is_structured(schema):
        return known
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
        found["mass"] = example(more, components, "value", depth + 1)
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


def _is_structured(schema: Schema) -> bool:
    """Tell whether the schema describes inner values; then a known value of the name is too simple."""
    inner = schema.get("additionalProperties") or schema.get("items")
    return bool(schema.get("properties")) or (isinstance(inner, dict) and "$ref" in inner)


def _type_of(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]
