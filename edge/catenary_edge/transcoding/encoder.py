"""Response encoding: a protobuf message to the same JSON bytes as the core's dict.

A function compiled from the descriptor makes the dict, and orjson the bytes. So the edge in the core's process and the
edge over a channel respond with the same bytes: declaration order, null for unset fields, enums by short name, map keys
sorted. A value without a JSON form of its own, such as a double that is not finite, raises ValueError or OverflowError: a
500 and a line of the log rather than a null.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import orjson
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from catenary_edge.transcoding.fields import JSON, TIMESTAMP, VALUE, is_bare_list, is_map, map_value
from catenary_edge.transcoding.template import BindingError
from catenary_wire.json_form import SET_UNSPECIFIED, check_type, enum_names
from catenary_wire.timestamps import timestamp_text

Convert = Callable[[Any], Any]
"""Converts a set protobuf value to a plain one."""
_Fix = Callable[[Message, Any], Any]
"""Converts a message and the protobuf value of one of its fields to a plain value, None when unset."""


class Encoders:
    """The converters of message types, each compiled once for a whole route table."""

    def __init__(self, *, with_bytes: bool = False) -> None:
        """Compile nothing yet; `with_bytes` lets bytes through as they are, for what is not sent as JSON alone."""
        self._with_bytes = with_bytes
        self._converters: dict[str, Convert] = {}

    def encode(self, descriptor: Descriptor) -> Callable[[Message], bytes]:
        """Return the encoder of messages of this type to JSON bytes."""
        convert = self.plain(descriptor)
        return lambda message: orjson.dumps(convert(message))

    def plain(self, descriptor: Descriptor) -> Convert:
        """Return the converter of messages of this type to plain values.

        Raises:
            BindingError: Responses can't have this type.
            JsonFormError: `check_type` refuses the type.
        """
        name = descriptor.full_name
        if name == TIMESTAMP:
            return timestamp_text
        if name == JSON:
            return _fragment
        if name == VALUE:
            return _value
        if is_bare_list(descriptor):
            if len(descriptor.fields) != 1 or not descriptor.fields[0].is_repeated:
                raise BindingError(f"the bare list {name} must have one field, a repeated one")
            return self._items(descriptor.fields[0])
        if descriptor.file.package.startswith("google."):
            raise BindingError(f"the type {name} has no JSON form here")
        if name not in self._converters:
            check_type(descriptor)
            fixes: list[tuple[str, _Fix]] = []
            # Registered before its fields, which may hold the same type.
            self._converters[name] = _object(tuple(field.name for field in descriptor.fields), fixes)
            for field in descriptor.fields:
                fix = self._fix(field)
                if fix is not None:
                    fixes.append((field.name, fix))
        return self._converters[name]

    def _fix(self, field: FieldDescriptor) -> _Fix | None:
        """Return the converter of a field beyond protobuf's own value; None for a plain scalar."""
        name = field.name
        if is_map(field):
            item = self._item(map_value(field))
            return lambda _, value: {key: item(value[key]) for key in sorted(value)}
        if field.is_repeated:
            item = self._item(field)
            return lambda _, value: [item(one) for one in value]
        item = self._item(field)
        if field.has_presence:
            item = item if field.enum_type is None else _set_enum(field.enum_type)
            return lambda message, value: item(value) if message.HasField(name) else None
        return None if item is _same else lambda _, value: item(value)

    def _items(self, field: FieldDescriptor) -> Convert:
        """Return the converter of a bare list: a message to the list of its one, repeated field."""
        name = field.name
        item = self._item(field)
        return lambda message: [item(one) for one in getattr(message, name)]

    def _item(self, field: FieldDescriptor) -> Convert:
        """Return the converter of one value of a field."""
        if field.message_type is not None:
            return self.plain(field.message_type)
        if field.enum_type is not None:
            return _enum(field.enum_type)
        if not (self._with_bytes and field.type == FieldDescriptor.TYPE_BYTES):
            _check(field)
        return _finite if field.type == FieldDescriptor.TYPE_DOUBLE else _same


def _object(names: tuple[str, ...], fixes: list[tuple[str, _Fix]]) -> Convert:
    """Make the converter of an object: read all values at once, then convert those with a fix."""
    if not names:
        return lambda message: {}
    take = attrgetter(*names)
    alone = len(names) == 1

    def convert(message: Message) -> dict[str, Any]:
        data = {names[0]: take(message)} if alone else dict(zip(names, take(message), strict=True))
        for name, fix in fixes:
            data[name] = fix(message, data[name])
        return data

    return convert


def _fragment(value: Any) -> Any:
    return orjson.Fragment(value.text) if value.text else None


def _value(value: Any) -> Any:
    kind = value.WhichOneof("kind")
    if kind is None:
        return None
    if kind == "json_value":
        return _fragment(value.json_value)
    plain = getattr(value, kind)
    return _finite(plain) if kind == "double_value" else plain


def _same(value: Any) -> Any:
    return value


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("a double of the response is not finite, and JSON has no such number")
    return value


def _enum(enum: EnumDescriptor) -> Convert:
    """Make the converter of an enum value: its short name, null for UNSPECIFIED, the number as text for a newer core's value."""
    names = enum_names(enum)
    return lambda number: names.get(number) or (str(number) if number else None)


def _set_enum(enum: EnumDescriptor) -> Convert:
    """Make the converter of an optional enum value that is set: as `_enum`, but UNSPECIFIED has its name, since null is unset."""
    name = _enum(enum)
    return lambda number: name(number) or SET_UNSPECIFIED


def _check(field: FieldDescriptor) -> None:
    if field.type in (FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_FLOAT):
        raise BindingError(f"the field {field.full_name} has a type that JSON answers don't have (bytes or float)")
