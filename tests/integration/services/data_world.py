"""People who call the data services over a dispatcher."""

from __future__ import annotations

from catenary_core.call.call import Identity
from catenary_core.database.transactions import Database
from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.comments.assembly import ASSEMBLY as COMMENTS
from catenary_core.services.environment.assembly import ASSEMBLY as ENVIRONMENT
from catenary_core.services.metadata.assembly import ASSEMBLY as METADATA
from catenary_core.services.parameter.assembly import ASSEMBLY as PARAMETER
from catenary_core.services.projects.servicer import ProjectServicer
from catenary_core.services.qa.assembly import ASSEMBLY as QA
from catenary_core.services.qa.reviews import record_reviews_of
from catenary_core.services.reference.assembly import ASSEMBLY as REFERENCE
from factories.services.calls import Caller
from factories.services.dispatchers import dispatch_of
from factories.services.people import add_user

NOBODY = "00000000-0000-7000-8000-000000000000"
URL = "https://example.com/x"
_DATA_SERVICES = {
    "comments": COMMENTS,
    "environment": ENVIRONMENT,
    "metadata": METADATA,
    "parameter": PARAMETER,
    "qa": QA,
    "reference": REFERENCE,
}


class World:
    """The data services with two people and an Admin: ann, bob and ada."""

    def __init__(self, db: Database, people: dict[str, Identity], services: dict[str, dict[str, object]]) -> None:
        self.db = db
        self.people = people
        self._services = services
        self._projects = next(iter(services["platform"].values()))

    def as_(self, name: str, service: str) -> Caller:
        """Return a person as caller of one of the services, given by its short name."""
        role_of = self._projects.role_of  # type: ignore[attr-defined]
        return Caller(dispatch_of(self._services[service], self.people, role_of), name)


async def world_of(frame: Frame) -> World:
    """Make a world on the frame's database."""
    people = {name: await add_user(frame.db, name, admin=name == "ada") for name in ("ann", "bob", "ada")}
    services = {name: assembled(frame, assembly) for name, assembly in _DATA_SERVICES.items()}
    return World(
        frame.db, people, {"platform": {"catenary.platform.v1.ProjectService": ProjectServicer(frame)}, **services}
    )


def assembled(frame: Frame, assembly: Assembly) -> dict[str, object]:
    """Return the servicers that a data service adds to a core, by the full name of their proto service."""
    parts = CoreParts({})
    parts.record_reviews = record_reviews_of(frame)
    assembly.assemble(frame, parts)
    return parts.servicers
