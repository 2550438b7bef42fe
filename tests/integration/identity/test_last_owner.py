"""A project keeps an owner when users and teams are deleted while members leave: both sides take the same locks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Transaction
from catenary_core.frame import Frame
from catenary_core.services.identity import queries
from catenary_core.services.identity.people import rules
from catenary_core.services.identity.people.team_servicer import TeamServicer
from catenary_core.services.identity.people.user_servicer import UserServicer
from catenary_core.services.projects import queries as project_queries
from factories.services.models import OWNER, PLATFORM, World
from factories.services.people import add_team

ROUNDS = 20
_OWNERS = Statement(
    sa.text("SELECT count(*) AS n FROM projects.project_role WHERE project_id = CAST(:id AS uuid) AND role = 4")
)
Race = Callable[[World, int], Awaitable[tuple[str, list[Awaitable[Any]]]]]


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    made.servicers[f"{PLATFORM}.UserService"] = UserServicer(frame)
    made.servicers[f"{PLATFORM}.TeamService"] = TeamServicer(frame)
    await made.add("ada", admin=True)
    return made


async def _owned_by_two(world: World, number: int) -> tuple[str, str, str]:
    one, two = f"one{number}", f"two{number}"
    await world.add(one, two)
    project_id = await world.project(one)
    await world.put(one, project_id, world.id(two), OWNER)
    return project_id, one, two


async def _user_ends_as_member_leaves(world: World, number: int) -> tuple[str, list[Awaitable[Any]]]:
    project_id, one, two = await _owned_by_two(world, number)
    return project_id, [
        world.as_("ada").call("DeleteUser", user_id=world.id(one)),
        world.as_(two).call("DeleteProjectMember", project_id=project_id, user_id=world.id(two)),
    ]


async def _team_ends_as_owner_steps_down(world: World, number: int) -> tuple[str, list[Awaitable[Any]]]:
    one, two, payer = f"one{number}", f"two{number}", f"payer{number}"
    await world.add(one, two, payer)
    project_id = await world.project(payer)
    await world.put(payer, project_id, world.id(one), OWNER)
    team = await add_team(world.db, f"team{number}", world.people[two])
    await world.put("ada", project_id, team, OWNER)
    await world.as_("ada").call("DeleteUser", user_id=world.id(payer))  # a payer who is an owner couldn't step down
    return project_id, [
        world.as_("ada").call("DeleteTeam", team_id=team),
        world.as_(one).call("PutProjectMember", project_id=project_id, user_id=world.id(one), role=OWNER - 1),
    ]


async def _member_leaves_team_as_user_ends(world: World, number: int) -> tuple[str, list[Awaitable[Any]]]:
    one, two = f"one{number}", f"two{number}"
    await world.add(one, two)
    project_id = await world.project(one)
    team = await add_team(world.db, f"team{number}", world.people[two])
    await world.put("ada", project_id, team, OWNER)
    return project_id, [
        world.as_("ada").call("DeleteTeamMember", team_id=team, user_id=world.id(two)),
        world.as_("ada").call("DeleteUser", user_id=world.id(one)),
    ]


_RACES = [_user_ends_as_member_leaves, _team_ends_as_owner_steps_down, _member_leaves_team_as_user_ends]


async def _owners(db: Database, project_id: str) -> int:
    async with db.read() as tx:
        return int((await tx.one(_OWNERS, id=project_id))["n"])


async def _outcome(call: Awaitable[Any]) -> str:
    try:
        await call
    except CallError as error:
        return error.code().name
    return "done"


@pytest.mark.slow
@pytest.mark.parametrize("race", _RACES)
async def test_of_two_that_would_leave_no_owner_one_is_refused_in_twenty_rounds(world: World, race: Race) -> None:
    for number in range(ROUNDS):
        project_id, calls = await race(world, number)
        # Now the one first, now the other.
        outcomes = await asyncio.gather(*map(_outcome, calls if number % 2 else reversed(calls)))
        assert sorted(outcomes) == ["ABORTED", "done"]
        assert await _owners(world.db, project_id) == 1


@pytest.mark.parametrize("race", _RACES)
async def test_without_the_lock_both_would_be_done(world: World, race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shows that the test above tests the lock: identity looks without one, and the two are held after their looks."""
    unlocked = queries.LOCK_OWNED_PROJECTS.sql.removesuffix(" FOR UPDATE")
    assert unlocked != queries.LOCK_OWNED_PROJECTS.sql
    monkeypatch.setattr(queries.LOCK_OWNED_PROJECTS, "sql", unlocked)
    barrier = asyncio.Barrier(2)
    original = Transaction._run

    async def both_looked_first(self: Transaction, statement: Statement, given: Any) -> Any:
        cursor = await original(self, statement, given)
        if statement is queries.PROJECTS_WITH_OWNER or "AS owned" in statement.sql:
            await barrier.wait()
        return cursor

    project_id, calls = await race(world, 0)
    monkeypatch.setattr(Transaction, "_run", both_looked_first)
    outcomes = await asyncio.gather(*map(_outcome, calls))
    monkeypatch.undo()
    assert outcomes == ["done", "done"]
    assert await _owners(world.db, project_id) == 0


@pytest.mark.parametrize("hold", [True, False])
async def test_a_user_that_is_being_deleted_gets_no_project(
    world: World, hold: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `hold` off the user becomes an owner of a project that its deletion never looked at."""
    if not hold:
        statement = project_queries.HOLD_USER
        monkeypatch.setattr(statement, "sql", statement.sql.removesuffix(" FOR KEY SHARE"))
    await world.add("olga", "uma")
    project_id = await world.project("olga")
    looked, go_on = asyncio.Event(), asyncio.Event()
    keep = rules.keep_an_owner

    async def held(tx: Transaction, owned: list[str], *, named: bool = False) -> None:
        looked.set()
        await go_on.wait()
        await keep(tx, owned, named=named)

    monkeypatch.setattr(rules, "keep_an_owner", held)
    deletion = asyncio.create_task(_outcome(world.as_("ada").call("DeleteUser", user_id=world.id("uma"))))
    await looked.wait()
    given = {"project_id": project_id, "user_id": world.id("uma"), "role": OWNER}
    gift = asyncio.create_task(_outcome(world.as_("olga").call("PutProjectMember", **given)))
    await asyncio.wait([gift], timeout=0.5 if hold else 60)
    assert gift.done() is not hold
    go_on.set()
    assert await deletion == "done"
    assert await gift == ("INVALID_ARGUMENT" if hold else "done")
