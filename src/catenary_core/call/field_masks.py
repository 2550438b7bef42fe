"""Field masks: the fields that a PATCH changes.

See google.protobuf.FieldMask and guide/conventions.md, "Names and statuses".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_core.call.errors import DomainError, invalid
from catenary_wire.sentences import Fields


def changed_fields(request: Message) -> set[str]:
    """Return the fields that a PATCH changes: those in `update_mask`, or without a mask the fields that are set.

    A field that is in the mask but not set is to be cleared.

    Raises VALIDATION_ERROR: a path in the mask is no changeable field (ids, headers and nested paths are not).
    """
    changeable = _changeable(request.DESCRIPTOR)
    mask: Any = request
    paths = set(mask.update_mask.paths)
    if not paths:
        return {field.name for field, _ in request.ListFields() if field.name in changeable}
    unknown = sorted(paths - changeable)
    if unknown:
        raise invalid(
            "update_mask",
            "{field} names a field that can't be changed; it takes {known}.",
            value=unknown[0],
            constraint="known",
            known=Fields(*sorted(changeable)),
        )
    return paths


def faults(request: Message) -> Iterator[DomainError]:
    """Yield the faults of a PATCH's field mask: a path of no changeable field, or a null that the field can't have."""
    if "update_mask" not in request.DESCRIPTOR.fields_by_name:
        return
    try:
        changed = changed_fields(request)
    except DomainError as fault:
        yield fault
        return
    for name in sorted(changed & _not_null(request.DESCRIPTOR)):
        if not request.HasField(name):
            yield invalid(name, "{field} can't be null; leave it out to keep it.", value=None, constraint="not_null")


def optional_values(request: Any, *names: str) -> dict[str, Any]:
    """Return the values of optional fields, None for each unset field."""
    return {name: getattr(request, name) if request.HasField(name) else None for name in names}


def new_values(request: Any) -> dict[str, Any]:
    """Return the values of the fields that a PATCH changes, None for a field to be cleared."""
    return optional_values(request, *sorted(changed_fields(request)))


@cache
def _changeable(message: Descriptor) -> frozenset[str]:
    """Return the fields that a body may contain: lists, and fields with presence.

    Path variables, headers and the mask itself are not among them.
    """
    names = set()
    for field in message.fields:
        options = field.GetOptions().Extensions[options_pb2.field]
        if (field.has_presence or field.is_repeated) and not options.grpc_only and not options.header:
            names.add(field.name)
    return frozenset(names)


@cache
def _not_null(message: Descriptor) -> frozenset[str]:
    """Return the fields that an update can't clear."""
    options = ((field.name, field.GetOptions().Extensions[options_pb2.field]) for field in message.fields)
    return frozenset(name for name, option in options if option.not_null)
