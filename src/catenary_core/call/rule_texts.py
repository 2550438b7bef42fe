"""Sentences for broken field rules: each names the field, the problem of its value and the way out.

protovalidate's own messages address the authors of rules: it reports a missing enum as "must not be in list [0]".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from catenary_wire.json_form import enum_numbers
from catenary_wire.sentences import Fields, Sentence

REQUIRED = "required"
"""Constraint name of a missing value."""
_UUID = "a UUID, 32 hexadecimal digits in groups of 8-4-4-4-12"

_TEMPLATES: Mapping[str, str] = {
    "uuid": f"{{field}} must be {_UUID}.",
    "email": "{field} must be an e-mail address, as name@example.com.",
    "uri": "{field} must be an absolute URL, as https://example.com/page.",
    "pattern": "{field} must match the pattern {value}.",
    "in": "{field} must be one of {value}.",
    "min_len": "{field} must have at least {value} characters.",
    "max_len": "{field} must have at most {value} characters.",
    "min_items": "{field} must have at least {value} items.",
    "max_items": "{field} must have at most {value} items.",
    "max_pairs": "{field} must have at most {value} keys.",
    "unique": "{field} must not have an item twice.",
    "finite": "{field} must be a finite number.",
}
"""By the last word of the rule's id. protovalidate's own words say the ends of ranges well."""
_SPECIAL: Mapping[tuple[str, Any], str] = {
    ("pattern", r"\S"): "{field} must not be blank.",
    ("min_len", 1): "{field} must not be empty.",
    ("max_len", 1): "{field} must have at most 1 character.",
    ("min_items", 1): "{field} must have at least 1 item.",
    ("max_items", 1): "{field} must have at most 1 item.",
    ("max_pairs", 1): "{field} must have at most 1 key.",
}
"""By the rule's last word and what it asks for."""
_OTHER = "{field}: {message}."


def sentence(path: str, rule: str, value: Any, field: FieldDescriptor | None, message: str) -> tuple[Sentence, str]:
    """Return the sentence and the constraint's name for a broken rule.

    Args:
        path: JSON path of the value.
        rule: id of the rule, such as `string.max_len`.
        value: argument of the rule, such as 200.
        field: field of the request; None if the path does not end at a field.
        message: protovalidate's message, used for a rule without a sentence here.
    """
    kind, _, name = rule.rpartition(".")
    named = {"field": Fields(path)}
    if _is_missing(rule, value):
        return Sentence("{field} is missing; give {wanted}.", {**named, "wanted": _wanted(field)}), REQUIRED
    if field is not None and field.enum_type is not None and kind == "enum":
        return Sentence(_TEMPLATES["in"], {**named, "value": ", ".join(enum_numbers(field.enum_type))}), name
    if name not in _TEMPLATES:
        return Sentence(_OTHER, {**named, "message": message}), name
    template = _SPECIAL.get((name, value)) if isinstance(value, int | str) else None
    shown = ", ".join(value) if name == "in" else str(value)
    return Sentence(template or _TEMPLATES[name], {**named, "value": shown}), name


def _is_missing(rule: str, value: Any) -> bool:
    """Return whether the value is absent; proto3 can't distinguish an absent text or enum from an empty one."""
    return rule in ("required", "string.uuid_empty") or (rule == "enum.not_in" and list(value) == [0])


def _wanted(field: FieldDescriptor | None) -> str:
    if field is not None and field.enum_type is not None:
        return f"one of {', '.join(enum_numbers(field.enum_type))}"
    if field is not None and field.type == FieldDescriptor.TYPE_STRING:
        return f"an id ({_UUID})"
    return "a value"
