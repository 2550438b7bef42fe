"""The worker's side of live sessions: the child that a session keeps, the end of its call, and the way to its core."""

from __future__ import annotations

import asyncio
import contextlib
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import grpc
import orjson
import pytest

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_worker import kept
from catenary_worker.host import Zygote
from catenary_worker.jobs import sessions
from catenary_worker.jobs.sessions import OPENED, Sessions
from catenary_worker.kept import Keeper
from catenary_worker.task import Outcome, Task
from integration.worker.zygotes import child_at_work, good_evaluation

# The zygote belongs to the event loop of its module.
pytestmark = pytest.mark.asyncio(loop_scope="module")
LOOPING = b"""PARAMETERS = []
def evaluate(p):
    while True: pass
"""
COUNTER = b"""PARAMETERS = []
METRICS = [{"name": "n"}]
SEEN = []
def evaluate(p):
    SEEN.append(1)
    return {"metrics": {"n": float(len(SEEN))}}
"""


class Call:
    """A call of a core that hands out designs and then ends."""

    def __init__(self) -> None:
        self.outcomes: asyncio.Queue[Any] = asyncio.Queue()
        self._designs: asyncio.Queue[Any] = asyncio.Queue()
        self._is_ended = False

    def end(self) -> None:
        self._is_ended = True
        self._designs.put_nowait(grpc.aio.EOF)

    def ask(self) -> None:
        """Hand out a design."""
        self._designs.put_nowait(SimpleNamespace(parameters={}, geometry=False))

    async def told(self) -> float:
        """Ask for a design and return its metric."""
        self.ask()
        async with asyncio.timeout(60):
            outcome = await self.outcomes.get()
        return float(orjson.loads(outcome.metrics.text)["n"]["value"])

    async def read(self) -> Any:
        return await self._designs.get()

    async def write(self, request: pb.SessionRequest) -> None:
        if self._is_ended:
            raise asyncio.InvalidStateError
        self.outcomes.put_nowait(request.outcome)

    def cancel(self) -> None:
        self.end()

    async def initial_metadata(self) -> tuple[tuple[str, str], ...]:
        return ((OPENED, "open"),)


async def _run(zygote: Zygote, call: Call, task: Task) -> None:
    """Compute the designs of a call until its end, as a session does."""
    keeper, job = Keeper(zygote), pb.Job(source_sha256="f" * 64)
    host = SimpleNamespace(keep=lambda job, task: keeper.keep(job.source_sha256, task), digest="d")
    running, design = Sessions(cast("Any", host), cast("Any", None), (), None), await call.read()
    while design is not grpc.aio.EOF:
        design = await running._compute(call, job, task, design)


async def test_the_end_of_a_call_ends_the_design_that_runs_and_frees_the_place(zygote: Zygote) -> None:
    call = Call()
    running = asyncio.create_task(_run(zygote, call, Task("evaluate", "python", LOOPING, timeout=600.0)))
    call.ask()
    await child_at_work(zygote)
    call.end()
    async with asyncio.timeout(60):
        await running
        await good_evaluation(zygote)
    assert call.outcomes.empty()


async def test_a_model_that_lost_the_reuse_has_it_not_again_after_a_pause(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "PAYING_SECONDS", math.inf)
    monkeypatch.setattr(kept, "WORK_SECONDS", math.inf)
    call = Call()
    running = asyncio.create_task(_run(zygote, call, Task("evaluate", "python", COUNTER, repeatable=True)))
    assert [await call.told() for _ in range(3)] == [1, 2, 3], "the child is kept"
    monkeypatch.setattr(kept, "WORK_SECONDS", 0.0)
    monkeypatch.setattr(sessions, "KEEP_SECONDS", 0.0)
    assert await call.told() == 1, "a fresh child shows the difference"
    monkeypatch.setattr(kept, "WORK_SECONDS", math.inf)
    monkeypatch.setattr(sessions, "KEEP_SECONDS", 60.0)
    assert [await call.told() for _ in range(3)] == [1, 1, 1]
    call.end()
    await running


async def test_a_geometry_computed_again_with_other_numbers_is_a_failure(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "PAYING_SECONDS", math.inf)
    shapes = b', "geometry": {"line": [[0, 0, 0], [1, 0, 0]] if len(SEEN) == 1 else 1}}'
    source = COUNTER.replace(b"len(SEEN))}}", b"len(SEEN))}" + shapes)
    told: list[Outcome] = []
    async with zygote.keep(Task("evaluate", "python", source, repeatable=True)) as children:
        first = await children.evaluate({}, on_early=told.append)
        second = await children.evaluate({}, on_early=told.append)
    assert (first.status, len(first.geometry), second.status) == ("completed", 1, "failed")
    assert [one.metrics["n"]["value"] for one in told] == [1.0, 2.0]
    assert not told[0].geometry
    assert second.error is not None
    assert second.error.message.startswith(
        "The metric n was once 2.0 and once 1.0, when the geometry was computed again"
    )
    assert "A point failed in a process that had run other points before" in second.not_repeatable


async def test_without_the_socket_that_a_job_names_a_worker_asks_its_own_core(tmp_path: Path) -> None:
    call = Call()
    own = SimpleNamespace(Session=lambda metadata: call)
    host = SimpleNamespace(digest="d")
    dialled = []

    def dial(address: str) -> grpc.aio.Channel:
        dialled.append(address)
        return grpc.aio.insecure_channel(address)

    running = Sessions(cast("Any", host), cast("Any", own), (), dial)
    door = f"unix:{tmp_path}/no-such.sock"
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(60):
        assert await running._open(pb.Job(job_id="j", lease_token="t", door=door), stack) is call
    assert dialled == [door]
