"""The catalogue of reasons, as `catenary/errors/v1/reason.proto` has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from catenary.errors.v1 import reason_pb2

_PREFIX = "REASON_"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a call is refused: `code` as answers have it, `grpc` and `http` status, title, and what the caller can do."""

    code: str
    grpc: int
    http: int
    title: str
    help: str


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
    """The full name under which the reason's comment stands."""
    return f"{reason_pb2.Reason.DESCRIPTOR.full_name}.{_PREFIX}{reason.code}"
