"""The job queue: work for workers, as rows that are claimed by lease.

A job belongs to a row of a service and has that row's id. It exists only while it waits or runs: the transaction that
gives the row its final state deletes the job, fenced by the lease's token, so exactly one ending counts. A lease that
isn't renewed in time frees the job; after MAX_ATTEMPTS leases the job is given up. Users and projects take turns, see
`turns`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
import uuid_utils
from sqlalchemy.dialects.postgresql import ARRAY, JSON, UUID

from catenary_core.database.statements import Row, Statement, json_value, metadata, notifying
from catenary_core.database.transactions import Transaction
from catenary_core.jobs import turns
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts

CHANNEL = "catenary_jobs"
"""Channel that wakes nodes with waiting workers."""
MAX_ATTEMPTS = 3
"""Largest number of leases of a job."""

job = sa.Table(
    "job",
    metadata,
    sa.Column("id", UUID(as_uuid=False), primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    # The part of catenary.worker.v1.Job that the owner knows.
    sa.Column("payload", JSON, nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("next_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
    sa.Column("lease_token", UUID(as_uuid=False), nullable=True),
    sa.Column("worker_id", sa.Text, nullable=True),
    # Who takes a turn with the job, see `turns`.
    sa.Column("user_id", UUID(as_uuid=False), nullable=False),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    # Time of the first lease that was not returned.
    sa.Column("leased_at", sa.DateTime(timezone=True), nullable=True),
    # `{"fraction", "message"}`, as the last heartbeat told it.
    sa.Column("progress", JSON, nullable=True),
    sa.Index("job_next_at_id_idx", "next_at", "id"),
    schema="jobs",
)
"""The queue."""

_new = sa.insert(job).values(
    {
        name: sa.bindparam(name, type_=job.c[name].type)
        for name in ("id", "kind", "payload", "request_id", "user_id", "project_id")
    }
)
_INSERT = Statement(_new.returning(notifying(CHANNEL)))
_free = job.alias("free")
_is_free = sa.and_(
    _free.c.next_at <= sa.func.clock_timestamp(),
    _free.c.attempts < MAX_ATTEMPTS,
    sa.or_(_free.c.lease_until.is_(None), _free.c.lease_until < sa.func.clock_timestamp()),
)
_is_wanted = _free.c.kind == sa.any_(sa.bindparam("kinds", type_=ARRAY(sa.Text)))
_FREE = Statement(sa.select(sa.exists().where(_is_free, _is_wanted).label("found")))
_until = sa.func.clock_timestamp() + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam("seconds", type_=sa.Float))
_leased = {
    "lease_until": _until,
    "lease_token": sa.bindparam("token", type_=job.c.lease_token.type),
    "worker_id": sa.bindparam("worker", type_=sa.Text),
    "progress": sa.null(),
}
_now = sa.func.clock_timestamp()
_INSERT_LEASED = Statement(_new.values({**_leased, "attempts": sa.literal_column("1"), "leased_at": _now}))


def _places(kind: str, places: str) -> sa.CTE:
    columns = sa.column("holder", UUID(as_uuid=False)), sa.column("seconds", sa.Float)
    # Computed once: computed for each free job they would have moved on with the clock, and the first job read be first.
    return sa.text(places).columns(*columns).cte(f"of_{kind}").prefix_with("MATERIALIZED")


_of_user, _of_project = (_places(kind, turns.places(kind)) for kind in ("user", "project"))
_of_class = _places("class", turns.CLASS_ORDER)
_class: sa.ColumnElement[str] = sa.literal_column(turns.class_of(f"{_free.name}.kind"))


# Without waiting for the disk: if a crash of the server loses a lease, the job is leased again and the old token refused. Points
# that a chunk has lost so are queued again, and results of them are not its own.
_soon = sa.func.set_config("synchronous_commit", "off", True).label("commit")


def _first_free(*order: sa.ColumnElement[Any]) -> sa.Select[Any]:
    return (
        sa.select(_free.c.id, _free.c.kind, _free.c.payload, _soon)
        .where(
            _is_free,
            _is_wanted,
            _class == _of_class.c.holder,
            _free.c.user_id == _of_user.c.holder,
            _free.c.project_id == _of_project.c.holder,
        )
        .order_by(*order, _free.c.next_at, _free.c.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=_free)
    )


def _leasing(*order: sa.ColumnElement[Any]) -> Statement:
    first = _first_free(*order).with_only_columns(_free.c.id).scalar_subquery()
    return Statement(
        sa.update(job)
        .where(job.c.id == first)
        .values(**_leased, attempts=job.c.attempts + 1, leased_at=sa.func.coalesce(job.c.leased_at, _now))
        .returning(job, _soon)
    )


_ORDER = (_of_class.c.seconds, _of_user.c.seconds, _of_project.c.seconds)
_LEASE = _leasing(*_ORDER)
_FIRST = Statement(_first_free(*_ORDER))
_held = sa.and_(
    job.c.id == sa.bindparam("job_id", type_=job.c.id.type),
    job.c.lease_token == sa.bindparam("token", type_=job.c.lease_token.type),
)
_renew = sa.update(job).where(_held).values(lease_until=_until).returning(job.c.project_id)
_RENEW = Statement(_renew)
_PROGRESS = Statement(_renew.values(progress=sa.bindparam("told", type_=JSON)))
_RELEASE = Statement(
    sa.update(job)
    .where(_held)
    .values(lease_until=None, lease_token=None, worker_id=None, leased_at=None, attempts=job.c.attempts - 1)
    .returning(job.c.id)
)
_END = Statement(sa.delete(job).where(_held).returning(job))
_COUNT_ON = Statement(
    sa.update(job).where(job.c.id == sa.bindparam("job_id", type_=job.c.id.type)).values(leased_at=_now)
)
_ended_lease = job.c.lease_until < sa.func.clock_timestamp()
_REAP = Statement(
    sa.delete(job)
    .where(
        job.c.id
        == (
            sa.select(job.c.id)
            .where(
                _ended_lease,
                job.c.attempts >= MAX_ATTEMPTS,
                job.c.id != sa.all_(sa.bindparam("besides", type_=ARRAY(job.c.id.type))),
            )
            .limit(1)
            .with_for_update(skip_locked=True)
            .scalar_subquery()
        )
    )
    .returning(job)
)
_ENDED_LEASES = Statement(sa.select(sa.exists().where(_ended_lease, job.c.attempts < MAX_ATTEMPTS).label("found")))
_HOLD = Statement(sa.select(job).where(_held).with_for_update())
_named = sa.func.json_extract_path_text(job.c.payload, sa.bindparam("key", type_=sa.Text)) == sa.bindparam(
    "value", type_=sa.Text
)
_DROP_UNLOCKED = Statement(
    sa.delete(job)
    .where(job.c.id.in_(sa.select(job.c.id).where(_named).with_for_update(skip_locked=True).scalar_subquery()))
    .returning(job)
)
_DROP = Statement(sa.delete(job).where(job.c.id == sa.bindparam("job_id", type_=job.c.id.type)).returning(job))


@dataclass(frozen=True, slots=True)
class Artefact:
    """An artefact of an ended job, already in the object store."""

    name: str
    """Name of the artefact."""
    format: str
    """Format of the file."""
    size: int
    """Size in bytes."""
    sha256: str
    """Hash of the content, which is its key in the object store."""
    parts: Sequence[Mapping[str, Any]]
    """Parts of the geometry, each as catenary.platform.v1.GeometryPart."""
    unit: str | None = None
    """Unit in which the model gives its coordinates; None where it names none."""


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file of an ended job beside its geometry, already in the object store."""

    name: str
    """Name of the file, with its suffix."""
    size: int
    """Size in bytes."""
    sha256: str
    """Hash of the content, which is its key in the object store."""

    @property
    def format(self) -> str:
        """The word for the file in refusals, where geometry has its format."""
        return "file"


@dataclass(frozen=True, slots=True)
class JobEnd:
    """The outcome of a job: catenary.worker.v1.Outcome with its JSON parsed."""

    status: str
    """`completed`, `failed` or `timed_out`."""
    error: Mapping[str, Any] | None
    """`{"code", "message", "line"}`; None if completed."""
    description: Mapping[str, Any] | None
    """For a check: `{"parameters", "metrics", "constraints"}` as declared, normalised; else None."""
    deterministic: bool | None
    """For a check: whether both evaluations of the defaults agreed; else None."""
    metrics: Mapping[str, Any]
    """`{"value", "unit"}` by name."""
    constraints: Mapping[str, Any]
    """`{"value", "satisfied", "metric", "op", "limit", "unit"}` by name."""
    tables: Mapping[str, Any]
    """Tables by name."""
    artefacts: Sequence[Artefact]
    """Artefacts of the job."""
    duration_ms: float
    """Run time in milliseconds."""
    runtime_digest: str
    """Digest of the worker's runtime."""
    log: str = ""
    """The first and last part of the model's output."""
    repeatable: bool | None = None
    """For a check: whether one process may run several points of the model; else None."""
    not_repeatable: str = ""
    """The reason for which no process may run several points of the model; empty while none is known."""
    charts: Mapping[str, Any] = field(default_factory=dict)
    """`{"kind", "table", "x", "y"}` by name."""
    files: Sequence[OutputFile] = ()
    """Files of the job beside its geometry."""
    unmade: Sequence[Mapping[str, str]] = ()
    """`{"name", "format"}` of each geometry file that was not made, since none was wanted."""
    remarks: Sequence[str] = ()
    """For a check: what looks mistaken in the result of the defaults."""

    @property
    def stored(self) -> Sequence[Artefact | OutputFile]:
        """All that is kept in the object store, in the order in which the bytes come."""
        return [*self.artefacts, *self.files]


def failed_end(error: Mapping[str, Any], duration_ms: float = 0.0, runtime_digest: str = "") -> JobEnd:
    """Return the outcome of a job, or of a point, that failed with an error."""
    return JobEnd(
        status="failed",
        error=error,
        description=None,
        deterministic=None,
        metrics={},
        constraints={},
        tables={},
        artefacts=(),
        duration_ms=duration_ms,
        runtime_digest=runtime_digest,
    )


async def enqueue(tx: Transaction, submitter: Submitter, kind: str, job_id: str, payload: Mapping[str, Any]) -> None:
    """Add a job in the transaction that adds its row; wake the nodes at the commit."""
    await tx.execute_at_commit(turns.ENTER, user=submitter.user_id, project=submitter.project_id, job_kind=kind)
    new = _new_job(submitter, kind, job_id, payload)
    await tx.execute_at_commit(_INSERT, **{**new, "payload": json_value(new["payload"])})
    tx.record_notification(CHANNEL)


async def enqueue_like(tx: Transaction, job: Row, job_id: str) -> None:
    """Add a job like one that waits or waited until now: its user and project keep their turns."""
    names = ("kind", "request_id", "user_id", "project_id")
    await tx.execute_at_commit(
        _INSERT, id=job_id, payload=json_value(job["payload"]), **{name: job[name] for name in names}
    )
    tx.record_notification(CHANNEL)


async def enqueue_leased(
    tx: Transaction,
    submitter: Submitter,
    kind: str,
    job_id: str,
    payload: Mapping[str, Any],
    worker_id: str,
    seconds: float,
) -> Row:
    """Add a job already leased to a worker; return its row for the handover.

    The service adds the job's own row as started: `Owner.started` is not called.

    Args:
        tx: transaction that adds the service's row.
        submitter: user in whose name it is done.
        kind: kind of the job.
        job_id: id of the job and of the service's row.
        payload: the fields of catenary.worker.v1.Job that the owner knows.
        worker_id: worker that gets the lease.
        seconds: duration of the lease.
    """
    leased = _new_job(submitter, kind, job_id, payload)
    token = str(uuid_utils.uuid7())
    await tx.execute_at_commit(
        _INSERT_LEASED,
        **{**leased, "payload": json_value(leased["payload"])},
        token=token,
        worker=worker_id,
        seconds=seconds,
    )
    return {**leased, "lease_token": token}


def _new_job(submitter: Submitter, kind: str, job_id: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    traced = {} if submitter.traceparent is None else {"traceparent": submitter.traceparent}
    return {
        "id": job_id,
        "kind": kind,
        "request_id": submitter.request_id,
        "user_id": submitter.user_id,
        "project_id": submitter.project_id,
        "payload": {**payload, **traced},
    }


async def is_any_free(tx: Transaction, kinds: Sequence[str]) -> bool:
    """Return whether `lease` would find a job: one cheap statement, since a worker mostly finds none."""
    return bool((await tx.one(_FREE, kinds=list(kinds)))["found"])


async def lease(tx: Transaction, worker_id: str, seconds: float, kinds: Sequence[str]) -> Row | None:
    """Lease the free job of these kinds whose turn it is; return its row with a new `lease_token`, or None.

    A job that had MAX_ATTEMPTS leases isn't free; it waits for `reap`.
    """
    token = str(uuid_utils.uuid7())
    return await tx.one_or_none(_LEASE, token=token, worker=worker_id, seconds=seconds, kinds=list(kinds))


async def first(tx: Transaction, kinds: Sequence[str]) -> Row | None:
    """Lock the free job of these kinds whose turn it is; return its `id`, `kind` and `payload`, or None.

    The transaction is committed as a lease is: without waiting for the disk.
    """
    return await tx.one_or_none(_FIRST, kinds=list(kinds))


async def charge(tx: Transaction, leased: Row) -> None:
    """Charge a leased job for the time since its lease, and count from now on."""
    await _charged(tx, leased)
    await tx.execute(_COUNT_ON, job_id=leased["id"])


async def renew(
    tx: Transaction, job_id: str, token: str, seconds: float, progress: Mapping[str, Any] | None = None
) -> str | None:
    """Renew a lease; return the job's project, or None if the token is no longer the job's, or the job is gone.

    Args:
        tx: the transaction.
        job_id: id of the job.
        token: token of the lease.
        seconds: length of the lease from now on.
        progress: what the model tells of its progress; None changes nothing of it.
    """
    held = {"job_id": job_id, "token": token, "seconds": seconds}
    if progress is None:
        row = await tx.one_or_none(_RENEW, **held)
    else:
        row = await tx.one_or_none(_PROGRESS, **held, told=json_value(progress))
    return None if row is None else row["project_id"]


async def release(tx: Transaction, job_id: str, token: str) -> bool:
    """Return a leased job to the queue, without counting the lease; return False as for None of `renew`."""
    done = await tx.one_or_none(_RELEASE, job_id=job_id, token=token) is not None
    if done:
        await tx.notify(CHANNEL)
    return done


async def hold(tx: Transaction, job_id: str, token: str) -> Row | None:
    """Lock a job by its lease's token; return its row, or None as `renew` does."""
    return await tx.one_or_none(_HOLD, job_id=job_id, token=token)


async def end(tx: Transaction, job_id: str, token: str) -> Row | None:
    """Delete a job by its lease's token; return its row, or None if another ending counts."""
    return await _charged(tx, await tx.one_or_none(_END, job_id=job_id, token=token))


async def drop(tx: Transaction, job_id: str) -> bool:
    """Delete a job with or without a lease, for a cancellation; return False if the job is already gone."""
    return await _charged(tx, await tx.one_or_none(_DROP, job_id=job_id)) is not None


async def drop_unlocked(tx: Transaction, key: str, value: str) -> None:
    """Delete the jobs whose payload has a value, but for those that another transaction has locked."""
    for ended in await tx.all(_DROP_UNLOCKED, key=key, value=value):
        await _charged(tx, ended)


async def reap(tx: Transaction, *, besides: Sequence[str] = ()) -> Row | None:
    """Delete a job whose MAX_ATTEMPTS leases ended without an outcome; return its row for `Owner.lost`, or None.

    Jobs in `besides` are left alone.
    """
    return await _charged(tx, await tx.one_or_none(_REAP, besides=list(besides)))


async def _charged(tx: Transaction, ended: Row | None) -> Row | None:
    """Return the row of a job; charge its user, project and payer for the time since its lease."""
    if ended is not None and ended["leased_at"] is not None:
        # In this order: a new evaluation holds the month of who pays when it takes its turn.
        await accounts.count(tx, ended["project_id"], leased_at=ended["leased_at"])
        await tx.execute_at_commit(
            turns.CHARGE,
            user=ended["user_id"],
            project=ended["project_id"],
            leased_at=ended["leased_at"],
            job_kind=ended["kind"],
        )
    return ended


async def prune_turns(tx: Transaction) -> None:
    """Remove the places of users and projects that have no jobs."""
    await tx.execute(turns.PRUNE)


async def wake_for_ended_leases(tx: Transaction) -> None:
    """Wake the nodes if a lease has ended and its job may be leased again.

    Waiting workers then take these jobs at once.
    """
    if (await tx.one(_ENDED_LEASES))["found"]:
        await tx.notify(CHANNEL)
