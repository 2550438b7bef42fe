"""Scopes of credentials: `<surface>:read` and `<surface>:write`, where write includes read."""

from __future__ import annotations

from collections.abc import Iterable

from catenary.options.v1 import options_pb2
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_wire.json_form import enum_numbers

ALL = tuple(
    f"{surface}:{mode}" for surface in enum_numbers(options_pb2.Surface.DESCRIPTOR) for mode in ("read", "write")
)
"""Every scope, in the order of the surfaces."""


def missing(held: frozenset[str], wanted: Iterable[str]) -> list[str]:
    """Return the wanted scopes that the held ones don't include."""
    return [scope for scope in wanted if scope not in held and f"{scope.partition(':')[0]}:write" not in held]


def check_grantable(caller: Identity, wanted: Iterable[str]) -> None:
    """Refuse scopes that the caller's own credential lacks.

    Raises PERMISSION_DENIED: a wanted scope is missing.
    """
    lacking = missing(caller.scopes, wanted)
    if lacking:
        raise DomainError(
            "PERMISSION_DENIED", f"Your credential lacks the scope {lacking[0]}, so it can't make one that has it."
        )
