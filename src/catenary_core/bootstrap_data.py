"""Assembly of the data services, for a core and for commands that work on the database without one."""

from __future__ import annotations

from dataclasses import dataclass

from catenary_core.access.policy import Policy
from catenary_core.call.call import Identity
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.resources.catalogues import Loaded
from catenary_core.server.dispatch import Dispatch, Metadata
from catenary_core.services.comments.servicer import CommentServicer
from catenary_core.services.environment import catalogue as environment_catalogue
from catenary_core.services.environment import servicer as environment
from catenary_core.services.metadata.tag_link_servicer import TagLinkServicer
from catenary_core.services.metadata.tag_servicer import TagServicer
from catenary_core.services.metadata.tag_type_servicer import TagTypeServicer
from catenary_core.services.parameter.assembly import servicers as parameter_servicers
from catenary_core.services.parameter.units import catalogue as parameter_catalogue
from catenary_core.services.qa.servicer import RecordServicer, RecordTypeServicer
from catenary_core.services.reference import catalogue as reference_catalogue
from catenary_core.services.reference.servicer import SourceServicer, SourceTypeServicer

_CATALOGUES = (reference_catalogue, environment_catalogue, parameter_catalogue)


def servicers(frame: Frame) -> dict[str, object]:
    """Return the servicers of the data services by the full name of their proto service."""
    return {
        "catenary.comments.v2.CommentService": CommentServicer(frame),
        "catenary.environment.v2.CountryService": environment.CountryServicer(frame),
        "catenary.environment.v2.OlderService": environment.OlderEnvironmentServicer(frame),
        "catenary.environment.v2.ProjectService": environment.EnvironmentProjectServicer(frame),
        "catenary.environment.v2.RegionService": environment.RegionServicer(frame),
        "catenary.metadata.v1.TagLinkService": TagLinkServicer(frame),
        "catenary.metadata.v1.TagService": TagServicer(frame),
        "catenary.metadata.v1.TagTypeService": TagTypeServicer(frame),
        "catenary.qa.v2.RecordService": RecordServicer(frame),
        "catenary.qa.v2.RecordTypeService": RecordTypeServicer(frame),
        "catenary.reference.v2.SourceService": SourceServicer(frame),
        "catenary.reference.v2.SourceTypeService": SourceTypeServicer(frame),
        **parameter_servicers(frame),
    }


def dispatch_of(frame: Frame, caller: Identity) -> Dispatch:
    """Return a dispatcher of the data services for one caller; inside `Database.as_one` all calls are one transaction.

    Rules, events and responses are the same as for any caller. Calls must follow each other, never run concurrently.
    """
    parts = servicers(frame)
    services = [service for service in service_descriptors() if service.full_name in parts]
    return Dispatch(bindings_of(services), parts, _OneCaller(caller), Policy(_no_role, {}))


async def load_at_first_start(db: Database) -> None:
    """Load the services' catalogues into tables without any row, deleted rows included."""
    async with db.transaction() as tx:
        for catalogue in _CATALOGUES:
            await catalogue.load_at_first_start(tx)


async def load_catalogues(db: Database) -> list[Loaded]:
    """Insert new catalogue rows, even while nodes run; return the result per kind."""
    async with db.transaction() as tx:
        return [loaded for catalogue in _CATALOGUES for loaded in await catalogue.load_catalogue(tx, announce=True)]


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
