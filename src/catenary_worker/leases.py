"""A worker's leases: waits for the next job, and looks for one ahead while a chunk's last results are being confirmed."""

from __future__ import annotations

import asyncio
import contextlib

import grpc
import structlog

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_pb2_grpc as pb_grpc
from catenary_worker.child import WorkerFaultError
from catenary_worker.host import Zygote
from catenary_worker.jobs.chunks import CALL_SECONDS
from catenary_worker.sandbox import runtime

_log = structlog.get_logger(__name__)
WAIT_SECONDS = 20.0
"""Longest time that the core waits for a job."""
_END_SECONDS = 2.0
"""Longest wait of a worker that stops for the answer to its look ahead."""
_KINDS = (pb.JOB_KIND_CHECK, pb.JOB_KIND_EVALUATE, pb.JOB_KIND_POINTS, pb.JOB_KIND_SESSION)
"""All that a worker of this release can do."""


class LeasedJobs:
    """Leases jobs for one worker, at most one of them ahead."""

    def __init__(
        self, stub: pb_grpc.WorkerServiceAsyncStub, metadata: tuple[tuple[str, str], ...], name: str, zygote: Zygote
    ) -> None:
        """Ask for nothing yet; `name` is the worker's id, as the core knows it."""
        self.digest = runtime.digest()
        """Digest of the runtime that jobs are leased for."""
        self._stub = stub
        self._metadata = metadata
        self._name = name
        self._zygote = zygote
        self._ahead: asyncio.Future[pb.Job | None] | None = None

    def look_ahead(self) -> None:
        """Ask for a job that is there now, while the present one ends."""
        if self._ahead is None:
            self._ahead = asyncio.ensure_future(self._ask(0.0))

    async def next(self) -> pb.Job | None:
        """Lease the next job; return None if there was none for WAIT_SECONDS.

        Raises:
            grpc.aio.AioRpcError: The core refuses the lease, or is not reached.
        """
        if self._ahead is not None and (job := await self._found_ahead(self._ahead)) is not None:
            self._zygote.replenish()
            return job
        await self.renew()
        self._zygote.replenish()
        if not self._zygote.left:  # until a child is ready another worker runs the job sooner
            await self._zygote.ready()
        return await self._ask(WAIT_SECONDS)

    async def _found_ahead(self, ahead: asyncio.Future[pb.Job | None]) -> pb.Job | None:
        try:
            job = await asyncio.shield(ahead)  # a cancelled call leaves the job to be given back
        except grpc.aio.AioRpcError:
            self._ahead = None
            raise
        self._ahead = None
        return job

    async def renew(self) -> None:
        """Change to an OpenSCAD program that was installed meanwhile, and to the digest of the runtime with it."""
        try:
            renewed = await self._zygote.renew()
        except WorkerFaultError as error:  # the next run starts the zygote
            _log.warning("the zygote did not start again", error=str(error))
            renewed = True
        if renewed:
            self.digest = await asyncio.to_thread(runtime.digest)
            _log.info("models run with another OpenSCAD program from now on", runtime_digest=self.digest)

    async def give_back(self, job: pb.Job) -> None:
        """Let another worker take a job, or the points left of a chunk, at once; that counts as no attempt."""
        with contextlib.suppress(grpc.aio.AioRpcError):
            if job.kind == pb.JOB_KIND_POINTS:
                ended = pb.CompletePointsRequest(
                    job_id=job.job_id, lease_token=job.lease_token, runtime_digest=self.digest, ends_chunk=True
                )
                await self._stub.CompletePoints(ended, metadata=self._metadata, timeout=CALL_SECONDS)
            else:
                request = pb.ReleaseRequest(job_id=job.job_id, lease_token=job.lease_token)
                await self._stub.Release(request, metadata=self._metadata, timeout=CALL_SECONDS)

    async def give_back_ahead(self) -> None:
        """Let another worker take the job that was leased ahead, if there is one."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return
        await asyncio.wait({ahead}, timeout=_END_SECONDS)
        if ahead.cancel():  # the core does not answer; a lease that it gives all the same ends by itself
            return
        with contextlib.suppress(grpc.aio.AioRpcError):
            if (job := ahead.result()) is not None:
                await self.give_back(job)

    async def _ask(self, seconds: float) -> pb.Job | None:
        request = pb.LeaseRequest(worker_id=self._name, runtime_digest=self.digest, wait_seconds=seconds, kinds=_KINDS)
        answer = await self._stub.Lease(request, metadata=self._metadata, timeout=seconds + CALL_SECONDS)
        return answer.job if answer.HasField("job") else None
