"""Validation of requests by their field rules: protovalidate over the `buf.validate` options of the protos."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

import protovalidate
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from buf.validate import validate_pb2
from catenary.options.v1 import options_pb2
from catenary_core.call import rule_texts
from catenary_core.call.errors import MOST_VIOLATIONS, DomainError, Violation, invalid, shortened


def lower_ids(request: Message) -> None:
    """Lower-case the ids of a request in place: upper case is accepted, but one spelling is compared and stored."""
    for name, lower in _lowerers(request.DESCRIPTOR):
        lower(request, name)


def check(request: Message) -> None:
    """Check a request against its field rules.

    Raises VALIDATION_ERROR: a rule is broken; the violations name all fields that break one, up to `MOST_VIOLATIONS`.
    """
    _refuse_null_characters(request)
    found = protovalidate.collect_violations(request)
    if not found:
        return
    violations = list(islice(_violations(request.DESCRIPTOR, found), MOST_VIOLATIONS))
    first = violations[0]
    details: dict[str, Any] = {"parameter": first.field, "value": None, "constraint": first.constraint}
    fields = _fields(request.DESCRIPTOR, _elements(found[0]))
    if not any(_is_private(field) for field in fields):
        details["value"] = shortened(_plain(found[0].field_value))
    raise DomainError("VALIDATION_ERROR", first.sentence, details=details, violations=violations)


_Lower = Callable[[Any, str], None]


@cache
def _lowerers(descriptor: Descriptor) -> list[tuple[str, _Lower]]:
    """Return the fields with ids (rule `string.uuid`), directly or nested, with their lower-casing functions."""
    return [(field.name, lower) for field in descriptor.fields if (lower := _lowerer(field)) is not None]


def _lowerer(field: FieldDescriptor) -> _Lower | None:
    message = field.message_type
    if message is not None:
        if message.GetOptions().map_entry or not _lowerers(message):
            return None
        return _lower_in_each if field.is_repeated else _lower_inside
    rules = field.GetOptions().Extensions[validate_pb2.field]
    if field.is_repeated:
        return _lower_each if rules.repeated.items.string.uuid else None
    return _lower if rules.string.uuid else None


def _lower(message: Any, name: str) -> None:
    value: str = getattr(message, name)
    if value != value.lower():
        setattr(message, name, value.lower())


def _lower_each(message: Any, name: str) -> None:
    values = getattr(message, name)
    for index, value in enumerate(values):
        values[index] = value.lower()


def _lower_inside(message: Any, name: str) -> None:
    if message.HasField(name):
        lower_ids(getattr(message, name))


def _lower_in_each(message: Any, name: str) -> None:
    for item in getattr(message, name):
        lower_ids(item)


def _refuse_null_characters(request: Message) -> None:
    """Refuse U+0000, which PostgreSQL can't store.

    The serialized request is searched first; it hardly ever has a zero byte.
    """
    if b"\0" not in request.SerializeToString():
        return
    found = _null_character(request)
    if found is not None:
        path, value = found
        raise invalid(path, "{field}: a text must not hold the character U+0000.", value=value, constraint="characters")


def _null_character(message: Message) -> tuple[str, str | None] | None:
    """Return the path of the first text with U+0000, and the text unless the field is private."""
    for field, value in message.ListFields():
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            entries = [(f"{field.name}.{key}", item) for key, item in value.items()]
        elif field.is_repeated:
            entries = [(f"{field.name}[{index}]", item) for index, item in enumerate(value)]
        else:
            entries = [(field.name, value)]
        for path, item in entries:
            if "\0" in path or (isinstance(item, str) and "\0" in item):
                return path.replace("\0", ""), None if _is_private(field) or not isinstance(item, str) else item
            below = _null_character(item) if isinstance(item, Message) else None
            if below is not None:
                return f"{path}.{below[0]}", None if _is_private(field) else below[1]
    return None


def _elements(item: Any) -> list[Any]:
    return item.proto.field.elements if item.proto.field is not None else []


def _violations(message: Any, found: Iterable[Any]) -> Iterator[Violation]:
    """Yield the violations; of an empty field the first alone, since the others say the same."""
    told: set[str] = set()
    for item in found:
        violation = _violation(message, item)
        if item.field_value or violation.field not in told:
            yield violation
        told.add(violation.field)


def _violation(message: Any, item: Any) -> Violation:
    path = ""
    for element in _elements(item):
        path += ("." if path else "") + element.field_name
        subscript = element.subscript
        if subscript is not None:
            path += f"[{subscript.value}]" if subscript.field == "index" else f".{subscript.value}"
    fields = _fields(message, _elements(item))
    sentence, constraint = rule_texts.sentence(
        path,
        item.proto.rule_id,
        item.rule_value,
        fields[-1] if fields else None,
        item.proto.message,
        is_empty=item.field_value == "",
    )
    return Violation(path, sentence, constraint)


def _fields(message: Any, elements: list[Any]) -> list[FieldDescriptor]:
    """Return the fields along a path, up to the first other element: a path may end with a oneof."""
    found: list[FieldDescriptor] = []
    for element in elements:
        field = None if message is None else message.fields_by_name.get(element.field_name)
        if field is None:
            return found
        found.append(field)
        message = field.message_type
        if message is not None and message.GetOptions().map_entry:
            message = message.fields_by_name["value"].message_type
    return found


def _is_private(field: FieldDescriptor) -> bool:
    """Return whether the field is secret or personal data."""
    options: Any = field.GetOptions()
    return bool(options.debug_redact or options.Extensions[options_pb2.field].secret)


def _plain(value: Any) -> Any:
    """Return a value of a message for a refusal: a scalar or a list of scalars as it is, others by their kind."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Message):
        return "{…}"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_plain(item) for item in value]
    return "{…}" if isinstance(value, Mapping) else None
