"""Compiled conversion of dicts into protobuf messages, by which the gRPC server sends servicers' responses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_wire.json_form import SET_UNSPECIFIED, check_type, enum_numbers

Fill = Callable[[Message, dict[str, Any]], None]
"""A function that fills a message in place from a dict."""
_Set = Callable[[Message, Any], None]
_FILLERS: dict[Descriptor, Fill] = {}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_message(descriptor: Descriptor, body: dict[str, Any]) -> Message:
    """Convert a dict in the message's shape into the message.

    Raises:
        KeyError: a field is missing in the dict, which is a bug of the servicer.
    """
    message = message_factory.GetMessageClass(descriptor)()
    filler(descriptor)(message, body)
    return message


def filler(descriptor: Descriptor) -> Fill:
    """Return the compiled function that fills a message of this type in place. Raises JsonFormError (`check_type`)."""
    if descriptor in _FILLERS:
        return _FILLERS[descriptor]
    check_type(descriptor)
    setters: list[tuple[str, _Set]] = []

    def fill(message: Message, body: dict[str, Any]) -> None:
        for name, set_ in setters:
            value = body[name]
            if value is not None:
                set_(message, value)

    # Register before compiling the fields: a message may contain its own type, as trees do.
    _FILLERS[descriptor] = fill
    setters.extend((field.name, _setter(field)) for field in descriptor.fields)
    return fill


def _setter(field: FieldDescriptor) -> _Set:
    name = field.name
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        return _map_setter(name, kind.fields_by_name["value"])
    if kind is not None:
        fill = _message_filler(kind)
        if field.is_repeated:

            def add_all(message: Message, values: list[Any]) -> None:
                target = getattr(message, name)
                for value in values:
                    fill(target.add(), value)

            return add_all

        def fill_one(message: Message, value: Any) -> None:
            child = getattr(message, name)
            child.SetInParent()
            fill(child, value)

        return fill_one
    if field.enum_type is not None:
        numbers = enum_numbers(field.enum_type)
        if field.has_presence:
            numbers = {**numbers, SET_UNSPECIFIED: 0}
        if field.is_repeated:
            return lambda message, values: getattr(message, name).extend([numbers[value] for value in values])
        return lambda message, value: setattr(message, name, numbers[value])
    if field.is_repeated:
        return lambda message, values: getattr(message, name).extend(values)
    return lambda message, value: setattr(message, name, value)


def _map_setter(name: str, value_field: FieldDescriptor) -> _Set:
    if value_field.message_type is None:
        return lambda message, values: getattr(message, name).update(values)
    fill = _message_filler(value_field.message_type)

    def fill_map(message: Message, values: dict[str, Any]) -> None:
        target = getattr(message, name)
        for key, value in values.items():
            fill(target[key], value)

    return fill_map


def _message_filler(descriptor: Descriptor) -> Callable[[Any, Any], None]:
    if descriptor.GetOptions().Extensions[options_pb2.message].bare_list:
        (items,) = descriptor.fields
        return _setter(items)
    match descriptor.full_name:
        case "catenary.type.v1.Json":
            return lambda message, value: setattr(message, "text", orjson.dumps(value).decode())
        case "catenary.type.v1.Value":
            return _fill_value
        case "google.protobuf.Timestamp":
            return lambda message, value: message.FromMicroseconds(_microseconds(value))
        case _:
            return filler(descriptor)


def _fill_value(message: Any, value: Any) -> None:
    match value:
        case str():
            message.string_value = value
        case bool():
            message.bool_value = value
        case int():
            message.integer_value = value
        case float():
            message.double_value = value
        case _:
            message.json_value.text = orjson.dumps(value).decode()


def _microseconds(text: str) -> int:
    return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND
