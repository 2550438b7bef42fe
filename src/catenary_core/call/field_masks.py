"""Which fields a PATCH changes (google.protobuf.FieldMask; guide/conventions.md, "Names and statuses")."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_core.call.errors import invalid


def given(request: Message) -> set[str]:
    """The fields that the request changes: those that `update_mask` names, or without a mask those that are set.

    A field that the mask names and that isn't set is to be cleared. A path that is no changeable field of the request
    (ids, headers and nested paths aren't) is VALIDATION_ERROR.
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
            f"update_mask names a field that can't be changed; it takes {', '.join(sorted(changeable))}.",
            value=unknown[0],
            constraint="known",
        )
    return paths


def refuse_null(request: Message, changed: set[str], *names: str) -> None:
    """VALIDATION_ERROR for a field that is to be cleared and has no empty state."""
    for name in names:
        if name in changed and not request.HasField(name):
            raise invalid(name, f"{name} can't be null; leave it out to keep it.", constraint="not_null")


def optional_values(request: Any, *names: str) -> dict[str, Any]:
    """The values of optional fields, None for those that aren't set."""
    return {name: getattr(request, name) if request.HasField(name) else None for name in names}


def new_values(request: Any, *, required: Collection[str] = ()) -> dict[str, Any]:
    """The values of the fields that a PATCH changes, None for one to be cleared. VALIDATION_ERROR when that is a required one."""
    changed = given(request)
    refuse_null(request, changed, *required)
    return optional_values(request, *sorted(changed))


@cache
def _changeable(message: Descriptor) -> frozenset[str]:
    """What a body may hold: fields whose absence can be told, and lists; not path variables, headers and the mask itself."""
    names = set()
    for field in message.fields:
        options = field.GetOptions().Extensions[options_pb2.field]
        if (field.has_presence or field.is_repeated) and not options.grpc_only and not options.header:
            names.add(field.name)
    return frozenset(names)
