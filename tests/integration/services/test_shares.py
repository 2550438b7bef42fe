"""Shares with users and teams: memberships with an end, and single variants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import uuid_utils

from catenary_core.services.projects.shares import servicer
from factories.events.world import SECONDS, Caller, World, world
from factories.services.evaluations import run_sql
from factories.services.shares import expire, link, read, share, status, variant

FUTURE = "2099-01-31T12:00:00Z"


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path) as made:
        yield made


async def _people(here: World) -> tuple[Caller, Caller, str]:
    """Return an owner, a stranger and the owner's project."""
    owner, friend = await here.caller("Olga"), await here.caller("Fred")
    return owner, friend, await here.project(owner)


async def _team(here: World, *users: Caller) -> str:
    made = (await here.call(users[0], "POST", "/v1/teams", 201, json={"name": "Engineers"}))["data"]["team"]
    for user in users:
        await here.call(users[0], "PUT", f"/v1/teams/{made['team_id']}/members/{user.user_id}")
    return str(made["team_id"])


async def _events(here: World, type_: str) -> list[dict[str, Any]]:
    rows = await run_sql(
        here.core.frame.db, "SELECT subject, data, actor_id FROM events.event WHERE type = :t ORDER BY number", t=type_
    )
    return [row for row in rows if "share" in row["data"]]


async def test_a_share_is_a_membership_with_an_end(here: World) -> None:
    owner, friend, project_id = await _people(here)
    path = f"/v1/projects/{project_id}"
    assert await status(here, friend, path) == 404
    made = await share(here, owner, project_id, kind="user", user_id=friend.user_id, role="editor", expires_at=FUTURE)
    assert made | {"share_id": "", "created_at": "", "updated_at": ""} == {
        "share_id": "",
        "project_id": project_id,
        "kind": "user",
        "user_id": friend.user_id,
        "team_id": None,
        "name": "Fred",
        "role": "editor",
        "variant_id": None,
        "expires_at": "2099-01-31T12:00:00.000000Z",
        "created_by": {"user_id": owner.user_id, "staff_name": "Olga"},
        "created_at": "",
        "updated_at": "",
        "deleted_at": None,
    }
    assert (await read(here, friend, path))["project"]["role"] == "editor"
    assert [one["name"] for one in (await read(here, friend, "/v1/projects"))["projects"]] == ["P"]
    members = (await read(here, friend, f"{path}/members"))["members"]
    assert [(one["name"], one["role"], one["expires_at"], one["share_id"]) for one in members] == [
        ("Olga", "owner", None, None),
        ("Fred", "editor", made["expires_at"], made["share_id"]),
    ]
    (listed,) = (await read(here, owner, f"{path}/shares"))["shares"]
    assert listed == made == (await read(here, owner, f"{path}/shares/{made['share_id']}"))["share"]


async def test_members_with_shares_come_in_pages(here: World) -> None:
    owner, friend, project_id = await _people(here)
    team = await _team(here, owner, friend)
    for fields in ({"kind": "user", "user_id": friend.user_id}, {"kind": "team", "team_id": team}):
        for role in ("viewer", "editor"):
            await share(here, owner, project_id, role=role, **fields)
    found, cursor = [], ""
    while cursor is not None:
        page = await here.call(owner, "GET", f"/v1/projects/{project_id}/members?limit=2&cursor={cursor}")
        found += page["data"]["members"]
        cursor = page["metadata"]["next_cursor"]
    assert [(one["name"], one["role"]) for one in found] == [
        ("Olga", "owner"), ("Fred", "viewer"), ("Fred", "editor"), ("Engineers", "viewer"), ("Engineers", "editor"),
    ]  # fmt: skip


async def test_the_highest_role_holds_until_it_ends(here: World) -> None:
    owner, friend, project_id = await _people(here)
    path = f"/v1/projects/{project_id}"
    team = await _team(here, owner, friend)
    await here.call(owner, "PUT", f"{path}/members/{friend.user_id}", json={"role": "viewer"})
    high = await share(here, owner, project_id, kind="team", team_id=team, role="editor")
    assert (await read(here, friend, path))["project"]["role"] == "editor"
    await here.call(owner, "DELETE", f"{path}/shares/{high['share_id']}")
    assert (await read(here, friend, path))["project"]["role"] == "viewer"
    assert await status(here, owner, f"{path}/shares/{high['share_id']}") == 404
    assert await status(here, owner, f"{path}/shares/{high['share_id']}", "DELETE") == 404


async def test_an_expired_share_ends_everywhere_with_an_event(here: World) -> None:
    owner, friend, project_id = await _people(here)
    path = f"/v1/projects/{project_id}"
    made = await share(here, owner, project_id, kind="user", user_id=friend.user_id, role="viewer", expires_at=FUTURE)
    # The edge keeps this response: nothing but a change of a row makes it ask again.
    assert await status(here, friend, f"{path}/members") == 200
    socket = await here.socket(friend, project_id=project_id)
    await expire(here, made["share_id"])
    assert await socket.closed(5) == 1008
    assert await status(here, friend, f"{path}/members") == 404
    assert (await read(here, owner, f"{path}/shares"))["shares"] == []
    (ended,) = await _events(here, "project.permission.changed")
    assert (ended["actor_id"], ended["data"]["share"]["share_id"]) == (None, made["share_id"])
    assert ended["data"]["share"]["deleted_at"] is not None


@pytest.mark.slow
async def test_without_the_mark_an_edge_would_show_what_has_expired(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the test before can fail: the views alone don't reach an edge."""
    owner, friend, project_id = await _people(here)
    path = f"/v1/projects/{project_id}/members"

    async def blind(*_: Any) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("catenary_core.services.projects.shares.expiry.end_expired", blind)
    soon = await share(here, owner, project_id, kind="user", user_id=friend.user_id, role="viewer", expires_at=FUTURE)
    await run_sql(
        here.core.frame.db,
        "UPDATE projects.share SET expires_at = statement_timestamp() + interval '1.5 s' WHERE share_id = :id",
        id=soon["share_id"],
    )
    assert await status(here, friend, path) == 200
    await asyncio.sleep(2)
    assert await status(here, friend, path) == 200, "from the edge's cache"
    assert await status(here, friend, f"{path}?limit=7") == 404, "from the core"


async def test_a_share_tells_who_got_it_and_shows_no_name(here: World) -> None:
    owner, friend, project_id = await _people(here)
    made = await share(here, owner, project_id, kind="user", user_id=friend.user_id, role="viewer")
    (event,) = await _events(here, "project.shared")
    assert event["subject"] == f"/v1/projects/{project_id}/shares/{made['share_id']}"
    assert event["data"]["share"]["created_by"] == {"user_id": owner.user_id}
    assert "name" not in event["data"]["share"]
    async with asyncio.timeout(SECONDS):
        while not (told := (await read(here, friend, "/v1/notifications"))["notifications"]):  # noqa: ASYNC110 (a row)
            await asyncio.sleep(0.05)
    assert [(one["kind"], one["project_id"]) for one in told] == [("share", project_id)]


async def test_only_owners_and_admins_share(here: World) -> None:
    owner, friend, project_id = await _people(here)
    editor, admin = await here.caller("Ed"), await here.caller("Ada", admin=True)
    path = f"/v1/projects/{project_id}"
    await here.call(owner, "PUT", f"{path}/members/{editor.user_id}", json={"role": "editor"})
    fields = {"kind": "user", "user_id": friend.user_id, "role": "viewer"}
    made = await share(here, admin, project_id, **fields)
    for caller, refused in ((editor, 403), (await here.caller("S"), 404)):
        assert await status(here, caller, f"{path}/shares") == refused
        assert await status(here, caller, f"{path}/shares", "POST", json=fields) == refused
        for method in ("GET", "DELETE"):
            assert await status(here, caller, f"{path}/shares/{made['share_id']}", method) == refused
    other = await here.project(owner)
    assert await status(here, owner, f"/v1/projects/{other}/shares/{made['share_id']}", "DELETE") == 404


async def test_bad_shares_name_their_fault(here: World) -> None:
    owner, friend, project_id = await _people(here)
    other = await variant(here, owner, await here.project(owner))
    user = {"kind": "user", "user_id": friend.user_id}
    unknown = str(uuid_utils.uuid7())
    for fields, field in (
        ({}, "kind"),
        ({"kind": "guest"}, "kind"),
        ({**user, "role": "owner"}, "role"),
        (user, "role"),
        ({"kind": "link", "role": "evaluator"}, "role"),
        ({"kind": "user", "role": "viewer"}, "user_id"),
        ({"kind": "user", "user_id": unknown, "role": "viewer"}, "user_id"),
        ({"kind": "team", "team_id": unknown, "role": "viewer"}, "team_id"),
        ({**user, "team_id": unknown, "role": "viewer"}, "team_id"),
        ({"kind": "link", "user_id": friend.user_id}, "user_id"),
        ({**user, "role": "viewer", "expires_at": "2020-01-31T12:00:00Z"}, "expires_at"),
        ({**user, "role": "viewer", "variant_id": other["variant_id"]}, "variant_id"),
        ({**user, "role": "editor", "variant_id": other["variant_id"]}, "role"),
    ):
        error = await share(here, owner, project_id, 400, **fields)
        assert error["details"]["parameter"] == field, (fields, error)
    assert (await read(here, owner, f"/v1/projects/{project_id}/shares"))["shares"] == []


async def test_a_project_has_a_limited_number_of_shares(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, _, project_id = await _people(here)
    monkeypatch.setattr(servicer, "MAX_SHARES", 1)
    await share(here, owner, project_id, kind="link")
    assert (await share(here, owner, project_id, 409, kind="link"))["code"] == "CONFLICT"


async def test_a_role_that_ends_is_no_last_owner(here: World) -> None:
    owner, friend, project_id = await _people(here)
    await share(here, owner, project_id, kind="user", user_id=friend.user_id, role="editor")
    path = f"/v1/projects/{project_id}/members/{owner.user_id}"
    assert await status(here, owner, path, "DELETE") == 409


async def test_who_is_removed_loses_every_share(here: World) -> None:
    owner, friend, project_id = await _people(here)
    shown = await variant(here, owner, project_id)
    path = f"/v1/projects/{project_id}"
    for fields in ({"role": "editor"}, {"role": "viewer"}, {"role": "viewer", "variant_id": shown["variant_id"]}):
        await share(here, owner, project_id, kind="user", user_id=friend.user_id, **fields)
    # A member may go itself, also one by a share.
    await here.call(friend, "DELETE", f"{path}/members/{friend.user_id}")
    assert await status(here, friend, path) == 404
    assert await status(here, friend, f"/v1/variants/{shown['variant_id']}") == 404
    assert (await read(here, owner, f"{path}/shares"))["shares"] == []
    assert len(await _events(here, "project.permission.changed")) == 3
    assert await status(here, owner, f"{path}/members/{friend.user_id}", "DELETE") == 404


@pytest.mark.parametrize("kind", ["user", "team"])
async def test_a_shared_variant_shows_itself_alone_with_names(here: World, kind: str) -> None:
    owner, friend, project_id = await _people(here)
    shown, hidden = [await variant(here, owner, project_id) for _ in range(2)]
    named = {"user_id": friend.user_id} if kind == "user" else {"team_id": await _team(here, owner, friend)}
    made = await share(here, owner, project_id, kind=kind, role="evaluator", variant_id=shown["variant_id"], **named)
    seen = (await read(here, friend, f"/v1/variants/{shown['variant_id']}"))["variant"]
    assert seen["created_by"] == {"user_id": owner.user_id, "staff_name": "Olga"}
    evaluation_id = seen["evaluation"]["evaluation_id"]
    assert (await read(here, friend, f"/v1/evaluations/{evaluation_id}"))["evaluation"]["created_by"] is not None
    assert (await read(here, friend, f"/v1/projects/{project_id}/parameters"))["parameters"]
    for path in (
        f"/v1/variants/{hidden['variant_id']}",
        f"/v1/evaluations/{hidden['evaluation']['evaluation_id']}",
        f"/v1/projects/{project_id}",
        f"/v1/projects/{project_id}/variants",
        f"/v1/projects/{project_id}/members",
    ):
        assert await status(here, friend, path) == 404, path
    # The role is of the variant, not of the project: it evaluates and saves nothing there.
    body = {"parameters": {}}
    assert await status(here, friend, f"/v1/projects/{project_id}/evaluate", "POST", json=body) == 404
    assert await status(here, friend, f"/v1/variants/{shown['variant_id']}", "DELETE") == 404
    assert (await read(here, friend, "/v1/projects"))["projects"] == []
    assert len((await read(here, owner, f"/v1/projects/{project_id}/members"))["members"]) == 1
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}/shares/{made['share_id']}")
    for path in (f"/v1/variants/{shown['variant_id']}", f"/v1/projects/{project_id}/parameters"):
        assert await status(here, friend, path) == 404, path


async def test_a_variant_tells_each_caller_its_role(here: World) -> None:
    owner, friend, project_id = await _people(here)
    editor, admin = await here.caller("Ed"), await here.caller("Ada", admin=True)
    await here.call(owner, "PUT", f"/v1/projects/{project_id}/members/{editor.user_id}", json={"role": "editor"})
    shown = await variant(here, owner, project_id)
    assert shown["role"] == "owner"
    path, variant_id = f"/v1/variants/{shown['variant_id']}", shown["variant_id"]
    shared = {"kind": "user", "user_id": friend.user_id, "variant_id": variant_id}
    made = await share(here, owner, project_id, role="evaluator", **shared)
    by_link = await link(here, owner, project_id, variant_id=variant_id)
    of_all = await link(here, owner, project_id)
    for caller, role in (
        (owner, "owner"), (admin, "owner"), (editor, "editor"), (friend, "evaluator"), (by_link, "viewer"), (of_all, "viewer"),
    ):  # fmt: skip
        assert (await read(here, caller, path))["variant"]["role"] == role
    (listed,) = (await read(here, editor, f"/v1/projects/{project_id}/variants"))["variants"]
    assert listed["role"] == "editor"
    renamed = await here.call(editor, "PATCH", path, json={"name": "Slender"})
    assert renamed["data"]["variant"]["role"] == "editor"
    told = await run_sql(here.core.frame.db, "SELECT data FROM events.event WHERE type LIKE 'project.variant.%'")
    assert len(told) == 2
    assert all("role" not in row["data"]["variant"] for row in told)

    # What is told is what holds, until the share gives less or nothing.
    comments, body = f"/v1/projects/{project_id}/comments", {"content": "Too sharp.", "variant_id": variant_id}
    assert await status(here, friend, comments, "POST", json=body) == 201
    assert await status(here, by_link, comments, "POST", json=body) == 403
    less = await share(here, owner, project_id, role="viewer", **shared)
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}/shares/{made['share_id']}")
    assert (await read(here, friend, path))["variant"]["role"] == "viewer"
    assert await status(here, friend, comments, "POST", json=body) == 403
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}/shares/{less['share_id']}")
    assert await status(here, friend, path) == 404
    assert await status(here, friend, comments, "POST", json=body) == 404


async def test_a_role_in_the_project_counts_before_a_share(here: World) -> None:
    owner, friend, project_id = await _people(here)
    shown = await variant(here, owner, project_id)
    await here.call(owner, "PUT", f"/v1/projects/{project_id}/members/{friend.user_id}", json={"role": "viewer"})
    shared = {"kind": "user", "user_id": friend.user_id, "variant_id": shown["variant_id"]}
    await share(here, owner, project_id, role="evaluator", **shared)
    path = f"/v1/variants/{shown['variant_id']}"
    assert (await read(here, friend, path))["variant"]["role"] == "viewer"
    body = {"content": "Too sharp.", "variant_id": shown["variant_id"]}
    assert await status(here, friend, f"/v1/projects/{project_id}/comments", "POST", json=body) == 403


async def test_a_deleted_variant_is_shared_no_more(here: World) -> None:
    owner, friend, project_id = await _people(here)
    shown = await variant(here, owner, project_id)
    await share(
        here, owner, project_id, kind="user", user_id=friend.user_id, role="viewer", variant_id=shown["variant_id"]
    )
    kept = await share(here, owner, project_id, kind="link")
    assert await status(here, friend, f"/v1/projects/{project_id}/parameters") == 200
    shares = f"/v1/projects/{project_id}/shares"
    assert len((await read(here, owner, shares))["shares"]) == 2
    socket = await here.socket(owner, types="project.permission.changed")
    await here.call(owner, "DELETE", f"/v1/variants/{shown['variant_id']}")
    assert await status(here, friend, f"/v1/projects/{project_id}/parameters") == 404
    assert await status(here, friend, f"/v1/evaluations/{shown['evaluation']['evaluation_id']}") == 404
    ended = await socket.event()
    assert (ended["data"]["share"]["variant_id"], ended["actor_id"]) == (shown["variant_id"], None)
    assert [one["share_id"] for one in (await read(here, owner, shares))["shares"]] == [kept["share_id"]]
