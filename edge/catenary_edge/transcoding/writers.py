"""Protobuf messages from JSON: one writer for each type, compiled once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from catenary_edge.errors.fault import Fault
from catenary_edge.errors.names import Known
from catenary_edge.transcoding.fields import (
    JSON,
    TIMESTAMP,
    VALUE,
    field_options,
    is_bare_list,
    is_confidential,
    is_map,
    map_value,
)
from catenary_edge.transcoding.template import BindingError
from catenary_edge.transcoding.values import read_json, write_any, write_timestamp, write_value
from catenary_wire.json_form import check_type
from catenary_wire.sentences import Fields

K = TypeVar("K", str, int)
P = ParamSpec("P")
T = TypeVar("T")
Assign = Callable[[Message, Any], None]
"""Writes a JSON value other than null into a field of a message. Raises Fault."""
Write = Callable[[Message, Any], None]
"""Writes a JSON value into a message. Raises Fault."""


class Writers:
    """The writers of message types, each compiled once for a whole route table."""

    def __init__(self) -> None:
        self._writers: dict[str, Write] = {}

    def message(self, descriptor: Descriptor) -> Write:
        """Return the writer of a whole message from a JSON object.

        Raises:
            BindingError: Requests can't have this type.
            JsonFormError: `check_type` refuses the type.
        """
        name = descriptor.full_name
        if name == TIMESTAMP:
            return write_timestamp
        if name == JSON:
            return write_any
        if name == VALUE:
            return write_value
        if is_bare_list(descriptor):
            raise BindingError(f"the type {name} is a bare list, which requests don't have")
        if descriptor.file.package.startswith("google."):
            raise BindingError(f"the type {name} has no JSON form here")
        if name not in self._writers:
            check_type(descriptor)
            assigners: dict[str, Assign] = {}
            self._writers[name] = _object(assigners)  # registered before its fields, which may hold the same type
            assigners.update(self.assigners(field for field in descriptor.fields if not field_options(field).grpc_only))
        return self._writers[name]

    def assigners(self, fields: Iterable[FieldDescriptor]) -> dict[str, Assign]:
        """Return the assigners of the fields by name; they accept only one member of a oneof."""
        chosen = tuple(fields)
        return {field.name: self._guarded(field, chosen) for field in chosen}

    def _guarded(self, field: FieldDescriptor, fields: Collection[FieldDescriptor]) -> Assign:
        assign = self._assign(field)
        oneof = field.containing_oneof
        if oneof is not None and len(oneof.fields) > 1:
            assign = _alone(assign, oneof.name, Fields(*(one.name for one in oneof.fields if one in fields)))
        return hiding(field, assign)

    def _assign(self, field: FieldDescriptor) -> Assign:
        name = field.name
        if is_map(field):
            return self._map(field)
        if field.message_type is not None:
            write = self.message(field.message_type)
            if field.is_repeated:

                def items(message: Message, value: Any) -> None:
                    added = getattr(message, name).add
                    found: Fault | None = None
                    for index, item in enumerate(_list(value)):
                        try:
                            write(added(), item)
                        except Fault as fault:
                            found = fault.inside(index).after(found)
                            if found.is_full:
                                break
                    if found is not None:
                        raise found

                return items

            def nested(message: Message, value: Any) -> None:
                inner = getattr(message, name)
                inner.SetInParent()
                write(inner, value)

            return nested
        read = read_json(field)
        if field.is_repeated:

            def scalars(message: Message, value: Any) -> None:
                append = getattr(message, name).append
                each(enumerate(_list(value)), lambda _, item: append(read(item)))

            return scalars

        def scalar(message: Message, value: Any) -> None:
            setattr(message, name, read(value))

        return scalar

    def _map(self, field: FieldDescriptor) -> Assign:
        name = field.name
        item = map_value(field)
        if item.message_type is not None:
            write = self.message(item.message_type)

            def put(container: Any, key: str, value: Any) -> None:
                write(container[key], value)
        else:
            read = read_json(item)

            def put(container: Any, key: str, value: Any) -> None:
                container[key] = read(value)

        def assign(message: Message, value: Any) -> None:
            if type(value) is not dict:
                raise Fault("must be an object", "type", value)
            container = getattr(message, name)
            each(value.items(), lambda key, entry: put(container, key, entry))

        return assign


def assign_all(assigners: Mapping[str, Assign], message: Message, document: Mapping[str, Any]) -> None:
    """Write the values of a JSON object into a message; null means absent.

    Raises:
        Fault: A key is unknown or its value invalid.
    """
    found: Fault | None = None
    for key, item in document.items():
        try:
            assign = assigners.get(key)
            if assign is None:
                raise unknown(assigners)
            if item is not None:
                assign(message, item)
        except Fault as fault:
            found = fault.inside(key).after(found)
            if found.is_full:
                break
    if found is not None:
        raise found


def each(values: Iterable[tuple[K, Any]], write: Callable[[K, Any], None]) -> None:
    """Write each value by its key or index; loops over every key of a body do this in place, for speed.

    Raises:
        Fault: Values are invalid; it has all their faults up to `fault.MOST`.
    """
    found: Fault | None = None
    for key, value in values:
        try:
            write(key, value)
        except Fault as fault:
            found = fault.inside(key).after(found)
            if found.is_full:
                break
    if found is not None:
        raise found


def _object(assigners: Mapping[str, Assign]) -> Write:
    def write(message: Message, value: Any) -> None:
        if type(value) is not dict:
            raise Fault("must be an object", "type", value)
        assign_all(assigners, message, value)

    return write


def unknown(known: Collection[str]) -> Fault:
    """Build the fault of an unknown name."""
    if not known:
        return Fault("is not known here", "unknown", None)
    return Fault("is not known here; known are: {known}", "unknown", None, known=Known(*known))


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Fault("must be an array", "type", value)
    return value


def _alone(assign: Assign, oneof: str, members: Fields) -> Assign:
    def alone(message: Message, value: Any) -> None:
        if message.WhichOneof(oneof) is not None:
            raise Fault("can't stand beside another of {members}", "oneof", value, members=members)
        assign(message, value)

    return alone


def hiding(field: FieldDescriptor, take: Callable[P, T]) -> Callable[P, T]:
    """Return a function whose faults have no value, if the field is confidential; else the function as it is."""
    if not is_confidential(field):
        return take

    def hidden(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return take(*arguments, **named)
        except Fault as fault:
            raise fault.without_value() from None

    return hidden
