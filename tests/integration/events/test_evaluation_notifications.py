"""The notified ends of evaluations: those that were no answer to the request (rules of notifications)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import uuid_utils

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.database.statements import Statement
from catenary_core.services.evaluations import queries
from catenary_core.services.notifications import fan_out
from factories.events.consumers import following, until
from factories.services.evaluations import USER, Node, deploy, open_node, run_sql

_TOLD = "SELECT kind, subject, user_id FROM notifications.notification ORDER BY created_at, notification_id"
ERROR = {"code": "MODEL_FAILED", "message": "No.", "line": 1}
SPAN = iter(range(5, 60))
"""Equal evaluations are one; each test value is another."""


@pytest.fixture
async def node(dsn: str, tmp_path: Path) -> AsyncIterator[Node]:
    """Yield a node whose events are followed."""
    async with (
        open_node(dsn, tmp_path) as opened,
        following(dsn, opened.frame.db, fan_out.make, fan_out.WANTED),
    ):
        yield opened


@pytest.fixture
async def project(node: Node) -> str:
    return (await deploy(node.frame.db, node.frame.objects))[0]


async def _asked(node: Node, project: str, prefer: str = "respond-async") -> str:
    answer = await node.evaluate(project, {"span": next(SPAN)}, prefer=prefer, timeout=90)
    return str(answer.body["evaluation"]["evaluation_id"])


async def _told(node: Node, count: int) -> list[tuple[str, str, str]]:
    """Return the notifications once there are `count`."""
    async with asyncio.timeout(60):
        while len(rows := await run_sql(node.frame.db, _TOLD)) < count:  # noqa: ASYNC110 (the follower may be elsewhere)
            await asyncio.sleep(0.05)
    return [(row["kind"], row["subject"].removeprefix("/v1/evaluations/"), row["user_id"]) for row in rows]


async def _is_awaited(node: Node, evaluation_id: str) -> bool:
    """Return whether an end that comes now would notify nobody, whatever the clock says."""
    awaited = "SELECT awaited_until > created_at AS awaited FROM evaluations.evaluation WHERE evaluation_id = :id"
    return bool((await run_sql(node.frame.db, awaited, id=evaluation_id))[0]["awaited"])


async def test_an_answered_evaluation_tells_nobody_and_one_that_its_caller_left_does(node: Node, project: str) -> None:
    slow = asyncio.Event()

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        if len(worker.ran) == 2:
            await slow.wait()
        return {"status": "failed", "error": ERROR} if len(worker.ran) == 3 else {}

    async with node.worker().running(script) as worker:
        for prefer in ("wait=60", "respond-async, wait=60"):
            await _asked(node, project, prefer)
        left = await _asked(node, project, "wait=1")  # 202 after a second
        assert not await _is_awaited(node, left)
        slow.set()
        failed, later = await _asked(node, project), await _asked(node, project)
        assert await _told(node, 3) == [
            ("evaluation_completed", left, USER),
            ("evaluation_failed", failed, USER),
            ("evaluation_completed", later, USER),
        ]


@pytest.mark.slow
async def test_without_the_end_of_the_wait_in_the_row_an_end_right_after_a_202_notifies_nobody(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = Statement(sa.select(sa.bindparam("evaluation_id", type_=sa.Text)))
    monkeypatch.setattr(queries, "STOP_AWAITING", nothing)
    assert await _is_awaited(node, await _asked(node, project, "wait=1"))


async def test_an_evaluation_that_somebody_else_cancelled_tells_its_asker_and_nobody_who_cancelled_their_own(
    node: Node, project: str
) -> None:
    own, others, last = [await _asked(node, project) for _ in range(3)]
    somebody = str(uuid_utils.uuid7())
    change = "UPDATE evaluations.evaluation SET created_by = :user WHERE evaluation_id = :id"
    await run_sql(node.frame.db, change, user=somebody, id=others)
    for one, caller in ((own, "evaluator"), (others, "editor")):
        await node.call("CancelEvaluation", caller, evaluation_id=one)
    async with node.worker().running():
        assert await _told(node, 2) == [("evaluation_failed", others, somebody), ("evaluation_completed", last, USER)]


async def test_an_evaluation_that_no_worker_finished_tells_who_asked_for_it(node: Node, project: str) -> None:
    lost = await _asked(node, project)
    gone = "UPDATE jobs.job SET attempts = 100, lease_until = clock_timestamp() - interval '1 second', worker_id = 'w'"
    await run_sql(node.frame.db, gone)
    await node.reaper.look()
    assert await _told(node, 1) == [("evaluation_failed", lost, USER)]


async def test_an_evaluation_that_no_call_asked_for_tells_nobody(node: Node, project: str) -> None:
    """The points of batches and studies will be such evaluations; one notification tells of them all."""
    point, last = await _asked(node, project), await _asked(node, project)
    no_call = "UPDATE evaluations.evaluation SET awaited_until = NULL WHERE evaluation_id = :id"
    await run_sql(node.frame.db, no_call, id=point)
    async with node.worker().running() as worker:
        await until(lambda: len(worker.ran) == 2)
        assert await _told(node, 1) == [("evaluation_completed", last, USER)]
