"""Check of responses for doubles that are not finite: JSON has no such number, and orjson would write null."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from catenary.options.v1 import options_pb2

Check = Callable[[Any], None]
"""Raises ValueError for a value with a double that is not finite."""
_CHECKS: dict[Descriptor, Check | None] = {}
# Their values were parsed from JSON texts, which hold no such number.
_PARSED = frozenset({"catenary.type.v1.Json", "catenary.type.v1.Value"})


def finite_check(message: Descriptor) -> Check | None:
    """Return the check of a response dict; None for a message without fields of type double."""
    if message in _CHECKS:
        return _CHECKS[message]
    if not _has_doubles(message, frozenset()):
        _CHECKS[message] = None
        return None
    if message.GetOptions().Extensions[options_pb2.message].bare_list:
        return _field_check(message.fields[0])
    checks: list[tuple[str, Check]] = []

    def check(body: dict[str, Any]) -> None:
        for name, check_field in checks:
            value = body[name]
            if value is not None:
                check_field(value)

    # Register before compiling the fields: a message may contain its own type, as trees do.
    _CHECKS[message] = check
    checks.extend((field.name, found) for field in message.fields if (found := _field_check(field)) is not None)
    return check


def _field_check(field: FieldDescriptor) -> Check | None:
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        check = _field_check(message.fields_by_name["value"])
        return None if check is None else lambda values: _check_all(check, values.values())
    single: Check | None = _check_double if field.type == FieldDescriptor.TYPE_DOUBLE else None
    if message is not None:
        single = finite_check(message)
    return single if single is None or not field.is_repeated else lambda values: _check_all(single, values)


def _check_double(value: float) -> None:
    if not math.isfinite(value):
        raise ValueError("a double of the response is not finite, and JSON has no such number")


def _check_all(check: Check, values: Iterable[Any]) -> None:
    for value in values:
        check(value)


def _has_doubles(message: Descriptor, outside: frozenset[Descriptor]) -> bool:
    """Return whether a message has a double at any depth; `outside` are the messages around it."""
    if message in outside or message.full_name in _PARSED:
        return False
    return any(
        field.type == FieldDescriptor.TYPE_DOUBLE
        or (field.message_type is not None and _has_doubles(field.message_type, outside | {message}))
        for field in message.fields
    )
