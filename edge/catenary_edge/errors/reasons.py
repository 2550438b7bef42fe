"""The catalogue of reasons, read from `catenary/errors/v1/reason.proto`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from catenary.errors.v1 import reason_pb2

_PREFIX = "REASON_"


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason to refuse a call."""

    code: str
    """The code in responses."""
    grpc: int
    """gRPC status."""
    http: int
    """HTTP status."""
    title: str
    """Short name of the reason."""
    help: str
    """Advice for the caller."""


def _catalogue() -> dict[str, Reason]:
    found = {}
    for value in reason_pb2.Reason.DESCRIPTOR.values:
        if value.number:
            code = value.name.removeprefix(_PREFIX)
            options = value.GetOptions().Extensions[reason_pb2.reason]
            found[code] = Reason(code, options.grpc, options.http, options.title, options.help)
    return found


CATALOGUE: Mapping[str, Reason] = _catalogue()
"""Every reason by its code, in the order of the proto."""


def comment_name(reason: Reason) -> str:
    """Return the full name of the reason's enum value, the key of its comment."""
    return f"{reason_pb2.Reason.DESCRIPTOR.full_name}.{_PREFIX}{reason.code}"
