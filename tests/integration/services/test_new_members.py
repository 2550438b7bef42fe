"""Members added to a project by id, team or e-mail address."""

from __future__ import annotations

import asyncio

import pytest

from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from factories.services.calls import events_of, refusal_of
from factories.services.models import EDITOR, NOBODY, OWNER, VIEWER, World
from factories.services.people import add_team, delete_user


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "ed", "vic", "stranger")
    await made.add("ada", admin=True)
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    return await world.project("olga")


async def test_a_member_is_added_by_id_team_or_address_whatever_its_case(world: World, project_id: str) -> None:
    team = await add_team(world.db, "Engineers", world.people["olga"])
    olga = world.as_("olga")
    for given, expected in (
        ({"user_id": world.id("ed"), "role": EDITOR}, (world.id("ed"), None, "ed", "editor")),
        ({"team_id": team, "role": VIEWER}, (None, team, "Engineers", "viewer")),
        ({"email": "VIC@Example.com", "role": OWNER}, (world.id("vic"), None, "vic", "owner")),
    ):
        member = (await olga.call("AddProjectMember", project_id=project_id, **given))["member"]
        assert (member["user_id"], member["team_id"], member["name"], member["role"]) == expected
    listed = (await olga.call("ListProjectMembers", project_id=project_id))["members"]
    assert [row["name"] for row in listed] == ["olga", "ed", "Engineers", "vic"]
    assert await world.projects.role_of(project_id, world.people["vic"]) == OWNER


async def test_one_field_names_the_member(world: World, project_id: str) -> None:
    olga = world.as_("olga")
    none = await olga.refused("AddProjectMember", project_id=project_id, role=VIEWER)
    assert (none.reason, none.details["parameter"], none.details["constraint"]) == (
        "VALIDATION_ERROR",
        "user_id",
        "oneof",
    )
    assert none.message == "Give exactly one of user_id, team_id, email."
    both = await olga.refused(
        "AddProjectMember", project_id=project_id, user_id=world.id("ed"), email="ed@example.com", role=VIEWER
    )
    assert (both.reason, both.details["parameter"]) == ("VALIDATION_ERROR", "email")
    assert both.details["value"] is None, "an address is of a person"
    ids = {"user_id": world.id("ed"), "team_id": world.id("vic")}
    both = await olga.refused("AddProjectMember", project_id=project_id, **ids, role=VIEWER)
    assert (both.details["parameter"], both.details["value"]) == ("team_id", world.id("vic"))


async def test_who_is_unknown_is_refused_with_a_way_out_and_without_the_address(world: World, project_id: str) -> None:
    hidden = await add_team(world.db, "Others", world.people["stranger"])
    await delete_user(world.db, world.people["vic"])
    olga = world.as_("olga")
    for given in (
        {"user_id": NOBODY},
        {"user_id": hidden},
        {"team_id": hidden},
        {"team_id": world.id("ed")},
        {"email": "vic@example.com"},
        {"email": "nobody@example.com"},
        {"email": "%"},
        {"email": "@example.com"},
    ):
        refused = await olga.refused("AddProjectMember", project_id=project_id, role=VIEWER, **given)
        assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", next(iter(given))), given
        if "email" in given:
            assert "example.com" not in f"{refused}"
    assert "first sign-in" in refused.message


async def test_an_address_of_several_users_is_refused(world: World, project_id: str) -> None:
    await world.add("ed")  # another one with the same address
    refused = await world.as_("olga").refused(
        "AddProjectMember", project_id=project_id, email="ed@example.com", role=VIEWER
    )
    assert refused.message == "email belongs to several users; give a user_id."


async def test_of_two_who_add_one_member_at_once_one_is_told_that_it_is_one(world: World, project_id: str) -> None:
    olga = world.as_("olga")
    adding = [
        olga.call("AddProjectMember", project_id=project_id, role=role, email="ed@example.com")
        for role in (VIEWER, EDITOR)
    ]
    outcomes = await asyncio.gather(*adding, return_exceptions=True)
    (error,) = [outcome for outcome in outcomes if isinstance(outcome, CallError)]
    refused = refusal_of(error)
    assert (refused.reason, refused.details) == ("CONFLICT", {"parameter": "email", "constraint": "unique"})
    (kept,) = [outcome["member"]["role"] for outcome in outcomes if isinstance(outcome, dict)]
    listed = (await olga.call("ListProjectMembers", project_id=project_id))["members"]
    assert [row["role"] for row in listed] == ["owner", kept], "the role stays that of the first"


async def test_only_owners_add_members(world: World, project_id: str) -> None:
    await world.put("olga", project_id, world.id("ed"), EDITOR)
    for caller, reason in (("ed", "PERMISSION_DENIED"), ("stranger", "NOT_FOUND")):
        refused = await world.as_(caller).refused(
            "AddProjectMember", project_id=project_id, email="vic@example.com", role=VIEWER
        )
        assert refused.reason == reason
    assert await world.as_("ada").call("AddProjectMember", project_id=project_id, email="vic@example.com", role=VIEWER)


async def test_a_member_added_is_shared_and_a_role_changed_or_ended_is_a_permission(
    world: World, project_id: str
) -> None:
    olga = world.as_("olga")
    await olga.call("AddProjectMember", project_id=project_id, email="vic@example.com", role=VIEWER)
    await world.put("olga", project_id, world.id("ed"), VIEWER)
    await world.put("olga", project_id, world.id("vic"), EDITOR)
    await olga.call("DeleteProjectMember", project_id=project_id, user_id=world.id("vic"))
    log = [event for event in await events_of(world.db) if "member" in event["data"]]
    path = f"/v1/projects/{project_id}/members"
    assert [(event["type"], event["subject"], event["data"]["member"]["role"]) for event in log] == [
        ("project.shared", f"{path}/{world.id('vic')}", "viewer"),
        ("project.shared", f"{path}/{world.id('ed')}", "viewer"),
        ("project.permission.changed", f"{path}/{world.id('vic')}", "editor"),
        ("project.permission.changed", f"{path}/{world.id('vic')}", None),
    ]
    assert "name" not in log[0]["data"]["member"], "an event names nobody"
    assert "example.com" not in str(log)
