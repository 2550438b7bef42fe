"""Limits and costs of batches."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.batches import additions, encoding, servicer
from catenary_core.settings import Tier
from factories.services import batches, evaluations
from factories.services.evaluations import (
    Node,
    deploy,
    open_node,
    run_sql,
)

pytestmark = pytest.mark.sampled

_COLUMN = {"type": "number", "unit": None}


async def test_a_user_has_few_batches_at_once(dsn: str, tmp_path: Any) -> None:
    async with open_node(dsn, tmp_path, bulk_operations=2) as node:
        project = (await deploy(node.frame.db, node.frame.objects))[0]
        first = await batches.create(node, project, 1)
        await batches.create(node, project, 1)
        refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=batches.spans(1))
        assert refused.reason == "RATE_LIMIT_EXCEEDED"
        assert "CATENARY_BULK_OPERATIONS" in refused.message
        await batches.call(node, "DeleteBatch", batch_id=first)
        await batches.create(node, project, 3)


async def test_a_batch_counts_once_in_the_hour_and_each_point_in_the_month(dsn: str, tmp_path: Any) -> None:
    async with open_node(dsn, tmp_path, evaluations_per_hour=1) as node:
        project = (await deploy(node.frame.db, node.frame.objects))[0]
        await batches.create(node, project, 250)
        assert (await run_sql(node.frame.db, "SELECT sum(evaluations) AS n FROM quotas.month"))[0]["n"] == 250
        refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=batches.spans(1))
        assert refused.reason == "RATE_LIMIT_EXCEEDED"
        assert len(await run_sql(node.frame.db, "SELECT * FROM evaluations.batch")) == 1


async def test_a_batch_beyond_the_month_is_refused_and_leaves_nothing(dsn: str, tmp_path: Any) -> None:
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(evaluations=3)}) as node:
        project = (await deploy(node.frame.db, node.frame.objects))[0]
        refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=batches.spans(4))
        assert (refused.reason, refused.details["quota"]) == ("QUOTA_EXCEEDED", "evaluations")
        left = "SELECT (SELECT count(*) FROM evaluations.point) + (SELECT count(*) FROM evaluations.batch) AS n"
        assert ((await run_sql(node.frame.db, left))[0]["n"], await batches.jobs(node)) == (0, 0)
        await batches.create(node, project, 3)


async def test_a_request_with_its_key_makes_one_batch(node: Node, project: str) -> None:
    method = batches.BATCHES + "CreateBatch"
    request = node.dispatch.bindings[method].request(project_id=project, evaluations=batches.spans(3))
    sent = {"authorization": "evaluator", "idempotency-key": "once"}
    made = [(await node.dispatch.call(method, request, sent)).body["batch"]["batch_id"] for _ in range(2)]
    assert made[0] == made[1]
    assert len(await run_sql(node.frame.db, "SELECT * FROM evaluations.batch")) == await batches.jobs(node) == 1


async def test_of_many_wrong_points_a_hundred_are_told_and_none_is_added(node: Node, project: str) -> None:
    points = [*batches.spans(2), *batches.given(*({"spam": number} for number in range(150)))]
    refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=points)
    assert refused.reason == "UNKNOWN_PARAMETER"
    told = [field for field, _ in refused.violations]
    assert told == [f"evaluations[{number}].parameters.spam" for number in range(2, 102)]
    assert (await run_sql(node.frame.db, "SELECT * FROM evaluations.batch"), await batches.jobs(node)) == ([], 0)


async def test_a_batch_beyond_the_hour_is_refused_before_any_work(
    dsn: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_node(dsn, tmp_path, evaluations_per_hour=1) as node:
        project = (await deploy(node.frame.db, node.frame.objects))[0]
        await batches.create(node, project, 1)
        monkeypatch.setattr(rules, "resolve_all", None)  # whoever calls this fails
        refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=batches.spans(1))
        assert refused.reason == "RATE_LIMIT_EXCEEDED"


@pytest.mark.parametrize("most", [150, 1_000_000])
async def test_a_batch_of_too_large_values_is_refused(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The defaults count too: a small request may mean large values."""
    monkeypatch.setattr(encoding, "MAX_BYTES", most)
    if most == 150:
        refused = await batches.refused(node, "CreateBatch", project_id=project, evaluations=batches.spans(3))
        assert refused.reason == "VALIDATION_ERROR"
        assert "fewer points" in refused.message
        assert await run_sql(node.frame.db, "SELECT * FROM evaluations.batch") == []
    else:
        await batches.create(node, project, 3)


async def test_keys_and_values_are_made_outside_of_the_event_loop(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set()
    made = rules.cache_key

    def cache_key(*of: Any) -> bytes:
        threads.add(threading.current_thread())
        return made(*of)

    monkeypatch.setattr(rules, "cache_key", cache_key)
    await batches.work_all(node.worker(), await batches.create(node, project, 3), node)
    assert threads
    assert threading.current_thread() not in threads


async def test_points_share_the_values_that_are_not_given() -> None:
    table = {**evaluations.parameter("rows", "table", [{"x": 1.0}]), "columns": [{**_COLUMN, "name": "x"}]}
    first, second = rules.resolve_all([table], [{}, {}], "evaluations")
    assert first["rows"] is second["rows"]
    assert first == rules.resolve([table], {})


async def test_large_values_make_a_page_short_too(node: Node, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_id = await batches.create(node, project, 4)
    monkeypatch.setattr(servicer, "PAGE_BYTES", 100)
    answer = await batches.call(node, "ListBatchResults", "viewer", batch_id=batch_id)
    assert len(answer["results"]) < 4
    assert [one["parameters"]["span"] for one in await batches.results(node, batch_id)] == [5.0, 5.5, 6.0, 6.5]


@pytest.mark.parametrize(("most", "cached"), [(10, 0), (additions.MOST_CACHED, 2)])
async def test_large_stored_tables_are_not_copied(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, most: int, cached: int
) -> None:
    await batches.work_all(node.worker(), await batches.create(node, project, 2), node)
    monkeypatch.setattr(additions, "MOST_CACHED", most)
    again = (await batches.call(node, "CreateBatch", project_id=project, evaluations=batches.spans(2)))["batch"]
    assert again["counts"]["cached"] == cached


async def test_large_results_make_a_page_short(node: Node, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_id = await batches.create(node, project, 5)
    await batches.work_all(node.worker(), batch_id, node)
    monkeypatch.setattr(servicer, "PAGE_BYTES", 100)
    answer = await batches.call(node, "ListBatchResults", "viewer", batch_id=batch_id)
    assert 0 < len(answer["results"]) < 5
    assert all(one["tables"] == batches.MASS["tables"] for one in await batches.results(node, batch_id))
    assert len(await batches.results(node, batch_id)) == 5
