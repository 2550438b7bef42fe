"""Projects and their members over the dispatcher: roles, pages, the last owner, events."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
import uuid_utils

from catenary.platform.v1 import project_service_pb2
from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Transaction
from catenary_core.frame import Frame
from catenary_core.services.projects import queries
from factories.checks.timestamps import moment
from factories.services.calls import events_of, refusal_of
from factories.services.models import EDITOR, NOBODY, OWNER, VIEWER, World
from factories.services.people import add_team, delete_user


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "ed", "eva", "vic", "stranger")
    await made.add("ada", admin=True)
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    return await world.project_with_roles()


async def test_a_new_project_belongs_to_its_maker(world: World) -> None:
    answer = await world.as_("olga").call("CreateProject", name="Bridge", description="Over the river")
    project = answer["project"]
    assert project | {"project_id": "", "created_at": "", "updated_at": ""} == {
        "project_id": "",
        "name": "Bridge",
        "description": "Over the river",
        "environment_project_id": None,
        "role": "owner",
        "deployed_model_version_id": None,
        "created_at": "",
        "updated_at": "",
        "deleted_at": None,
        "owner_user_id": world.id("olga"),
    }
    assert project["created_at"].endswith("Z")
    assert (await world.as_("olga").call("GetProject", project_id=project["project_id"]))["project"] == project


async def test_an_admin_owns_every_active_project(world: World, project_id: str) -> None:
    ada = world.as_("ada")
    assert (await ada.call("GetProject", project_id=project_id))["project"]["role"] == "owner"
    assert (await ada.call("ListProjects"))["projects"][0]["role"] == "owner"
    assert await world.projects.role_of(project_id, world.people["ada"]) == OWNER
    assert await world.projects.role_of(NOBODY, world.people["ada"]) is None
    await ada.call("DeleteProject", project_id=project_id)
    assert await world.projects.role_of(project_id, world.people["ada"]) is None
    assert (await ada.refused("GetProject", project_id=project_id)).reason == "NOT_FOUND"


async def test_the_highest_role_counts_whether_direct_or_by_team(world: World, project_id: str) -> None:
    team = await add_team(world.db, "Engineers", world.people["olga"], world.people["vic"])
    assert await world.projects.role_of(project_id, world.people["vic"]) == VIEWER
    member = await world.put("olga", project_id, team, EDITOR)
    assert (member["user_id"], member["team_id"], member["name"], member["role"]) == (None, team, "Engineers", "editor")
    assert await world.projects.role_of(project_id, world.people["vic"]) == EDITOR
    assert await world.projects.role_of(project_id, world.people["olga"]) == OWNER
    listed = (await world.as_("vic").call("ListProjects"))["projects"]
    assert [(row["project_id"], row["role"]) for row in listed] == [(project_id, "editor")]


async def test_projects_are_searched_by_a_part_of_their_name_among_those_that_the_caller_sees(world: World) -> None:
    for maker, name in (("olga", "Arch Bridge"), ("olga", "Tower"), ("stranger", "Hidden bridge")):
        await world.as_(maker).call("CreateProject", name=name)
    for caller, seen in (("olga", ["Arch Bridge"]), ("ada", ["Arch Bridge", "Hidden bridge"]), ("vic", [])):
        found = (await world.as_(caller).call("ListProjects", search="BRIDGE"))["projects"]
        assert [project["name"] for project in found] == seen


async def test_a_deleted_user_has_no_role(world: World, project_id: str) -> None:
    await delete_user(world.db, world.people["vic"])
    assert await world.projects.role_of(project_id, world.people["vic"]) is None


async def test_a_member_may_be_a_user_or_a_team_that_the_caller_sees(world: World, project_id: str) -> None:
    hidden = await add_team(world.db, "Others", world.people["stranger"])
    made = await add_team(world.db, "Made", world.people["stranger"], maker=world.people["olga"])
    # Who made a team sees it without being in it.
    assert (await world.put("olga", project_id, made, VIEWER))["team_id"] == made
    for unknown in (hidden, NOBODY):
        refusal = await world.as_("olga").refused(
            "PutProjectMember", project_id=project_id, user_id=unknown, role=VIEWER
        )
        assert (refusal.reason, refusal.details["parameter"], refusal.details["value"]) == (
            "VALIDATION_ERROR",
            "user_id",
            unknown,
        )
    assert (await world.put("ada", project_id, hidden, VIEWER))["team_id"] == hidden
    for role in (0, 9):
        refusal = await world.as_("olga").refused(
            "PutProjectMember", project_id=project_id, user_id=world.id("vic"), role=role
        )
        assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "role")


async def test_of_a_members_two_faults_the_stale_tag_is_told_before_the_unknown_user(
    world: World, project_id: str
) -> None:
    method = "/catenary.platform.v1.ProjectService/PutProjectMember"

    async def reason(user_id: str, **metadata: str) -> str:
        request = project_service_pb2.PutProjectMemberRequest(project_id=project_id, user_id=user_id, role=VIEWER)
        with pytest.raises(CallError) as refused:
            await world.dispatch().call(method, request, {"authorization": "olga", **metadata})
        return refusal_of(refused.value).reason

    stale = {"if-match": 'W/"0123456789abcdef0123456789abcdef"'}
    assert await reason(NOBODY, **stale) == "PRECONDITION_FAILED"
    assert await reason(NOBODY, **{"if-match": "*"}) == "PRECONDITION_FAILED"
    assert await reason(NOBODY) == "VALIDATION_ERROR"
    await world.put("olga", project_id, world.id("vic"), VIEWER)
    assert await reason(world.id("vic"), **stale) == "PRECONDITION_FAILED"


async def test_a_member_may_go_itself(world: World, project_id: str) -> None:
    answer = await world.as_("vic").call("DeleteProjectMember", project_id=project_id, user_id=world.id("vic"))
    assert answer["member"]["role"] == "viewer"
    assert (await world.as_("vic").refused("GetProject", project_id=project_id)).reason == "NOT_FOUND"
    refusal = await world.as_("olga").refused("DeleteProjectMember", project_id=project_id, user_id=world.id("vic"))
    assert refusal.reason == "NOT_FOUND"


async def test_the_last_owner_can_neither_go_nor_step_down(world: World, project_id: str) -> None:
    me = world.id("olga")
    for caller in ("olga", "ada"):
        refusal = await world.as_(caller).refused("DeleteProjectMember", project_id=project_id, user_id=me)
        assert refusal.reason == "CONFLICT"
        refusal = await world.as_(caller).refused("PutProjectMember", project_id=project_id, user_id=me, role=EDITOR)
        assert refusal.reason == "CONFLICT"
    assert await world.projects.role_of(project_id, world.people["olga"]) == OWNER
    assert [event["type"] for event in await events_of(world.db)].count("project.shared") == 3
    await world.put("olga", project_id, world.id("ed"), OWNER)
    await world.as_("ed").call("UpdateProject", project_id=project_id, owner_user_id=world.id("ed"))
    assert (await world.put("olga", project_id, me, EDITOR))["role"] == "editor"


async def test_an_owner_that_nobody_can_act_as_does_not_count(world: World, project_id: str) -> None:
    await world.put("olga", project_id, world.id("ed"), OWNER)
    team = await add_team(world.db, "Gone", world.people["eva"])
    await world.put("ada", project_id, team, OWNER)
    await delete_user(world.db, world.people["ed"])
    await delete_user(world.db, world.people["eva"])
    refusal = await world.as_("olga").refused("DeleteProjectMember", project_id=project_id, user_id=world.id("olga"))
    assert refusal.reason == "CONFLICT"


async def _owners_who_may_leave(world: World, count: int) -> tuple[str, list[str]]:
    """Make a project whose payer was deleted: a payer who is an owner stays for that alone."""
    names = [f"owner{number}" for number in range(count)]
    await world.add("payer", *names)
    project_id = await world.project("payer")
    for name in names:
        await world.put("payer", project_id, world.id(name), OWNER)
    await delete_user(world.db, world.people["payer"])
    return project_id, names


async def _owners(db: Database, project_id: str) -> int:
    count = Statement(
        sa.text("SELECT count(*) AS n FROM projects.project_role WHERE project_id = CAST(:id AS uuid) AND role = 4")
    )
    async with db.read() as tx:
        return int((await tx.one(count, id=project_id))["n"])


async def _leave(world: World, project_id: str, name: str) -> str:
    try:
        await world.as_(name).call("DeleteProjectMember", project_id=project_id, user_id=world.id(name))
    except CallError as error:
        return error.code().name
    return "gone"


async def test_of_twenty_owners_that_leave_at_once_one_stays(world: World) -> None:
    project_id, names = await _owners_who_may_leave(world, 20)
    outcomes = await asyncio.gather(*(_leave(world, project_id, name) for name in names))
    assert outcomes.count("gone") == 19
    assert await _owners(world.db, project_id) == 1


async def test_without_the_lock_owners_that_leave_at_once_leave_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shows that the test above tests the lock: two owners, held between their removal and its check."""
    project_id, names = await _owners_who_may_leave(world, 2)
    unlocked = Statement(sa.text("SELECT CAST(:project_id AS uuid) AS project_id"))
    monkeypatch.setattr(queries, "LOCK", unlocked)
    barrier = asyncio.Barrier(2)
    one = Transaction.one

    async def both_removed_first(self: Transaction, statement: Statement, /, **given: Any) -> dict[str, Any]:
        row = await one(self, statement, **given)
        if statement is queries.OWNED:
            await barrier.wait()
        return row

    monkeypatch.setattr(Transaction, "one", both_removed_first)
    outcomes = await asyncio.gather(*(_leave(world, project_id, name) for name in names))
    assert outcomes == ["gone", "gone"]
    assert await _owners(world.db, project_id) == 0


async def test_a_walk_over_pages_shows_each_project_once_while_others_come(world: World) -> None:
    made = [await world.project("olga", f"P{number}") for number in range(120)]
    await world.project("stranger", "Hidden")
    for name in ("olga", "ada"):
        seen: list[str] = []
        cursor = ""
        while True:
            answer = await world.as_(name).call("ListProjects", limit=25, cursor=cursor)
            assert len(answer["projects"]) <= 25
            seen += [row["project_id"] for row in answer["projects"]]
            if answer["next_cursor"] is None:
                break
            cursor = answer["next_cursor"]
            if len(seen) <= 75:
                await world.project("olga", "Late")
        assert len(seen) == len(set(seen))
        assert [project_id for project_id in seen if project_id in set(made)] == made
    hidden = {row["name"] for row in (await world.as_("olga").call("ListProjects", limit=200))["projects"]}
    assert "Hidden" not in hidden


async def test_a_page_is_one_statement_whatever_its_size(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    project_id = ""
    for number in range(30):
        project_id = await world.project("olga", f"P{number}")
        await world.add(f"m{number}")
    for number in range(30):
        await world.put("olga", project_id, world.id(f"m{number}"), VIEWER)
    run: list[str] = []
    original = Transaction._run

    async def counted(self: Transaction, statement: Statement, given: Any) -> Any:
        run.append(statement.sql)
        return await original(self, statement, given)

    monkeypatch.setattr(Transaction, "_run", counted)
    for limit in (2, 30):
        run.clear()
        assert len((await world.as_("olga").call("ListProjects", limit=limit))["projects"]) == limit
        assert len(run) == 1
        run.clear()
        members = await world.as_("olga").call("ListProjectMembers", project_id=project_id, limit=limit)
        assert len(members["members"]) == limit
        assert len(run) == 2, "the role and the page"


async def test_members_come_in_pages_with_their_names(world: World, project_id: str) -> None:
    first = await world.as_("vic").call("ListProjectMembers", project_id=project_id, limit=3)
    second = await world.as_("vic").call(
        "ListProjectMembers", project_id=project_id, limit=3, cursor=first["next_cursor"]
    )
    rows = first["members"] + second["members"]
    assert second["next_cursor"] is None
    assert [(row["name"], row["role"]) for row in rows] == [
        ("olga", "owner"),
        ("ed", "editor"),
        ("eva", "evaluator"),
        ("vic", "viewer"),
    ]


_BAD_FIELDS: list[tuple[str, dict[str, Any], str]] = [
    ("CreateProject", {"name": ""}, "name"),
    ("CreateProject", {"name": "x" * 201}, "name"),
    ("CreateProject", {"name": "x", "description": "d" * 10001}, "description"),
    ("CreateProject", {"name": "x", "environment_project_id": NOBODY}, "environment_project_id"),
    ("CreateProject", {"name": "x", "environment_project_id": "me"}, "environment_project_id"),
    ("ListProjects", {"limit": 0}, "limit"),
    ("ListProjects", {"limit": 201}, "limit"),
    ("ListProjects", {"cursor": "!!"}, "cursor"),
    ("GetProject", {"project_id": "1"}, "project_id"),
]


async def test_bad_fields_are_named(world: World) -> None:
    for method, fields, parameter in _BAD_FIELDS:
        refusal = await world.as_("olga").refused(method, **fields)
        assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", parameter), (method, fields)


async def test_an_update_changes_the_given_fields_only(world: World, project_id: str) -> None:
    olga = world.as_("olga")
    before = (await olga.call("GetProject", project_id=project_id))["project"]
    events = len(await events_of(world.db))
    assert (await olga.call("UpdateProject", project_id=project_id))["project"] == before
    assert len(await events_of(world.db)) == events, "nothing changed"
    changed = (await olga.call("UpdateProject", project_id=project_id, description="Long"))["project"]
    assert changed == before | {"description": "Long", "updated_at": changed["updated_at"]}
    assert moment(changed["updated_at"]) > moment(before["updated_at"])
    mask = {"paths": ["environment_project_id"]}
    assert (await olga.call("UpdateProject", project_id=project_id, update_mask=mask))["project"]["name"] == "Bridge"


@pytest.mark.parametrize("field", ["name", "description"])
async def test_a_field_that_must_be_there_can_not_be_made_null(world: World, project_id: str, field: str) -> None:
    refusal = await world.as_("olga").refused("UpdateProject", project_id=project_id, update_mask={"paths": [field]})
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", field)
    refusal = await world.as_("olga").refused("UpdateProject", project_id=project_id, update_mask={"paths": ["role"]})
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "update_mask")


async def test_each_write_leaves_one_event_without_a_persons_data(world: World) -> None:
    project_id = await world.project("olga")
    olga = world.as_("olga")
    await olga.call("UpdateProject", project_id=project_id, name="New")
    await world.put("olga", project_id, world.id("vic"), VIEWER)
    await world.put("olga", project_id, world.id("vic"), VIEWER)
    await world.put("olga", project_id, world.id("vic"), EDITOR)
    await olga.call("DeleteProjectMember", project_id=project_id, user_id=world.id("vic"))
    await olga.call("DeleteProject", project_id=project_id)
    log = await events_of(world.db)
    path = f"/v1/projects/{project_id}"
    member = f"{path}/members/{world.id('vic')}"
    assert [(event["type"], event["subject"]) for event in log] == [
        ("project.created", path),
        ("project.updated", path),
        ("project.shared", member),
        ("project.permission.changed", member),
        ("project.permission.changed", member),
        ("project.deleted", path),
    ]
    assert {(event["project_id"], event["actor_id"]) for event in log} == {(project_id, world.id("olga"))}
    assert [event["data"]["member"]["role"] for event in log[2:5]] == ["viewer", "editor", None]
    assert all("name" not in event["data"]["member"] for event in log[2:5])
    assert log[1]["data"]["project"]["name"] == "New"
    assert log[5]["data"]["project"]["deleted_at"] is not None
    assert "vic" not in str([event["data"] for event in log])


async def test_a_look_into_a_project_is_an_event_once_an_hour(world: World, project_id: str, dsn: str) -> None:
    async def looks() -> int:
        for _ in range(3):
            await world.as_("vic").call("GetProject", project_id=project_id)
        return [event["type"] for event in await events_of(world.db)].count("user.project.accessed")

    assert await looks() == 1
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE projects.access SET accessed_at = accessed_at - interval '61 minutes'")
    assert await looks() == 2
    parallel = [world.as_("eva").call("GetProject", project_id=project_id) for _ in range(8)]
    await asyncio.gather(*parallel)
    log = [event for event in await events_of(world.db) if event["type"] == "user.project.accessed"]
    assert [event["actor_id"] for event in log] == [world.id("vic"), world.id("vic"), world.id("eva")]
    assert {event["project_id"] for event in log} == {project_id}


async def test_ids_in_upper_case_name_the_same_project(world: World, project_id: str) -> None:
    assert (await world.as_("vic").call("GetProject", project_id=project_id.upper()))["project"]["name"] == "Bridge"
    assert str(uuid_utils.UUID(project_id)) == project_id
