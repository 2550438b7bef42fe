"""People who call the data services over a dispatcher."""

from __future__ import annotations

from catenary_core.call.call import Identity
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.services.comments.servicer import CommentServicer
from catenary_core.services.environment import servicer as environment
from catenary_core.services.parameter import assembly as parameter
from catenary_core.services.projects.servicer import ProjectServicer
from catenary_core.services.qa.servicer import RecordServicer, RecordTypeServicer
from catenary_core.services.reference.servicer import SourceServicer, SourceTypeServicer
from factories.calling import Caller
from factories.dispatching import dispatch_of
from factories.people import add_user

NOBODY = "00000000-0000-7000-8000-000000000000"
URL = "https://example.com/x"


class World:
    """The data services with two people and an Admin: ann, bob and ada."""

    def __init__(self, db: Database, people: dict[str, Identity], services: dict[str, dict[str, object]]) -> None:
        self.db = db
        self.people = people
        self._services = services
        self._projects = next(iter(services["platform"].values()))

    def as_(self, name: str, service: str) -> Caller:
        """A person, calling one of the services by its short name."""
        role_of = self._projects.role_of  # type: ignore[attr-defined]
        return Caller(dispatch_of(self._services[service], self.people, role_of), name)


async def world_of(frame: Frame) -> World:
    """A new world on the frame's database."""
    people = {name: await add_user(frame.db, name, admin=name == "ada") for name in ("ann", "bob", "ada")}
    return World(
        frame.db,
        people,
        {
            "platform": {"catenary.platform.v1.ProjectService": ProjectServicer(frame)},
            "comments": {"catenary.comments.v2.CommentService": CommentServicer(frame)},
            "qa": {
                "catenary.qa.v2.RecordService": RecordServicer(frame),
                "catenary.qa.v2.RecordTypeService": RecordTypeServicer(frame),
            },
            "parameter": parameter.servicers(frame),
            "reference": {
                "catenary.reference.v2.SourceService": SourceServicer(frame),
                "catenary.reference.v2.SourceTypeService": SourceTypeServicer(frame),
            },
            "environment": {
                "catenary.environment.v2.CountryService": environment.CountryServicer(frame),
                "catenary.environment.v2.OlderService": environment.OlderEnvironmentServicer(frame),
                "catenary.environment.v2.ProjectService": environment.EnvironmentProjectServicer(frame),
                "catenary.environment.v2.RegionService": environment.RegionServicer(frame),
            },
        },
    )
