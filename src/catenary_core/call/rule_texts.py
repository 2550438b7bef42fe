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
_URL = "an absolute http or https URL without a user or password, as https://example.com/page"
_FORMS = {"email": "an e-mail address, as name@example.com", "uri": _URL}

_TEMPLATES: Mapping[str, str] = {
    "uuid": f"{{field}} must be {_UUID}.",
    "email": f"{{field}} must be {_FORMS['email']}.",
    "uri": f"{{field}} must be {_FORMS['uri']}.",
    "ip": "{field} must be an IPv4 or IPv6 address.",
    "pattern": "{field} must be {value}.",
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
_ID_LIST = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PATTERNS: Mapping[str, str] = {
    "^[hH][tT][tT][pP][sS]?://[^/?#@]+([/?#]|$)": _URL,
    "^[A-Za-z_][A-Za-z0-9_]{0,63}$": "a name of at most 64 letters, digits and underscores that does not begin with a digit",
    "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$": "the name of a file of letters, digits, `_`, `-` and single dots between them",
    "^[A-Z][A-Z_]{0,62}$": "the code of an error, as NOT_FOUND",
    "^([0-9]{1,9})?$": "a whole number of at most 9 digits",
    "^[A-Z]{3}$": "three capital letters",
    "^(light|dark|#[0-9a-fA-F]{6})$": "light, dark or a colour, as #c0d8e8",
    "^#[0-9a-fA-F]{6}$": "a colour, as #c0d8e8",
    "^[0-9a-f]{64}$": "64 hexadecimal digits in lower case, a SHA-256",
    "^[0-9]{4}-(0[1-9]|1[0-2])$": "a year and a month, as 2030-01",
    "^[0-9]{4}$": "a year of four digits, as 2030",
    "^(0?[1-9]|1[0-2])$": "a month from 1 to 12",
    "^(0?[1-9]|[12][0-9]|3[01])$": "a day from 1 to 31",
    "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$": "a time of the day, as 23:59 or 23:59:59",
    "^(platform|comments|reference|qa|environment|parameter|metadata):(read|write)$": "a scope, as qa:read or qa:write; its "
    "surface is one of platform, comments, reference, qa, environment, parameter, metadata",
    f"^{_ID_LIST}(,{_ID_LIST})*$": "ids with commas between them",
}
"""The rule behind each pattern of the protos, in words; each pattern has its row (a test)."""
_OTHER = "{field}: {message}."


def sentence(
    path: str, rule: str, value: Any, field: FieldDescriptor | None, message: str, *, is_empty: bool
) -> tuple[Sentence, str]:
    """Return the sentence and the constraint's name for a broken rule.

    Args:
        path: JSON path of the value.
        rule: id of the rule, such as `string.max_len`.
        value: argument of the rule, such as 200.
        field: field of the request; None if the path does not end at a field.
        message: protovalidate's message, used for a rule without a sentence here.
        is_empty: whether the refused value is the empty text.
    """
    kind, _, name = rule.rpartition(".")
    named = {"field": Fields(path)}
    if _is_missing(rule, value) or (is_empty and _is_form(rule, value) and not _may_be_empty(field)):
        wanted = _PATTERNS[value] if name == "pattern" else _FORMS.get(name.removesuffix("_empty")) or _wanted(field)
        return Sentence("{field} is missing; give {wanted}.", {**named, "wanted": wanted}), REQUIRED
    name = name.removesuffix("_empty")
    if field is not None and field.enum_type is not None and kind == "enum":
        refused = value if name == "not_in" else ()
        allowed = [one for one, number in enum_numbers(field.enum_type).items() if number not in refused]
        return Sentence(_TEMPLATES["in"], {**named, "value": ", ".join(allowed)}), name
    if name not in _TEMPLATES:
        return Sentence(_OTHER, {**named, "message": message}), name
    template = _SPECIAL.get((name, value)) if isinstance(value, int | str) else None
    shown = ", ".join(value) if name == "in" else _PATTERNS.get(value, str(value)) if name == "pattern" else str(value)
    return Sentence(template or _TEMPLATES[name], {**named, "value": shown}), name


def _is_missing(rule: str, value: Any) -> bool:
    """Return whether the value is absent; proto3 can't distinguish an absent text or enum from an empty one."""
    return rule in ("required", "string.uuid_empty") or (rule == "enum.not_in" and list(value) == [0])


def _is_form(rule: str, value: Any) -> bool:
    """Return whether a rule asks for the form of a text; one that a text with any letter meets has a sentence of its own."""
    return rule in ("string.uri_empty", "string.email_empty") or (rule == "string.pattern" and value in _PATTERNS)


def _may_be_empty(field: FieldDescriptor | None) -> bool:
    """Return whether an empty text differs from an absent one: in an optional field and in a list."""
    return field is None or field.has_presence or field.is_repeated


def _wanted(field: FieldDescriptor | None) -> str:
    if field is not None and field.enum_type is not None:
        return f"one of {', '.join(enum_numbers(field.enum_type))}"
    if field is not None and field.type == FieldDescriptor.TYPE_STRING:
        return f"an id ({_UUID})"
    return "a value"
