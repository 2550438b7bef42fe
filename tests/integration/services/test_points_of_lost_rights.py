"""Batches and studies whose user may evaluate no more: further points are not begun."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from catenary.platform.v1 import role_pb2
from catenary_core.services.evaluations.batches import standing
from catenary_core.settings import Tier
from factories.services import batches, studies
from factories.services.calls import events_of
from factories.services.evaluations import USER, Node, open_node, run_sql

pytestmark = pytest.mark.sampled

DISABLE = f"UPDATE identity.\"user\" SET disabled = true WHERE id = '{USER}'"
DEMOTE = f"UPDATE projects.member SET role = {role_pb2.ROLE_VIEWER} WHERE member_id = '{USER}'"
REMOVE = f"DELETE FROM projects.member WHERE member_id = '{USER}'"


async def _with_one_chunk_done(node: Node, project: str) -> str:
    """Return a batch of which a worker has completed its first point."""
    batch_id = await batches.create(node, project, 4)
    worker = node.worker()
    job = await worker.lease()
    assert job is not None
    await worker.complete_points(job, *[batches.MASS for _ in job.points])
    return batch_id


@pytest.mark.parametrize("change", [DISABLE, DEMOTE, REMOVE], ids=["disabled", "demoted", "removed"])
async def test_a_batch_of_who_may_evaluate_no_more_is_cancelled(node: Node, project: str, change: str) -> None:
    batch_id = await _with_one_chunk_done(node, project)
    await run_sql(node.frame.db, change)
    assert await node.worker().lease(1) is None
    found = await batches.get(node, batch_id)
    assert (found["status"], found["counts"]["completed"], found["counts"]["cancelled"]) == ("cancelled", 1, 3)
    assert found["error"]["code"] == "PERMISSION_DENIED"
    assert "may evaluate in the project no more" in found["error"]["message"]
    (event,) = [event for event in await events_of(node.frame.db) if event["type"] == "model.batch.completed"]
    assert event["data"]["batch"]["error"] == found["error"]
    assert await run_sql(node.frame.db, "SELECT * FROM jobs.job") == []


async def test_without_the_check_the_points_go_on(node: Node, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unchecked(*_: Any) -> bool:
        return True

    monkeypatch.setattr(standing, "check", unchecked)
    await _with_one_chunk_done(node, project)
    await run_sql(node.frame.db, DISABLE)
    assert await node.worker().lease(1) is not None


async def test_a_batch_ends_when_the_compute_seconds_are_used(dsn: str, tmp_path: Any) -> None:
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(compute_seconds=60)}) as node:
        project = await studies.deployed(node)
        batch_id = await _with_one_chunk_done(node, project)
        await run_sql(node.frame.db, "UPDATE quotas.user_month SET seconds = 61")
        assert await node.worker().lease(1) is None
        found = await batches.get(node, batch_id)
    assert (found["status"], found["error"]["code"]) == ("cancelled", "QUOTA_EXCEEDED")


async def test_evaluations_that_were_counted_before_end_no_batch(dsn: str, tmp_path: Any) -> None:
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(evaluations=4)}) as node:
        await _with_one_chunk_done(node, await studies.deployed(node))
        await run_sql(node.frame.db, "UPDATE quotas.user_month SET evaluations = 9")
        assert await node.worker().lease(1) is not None


async def test_an_admin_needs_no_role_in_the_project(node: Node, project: str) -> None:
    await _with_one_chunk_done(node, project)
    await run_sql(node.frame.db, f"UPDATE identity.\"user\" SET admin = true WHERE id = '{USER}'")
    await run_sql(node.frame.db, REMOVE)
    assert await node.worker().lease(1) is not None


async def test_a_chunk_is_not_extended_for_who_may_evaluate_no_more(node: Node, project: str) -> None:
    await run_sql(node.frame.db, "UPDATE models.model_version SET repeatable = true")
    batch_id = await _with_one_chunk_done(node, project)
    worker = node.worker()
    job = await worker.lease()
    assert job is not None
    await run_sql(node.frame.db, DISABLE)
    assert not await worker.extend(job)
    await worker.complete_points(job, *[batches.MASS for _ in job.points])
    assert await node.worker().lease(1) is None
    assert (await batches.get(node, batch_id))["error"]["code"] == "PERMISSION_DENIED"


@pytest.mark.parametrize("within", [True, False], ids=["within a generation", "between two"])
async def test_a_study_of_who_may_evaluate_no_more_is_cancelled_and_resumed(node: Node, within: bool) -> None:
    study_id = await studies.begin(node, await studies.deployed(node))
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    done = 0

    def model(at: Mapping[str, Any]) -> Mapping[str, Any]:
        nonlocal done
        done += 1
        if done == (3 if within else 12):
            loop.call_soon(begun.set)
        return studies.beam(at)

    async def disable() -> None:
        await begun.wait()
        await run_sql(node.frame.db, DISABLE)

    disabling = asyncio.create_task(disable())
    async with studies.driven(node, model):
        ended = await studies.ended(node, study_id)
        await disabling
        assert (ended["status"], ended["error_code"]) == ("cancelled", "PERMISSION_DENIED")
        assert "may evaluate in the project no more" in ended["error"]
        assert ended["counts"]["completed"] < 36
        await run_sql(node.frame.db, 'UPDATE identity."user" SET disabled = false')
        await studies.call(node, "ResumeStudy", study_id=study_id)
        resumed = await studies.ended(node, study_id)
    assert (resumed["status"], resumed["error"], resumed["error_code"]) == ("completed", None, None)
    assert resumed["counts"]["completed"] == 36
