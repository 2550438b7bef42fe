"""Field masks: the fields that a PATCH changes.

See google.protobuf.FieldMask and guide/conventions.md, "Names and statuses".
"""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_core.call.errors import invalid
from catenary_core.call.item_faults import ItemFaults
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


def check(request: Message) -> None:
    """Check the field mask of a PATCH; other requests pass.

    The dispatcher checks it with the other rules of the body, so that every method refuses a body before it looks for rows.

    Raises VALIDATION_ERROR: a path in the mask is no changeable field, or a changed field can't be null and is not set.
    """
    if "update_mask" not in request.DESCRIPTOR.fields_by_name:
        return
    faults = ItemFaults()
    for index, name in enumerate(sorted(changed_fields(request) & _not_null(request.DESCRIPTOR))):
        with faults.of(index):
            if not request.HasField(name):
                raise invalid(
                    name, "{field} can't be null; leave it out to keep it.", value=None, constraint="not_null"
                )
    faults.refuse()


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
