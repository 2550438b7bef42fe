"""JSON Schemas (draft 2020-12) of messages, in their forms in responses and in requests.

A response has every field. A field may be null when it is an unset `optional` scalar, or when the comment of a message,
enum or timestamp field mentions null. A request may omit fields that aren't required; null then means absent. In a
PATCH null clears a field, and is allowed without the option `not_null` only. Unknown keys are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from catenary_edge.transcoding import schema as rules
from catenary_edge.transcoding.decoder import UPDATE_MASK
from catenary_edge.transcoding.fields import (
    JSON,
    TIMESTAMP,
    VALUE,
    field_options,
    is_bare_list,
    is_map,
    map_value,
)
from catenary_edge.transcoding.schema import Schema
from catenary_edge.transcoding.template import BindingError
from catenary_edge.transcoding.values import INTEGERS
from catenary_wire.json_form import enum_numbers

_SECRET = "A secret: shown or sent here alone, never repeated in an error or a log."  # noqa: S105 - a sentence
_PERSONAL = "Personal data."
_VALUE_TYPES = ("string", "number", "boolean", "object", "array")
_NULL = re.compile(r"\bnull\b", re.IGNORECASE)
PREFIX = "#/components/schemas/"
"""Start of a reference to a schema of a document."""
_WIDE = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)


class Schemas:
    """The schemas of one document. `components` grows with each message used."""

    def __init__(self, comments: Mapping[str, str]) -> None:
        self.components: dict[str, Schema] = {}
        self._comments = comments
        self._owners: dict[str, str] = {}

    def add(self, name: str, schema: Schema) -> Schema:
        """Add a schema without a message and return its reference."""
        self._register(name, name, lambda: schema)
        return {"$ref": PREFIX + name}

    def answer(self, message: Descriptor, without: str = "") -> Schema:
        """Return a reference to the response form of a message; `without` names a field of the envelope."""
        if is_bare_list(message):
            return self._value(message.fields[0], self.answer)
        self._register(message.name, message.full_name, lambda: self._answer(message, without))
        return {"$ref": PREFIX + message.name}

    def answer_field(self, field: FieldDescriptor) -> Schema:
        """Return the schema of one field in a response; a field with the option `omit_unset` is never null."""
        schema = self._value(field, self.answer) | rules.examples(field)
        return self._described(field, schema, null=not field_options(field).omit_unset and self._may_be_null(field))

    def body(self, message: Descriptor, fields: Iterable[FieldDescriptor]) -> Schema:
        """Return a reference to the body with these fields of a request."""
        found = list(fields)
        self._register(message.name, message.full_name, lambda: self._request(message, found))
        return {"$ref": PREFIX + message.name}

    def request_field(self, field: FieldDescriptor, *, null: bool) -> Schema:
        """Return the schema of one request field with its rules; `null`: whether null may stand for its absence."""
        schema = self._value(field, self._input)
        for keywords in (rules.keywords(field), rules.characters(field)):
            schema = _with_rules(schema, keywords)
        return self._described(field, schema, null=null)

    def item(self, field: FieldDescriptor) -> Schema:
        """Return a reference to the request form of one item of a list of messages."""
        assert field.message_type is not None
        return self._input(field.message_type)

    def _register(self, name: str, owner: str, make: Callable[[], Schema]) -> None:
        if name in self._owners:
            if self._owners[name] != owner:
                raise BindingError(f"{owner} and {self._owners[name]} have one name in a document; rename one of them")
            return
        self._owners[name] = owner
        self.components[name] = {}  # reserves its place: a message may hold its own type
        self.components[name] = make()

    def _answer(self, message: Descriptor, without: str) -> Schema:
        fields = [field for field in message.fields if field.name != without]
        schema: Schema = {
            "type": "object",
            "properties": {field.name: self.answer_field(field) for field in fields},
            "required": [field.name for field in fields if not field_options(field).omit_unset],
        }
        return self._commented(message.full_name, schema)

    def _input(self, message: Descriptor) -> Schema:
        name = message.name + "Input"
        self._register(name, message.full_name, lambda: self._request(message, message.fields))
        return {"$ref": PREFIX + name}

    def _request(self, message: Descriptor, fields: Iterable[FieldDescriptor]) -> Schema:
        taken = [field for field in fields if not field_options(field).grpc_only]
        required = [field.name for field in taken if rules.is_required(field)]
        # In a PATCH null clears the field, which the option `not_null` forbids; elsewhere null means absent.
        patches = UPDATE_MASK in message.fields_by_name
        nullable = {
            field.name for field in taken if field.name not in required and (not patches or _is_clearable(field))
        }
        schema: Schema = {
            "type": "object",
            "properties": {field.name: self.request_field(field, null=field.name in nullable) for field in taken},
            "additionalProperties": False,
        }
        if required:
            schema["required"] = required
        return self._commented(message.full_name, schema)

    def _value(self, field: FieldDescriptor, nested: Callable[[Descriptor], Schema]) -> Schema:
        if is_map(field):
            return {"type": "object", "additionalProperties": self._single(map_value(field), nested)}
        single = self._single(field, nested)
        return {"type": "array", "items": single} if field.is_repeated else single

    def _single(self, field: FieldDescriptor, nested: Callable[[Descriptor], Schema]) -> Schema:
        message = field.message_type
        if message is not None:
            if message.full_name == TIMESTAMP:
                return {"type": "string", "format": "date-time"}
            if message.full_name == VALUE:
                text = rules.keywords(message.fields_by_name["string_value"])
                return {"type": list(_VALUE_TYPES), "items": {}, **text}
            return {} if message.full_name == JSON else nested(message)
        if field.type == FieldDescriptor.TYPE_ENUM:
            return {"type": "string", "enum": rules.allowed_names(field)}
        if field.type == FieldDescriptor.TYPE_STRING:
            return {"type": "string"}
        if field.type == FieldDescriptor.TYPE_BOOL:
            return {"type": "boolean"}
        if field.type == FieldDescriptor.TYPE_DOUBLE:
            return {"type": "number", "format": "double"}
        if field.type in INTEGERS:
            low, high = INTEGERS[field.type]
            kind = "int64" if field.cpp_type in _WIDE else "int32"
            return {"type": "integer", "format": kind, "minimum": low, "maximum": high}
        raise BindingError(f"the field {field.full_name} has a type that JSON bodies don't have")

    def _may_be_null(self, field: FieldDescriptor) -> bool:
        if field.is_repeated or is_map(field):
            return False
        if field.message_type is None and field.type != FieldDescriptor.TYPE_ENUM:
            return field.has_presence
        return _NULL.search(self._comments.get(field.full_name, "")) is not None

    def _described(self, field: FieldDescriptor, schema: Schema, *, null: bool) -> Schema:
        found = _nullable(schema) if null else dict(schema)
        text = [self._comments.get(field.full_name, "")]
        if field.type == FieldDescriptor.TYPE_ENUM:
            text += self._meanings(field)
        secret = field_options(field).secret
        if secret:
            text[0] += f" {_SECRET}"
        elif field.GetOptions().debug_redact and _PERSONAL not in text[0]:
            text[0] += f" {_PERSONAL}"
        oneof = field.containing_oneof
        if oneof is not None and len(oneof.fields) > 1:
            text[0] += f" One of {', '.join(f'`{one.name}`' for one in oneof.fields)} at most."
        if described := "\n".join(text).strip():
            found["description"] = described
        return found

    def _meanings(self, field: FieldDescriptor) -> list[str]:
        enum = field.enum_type
        assert enum is not None
        numbers = enum_numbers(enum)
        return [
            f"- `{name}`: {self._comments.get(f'{enum.full_name}.{enum.values_by_number[numbers[name]].name}', '')}"
            for name in rules.allowed_names(field)
        ]

    def _commented(self, full_name: str, schema: Schema) -> Schema:
        comment = self._comments.get(full_name)
        return {"description": comment, **schema} if comment else schema


def _with_rules(schema: Schema, keywords: Schema) -> Schema:
    """Merge the rules' keywords into a schema, also into those of items and of a map's values."""
    found = {**schema, **keywords}
    for inner in ("items", "additionalProperties"):
        if inner in schema and inner in keywords:
            found[inner] = {**schema[inner], **keywords[inner]}
    return found


def _is_clearable(field: FieldDescriptor) -> bool:
    return bool(field.has_presence and not field_options(field).not_null)


def _nullable(schema: Schema) -> Schema:
    if "$ref" in schema:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return {"anyOf": [{"$ref": schema["$ref"]}, {"type": "null"}], **beside}
    if "type" not in schema:
        return dict(schema)  # any value, including null
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    found: dict[str, Any] = {**schema, "type": [*types, "null"]}
    if "enum" in found:
        found["enum"] = [*found["enum"], None]
    return found
