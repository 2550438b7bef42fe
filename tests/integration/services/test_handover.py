"""A job is leased to a worker that waits in the same process, in the transaction that adds it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest
import sqlalchemy as sa

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.jobs.handover import WaitingWorkers
from catenary_core.limits import hourly
from catenary_core.limits.counters import CounterState
from catenary_core.limits.window import WindowState
from factories.services.evaluations import SOURCE, Node, ScriptedWorker, deploy, open_node, refusal, run_sql, unpolled


@pytest.fixture
async def node(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Node]:
    """Yield a node whose leases last as long as a test may.

    Nothing is done again because of a lease's end. A worker that waits looks again only when it is woken.
    """
    unpolled(monkeypatch)
    async with open_node(dsn, tmp_path, lease_seconds=300, evaluations_per_hour=3) as opened:
        yield opened


async def _waits(node: Node, worker: ScriptedWorker, count: int = 1) -> asyncio.Task[Any]:
    """Return a worker's lease, once the process knows that the worker waits.

    No notification from before wakes the worker any more.
    """
    await node.hears()
    lease = asyncio.create_task(worker.lease(60))
    while len(node.frame.waiting._waiters) < count:  # noqa: ASYNC110 - it has no event to wait for
        await asyncio.sleep(0.01)
    return lease


async def _add(node: Node, project: str, title: str = "x") -> dict[str, Any]:
    answer = await node.evaluate(project, {"title": title}, prefer="respond-async")
    found: dict[str, Any] = answer.body["evaluation"]
    return found


async def test_a_job_is_added_as_leased_to_the_worker_that_waits_longest(node: Node, project: str) -> None:
    first, second = node.worker("w1"), node.worker("w2")
    lease = await _waits(node, first)
    other = await _waits(node, second, 2)
    added = await _add(node, project)
    assert added["status"] == "running"
    assert added["created_at"] == added["started_at"] == added["updated_at"]
    (row,) = await run_sql(node.frame.db, "SELECT * FROM jobs.job")
    assert (row["worker_id"], row["attempts"]) == ("w1", 1)
    job = await lease
    assert (job.job_id, job.lease_token, job.lease_seconds) == (row["id"], row["lease_token"], 300)
    assert job.parameters["title"].text == '"x"'
    assert not await first.heartbeat(job)
    assert not other.done(), "one worker is woken, not all"
    await first.complete(job)
    assert (await _add(node, project, "y"))["status"] == "running"
    await second.complete(await other)
    assert (await _add(node, project, "z"))["status"] == "queued", "nobody waits"


async def test_a_worker_waits_on_when_the_job_that_it_was_taken_for_is_not_added(node: Node, project: str) -> None:
    worker = node.worker()
    for title in ("a", "b"):
        await _add(node, project, title)
        await worker.complete(await worker.must_lease())
    lease = await _waits(node, worker)
    stored = await node.evaluate(project, {"title": "a"})
    assert stored.body["evaluation"]["cached"]
    await _add(node, project, "c")
    await worker.complete(await lease)
    lease = await _waits(node, worker)
    with pytest.raises(CallError) as caught:
        await _add(node, project, "d")
    assert refusal(caught.value).reason == "RATE_LIMIT_EXCEEDED"
    other, _ = await deploy(node.frame.db, node.frame.objects)
    assert (await _add(node, other))["status"] == "running"
    await worker.complete(await lease)
    assert await run_sql(node.frame.db, "SELECT * FROM jobs.job") == []


@pytest.mark.parametrize("guarded", [True, False])
async def test_a_job_whose_worker_goes_while_it_is_added_goes_to_another(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    charged, charge = asyncio.Event(), hourly.charge_evaluation
    gone = asyncio.Event()

    async def slowly(tx: Transaction, project_id: str, limit: int, locked: CounterState) -> WindowState:
        charged.set()
        await gone.wait()
        return await charge(tx, project_id, limit, locked)

    monkeypatch.setattr(hourly, "charge_evaluation", slowly)
    if not guarded:
        monkeypatch.setattr("catenary_core.services.worker.servicer.WorkerServicer._return_job", lambda *_: None)
    lease = await _waits(node, node.worker("gone"))
    (waiter,) = node.frame.waiting._waiters
    adding = asyncio.create_task(_add(node, project))
    await charged.wait()
    lease.cancel()
    await asyncio.gather(lease, return_exceptions=True)
    await asyncio.wait([waiter.job], timeout=60)  # the core hears of it by gRPC
    assert waiter.job.cancelled()
    gone.set()
    evaluation_id = (await adding)["evaluation_id"]
    job = await node.worker("next").lease(60 if guarded else 2)
    assert (job is not None) == guarded
    if guarded:
        assert job is not None
        assert job.job_id == evaluation_id
        (row,) = await run_sql(node.frame.db, "SELECT * FROM jobs.job")
        assert row["attempts"] == 1, "the worker that had gone costs no attempt"


@pytest.mark.parametrize("guarded", [True, False])
async def test_a_worker_begins_while_its_job_is_committed_and_ends_after_it(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    commit = asyncio.Event()
    send = Transaction._execute_deferred

    async def late(tx: Transaction) -> None:
        if not commit.is_set():
            await commit.wait()
        await send(tx)

    worker = node.worker()
    lease = await _waits(node, worker)
    if not guarded:

        async def at_once(waiting: WaitingWorkers, job_id: str) -> None:
            return

        monkeypatch.setattr(WaitingWorkers, "wait_committed", at_once)
    monkeypatch.setattr(Transaction, "_execute_deferred", late)
    asked = asyncio.create_task(node.evaluate(project))
    job = await lease
    async with node.frame.db.read() as tx:
        assert await tx.all(Statement(sa.text("SELECT id FROM jobs.job"))) == [], "it is not committed yet"
    said: list[asyncio.Task[Any]] = [
        asyncio.create_task(worker.heartbeat(job)),
        asyncio.create_task(worker.fetch_source(job.model_version_id)),
    ]
    await asyncio.wait(said[:1], timeout=0.5 if guarded else 60)
    assert said[0].done() != guarded
    assert not said[1].done()
    commit.set()
    assert await said[0] != guarded, "without the wait the core would say that the job is none of the worker's"
    assert await said[1] == SOURCE
    await worker.complete(job)
    assert (await asked).body["evaluation"]["status"] == "completed"


async def test_the_result_of_a_job_that_was_not_committed_is_refused(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = asyncio.Event()

    async def lost(tx: Transaction) -> None:
        await fail.wait()
        raise psycopg.OperationalError("the connection is lost")

    worker = node.worker()
    lease = await _waits(node, worker)
    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "_execute_deferred", lost)
        asked = asyncio.create_task(node.evaluate(project))
        job = await lease
        completed = asyncio.create_task(worker.complete(job))
        fail.set()
        with pytest.raises(CallError) as caught:
            await asked
    assert refusal(caught.value).reason == "UNAVAILABLE"
    with pytest.raises(grpc.RpcError) as refused:
        await completed
    assert refusal(refused.value).reason == "CONFLICT"
    assert await run_sql(node.frame.db, "SELECT * FROM evaluations.evaluation") == []


async def test_a_worker_that_is_woken_while_it_is_taken_looks_again_when_it_gets_nothing() -> None:
    waiting, forgone = WaitingWorkers(), list[dict[str, Any]]()
    with waiting.waiter("w", forgone.append) as waiter:
        with waiting.taken() as taken:
            assert taken is waiter
            with waiting.taken() as none:
                assert none is None
            waiter.is_woken = True
        assert waiter.job.result() is None
    with waiting.taken() as none:
        assert none is None


async def test_a_job_that_comes_with_the_end_of_its_worker_is_forgone() -> None:
    waiting, forgone = WaitingWorkers(), list[dict[str, Any]]()

    async def wait() -> None:
        with waiting.waiter("w", forgone.append):
            await asyncio.Event().wait()

    worker = asyncio.create_task(wait())
    await asyncio.sleep(0)
    with waiting.taken() as taken:
        assert taken is not None
        worker.cancel()
        await taken.hand({"id": "job"})
    await asyncio.gather(worker, return_exceptions=True)
    assert forgone == [{"id": "job"}]
