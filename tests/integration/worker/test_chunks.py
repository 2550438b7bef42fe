"""Chunks of points, run by real workers against a real core."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_pb2_grpc
from catenary_core.call.call import Identity
from catenary_worker import completion
from catenary_worker.child import WorkerFaultError
from catenary_worker.host import Zygote
from catenary_worker.jobs import chunks
from catenary_worker.kept import Kept
from catenary_worker.loop import Worker
from catenary_worker.task import Outcome
from factories.services import evaluations
from factories.services.evaluations import Node, deploy, open_node, parameter, run_sql

pytestmark = pytest.mark.slow

MODEL = b"""
import os
import time
PARAMETERS = [{"name": "x", "type": "number", "min": 0, "max": 1000, "default": 0},
              {"name": "pause", "type": "number", "min": 0, "max": 100, "default": 0}]
METRICS = [{"name": "square"}]
calls = 0

def evaluate(p):
    global calls
    calls += 1
    time.sleep(p["pause"])
    if p["x"] == 13:
        raise ValueError("thirteen")
    if p["x"] == 14:
        os._exit(3)
    return {"metrics": {"square": p["x"] ** 2 + %s}, "tables": {"rows": [{"x": p["x"]}]}}
"""
PARAMETERS = [parameter("x", "number", 0.0, min=0.0, max=1000.0), parameter("pause", "number", 0.0, min=0.0, max=100.0)]
BATCHES = "/catenary.platform.v1.BatchService/"


@pytest.fixture(params=["0", "(calls > 3)"], ids=["repeatable", "wrongly taken for repeatable"])
async def node(
    request: pytest.FixtureRequest, dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Node]:
    monkeypatch.setattr(evaluations, "SOURCE", MODEL % request.param.encode())
    worker = Identity("0199aaaa-0000-7000-8000-000000000004", "worker")
    monkeypatch.setitem(evaluations.CALLERS, "Bearer token", worker)
    async with open_node(dsn, tmp_path) as opened:
        await opened.reaper.start()
        yield opened
        await opened.reaper.stop()


@asynccontextmanager
async def _working(node: Node, name: str = "w1", stop: asyncio.Event | None = None) -> AsyncIterator[Worker]:
    """Run a worker in this process, until `stop` or the end of the block."""
    async with AsyncExitStack() as stack:
        zygote = Zygote(allow_unsandboxed=True)
        await zygote.start()
        stack.push_async_callback(zygote.close)
        stub: Any = worker_service_pb2_grpc.WorkerServiceStub(node.channel)
        worker, stop = Worker(stub, "token", name, zygote), stop or asyncio.Event()
        task = asyncio.create_task(worker.work(stop))
        try:
            yield worker
        finally:
            stop.set()
            await task


async def _make(node: Node, *points: dict[str, float]) -> str:
    project, version = await deploy(node.frame.db, node.frame.objects, PARAMETERS)
    await run_sql(
        node.frame.db, "UPDATE models.model_version SET repeatable = true WHERE model_version_id = :v", v=version
    )
    given = [
        {"parameters": {name: {"text": orjson.dumps(value).decode()} for name, value in one.items()}} for one in points
    ]
    request = node.dispatch.bindings[BATCHES + "CreateBatch"].request(project_id=project, evaluations=given)
    made = await node.dispatch.call(BATCHES + "CreateBatch", request, {"authorization": "evaluator"})
    return str(made.body["batch"]["batch_id"])


async def _done(node: Node, batch_id: str) -> list[dict[str, Any]]:
    """Wait for the end of a batch; return its points in order."""
    request = node.dispatch.bindings[BATCHES + "StreamBatchResults"].request(batch_id=batch_id)
    async with asyncio.timeout(120):
        stream = await node.dispatch.open(BATCHES + "StreamBatchResults", request, {"authorization": "viewer"})
        found = [item["result"] async for part in stream.items for item in part["items"]]
    return sorted(found[:-1], key=lambda one: one["index"])


async def test_every_point_has_the_result_of_a_child_of_its_own(node: Node) -> None:
    """A model that changes after three calls is found out, and what was computed so is computed again."""
    batch_id = await _make(node, *({"x": float(x)} for x in range(60)))
    async with _working(node):
        results = await _done(node, batch_id)
    failed = {13: "thirteen", 14: ""}
    assert [one["status"] for one in results] == ["failed" if x in failed else "completed" for x in range(60)]
    assert "thirteen" in results[13]["error"]["message"]
    squares = [one["metrics"]["square"]["value"] for one in results if one["status"] == "completed"]
    assert squares == [x * x for x in range(60) if x not in failed]
    assert results[7]["tables"] == {"rows": [{"x": 7.0}]}
    wrong = evaluations.SOURCE != MODEL % b"0"
    (version,) = await run_sql(node.frame.db, "SELECT repeatable, repeatable_reason FROM models.model_version")
    assert version["repeatable"] is not wrong
    assert bool(version["repeatable_reason"]) is wrong


@pytest.mark.parametrize("node", ["0"], ids=["repeatable"], indirect=True)
async def test_the_next_chunk_is_leased_while_results_are_confirmed(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that stops at that moment gives the chunk back, which counts as no attempt."""
    leased: list[list[int]] = []
    confirm, stop = Kept.confirm, asyncio.Event()

    async def slowly(kept: Kept) -> bool:
        await asyncio.sleep(0.5)
        rows = await run_sql(node.frame.db, "SELECT attempts FROM jobs.job WHERE leased_at IS NOT NULL")
        leased.append([row["attempts"] for row in rows])
        stop.set()
        return await confirm(kept)

    values = [{"x": float(x), "pause": 0.01} for x in range(20, 80)]
    made = [await _make(node, *values), await _make(node, *values)]
    with monkeypatch.context() as patch:
        patch.setattr(Kept, "confirm", slowly)
        async with _working(node, stop=stop):
            await asyncio.wait_for(stop.wait(), 60)
    assert leased == [[1, 1]]
    left = await run_sql(node.frame.db, "SELECT attempts, leased_at, worker_id FROM jobs.job")
    assert {(row["attempts"], row["leased_at"], row["worker_id"]) for row in left} == {(0, None, None)}
    batches = await run_sql(node.frame.db, "SELECT queued, running, completed FROM evaluations.batch")
    assert [one["running"] for one in batches] == [0, 0]
    assert sum(one["queued"] for one in batches) == 120 - sum(one["completed"] for one in batches) > 0
    async with _working(node, "w2"):
        for batch_id in made:
            results = await _done(node, batch_id)
            assert [one["metrics"]["square"]["value"] for one in results] == [x * x for x in range(20, 80)]


@pytest.mark.parametrize("node", ["0"], ids=["repeatable"], indirect=True)
async def test_short_points_of_a_batch_are_confirmed_together(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extension each chunk has a confirmation of its own."""

    async def confirmations() -> int:
        batch_id = await _make(node, *({"x": float(x), "pause": 0.005} for x in range(20, 80)))
        confirmed.clear()
        async with _working(node):
            results = await _done(node, batch_id)
        assert [one["metrics"]["square"]["value"] for one in results] == [x * x for x in range(20, 80)]
        return len(confirmed)

    async def none(kept: chunks.Chunks, job: pb.Job) -> list[pb.JobPoint]:
        return []

    confirm, confirmed = Kept.confirm, list[Kept]()

    async def counted(kept: Kept) -> bool:
        if kept._unconfirmed is not None:
            confirmed.append(kept)
        return await confirm(kept)

    monkeypatch.setattr(Kept, "confirm", counted)
    assert await confirmations() <= 2, "a second one where a point is leased before the core knows what the first took"
    monkeypatch.setattr(chunks.Chunks, "_further", none)
    assert await confirmations() > 3


@pytest.mark.parametrize("node", ["0"], ids=["repeatable"], indirect=True)
async def test_a_worker_that_stops_gives_its_points_back(node: Node) -> None:
    batch_id = await _make(node, *({"x": float(x), "pause": 0.2} for x in range(8)))
    await run_sql(node.frame.db, "UPDATE evaluations.batch SET seconds = 0.001")
    async with _working(node):
        async with asyncio.timeout(60):
            while not (await run_sql(node.frame.db, "SELECT 1 FROM evaluations.point WHERE status = 'completed'")):  # noqa: ASYNC110 (it is a row of PostgreSQL)
                await asyncio.sleep(0.02)
    (counts,) = await run_sql(node.frame.db, "SELECT queued, running, completed FROM evaluations.batch")
    assert counts["running"] == 0
    assert counts["queued"] == 8 - counts["completed"] > 0
    async with _working(node, "w2"):
        results = await _done(node, batch_id)
    assert [one["metrics"]["square"]["value"] for one in results] == [x * x for x in range(8)]


class _Scripted(Kept):
    """Gives outcomes of a script instead of running a model."""

    def __init__(self, *outcomes: Outcome | WorkerFaultError) -> None:
        self._outcomes = list(outcomes)

    seconds = 0.0

    @property
    def together(self) -> int:
        return 1

    async def evaluate_all(self, points: Sequence[Any]) -> list[Outcome]:
        assert len(points) == 1
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, WorkerFaultError):
            raise outcome
        return [outcome]

    async def confirm(self) -> str:
        return ""


async def _run(kept: Kept, count: int, *further: int) -> tuple[list[tuple[list[int], bool]], list[int]]:
    """Run a chunk; return the results sent before its end, and those left for the end, by their numbers.

    `further` are the numbers of points by which it is extended, once, when it asks for some.
    """
    sent: list[tuple[list[int], bool]] = []
    asked = [pb.JobPoint(index=number) for number in further]

    async def extend() -> list[pb.JobPoint]:
        given = list(asked)
        asked.clear()
        return given

    async def send(results: Any, ends_chunk: bool) -> None:
        sent.append(([one.index for one in results], ends_chunk))

    job = pb.Job(job_id="job", points=[pb.JobPoint(index=number) for number in range(count)])
    stopping: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    try:
        left = await chunks._Chunk(job, kept, send, extend, lambda: None).run(stopping)
    except WorkerFaultError:
        return sent, [-1]
    return sent, [one.index for one in left]


def _of_size(size: int) -> Outcome:
    return Outcome("completed", tables={"rows": [{"text": "x" * 10_000} for _ in range(size // 10_000)]})


async def test_large_results_are_sent_before_the_end_of_the_chunk() -> None:
    small, large, largest = _of_size(10_000), _of_size(1_200_000), _of_size(2_800_000)
    assert await _run(_Scripted(small, small, small), 3) == ([], [0, 1, 2])
    assert await _run(_Scripted(small, large, small), 3) == ([([0, 1], False)], [2])
    assert await _run(_Scripted(_of_size(900_000), largest, small), 3) == ([([0], False), ([1], False)], [2])
    assert completion.point(0, largest).ByteSize() < 3.5 * 1024**2


async def test_a_chunk_is_extended_where_results_wait_for_a_confirmation() -> None:
    fresh, reused = Outcome("completed"), Outcome("completed", reused=True)
    assert await _run(_Scripted(fresh, reused, reused, reused), 2, 7, 8) == ([], [0, 1])
    assert await _run(_Scripted(fresh, reused, reused, reused, reused), 3, 7, 8) == ([], [0, 1, 2, 7, 8])
    assert await _run(_Scripted(fresh, fresh, fresh), 3, 7, 8) == ([], [0, 1, 2])


@pytest.mark.parametrize(("seconds", "order"), [(0.0, ["asked", "run"]), (1000.0, ["run", "asked"])])
async def test_further_points_are_asked_for_shortly_before_the_last_have_run(seconds: float, order: list[str]) -> None:
    """Another slot would wait for what is held too early; a run that ends sooner is no reason to wait."""
    seen: list[str] = []
    asked = asyncio.Event()

    class Timed(_Scripted):
        async def evaluate_all(self, points: Sequence[Any]) -> list[Outcome]:
            if len(self._outcomes) == 1 and not self.seconds:
                await asked.wait()
            found = await super().evaluate_all(points)
            seen.append("run")
            return found

    async def extend() -> list[pb.JobPoint]:
        seen.append("asked")
        asked.set()
        return []

    async def send(results: Any, ends_chunk: bool) -> None:
        raise AssertionError("nothing is sent before the end")

    kept = Timed(*(Outcome("completed", reused=True) for _ in range(2)))
    kept.seconds = seconds
    job = pb.Job(job_id="job", points=[pb.JobPoint(index=number) for number in range(2)])
    stopping: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    async with asyncio.timeout(60):
        assert len(await chunks._Chunk(job, kept, send, extend, lambda: None).run(stopping)) == 2
    assert seen == ["run", *order]


async def test_a_call_has_a_limited_number_of_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "SEND_POINTS", 2)
    reused = [Outcome("completed", reused=True) for _ in range(9)]
    assert await _run(_Scripted(*reused), 3, 7, 8) == ([([0, 1], False), ([2, 7], False)], [8])


async def test_results_of_a_slow_chunk_are_sent_before_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "SEND_SECONDS", 0.0)
    small = _of_size(10_000)
    assert await _run(_Scripted(small, small), 2) == ([([0], False), ([1], False)], [])


async def test_a_point_is_run_again_after_a_fault_and_sure_results_are_sent_after_two() -> None:
    small, fault = _of_size(10_000), WorkerFaultError("lost")
    assert await _run(_Scripted(small, fault, small, small), 3) == ([], [0, 1, 2])
    assert await _run(_Scripted(small, fault, fault), 3) == ([([0], False)], [-1])
