"""What is said to people of a broken field rule: the field, what is wrong with its value, and the way out.

protovalidate's own words are for those who wrote the rules: an enum that is missing it tells as "must not be in list [0]".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

REQUIRED = "required"
_UUID = "a UUID, 32 hexadecimal digits in groups of 8-4-4-4-12"
_UNSPECIFIED = "_UNSPECIFIED"


def sentence(path: str, rule: str, value: Any, field: FieldDescriptor | None, message: str) -> tuple[str, str]:
    """The sentence and the constraint's name.

    `rule` is the rule's id (`string.max_len`), `value` what it asks for (200), `field` that of the request; `message`, what
    protovalidate says, stays for a rule that has no words of ours.
    """
    kind, _, name = rule.rpartition(".")
    if _is_missing(rule, value):
        return f"{path} is missing; give {_wanted(field)}.", REQUIRED
    if field is not None and field.enum_type is not None and kind == "enum":
        return f"{path} must be one of {', '.join(_names(field.enum_type))}.", name
    words = _WORDS.get(name)
    return (f"{path}: {message}." if words is None else f"{path} {words(value)}."), name


def _is_missing(rule: str, value: Any) -> bool:
    """Whether the value isn't there: proto3 can't tell an absent text or enum from an empty one."""
    return rule in ("required", "string.uuid_empty") or (rule == "enum.not_in" and list(value) == [0])


def _wanted(field: FieldDescriptor | None) -> str:
    if field is not None and field.enum_type is not None:
        return f"one of {', '.join(_names(field.enum_type))}"
    if field is not None and field.type == FieldDescriptor.TYPE_STRING:
        return f"an id ({_UUID})"
    return "a value"


def _names(enum: EnumDescriptor) -> list[str]:
    """The values as they stand in JSON: lower case, without the enum's prefix; UNSPECIFIED is none."""
    prefix = enum.values_by_number[0].name.removesuffix(_UNSPECIFIED.removeprefix("_"))
    return [value.name.removeprefix(prefix).lower() for value in enum.values if value.number]


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
"""What follows the field's name, by the last word of the rule's id. protovalidate's own words say the ends of ranges well."""
