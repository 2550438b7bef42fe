"""Invitations to a project, as owners make, list and end them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catenary_core.services.projects.invitations import revocation, servicer
from factories.events.world import Caller, World, world
from factories.services.evaluations import run_sql
from factories.services.invited import Browser, invite, invited
from factories.services.shares import read


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path) as made:
        yield made


async def _owner(here: World) -> tuple[Caller, str, str]:
    owner = await here.caller("Olga")
    project_id = await here.project(owner)
    return owner, project_id, f"/v1/projects/{project_id}/invitations"


async def _status(here: World, owner: Caller, path: str, invitation: dict[str, Any]) -> str:
    return str((await read(here, owner, f"{path}/{invitation['invitation_id']}"))["invitation"]["status"])


async def test_an_invitation_is_open_until_it_is_taken(here: World) -> None:
    owner, _, path = await _owner(here)
    token, made = await invite(here, owner, path.split("/")[3], "editor")
    assert (made["status"], made["role"], made["email_verified"], made["taken_by"]) == ("open", "editor", False, None)
    assert (made["email"], made["staff_name"], made["deleted_at"]) == ("ada@example.com", "Ada", None)
    browser = Browser(here)
    await browser.sign_in(invitation=token)
    (listed,) = (await read(here, owner, path))["invitations"]
    me = await browser.me()
    assert listed["status"] == "taken"
    assert listed["taken_by"] == {"user_id": me["user_id"], "staff_name": "Ada"}
    assert "url" not in listed
    stored = await run_sql(here.core.frame.db, "SELECT * FROM projects.invitation")
    assert token not in str(stored)


async def test_an_invitation_ends_by_time_or_deletion(here: World) -> None:
    owner, project_id, path = await _owner(here)
    old, expired = await invite(here, owner, project_id)
    gone, deleted = await invite(here, owner, project_id)
    past = "UPDATE projects.invitation SET expires_at = statement_timestamp() WHERE invitation_id = :id"
    await run_sql(here.core.frame.db, past, id=expired["invitation_id"])
    assert await _status(here, owner, path, expired) == "expired"
    one = f"{path}/{deleted['invitation_id']}"
    ended = (await here.call(owner, "DELETE", one))["data"]["invitation"]
    assert (ended["status"], ended["email"], ended["deleted_at"] is not None) == ("revoked", "ada@example.com", True)
    stored = "SELECT email, staff_name FROM projects.invitation WHERE invitation_id = :id"
    assert await run_sql(here.core.frame.db, stored, id=deleted["invitation_id"]) == [{"email": "", "staff_name": ""}]
    await here.call(owner, "DELETE", one, 404)
    for token in (old, gone):
        await Browser(here).sign_in(401, invitation=token)
    assert [row["status"] for row in (await read(here, owner, path))["invitations"]] == ["expired"]


async def test_an_invitation_ends_with_its_inviter_s_ownership(here: World) -> None:
    owner, project_id, path = await _owner(here)
    second, boss = await here.caller("Sam"), await here.caller("Boss", admin=True)
    member = f"/v1/projects/{project_id}/members/{second.user_id}"
    for ending, coming_back in (
        (("PUT", member, {"role": "editor"}), ("PUT", member, {"role": "owner"})),
        (
            ("PATCH", f"/v1/users/{second.user_id}", {"disabled": True}),
            ("PATCH", f"/v1/users/{second.user_id}", {"disabled": False}),
        ),
    ):
        await here.call(owner, "PUT", member, json={"role": "owner"})
        token, made = await invite(here, second, project_id)
        assert await _status(here, owner, path, made) == "open"
        await here.call(boss, ending[0], ending[1], json=ending[2])
        await Browser(here).sign_in(401, invitation=token)
        assert await _status(here, owner, path, made) == "revoked"
        await revocation.revoke_orphans(here.core.frame.db)
        await here.call(boss, coming_back[0], coming_back[1], json=coming_back[2])
        await Browser(here).sign_in(401, invitation=token)


async def test_an_invitation_ends_with_its_project(here: World) -> None:
    owner, project_id, _ = await _owner(here)
    token, _ = await invite(here, owner, project_id)
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}")
    await Browser(here).sign_in(401, invitation=token)


async def test_the_written_address_matches_nobody(here: World) -> None:
    owner, project_id, _ = await _owner(here)
    boss = await here.caller("Boss", admin=True)
    browser = await invited(here, owner, project_id)
    user_id = (await browser.me())["user_id"]
    for caller in (owner, boss):
        for search in ("ada@example.com", "ADA@example.com", "@example"):
            assert (await read(here, caller, f"/v1/users?search={search}"))["users"] == []
    other = await here.project(owner)
    added = {"email": "ada@example.com", "role": "owner"}
    await here.call(owner, "POST", f"/v1/projects/{other}/members", 400, json=added)
    whole = (await read(here, boss, f"/v1/users/{user_id}"))["user"]
    assert (whole["email"], whole["email_verified"]) == ("ada@example.com", False)


@pytest.mark.slow
async def test_without_the_mark_the_address_would_match(here: World) -> None:
    owner, project_id, _ = await _owner(here)
    await invited(here, owner, project_id)
    await run_sql(here.core.frame.db, 'UPDATE identity."user" SET email_verified = true')
    other = await here.project(owner)
    added = {"email": "ada@example.com", "role": "owner"}
    await here.call(owner, "POST", f"/v1/projects/{other}/members", 201, json=added)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"email": "nobody"}, "email"),
        ({"email": ""}, "email"),
        ({"staff_name": " "}, "staff_name"),
        ({"staff_name": "A\nB"}, "staff_name"),
        ({"role": "boss"}, "role"),
        ({"role": None}, "role"),
    ],
)
async def test_a_bad_invitation_is_refused_by_its_field(here: World, change: dict[str, Any], field: str) -> None:
    owner, _, path = await _owner(here)
    body = {"email": "ada@example.com", "staff_name": "Ada", "role": "viewer"} | change
    error = (await here.call(owner, "POST", path, 400, json=body))["error"]
    assert error["details"]["parameter"] == field


async def test_only_owners_invite(here: World) -> None:
    owner, project_id, path = await _owner(here)
    editor, stranger = await here.caller("Ed"), await here.caller("Stranger")
    await here.call(owner, "PUT", f"/v1/projects/{project_id}/members/{editor.user_id}", json={"role": "editor"})
    body = {"email": "ada@example.com", "staff_name": "Ada", "role": "viewer"}
    _, made = await invite(here, owner, project_id)
    for caller, status in ((editor, 403), (stranger, 404)):
        await here.call(caller, "POST", path, status, json=body)
        await here.call(caller, "GET", path, status)
        await here.call(caller, "DELETE", f"{path}/{made['invitation_id']}", status)


async def test_a_project_has_so_many_open_invitations(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, project_id, path = await _owner(here)
    monkeypatch.setattr(servicer, "MAX_OPEN", 2)
    tokens = [(await invite(here, owner, project_id))[0] for _ in range(2)]
    body = {"email": "ada@example.com", "staff_name": "Ada", "role": "viewer"}
    await here.call(owner, "POST", path, 409, json=body)
    await Browser(here).sign_in(invitation=tokens[0])
    await here.call(owner, "POST", path, 201, json=body)
