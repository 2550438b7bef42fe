"""The JSON form of message types: the names of enum values, and the check of what a type may hold.

JSON writes an enum value by its short name: lower case, without the enum's prefix (`STATE_SWITCHED_OFF` is `switched_off`). The
value UNSPECIFIED is null; where the field is optional and set, it is `unspecified`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

_UNSPECIFIED = "UNSPECIFIED"
SET_UNSPECIFIED = _UNSPECIFIED.lower()
"""The JSON form of an optional enum value that is set to UNSPECIFIED; an unset value is null."""
_UNDERSCORES = re.compile(r"_+(.?)")


class JsonFormError(ValueError):
    """A message type or an enum that has no JSON form of ours; the process refuses to start."""


@cache
def enum_numbers(enum: EnumDescriptor) -> Mapping[str, int]:
    """Map each short name of an enum's values to its number, in the order of the proto; UNSPECIFIED has none.

    Raises JsonFormError for an enum without a value …_UNSPECIFIED = 0, for a value without the prefix of that one, and for
    values that share a number or a short name.
    """
    _check_enum(enum)
    prefix = _prefix(enum)
    return {value.name.removeprefix(prefix).lower(): value.number for value in enum.values if value.number}


@cache
def enum_names(enum: EnumDescriptor) -> Mapping[int, str]:
    """Map each number of an enum's values to its short name; UNSPECIFIED has none. Raises as `enum_numbers`."""
    return {number: name for name, number in enum_numbers(enum).items()}


def check_type(message: Descriptor) -> None:
    """Refuse a message type whose own fields JSON can't say; the types of its fields are checked in their turn.

    Raises JsonFormError for a map whose keys are no strings, a field with a `json_name` of its own, and an enum that
    `enum_numbers` refuses.
    """
    for field in message.fields:
        if field.json_name != _UNDERSCORES.sub(lambda found: found[1].upper(), field.name):
            raise JsonFormError(
                f"the field {field.full_name} has the json_name {field.json_name!r}; JSON has the names of the proto"
            )
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            if entry.fields_by_name["key"].type != FieldDescriptor.TYPE_STRING:
                raise JsonFormError(f"the map {field.full_name} has keys that are no strings")
            field = entry.fields_by_name["value"]
        if field.enum_type is not None:
            enum_numbers(field.enum_type)


def _prefix(enum: EnumDescriptor) -> str:
    return enum.values_by_number[0].name.removesuffix(_UNSPECIFIED)


def _check_enum(enum: EnumDescriptor) -> None:
    zero = enum.values_by_number.get(0)
    if zero is None or not zero.name.endswith(f"_{_UNSPECIFIED}"):
        raise JsonFormError(f"the enum {enum.full_name} has no value …_{_UNSPECIFIED} = 0")
    prefix = _prefix(enum)
    numbers: dict[int, str] = {}
    names: dict[str, str] = {}
    for value in enum.values:
        if not value.name.startswith(prefix):
            raise JsonFormError(f"the value {value.name} of the enum {enum.full_name} lacks the prefix {prefix}")
        if value.number in numbers:
            raise JsonFormError(
                f"the values {numbers[value.number]} and {value.name} of the enum {enum.full_name} share a number"
            )
        numbers[value.number] = value.name
        short = value.name.removeprefix(prefix).lower()
        if short in names:
            raise JsonFormError(
                f"the values {names[short]} and {value.name} of the enum {enum.full_name} are both {short!r} in JSON"
            )
        names[short] = value.name
