"""WorkerService: leases jobs to workers and stores their outcomes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_shapes as shapes
from catenary_core.background.failures import end, run_step
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.services.worker import artefacts, outcome, queries

_MARGIN = 0.25
"""Seconds before the call's deadline at which a waiting call responds."""
_RECORD_SECONDS = 2.0
"""Minimum seconds between two writes of the same runtime."""
_REVOKED = "The worker token was revoked; start the worker with another one."
_STALE = "The lease has ended or its job is gone; drop the work."


class WorkerServicer:
    """`catenary.worker.v1.WorkerService`.

    `owners` maps each kind of job to the service that owns the rows of its jobs; `is_valid` checks again whether the
    token of a worker is valid.
    """

    def __init__(
        self,
        frame: Frame,
        owners: Mapping[str, queue.Owner],
        is_valid: Callable[[Identity], Awaitable[bool]],
    ) -> None:
        self._settings = frame.settings
        self._db = frame.db
        self._objects = frame.objects
        self._wakeups = frame.wakeups
        self._waiting = frame.waiting
        self._returning: set[asyncio.Task[bool]] = set()
        self._owners = dict(owners)
        self._space = frame.space
        self._is_valid = is_valid
        self._recorded_runtime = ""
        self._record_again_at = 0.0

    async def lease(self, request: pb.LeaseRequest, call: Call) -> shapes.LeaseResponse:
        """Wait for a job and lease it.

        Raises INVALID_TOKEN: the worker's token was revoked during the wait.
        """
        trusted_until = time.monotonic() + call.caller.trusted_seconds
        until = min(time.monotonic() + request.wait_seconds, call.deadline - _MARGIN)
        await self._record_runtime(request.runtime_digest)
        while True:
            ticket = self._wakeups.ticket(queue.CHANNEL)
            job = await self._take(request.worker_id) or await self._wait_for_job(request.worker_id, ticket, until)
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
            held = await queue.renew(tx, request.job_id, request.lease_token, self._settings.lease_seconds)
        return {"cancelled": not held}

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

    async def complete(self, request: AsyncIterator[pb.CompleteRequest], call: Call) -> shapes.CompleteResponse:
        """End a job with its outcome and artefacts. Exactly one end of a job is accepted."""
        head = await anext(request)
        present = {field.name for field, _ in head.ListFields()}
        for field in ("job_id", "lease_token", "outcome"):
            if field not in present:
                raise invalid(field, "The first message has no {field}.", value=None, constraint="required")
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
        is_here = sum(artefact.size for artefact in ended.artefacts) == len(head.chunk)
        if is_here and (self._objects.is_local or not ended.artefacts):
            contents = await artefacts.read_all(ended.artefacts, head.chunk, request)
        else:
            async with self._db.read() as tx:
                if not await queue.renew(tx, job_id, token, self._settings.lease_seconds):
                    raise DomainError("CONFLICT", _STALE)
            await artefacts.receive(self._objects, ended.artefacts, head.chunk, request)
        async with self._db.transaction() as tx:
            job = await queue.end(tx, job_id, token)
            if job is None:
                raise DomainError("CONFLICT", _STALE)
            async with artefacts.stored(self._objects, contents):  # the object store and the database in parallel
                await self._owners[job["kind"]].ended(tx, job, ended)
        await asyncio.sleep(0)  # lets the waiters for the evaluation run before the worker's response
        return {}

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

    async def _take(self, worker_id: str) -> Row | None:
        """Lease a free job, if any; none while too little disk space is free for its result."""
        if self._space.problem is not None:
            return None
        async with self._db.read() as tx:
            if not await queue.is_any_free(tx):
                return None
        async with self._db.transaction() as tx:
            job = await queue.lease(tx, worker_id, self._settings.lease_seconds)
            if job is not None:
                await self._owners[job["kind"]].started(tx, job)
        return job

    async def _wait_for_job(self, worker_id: str, ticket: asyncio.Event, until: float) -> Row | None:
        """Wait for a job that a call in this process hands over.

        Returns None when it is time to read the queue again.
        """
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
        }
