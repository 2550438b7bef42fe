"""Assembly of the data services, for a core and for commands that work on the database without one."""

from __future__ import annotations

from dataclasses import dataclass

from catenary_core.access.policy import Policy
from catenary_core.audit import entries
from catenary_core.audit.entries import AuditEntry
from catenary_core.audit.minute_counts import MinuteCounts
from catenary_core.audit.trail import Trail
from catenary_core.call.call import Identity
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database.transactions import Database
from catenary_core.frame import CoreParts, Frame
from catenary_core.resources.catalogues import Loaded
from catenary_core.server.dispatch import Dispatch, Metadata
from catenary_core.services.comments import assembly as comments
from catenary_core.services.environment import assembly as environment
from catenary_core.services.metadata import assembly as metadata
from catenary_core.services.parameter import assembly as parameter
from catenary_core.services.qa import assembly as qa
from catenary_core.services.reference import assembly as reference

DATA_SERVICES = (
    comments.ASSEMBLY,
    environment.ASSEMBLY,
    metadata.ASSEMBLY,
    qa.ASSEMBLY,  # gives `record_reviews`
    parameter.ASSEMBLY,
    reference.ASSEMBLY,
)


def dispatch_of(frame: Frame, caller: Identity) -> Dispatch:
    """Return a dispatcher of the data services for one caller; inside `Database.as_one` all calls are one transaction.

    Rules, events and responses are the same as for any caller. Calls must follow each other, never run concurrently.
    """
    parts = CoreParts({})
    for service in DATA_SERVICES:
        service.assemble(frame, parts)
    services = [service for service in service_descriptors() if service.full_name in parts.servicers]
    bindings = bindings_of(services)
    trail = Trail(frame.db, bindings, MinuteCounts(frame.db))
    return Dispatch(bindings, parts.servicers, _OneCaller(caller), Policy(_no_role, {}), trail=trail)


async def load_catalogues(db: Database) -> list[Loaded]:
    """Insert new catalogue rows, even while nodes run; return the result per kind."""
    catalogues = [catalogue for service in DATA_SERVICES for catalogue in service.catalogues]
    async with db.transaction() as tx:
        await entries.write(tx, AuditEntry(entries.CATALOGUES_LOADED, credential_id=entries.OPERATOR))
        return [loaded for catalogue in catalogues for loaded in await catalogue.load_catalogue(tx, announce=True)]


@dataclass(frozen=True, slots=True)
class _OneCaller:
    """An authenticator for one known caller."""

    identity: Identity
    """The caller."""

    async def authenticate(self, metadata: Metadata) -> Identity:
        """Return the caller, whatever the metadata."""
        return self.identity


async def _no_role(project_id: str, caller: Identity) -> int | None:
    """Return no role: no method of the data services needs one in a platform project."""
    return None
