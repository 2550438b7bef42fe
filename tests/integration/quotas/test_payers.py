"""The owner who pays for a project stays one until the payment has gone to another owner."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_core.frame import Frame
from catenary_core.services.identity.people import rules
from catenary_core.services.identity.people.team_servicer import TeamServicer
from catenary_core.services.identity.people.user_servicer import UserServicer
from catenary_core.services.projects import servicer
from factories.services.evaluations import run_sql
from factories.services.models import EDITOR, OWNER, PLATFORM, World
from factories.services.people import add_team

WAY_OUT = "let another owner take over the payment first"
_OUT = pytest.mark.parametrize("method", ["DeleteProjectMember", "PutProjectMember"])


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    made.servicers[f"{PLATFORM}.UserService"] = UserServicer(frame)
    made.servicers[f"{PLATFORM}.TeamService"] = TeamServicer(frame)
    await made.add("olga", "otto", "tim")
    await made.add("ada", admin=True)
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    """Return a project that `olga` pays for, with `otto` as its other owner."""
    project_id = await world.project("olga")
    await world.put("olga", project_id, world.id("otto"), OWNER)
    return project_id


async def _payer(world: World, project_id: str) -> str:
    return str((await world.as_("ada").call("GetProject", project_id=project_id))["project"]["owner_user_id"])


async def _by_team(world: World, project_id: str, payer: str) -> str:
    """Let a user pay who is an owner by a team alone; return the team, which `tim` made."""
    team_id = await add_team(world.db, "Bridges", world.people[payer], maker=world.people["tim"])
    await world.put("ada", project_id, team_id, OWNER)
    await world.as_(payer).call("UpdateProject", project_id=project_id, owner_user_id=world.id(payer))
    return team_id


def _out(method: str, project_id: str, member_id: str) -> dict[str, Any]:
    role = {"role": EDITOR} if method == "PutProjectMember" else {}
    return {"project_id": project_id, "user_id": member_id, **role}


@_OUT
async def test_the_owner_who_pays_stays_until_another_takes_over(world: World, project_id: str, method: str) -> None:
    out = _out(method, project_id, world.id("olga"))
    for caller in ("olga", "otto", "ada"):
        refusal = await world.as_(caller).refused(method, **out)
        assert refusal.reason == "CONFLICT"
        assert WAY_OUT in refusal.message
    assert await _payer(world, project_id) == world.id("olga")
    await world.as_("otto").call("UpdateProject", project_id=project_id, owner_user_id=world.id("otto"))
    await world.as_("olga").call(method, **out)


@_OUT
async def test_the_payment_that_an_admin_gives_on_lets_the_payer_go(world: World, project_id: str, method: str) -> None:
    await world.as_("ada").call("UpdateProject", project_id=project_id, owner_user_id=world.id("otto"))
    await world.as_("olga").call(method, **_out(method, project_id, world.id("olga")))


async def test_without_the_check_the_payer_would_be_put_out(
    world: World, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shows that the tests above test the check: afterwards `otto` goes on at the cost of `olga`."""

    async def nothing(*_: object) -> None:
        return None

    monkeypatch.setattr(servicer, "_keep_owners", nothing)
    await world.as_("otto").call("DeleteProjectMember", project_id=project_id, user_id=world.id("olga"))
    assert await _payer(world, project_id) == world.id("olga")


async def test_other_owners_come_and_go_while_one_pays(world: World, project_id: str) -> None:
    await world.as_("otto").call("DeleteProjectMember", project_id=project_id, user_id=world.id("otto"))
    assert await _payer(world, project_id) == world.id("olga")


@_OUT
async def test_a_team_that_makes_the_payer_an_owner_stays_in_the_project(
    world: World, project_id: str, method: str
) -> None:
    team_id = await _by_team(world, project_id, "tim")
    refusal = await world.as_("ada").refused(method, **_out(method, project_id, team_id))
    assert refusal.reason == "CONFLICT"
    assert WAY_OUT in refusal.message
    # As an owner of its own, the payer needs the team no longer.
    await world.put("otto", project_id, world.id("tim"), OWNER)
    await world.as_("ada").call(method, **_out(method, project_id, team_id))
    assert await _payer(world, project_id) == world.id("tim")


@pytest.mark.parametrize("method", ["DeleteTeam", "DeleteTeamMember"])
async def test_a_team_keeps_the_owner_who_pays(world: World, project_id: str, method: str) -> None:
    await world.add("paul")
    team_id = await _by_team(world, project_id, "paul")
    out = {"team_id": team_id} | ({"user_id": world.id("paul")} if method == "DeleteTeamMember" else {})
    named = {"ada"} if method == "DeleteTeam" else {"ada", "paul"}
    for caller in {"tim", *named}:
        refusal = await world.as_(caller).refused(method, **out)
        assert refusal.reason == "CONFLICT"
        assert WAY_OUT in refusal.message
        # Who made the team may not see the project.
        assert refusal.details == ({"project_ids": [project_id]} if caller in named else {})
    await world.as_("otto").call("UpdateProject", project_id=project_id, owner_user_id=world.id("otto"))
    await world.as_("tim").call(method, **out)


async def test_without_the_check_a_team_would_lose_the_payer(
    world: World, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shows that the test above tests the check."""

    async def nothing(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(rules, "keep_payers", nothing)
    team_id = await _by_team(world, project_id, "tim")
    await world.as_("tim").call("DeleteTeam", team_id=team_id)
    assert await _payer(world, project_id) == world.id("tim")


async def test_a_deleted_user_stays_the_payer_until_another_takes_over(world: World, project_id: str) -> None:
    olga = world.id("olga")
    await world.as_("ada").call("DeleteUser", user_id=olga)
    assert await _payer(world, project_id) == olga
    await world.put("otto", project_id, world.id("tim"), OWNER)
    # A payer who is no owner holds nobody back, nor does the membership that is left of the user.
    for name in ("tim", "olga"):
        await world.as_("otto").call("DeleteProjectMember", project_id=project_id, user_id=world.id(name))
    await world.as_("otto").call("UpdateProject", project_id=project_id, owner_user_id=world.id("otto"))
    assert await _payer(world, project_id) == world.id("otto")


async def test_a_payer_who_was_no_owner_before_keeps_no_team(world: World, project_id: str) -> None:
    """A project from before the rule: its payer lost the role by a team."""
    team_id = await add_team(world.db, "Bridges", world.people["tim"], world.people["olga"])
    await world.put("ada", project_id, team_id, OWNER)
    await world.add("gone")
    await run_sql(
        world.db,
        "UPDATE projects.project SET owner_user_id = :payer WHERE project_id = :id",
        payer=world.id("gone"),
        id=project_id,
    )
    await world.as_("tim").call("DeleteTeam", team_id=team_id)
