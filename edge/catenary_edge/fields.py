"""Values of fields: from JSON and from text to protobuf, compiled once per message type.

Strict as contract, section 2: no conversion between JSON types, enums by their lower-case short names, timestamps as
RFC 3339. Lengths, ranges and formats are the core's (protovalidate); here only kind and range of the protobuf type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from buf.validate import validate_pb2
from catenary.options.v1 import options_pb2
from catenary_edge.fault import Fault
from catenary_edge.template import BindingError

JSON = "catenary.type.v1.Json"
VALUE = "catenary.type.v1.Value"
TIMESTAMP = "google.protobuf.Timestamp"
FIELD_MASK = "google.protobuf.FieldMask"

Read = Callable[[Any], Any]
"""From a JSON value, or from a text, to what protobuf takes for a scalar field. Raises Fault."""
Assign = Callable[[Message, Any], None]
"""Puts a JSON value that isn't null into a field of a message. Raises Fault."""
Write = Callable[[Message, Any], None]
"""Puts a JSON value into a message. Raises Fault."""

INTEGERS: Mapping[int, tuple[int, int]] = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SFIXED32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_FIXED32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_SINT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_SFIXED64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.TYPE_FIXED64: (0, 2**64 - 1),
}
"""Least and largest value of each integer type."""
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_RFC3339 = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - arithmetic in UTC without the cost of zones
_FIRST_SECOND, _LAST_SECOND = -62135596800, 253402300799


def field_options(field: FieldDescriptor) -> options_pb2.FieldOptions:
    """Our options of a field."""
    extensions: Any = field.GetOptions().Extensions
    options: options_pb2.FieldOptions = extensions[options_pb2.field]
    return options


def is_confidential(field: FieldDescriptor) -> bool:
    """Whether the field's value may be in no error: a secret, or data of a person."""
    return field_options(field).secret or field.GetOptions().debug_redact


def is_id(field: FieldDescriptor) -> bool:
    """Whether the field, or each of its items, is a UUID by its rule."""
    extensions: Any = field.GetOptions().Extensions
    rules = extensions[validate_pb2.field]
    return bool(rules.repeated.items.string.uuid if field.is_repeated else rules.string.uuid)


def is_map(field: FieldDescriptor) -> bool:
    """Whether the field is a map."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def is_bare_list(message: Descriptor) -> bool:
    """Whether the message stands in JSON as the array of its one field (option `bare_list`)."""
    extensions: Any = message.GetOptions().Extensions
    return bool(extensions[options_pb2.message].bare_list)


def map_value(field: FieldDescriptor) -> FieldDescriptor:
    """The field that stands for the values of a map."""
    assert field.message_type is not None
    return field.message_type.fields_by_name["value"]


def enum_names(field: FieldDescriptor) -> dict[str, int]:
    """The values of a field's enum by short name: lower case, without the prefix; UNSPECIFIED has none."""
    enum = field.enum_type
    assert enum is not None
    zero = enum.values_by_number[0].name
    if not zero.endswith("_UNSPECIFIED"):
        raise BindingError(f"the enum {enum.full_name} has no value …_UNSPECIFIED = 0")
    prefix = zero.removesuffix("UNSPECIFIED")
    return {value.name.removeprefix(prefix).lower(): value.number for value in enum.values if value.number}


def read_json(field: FieldDescriptor) -> Read:
    """The reader of one JSON value for a scalar or enum field."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return _json_id if is_id(field) else _json_string
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _json_bool
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return _json_double
    if field.type == FieldDescriptor.TYPE_ENUM:
        return _enum(field)
    if field.type in INTEGERS:
        low, high = INTEGERS[field.type]

        def integer(value: Any) -> int:
            if type(value) is not int:
                raise Fault("must be an integer", "type", value)
            if not low <= value <= high:
                raise Fault(f"must be from {low} to {high}", "range", value)
            return value

        return integer
    raise BindingError(f"the field {field.full_name} has a type that JSON requests don't have")


def read_text(field: FieldDescriptor) -> Read:
    """The reader of one text, of a path, a query, a form or a header, for a scalar, enum or timestamp field."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return _text_id if is_id(field) else _text_string
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _text_bool
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return _text_double
    if field.type == FieldDescriptor.TYPE_ENUM:
        return _enum(field)
    if field.type in INTEGERS:
        from_json = read_json(field)

        def integer(text: str) -> int:
            if not _INTEGER.fullmatch(text):
                raise Fault("must be an integer", "type", text)
            return int(from_json(int(text)))

        return integer
    raise BindingError(f"the field {field.full_name} has a type that no path, query or header can hold")


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
        raise Fault("has the character U+0000, which can't be stored", "characters")
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


def _enum(field: FieldDescriptor) -> Read:
    names = enum_names(field)
    choices = ", ".join(names)

    def read(value: Any) -> int:
        if type(value) is not str:
            raise Fault("must be a string", "type", value)
        number = names.get(value)
        if number is None:
            raise Fault(f"must be one of {choices}", "in", value)
        return number

    return read


def write_timestamp(message: Message, value: Any) -> None:
    """Puts an RFC 3339 text into a google.protobuf.Timestamp; at most nanoseconds, any offset."""
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
    if not _FIRST_SECOND <= seconds <= _LAST_SECOND:
        raise Fault("must be in the years 1 to 9999 of UTC", "timestamp", value)
    message.seconds = seconds  # type: ignore[attr-defined]
    message.nanos = int((found[3] or "0").ljust(9, "0"))  # type: ignore[attr-defined]
    message.SetInParent()


def write_any(message: Message, value: Any) -> None:
    """Puts any JSON value into a catenary.type.v1.Json, as canonical text."""
    message.text = orjson.dumps(value).decode()  # type: ignore[attr-defined]


def write_value(message: Message, value: Any) -> None:
    """Puts a JSON value that isn't null into a catenary.type.v1.Value, by its JSON type."""
    target: Any = message
    if type(value) is str:
        target.string_value = value
    elif type(value) is bool:
        target.bool_value = value
    elif type(value) is int:
        if not -(2**63) <= value < 2**63:
            raise Fault("must be from -2^63 to 2^63 - 1", "range", value)
        target.integer_value = value
    elif type(value) is float:
        target.double_value = value
    else:
        target.json_value.text = orjson.dumps(value).decode()


class Writers:
    """The compiled writers of message types, each compiled once; one of it serves a route table."""

    def __init__(self) -> None:
        self._writers: dict[str, Write] = {}

    def message(self, descriptor: Descriptor) -> Write:
        """The writer of a whole message from a JSON object."""
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
            assigners: dict[str, Assign] = {}
            self._writers[name] = _object(assigners)  # before its fields, which may hold the type again
            assigners.update(self.assigners(field for field in descriptor.fields if not field_options(field).grpc_only))
        return self._writers[name]

    def assigners(self, fields: Iterable[FieldDescriptor]) -> dict[str, Assign]:
        """The assigners of fields by name; of the members of a oneof only one may be given."""
        chosen = tuple(fields)
        return {field.name: self._guarded(field, chosen) for field in chosen}

    def _guarded(self, field: FieldDescriptor, fields: Collection[FieldDescriptor]) -> Assign:
        assign = self._assign(field)
        oneof = field.containing_oneof
        if oneof is not None and len(oneof.fields) > 1:
            assign = _alone(assign, oneof.name, ", ".join(one.name for one in oneof.fields if one in fields))
        return _hiding(assign) if is_confidential(field) else assign

    def _assign(self, field: FieldDescriptor) -> Assign:
        name = field.name
        if is_map(field):
            return self._map(field)
        if field.message_type is not None:
            write = self.message(field.message_type)
            if field.is_repeated:

                def items(message: Message, value: Any) -> None:
                    added = getattr(message, name).add
                    for index, item in enumerate(_list(value)):
                        try:
                            write(added(), item)
                        except Fault as fault:
                            raise fault.inside(index) from None

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
                for index, item in enumerate(_list(value)):
                    try:
                        append(read(item))
                    except Fault as fault:
                        raise fault.inside(index) from None

            return scalars

        def scalar(message: Message, value: Any) -> None:
            setattr(message, name, read(value))

        return scalar

    def _map(self, field: FieldDescriptor) -> Assign:
        name = field.name
        item = map_value(field)
        entry = field.message_type
        if entry is None or entry.fields_by_name["key"].type != FieldDescriptor.TYPE_STRING:
            raise BindingError(f"the map {field.full_name} has keys that are no strings")
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
            for key, entry in value.items():
                try:
                    put(container, key, entry)
                except Fault as fault:
                    raise fault.inside(key) from None

        return assign


def _object(assigners: Mapping[str, Assign]) -> Write:
    def write(message: Message, value: Any) -> None:
        if type(value) is not dict:
            raise Fault("must be an object", "type", value)
        for key, item in value.items():
            assign = assigners.get(key)
            if assign is None:
                raise unknown(assigners).inside(key)
            if item is None:
                continue
            try:
                assign(message, item)
            except Fault as fault:
                raise fault.inside(key) from None

    return write


def unknown(known: Collection[str]) -> Fault:
    """The fault of a name that isn't known."""
    names = ", ".join(sorted(known))
    return Fault(f"is not known here; known are: {names}" if names else "is not known here", "unknown")


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Fault("must be an array", "type", value)
    return value


def _alone(assign: Assign, oneof: str, members: str) -> Assign:
    def alone(message: Message, value: Any) -> None:
        if message.WhichOneof(oneof) is not None:
            raise Fault(f"can't stand beside another of {members}", "oneof")
        assign(message, value)

    return alone


def _hiding(assign: Assign) -> Assign:
    def hiding(message: Message, value: Any) -> None:
        try:
            assign(message, value)
        except Fault as fault:
            raise fault.hidden() from None

    return hiding
