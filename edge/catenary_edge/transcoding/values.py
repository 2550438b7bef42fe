"""Values of single fields: from JSON and from text to protobuf.

Strict as in guide/conventions.md, "Strictness": no conversion between JSON types, enums by their lower-case short
names, timestamps as RFC 3339. The core checks lengths, ranges and formats (protovalidate); here only kind and range of
the protobuf type are checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import orjson
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.fields import is_id
from catenary_edge.transcoding.template import BindingError
from catenary_wire.json_form import enum_numbers
from catenary_wire.timestamps import FIRST_SECOND, LAST_SECOND

Read = Callable[[Any], Any]
"""Converts a JSON value, or a text, to the Python value of a scalar field. Raises Fault."""

INTEGERS: Mapping[int, tuple[int, int]] = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SFIXED32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_FIXED32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_SINT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_SFIXED64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**63 - 1),
    FieldDescriptor.TYPE_FIXED64: (0, 2**63 - 1),
}
"""Least and largest value of each integer type in JSON, where integers are exact to 2^63 - 1."""
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DIGITS = 19
"""Digits of the largest integer."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_RFC3339 = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - arithmetic in UTC without the cost of zones


def read_json(field: FieldDescriptor) -> Read:
    """Return the converter of one JSON value for a scalar or enum field."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return _json_id if is_id(field) else _json_string
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _json_bool
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return _json_double
    if field.enum_type is not None:
        return _enum(field.enum_type)
    if field.type in INTEGERS:
        low, high = INTEGERS[field.type]

        def integer(value: Any) -> int:
            if type(value) is int and low <= value <= high:
                return value
            # Strict JSON has a double for an integer outside ±2^63.
            if type(value) is int or (type(value) is float and abs(value) >= 2**63):
                raise _out_of_range(value, low, high)
            raise Fault("must be an integer", "type", value)

        return integer
    raise BindingError(f"the field {field.full_name} has a type that JSON requests don't have")


def read_text(field: FieldDescriptor) -> Read:
    """Return the converter of one text of a path, query, form or header, for a scalar or enum field."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return _text_id if is_id(field) else _text_string
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _text_bool
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return _text_double
    if field.enum_type is not None:
        return _enum(field.enum_type)
    if field.type in INTEGERS:
        from_json = read_json(field)

        def integer(text: str) -> int:
            if not _INTEGER.fullmatch(text):
                raise Fault("must be an integer", "type", text)
            if len(text.lstrip("-")) > _DIGITS:
                raise _out_of_range(text, *INTEGERS[field.type])
            return int(from_json(int(text)))

        return integer
    raise BindingError(f"the field {field.full_name} has a type that no path, query or header can hold")


def _out_of_range(value: Any, low: int, high: int) -> Fault:
    return Fault("must be from {low} to {high}", "range", value, low=low, high=high)


def _json_string(value: Any) -> str:
    if type(value) is not str:
        raise Fault("must be a string", "type", value)
    return value


def _json_id(value: Any) -> str:
    return _json_string(value).lower()


def _json_bool(value: Any) -> bool:
    if value is not True and value is not False:
        raise Fault("must be true or false", "type", value)
    return bool(value)


def _json_double(value: Any) -> float:
    if type(value) is not float and type(value) is not int:
        raise Fault("must be a number", "type", value)
    return float(value)


def _text_string(text: str) -> str:
    if "\0" in text:
        raise Fault("has the character U+0000, which can't be stored", "characters", text)
    return text


def _text_id(text: str) -> str:
    return _text_string(text).lower()


def _text_bool(text: str) -> bool:
    if text not in ("true", "false"):
        raise Fault("must be true or false", "type", text)
    return text == "true"


def _text_double(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise Fault("must be a number", "type", text)
    number = float(text)
    if abs(number) == float("inf"):
        raise Fault("is not a finite number", "finite", text)
    return number


def _enum(enum: EnumDescriptor) -> Read:
    names = enum_numbers(enum)
    choices = ", ".join(names)

    def read(value: Any) -> int:
        if type(value) is not str:
            raise Fault("must be a string", "type", value)
        number = names.get(value)
        if number is None:
            raise Fault("must be one of {choices}", "in", value, choices=choices)
        return number

    return read


def write_timestamp(message: Message, value: Any) -> None:
    """Write an RFC 3339 text into a google.protobuf.Timestamp: at most nanoseconds, any offset."""
    if type(value) is not str:
        raise Fault("must be a timestamp as a string", "type", value)
    found = _RFC3339.fullmatch(value)
    try:
        if found is None:
            raise ValueError
        moment = datetime.fromisoformat(f"{found[1]}T{found[2]}") - _EPOCH
    except ValueError:
        raise Fault("must be an RFC 3339 timestamp such as 2030-01-31T12:00:00Z", "timestamp", value) from None
    seconds = moment.days * 86400 + moment.seconds
    if found[4]:
        offset = int(found[5]) * 3600 + int(found[6]) * 60
        seconds += -offset if found[4] == "+" else offset
    if not FIRST_SECOND <= seconds <= LAST_SECOND:
        raise Fault("must be in the years 1 to 9999 of UTC", "timestamp", value)
    # `Message`, the common base type, declares no fields: not those of Timestamp here, nor that of Json below.
    message.seconds = seconds  # type: ignore[attr-defined]  # as above
    message.nanos = int((found[3] or "0").ljust(9, "0"))  # type: ignore[attr-defined]  # as above
    message.SetInParent()


def write_any(message: Message, value: Any) -> None:
    """Write any JSON value into a catenary.type.v1.Json, as canonical text."""
    message.text = orjson.dumps(value).decode()  # type: ignore[attr-defined]  # as above


def write_value(message: Message, value: Any) -> None:
    """Write a JSON value other than null into a catenary.type.v1.Value, by its JSON type."""
    target: Any = message
    if type(value) is str:
        target.string_value = value
    elif type(value) is bool:
        target.bool_value = value
    elif type(value) is int:
        target.integer_value = value
    elif type(value) is float:
        target.double_value = value
    else:
        target.json_value.text = orjson.dumps(value).decode()
