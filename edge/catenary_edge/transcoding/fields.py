"""What the descriptors say of fields and of the types that stand in JSON in a form of their own."""

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
