"""Validation of requests by the options of their fields: the `buf.validate` rules, characters and field masks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

import protovalidate
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from buf.validate import validate_pb2
from catenary_core.call import characters, field_masks, rule_texts
from catenary_core.call.errors import MOST_VIOLATIONS, DomainError, Violation, shortened


def lower_ids(request: Message) -> None:
    """Lower-case the ids of a request in place: upper case is accepted, but one spelling is compared and stored."""
    for name, lower in _lowerers(request.DESCRIPTOR):
        lower(request, name)


def check(request: Message) -> None:
    """Check a request against the rules of its fields: characters, ranges and forms, and the nulls of a PATCH.

    Raises VALIDATION_ERROR: a rule is broken; the violations name all fields that break one, up to `MOST_VIOLATIONS`.
    """
    found: list[DomainError] = []
    told: set[str] = set()
    for faults in (characters.faults, _rule_faults, field_masks.faults):
        new = islice(faults(request), MOST_VIOLATIONS)
        found += [fault for fault in new if not told.issuperset(violation.field for violation in fault.violations)]
        told.update(violation.field for fault in found for violation in fault.violations)
    if not found:
        return
    violations = [violation for fault in found for violation in fault.violations]
    raise DomainError(
        "VALIDATION_ERROR", found[0].sentence, details=found[0].details, violations=violations[:MOST_VIOLATIONS]
    )


def _rule_faults(request: Message) -> Iterator[DomainError]:
    """Yield a VALIDATION_ERROR for each broken rule; for an empty field the first alone, since the others say the same."""
    empty: set[str] = set()
    for item in protovalidate.collect_violations(request):
        violation = _violation(request.DESCRIPTOR, item)
        if violation.field in empty:
            continue
        if not item.field_value:
            empty.add(violation.field)
        details: dict[str, Any] = {"parameter": violation.field, "value": None, "constraint": violation.constraint}
        if not any(characters.is_private(field) for field in _fields(request.DESCRIPTOR, _elements(item))):
            details["value"] = shortened(_plain(item.field_value))
        yield DomainError("VALIDATION_ERROR", violation.sentence, details=details, violations=[violation])


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


def _elements(item: Any) -> list[Any]:
    return item.proto.field.elements if item.proto.field is not None else []


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


def _plain(value: Any) -> Any:
    """Return a value of a message for a refusal: a scalar or a list of scalars as it is, others by their kind."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Message):
        return "{…}"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_plain(item) for item in value]
    return "{…}" if isinstance(value, Mapping) else None
