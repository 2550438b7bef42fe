"""The hourly limit of a project's evaluations."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.limits import counters
from catenary_core.server.dispatch import UnaryResponse
from factories.database.lock_waits import until_waiting
from factories.services.evaluations import Node, Refusal, deploy, open_node, refusal


async def _refused(node: Node, project: str, given: dict[str, Any], **fields: Any) -> Refusal:
    with pytest.raises(CallError) as caught:
        await node.evaluate(project, given, **fields)
    return refusal(caught.value)


async def test_a_projects_hourly_evaluations_are_limited_and_stored_answers_are_free(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path, evaluations_per_hour=2) as node:
        project, other = [(await deploy(node.frame.db, node.frame.objects))[0] for _ in range(2)]
        async with node.worker().running():
            left = [
                (answer.body["evaluation"]["cached"], answer.metadata["x-ratelimit-remaining"])
                for answer in [await node.evaluate(project, {"span": span}) for span in (10, 10, 11, 10)]
            ]
            assert left == [(False, "1"), (True, "1"), (False, "0"), (True, "0")]
            for given, force in (({"span": 12}, False), ({"span": 10}, True)):
                refused = await _refused(node, project, given, force=force)
                assert refused.reason == "RATE_LIMIT_EXCEEDED"
                assert (refused.details["limit"], refused.details["remaining"]) == (2, 0)
                assert "2 evaluations of the hour; try again in" in refused.message
            wrong = await _refused(node, project, {"no": 1})
            assert wrong.reason == "UNKNOWN_PARAMETER", "what is wrong is said before what is too much"
            assert (await node.evaluate(project, {"span": 10})).body["evaluation"]["cached"]
            assert (await node.evaluate(other, {"span": 10})).metadata["x-ratelimit-remaining"] == "1"
        count = sa.text("SELECT count(*) AS count FROM evaluations.evaluation WHERE project_id = :project_id")
        async with node.frame.db.read() as tx:
            assert (await tx.one(Statement(count), project_id=project))["count"] == 2, "a refused one leaves no row"


async def test_while_an_evaluation_is_added_others_of_its_project_wait_but_stored_results_do_not(
    dsn: str, tmp_path: Path
) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, other = [(await deploy(node.frame.db, node.frame.objects))[0] for _ in range(2)]

        async def status(project: str, span: int) -> str:
            answer = await node.evaluate(project, {"span": span}, prefer="respond-async")
            return str(answer.body["evaluation"]["status"])

        worker = node.worker()
        first = asyncio.create_task(node.evaluate(project, {"span": 10}))
        await worker.complete(await worker.must_lease())
        await first
        async with node.frame.db.transaction() as tx:
            await counters.lock(tx, counters.PROJECT_EVALUATIONS, project)
            added = asyncio.create_task(status(project, 11))
            assert await status(project, 10) == "completed"
            assert await status(other, 11) == "queued"
            assert not added.done()
        assert await added == "queued"


async def test_of_evaluations_that_are_added_at_once_no_more_pass_than_the_limit(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path, evaluations_per_hour=2) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.frame.db.transaction() as tx:  # so that all wait for the counter
            await counters.lock(tx, counters.PROJECT_EVALUATIONS, project)
            at_once = [
                asyncio.create_task(node.evaluate(project, {"span": 10 + number}, prefer="respond-async"))
                for number in range(4)
            ]
            await until_waiting(tx, 4)
        answers = await asyncio.gather(*at_once, return_exceptions=True)
        refused = [refusal(answer).reason for answer in answers if isinstance(answer, CallError)]
        assert refused == ["RATE_LIMIT_EXCEEDED"] * 2
        left = sorted(
            str(answer.metadata["x-ratelimit-remaining"]) for answer in answers if isinstance(answer, UnaryResponse)
        )
        assert left == ["0", "1"]
