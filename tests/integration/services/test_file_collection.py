"""Files that nothing in their project has named for a day are deleted; the others stay."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from catenary_core.services.evaluations.files import collection, known
from factories.services import batches, studies
from factories.services.calls import Caller
from factories.services.evaluations import PARAMETERS, Node, deploy, parameter, run_sql

PROFILE = parameter("profile", "file", None, accept=[".csv"], max_bytes=1000)
CONTENT = b"0;0\n1;2\n"


@pytest.fixture
async def project(node: Node) -> str:
    project, version = await deploy(node.frame.db, node.frame.objects, [PROFILE, *PARAMETERS])
    metrics = orjson.dumps([{"name": "mass", "unit": "kg", "description": ""}]).decode()
    update = "UPDATE models.model_version SET metrics = CAST(:m AS json) WHERE model_version_id = :v"
    await run_sql(node.frame.db, update, m=metrics, v=version)
    return project


async def _upload(node: Node, project: str, content: bytes = CONTENT) -> dict[str, Any]:
    parts = [{"project_id": project, "name": "profile.csv", "chunk": content}]
    return dict((await Caller(node.dispatch, "evaluator").send("UploadFile", parts))["file"])


async def _after(node: Node, interval: str) -> list[str]:
    """Let time pass, collect, and return the ids of the files that are left."""
    await run_sql(node.frame.db, "UPDATE evaluations.input_file SET due_at = due_at - CAST(:i AS interval)", i=interval)
    await collection.collect(node.frame.db)
    return [row["file_id"] for row in await run_sql(node.frame.db, "SELECT file_id FROM evaluations.input_file")]


async def _name(node: Node, project: str, kind: str, file_id: str) -> None:
    """Begin work of a kind that names a file."""
    caller, value = Caller(node.dispatch, "evaluator"), {"text": orjson.dumps(file_id).decode()}
    match kind:
        case "evaluation":
            await caller.call("Evaluate", project_id=project, parameters={"profile": value}, prefer="respond-async")
        case "point":
            points = [{"parameters": {"profile": value}}]
            await batches.call(node, "CreateBatch", project_id=project, evaluations=points)
        case "plan":
            profile = {"values": [value]}
            await caller.call("CreatePlan", project_id=project, kind="PLAN_KIND_GRID", parameters={"profile": profile})
        case _:
            await studies.begin(
                node, project, objectives=[{"metric": "mass"}], parameters={"profile": {"fixed": value}}
            )


async def test_a_file_that_nothing_names_goes_after_a_day(node: Node, project: str) -> None:
    await _upload(node, project)
    select = "SELECT storage FROM quotas.project WHERE project_id = CAST(:p AS uuid)"
    (before,) = await run_sql(node.frame.db, select, p=project)
    made = await _upload(node, project, b"1;1\n")
    assert len(await _after(node, "23 hours 59 minutes")) == 2
    assert await _after(node, "2 minutes") == []
    (after,) = await run_sql(node.frame.db, select, p=project)
    assert before["storage"] - after["storage"] == len(CONTENT), "and both are off the account"
    held = "SELECT sha256 FROM objects.holding WHERE holder_id = CAST(:h AS uuid)"
    assert await run_sql(node.frame.db, held, h=made["file_id"]) == []
    assert (await Caller(node.dispatch, "evaluator").refused("GetFile", file_id=made["file_id"])).reason == "NOT_FOUND"


@pytest.mark.parametrize("kind", ["evaluation", "point", "plan", "study"])
async def test_a_file_stays_while_work_names_it(node: Node, project: str, kind: str) -> None:
    made, other = await _upload(node, project), await _upload(node, project, b"1;1\n")
    await _name(node, project, kind, made["file_id"])
    assert await _after(node, "25 hours") == [made["file_id"]], other
    assert await _after(node, "25 hours") == [made["file_id"]]


async def test_a_file_has_a_day_after_its_last_name_went(node: Node, project: str) -> None:
    made = await _upload(node, project)
    await _name(node, project, "evaluation", made["file_id"])
    assert await _after(node, "25 hours") == [made["file_id"]]
    await run_sql(node.frame.db, "DELETE FROM evaluations.evaluation")
    assert await _after(node, "25 hours") == [made["file_id"]], "found unnamed for the first time"
    assert await _after(node, "23 hours") == [made["file_id"]]
    assert await _after(node, "2 hours") == []


async def test_a_file_that_work_is_about_to_name_is_passed_over(node: Node, project: str) -> None:
    made = await _upload(node, project)
    async with node.frame.db.transaction() as tx:
        await known.hold(tx, project, {made["sha256"]})
        assert await _after(node, "25 hours") == [made["file_id"]]
    assert await _after(node, "0 hours") == []


async def test_work_of_another_project_names_no_file(node: Node, project: str) -> None:
    other, _ = await deploy(node.frame.db, node.frame.objects, [PROFILE, *PARAMETERS])
    made, theirs = await _upload(node, project), await _upload(node, other)
    await _name(node, other, "evaluation", theirs["file_id"])
    assert made["value"] == theirs["value"]
    assert await _after(node, "25 hours") == [theirs["file_id"]]


async def test_files_of_a_deleted_project_are_left_to_its_own_end(node: Node, project: str) -> None:
    made = await _upload(node, project)
    await run_sql(node.frame.db, "UPDATE projects.project SET deleted_at = now()")
    assert await _after(node, "25 hours") == [made["file_id"]]
