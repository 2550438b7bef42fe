"""The field rules of requests: protovalidate over the `buf.validate` options of the protos."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import protovalidate
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from buf.validate import validate_pb2
from catenary.options.v1 import options_pb2
from catenary_core.errors import DomainError, Violation, invalid, shortened


def clean(request: Message) -> None:
    """Lowers the ids of a request in place, and refuses text that PostgreSQL can't hold.

    Upper case is accepted in ids, and one spelling is compared and kept. VALIDATION_ERROR for U+0000, which JSON bodies refuse
    as well.
    """
    for name, clean_field in _cleaners(request.DESCRIPTOR):
        clean_field(request, name)


def check(request: Message) -> None:
    """VALIDATION_ERROR for a request that breaks a field rule; its violations name every field that does."""
    found = protovalidate.collect_violations(request)
    if not found:
        return
    violations = [_violation(item) for item in found]
    first = violations[0]
    details: dict[str, Any] = {"parameter": first.field, "value": None, "constraint": first.constraint}
    if not _is_private(request.DESCRIPTOR, _elements(found[0])):
        details["value"] = shortened(_plain(found[0].field_value))
    raise DomainError("VALIDATION_ERROR", first.message, details=details, violations=violations)


_Clean = Callable[[Any, str], None]


@cache
def _cleaners(descriptor: Descriptor) -> list[tuple[str, _Clean]]:
    """The fields of a message that hold text, with what cleans them."""
    return [(field.name, cleaner) for field in descriptor.fields if (cleaner := _cleaner(field)) is not None]


def _cleaner(field: FieldDescriptor) -> _Clean | None:
    if field.message_type is not None:
        if field.message_type.GetOptions().map_entry:
            return _clean_map
        return _clean_messages if field.is_repeated else _clean_message
    if field.type != FieldDescriptor.TYPE_STRING:
        return None
    rules = field.GetOptions().Extensions[validate_pb2.field]
    if field.is_repeated:
        return _lower_all if rules.repeated.items.string.uuid else _clean_texts
    return _lower if rules.string.uuid else _clean_text


def _lower(message: Any, name: str) -> None:
    value: str = getattr(message, name)
    if value and not value.islower():
        setattr(message, name, value.lower())


def _lower_all(message: Any, name: str) -> None:
    values = getattr(message, name)
    for index, value in enumerate(values):
        values[index] = value.lower()


def _clean_text(message: Any, name: str) -> None:
    if "\0" in getattr(message, name):
        raise invalid(name, f"{name} has the character U+0000, which can't be stored.", constraint="characters")


def _clean_texts(message: Any, name: str) -> None:
    if any("\0" in text for text in getattr(message, name)):
        raise invalid(name, f"{name} has the character U+0000, which can't be stored.", constraint="characters")


def _clean_message(message: Any, name: str) -> None:
    if message.HasField(name):
        clean(getattr(message, name))


def _clean_messages(message: Any, name: str) -> None:
    for item in getattr(message, name):
        clean(item)


def _clean_map(message: Any, name: str) -> None:
    if any("\0" in key for key in getattr(message, name) if isinstance(key, str)):
        raise invalid(name, f"{name} has a key with U+0000, which can't be stored.", constraint="characters")


def _elements(item: Any) -> list[Any]:
    return item.proto.field.elements if item.proto.field is not None else []


def _violation(item: Any) -> Violation:
    path = ""
    for element in _elements(item):
        path += ("." if path else "") + element.field_name
        subscript = element.subscript
        if subscript is not None:
            path += f"[{subscript.value}]" if subscript.field == "index" else f".{subscript.value}"
    rule = item.proto.rule_id
    return Violation(path, f"{path}: {item.proto.message}.", rule.rsplit(".", 1)[-1])


def _is_private(message: Any, elements: list[Any]) -> bool:
    """Whether a field on the path is a secret or a person's."""
    for element in elements:
        field = message.fields_by_name[element.field_name]
        options = field.GetOptions()
        if options.debug_redact or options.Extensions[options_pb2.field].secret:
            return True
        message = field.message_type
        if message is not None and message.GetOptions().map_entry:
            message = message.fields_by_name["value"].message_type
    return False


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else None
