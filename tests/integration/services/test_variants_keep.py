"""What a variant keeps: its evaluation, and the batch or study of its point."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.services.evaluations import queries
from catenary_core.services.evaluations.points import ids
from factories.database.lock_waits import until_waiting
from factories.services import batches, variants
from factories.services.evaluations import Node, refusal

LATER = {"seconds": 4_000_000_000}


async def _purged(node: Node, project: str) -> int:
    answer = await node.call("PurgeEvaluations", "editor", project_id=project, older_than=LATER, unused=True)
    return int(answer.body["removed"])


async def _refused_removal(node: Node, evaluation_id: str) -> tuple[str, str]:
    with pytest.raises(CallError) as caught:
        await node.call("CancelEvaluation", evaluation_id=evaluation_id, remove=True)
    return refusal(caught.value).reason, refusal(caught.value).message


async def test_an_evaluation_stays_as_long_as_its_variant(node: Node, project: str) -> None:
    kept, other = await variants.evaluation(node, project, span=30), await variants.evaluation(node, project, span=31)
    saved = await variants.save(node, project, kept)
    reason, message = await _refused_removal(node, kept)
    assert (reason, "A variant keeps this evaluation" in message) == ("CONFLICT", True)
    assert await _purged(node, project) == 1
    with pytest.raises(CallError):
        await node.call("GetEvaluation", evaluation_id=other)
    await variants.call(node, "DeleteVariant", variant_id=saved["variant_id"])
    await node.call("CancelEvaluation", evaluation_id=kept, remove=True)
    assert await _purged(node, project) == 0


async def test_a_batch_stays_as_long_as_a_variant_of_its_point(node: Node, project: str) -> None:
    kept, other = await batches.create(node, project, 3), await batches.create(node, project, 2)
    for batch_id in (kept, other):
        await batches.work_all(node.worker(), batch_id, node)
    saved = await variants.save(node, project, ids.evaluation_id(kept, 2))
    await batches.call(node, "DeleteBatch", batch_id=other, remove=True)
    found = await batches.refused(node, "DeleteBatch", batch_id=kept, remove=True)
    assert (found.reason, "A variant keeps a point" in found.message) == ("CONFLICT", True)
    await variants.call(node, "DeleteVariant", variant_id=saved["variant_id"])
    await batches.call(node, "DeleteBatch", batch_id=kept, remove=True)


async def test_a_removal_waits_for_who_saves_at_that_moment(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project)
    async with node.frame.db.transaction() as tx:
        await tx.one(queries.HOLD, evaluation_id=made)
        removal: asyncio.Future[Any] = asyncio.ensure_future(
            node.call("CancelEvaluation", evaluation_id=made, remove=True)
        )
        await until_waiting(tx, 1, named="evaluations.evaluation")
        saved = await variants.save(node, project, made)
        assert await _purged(node, project) == 0, "a purge passes over what somebody is saving"
    with pytest.raises(CallError) as caught:
        await removal
    assert refusal(caught.value).reason == "CONFLICT"
    assert (await variants.get(node, saved["variant_id"]))["status"] == "ready"
