"""WorkerService: leases jobs to workers and stores their outcomes."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_shapes as shapes
from catenary_core.background.failures import end, run_step
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame, RevokeRepeatable
from catenary_core.jobs import queue
from catenary_core.jobs.owners import ChunkOwner, Owner
from catenary_core.limits import accounts
from catenary_core.services.worker import artefacts, conversation, outcome, queries
from catenary_core.storage import holdings
from catenary_wire.json_form import enum_names

_MARGIN = 0.25
"""Seconds before the call's deadline at which a waiting call responds."""
_RECORD_SECONDS = 2.0
"""Minimum seconds between two writes of the same runtime."""
_KINDS = enum_names(pb.JobKind.DESCRIPTOR)
_FIRST_KINDS = ("check", "evaluate")
"""The kinds of a worker that names none: one of an older release, which would spoil jobs of a newer kind."""
_HANDED = "evaluate"
"""The kind of jobs that calls in this process hand over."""
_REVOKED = "The worker token was revoked; start the worker with another one."
_STALE = "The lease has ended or its job is gone; drop the work."


class WorkerServicer:
    """`catenary.worker.v1.WorkerService`.

    `owners` maps each kind of job to the service that owns the rows of its jobs, `chunk_owners` those of them whose jobs
    are chunks of points; `is_valid` checks again whether the token of a worker is valid; `revoke_repeatable` records what
    a worker found out about a model version.
    """

    def __init__(
        self,
        frame: Frame,
        owners: Mapping[str, Owner],
        chunk_owners: Mapping[str, ChunkOwner],
        is_valid: Callable[[Identity], Awaitable[bool]],
        revoke_repeatable: RevokeRepeatable,
    ) -> None:
        self._settings = frame.settings
        self._db = frame.db
        self._objects = frame.objects
        self._wakeups = frame.wakeups
        self._waiting = frame.waiting
        self._sessions = frame.sessions
        self._returning: set[asyncio.Task[bool]] = set()
        self._owners = dict(owners)
        self._chunk_owners = dict(chunk_owners)
        self._space = frame.space
        self._is_valid = is_valid
        self._revoke_repeatable = revoke_repeatable
        self._recorded_runtime = ""
        self._record_again_at = 0.0

    async def lease(self, request: pb.LeaseRequest, call: Call) -> shapes.LeaseResponse:
        """Wait for a job and lease it.

        Raises INVALID_TOKEN: the worker's token was revoked during the wait.
        """
        trusted_until = time.monotonic() + call.caller.trusted_seconds
        until = min(time.monotonic() + request.wait_seconds, call.deadline - _MARGIN)
        # A kind that this release does not know has no jobs here.
        kinds = [_KINDS[kind] for kind in request.kinds if kind in _KINDS] if request.kinds else _FIRST_KINDS
        await self._record_runtime(request.runtime_digest)
        while True:
            ticket = self._wakeups.ticket(queue.CHANNEL)
            job = await self._take(request.worker_id, kinds)
            job = job or await self._wait_for_job(request.worker_id, kinds, ticket, until)
            if job is not None:
                if time.monotonic() > trusted_until and not await self._is_valid(call.caller):
                    await self._release_job(job["id"], job["lease_token"])
                    raise DomainError("INVALID_TOKEN", _REVOKED)
                return {"job": self._shape(job)}
            if time.monotonic() >= until:
                return {"job": None}

    async def heartbeat(self, request: pb.HeartbeatRequest, call: Call) -> shapes.HeartbeatResponse:
        """Renew a lease."""
        await self._waiting.wait_committed(request.job_id)
        async with self._db.read() as tx:
            held = await queue.renew(
                tx, request.job_id, request.lease_token, self._settings.lease_seconds, _progress(request)
            )
        return {"cancelled": held is None}

    async def fetch_source(
        self, request: pb.FetchSourceRequest, call: Call
    ) -> AsyncIterator[shapes.FetchSourceResponse]:
        """Stream the file of a model version that a leased job needs."""
        await self._waiting.wait_all_committed()
        async with self._db.read() as tx:
            source = await tx.one_or_none(queries.LEASED_SOURCE, model_version_id=request.model_version_id)
        if source is None:
            raise not_found("model version with a leased job")
        return ({"chunk": chunk} async for chunk in self._objects.read(source["sha256"], 0, source["size"]))

    async def fetch_file(self, request: pb.FetchFileRequest, call: Call) -> AsyncIterator[shapes.FetchFileResponse]:
        """Stream a file that a value of a parameter names."""
        async with self._db.read() as tx:
            file = await tx.one_or_none(
                queries.READABLE_FILE, model_version_id=request.model_version_id, sha256=request.sha256
            )
        if file is None:
            raise not_found("file")
        return ({"chunk": chunk} async for chunk in self._objects.read(file["sha256"], 0, file["size"]))

    async def complete(self, request: AsyncIterator[pb.CompleteRequest], call: Call) -> shapes.CompleteResponse:
        """End a job with its outcome and artefacts. Exactly one end of a job is accepted."""
        head = await anext(request)
        _check_present(head, "job_id", "lease_token", "outcome")
        job_id, token = head.job_id, head.lease_token
        if not 1 <= len(head.runtime_digest) <= 200:
            raise invalid(
                "runtime_digest",
                "{field} must have 1 to 200 characters.",
                value=head.runtime_digest,
                constraint="required",
            )
        ended = await outcome.read(head.outcome, head.runtime_digest)
        await self._waiting.wait_committed(job_id)
        # Nothing is stored for a lease that has ended. The lease is renewed first if more bytes come or the object
        # store is remote, which may take time. Bytes that are all here and go to a local store need no renewal, and are
        # stored in parallel with the statements that end the job.
        contents: Mapping[str, bytes] = {}
        refusal: DomainError | None = None
        stored = ended.stored
        size = sum(one.size for one in stored)
        hashes = [one.sha256 for one in stored]
        is_here = size == len(head.chunk)
        if is_here and (self._objects.is_local or not stored):
            contents = await artefacts.read_all(stored, head.chunk, request)
        else:
            async with self._db.read() as tx:
                project_id = await queue.renew(tx, job_id, token, self._settings.lease_seconds)
                if project_id is None:
                    raise DomainError("CONFLICT", _STALE)
                refusal = await accounts.lacking_room(tx, self._settings.tiers, project_id, size)
                await holdings.claim(tx, hashes)
            # What has no room is read and not kept; the job ends as refused below.
            keeper = self._objects if refusal is None else None
            await artefacts.receive(keeper, stored, head.chunk, request)
        async with self._db.transaction() as tx:
            job = await queue.end(tx, job_id, token)
            if job is None:
                raise DomainError("CONFLICT", _STALE)
            if job["payload"].get("without_geometry"):
                ended, contents, refusal, stored = outcome.without_files(ended), {}, None, []
            if stored and refusal is None:
                refusal = await holdings.store(tx, self._settings.tiers, job["project_id"], job_id, hashes, size)
            if refusal is not None:
                ended, contents = outcome.refused(ended, refusal), {}
            if ended.not_repeatable:
                await self._revoke_repeatable(tx, job["payload"]["model_version_id"], ended.not_repeatable)
            async with artefacts.stored(self._objects, contents):  # the object store and the database in parallel
                await self._owners[job["kind"]].ended(tx, job, ended)
        await asyncio.sleep(0)  # lets the waiters for the evaluation run before the worker's response
        return {}

    async def session(
        self, request: AsyncIterator[pb.SessionRequest], call: Call
    ) -> AsyncGenerator[shapes.SessionResponse]:
        """End the job of a live session, and give its designs to the worker."""
        head = await anext(request)
        _check_present(head, "job_id", "lease_token", "runtime_digest")
        session = self._sessions.find(head.job_id)
        if session is None:
            raise not_found("live session")
        async with self._db.transaction() as tx:
            if await queue.end(tx, head.job_id, head.lease_token) is None:
                raise DomainError("CONFLICT", _STALE)

        async def revoke(reason: str) -> None:
            async with self._db.transaction() as tx:
                await self._revoke_repeatable(tx, session.version.model_version_id, reason)

        call.reply["catenary-session"] = "open"
        return conversation.hold(session, request, head.runtime_digest, revoke)

    async def complete_points(self, request: pb.CompletePointsRequest, call: Call) -> shapes.CompletePointsResponse:
        """Store the results of points of a chunk in one transaction; with `ends_chunk` end its job."""
        ends = await outcome.read_points(request.points, request.runtime_digest)
        async with self._db.transaction() as tx:
            find = queue.end if request.ends_chunk else queue.hold
            job, owner = self._chunk(await find(tx, request.job_id, request.lease_token))
            await owner.points_ended(tx, job, ends, ends_chunk=request.ends_chunk)
            reason = next((ended.not_repeatable for ended in ends.values() if ended.not_repeatable), "")
            if reason:
                await self._revoke_repeatable(tx, job["payload"]["model_version_id"], reason)
        return {}

    async def extend_chunk(self, request: pb.ExtendChunkRequest, call: Call) -> shapes.ExtendChunkResponse:
        """Add the next points of its batch to a chunk; none while too little disk space is free for their results."""
        points: Sequence[Row] = ()
        async with self._db.transaction() as tx:
            job, owner = self._chunk(await queue.hold(tx, request.job_id, request.lease_token))
            job = await _with_finding(tx, job)
            if self._space.problem is None and (free := await queue.first(tx, list(self._owners))) is not None:
                points = await owner.extended(tx, job, free)
            if points:
                await queue.charge(tx, job)
        return {"points": [{"index": point["index"], "parameters": point["parameters"]} for point in points]}

    def _chunk(self, job: Row | None) -> tuple[Row, ChunkOwner]:
        """Return a leased chunk with its owner.

        Raises CONFLICT: its lease has ended.
        """
        if job is None:
            raise DomainError("CONFLICT", _STALE)
        owner = self._chunk_owners.get(job["kind"])
        if owner is None:
            raise invalid("job_id", "{field} is no chunk of points.", value=job["id"], constraint="kind")
        return job, owner

    async def release(self, request: pb.ReleaseRequest, call: Call) -> shapes.ReleaseResponse:
        """Return a job to the queue."""
        if not await self._release_job(request.job_id, request.lease_token):
            raise DomainError("CONFLICT", _STALE)
        return {}

    async def _record_runtime(self, digest: str) -> None:
        """Store the runtime in use; the same runtime only from time to time, since every lease calls this."""
        if self._recorded_runtime == digest and time.monotonic() < self._record_again_at:
            return
        async with self._db.read() as tx:
            await tx.execute(queries.SET_RUNTIME, digest=digest)
        self._recorded_runtime, self._record_again_at = digest, time.monotonic() + _RECORD_SECONDS

    async def _take(self, worker_id: str, kinds: Sequence[str]) -> Row | None:
        """Lease a free job of these kinds, if any; none while too little disk space is free for its result.

        Each job gets its own transaction: one that is not wanted any more may end its batch, and two ends in one transaction
        would change the same counters twice and lock two batches.
        """
        if self._space.problem is not None:
            return None
        async with self._db.read() as tx:
            if not await queue.is_any_free(tx, kinds):
                return None
        while True:
            async with self._db.transaction() as tx:
                job = await queue.lease(tx, worker_id, self._settings.lease_seconds, kinds)
                if job is None:
                    return None
                if await self._owners[job["kind"]].started(tx, job):
                    return await _with_finding(tx, job)
                await queue.drop(tx, job["id"])

    async def _wait_for_job(
        self, worker_id: str, kinds: Sequence[str], ticket: asyncio.Event, until: float
    ) -> Row | None:
        """Wait for a job that a call in this process hands over.

        Returns None when it is time to read the queue again.
        """
        if _HANDED not in kinds:
            await self._wakeups.wait(ticket, until - time.monotonic())
            return None
        with self._waiting.waiter(worker_id, self._return_job) as waiter:
            woken = asyncio.create_task(self._wakeups.wait(ticket, until - time.monotonic()))
            try:
                either: set[asyncio.Future[Any]] = {woken, waiter.job}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                waiter.is_woken = True
                return await waiter.job if waiter.is_taken else None
            finally:
                await end(woken)  # inside the block: a worker that disconnects meanwhile also gives up the job

    def _return_job(self, job: Row) -> None:
        """Return a job to the queue whose worker disconnected while it was added."""
        task = asyncio.create_task(
            run_step("giving back a job", lambda: self._release_job(job["id"], job["lease_token"]))
        )
        self._returning.add(task)
        task.add_done_callback(self._returning.discard)

    async def _release_job(self, job_id: str, token: str) -> bool:
        """Release a job; return False if its lease has ended."""
        await self._waiting.wait_committed(job_id)
        async with self._db.transaction() as tx:
            return await queue.release(tx, job_id, token)

    def _shape(self, job: Row) -> shapes.Job:
        payload = job["payload"]
        return {
            "job_id": job["id"],
            "kind": job["kind"],
            "lease_token": job["lease_token"],
            "lease_seconds": self._settings.lease_seconds,
            "model_version_id": payload["model_version_id"],
            "model_kind": payload["model_kind"],
            "source_sha256": payload["source_sha256"],
            "parameters": payload.get("parameters", {}),
            "timeout_seconds": payload.get("timeout_seconds", self._settings.evaluation_timeout),
            "memory_bytes": payload.get("memory_bytes", self._settings.evaluation_memory),
            "request_id": job["request_id"],
            "traceparent": payload.get("traceparent", ""),
            "repeatable": payload.get("repeatable", False),
            "sharers": _opaque(job["user_id"], job["project_id"], payload["model_version_id"]),
            "user": _opaque(job["user_id"]),
            "project": _opaque(job["project_id"]),
            "points": payload.get("points", []),
            "door": payload.get("door", ""),
            "without_geometry": payload.get("without_geometry", False),
        }


async def _with_finding(tx: Transaction, job: Row) -> Row:
    """Return a job whose points share no process if its version lost its finding after the job was made."""
    payload = job["payload"]
    if not payload.get("repeatable"):
        return job
    found = await tx.one(queries.IS_REPEATABLE, model_version_id=payload["model_version_id"])
    return {**job, "payload": {**payload, "repeatable": found["repeatable"]}}


def _check_present(head: Message, *fields: str) -> None:
    """Check that the first message of a stream has these fields."""
    present = {field.name for field, _ in head.ListFields()}
    for field in fields:
        if field not in present:
            raise invalid(field, "The first message has no {field}.", value=None, constraint="required")


def _opaque(*ids: object) -> str:
    """Return a text that is equal for jobs of equal ids, and names none of them."""
    return hashlib.sha256("/".join(map(str, ids)).encode()).hexdigest()


def _progress(request: pb.HeartbeatRequest) -> dict[str, Any] | None:
    if not request.HasField("progress"):
        return None
    told = request.progress
    return {"fraction": told.fraction, "message": told.message, "output": told.output}
