"""The points of batches and studies in the list of evaluations, by their filters."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.database.transactions import Transaction
from catenary_core.services.evaluations.points import ids
from factories.services import batches
from factories.services.evaluations import CALLERS, MadeGeometry, Node, deploy, refusal, run_sql

NAMED = {**batches.MASS, "unmade": [("tower", "glb")]}


async def _list(node: Node, project: str, **fields: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        answer = await node.call("ListEvaluations", "viewer", project_id=project, cursor=cursor, **fields)
        found += answer.body["evaluations"]
        if answer.body["next_cursor"] is None:
            return found
        cursor = answer.body["next_cursor"]


async def _done(node: Node, project: str, count: int) -> str:
    batch_id = await batches.create(node, project, count)
    while (await batches.get(node, batch_id))["status"] in ("queued", "running"):
        await batches.work(node.worker(), NAMED)
    return batch_id


async def _ids(node: Node, project: str, **fields: Any) -> list[str]:
    return [one["evaluation_id"] for one in await _list(node, project, **fields)]


async def test_a_batch_s_points_are_listed_newest_first(node: Node, project: str) -> None:
    first, second = await _done(node, project, 5), await batches.create(node, project, 3)
    await node.evaluate(project, {"span": 40}, prefer="respond-async")
    of_first = [ids.evaluation_id(first, index) for index in (4, 3, 2, 1, 0)]
    of_second = [ids.evaluation_id(second, index) for index in (2, 1, 0)]
    for limit in (1, 2, 3, 50):
        assert await _ids(node, project, batch_id=[first], limit=limit) == of_first
        assert await _ids(node, project, batch_id=[first, second], limit=limit) == [*of_second, *of_first]
    assert len(await _list(node, project)) == 1, "without a batch the single evaluation alone"
    (point, *_) = await _list(node, project, batch_id=[first])
    answer = await node.call("GetEvaluation", "viewer", evaluation_id=point["evaluation_id"])
    alone = answer.body["evaluation"]
    assert alone["tables"] == {"members": [{"force": 1.5}]}
    assert point == {**alone, "tables": {}}
    (result,) = [one for one in await batches.results(node, first) if one["index"] == 4]
    assert [(one["batch_id"], one["study_id"], one["index"]) for one in (point, alone)] == [(first, None, 4)] * 2
    shared = ("status", "parameters", "metrics", "constraints", "error", "cached", "duration_ms", "geometry")
    assert {name: point[name] for name in shared} == {name: result[name] for name in shared}
    assert all(one["size"] is None for one in point["geometry"])


async def test_every_given_filter_matches(node: Node, project: str) -> None:
    batch_id, other = await _done(node, project, 3), await batches.create(node, project, 4)
    both = [batch_id, other]
    assert len(await _list(node, project, batch_id=both, status=["EVALUATION_STATUS_QUEUED"])) == 1
    assert len(await _list(node, project, batch_id=both, status=["EVALUATION_STATUS_COMPLETED"])) == 6
    version = (await batches.get(node, batch_id))["model_version_id"]
    assert len(await _list(node, project, batch_id=both, model_version_id=[version])) == 7
    assert await _list(node, project, batch_id=both, model_version_id=[batch_id]) == []
    assert len(await _list(node, project, batch_id=both, asked_by=[CALLERS["evaluator"].user_id])) == 7
    assert await _list(node, project, batch_id=both, asked_by=[CALLERS["viewer"].user_id]) == []
    assert await _list(node, project, study_id=[batch_id]) == [], "a batch is no study"
    await run_sql(node.frame.db, "UPDATE evaluations.batch SET is_study = true WHERE batch_id = :b", b=other)
    assert len(await _list(node, project, study_id=[other])) == 4
    assert await _list(node, project, batch_id=[other]) == []
    assert await _list(node, project, batch_id=[batch_id], study_id=[other]) == [], "nothing is of both"


async def test_points_of_another_project_are_not_listed(node: Node, project: str) -> None:
    elsewhere, _ = await deploy(node.frame.db, node.frame.objects)
    batch_id = await _done(node, elsewhere, 2)
    assert len(await _list(node, elsewhere, batch_id=[batch_id])) == 2
    assert await _list(node, project, batch_id=[batch_id]) == []
    with pytest.raises(CallError) as caught:
        await _list(node, project, batch_id=["x"])
    assert refusal(caught.value).violations == [("batch_id[0]", "uuid")]


async def test_a_page_is_one_statement_however_long(node: Node, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_id = await _done(node, project, 12)
    point = ids.evaluation_id(batch_id, 11)
    await node.download("evaluator", evaluation_id=point, name="tower")
    worker = node.worker()
    await worker.complete(await worker.must_lease(), geometry=[MadeGeometry("tower", "glb", b"glTF")])
    ran: list[str] = []
    run = Transaction.all

    async def counted(self: Transaction, statement: Any, **given: Any) -> Any:
        ran.append(statement.sql)
        return await run(self, statement, **given)

    monkeypatch.setattr(Transaction, "all", counted)
    for limit in (1, 12):
        ran.clear()
        answer = await node.call("ListEvaluations", "viewer", project_id=project, batch_id=[batch_id], limit=limit)
        assert len(ran) == 1
        assert answer.body["evaluations"][0]["geometry"][0]["size"] == 4
