"""Models renamed and deleted, and versions deleted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from catenary.platform.v1 import model_service_pb2
from catenary_core.call.errors import CallError
from catenary_core.database import wakeups
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.jobs import endings
from factories.checks.timestamps import moment
from factories.services.calls import events_of, refusal_of
from factories.services.evaluations import run_sql
from factories.services.models import DESCRIPTION, World, outcome_of

_JOBS = Statement(sa.text("SELECT id FROM jobs.job"))


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "ed", "eva", "vic", "stranger")
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    return await world.project_with_roles()


@pytest.fixture
async def ids(world: World, project_id: str) -> dict[str, str]:
    return {"project_id": project_id, "model_id": await world.model("ed", project_id)}


async def test_a_model_is_renamed(world: World, ids: dict[str, str]) -> None:
    ed = world.as_("ed")
    before = (await ed.call("GetModel", **ids))["model"]
    changed = (await ed.call("UpdateModel", **ids, name="Truss"))["model"]
    assert changed == before | {"name": "Truss", "updated_at": changed["updated_at"]}
    assert moment(changed["updated_at"]) > moment(before["updated_at"])
    assert (await ed.call("UpdateModel", **ids))["model"] == changed, "without a name it stays as it is"
    assert (await ed.call("UpdateModel", **ids, name="Truss"))["model"]["name"] == "Truss", "its own name is free"
    assert await world.model("ed", ids["project_id"], "Arch"), "and so is the name that it had"


async def test_a_name_that_another_model_has_is_refused(world: World, ids: dict[str, str]) -> None:
    await world.model("ed", ids["project_id"], "Roof")
    refused = await world.as_("ed").refused("UpdateModel", **ids, name="Roof")
    assert (refused.reason, refused.details["parameter"], refused.details["value"]) == ("CONFLICT", "name", "Roof")
    for name in ("", "x" * 201):
        assert (await world.as_("ed").refused("UpdateModel", **ids, name=name)).reason == "VALIDATION_ERROR"
    cleared = await world.as_("ed").refused("UpdateModel", **ids, update_mask={"paths": ["name"]})
    assert (cleared.reason, cleared.details["parameter"]) == ("VALIDATION_ERROR", "name")


async def test_of_many_that_take_one_name_at_once_by_change_and_by_creation_one_has_it(
    world: World, project_id: str
) -> None:
    ed = world.as_("ed")
    models = [await world.model("ed", project_id, f"Arch {number}") for number in range(6)]
    renames = [ed.call("UpdateModel", project_id=project_id, model_id=one, name="Roof") for one in models]
    creations = [ed.call("CreateModel", project_id=project_id, name="Roof") for _ in range(6)]
    outcomes = await asyncio.gather(*renames, *creations, return_exceptions=True)
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 1
    refused = {refusal_of(outcome).reason for outcome in outcomes if isinstance(outcome, CallError)}
    assert refused == {"CONFLICT"}


async def test_only_editors_change_and_delete_models_and_versions(world: World, ids: dict[str, str]) -> None:
    version = await world.upload("ed", **ids)
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("UpdateModel", {"name": "Mine"}),
        ("DeleteModelVersion", {"model_version_id": version["model_version_id"]}),
        ("DeleteModel", {}),
    )
    for caller, reason in (("eva", "PERMISSION_DENIED"), ("vic", "PERMISSION_DENIED"), ("stranger", "NOT_FOUND")):
        for method, fields in calls:
            assert (await world.as_(caller).refused(method, **ids, **fields)).reason == reason
    elsewhere = {**ids, "project_id": await world.project("ed")}
    for method, fields in calls:
        assert (await world.as_("ed").refused(method, **elsewhere, **fields)).reason == "NOT_FOUND"
        await world.as_("ed").call(method, **ids, **fields)


async def test_a_deleted_version_is_gone_from_every_list_and_its_number_is_not_given_again(
    world: World, ids: dict[str, str]
) -> None:
    ed = world.as_("ed")
    first = await world.ready("ed", **ids)
    second = await world.ready("ed", **ids)
    deleted = (await ed.call("DeleteModelVersion", **ids, model_version_id=second))["model_version"]
    assert (deleted["model_version_id"], deleted["number"], deleted["status"]) == (second, 2, "ready")
    assert deleted["deleted_at"] == deleted["updated_at"] is not None
    gone = {**ids, "model_version_id": second}
    assert (await ed.refused("GetModelVersion", **gone)).reason == "NOT_FOUND"
    assert (await ed.open_refused("DownloadModelSource", **gone)).reason == "NOT_FOUND"
    assert (await ed.refused("DeleteModelVersion", **gone)).reason == "NOT_FOUND"
    refused = await ed.refused("CreateDeployment", project_id=ids["project_id"], model_version_id=second)
    assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", "model_version_id")
    listed = (await ed.call("ListModelVersions", **ids))["model_versions"]
    assert [(row["model_version_id"], row["deleted_at"]) for row in listed] == [(first, None)]
    assert (await ed.call("GetModel", **ids))["model"]["latest_model_version_id"] == first
    assert (await world.upload("ed", **ids))["number"] == 3


async def test_a_version_that_is_deployed_or_waits_for_it_stays(world: World, ids: dict[str, str]) -> None:
    ed, project_id = world.as_("ed"), ids["project_id"]
    active = await world.ready("ed", **ids)
    await world.deploy("ed", project_id, active)
    waiting = (await world.upload("ed", **ids))["model_version_id"]
    await world.deploy("ed", project_id, waiting)
    for version in (active, waiting):
        refused = await ed.refused("DeleteModelVersion", **ids, model_version_id=version)
        assert refused.reason == "CONFLICT"
        assert "deploy another version" in refused.message
    assert (await ed.refused("DeleteModel", **ids)).reason == "CONFLICT"
    await world.end_check(description=DESCRIPTION)  # its job is still there
    await ed.call("DeleteModelVersion", **ids, model_version_id=active)
    listed = (await ed.call("ListDeployments", project_id=project_id))["deployments"]
    assert [row["model_version_id"] for row in listed] == [waiting, active], "what was deployed stays known"


async def test_a_version_stays_as_long_as_a_variant_of_it(world: World, ids: dict[str, str], frame: Frame) -> None:
    ed = world.as_("ed")
    version, other = await world.ready("ed", **ids), await world.ready("ed", **ids)
    await run_sql(
        frame.db,
        "INSERT INTO variants.variant (variant_id, project_id, name, note, evaluation_id, model_version_id, created_by)"
        " VALUES (:v, :p, 'A', '', :v, :v, :v)",
        v=version,
        p=ids["project_id"],
    )
    for method, fields in (("DeleteModelVersion", {"model_version_id": version}), ("DeleteModel", {})):
        refused = await ed.refused(method, **ids, **fields)
        assert (refused.reason, "delete these variants first" in refused.message) == ("CONFLICT", True)
    await ed.call("DeleteModelVersion", **ids, model_version_id=other)
    await run_sql(frame.db, "UPDATE variants.variant SET deleted_at = now()")
    await ed.call("DeleteModelVersion", **ids, model_version_id=version)


async def test_a_version_stays_as_long_as_a_batch_or_study_evaluates_it(
    world: World, ids: dict[str, str], frame: Frame
) -> None:
    ed = world.as_("ed")
    version = await world.ready("ed", **ids)
    key = {"v": version, "p": ids["project_id"]}
    await run_sql(
        frame.db,
        "INSERT INTO evaluations.batch (batch_id, project_id, status, model_version_id, total, queued, created_by)"
        " VALUES (:v, :p, 'queued', :v, 0, 0, :v)",
        **key,
    )

    async def stays() -> None:
        for method, fields in (("DeleteModelVersion", {"model_version_id": version}), ("DeleteModel", {})):
            refused = await ed.refused(method, **ids, **fields)
            assert (refused.reason, "unfinished batch or study" in refused.message) == ("CONFLICT", True)

    await stays()
    await run_sql(frame.db, "UPDATE evaluations.batch SET status = 'completed', completed_at = now()")
    await run_sql(
        frame.db,
        "INSERT INTO evaluations.study (study_id, project_id, status, request, definition, payload, request_id)"
        " VALUES (:v, :p, 'running', '{}', '{}', '{}', '')",
        **key,
    )
    await stays()
    await run_sql(frame.db, "UPDATE evaluations.study SET status = 'completed', completed_at = now()")
    await ed.call("DeleteModelVersion", **ids, model_version_id=version)


async def test_a_deleted_version_s_check_is_ended_and_its_late_outcome_changes_nothing(
    world: World, ids: dict[str, str]
) -> None:
    waiting = await world.upload("ed", **ids)
    await world.as_("ed").call("DeleteModelVersion", **ids, model_version_id=waiting["model_version_id"])
    running = await world.upload("ed", **ids)
    job = await world.start_check()
    assert job["id"] == running["model_version_id"], "the first has no job any more"
    await world.as_("ed").call("DeleteModelVersion", **ids, model_version_id=running["model_version_id"])
    async with world.db.transaction() as tx:
        assert await tx.all(_JOBS) == []
        await world.checks.ended(tx, job, outcome_of(description=DESCRIPTION))
    late = [event for event in await events_of(world.db) if event["type"].startswith("model.version.")]
    assert late == []


async def test_a_deleted_model_takes_its_versions_along_and_frees_its_name(world: World, ids: dict[str, str]) -> None:
    ed = world.as_("ed")
    ready = await world.ready("ed", **ids)
    await world.upload("ed", **ids)
    deleted = (await ed.call("DeleteModel", **ids))["model"]
    assert deleted["deleted_at"] == deleted["updated_at"] is not None
    assert deleted["latest_model_version_id"] is None
    async with world.db.read() as tx:
        assert await tx.all(_JOBS) == [], "the check of the second is ended"
    for method in ("GetModel", "UpdateModel", "DeleteModel", "ListModelVersions"):
        assert (await ed.refused(method, **ids)).reason == "NOT_FOUND", method
    assert (await ed.refused("GetModelVersion", **ids, model_version_id=ready)).reason == "NOT_FOUND"
    assert (await ed.call("ListModels", project_id=ids["project_id"]))["models"] == []
    assert await world.model("ed", ids["project_id"], "Arch")


async def test_a_deployment_and_a_deletion_at_once_never_both_succeed(world: World, ids: dict[str, str]) -> None:
    ed, project_id = world.as_("ed"), ids["project_id"]
    for _ in range(8):
        version = await world.ready("ed", **ids)
        deployed, deleted = await asyncio.gather(
            ed.call("CreateDeployment", project_id=project_id, model_version_id=version),
            ed.call("DeleteModelVersion", **ids, model_version_id=version),
            return_exceptions=True,
        )
        assert isinstance(deployed, dict) != isinstance(deleted, dict)


@pytest.mark.parametrize(("method", "fields"), [("UpdateModel", {"name": "Truss"}), ("DeleteModel", {})])
async def test_of_twenty_writers_with_one_tag_one_wins(
    world: World, ids: dict[str, str], method: str, fields: dict[str, Any]
) -> None:
    read = model_service_pb2.GetModelRequest(**ids)
    path = "/catenary.platform.v1.ModelService"
    tag = (await world.dispatch().call(f"{path}/GetModel", read, {"authorization": "ed"})).metadata["etag"]
    request = getattr(model_service_pb2, f"{method}Request")(**ids, **fields)
    metadata = {"authorization": "ed", "if-match": tag}
    writers = [world.dispatch().call(f"{path}/{method}", request, metadata) for _ in range(20)]
    outcomes = await asyncio.gather(*writers, return_exceptions=True)
    refused = [refusal_of(outcome).reason for outcome in outcomes if isinstance(outcome, CallError)]
    assert len(refused) == 19
    assert set(refused) <= {"PRECONDITION_FAILED", "NOT_FOUND"}


@pytest.mark.parametrize("method", ["DeleteModelVersion", "DeleteModel"])
async def test_who_waits_for_the_check_of_a_version_is_told_at_once_that_it_is_deleted(
    world: World, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(wakeups, "POLL_SECONDS", 600.0)
    monkeypatch.setattr(endings, "POLL_SECONDS", 600.0)
    version = {"model_version_id": (await world.upload("ed", **ids))["model_version_id"]}
    path = "/catenary.platform.v1.ModelService/GetModelVersion"
    request = model_service_pb2.GetModelVersionRequest(**ids, **version, prefer="wait=60")
    waiting = asyncio.create_task(world.dispatch().call(path, request, {"authorization": "vic"}, 120))
    await asyncio.sleep(0.1)
    await world.as_("ed").call(method, **ids, **(version if method == "DeleteModelVersion" else {}))
    async with asyncio.timeout(30):
        with pytest.raises(CallError) as refused:
            await waiting
    assert refusal_of(refused.value).reason == "NOT_FOUND"
