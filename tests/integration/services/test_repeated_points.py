"""Equal points of a batch: one is computed, and the others get its result."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import orjson
import pytest

from catenary_core.services.evaluations.batches import additions
from factories.services import batches, studies
from factories.services.evaluations import Node, run_sql

pytestmark = pytest.mark.sampled

SPANS = (5, 6, 5, 7, 6, 5)


async def create(node: Node, project: str, *spans: float) -> dict[str, Any]:
    given = batches.given(*({"span": span} for span in spans))
    batch: dict[str, Any] = (await batches.call(node, "CreateBatch", project_id=project, evaluations=given))["batch"]
    return batch


async def charged(node: Node) -> int:
    return int((await run_sql(node.frame.db, "SELECT sum(evaluations) AS n FROM quotas.month"))[0]["n"])


async def counts(node: Node, batch_id: str) -> dict[str, int]:
    found = await run_sql(node.frame.db, "SELECT repeated FROM evaluations.batch WHERE batch_id = :b", b=batch_id)
    return {**(await batches.get(node, batch_id))["counts"], "repeated": found[0]["repeated"]}


async def finish(node: Node) -> None:
    """Complete all points that are computed, as long as there are jobs; a lease may find that nothing is left."""
    worker = node.worker()
    while await batches.jobs(node):
        if (job := await worker.lease(0)) is not None:
            await worker.complete_points(job, *[batches.MASS] * len(job.points), ends_chunk=True)


async def test_equal_points_are_computed_and_charged_once(node: Node, project: str) -> None:
    batch = await create(node, project, *SPANS)
    assert (batch["counts"]["total"], batch["counts"]["queued"], await charged(node)) == (6, 6, 3)
    seen = await batches.work_all(node.worker(), batch["batch_id"], node)
    assert seen == {0: 1, 1: 1, 3: 1}
    done = await counts(node, batch["batch_id"])
    assert (done["completed"], done["cached"], done["queued"], done["repeated"]) == (6, 3, 0, 0)
    results = await batches.results(node, batch["batch_id"])
    assert [one["parameters"]["span"] for one in results] == list(SPANS)
    assert [one["cached"] for one in results] == [False, False, True, False, True, True]
    assert all({name: one[name] for name in batches.MASS} == batches.MASS for one in results)
    positions = await run_sql(node.frame.db, "SELECT position FROM evaluations.point ORDER BY position")
    assert [one["position"] for one in positions] == [1, 2, 3, 4, 5, 6]
    assert (await charged(node), await batches.jobs(node)) == (3, 0)


async def test_equal_points_far_apart_are_computed_once(node: Node, project: str) -> None:
    different = [5 + 0.5 * number for number in range(105)]
    batch = await create(node, project, *different, *different)
    seen = await batches.work_all(node.worker(), batch["batch_id"], node)
    assert (sorted(seen), await charged(node)) == (list(range(105)), 105)
    assert (await counts(node, batch["batch_id"]))["cached"] == 105


async def test_a_failure_is_that_of_all_equal_points(node: Node, project: str) -> None:
    batch = await create(node, project, 5, 5, 6)
    await batches.work(node.worker(), batches.FAILED)
    await batches.work(node.worker())
    results = await batches.results(node, batch["batch_id"])
    assert [one["status"] for one in results] == ["failed", "failed", "completed"]
    assert [one["error"] for one in results] == [batches.FAILED["error"], batches.FAILED["error"], None]
    done = await counts(node, batch["batch_id"])
    assert (done["failed"], done["cached"]) == (2, 0)


async def test_large_tables_have_each_equal_point_computed_and_charged(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(additions, "MOST_CACHED", 10)
    batch = await create(node, project, 5, 5, 5)
    assert await charged(node) == 1
    seen = await batches.work_all(node.worker(), batch["batch_id"], node)
    assert (seen, await charged(node)) == ({0: 1, 1: 1, 2: 1}, 3)
    done = await counts(node, batch["batch_id"])
    assert (done["completed"], done["cached"], done["repeated"]) == (3, 0, 0)


async def test_a_chunk_that_is_given_back_is_leased_again(node: Node, project: str) -> None:
    batch = await create(node, project, 5, 5)
    worker = node.worker()
    await worker.complete_points(await worker.must_lease())
    assert (await counts(node, batch["batch_id"]))["queued"] == 2
    assert await batches.work_all(worker, batch["batch_id"], node) == {0: 1}


async def test_a_cancelled_batch_has_no_point_that_waits(node: Node, project: str) -> None:
    batch = await create(node, project, *SPANS)
    await batches.work(node.worker())
    await batches.call(node, "DeleteBatch", batch_id=batch["batch_id"])
    done = await counts(node, batch["batch_id"])
    assert (done["completed"], done["cancelled"], done["repeated"]) == (3, 3, 0)
    left = await run_sql(node.frame.db, "SELECT * FROM evaluations.point WHERE repeats IS NOT NULL")
    assert left == []


async def test_a_batch_that_keeps_geometry_computes_each_point(node: Node, project: str) -> None:
    given = batches.given({"span": 5}, {"span": 5})
    await batches.call(node, "CreateBatch", project_id=project, evaluations=given, geometry=True)
    assert await charged(node) == 2


async def test_equal_points_of_a_study_are_computed_and_charged_once(node: Node) -> None:
    """Two truth values and the choices of steel give few different points, of which Morris' method takes 40."""
    fixed = {"span": {"fixed": {"text": "20"}}, "bays": {"fixed": {"text": "4"}}, "title": {"fixed": {"text": '"a"'}}}
    study_id = await studies.begin(
        node,
        await studies.deployed(node),
        kind="STUDY_KIND_SENSITIVITY",
        objectives=[{"metric": "mass"}],
        parameters=fixed,
        population=None,
        budget=40,
    )
    seen: Counter[int] = Counter()
    async with studies.driven(node, studies.beam, seen):
        done = await studies.ended(node, study_id)
    points = await studies.listed(node, "ListStudyResults", study_id)
    different = {orjson.dumps(point["parameters"], option=orjson.OPT_SORT_KEYS) for point in points}
    assert (done["status"], done["counts"]["total"]) == ("completed", len(points))
    assert len(different) < len(points) // 2
    assert (len(seen), set(seen.values()), await charged(node)) == (len(different), {1}, len(different))
    assert done["counts"]["cached"] == len(points) - len(different)
    assert all(point["metrics"]["mass"]["value"] for point in points)


async def test_equal_batches_at_one_time_compute_each_point_once(node: Node, project: str) -> None:
    """But for the last points, which are computed again while an equal one is."""
    workers = node.worker("one"), node.worker("two")
    await workers[0].lease(0)  # shows its runtime, on which equality depends
    spans = [5 + 0.5 * number for number in range(40)]
    first, second = [(await create(node, project, *spans))["batch_id"] for _ in range(2)]
    assert await charged(node) == 80
    computed: Counter[float] = Counter()
    while await batches.jobs(node):
        for job in [job for worker in workers if (job := await worker.lease(0)) is not None]:
            computed.update(float(point.parameters["span"].text) for point in job.points)
            await workers[0].complete_points(job, *[batches.MASS] * len(job.points), ends_chunk=True)
    ended = [await counts(node, batch_id) for batch_id in (first, second)]
    assert [(one["completed"], one["queued"]) for one in ended] == [(40, 0)] * 2
    assert sum(one["cached"] for one in ended) == 80 - computed.total()
    assert (sorted(computed), await charged(node)) == (spans, computed.total())
    assert computed.total() <= 44


async def test_a_batch_leaves_points_that_another_computes_for_later(node: Node, project: str) -> None:
    worker = node.worker()
    await worker.lease(0)
    first, second = [(await create(node, project, 5, 6, 7))["batch_id"] for _ in range(2)]
    ahead, behind = await worker.must_lease(), await worker.must_lease()
    indexes = {job.points[0].index for job in (ahead, behind)}
    assert indexes == {0, 1}, "the second batch begins with what nobody computes"
    for job in (ahead, behind):
        await worker.complete_points(job, batches.MASS, ends_chunk=True)
    await finish(node)
    results = [await batches.results(node, batch_id) for batch_id in (first, second)]
    assert sorted(one["cached"] for found in results for one in found).count(True) == 3
    assert all({name: one[name] for name in batches.MASS} == batches.MASS for found in results for one in found)


async def test_a_single_evaluation_completes_a_point_that_waits(node: Node, project: str) -> None:
    worker = node.worker()
    await worker.lease(0)
    batch = await create(node, project, 5, 6, 7)
    await batches.work(worker)
    evaluating = asyncio.create_task(node.evaluate(project, {"span": 7}))
    jobs = [await worker.must_lease(), await worker.must_lease()]
    for job in jobs:
        if job.points:
            await worker.complete_points(job, batches.MASS, ends_chunk=True)
        else:
            await worker.complete(job, **batches.MASS)
    await evaluating
    await finish(node)
    assert [one["cached"] for one in await batches.results(node, batch["batch_id"])] == [False, False, True]
    assert await charged(node) == 3, "two points and the evaluation"
