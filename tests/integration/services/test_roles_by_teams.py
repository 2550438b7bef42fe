"""Roles in projects that people get, change or lose by a team have the events of direct members."""

from __future__ import annotations

import pytest

from catenary_core.frame import Frame
from catenary_core.services.identity.people import team_roles
from catenary_core.services.identity.people.team_servicer import TeamServicer
from factories.services.calls import events_of
from factories.services.evaluations import run_sql
from factories.services.models import EDITOR, OWNER, PLATFORM, VIEWER, World
from factories.services.people import add_team

SHARED, CHANGED = "project.shared", "project.permission.changed"
Told = list[tuple[str, str, str | None]]


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    made.servicers[f"{PLATFORM}.TeamService"] = TeamServicer(frame)
    await made.add("olga", "tim", "vic", "eva")
    return made


@pytest.fixture
async def team_id(world: World) -> str:
    """Return a team that `tim` made and `eva` is in."""
    return await add_team(world.db, "Bridges", world.people["eva"], maker=world.people["tim"])


async def _told(world: World, project_id: str, *names: str) -> Told:
    """Return type, person and role of each event of these people's roles in a project."""
    path = f"/v1/projects/{project_id}/members/"
    who = {f"{path}{world.id(name)}": name for name in names}
    return [
        (event["type"], who[event["subject"]], event["data"]["member"]["role"])
        for event in await events_of(world.db)
        if event["subject"] in who
    ]


async def _project(world: World, team_id: str, role: int) -> str:
    project_id = await world.project("olga")
    await world.add("ada", admin=True)
    await world.put("ada", project_id, team_id, role)
    return project_id


async def test_members_of_a_team_get_and_lose_its_role(world: World, team_id: str) -> None:
    project_id = await _project(world, team_id, EDITOR)
    key = {"team_id": team_id, "user_id": world.id("vic")}
    for _ in range(2):  # the second time changes nothing
        await world.as_("tim").call("PutTeamMember", **key)
    await world.as_("vic").call("DeleteTeamMember", **key)
    assert await _told(world, project_id, "vic", "eva") == [(SHARED, "vic", "editor"), (CHANGED, "vic", None)]
    shown = [event["data"]["member"] for event in await events_of(world.db) if world.id("vic") in event["subject"]]
    assert all("name" not in member and member["user_id"] == world.id("vic") for member in shown)


async def test_a_direct_role_is_left_when_a_team_ends(world: World, team_id: str) -> None:
    project_id = await _project(world, team_id, EDITOR)
    await world.put("olga", project_id, world.id("vic"), VIEWER)
    await world.as_("tim").call("PutTeamMember", team_id=team_id, user_id=world.id("vic"))
    await world.as_("tim").call("DeleteTeam", team_id=team_id)
    assert await _told(world, project_id, "vic", "eva") == [
        (SHARED, "vic", "viewer"),
        (CHANGED, "vic", "editor"),
        *sorted([(CHANGED, "vic", "viewer"), (CHANGED, "eva", None)], key=lambda told: world.id(told[1])),
    ]


@pytest.mark.slow
async def test_a_role_that_another_membership_gives_too_has_no_event(world: World, team_id: str) -> None:
    project_id = await _project(world, team_id, EDITOR)
    other = await add_team(world.db, "Towers", world.people["eva"], maker=world.people["tim"])
    await world.put("ada", project_id, other, EDITOR)
    await world.put("olga", project_id, world.id("vic"), OWNER)
    await world.as_("tim").call("PutTeamMember", team_id=team_id, user_id=world.id("vic"))
    await world.as_("tim").call("DeleteTeam", team_id=team_id)
    assert await _told(world, project_id, "vic", "eva") == [(SHARED, "vic", "owner")]


@pytest.mark.slow
async def test_a_share_with_a_team_gives_roles_as_a_member_does(world: World, team_id: str) -> None:
    project_id = await world.project("olga")
    await run_sql(
        world.db,
        "INSERT INTO projects.share (share_id, project_id, kind, member_id, role, created_by)"
        " VALUES (:team, :project, 2, :team, 1, :olga)",
        team=team_id,
        project=project_id,
        olga=world.id("olga"),
    )
    await world.as_("tim").call("PutTeamMember", team_id=team_id, user_id=world.id("vic"))
    await world.as_("tim").call("DeleteTeamMember", team_id=team_id, user_id=world.id("vic"))
    assert await _told(world, project_id, "vic") == [(SHARED, "vic", "viewer"), (CHANGED, "vic", None)]


async def test_a_refused_change_of_a_team_writes_no_event(world: World, team_id: str) -> None:
    project_id = await _project(world, team_id, OWNER)
    await world.as_("eva").call("UpdateProject", project_id=project_id, owner_user_id=world.id("eva"))
    assert (await world.as_("tim").refused("DeleteTeam", team_id=team_id)).reason == "CONFLICT"
    assert await _told(world, project_id, "eva") == []


async def test_the_roles_by_a_team_are_one_statement(world: World, team_id: str) -> None:
    projects = [await _project(world, team_id, VIEWER) for _ in range(3)]
    async with world.db.read() as tx:
        found = await team_roles.by_team(tx, team_id, [world.id("eva"), world.id("vic")])
    assert [(row["project_id"], row["user_id"]) for row in found] == [(one, world.id("eva")) for one in projects]
