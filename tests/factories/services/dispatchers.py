"""A dispatcher over chosen servicers, with callers by name instead of tokens: for tests of one service."""

from __future__ import annotations

from collections.abc import Mapping

from catenary_core.access.policy import Policy, ProjectOf, RoleOf
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.idempotency.replay import Idempotency
from catenary_core.server.dispatch import Dispatch

SURFACES = ("platform", "comments", "reference", "qa", "environment", "parameter", "metadata")
ALL_SCOPES = frozenset(f"{surface}:{mode}" for surface in SURFACES for mode in ("read", "write"))


class NamedCallers:
    """Authenticates `{"authorization": "<name>"}` as the identity of that name."""

    def __init__(self, callers: Mapping[str, Identity]) -> None:
        self._callers = dict(callers)

    async def authenticate(self, metadata: Mapping[str, str]) -> Identity:
        caller = self._callers.get(metadata.get("authorization", ""))
        if caller is None:
            raise DomainError("AUTHENTICATION_REQUIRED", "Say who you are.")
        return caller


async def _on_no_variant(resource_id: str) -> None:
    """Return the variant that a resource is on: none, where services have no shares."""


def dispatch_of(
    servicers: Mapping[str, object],
    callers: Mapping[str, Identity],
    role_of: RoleOf,
    project_of: Mapping[str, ProjectOf] | None = None,
    idempotency: Idempotency | None = None,
) -> Dispatch:
    """Return a dispatcher of the services that `servicers` names by their full proto name."""
    services = [service for service in service_descriptors() if service.full_name in servicers]
    policy = Policy(role_of, project_of or {}, variant_of={"comment_id": _on_no_variant})
    return Dispatch(bindings_of(services), servicers, NamedCallers(callers), policy, idempotency=idempotency)
