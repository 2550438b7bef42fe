"""Sentences for broken field rules: each names the field, the problem of its value and the way out.

protovalidate's own messages address the authors of rules: it reports a missing enum as "must not be in list [0]".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from catenary_wire.json_form import enum_numbers

REQUIRED = "required"
"""Constraint name of a missing value."""
_UUID = "a UUID, 32 hexadecimal digits in groups of 8-4-4-4-12"


def sentence(path: str, rule: str, value: Any, field: FieldDescriptor | None, message: str) -> tuple[str, str]:
    """Return the sentence and the constraint's name for a broken rule.

    Args:
        path: JSON path of the value.
        rule: id of the rule, such as `string.max_len`.
        value: argument of the rule, such as 200.
        field: field of the request; None if the path does not end at a field.
        message: protovalidate's message, used for a rule without a sentence here.
    """
    kind, _, name = rule.rpartition(".")
    if _is_missing(rule, value):
        return f"{path} is missing; give {_wanted(field)}.", REQUIRED
    if field is not None and field.enum_type is not None and kind == "enum":
        return f"{path} must be one of {', '.join(enum_numbers(field.enum_type))}.", name
    words = _WORDS.get(name)
    return (f"{path}: {message}." if words is None else f"{path} {words(value)}."), name


def _is_missing(rule: str, value: Any) -> bool:
    """Return whether the value is absent; proto3 can't distinguish an absent text or enum from an empty one."""
    return rule in ("required", "string.uuid_empty") or (rule == "enum.not_in" and list(value) == [0])


def _wanted(field: FieldDescriptor | None) -> str:
    if field is not None and field.enum_type is not None:
        return f"one of {', '.join(enum_numbers(field.enum_type))}"
    if field is not None and field.type == FieldDescriptor.TYPE_STRING:
        return f"an id ({_UUID})"
    return "a value"


def _number(value: int, what: str) -> str:
    return f"{value} {what}" if value != 1 else f"1 {what.removesuffix('s')}"


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "uuid": lambda _: f"must be {_UUID}",
    "email": lambda _: "must be an e-mail address, as name@example.com",
    "uri": lambda _: "must be an absolute URL, as https://example.com/page",
    "pattern": lambda value: "must not be blank" if value == r"\S" else f"must match the pattern {value}",
    "in": lambda value: f"must be one of {', '.join(value)}",
    "min_len": lambda value: (
        "must not be empty" if value == 1 else f"must have at least {_number(value, 'characters')}"
    ),
    "max_len": lambda value: f"must have at most {_number(value, 'characters')}",
    "min_items": lambda value: f"must have at least {_number(value, 'items')}",
    "max_items": lambda value: f"must have at most {_number(value, 'items')}",
    "max_pairs": lambda value: f"must have at most {_number(value, 'entries')}",
    "unique": lambda _: "must not have an item twice",
    "finite": lambda _: "must be a finite number",
}
"""Text after the field's name, by the last part of the rule's id; for ranges protovalidate's own messages serve."""
