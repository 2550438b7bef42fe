"""A discussion of two people over HTTP, with the edge behind gRPC, and what the second one hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from factories.events.world import SECONDS, Caller, Guest, World, world
from factories.services.evaluations import deploy

ANCHOR = {"x": 12.5, "y": -3, "z": 4.25, "geometry": "tower", "part": "facade"}
CAMERA = {"position": [40, -60, 35], "target": [0, 0, 20], "projection": "perspective", "fov_degrees": 35}


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path, remote=True) as made:
        yield made


async def _variant(here: World, project_id: str, author: Caller) -> str:
    """Save values as a variant, which no worker evaluates, and return its id."""
    await deploy(here.core.frame.db, here.core.frame.objects, project_id=project_id)
    body = {"name": "Slender", "parameters": {"span": 30}}
    made = await here.call(author, "POST", f"/v1/projects/{project_id}/variants", 202, json=body)
    return str(made["data"]["variant"]["variant_id"])


async def _kinds(here: World, caller: Caller) -> list[str]:
    told = (await here.call(caller, "GET", "/v1/notifications"))["data"]["notifications"]
    return [one["kind"] for one in told]


async def test_two_people_discuss_a_place_of_a_variant_and_resolve_it(here: World) -> None:
    ann, bob = await here.caller("Ann"), await here.caller("Bob")
    project_id = await here.project(ann, evaluator=bob)
    variant_id = await _variant(here, project_id, ann)
    route = f"/v1/projects/{project_id}/comments"
    socket = await here.socket(bob, project_id=project_id, types="comment.*")
    body = {
        "content": "Too sharp.\nCan it be round, Bob?",
        "variant_id": variant_id,
        "anchor": ANCHOR,
        "camera": CAMERA,
        "mentions": [bob.user_id],
    }
    asked = (await here.call(ann, "POST", route, 201, json=body))["data"]["comment"]
    heard = await socket.event()
    assert (heard["type"], heard["actor_id"]) == ("comment.created", ann.user_id)
    shown = (await here.call(bob, "GET", heard["subject"]))["data"]["comment"]
    assert (shown, shown["anchor"]) == (asked, ANCHOR)
    reply = {"content": "With 50 mm.", "parent_id": asked["comment_id"]}
    await here.call(bob, "POST", f"/v2/projects/{project_id}/comments", 201, json=reply)
    await here.call(ann, "PATCH", f"/v1/comments/{asked['comment_id']}", json={"resolved": True})
    replied, resolved = await socket.events(2)
    assert replied["data"]["comment"]["parent_id"] == asked["comment_id"]
    assert (resolved["type"], resolved["data"]["comment"]["resolved_by"]) == (
        "comment.updated",
        {"user_id": ann.user_id},
    )
    assert "sharp" not in str([heard, replied, resolved])
    thread = (await here.call(bob, "GET", route, params={"variant_id": variant_id, "resolved": "true"}))["data"]
    assert [one["content"] for one in thread["comments"]] == [reply["content"], body["content"]]
    admin = await here.caller("Admin", admin=True)
    trail = (await here.call(admin, "GET", "/v1/audit", params={"actor_id": ann.user_id}))["data"]
    assert f"/v1/comments/{asked['comment_id']}" in str(trail)
    async with asyncio.timeout(SECONDS):
        while len(told := await _kinds(here, bob)) < 2:  # noqa: ASYNC110 (the consumer follows the log)
            await asyncio.sleep(0.05)
    assert told == ["mention", "share"]


async def test_who_may_not_write_a_comment_is_refused(here: World) -> None:
    ann, bob, eve = await here.caller("Ann"), await here.caller("Bob"), await here.caller("Eve")
    project_id = await here.project(ann, viewer=bob)
    route = f"/v1/projects/{project_id}/comments"
    made = (await here.call(ann, "POST", route, 201, json={"content": "A"}))["data"]["comment"]
    one = f"/v1/comments/{made['comment_id']}"
    socket = await here.socket(eve, types="comment.*")
    await here.call(bob, "GET", one)
    writes: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("POST", route, {"json": {"content": "B"}}),
        ("PATCH", one, {"json": {"resolved": True}}),
        ("DELETE", one, {}),
    )
    for method, path, given in writes:
        await here.call(bob, method, path, 403, **given)
        await here.call(eve, method, path, 404, **given)
    await here.call(eve, "GET", one, 404)
    await here.call(eve, "GET", f"/comments/v2/comments/{made['comment_id']}", 404)
    refused = await here.call(ann, "POST", route, 400, json={"content": "B", "mentions": [eve.user_id]})
    assert refused["error"]["details"]["parameter"] == "mentions[0]"
    stale = {"If-Match": '"stale"'}
    async with here.http.patch(here.url + one, headers={**ann.headers, **stale}, json={"content": "C"}) as answer:
        assert answer.status == 412
    await socket.silence()


async def test_people_discuss_a_shared_variant_and_links_read_it(here: World) -> None:
    ann, bob = await here.caller("Ann"), await here.caller("Bob")
    project_id = await here.project(ann)
    variant_id = await _variant(here, project_id, ann)
    route, shares = f"/v1/projects/{project_id}/comments", f"/v1/projects/{project_id}/shares"
    hidden = (await here.call(ann, "POST", route, 201, json={"content": "Of the project"}))["data"]["comment"]
    given = {"kind": "user", "user_id": bob.user_id, "role": "evaluator", "variant_id": variant_id}
    await here.call(ann, "POST", shares, 201, json=given)
    body = {"content": "Steel?", "variant_id": variant_id}
    asked = (await here.call(bob, "POST", route, 201, json=body))["data"]["comment"]
    said = {"content": "Yes", "parent_id": asked["comment_id"], "mentions": [ann.user_id]}
    await here.call(ann, "POST", route, 201, json=said)
    one = f"/v1/comments/{asked['comment_id']}"
    await here.call(bob, "PATCH", one, json={"content": "Is it steel?", "resolved": True})
    params = {"variant_id": variant_id}
    listed = (await here.call(bob, "GET", route, params=params))["data"]["comments"]
    assert [comment["content"] for comment in listed] == ["Yes", "Is it steel?"]
    for method, path, sent in (
        ("GET", route, {}),
        ("GET", f"/v1/comments/{hidden['comment_id']}", {}),
        ("DELETE", f"/v1/comments/{hidden['comment_id']}", {}),
        ("POST", route, {"json": {"content": "On the project"}}),
        ("POST", route, {"json": {"content": "A reply", "parent_id": hidden["comment_id"]}}),
    ):
        await here.call(bob, method, path, 404, **sent)
    reply = {"content": "On both", "parent_id": hidden["comment_id"], "variant_id": variant_id}
    await here.call(bob, "POST", route, 400, json=reply)

    made = (await here.call(ann, "POST", shares, 201, json={"kind": "link", "variant_id": variant_id}))["data"]
    guest = Guest(made["url"])
    read = (await here.call(guest, "GET", route, params=params))["data"]["comments"]
    assert [comment["content"] for comment in read] == ["Yes", "Is it steel?"]
    assert bob.user_id not in str(read)
    assert ann.user_id not in str(read)
    assert (await here.call(guest, "GET", one))["data"]["comment"]["resolved_by"] is None
    await here.call(guest, "GET", route, 404)
    await here.call(guest, "GET", f"/v1/comments/{hidden['comment_id']}", 404)
    await here.call(guest, "POST", route, 403, json=body)
    await here.call(guest, "DELETE", one, 403)
    await here.call(bob, "DELETE", one)
