"""Facts about fields and about types with a JSON form of their own, read from the descriptors."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from buf.validate import validate_pb2
from catenary.options.v1 import options_pb2

JSON = "catenary.type.v1.Json"
VALUE = "catenary.type.v1.Value"
TIMESTAMP = "google.protobuf.Timestamp"
FIELD_MASK = "google.protobuf.FieldMask"


def field_options(field: FieldDescriptor) -> options_pb2.FieldOptions:
    """Return our options of a field."""
    extensions: Any = field.GetOptions().Extensions
    options: options_pb2.FieldOptions = extensions[options_pb2.field]
    return options


def is_confidential(field: FieldDescriptor) -> bool:
    """Tell whether errors must not show the field's value: a secret, personal data, or what holds such."""
    options = field_options(field)
    return options.secret or options.value_hidden or field.GetOptions().debug_redact


def is_id(field: FieldDescriptor) -> bool:
    """Tell whether the field's rule makes the field, or each of its items, a UUID."""
    extensions: Any = field.GetOptions().Extensions
    rules = extensions[validate_pb2.field]
    return bool(rules.repeated.items.string.uuid if field.is_repeated else rules.string.uuid)


def is_map(field: FieldDescriptor) -> bool:
    """Tell whether the field is a map."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def is_bare_list(message: Descriptor) -> bool:
    """Tell whether the message's JSON is the array of its one field (option `bare_list`)."""
    extensions: Any = message.GetOptions().Extensions
    return bool(extensions[options_pb2.message].bare_list)


def map_value(field: FieldDescriptor) -> FieldDescriptor:
    """Return the field descriptor of a map's values."""
    assert field.message_type is not None
    return field.message_type.fields_by_name["value"]
