"""Deployments and the parameters of projects over the dispatcher."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import psycopg
import pytest
import sqlalchemy as sa

from catenary_core.call.call import Identity
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.services.models import deployments, queries
from factories.checks.timestamps import moment
from factories.services.calls import events_of
from factories.services.models import DESCRIPTION, EDITOR, NOBODY, SPAN, VIEWER, World

_DEPLOYED = Statement(sa.text("SELECT * FROM models.deployed"))
_STATUSES = Statement(sa.text("SELECT status, count(*) AS n FROM models.deployment GROUP BY status"))
_UNLOCKED = Statement(sa.text("SELECT CAST(:project_id AS uuid)"))


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("ed", "vic")
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    made = await world.project("ed")
    await world.put("ed", made, world.id("vic"), VIEWER)
    return made


@pytest.fixture
async def model_id(world: World, project_id: str) -> str:
    return await world.model("ed", project_id)


async def _deployed(db: Database) -> list[Row]:
    async with db.read() as tx:
        return await tx.all(_DEPLOYED)


async def _statuses(db: Database) -> dict[str, int]:
    async with db.read() as tx:
        return {row["status"]: row["n"] for row in await tx.all(_STATUSES)}


async def _listed(world: World, project_id: str) -> dict[str, str]:
    answer = await world.as_("vic").call("ListDeployments", project_id=project_id, limit=200)
    return {row["deployment_id"]: row["status"] for row in answer["deployments"]}


async def _parameters(world: World, project_id: str) -> dict[str, dict[str, Any]]:
    answer = await world.as_("vic").call("ListParameters", project_id=project_id)
    assert answer["next_cursor"] is None
    return {row["name"]: row for row in answer["parameters"]}


async def test_a_ready_version_is_deployed_at_once_and_an_older_one_again(
    world: World, project_id: str, model_id: str
) -> None:
    first = await world.ready("ed", project_id, model_id)
    one = await world.deploy("ed", project_id, first)
    assert one | {"created_at": "", "updated_at": "", "activated_at": ""} == {
        "deployment_id": one["deployment_id"],
        "project_id": project_id,
        "model_id": model_id,
        "model_version_id": first,
        "status": "active",
        "error": None,
        "created_by": {"user_id": world.id("ed"), "staff_name": "ed"},
        "created_at": "",
        "updated_at": "",
        "activated_at": "",
        "retired_at": None,
    }
    assert moment(one["activated_at"]) >= moment(one["created_at"])
    second = await world.ready("ed", project_id, model_id)
    two = await world.deploy("ed", project_id, second)
    three = await world.deploy("ed", project_id, first)
    answer = await world.as_("vic").call("ListDeployments", project_id=project_id)
    rows = answer["deployments"]
    assert [(row["deployment_id"], row["status"]) for row in rows] == [
        (three["deployment_id"], "active"),
        (two["deployment_id"], "retired"),
        (one["deployment_id"], "retired"),
    ]
    assert all((row["retired_at"] is None) == (row["status"] == "active") for row in rows)
    project = (await world.as_("vic").call("GetProject", project_id=project_id))["project"]
    assert project["deployed_model_version_id"] == first
    assert (await world.as_("vic").call("ListProjects"))["projects"] == [project]


async def test_a_new_project_has_nothing_deployed_while_others_have(
    world: World, project_id: str, model_id: str
) -> None:
    for _ in range(2):
        await world.deploy("ed", project_id, await world.ready("ed", project_id, model_id))
    other = await world.project("ed")
    made = (await world.as_("ed").call("GetProject", project_id=other))["project"]
    assert made["deployed_model_version_id"] is None
    model = (await world.as_("ed").call("CreateModel", project_id=other, name="New"))["model"]
    assert model["latest_model_version_id"] is None


async def test_others_read_what_is_deployed_through_the_view(world: World, project_id: str, model_id: str) -> None:
    version_id = await world.ready("ed", project_id, model_id)
    await world.deploy("ed", project_id, version_id)
    (row,) = await _deployed(world.db)
    assert list(row) == [
        "project_id",
        "model_id",
        "model_version_id",
        "kind",
        "sha256",
        "parameters",
        "metrics",
        "constraints",
        "repeatable",
    ]
    assert (row["project_id"], row["model_id"], row["model_version_id"]) == (project_id, model_id, version_id)
    assert {item["name"]: item for item in row["parameters"]} == await _parameters(world, project_id)


async def test_a_deployment_of_an_unchecked_version_waits_for_its_check(
    world: World, project_id: str, model_id: str
) -> None:
    await world.deploy("ed", project_id, await world.ready("ed", project_id, model_id))
    version = await world.upload("ed", project_id, model_id)
    pending = await world.deploy("ed", project_id, version["model_version_id"])
    assert (pending["status"], pending["activated_at"]) == ("pending", None)
    job = await world.start_check()
    assert (await _statuses(world.db)) == {"active": 1, "pending": 1}
    await world.end_check(job, description=DESCRIPTION)
    assert (await _listed(world, project_id))[pending["deployment_id"]] == "active"
    assert (await _statuses(world.db)) == {"retired": 1, "active": 1}
    assert [row["model_version_id"] for row in await _deployed(world.db)] == [version["model_version_id"]]


async def test_a_deployment_fails_with_its_check_and_the_one_before_stays(
    world: World, project_id: str, model_id: str
) -> None:
    before = await world.deploy("ed", project_id, await world.ready("ed", project_id, model_id))
    version = await world.upload("ed", project_id, model_id)
    pending = await world.deploy("ed", project_id, version["model_version_id"])
    error = {"code": "MODEL_FAILED", "message": "NameError: x", "line": 2}
    await world.end_check(status="failed", error=error)
    rows = (await world.as_("vic").call("ListDeployments", project_id=project_id))["deployments"]
    assert [(row["deployment_id"], row["status"], row["error"]) for row in rows] == [
        (pending["deployment_id"], "failed", error),
        (before["deployment_id"], "active", None),
    ]


async def test_a_later_deployment_overtakes_one_that_waits(world: World, project_id: str, model_id: str) -> None:
    ready = await world.ready("ed", project_id, model_id)
    slow = await world.upload("ed", project_id, model_id)
    first = await world.deploy("ed", project_id, slow["model_version_id"])
    second = await world.deploy("ed", project_id, slow["model_version_id"])
    third = await world.deploy("ed", project_id, ready)
    rows = (await world.as_("vic").call("ListDeployments", project_id=project_id))["deployments"]
    assert [(row["deployment_id"], row["status"]) for row in rows] == [
        (third["deployment_id"], "active"),
        (second["deployment_id"], "failed"),
        (first["deployment_id"], "failed"),
    ]
    assert "later deployment" in rows[1]["error"]["message"]
    await world.end_check(description=DESCRIPTION)
    assert (await _statuses(world.db)) == {"active": 1, "failed": 2}, "an overtaken one never comes back"


async def test_an_ended_deployment_leaves_nothing_deployed_and_its_narrowings(
    world: World, project_id: str, model_id: str
) -> None:
    version_id = await world.ready("ed", project_id, model_id)
    await world.deploy("ed", project_id, version_id)
    await world.as_("ed").call("UpdateParameter", project_id=project_id, name="span", label="Width")
    slow = await world.upload("ed", project_id, model_id)
    waiting = await world.deploy("ed", project_id, slow["model_version_id"])
    ended = (await world.as_("ed").call("DeleteCurrentDeployment", project_id=project_id))["deployment"]
    assert (ended["status"], ended["model_version_id"]) == ("retired", version_id)
    assert await _deployed(world.db) == []
    assert (await _listed(world, project_id))[waiting["deployment_id"]] == "failed"
    await world.end_check(description=DESCRIPTION)
    assert await _deployed(world.db) == [], "a deployment that failed doesn't come back with its check"
    assert (await world.as_("ed").refused("DeleteCurrentDeployment", project_id=project_id)).reason == "NOT_FOUND"
    await world.deploy("ed", project_id, version_id)
    assert (await _parameters(world, project_id))["span"]["label"] == "Width"
    assert (
        await world.as_("vic").refused("DeleteCurrentDeployment", project_id=project_id)
    ).reason == "PERMISSION_DENIED"


async def test_two_ends_and_a_deployment_at_once_leave_one_or_none(
    world: World, project_id: str, model_id: str
) -> None:
    version_id = await world.ready("ed", project_id, model_id)
    await world.deploy("ed", project_id, version_id)
    caller = world.as_("ed")
    answers = await asyncio.gather(
        caller.call("DeleteCurrentDeployment", project_id=project_id),
        caller.call("CreateDeployment", project_id=project_id, model_version_id=version_id),
        caller.call("DeleteCurrentDeployment", project_id=project_id),
        return_exceptions=True,
    )
    made = answers[1]
    assert isinstance(made, dict)
    ended = [one["deployment"]["deployment_id"] for one in (answers[0], answers[2]) if isinstance(one, dict)]
    assert len(set(ended)) == len(ended) >= 1, "nobody ends what another has ended"
    statuses = await _statuses(world.db)
    assert statuses.get("retired", 0) + statuses.get("active", 0) == 2
    # The new one is ended only by an end that came after it.
    assert statuses.get("active", 0) == (0 if made["deployment"]["deployment_id"] in ended else 1)


async def test_each_change_of_a_deployment_is_an_event(world: World, project_id: str, model_id: str) -> None:
    first = await world.deploy("ed", project_id, await world.ready("ed", project_id, model_id))
    version = await world.upload("ed", project_id, model_id)
    second = await world.deploy("ed", project_id, version["model_version_id"])
    await world.end_check(description=DESCRIPTION)
    log = [event for event in await events_of(world.db) if event["type"] == "model.deployment.changed"]
    assert [(event["data"]["deployment"]["deployment_id"], event["data"]["deployment"]["status"]) for event in log] == [
        (first["deployment_id"], "active"),
        (second["deployment_id"], "pending"),
        (first["deployment_id"], "retired"),
        (second["deployment_id"], "active"),
    ]
    assert log[0]["data"]["deployment"] == first | {"created_by": {"user_id": world.id("ed")}}
    assert [event["actor_id"] for event in log] == [world.id("ed"), world.id("ed"), None, None]
    assert {event["project_id"] for event in log} == {project_id}
    assert log[0]["subject"] == f"/v1/projects/{project_id}/deployments/{first['deployment_id']}"


async def _race(world: World, project_id: str, model_id: str) -> None:
    versions = [await world.ready("ed", project_id, model_id) for _ in range(2)]
    waiting = await world.upload("ed", project_id, model_id)
    job = await world.start_check()
    versions.append(waiting["model_version_id"])
    await asyncio.gather(
        *(world.deploy("ed", project_id, versions[number % 3]) for number in range(18)),
        world.end_check(job, description=DESCRIPTION),
    )


async def test_parallel_deployments_and_a_check_leave_one_active_and_none_waiting(
    world: World, project_id: str, model_id: str
) -> None:
    await _race(world, project_id, model_id)
    statuses = await _statuses(world.db)
    assert statuses["active"] == 1
    assert "pending" not in statuses
    assert sum(statuses.values()) == 18
    assert len(await _deployed(world.db)) == 1


@pytest.mark.parametrize(("lock", "status"), [(queries.LOCK_DEPLOYMENTS, "active"), (_UNLOCKED, "pending")])
async def test_only_the_lock_lets_a_check_meet_the_deployment_that_waits_for_it(
    world: World, project_id: str, model_id: str, monkeypatch: pytest.MonkeyPatch, lock: Statement, status: str
) -> None:
    """A check that ends after a deployment has read `checking` and before it is stored: without the lock it waits forever."""
    monkeypatch.setattr(queries, "LOCK_DEPLOYMENTS", lock)
    version = await world.upload("ed", project_id, model_id)
    job = await world.start_check()
    ending: list[asyncio.Task[None]] = []
    request = deployments.request

    async def slow(*arguments: Any) -> Any:
        ending.append(asyncio.create_task(world.end_check(job, description=DESCRIPTION)))
        await asyncio.wait(ending, timeout=60 if lock is _UNLOCKED else 0.5)
        return await request(*arguments)

    monkeypatch.setattr(deployments, "request", slow)
    made = await world.deploy("ed", project_id, version["model_version_id"])
    await ending[0]
    assert (await _listed(world, project_id))[made["deployment_id"]] == status


def test_a_second_active_or_pending_deployment_is_refused_by_the_database(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO models.model (model_id, project_id, name) VALUES (%(id)s, %(id)s, 'x')", {"id": NOBODY}
        )
        connection.execute(
            "INSERT INTO models.model_version (model_version_id, model_id, number, status, kind, size, sha256, created_by)"
            " VALUES (%(id)s, %(id)s, 1, 'ready', 'python', 1, '', %(id)s)",
            {"id": NOBODY},
        )
        insert = (
            "INSERT INTO models.deployment (deployment_id, project_id, model_version_id, status, parameters, created_by)"
            " VALUES (gen_random_uuid(), %(id)s, %(id)s, %(status)s, '[]', %(id)s)"
        )
        for status in ("active", "pending"):
            connection.execute(insert, {"id": NOBODY, "status": status})
            with pytest.raises(psycopg.errors.UniqueViolation):
                connection.execute(insert, {"id": NOBODY, "status": status})
        for _ in range(2):
            connection.execute(insert, {"id": NOBODY, "status": "retired"})


async def test_an_unknown_version_is_refused(world: World, project_id: str) -> None:
    refusal = await world.as_("ed").refused("CreateDeployment", project_id=project_id, model_version_id=NOBODY)
    assert (refusal.reason, refusal.details["parameter"], refusal.details["value"]) == (
        "VALIDATION_ERROR",
        "model_version_id",
        NOBODY,
    )


@pytest.mark.slow
async def test_a_walk_over_deployments_shows_each_once(world: World, project_id: str, model_id: str) -> None:
    version_id = await world.ready("ed", project_id, model_id)
    made = [(await world.deploy("ed", project_id, version_id))["deployment_id"] for _ in range(120)]
    seen: list[str] = []
    cursor = ""
    while True:
        answer = await world.as_("vic").call("ListDeployments", project_id=project_id, limit=25, cursor=cursor)
        seen += [row["deployment_id"] for row in answer["deployments"]]
        if answer["next_cursor"] is None:
            break
        cursor = answer["next_cursor"]
        if len(seen) <= 75:
            await world.deploy("ed", project_id, version_id)
    assert seen == made[::-1]


# Parameters


def _json(value: Any) -> dict[str, str]:
    return {"text": orjson.dumps(value).decode()}


def _fields(**values: Any) -> dict[str, Any]:
    return {key: value if key == "label" else _json(value) for key, value in values.items()}


@pytest.fixture
async def deployed(world: World, project_id: str, model_id: str) -> str:
    version_id = await world.ready("ed", project_id, model_id)
    await world.deploy("ed", project_id, version_id)
    return project_id


async def test_a_project_without_a_deployed_version_has_no_parameters(world: World, project_id: str) -> None:
    assert await _parameters(world, project_id) == {}
    refusal = await world.as_("ed").refused("UpdateParameter", project_id=project_id, name="span", label="x")
    assert refusal.reason == "NOT_FOUND"


async def test_a_narrowed_parameter_shows_everywhere(world: World, deployed: str) -> None:
    before = await _parameters(world, deployed)
    assert list(before) == ["span", "count"]
    fields = _fields(min=10, max=40.0, default=30.5, label="Span")
    answer = await world.as_("ed").call("UpdateParameter", project_id=deployed, name="span", **fields)
    made = answer["parameter"]
    assert made == {**before["span"], "min": 10, "max": 40.0, "default": 30.5, "label": "Span"}
    assert (isinstance(made["min"], int), isinstance(made["max"], float)) == (True, True)
    assert await _parameters(world, deployed) == {"span": made, "count": before["count"]}
    (row,) = await _deployed(world.db)
    assert row["parameters"] == [made, before["count"]]
    log = await events_of(world.db)
    assert (log[-1]["type"], log[-1]["actor_id"], log[-1]["project_id"]) == (
        "project.updated",
        world.id("ed"),
        deployed,
    )
    assert log[-1]["subject"] == f"/v1/projects/{deployed}/parameters/span"
    assert log[-1]["data"] == {"parameter": made}


async def test_null_takes_the_declared_value_back(world: World, deployed: str) -> None:
    before = (await _parameters(world, deployed))["span"]
    ed = world.as_("ed")
    key = {"project_id": deployed, "name": "span"}
    await ed.call("UpdateParameter", **key, **_fields(min=10, max=40, default=30, label="Span"))
    mask = {"paths": ["min", "label"]}
    made = (await ed.call("UpdateParameter", **key, update_mask=mask))["parameter"]
    assert made == {**before, "max": 40, "default": 30}
    assert (await ed.call("UpdateParameter", **key))["parameter"] == made, "nothing given, nothing changed"
    made = (await ed.call("UpdateParameter", **key, **_fields(max=None, default=None)))["parameter"]
    assert made == before


_UNFIT: list[tuple[str, dict[str, Any], str, str]] = [
    ("span", {"min": 4}, "min", "range"),
    ("span", {"max": 60.5}, "max", "range"),
    ("span", {"min": 5.25}, "min", "step"),
    ("span", {"min": 30, "max": 20, "default": 25}, "min", "min"),
    ("span", {"max": 20}, "default", "range"),
    ("span", {"default": 24.2}, "default", "step"),
    ("span", {"default": "24"}, "default", "type"),
    ("span", {"default": {"value": 24}}, "default", "type"),
    ("count", {"default": 450.0}, "default", "type"),
    ("count", {"default": 2**63 + 1}, "default", "type"),
    ("span", {"label": ""}, "label", "min_len"),
    ("span", {"label": "x" * 201}, "label", "max_len"),
]


async def test_a_narrowing_that_does_not_fit_is_refused_and_changes_nothing(world: World, deployed: str) -> None:
    before, events = await _parameters(world, deployed), await events_of(world.db)
    for name, fields, parameter, constraint in _UNFIT:
        refusal = await world.as_("ed").refused("UpdateParameter", project_id=deployed, name=name, **_fields(**fields))
        found = (refusal.reason, refusal.details["parameter"], refusal.details["constraint"])
        assert found == ("VALIDATION_ERROR", parameter, constraint), (name, fields)
    assert await _parameters(world, deployed) == before
    assert await events_of(world.db) == events


async def test_a_value_that_is_no_json_is_refused(world: World, deployed: str) -> None:
    ed = world.as_("ed")
    for text in ("", "NaN", "1e400", "[1", '"\\ud800"', "[" * 100, str(2**70)):
        refusal = await ed.refused("UpdateParameter", project_id=deployed, name="span", default={"text": text})
        assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "default"), text
    assert (await ed.refused("UpdateParameter", project_id=deployed, name="nope")).reason == "NOT_FOUND"


async def test_a_narrowing_holds_for_the_versions_that_it_fits(world: World, deployed: str, model_id: str) -> None:
    key = {"project_id": deployed, "name": "span"}
    first = (await world.as_("ed").call("ListDeployments", project_id=deployed))["deployments"][0]
    await world.as_("ed").call("UpdateParameter", **key, **_fields(min=10, max=40, default=30, label="Span"))
    narrowed = await _parameters(world, deployed)
    shorter = {**DESCRIPTION, "parameters": [{**SPAN, "max": 28}, {"name": "bays", "type": "integer", "default": 3}]}
    await world.deploy("ed", deployed, await world.ready("ed", deployed, model_id, shorter))
    now = await _parameters(world, deployed)
    assert list(now) == ["span", "bays"]
    assert [now["span"][field] for field in ("min", "max", "default", "label")] == [10, 28, 24, "Span"]
    await world.deploy("ed", deployed, first["model_version_id"])
    assert await _parameters(world, deployed) == narrowed, "the roll-back brings the narrowing back"


async def test_another_models_parameters_are_narrowed_apart(world: World, deployed: str) -> None:
    await world.as_("ed").call("UpdateParameter", project_id=deployed, name="span", **_fields(min=10))
    other = await world.model("ed", deployed, "Other")
    await world.deploy("ed", deployed, await world.ready("ed", deployed, other))
    assert (await _parameters(world, deployed))["span"]["min"] == 5


async def test_parallel_narrowings_of_two_parameters_both_hold(world: World, deployed: str) -> None:
    ed = world.as_("ed")
    await asyncio.gather(
        *(
            ed.call("UpdateParameter", project_id=deployed, name=name, label=f"{name} {number}")
            for number in range(5)
            for name in ("span", "count")
        )
    )
    (row,) = await _deployed(world.db)
    labels = [item["label"] for item in row["parameters"]]
    assert [label.split()[0] for label in labels] == ["span", "count"]
    assert all(len(label.split()) == 2 for label in labels)


async def test_neither_a_viewer_nor_a_key_without_the_scope_can_deploy(
    world: World, project_id: str, model_id: str
) -> None:
    version_id = await world.ready("ed", project_id, model_id)
    await world.add("key")
    await world.put("ed", project_id, world.id("key"), EDITOR)
    world.become("key", Identity(world.id("key"), "api_key", scopes=frozenset({"platform:read"})))
    fields = {"project_id": project_id, "model_version_id": version_id}
    for name in ("vic", "key"):
        assert (await world.as_(name).refused("CreateDeployment", **fields)).reason == "PERMISSION_DENIED"
    assert await _statuses(world.db) == {}
