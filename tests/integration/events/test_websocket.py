"""`/ws`: who is let in, what comes, and how it ends (guide/conventions.md, "WebSocket")."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from catenary_edge.settings import EdgeSettings
from factories.events.world import World, world, write


async def _refused(here: World, status: int, headers: Any = None, **given: Any) -> dict[str, Any]:
    """Return the error of a request for a WebSocket."""
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    async with here.http.get(f"{here.url}/ws", headers={**upgrade, **(headers or {})}, **given) as answer:
        body = await answer.json()
        assert answer.status == status, body
        assert body["success"] is False
        error: dict[str, Any] = body["error"]
        return error


async def test_an_event_comes_with_its_one_shape(here: World) -> None:
    owner = await here.caller("owner")
    socket = await here.socket(owner)
    project_id = await here.project(owner)
    event = await socket.event()
    assert list(event) == ["id", "type", "occurred_at", "project_id", "actor_id", "subject", "data"]
    assert event["type"] == "project.created"
    assert event["project_id"] == project_id
    assert event["actor_id"] == owner.user_id
    assert event["subject"] == f"/v1/projects/{project_id}"
    assert event["data"]["project"]["name"] == "P"
    await socket.ws.close()


async def test_events_show_to_members_alone(here: World) -> None:
    owner, member, stranger, admin = [
        await here.caller(name, admin=name == "admin") for name in ("o", "m", "s", "admin")
    ]
    sockets = [await here.socket(caller, types="project.*") for caller in (owner, member, stranger, admin)]
    project_id = await here.project(owner, viewer=member)
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Q"})
    kinds = ["project.created", "project.shared", "project.updated"]
    assert [event["type"] for event in await sockets[0].events(3)] == kinds
    assert (await sockets[1].event())["type"] in kinds  # when the first comes, it may be a member already
    assert [event["type"] for event in await sockets[3].events(3)] == kinds
    await sockets[2].silence()
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}")
    assert (await sockets[0].event())["type"] == "project.deleted"
    await sockets[2].silence()


async def test_events_of_a_user_show_to_that_user_and_admins(here: World) -> None:
    owner, member = await here.caller("o"), await here.caller("m")
    project_id = await here.project(owner, viewer=member)
    mine, others = await here.socket(member, types="user.*"), await here.socket(owner, types="user.*")
    await here.call(member, "GET", f"/v1/projects/{project_id}")
    await here.call(member, "GET", f"/v1/projects/{project_id}")
    event = await mine.event()
    assert (event["type"], event["project_id"], event["actor_id"]) == (
        "user.project.accessed",
        project_id,
        member.user_id,
    )
    await mine.silence()
    await others.silence()


async def test_filters_and_after_choose_what_comes(here: World) -> None:
    owner = await here.caller("o")
    one, two = await here.project(owner), await here.project(owner)
    socket = await here.socket(owner, project_id=one.upper(), types="project.updated")
    for project_id in (one, two, one):
        await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": project_id})
    first, second = await socket.events(2)
    assert {first["project_id"], second["project_id"]} == {one}
    await socket.silence()
    again = await here.socket(owner, project_id=one, types="project.updated", after=first["id"])
    assert await again.event() == second
    await again.silence()


async def test_a_wrong_query_is_refused_before_the_upgrade(here: World) -> None:
    owner = await here.caller("o")
    await write(here.core.frame.db)
    for query in (
        "types=nothing.*",
        "types=project",
        "types=project.updated&types=.*",
        "types=",
        "colour=red",
        "after=x",
        "after=00000000-0000-4000-8000-000000000000",
        "after=01890000-0000-7000-8000-000000000000&after=01890000-0000-7000-8000-000000000001",
        "project_id=1",
        "token=secret",
        "last_event_id=01890000-0000-7000-8000-000000000000",
    ):
        error = await _refused(here, 400, {**owner.headers}, params=query)
        assert error["code"] == "VALIDATION_ERROR", query


async def test_an_event_older_than_the_log_is_gone(here: World) -> None:
    owner = await here.caller("o")
    socket = await here.socket(owner)
    await here.project(owner)
    await socket.event()
    old = "01890000-0000-7000-8000-000000000000"  # June 2023
    assert (await _refused(here, 410, owner.headers, params={"after": old}))["code"] == "GONE"


async def test_a_foreign_project_is_like_none(here: World) -> None:
    owner, stranger = await here.caller("o"), await here.caller("s")
    project_id = await here.project(owner)
    nothing = "01890000-0000-7000-8000-000000000000"
    answers = [await _refused(here, 404, stranger.headers, params={"project_id": one}) for one in (project_id, nothing)]
    assert answers[0] == answers[1]


async def test_without_a_good_credential_there_is_no_upgrade(here: World) -> None:
    owner = await here.caller("o")
    assert (await _refused(here, 401))["code"] == "AUTHENTICATION_REQUIRED"
    for headers in (
        {"Authorization": "Bearer nonsense"},
        {"Sec-WebSocket-Protocol": "bearer.nonsense"},
        {"Sec-WebSocket-Protocol": "bearer."},
        {"Sec-WebSocket-Protocol": "bearer.t\u00f6ken"},
        {"Sec-WebSocket-Protocol": f"bearer.{owner.token}", **owner.headers},
        {"Sec-WebSocket-Protocol": f"bearer.{owner.token}, bearer.{owner.token}"},
        {"Sec-WebSocket-Protocol": f"key.{owner.token}"},
        {"Sec-WebSocket-Protocol": f"key.x, bearer.{owner.token}"},
    ):
        assert (await _refused(here, 401, headers))["code"] == "INVALID_TOKEN"
    await _refused(here, 401, {"Cookie": f"token={owner.token}"})


async def test_a_credential_comes_as_a_subprotocol_and_reaches_no_log(
    here: World, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    owner = await here.caller("o")
    for offered, chosen in (
        (["catenary.v1", f"bearer.{owner.token}"], "catenary.v1"),
        ([f"bearer.{owner.token}", "catenary.v1"], "catenary.v1"),
        ([f"bearer.{owner.token}"], f"bearer.{owner.token}"),
        ([f"bearer.{owner.token}", "other"], f"bearer.{owner.token}"),
    ):
        async with here.http.ws_connect(f"{here.url}/ws", protocols=offered) as ws:
            assert ws.protocol == chosen
    async with here.http.get(
        f"{here.url}/ws",
        headers=[("Sec-WebSocket-Protocol", "other"), ("Sec-WebSocket-Protocol", f"bearer.{owner.token}")],
    ) as answer:
        assert answer.status == 400
    printed = "".join(capfd.readouterr())
    assert owner.token not in caplog.text + printed


async def test_a_page_of_another_origin_may_not_connect(started_dsn: str, tmp_path: Path) -> None:
    settings = EdgeSettings(dev=True, cors_origins=("https://studio.example",))
    async with world(started_dsn, tmp_path, edge=settings) as here:
        owner = await here.caller("o")
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "https://studio.example.evil.example", ""):
            error = await _refused(here, 403, {**owner.headers, "Origin": origin})
            assert error["code"] == "PERMISSION_DENIED"
        for origin in ("https://studio.example", here.url):
            async with here.http.ws_connect(f"{here.url}/ws", headers={**owner.headers, "Origin": origin}) as ws:
                await ws.close()


async def test_what_is_no_websocket_request_is_refused(here: World) -> None:
    owner = await here.caller("o")
    async with here.http.get(f"{here.url}/ws", headers=owner.headers) as answer:
        assert answer.status == 400
    async with here.http.post(f"{here.url}/ws", headers=owner.headers) as answer:
        assert (answer.status, answer.headers["Allow"]) == (405, "GET, OPTIONS")
    await _refused(here, 400, {**owner.headers, "Sec-WebSocket-Version": "12"})
    await _refused(here, 400, {**owner.headers, "Sec-WebSocket-Key": "short"})


async def test_a_client_that_sends_too_much_is_closed(here: World) -> None:
    owner = await here.caller("o")
    socket = await here.socket(owner)
    await socket.ws.send_str("hello")
    await socket.ws.ping(b"x")
    await socket.silence(0.1)
    await socket.ws.send_bytes(bytes(1 << 20))
    assert await socket.closed() == 1009
    socket = await here.socket(owner)
    with contextlib.suppress(aiohttp.ClientError):
        for _ in range(10_000):
            await socket.ws.send_str("x")
    assert await socket.closed() == 1008
    socket = await here.socket(owner)
    project_id = await here.project(owner)
    assert (await socket.event())["project_id"] == project_id


async def test_an_unmasked_frame_closes_with_1002(here: World) -> None:
    owner = await here.caller("o")
    socket = await here.socket(owner, types="project.*")
    socket.ws._writer.use_mask = False
    await socket.ws.send_str("x")
    assert await socket.closed() == 1002


async def test_a_stop_closes_with_1001(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path) as here:
        owner = await here.caller("o")
        socket = await here.socket(owner)
        stop = asyncio.create_task(here.node.edge.stop())
        assert await socket.closed() == 1001
        await stop


def _names(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


async def test_an_api_key_sees_events_of_its_scopes(here: World) -> None:
    owner = await here.caller("o")
    asked = {"name": "k", "scopes": ["platform:read"]}
    made = await here.call(owner, "POST", "/v1/api_keys", 201, json=asked)
    by_key = await here.connect({"X-API-Key": made["data"]["key"]})
    in_page = await here.connect({"Sec-WebSocket-Protocol": f"catenary.v1, key.{made['data']['key']}"})
    everything = await here.socket(owner)
    comment = {
        "reference_id": "01890000-0000-7000-8000-000000000000",
        "reference_table": "t",
        "reference_url": "https://example.com",
        "content": "secret words",
    }
    await here.call(owner, "POST", "/comments/v2/comments", 201, json=[comment])
    await here.project(owner)
    assert _names(await everything.events(2)) == ["comments.comment.created", "project.created"]
    for socket in (by_key, in_page):
        assert (await socket.event())["type"] == "project.created"
    await here.call(owner, "DELETE", f"/v1/api_keys/{made['data']['api_key']['api_key_id']}")
    assert await in_page.closed() == 1008
