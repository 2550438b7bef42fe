"""The rules of `buf.validate` as keywords of JSON Schema (draft 2020-12).

A rule without a keyword here is a BindingError, so the documents can't omit a rule by mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from google.protobuf.descriptor import FieldDescriptor

from buf.validate import validate_pb2
from catenary_edge.transcoding.fields import VALUE, field_options, is_map, map_value
from catenary_edge.transcoding.template import BindingError
from catenary_wire.characters import MULTILINE, MULTILINE_NOT_BLANK, ONE_LINE, ONE_LINE_NOT_BLANK
from catenary_wire.json_form import enum_numbers

Schema = dict[str, Any]
_Keyword = Callable[[Any], Schema]

_STRING: Mapping[str, _Keyword] = {
    "const": lambda value: {"const": value},
    "len": lambda value: {"minLength": value, "maxLength": value},
    "min_len": lambda value: {"minLength": value},
    "max_len": lambda value: {"maxLength": value},
    "pattern": lambda value: {"pattern": value},
    "in": lambda value: {"enum": list(value)},
    "uuid": lambda value: {"format": "uuid"},
    "uri": lambda value: {"format": "uri"},
    "email": lambda value: {"format": "email"},
    "ip": lambda value: {"anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]},
    "example": lambda value: {"examples": list(value)},
}
_BOOL: Mapping[str, _Keyword] = {
    "const": lambda value: {"const": value},
    "example": lambda value: {"examples": list(value)},
}
_NUMBER: Mapping[str, _Keyword] = {
    "const": lambda value: {"const": value},
    "gt": lambda value: {"exclusiveMinimum": value},
    "gte": lambda value: {"minimum": value},
    "lt": lambda value: {"exclusiveMaximum": value},
    "lte": lambda value: {"maximum": value},
    "in": lambda value: {"enum": list(value)},
    "finite": lambda value: {},  # JSON has no other numbers
    "example": lambda value: {"examples": list(value)},
}
_REPEATED: Mapping[str, _Keyword] = {
    "min_items": lambda value: {"minItems": value},
    "max_items": lambda value: {"maxItems": value},
    "unique": lambda value: {"uniqueItems": value},
}
_MAP: Mapping[str, _Keyword] = {
    "min_pairs": lambda value: {"minProperties": value},
    "max_pairs": lambda value: {"maxProperties": value},
}
_BYTES: Mapping[str, _Keyword] = {
    "max_len": lambda value: {},  # limits one message of an upload, while HTTP carries the whole file
}


def rules_of(field: FieldDescriptor) -> validate_pb2.FieldRules:
    """Return the rules of a field."""
    extensions: Any = field.GetOptions().Extensions
    rules: validate_pb2.FieldRules = extensions[validate_pb2.field]
    return rules


def keywords(field: FieldDescriptor) -> Schema:
    """Return the keywords of a field's rules; those of items and of a map's keys and values are nested."""
    return _keywords(rules_of(field), field) | examples(field)


def characters(field: FieldDescriptor) -> Schema:
    """Return the patterns of the characters that the texts of a request's field may have.

    The core has the same rule (`catenary_core/call/characters.py`); rows from before it may have others. A format, a list of
    values or a pattern of the whole text leaves no room for another pattern.
    """
    if is_map(field):
        keys = {} if rules_of(field).map.keys.string.pattern else {"propertyNames": {"pattern": ONE_LINE}}
        values = characters(map_value(field))
        return keys | ({"additionalProperties": values} if values else {})
    if field.message_type is not None:
        is_value = field.message_type.full_name == VALUE
        found = characters(field.message_type.fields_by_name["string_value"]) if is_value else {}
    else:
        found = _pattern_of_characters(field)
    return {"items": found} if field.is_repeated and found else found


def _pattern_of_characters(field: FieldDescriptor) -> Schema:
    options = field_options(field)
    if field.type != FieldDescriptor.TYPE_STRING or options.secret or options.header:
        return {}
    rules = rules_of(field)
    told = _mapped(rules.repeated.items.string if field.is_repeated else rules.string, _STRING, field)
    if told.keys() & {"const", "enum", "format"}:
        return {}
    match told.get("pattern"):
        case None:
            return {"pattern": MULTILINE if options.multiline else ONE_LINE}
        case r"\S":
            return {"pattern": MULTILINE_NOT_BLANK if options.multiline else ONE_LINE_NOT_BLANK}
        case _:
            return {}


def examples(field: FieldDescriptor) -> Schema:
    """Return the keyword `examples` of a field whose proto has one: in `buf.validate` of a scalar, else in our option."""
    if text := field_options(field).example:
        try:
            return {"examples": [orjson.loads(text)]}
        except orjson.JSONDecodeError as error:
            raise BindingError(f"the example of the field {field.full_name} is no JSON: {error}") from None
    rules = rules_of(field)
    kind = rules.WhichOneof("type")
    given = list(getattr(getattr(rules, kind), "example", ())) if kind is not None else []
    return {"examples": given} if given else {}


def allowed_names(field: FieldDescriptor) -> list[str]:
    """Return the short names of the enum values allowed by the field's rules, or by its items' rules."""
    assert field.enum_type is not None
    rules = rules_of(field)
    enum = (rules.repeated.items if field.is_repeated else rules).enum
    refused = set(getattr(enum, "not_in"))  # noqa: B009 - like `in`, which Python reserves
    only = set(getattr(enum, "in"))
    return [
        name
        for name, number in enum_numbers(field.enum_type).items()
        if number not in refused and (not only or number in only)
    ]


def is_required(field: FieldDescriptor) -> bool:
    """Tell whether a request without the field is refused: by `required`, or because its empty value breaks a rule."""
    rules = rules_of(field)
    if rules.required:
        return True
    if field.has_presence or rules.ignore != validate_pb2.IGNORE_UNSPECIFIED:
        return False
    kind = rules.WhichOneof("type")
    if kind is None:
        return False
    if kind == "repeated":
        return rules.repeated.min_items > 0
    if kind == "map":
        return rules.map.min_pairs > 0
    if kind == "enum":
        only = getattr(rules.enum, "in")
        return 0 in rules.enum.not_in or (bool(only) and 0 not in only)
    found = keywords(field)
    if kind == "string":
        excluded = found.keys() & {"format", "enum", "const"} or found.get("minLength")
        return bool(excluded) or not re.search(found.get("pattern", ""), "")
    return not _holds_zero(found)


def _holds_zero(found: Schema) -> bool:
    return (
        found.get("minimum", 0) <= 0 <= found.get("maximum", 0)
        and found.get("exclusiveMinimum", -1) < 0 < found.get("exclusiveMaximum", 1)
        and found.get("const", 0) == 0
        and 0 in found.get("enum", [0])
    )


def _keywords(rules: validate_pb2.FieldRules, field: FieldDescriptor) -> Schema:
    if rules.cel or rules.cel_expression:
        raise BindingError(f"the field {field.full_name} has a CEL rule, which JSON Schema has no keyword for")
    kind = rules.WhichOneof("type")
    if kind is None:
        return {}
    typed = getattr(rules, kind)
    if kind == "enum":
        return {}  # see `allowed_names`
    if kind == "repeated":
        found = _mapped(typed, _REPEATED, field, but="items")
        items = _keywords(typed.items, field)
        return found | {"items": items} if items else found
    if kind == "map":
        found = _mapped(typed, _MAP, field, but="keys values")
        if keys := _keywords(typed.keys, field):
            found["propertyNames"] = keys
        if values := _keywords(typed.values, field):
            found["additionalProperties"] = values
        return found
    table = {"string": _STRING, "bytes": _BYTES, "bool": _BOOL}.get(kind, _NUMBER)
    return _mapped(typed, table, field)


def _mapped(typed: Any, table: Mapping[str, _Keyword], field: FieldDescriptor, but: str = "") -> Schema:
    found: Schema = {}
    for rule, value in typed.ListFields():
        if rule.name in but.split():
            continue
        if rule.name not in table:
            kind = "map" if is_map(field) else typed.DESCRIPTOR.name
            raise BindingError(f"the field {field.full_name} has the rule {kind}.{rule.name}, unknown to OpenAPI")
        found |= table[rule.name](value)
    return found
