"""The parts that services and a core give each other: the frame's for every service, and each service's for the core."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import sqlalchemy as sa

from catenary.platform.v1 import evaluation_service_pb2, evaluation_shapes
from catenary_core.access.policy import ProjectOf, RoleOf, SharedRoleOf, VariantOf
from catenary_core.audit.minute_counts import MinuteCounts
from catenary_core.call.call import Authenticator, Call, Identity, IdentityCheck
from catenary_core.call.methods import Binding
from catenary_core.database.transactions import Database, Transaction
from catenary_core.database.wakeups import Wakeups
from catenary_core.jobs.handover import WaitingWorkers
from catenary_core.jobs.owners import ChunkOwner, Owner
from catenary_core.jobs.sessions import LiveSessions
from catenary_core.limits.free_space import FreeSpace
from catenary_core.objects import Objects
from catenary_core.resources.catalogues import Loaded
from catenary_core.secrets import Secrets
from catenary_core.server.dispatch import Dispatch
from catenary_core.settings import CoreSettings


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a running core, one of each per process."""

    settings: CoreSettings
    """Settings of the core."""
    db: Database
    """Database of the core."""
    secrets: Secrets
    """Keys of the installation."""
    objects: Objects
    """Object store."""
    wakeups: Wakeups
    """Wake-ups by the database's notifications."""
    space: FreeSpace = field(default_factory=FreeSpace)
    """Free disk space."""
    waiting: WaitingWorkers = field(default_factory=WaitingWorkers)
    """Workers that wait in this process for a job."""
    sessions: LiveSessions = field(default_factory=LiveSessions)
    """Live sessions of this process."""
    demo: bool = False
    """True if the demo guest may sign in, and the guest's credentials count."""

    def __post_init__(self) -> None:
        self.wakeups.follow(self.db.commits)


class Background(Protocol):
    """Work that a process does beside its calls."""

    async def start(self) -> None:
        """Begin."""
        ...

    async def stop(self) -> None:
        """End what has begun; also called after a `start` that failed half-way."""
        ...


class Streams(Background, Protocol):
    """Streams of events to callers."""

    def close(self) -> None:
        """End every stream, so that nothing holds up a stop, and take no new one."""
        ...


class Catalogue(Protocol):
    """Rows that every installation has, such as countries and units."""

    async def load_at_first_start(self, tx: Transaction) -> None:
        """Load the rows into tables that never had one."""
        ...

    async def load_catalogue(self, tx: Transaction, *, announce: bool) -> list[Loaded]:
        """Add the rows that were never there; with `announce` each is an event."""
        ...


DataCalls = Callable[[Identity], Dispatch]
"""Returns a dispatcher of the data services for one caller; its calls are parts of the unit of work in which they are made."""


@dataclass(frozen=True, slots=True)
class JudgedRevision:
    """A revision of an entry that a reviewer has given a status."""

    revision_id: str
    status: str
    """The new status, as messages have it."""
    path: str
    """REST path that shows the revision."""


RecordReviews = Callable[[Transaction, Call, Sequence[JudgedRevision]], Awaitable[None]]
"""Writes the QA record of each judged revision, in the transaction of the review."""

RevokeRepeatable = Callable[[Transaction, str, str], Awaitable[None]]
"""Records for a model version, with a reason, that no process may run several of its points any more."""


@dataclass(frozen=True, slots=True)
class ErasedPerson:
    """A person who is erased."""

    user_id: str
    """Id of the person's user, which stays."""
    email: str
    """E-mail address; empty without one that an identity provider vouches for."""


Eraser = Callable[[Transaction, Call, ErasedPerson], Awaitable[None]]
"""Erases a person from the tables of a service, in the transaction of the erasure; ends the links that the person made."""


class Evaluations(Protocol):
    """Evaluations as other services keep, make and show them."""

    async def hold(self, tx: Transaction, project_id: str, evaluation_id: str) -> str | None:
        """Hold an evaluation and its version against removal until the end of `tx`; return the version's id.

        None if the project has no such evaluation. Whoever names it in a view by then keeps it.
        """
        ...

    async def submit(self, tx: Transaction, call: Call, request: evaluation_service_pb2.EvaluateRequest) -> str:
        """Add an evaluation, or find an equal one, and hold it as `hold` does; return its id. Raises what Evaluate raises."""
        ...

    async def one(self, tx: Transaction, call: Call, evaluation_id: str) -> evaluation_shapes.Evaluation:
        """Return an evaluation as GetEvaluation shows it to the caller. Raises NOT_FOUND: there is none."""
        ...

    async def listed(
        self, tx: Transaction, evaluation_ids: Sequence[str]
    ) -> Mapping[str, evaluation_shapes.Evaluation]:
        """Map ids to evaluations as lists show them: without tables, charts and logs."""
        ...

    async def pictures(
        self, tx: Transaction, evaluations: Iterable[evaluation_shapes.Evaluation]
    ) -> Mapping[str, int | None]:
        """Map the ids of evaluations that a picture can show to its bytes; None where none was drawn yet."""
        ...

    async def picture(self, call: Call, evaluation: evaluation_shapes.Evaluation) -> tuple[str, int] | None:
        """Return SHA-256 and size of an evaluation's picture, a PNG in the object store, which is drawn if need be.

        None while the geometry of a point is being made for it; the response metadata then says to ask again. Raises
        NOT_FOUND: there is nothing to draw.
        """
        ...


@dataclass(frozen=True, slots=True)
class TakenInvitation:
    """An invitation that its user has just taken."""

    project_id: str
    """Project to which it invites."""
    email: str
    """Address that the inviter wrote."""
    staff_name: str
    """Name that the inviter wrote."""
    role: int
    """Role that it gives, a number of role.proto."""


class Invitations(Protocol):
    """Invitations as sessions take them."""

    async def take(self, tx: Transaction, token: str, user_id: str) -> TakenInvitation | None:
        """Take the open invitation of a token for a user; None if there is none. An existing user is held before."""
        ...

    async def join(self, tx: Transaction, call: Call, taken: TakenInvitation, user_id: str) -> None:
        """Give the role of a taken invitation to an active user, unless the user has it or a higher one."""
        ...


@dataclass(slots=True)
class CoreParts:
    """Parts that the services add to one core, in the order of their list; each finds the parts of those before it."""

    bindings: Mapping[str, Binding]
    """Every method that the core serves, by gRPC path."""
    servicers: dict[str, object] = field(default_factory=dict)
    """By the full name of their proto service."""
    background: list[Background] = field(default_factory=list)
    """Started in this order, stopped in the opposite one."""
    job_owners: dict[str, Owner] = field(default_factory=dict)
    """By kind of job."""
    chunk_owners: dict[str, ChunkOwner] = field(default_factory=dict)
    """Those of `job_owners` whose jobs are chunks of points."""
    project_of: dict[str, ProjectOf] = field(default_factory=dict)
    """By the request field that names a resource of a platform project."""
    variant_of: dict[str, VariantOf] = field(default_factory=dict)
    """By the request field that names a resource on a variant."""
    authenticator: Authenticator = field(init=False)
    recheck: IdentityCheck = field(init=False)
    recheck_worker: Callable[[Identity], Awaitable[bool]] = field(init=False)
    """Checks again whether a worker's token is valid."""
    role_of: RoleOf = field(init=False)
    shared_role_of: SharedRoleOf = field(init=False)
    erasers: list[Eraser] = field(default_factory=list)
    """Called when an Admin deletes a user; each erases the person from the tables of a service."""
    data_calls: DataCalls = field(init=False)
    record_reviews: RecordReviews = field(init=False)
    revoke_repeatable: RevokeRepeatable = field(init=False)
    evaluations: Evaluations = field(init=False)
    invitations: Invitations = field(init=False)
    streams: Streams = field(init=False)
    closers: list[Callable[[], None]] = field(default_factory=list)
    """Called before the servers stop; each ends the streams of a service, so that none delays the stop."""
    counts: MinuteCounts = field(init=False)
    """Counts refusals and logins for the audit trail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """A service as bootstrap puts it into a core; it stands in the service's `assembly.py`."""

    assemble: Callable[[Frame, CoreParts], None]
    """Makes the service's parts. A part that a later service in the list gives is an AttributeError or a KeyError."""
    channels: tuple[str, ...] = ()
    """Names of `Wakeups`, beside those of the frame."""
    unwatched: Mapping[str, str] = field(default_factory=dict)
    """Tables that no change count watches, with the reason (`database.change_counts`)."""
    sealed: Sequence[sa.Column[Any]] = ()
    """Columns with values of `Secrets.encrypt`, in tables whose primary key is one column."""
    at_retirement: Sequence[Callable[[Transaction, Secrets], Awaitable[None]]] = ()
    """Done in one transaction at the end of a retirement of the installation's secret."""
    catalogues: Sequence[Catalogue] = ()
    at_start: Sequence[Callable[[Transaction], Awaitable[None]]] = ()
    """Done before any background work begins, each in a transaction."""
