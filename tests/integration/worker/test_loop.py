"""The lease loop against a real core: workers that stop, fail, lose the core, or are refused."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from catenary.worker.v1 import worker_service_pb2_grpc
from catenary_core.call.call import Identity
from catenary_core.server import grpc_server
from catenary_worker import completion, fetched_models, leases, loop
from catenary_worker.child import WorkerFaultError
from catenary_worker.host import Zygote
from catenary_worker.loop import TokenRefusedError, Worker
from catenary_worker.sandbox import runtime
from catenary_worker.task import Outcome, Task
from factories.installations.installation import free_port
from factories.services import evaluations
from factories.services.evaluations import Node, deploy, open_node, parameter, run_sql
from integration.worker.test_openscad import needs_openscad
from integration.worker.zygotes import Without, child_at_work, exists

pytestmark = pytest.mark.slow

MODEL = b"""
import time
PARAMETERS = [{"name": "pause", "type": "number", "min": 0, "max": 1000, "default": 0}]
METRICS = [{"name": "waited"}]

def evaluate(p):
    time.sleep(p["pause"])
    return {"metrics": {"waited": p["pause"]}}
"""
PARAMETERS = [parameter("pause", "number", 0.0, min=0.0, max=1000.0)]
LEASE_SECONDS = 30.0
"""So long that a machine that stands still doesn't take a job from its worker."""


@pytest.fixture
async def node(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Node]:
    monkeypatch.setattr(evaluations, "SOURCE", MODEL)
    worker = Identity("0199aaaa-0000-7000-8000-000000000004", "worker")
    monkeypatch.setitem(evaluations.CALLERS, "Bearer token", worker)
    async with open_node(dsn, tmp_path, lease_seconds=LEASE_SECONDS) as opened:
        await opened.reaper.start()
        yield opened
        await opened.reaper.stop()


class Running:
    """A worker at work in this process, with a zygote of its own."""

    def __init__(self, worker: Worker, zygote: Zygote, stop: asyncio.Event, task: asyncio.Task[None]) -> None:
        self.worker = worker
        self.zygote = zygote
        self.stop = stop
        self.task = task

    async def model_pid(self) -> int:
        """Return the process id of the model's evaluation, once it runs.

        Another child describes the model.
        """

        async def evaluates() -> bool:
            described = any(model.described is not None for model in self.worker._models._models.values())
            return described and self.zygote._running is not None

        await _until(evaluates)
        assert self.zygote._running is not None
        return self.zygote._running.pid


@asynccontextmanager
async def at_work(address: str, token: str = "token", interceptors: Any = ()) -> AsyncIterator[Running]:
    zygote, stop = Zygote(), asyncio.Event()
    await zygote.start()
    options = loop._CHANNEL_OPTIONS
    async with grpc.aio.insecure_channel(address, options=options, interceptors=interceptors) as channel:
        worker = Worker(worker_service_pb2_grpc.WorkerServiceStub(channel), token, "w1", zygote)  # type: ignore[arg-type]
        task = asyncio.create_task(worker.work(stop))
        try:
            yield Running(worker, zygote, stop, task)
        finally:
            stop.set()
            await asyncio.wait({task})
            await zygote.close()


async def _queue(node: Node, pause: float) -> str:
    project, _ = await deploy(node.frame.db, node.frame.objects, PARAMETERS)
    answer = await node.evaluate(project, {"pause": pause}, prefer="respond-async")
    return str(answer.body["evaluation"]["evaluation_id"])


async def _status(node: Node, evaluation_id: str) -> str:
    return str((await node.call("GetEvaluation", evaluation_id=evaluation_id)).body["evaluation"]["status"])


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(120):
        while not await condition():  # noqa: ASYNC110 (what is waited for is in other processes)
            await asyncio.sleep(0.02)


async def _until_status(node: Node, evaluation_id: str, wanted: str) -> None:
    async def there() -> bool:
        return await _status(node, evaluation_id) == wanted

    await _until(there)


async def _attempts(node: Node) -> list[int]:
    return [row["attempts"] for row in await run_sql(node.frame.db, "SELECT attempts FROM jobs.job")]


async def test_a_worker_leaves_jobs_to_others_while_it_has_no_child_ready(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    child_is_ready = asyncio.Event()

    async def ready(_: Zygote) -> None:
        await child_is_ready.wait()

    monkeypatch.setattr(Zygote, "ready", ready)
    evaluation_id = await _queue(node, 0)
    async with at_work(node.address):
        await asyncio.sleep(1)
        assert await _attempts(node) == [0]
        child_is_ready.set()
        await _until_status(node, evaluation_id, "completed")


async def test_a_model_is_read_once_and_by_a_child_that_runs_none_of_it(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Task] = []
    told: list[Outcome] = []
    run = Zygote.run_once

    async def noted(zygote: Zygote, task: Task) -> Outcome:
        asked.append(task)
        told.append(await run(zygote, task))
        return told[-1]

    monkeypatch.setattr(Zygote, "run_once", noted)
    async with at_work(node.address):
        for pause in (0.01, 0.02):
            await _until_status(node, await _queue(node, pause), "completed")
    assert [task.mode for task in asked] == ["describe", "evaluate", "evaluate"]
    assert told[0].code
    assert [task.code for task in asked] == [b"", told[0].code, told[0].code]
    assert [outcome.code for outcome in told[1:]] == [b"", b""], "of a child that ran a model no code is taken"


async def test_a_worker_keeps_models_up_to_a_number_of_bytes_their_code_too(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    literals = b"\nLITERALS = [%s]\n" % b",".join(b"'%06x' * 682" % number for number in range(300))
    monkeypatch.setattr(evaluations, "SOURCE", MODEL + literals)
    monkeypatch.setattr(fetched_models, "_MODELS_BYTES", 500_000)
    async with at_work(node.address) as worker:
        await _until_status(node, await _queue(node, 0.0), "completed")
        (large,) = worker.worker._models._models.values()
        assert len(large.source) < 10_000
        assert large.size > 1_000_000, "its code is many times its source"
        assert large.described is not None
        assert large.size > len(large.source) + len(large.described.code), "and its description counts"
        monkeypatch.setattr(evaluations, "SOURCE", MODEL)
        await _until_status(node, await _queue(node, 0.0), "completed")
        (small,) = worker.worker._models._models.values()
        assert small.source == MODEL


@needs_openscad
async def test_a_program_that_is_installed_later_changes_the_runtime_of_a_running_worker(
    node: Node, tmp_path: Path, without: Without, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = runtime.openscad()
    assert program is not None
    folder = tmp_path / "bin"
    folder.mkdir()
    without(code=f"from catenary_worker.sandbox import runtime\nruntime.OPENSCAD_FOLDERS = {str(folder)!r}")
    monkeypatch.setattr(runtime, "OPENSCAD_FOLDERS", str(folder))
    monkeypatch.setattr(leases, "WAIT_SECONDS", 0.2)

    async def current() -> str:
        return "".join(row["digest"] for row in await run_sql(node.frame.db, "SELECT digest FROM worker.runtime"))

    async with at_work(node.address) as worker:
        before = runtime.digest()
        evaluation_id = await _queue(node, 0.0)
        await _until_status(node, evaluation_id, "completed")
        assert await current() == before
        shutil.copy(program, folder)
        after = runtime.digest()

        async def renewed() -> bool:
            return await current() == after

        await _until(renewed)
        assert after != before, "so results of the old runtime do not count for the new one"
        evaluation_id = await _queue(node, 0.0)
        await _until_status(node, evaluation_id, "completed")
        assert not worker.task.done()


async def test_a_worker_that_is_told_to_stop_finishes_its_job(node: Node) -> None:
    evaluation_id = await _queue(node, 1.5)
    async with at_work(node.address) as worker:
        await worker.model_pid()  # the core says `running` a little before the worker has the job
        worker.stop.set()
        await worker.task
        assert await _status(node, evaluation_id) == "completed"


async def test_a_job_that_outlasts_its_workers_stop_is_given_back_and_done_by_another(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "STOP_SECONDS", 0.2)
    object.__setattr__(node.frame.settings, "lease_seconds", 600.0)  # nobody waits for the end of the lease
    evaluation_id = await _queue(node, 2.5)
    async with at_work(node.address) as worker:
        await worker.model_pid()
        worker.stop.set()
        await worker.task
    assert await _attempts(node) == [0], "the attempt doesn't count"
    async with at_work(node.address):
        await _until_status(node, evaluation_id, "completed")


async def test_a_result_waits_for_a_core_that_is_away_for_three_seconds(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "CALL_SECONDS", 5.0)
    port = free_port()

    async def door() -> grpc.aio.Server:
        server, _ = grpc_server.create_server(node.dispatch)
        server.add_insecure_port(f"127.0.0.1:{port}")
        await server.start()
        return server

    first = await door()
    # Longer than the outage, so that no other worker would be given the job.
    object.__setattr__(node.frame.settings, "lease_seconds", 120.0)
    evaluation_id = await _queue(node, 2.0)
    async with at_work(f"127.0.0.1:{port}") as worker:
        await _until_status(node, evaluation_id, "running")
        await child_at_work(worker.zygote)  # or the core is away before it gives the model
        await first.stop(None)
        await asyncio.sleep(3)
        second = await door()
        await _until_status(node, evaluation_id, "completed")
        assert await _attempts(node) == []
        another = await _queue(node, 0.1)
        await _until_status(node, another, "completed")
    await second.stop(None)


REFUSED = {"waited": {"value": 0.0, "unit": "x" * 65}}


@pytest.fixture
def completions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the statuses that the worker sends, in order; each result has a unit that the core refuses."""
    sent: list[str] = []
    run, messages = Zygote.run_once, completion.messages

    async def overlong(zygote: Zygote, task: Task) -> Outcome:
        outcome = await run(zygote, task)
        return outcome if task.mode == "describe" else replace(outcome, metrics=REFUSED)

    def noted(job: Any, outcome: Outcome, *more: Any) -> Any:
        sent.append(outcome.status)
        return messages(job, outcome, *more)

    monkeypatch.setattr(Zygote, "run_once", overlong)
    monkeypatch.setattr(completion, "messages", noted)
    return sent


async def test_a_result_that_the_core_refuses_ends_its_job_as_failed_at_once(
    node: Node, completions: list[str]
) -> None:
    evaluation_id = await _queue(node, 0.0)
    async with at_work(node.address):
        await _until_status(node, evaluation_id, "failed")
        assert await _attempts(node) == []
        found = (await node.call("GetEvaluation", evaluation_id=evaluation_id)).body["evaluation"]
        assert found["error"] == {
            "code": "MODEL_FAILED",
            "message": "The platform does not take the result: outcome.metrics.waited.unit must be null or one line of text of"
            " at most 64 characters. Change what the model returns; the same is refused again.",
            "line": None,
        }
        assert completions == ["completed", "completed", "failed"]
        queued = await _queue(node, 0.1)  # the worker goes on
        await _until_status(node, queued, "failed")


async def test_without_its_end_a_refused_result_is_left_to_its_lease(
    node: Node, completions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "RESULT_REFUSED", set())
    evaluation_id = await _queue(node, 0.0)
    async with at_work(node.address) as worker:

        async def refused() -> bool:
            return bool(completions) and worker.zygote._running is None

        await _until(refused)
        worker.stop.set()
        await worker.task
    assert completions == ["completed"]
    assert (await _status(node, evaluation_id), await _attempts(node)) == ("running", [1])


async def test_a_result_that_was_damaged_on_its_way_is_sent_again(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = completion.messages
    sent: list[bool] = []

    async def damaged_once(*arguments: Any) -> AsyncIterator[Any]:
        sent.append(True)
        async for message in messages(*arguments):
            if len(sent) == 1:
                message.chunk += b"x"
            yield message

    monkeypatch.setattr(completion, "messages", damaged_once)
    evaluation_id = await _queue(node, 0.0)
    async with at_work(node.address):
        await _until_status(node, evaluation_id, "completed")
    assert len(sent) == 2


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("catenary.progress(0.25, 'waiting')", (0.25, "waiting", None)),
        ("print('progress 0.25 waiting')", (0.25, "waiting", None)),
        ("print('1,204 elements', flush=True)", (0.0, "", "1,204 elements")),
    ],
)
async def test_the_progress_that_a_model_tells_is_shown_while_it_runs(
    node: Node, monkeypatch: pytest.MonkeyPatch, way: str, expected: tuple[float, str, str | None]
) -> None:
    source = MODEL.replace(b"import time", b"import time, catenary").replace(
        b"    time.sleep", f"    {way}\n    time.sleep".encode()
    )
    monkeypatch.setattr(evaluations, "SOURCE", source)
    evaluation_id = await _queue(node, 100.0)

    async def progress() -> Any:
        return (await node.call("GetEvaluation", evaluation_id=evaluation_id)).body["evaluation"]["progress"]

    async def told() -> bool:
        return await progress() is not None

    async with at_work(node.address):
        await _until(told)
        assert await progress() == dict(zip(("fraction", "message", "output"), expected, strict=True))
        await node.call("CancelEvaluation", evaluation_id=evaluation_id)


async def test_a_cancelled_model_is_killed_long_before_its_end(node: Node) -> None:
    evaluation_id = await _queue(node, 1000.0)
    async with at_work(node.address) as worker:
        model = await worker.model_pid()
        assert exists(model)
        await node.call("CancelEvaluation", evaluation_id=evaluation_id)

        async def gone() -> bool:
            return not exists(model)

        await _until(gone)
        assert await _status(node, evaluation_id) == "cancelled"
        another = await _queue(node, 0.1)
        await _until_status(node, another, "completed")


@pytest.mark.slow
@pytest.mark.gate
async def test_a_worker_whose_token_is_revoked_kills_its_model_and_ends_and_another_gets_the_job(node: Node) -> None:
    object.__setattr__(node.frame.settings, "lease_seconds", 1.0)
    callers = node.dispatch._authenticator._callers  # type: ignore[attr-defined]  # those of the factory
    callers["Bearer other"] = callers["Bearer token"]
    evaluation_id = await _queue(node, 100.0)
    async with at_work(node.address) as worker:
        model = await worker.model_pid()
        del callers["Bearer token"]
        with pytest.raises(TokenRefusedError, match="revoked"):
            await asyncio.wait_for(asyncio.shield(worker.task), 120)
        await _until(lambda: _is_gone(model))
    async with at_work(node.address, "other") as worker:
        await worker.model_pid()
        await node.call("CancelEvaluation", evaluation_id=evaluation_id)
        await _until_status(node, evaluation_id, "cancelled")


async def _is_gone(pid: int) -> bool:
    return not exists(pid)


async def test_a_job_that_is_leased_at_the_very_moment_of_the_stop_is_done_by_another(node: Node) -> None:
    class StopsAtLease(grpc.aio.UnaryUnaryClientInterceptor):
        stop: asyncio.Event

        async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
            call = await continuation(details, request)
            if details.method.endswith(b"/Lease"):
                await call  # the core has given the lease, and the worker doesn't know
                self.stop.set()
                await asyncio.sleep(1)
            return call

    object.__setattr__(node.frame.settings, "lease_seconds", 2.0)  # after which the job is another's
    evaluation_id = await _queue(node, 0.1)
    interceptor = StopsAtLease()
    zygote = Zygote()
    await zygote.start()
    interceptor.stop = asyncio.Event()
    async with grpc.aio.insecure_channel(node.address, interceptors=[interceptor]) as channel:
        stub: Any = worker_service_pb2_grpc.WorkerServiceStub(channel)  # type: ignore[no-untyped-call]
        await Worker(stub, "token", "w1", zygote).work(interceptor.stop)
    await zygote.close()
    assert await _attempts(node) == [1]
    async with at_work(node.address):
        await _until_status(node, evaluation_id, "completed")


async def test_a_job_whose_zygote_is_killed_begins_again(node: Node) -> None:
    object.__setattr__(node.frame.settings, "lease_seconds", 60.0)  # so that the same worker must do it
    evaluation_id = await _queue(node, 1.0)
    async with at_work(node.address) as worker:
        await worker.model_pid()
        assert worker.zygote.pid is not None
        os.kill(worker.zygote.pid, signal.SIGKILL)
        await _until_status(node, evaluation_id, "completed")


async def test_a_model_that_breaks_workers_ends_after_three_attempts(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(self: Zygote, task: Any) -> Any:
        raise WorkerFaultError("the zygote was lost")

    monkeypatch.setattr(Zygote, "run_once", breaks)
    object.__setattr__(node.frame.settings, "lease_seconds", 1.0)
    evaluation_id = await _queue(node, 0.1)
    async with at_work(node.address):
        await _until_status(node, evaluation_id, "failed")
    found = (await node.call("GetEvaluation", evaluation_id=evaluation_id)).body["evaluation"]
    assert found["error"]["code"] == "UNAVAILABLE"
    assert await _attempts(node) == []


async def test_a_worker_with_a_wrong_token_says_so_and_ends(node: Node) -> None:
    async with at_work(node.address, token="wrong") as worker:
        with pytest.raises(TokenRefusedError, match="catenary worker-token create"):
            await asyncio.wait_for(asyncio.shield(worker.task), 60)
