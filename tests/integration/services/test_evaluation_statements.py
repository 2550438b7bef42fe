"""Statements and transactions of one evaluation, one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.database.transactions import Commits
from catenary_core.jobs import queue, turns
from catenary_core.limits import counters, month_accounts
from catenary_core.services.evaluations import queries
from catenary_core.storage import holdings
from factories.database.statement_counts import counted_statements
from factories.services.evaluations import MadeGeometry, Node, ScriptedWorker, deploy, open_node, unpolled

_NAMES = {
    queries.DEPLOYED.sql: "read the version",
    queries.INSERT_STARTED.sql: "add the evaluation, lock its limits",
    queries.STORED.sql: "look for a stored one again",
    queue._INSERT_LEASED.sql: "add the job",
    counters._STORE.sql: "count in the hour",
    month_accounts.COUNT.sql: "count in the month",
    queue._END.sql: "end the job",
    holdings._STORE.sql: "charge and hold the files",
    queries.ENDED.sql: "store the result",
    turns.CHARGE.sql: "charge the turn",
}
_ASKED = [
    "read the version",
    "add the evaluation, lock its limits",
    "look for a stored one again",
    "add the job",
    "count in the hour",
    "count in the month",
]
_ENDED = [
    "end the job",
    "charge and hold the files",
    "store the result",
    "count in the month",
    "charge the turn",
    "write the event",
]


@contextmanager
def _counted_commits() -> Iterator[list[object]]:
    """Yield an item for every transaction that is committed within the block."""
    seen: list[object] = []
    record = Commits.record

    def counting(self: Commits, notified: set[str], local_channels: set[str]) -> None:
        seen.append(notified)
        record(self, notified, local_channels)

    with patch.object(Commits, "record", counting):
        yield seen


def _name(sql: str) -> str:
    return "write the event" if sql.startswith("INSERT INTO events.event") else _NAMES.get(sql, sql)


async def _waiting(node: Node, worker: ScriptedWorker) -> asyncio.Task[worker_pb.Job | None]:
    """Return the lease of a worker that waits, and that nothing wakes any more but a job."""
    await node.hears()
    lease: asyncio.Task[worker_pb.Job | None] = asyncio.create_task(worker.lease(60))
    while not node.frame.waiting._waiters:  # noqa: ASYNC110 - it has no event to wait for
        await asyncio.sleep(0.01)
    return lease


@pytest.mark.parametrize("forced", [False, True])
async def test_an_evaluation_costs_two_transactions_and_no_more_statements_than_it_needs(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, forced: bool
) -> None:
    unpolled(monkeypatch)
    async with open_node(dsn, tmp_path, lease_seconds=300) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        worker = node.worker()
        lease = await _waiting(node, worker)
        with counted_statements() as statements, _counted_commits() as commits:
            asked = asyncio.create_task(node.evaluate(project, force=forced))
            job = await lease
            geometry = MadeGeometry("tower", "glb", b"glTF" * 1_000)
            assert job is not None
            await worker.complete(job, geometry=[geometry], in_head=True)
            answer = await asked
    assert answer.body["evaluation"]["status"] == "completed"
    without_keys = [name for name in _ASKED if not forced or name != "look for a stored one again"]
    # The notification of the end may come before the commit's own answer: then the waiters look for it, beside the way.
    found = [_name(sql) for sql in statements if sql != queries.FINAL.sql]
    assert found == [*without_keys, *_ENDED]
    assert len(commits) == 2
