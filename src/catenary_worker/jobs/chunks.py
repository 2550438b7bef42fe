"""Chunks: the points of one leased job, run one after another, with their results sent together.

Results of a child that had run other points before are sent once a fresh child has confirmed the last of them. That costs a
fork and a point, so a chunk of short points is extended by the next points of its batch before it would end.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc
import orjson
import structlog

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_pb2_grpc as pb_grpc
from catenary_worker import completion
from catenary_worker.child import WorkerFaultError
from catenary_worker.fetched_files import InputFiles
from catenary_worker.input_files import declared
from catenary_worker.kept import Keeper, Kept
from catenary_worker.task import Outcome, Task

_log = structlog.get_logger(__name__)
SEND_SECONDS = 3.0
"""Seconds after which results are sent though the chunk has further points."""
SEND_BYTES = 1024 * 1024
"""Bytes of results that are sent though the chunk has further points."""
SEND_POINTS = 2_000
"""Points whose results are sent though the chunk has further ones: the most of one call."""
_MOST_BYTES = 3 * 1024 * 1024
EXTEND_SECONDS = 0.03
"""Work that is left when further points are asked for: sooner would hold points for which another slot may be waiting."""
CALL_SECONDS = 30.0
"""Longest time of a call of the core."""
TRANSIENT = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.INTERNAL}
"""Statuses of a call that may succeed when it is made again."""
RESULT_REFUSED = {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED}
"""Statuses of a result that breaks a rule, and of one that is too large; the core does not limit the rate of workers."""

SendPoints = Callable[[Sequence[pb.PointOutcome], bool], Awaitable[None]]
"""Sends results, and whether the chunk ends with them."""
Extend = Callable[[], Awaitable[Sequence[pb.JobPoint]]]
"""Returns the next points of the batch that belong to the chunk from now on."""


@dataclass(slots=True)
class _Result:
    """The outcome of a point that is not sent yet."""

    point: pb.JobPoint
    outcome: Outcome
    message: pb.PointOutcome


class _Chunk:
    """The points of one leased job, and their results until they are sent."""

    def __init__(self, job: pb.Job, kept: Kept, send: SendPoints, extend: Extend, ending: Callable[[], None]) -> None:
        """Begin a chunk.

        Args:
            job: The chunk.
            kept: Runs its points.
            send: Sends results.
            extend: Asks for further points, while the last ones run.
            ending: Called when its last point has run.
        """
        self._extend = extend
        self._ending = ending
        self._job = job
        self._kept = kept
        self._send = send
        self._results: list[_Result] = []
        self._shares = False
        self._bytes = 0
        self._since = time.monotonic()

    async def run(self, stopping: asyncio.Future[Any]) -> list[pb.PointOutcome]:
        """Run the points; return the results that are still to be sent, with the end of the chunk.

        No further point is begun once `stopping` is done, so the points left go back to the queue.

        Raises:
            WorkerFaultError: The worker failed twice at a point; the sure results before it were sent.
        """
        points = deque(self._job.points)
        while points:
            if stopping.done():
                return await self._confirmed()
            few = [points.popleft() for _ in range(min(self._kept.together, len(points)))]
            # Only for points that share a process, which are short: a long one would keep the others waiting.
            have_run = asyncio.Event()
            extends = not points and self._shares
            further = asyncio.ensure_future(self._further(len(few), have_run)) if extends else None
            try:
                for result in await self._run(few):
                    await self._add(result)
                have_run.set()
                if further is not None:
                    points.extend(await further)
            finally:
                if further is not None:
                    further.cancel()
        self._ending()
        return await self._confirmed()

    async def _further(self, running: int, have_run: asyncio.Event) -> Sequence[pb.JobPoint]:
        """Ask for further points shortly before those that run will have ended, or once they have."""
        with suppress(TimeoutError):
            await asyncio.wait_for(have_run.wait(), self._kept.seconds * running - EXTEND_SECONDS)
        return await self._extend()

    async def _add(self, result: _Result) -> None:
        """Keep a result; send those that are kept if they are many, large or old."""
        self._shares = result.outcome.reused
        size = result.message.ByteSize()
        if self._results and self._bytes + size > _MOST_BYTES:
            await self._send_some()
        self._results.append(result)
        self._bytes += size
        if (
            self._bytes > SEND_BYTES
            or len(self._results) >= SEND_POINTS
            or time.monotonic() - self._since > SEND_SECONDS
        ):
            await self._send_some()

    async def _run(self, points: Sequence[pb.JobPoint]) -> list[_Result]:
        try:
            try:
                return await self._evaluate(points)
            except WorkerFaultError as error:
                # The zygote died while the model ran, or could not start a child; the next run starts it again.
                _log.warning(
                    "points are run again after a worker fault",
                    job_id=self._job.job_id,
                    request_id=self._job.request_id,
                    points=[point.index for point in points],
                    error=str(error),
                )
                return await self._evaluate(points)
        except WorkerFaultError:
            if sure := [result.message for result in self._results if not result.outcome.reused]:
                await self._send(sure, False)
            raise

    async def _evaluate(self, points: Sequence[pb.JobPoint]) -> list[_Result]:
        values = [{name: orjson.loads(value.text) for name, value in point.parameters.items()} for point in points]
        outcomes = await self._kept.evaluate_all(values)
        return [
            _Result(point, outcome, completion.point(point.index, outcome))
            for point, outcome in zip(points, outcomes, strict=True)
        ]

    async def _confirmed(self) -> list[pb.PointOutcome]:
        """Return the results that are not sent yet, those that were not sure computed anew."""
        if any(result.outcome.reused for result in self._results) and await self._kept.confirm():
            self._results = [
                one
                for result in self._results
                for one in (await self._run([result.point]) if result.outcome.reused else [result])
            ]
        return [result.message for result in self._results]

    async def _send_some(self) -> None:
        await self._send(await self._confirmed(), False)
        self._results, self._bytes, self._since = [], 0, time.monotonic()


class Chunks:
    """Runs chunks for one worker."""

    def __init__(
        self,
        stub: pb_grpc.WorkerServiceAsyncStub,
        metadata: tuple[tuple[str, str], ...],
        keeper: Keeper,
        files: InputFiles,
    ) -> None:
        """Prepare to run.

        Args:
            stub: The core.
            metadata: The worker's credential.
            keeper: Keeps the children of models.
            files: Fetches the files that values name.
        """
        self._stub = stub
        self._metadata = metadata
        self._keeper = keeper
        self._files = files

    async def run(
        self, job: pb.Job, task: Task, digest: str, stopping: asyncio.Future[Any], ending: Callable[[], None]
    ) -> list[pb.PointOutcome]:
        """Run the points of a chunk as `_Chunk.run` does, those of equal files one after the other.

        A child has the files of one set of values alone, so that two files in turns would cost a child for each point.

        Args:
            job: The chunk.
            task: The model with its limits.
            digest: The digest of the runtime.
            stopping: Done once no further point is to be begun.
            ending: Called when the last point has run, before what the results are made sure by.
        """
        names = [parameter["name"] for parameter in declared(task)]

        def files(point: pb.JobPoint) -> list[str]:
            return [point.parameters[name].text for name in names]

        async def extend() -> Sequence[pb.JobPoint]:
            return sorted(await self._further(job), key=files)

        job.points.sort(key=files)
        fill = partial(self._files.filled, job.model_version_id)
        async with self._keeper.keep(job.source_sha256, task, fill) as kept:
            return await _Chunk(job, kept, partial(self._send, job, digest), extend, ending).run(stopping)

    async def complete(self, job: pb.Job, digest: str, results: Sequence[pb.PointOutcome]) -> str:
        """Send the last results of a chunk, which ends with them; return the status of the job."""
        await self._send(job, digest, results, True)
        return "completed"

    async def _further(self, job: pb.Job) -> Sequence[pb.JobPoint]:
        """Return further points of a chunk; none if the core doesn't answer: what it gave goes back when the chunk ends."""
        request = pb.ExtendChunkRequest(job_id=job.job_id, lease_token=job.lease_token)
        try:
            return (await self._stub.ExtendChunk(request, metadata=self._metadata, timeout=CALL_SECONDS)).points
        except grpc.aio.AioRpcError as error:
            _log.warning("chunk is not extended", job_id=job.job_id, request_id=job.request_id, code=error.code().name)
            return ()

    async def _send(self, job: pb.Job, digest: str, results: Sequence[pb.PointOutcome], ends_chunk: bool) -> None:
        """Send results; one by one if the core refuses them together."""
        try:
            await self._call(job, digest, results, ends_chunk)
        except grpc.aio.AioRpcError as error:
            if error.code() not in RESULT_REFUSED or not results:
                raise
            for result in results:
                await self._send_alone(job, digest, result)
            if ends_chunk:
                await self._call(job, digest, [], ends_chunk)

    async def _send_alone(self, job: pb.Job, digest: str, result: pb.PointOutcome) -> None:
        """Send one result; its point has failed with the refusal if the core refuses it."""
        try:
            await self._call(job, digest, [result], False)
        except grpc.aio.AioRpcError as error:
            if error.code() not in RESULT_REFUSED:
                raise
            _log.warning(
                "the core refuses a result",
                job_id=job.job_id,
                request_id=job.request_id,
                point=result.index,
                details=error.details(),
            )
            failed = completion.point(result.index, completion.refused(error.details() or ""))
            await self._call(job, digest, [failed], False)

    async def _call(self, job: pb.Job, digest: str, results: Sequence[pb.PointOutcome], ends_chunk: bool) -> None:
        """Send results, again while the core is unreachable and the lease may still be valid."""
        request = pb.CompletePointsRequest(
            job_id=job.job_id,
            lease_token=job.lease_token,
            runtime_digest=digest,
            points=results,
            ends_chunk=ends_chunk,
        )
        deadline = time.monotonic() + job.lease_seconds
        while True:
            try:
                await self._stub.CompletePoints(request, metadata=self._metadata, timeout=CALL_SECONDS)
            except grpc.aio.AioRpcError as error:
                if error.code() not in TRANSIENT or time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.2)
            else:
                return
