"""Live sessions: the designs of a caller, computed one after the other over an open stream to the core.

A session keeps a child and no slot: it takes the zygote for each design, in turn with the jobs of the lease loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

import grpc
import orjson
import structlog

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_pb2_grpc as pb_grpc
from catenary_worker import completion
from catenary_worker.child import WorkerFaultError
from catenary_worker.kept import Kept
from catenary_worker.task import Outcome, Task

_log = structlog.get_logger(__name__)
OPEN_SECONDS = 10.0
"""Longest wait for the core to take the stream."""
KEEP_SECONDS = 30.0
"""Seconds without a design after which a session gives up its child: an idle child holds 7 MiB."""
OPENED = "catenary-session"
"""Response metadata of a stream that the core has taken."""
DIALS = 20
"""Connections tried for a process without an address of its own: which one answers, the balancer before it decides."""
_CHUNK_BYTES = 256 * 1024

Stub: TypeAlias = "pb_grpc.WorkerServiceAsyncStub"
Dial = Callable[[str], grpc.aio.Channel]
"""Opens a channel to a core's address; "" is the worker's own core."""


class Host(Protocol):
    """The parts of a worker that its sessions use."""

    @property
    def digest(self) -> str:
        """Digest of the runtime."""

    async def prepare(self, job: pb.Job) -> Task:
        """Return the task of a job, with its model."""

    def keep(self, job: pb.Job, task: Task) -> contextlib.AbstractAsyncContextManager[Kept]:
        """Return a context in which the model of a job runs with one set of values after the other."""

    def leased(self, job: pb.Job) -> contextlib.AbstractAsyncContextManager[None]:
        """Renew the lease of a job while the block runs."""


class Sessions:
    """The live sessions of one worker."""

    def __init__(self, host: Host, stub: Stub, metadata: tuple[tuple[str, str], ...], dial: Dial | None) -> None:
        """Prepare sessions.

        Args:
            host: the worker.
            stub: the worker's own connection to the core.
            metadata: the worker's credential.
            dial: opens further connections; None for the worker's own alone.
        """
        self._host = host
        self._stub = stub
        self._metadata = metadata
        self._dial = dial
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, job: pb.Job) -> None:
        """Compute the designs of a session until its end, in a task of its own."""
        task = asyncio.create_task(self._run(job), name="live session")
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def close(self) -> None:
        """End all sessions; the core finds another worker for each."""
        for task in list(self._running):
            task.cancel()
        while self._running:
            await asyncio.wait(self._running)

    async def _run(self, job: pb.Job) -> None:
        log = _log.bind(job_id=job.job_id, request_id=job.request_id)
        try:
            task = await self._host.prepare(job)
            async with self._opened(job) as call:
                log.info("live session begun")
                design = await call.read()
                while design is not grpc.aio.EOF:
                    design = await self._compute(call, job, task, design)
                log.info("live session ended")
        except WorkerFaultError as error:
            log.error("the worker failed in a live session", error=str(error))
        except asyncio.InvalidStateError:  # of a write to a call that has ended
            log.info("live session ended")
        except grpc.aio.AioRpcError as error:
            log.info("live session ended", code=error.code().name, details=error.details())

    async def _compute(self, call: Any, job: pb.Job, task: Task, design: Any) -> Any:
        """Compute designs in a kept child until none came for a while; return the next one, or EOF."""
        async with self._host.keep(job, task) as kept:
            while design is not grpc.aio.EOF:
                values = {name: orjson.loads(value.text) for name, value in design.parameters.items()}
                reading = asyncio.ensure_future(call.read())  # the next design, and before it the end of the call
                reading.add_done_callback(_retrieved)
                try:
                    answer = _Answer(call)
                    running = kept.evaluate(values, geometry=design.geometry, on_early=answer.tell)
                    outcome = await _unless_ended(running, reading)
                    if outcome is None:
                        break
                    await answer.finish(outcome)
                    await asyncio.wait({reading}, timeout=KEEP_SECONDS)
                except BaseException:
                    reading.cancel()
                    raise
                if not reading.done():
                    break
                design = reading.result()
            else:
                return design
        return await reading

    @contextlib.asynccontextmanager
    async def _opened(self, job: pb.Job) -> AsyncIterator[Any]:
        """Open the stream to the process that waits for it."""
        async with contextlib.AsyncExitStack() as stack:
            async with self._host.leased(job):
                call = await self._open(job, stack)
            stack.callback(call.cancel)
            yield call

    async def _open(self, job: pb.Job, stack: contextlib.AsyncExitStack) -> Any:
        if self._dial is None:
            return await self._try(self._stub, job)
        if job.door:
            try:
                return await self._try(await self._dialled(job.door, stack), job)
            except grpc.aio.AioRpcError as error:
                # A worker of another machine has no such socket, or one of another node.
                if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.NOT_FOUND):
                    raise
        stub = self._stub
        for _ in range(DIALS):
            try:
                return await self._try(stub, job)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.NOT_FOUND:
                    raise
            stub = await self._dialled("", stack)
        return await self._try(stub, job)

    async def _dialled(self, address: str, stack: contextlib.AsyncExitStack) -> Stub:
        assert self._dial is not None
        return pb_grpc.WorkerServiceStub(await stack.enter_async_context(self._dial(address)))

    async def _try(self, stub: Stub, job: pb.Job) -> Any:
        """Return the stream once the core has taken it.

        Raises:
            AioRpcError: The core refuses the stream; NOT_FOUND: the process does not have the session.
        """
        call: Any = stub.Session(metadata=self._metadata)
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                head = pb.SessionRequest(
                    job_id=job.job_id, lease_token=job.lease_token, runtime_digest=self._host.digest
                )
                with contextlib.suppress(asyncio.InvalidStateError):  # refused already: the status says why
                    await call.write(head)
                if not any(key == OPENED for key, _ in await call.initial_metadata()):
                    await call.read()  # raises the status
                    raise WorkerFaultError("the core ended the stream of a live session at once")
        except TimeoutError:
            call.cancel()
            raise WorkerFaultError("the core did not take the stream of a live session") from None
        except BaseException:
            call.cancel()
            raise
        return call


async def _unless_ended(running: Coroutine[Any, Any, Outcome], reading: asyncio.Future[Any]) -> Outcome | None:
    """Return what a run returns; cancel it and return None if the call that reads a design ends before.

    Nobody waits for the result then, and the zygote's place is free for other work.
    """
    evaluating = asyncio.ensure_future(running)
    try:
        await asyncio.wait({evaluating, reading}, return_when=asyncio.FIRST_COMPLETED)
        is_ended = reading.done() and (reading.exception() is not None or reading.result() is grpc.aio.EOF)
        if evaluating.done() or not is_ended:
            return await evaluating
        return None
    finally:
        if evaluating.cancel():
            await asyncio.wait({evaluating})


def _retrieved(reading: asyncio.Future[Any]) -> None:
    """Mark the end of a call, which perhaps nobody awaits, as retrieved."""
    if not reading.cancelled():
        reading.exception()


class _Answer:
    """The answer to one design: its outcome as soon as that is known, then its geometry."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._telling: asyncio.Future[None] | None = None

    def tell(self, outcome: Outcome) -> None:
        """Send an outcome whose geometry is still computed, which waits for no slow core."""
        request = pb.SessionRequest(outcome=completion.message(outcome, None))
        self._telling = asyncio.ensure_future(self._call.write(request))
        self._telling.add_done_callback(_retrieved)

    async def finish(self, outcome: Outcome) -> None:
        """Send the geometry of an outcome that was told, else the outcome."""
        if self._telling is None:
            await self._call.write(pb.SessionRequest(outcome=completion.message(outcome, None)))
            return
        await self._telling
        for request in _geometry(outcome):
            await self._call.write(request)


def _geometry(outcome: Outcome) -> Iterator[pb.SessionRequest]:
    """Yield the messages of a geometry, or of the fault that was found in its place; most geometries are one message."""
    alone = replace(outcome, metrics={}, constraints={}, tables={}, charts={}, files=[], log="")
    request = pb.SessionRequest(geometry=completion.message(alone, None))
    for item in outcome.geometry:
        for start in range(0, len(item.data), _CHUNK_BYTES):
            request.chunk = item.data[start : start + _CHUNK_BYTES]
            yield request
            request = pb.SessionRequest()
    if request.HasField("geometry"):
        yield request
