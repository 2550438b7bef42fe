"""Work that names a file holds it from the moment at which it is added; without the file no work is begun or goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson
import pytest
import sqlalchemy as sa

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction
from catenary_core.services.evaluations.files import known
from factories.database.lock_waits import until_waiting
from factories.services import batches, studies
from factories.services.calls import Caller
from factories.services.evaluations import PARAMETERS, MadeGeometry, Node, deploy, parameter, refusal, run_sql

PROFILE = parameter("profile", "file", None, accept=[".csv"], max_bytes=1000)
CONTENT = b"0;0\n1;2\n"
TOWER = [MadeGeometry("tower", "glb", b"glTF" * 100)]
GONE = "A file that the values name was deleted meanwhile; upload it again, or give another one."
KINDS = ["evaluation", "batch", "import", "study"]


@pytest.fixture
async def project(node: Node) -> str:
    project, version = await deploy(node.frame.db, node.frame.objects, [PROFILE, *PARAMETERS])
    metrics = orjson.dumps([{"name": "mass", "unit": "kg", "description": ""}]).decode()
    update = "UPDATE models.model_version SET metrics = CAST(:m AS json) WHERE model_version_id = :v"
    await run_sql(node.frame.db, update, m=metrics, v=version)
    return project


async def _upload(node: Node, project: str) -> dict[str, Any]:
    parts = [{"project_id": project, "name": "profile.csv", "chunk": CONTENT}]
    return dict((await Caller(node.dispatch, "evaluator").send("UploadFile", parts))["file"])


async def _delete(node: Node, file: Mapping[str, Any]) -> None:
    await Caller(node.dispatch, "evaluator").call("DeleteFile", file_id=file["file_id"])


async def _begin(node: Node, project: str, kind: str, file: Mapping[str, Any], **fields: Any) -> str:
    """Begin work that names a file; return the id of a batch or a study."""
    caller, value = Caller(node.dispatch, "evaluator"), {"text": orjson.dumps(file["file_id"]).decode()}
    match kind:
        case "evaluation":
            await caller.call("Evaluate", project_id=project, parameters={"profile": value}, prefer="respond-async")
        case "batch":
            points = [{"parameters": {"profile": value, "span": {"text": str(span)}}} for span in (6, 7)]
            return str(
                (await batches.call(node, "CreateBatch", project_id=project, evaluations=points))["batch"]["batch_id"]
            )
        case "import":
            text = f"in:profile\n{file['value']}\n".encode()
            await caller.send("ImportEvaluations", [{"project_id": project, "content_type": "text/csv", "chunk": text}])
        case "study":
            given = {"objectives": [{"metric": "mass"}], "parameters": {"profile": {"fixed": value}}}
            return await studies.begin(node, project, **given, **fields)
    return ""


async def _work(node: Node) -> int:
    """Return the number of evaluations, batches and jobs."""
    counts = "(SELECT count(*) FROM evaluations.evaluation) + (SELECT count(*) FROM evaluations.batch)"
    rows = await run_sql(node.frame.db, f"SELECT {counts} + (SELECT count(*) FROM jobs.job) AS n")
    return int(rows[0]["n"])


def _deleted_after_the_look(node: Node, file: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a file deleted once the next work has read the files that it may name."""
    with_files = known.with_files

    async def late(tx: Transaction, project_id: str, version: Row) -> Row:
        found = await with_files(tx, project_id, version)
        monkeypatch.setattr(known, "with_files", with_files)
        await asyncio.create_task(_delete(node, file))
        return found

    monkeypatch.setattr(known, "with_files", late)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_file_that_is_deleted_before_the_work_is_added_is_told(
    node: Node, project: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await _upload(node, project)
    _deleted_after_the_look(node, file, monkeypatch)
    with pytest.raises(CallError) as caught:
        await _begin(node, project, kind, file)
    assert (refusal(caught.value).reason, refusal(caught.value).message) == ("CONFLICT", GONE)
    assert await _work(node) == 0
    await _begin(node, project, kind, await _upload(node, project))


@pytest.mark.parametrize("kind", KINDS)
async def test_without_the_hold_work_would_be_added_whose_file_is_gone(
    node: Node, project: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def blind(tx: Transaction, project_id: str, hashes: set[str]) -> None:
        assert hashes

    monkeypatch.setattr(known, "hold", blind)
    file = await _upload(node, project)
    _deleted_after_the_look(node, file, monkeypatch)
    await _begin(node, project, kind, file)
    assert await _work(node) > 0


@pytest.mark.parametrize("kind", KINDS)
async def test_who_adds_work_first_keeps_the_file(node: Node, project: str, kind: str) -> None:
    file = await _upload(node, project)
    table = "evaluation" if kind == "evaluation" else "batch"
    async with node.frame.db.transaction() as tx:
        await tx.execute(Statement(sa.text(f"LOCK TABLE evaluations.{table} IN SHARE MODE")))
        begun = asyncio.create_task(_begin(node, project, kind, file))
        await until_waiting(tx, 1)
        deleted = asyncio.create_task(_delete(node, file))
        await until_waiting(tx, 2)
    await begun
    with pytest.raises(CallError) as caught:
        await deleted
    assert "has not ended uses this file" in refusal(caught.value).message


@pytest.mark.parametrize("kind", KINDS)
async def test_who_deletes_the_file_first_has_the_work_refused(node: Node, project: str, kind: str) -> None:
    file = await _upload(node, project)
    async with node.frame.db.transaction() as tx:
        account = "SELECT FROM quotas.project WHERE project_id = CAST(:p AS uuid) FOR UPDATE"
        await tx.execute(Statement(sa.text(account)), p=project)
        deleted = asyncio.create_task(_delete(node, file))
        await until_waiting(tx, 1)
        begun = asyncio.create_task(_begin(node, project, kind, file))
        await until_waiting(tx, 2)
    await deleted
    with pytest.raises(CallError) as caught:
        await begun
    assert refusal(caught.value).message == GONE


async def test_one_of_two_equal_files_is_enough(node: Node, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file, _ = await _upload(node, project), await _upload(node, project)
    _deleted_after_the_look(node, file, monkeypatch)
    await _begin(node, project, "batch", file)


async def test_an_ended_study_without_its_file_is_not_resumed(node: Node, project: str) -> None:
    file = await _upload(node, project)
    study_id = await _begin(node, project, "study", file)
    await studies.call(node, "CancelStudy", study_id=study_id)
    await _delete(node, file)
    found = await studies.refused(node, "ResumeStudy", study_id=study_id)
    assert (found.reason, "upload it to the project again" in found.message) == ("CONFLICT", True)
    assert (await studies.get(node, study_id))["status"] == "cancelled"
    again = await _upload(node, project)
    await studies.call(node, "ResumeStudy", study_id=study_id)
    refused = await Caller(node.dispatch, "evaluator").refused("DeleteFile", file_id=again["file_id"])
    assert refused.reason == "CONFLICT"


@pytest.mark.slow
async def test_a_study_that_goes_on_without_its_file_ends_at_once(node: Node, project: str) -> None:
    """Older releases let a file go while a study began, and would evaluate its whole budget."""
    file = await _upload(node, project)
    study_id = await _begin(node, project, "study", file)
    await run_sql(node.frame.db, "DELETE FROM evaluations.input_file")
    async with studies.driven(node, studies.beam):
        found = await studies.ended(node, study_id)
    assert (found["status"], found["counts"]["total"]) == ("failed", 0)
    assert "upload it to the project again, then resume the study" in found["error"]
    await _upload(node, project)
    await studies.call(node, "ResumeStudy", study_id=study_id)
    async with studies.driven(node, studies.beam):
        assert (await studies.ended(node, study_id))["status"] == "completed"


@pytest.mark.slow
async def test_without_the_look_a_study_spends_its_budget(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def blind(tx: Transaction, project_id: str, hashes: set[str]) -> bool:
        return True

    monkeypatch.setattr(known, "are_held", blind)
    study_id = await _begin(node, project, "study", await _upload(node, project))
    await run_sql(node.frame.db, "DELETE FROM evaluations.input_file")
    async with studies.driven(node, lambda _: studies.FAILED):
        found = await studies.ended(node, study_id)
    assert (found["status"], found["counts"]["failed"]) == ("completed", 36)


async def test_the_geometry_of_a_point_is_not_begun_without_its_file(node: Node, project: str) -> None:
    file = await _upload(node, project)
    batch_id = await _begin(node, project, "batch", file)
    while (await batches.get(node, batch_id))["status"] != "completed":
        await batches.work(node.worker(), {**batches.MASS, "unmade": [("tower", "glb")]})
    await _delete(node, file)
    asked = {"evaluation_id": (await batches.results(node, batch_id))[0]["evaluation_id"], "name": "tower"}
    with pytest.raises(CallError) as caught:
        await node.download("evaluator", **asked)
    assert refusal(caught.value).message.startswith("A file that this point was computed with was deleted")
    assert await batches.jobs(node) == 0
    await _upload(node, project)
    stream, _ = await node.download("evaluator", **asked)
    assert stream.metadata["catenary-status"] == "202"
