"""The lease loop: lease jobs from a core by gRPC, run them in the zygote, send the results.

A worker's only credential is the worker token. If the worker fails in any way, its job's lease ends and another worker
takes the job; the core refuses a result that comes with an ended lease.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import grpc
import orjson
import structlog

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_pb2_grpc as pb_grpc
from catenary_wire.reconnection import RECONNECTION
from catenary_wire.spans import Begin
from catenary_worker import completion
from catenary_worker.child import WorkerFaultError, failed
from catenary_worker.fetched_files import FileGoneError, InputFiles
from catenary_worker.fetched_models import FetchedModel, FetchedModels
from catenary_worker.host import Zygote
from catenary_worker.jobs.check import check
from catenary_worker.jobs.chunks import CALL_SECONDS, RESULT_REFUSED, TRANSIENT, Chunks
from catenary_worker.jobs.sessions import Dial, Sessions
from catenary_worker.kept import Keeper, Kept
from catenary_worker.leases import LeasedJobs
from catenary_worker.task import Kind, ModelProgress, Outcome, Task
from catenary_worker.zygote import State

_log = structlog.get_logger(__name__)
STOP_SECONDS = 25.0
"""The time that a running job has after the worker is told to stop; then the job is given back."""
_LONGEST_PAUSE = 2.0
_CONNECT_SECONDS = 10.0
"""The time that the worker waits without a warning for a core that starts together with it."""
_BEAT_SECONDS = 1.0
"""Longest time between two heartbeats, and so between a cancellation and the end of the model."""
_REFUSED = {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}
# A core that is back is noticed within two seconds, one whose connection died silently within forty.
_CHANNEL_OPTIONS = (
    *RECONNECTION,
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


class TokenRefusedError(ValueError):
    """The core refuses the worker token; the text says what to do."""


async def run(
    core: str,
    token: str,
    name: str,
    core_ca: Path | None,
    *,
    stop: asyncio.Event,
    on_ready: Callable[[State], None],
    allow_unsandboxed: bool,
    trace: Begin | None = None,
) -> None:
    """Work until `stop` is set.

    Args:
        core: HOST:PORT or unix:PATH.
        token: The worker token.
        name: The worker's id, as the core knows it.
        core_ca: A PEM file of the authority for TLS; None connects without TLS.
        stop: Set from outside to end the work.
        on_ready: Called with the state of the sandbox once the zygote is warm.
        allow_unsandboxed: Run models without a sandbox where none is possible.
        trace: Begins a span for a job; None makes no traces.

    Raises:
        SandboxUnavailableError: Models cannot be sandboxed here, and `allow_unsandboxed` is False.
        TokenRefusedError: The core refuses the token.
    """
    zygote = Zygote(allow_unsandboxed=allow_unsandboxed)
    state = await zygote.start()
    if not state.enforced:
        _log.warning("models run without a sandbox, as the setting allows", reason=state.reason)
    credentials = None if core_ca is None else grpc.ssl_channel_credentials(await asyncio.to_thread(core_ca.read_bytes))

    def dial(address: str) -> grpc.aio.Channel:
        # Each with a connection of its own: several to one address may lead to several processes.
        options = (*_CHANNEL_OPTIONS, ("grpc.use_local_subchannel_pool", 1))
        if credentials is None or address.startswith("unix:"):
            return grpc.aio.insecure_channel(address or core, options=options)
        return grpc.aio.secure_channel(address or core, credentials, options=options)

    channel = dial(core)
    try:
        async with channel:
            worker = Worker(pb_grpc.WorkerServiceStub(channel), token, name, zygote, trace, dial)
            on_ready(state)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(_wait_for_first(channel.channel_ready(), stop.wait()), _CONNECT_SECONDS)
            await worker.work(stop)
    finally:
        await zygote.close()


class Worker:
    """One worker, which runs one job at a time."""

    def __init__(
        self,
        stub: pb_grpc.WorkerServiceAsyncStub,
        token: str,
        name: str,
        zygote: Zygote,
        trace: Begin | None = None,
        dial: Dial | None = None,
    ) -> None:
        """Create a worker; `trace` begins a span for a job, None makes no traces; `dial` connects to other processes."""
        self._trace = trace
        self._stub = stub
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._zygote = zygote
        self._leases = LeasedJobs(stub, self._metadata, name, zygote)
        self._sessions = Sessions(self, stub, self._metadata, dial)
        self._models = FetchedModels(stub, self._metadata, zygote)
        self._keeper = Keeper(zygote)
        self._files = InputFiles(stub, self._metadata)
        self._progress: dict[str, ModelProgress] = {}
        """The last progress that the model of a running job has told, until a heartbeat has sent it."""
        self._chunks = Chunks(stub, self._metadata, self._keeper, self._files)

    @property
    def digest(self) -> str:
        """Digest of the runtime."""
        return self._leases.digest

    async def work(self, stop: asyncio.Event) -> None:
        """Lease and run jobs until `stop`; a running job then has STOP_SECONDS to end before it is given back.

        Raises:
            TokenRefusedError: The core refuses the token.
        """
        stopping: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
        pause = 0.1
        try:
            while not stop.is_set():
                lease = asyncio.ensure_future(self._leases.next())
                await asyncio.wait([lease, stopping], return_when=asyncio.FIRST_COMPLETED)
                if not lease.done():
                    # A lease that the core grants at this moment ends by itself, and another worker takes the job.
                    lease.cancel()
                    await asyncio.wait({lease})
                    return
                try:
                    job = lease.result()
                except grpc.aio.AioRpcError as error:
                    if error.code() in _REFUSED:
                        raise TokenRefusedError(
                            "the core refuses this worker's token: it is wrong or was revoked; `catenary worker-token"
                            " create NAME` on the core's machine makes one; for a worker of `serve`, delete worker.token"
                            " in the data directory and start again"
                        ) from None
                    _log.warning("no lease", code=error.code().name, details=error.details(), pause=pause)
                    await asyncio.wait({stopping}, timeout=pause)
                    pause = min(pause * 2, _LONGEST_PAUSE)
                    continue
                pause = 0.1
                if job is not None and job.kind == pb.JOB_KIND_SESSION:
                    self._sessions.begin(job)
                elif job is not None and not await self._perform(job, stopping):
                    # Another worker, which may be in better health, takes the job when the lease ends.
                    await self._leases.give_back_ahead()
                    await asyncio.wait({stopping}, timeout=job.lease_seconds * 2)
        finally:
            stopping.cancel()
            await self._leases.give_back_ahead()
            await self._sessions.close()

    async def _perform(self, job: pb.Job, stopping: asyncio.Future[Any]) -> bool:
        """Run a job to one of its ends: completed, cancelled, given back, or left for its lease to end.

        Returns False if this worker failed at the job.
        """
        log = _log.bind(job_id=job.job_id, request_id=job.request_id)
        span = None if self._trace is None else self._trace(job.traceparent)
        ended = "left"
        running: asyncio.Future[Callable[[], Awaitable[str]]] = asyncio.ensure_future(self._run(job, stopping))
        heartbeats = asyncio.ensure_future(self._send_heartbeats(job, running))
        try:
            await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
            given_back = False
            if not running.done():
                await asyncio.wait({running}, timeout=STOP_SECONDS)
                given_back = running.cancel()
                await asyncio.wait({running})
            if not running.cancelled():
                ended = await running.result()()
                log.info("job done", kind=pb.JobKind.Name(job.kind))
            elif given_back:
                await self._leases.give_back(job)
                ended = "given back"
                log.info("job given back")
            else:
                ended = "cancelled"
                log.info("job cancelled")
        except WorkerFaultError as error:
            # Not given back: that would count as no attempt, and a model that breaks workers would be retried for ever.
            log.error("the worker failed; the job waits for its lease to end", error=str(error))
            return False
        except grpc.aio.AioRpcError as error:
            log.warning(
                "result not sent; the job waits for its lease to end", code=error.code().name, details=error.details()
            )
        finally:
            heartbeats.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await heartbeats
            self._progress.pop(job.job_id, None)
            if span is not None:
                attributes = {"catenary.request_id": job.request_id, "catenary.ended": ended}
                span.end(pb.JobKind.Name(job.kind), attributes, failed=ended == "left")
        return True

    async def _run(self, job: pb.Job, stopping: asyncio.Future[Any]) -> Callable[[], Awaitable[str]]:
        """Run a job; return what sends its outcome and returns the status that the core took."""
        model = await self._models.of(job)
        task = _task(job, model)
        if job.kind == pb.JOB_KIND_EVALUATE:
            task = replace(task, on_progress=lambda told: self._note_progress(job.job_id, told))
        if task.renders:
            await self._leases.renew()
        if job.kind == pb.JOB_KIND_POINTS:
            with contextlib.suppress(WorkerFaultError):  # each point has the model described again
                async with self._zygote.slot(task):
                    described = await self._models.described(model, task)
                task = replace(task, description=described.description, code=described.code)
            results = await self._chunks.run(job, task, self.digest, stopping, self._leases.look_ahead)
            return partial(self._chunks.complete, job, self.digest, results)
        return partial(self._complete, job, await self._run_alone(job, model, task))

    async def _run_alone(self, job: pb.Job, model: FetchedModel, task: Task) -> tuple[Outcome, bool | None]:
        """Run a job in a child of its own, at most twice, and return its outcome.

        The flag tells, for a check only, whether the defaults gave the same result twice.
        """
        try:
            return await self._attempt(job, model, task)
        except WorkerFaultError as error:
            # The zygote died while the model ran, or could not start a child; the next run starts it again.
            _log.warning(
                "job is run again after a worker fault", job_id=job.job_id, request_id=job.request_id, error=str(error)
            )
            return await self._attempt(job, model, task)

    async def _attempt(self, job: pb.Job, model: FetchedModel, task: Task) -> tuple[Outcome, bool | None]:
        if job.kind == pb.JOB_KIND_CHECK:
            return await check(self._zygote, task)
        async with self._zygote.slot(task):  # one turn for both: between two, a design of each session would run
            described = await self._models.described(model, task)
            if described.status != "completed":
                return described, None
            known = replace(task, description=described.description, code=described.code)
            try:
                return await self._zygote.run_once(await self._files.filled(job.model_version_id, known)), None
            except FileGoneError as error:
                return failed(str(error)), None

    async def prepare(self, job: pb.Job) -> Task:
        """Return the task of a live session's job, see `sessions.Host`."""
        async with self.leased(job):
            task = _task(job, await self._models.of(job))
        if task.renders:
            await self._leases.renew()
        return task

    def keep(self, job: pb.Job, task: Task) -> contextlib.AbstractAsyncContextManager[Kept]:
        """Return a context in which a job's model runs, see `sessions.Host`."""
        return self._keeper.keep(job.source_sha256, task, partial(self._files.filled, job.model_version_id))

    @contextlib.asynccontextmanager
    async def leased(self, job: pb.Job) -> AsyncIterator[None]:
        """Renew the lease of a job while the block runs; see `sessions.Host`."""
        lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heartbeats = asyncio.ensure_future(self._send_heartbeats(job, lost))
        try:
            yield
        finally:
            heartbeats.cancel()
            lost.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await heartbeats

    def _note_progress(self, job_id: str, told: ModelProgress) -> None:
        self._progress[job_id] = told

    async def _send_heartbeats(self, job: pb.Job, running: asyncio.Future[Any]) -> None:
        """Renew the lease at least three times in its life; end the run if the core no longer wants the job.

        A heartbeat carries the progress that the model has told since the last one.
        """
        pause = min(job.lease_seconds / 3, _BEAT_SECONDS)
        while True:
            await asyncio.sleep(pause)
            request = pb.HeartbeatRequest(job_id=job.job_id, lease_token=job.lease_token)
            if (told := self._progress.pop(job.job_id, None)) is not None:
                request.progress.CopyFrom(pb.JobProgress(**told._asdict()))
            try:
                answer = await self._stub.Heartbeat(request, metadata=self._metadata, timeout=job.lease_seconds / 3)
            except grpc.aio.AioRpcError as error:
                _log.warning("no heartbeat", job_id=job.job_id, request_id=job.request_id, code=error.code().name)
                if error.code() in _REFUSED:
                    running.cancel()
                    return
                continue
            if answer.cancelled:
                running.cancel()
                return

    async def _complete(self, job: pb.Job, result: tuple[Outcome, bool | None]) -> str:
        """Send the result, again while the core is unreachable and the lease may still be valid.

        A result that the core refuses twice was not damaged on its way: another attempt would give the same one, so the
        job ends as failed at once.

        Returns:
            The status that the core took.
        """
        outcome, deterministic = result
        deadline = asyncio.get_running_loop().time() + job.lease_seconds
        refusals = 0
        while True:
            try:
                requests = completion.messages(job, outcome, deterministic, self.digest)
                await self._stub.Complete(requests, metadata=self._metadata, timeout=CALL_SECONDS * 2)
            except grpc.aio.AioRpcError as error:
                if error.code() in RESULT_REFUSED and refusals < 2:
                    refusals += 1
                    _log.warning(
                        "the core refuses a result",
                        job_id=job.job_id,
                        request_id=job.request_id,
                        details=error.details(),
                    )
                    if refusals == 2:
                        outcome, deterministic = completion.refused(error.details() or ""), None
                    continue
                if error.code() not in TRANSIENT or asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(0.2)
            else:
                return outcome.status


def _task(job: pb.Job, model: FetchedModel) -> Task:
    """Return the evaluation that a job asks for."""
    return Task(
        mode="evaluate",
        kind=cast("Kind", job.model_kind),
        source=model.source,
        parameters={name: orjson.loads(value.text) for name, value in job.parameters.items()},
        timeout=job.timeout_seconds,
        memory=job.memory_bytes,
        repeatable=job.repeatable,
        sharers=job.sharers,
        user=job.user,
        project=job.project,
        geometry=job.kind != pb.JOB_KIND_POINTS and not job.without_geometry,
    )


async def _wait_for_first(*waits: Awaitable[Any]) -> None:
    """Wait for the first of `waits` and cancel the others."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
