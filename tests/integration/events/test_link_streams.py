"""Share links on `/ws`, server-sent events and gRPC `Subscribe` (guide/shares.md, "Events by a link")."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import orjson
import pytest

from catenary.platform.v1 import event_service_pb2, event_service_pb2_grpc
from catenary_core.access import linked_events
from catenary_edge.live import handshake
from catenary_edge.live.subscriptions import Framed
from factories.events.server_sent import Reader
from factories.events.world import Caller, Socket, World, world
from factories.installations.serving import working
from factories.services.shares import Link, expire, link, variant
from factories.sessions.explorer import deployed

pytestmark = pytest.mark.sampled

ELSEWHERE = {"Origin": "https://elsewhere.example"}
END_SECONDS = 5.0


async def _socket(here: World, shown: Link, **query: Any) -> Socket:
    """Open a WebSocket as a page of another origin does."""
    offered = ["catenary.v1", f"share.{shown.token}"]
    return await here.opened(protocols=offered, headers=ELSEWHERE, params=query)


@asynccontextmanager
async def _sent(here: World, shown: Link, **query: Any) -> AsyncIterator[Reader]:
    """Open a stream of server-sent events as a page of another origin does."""
    await here.settle()
    headers = {**shown.headers, **ELSEWHERE}
    async with here.http.get(f"{here.url}/v1/events", headers=headers, params=query) as answer:
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
        yield Reader(answer)


@asynccontextmanager
async def _subscribed(here: World, shown: Link, **fields: Any) -> AsyncIterator[Any]:
    """Open a stream over gRPC, behind its first message."""
    await here.settle()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{here.node.grpc_port}") as channel:
        stub = event_service_pb2_grpc.EventServiceStub(channel)
        sent = (("x-share-token", shown.token),)
        call = stub.Subscribe(event_service_pb2.SubscribeRequest(**fields), metadata=sent)
        await call.read()
        yield call


async def _comment(here: World, author: Caller, project_id: str, **fields: Any) -> str:
    path = f"/v1/projects/{project_id}/comments"
    body = {"content": "Secret words", **fields}
    return str((await here.call(author, "POST", path, 201, json=body))["data"]["comment"]["comment_id"])


async def test_a_projects_link_hears_evaluations_and_comments_but_no_membership(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, member = await here.caller("Olga Canary"), await here.caller("Mia Canary")
    project_id = await here.project(owner)
    await deployed(here, monkeypatch, project_id)
    shown = await link(here, owner, project_id)
    socket = await _socket(here, shown)
    async with _sent(here, shown) as reader, _subscribed(here, shown) as call, working(here.node):
        path = f"/v1/projects/{project_id}/members/{member.user_id}"
        await here.call(owner, "PUT", path, json={"role": "viewer"})
        await here.project(owner)
        route = f"/v1/projects/{project_id}/evaluate"
        async with here.http.post(
            here.url + route,
            headers={**owner.headers, "Prefer": "wait=60"},
            json={"parameters": {"span": 10}},
        ) as answer:
            made = await answer.json()
        comment_id = await _comment(here, owner, project_id, mentions=[member.user_id])
        heard = await socket.events(2)
        assert [event["type"] for event in heard] == ["model.evaluation.completed", "comment.created"]
        finished, commented = [next(iter(event["data"].values())) for event in heard]
        assert finished["evaluation_id"] == made["data"]["evaluation"]["evaluation_id"]
        assert finished["metrics"]["mass"]["value"] == 1000
        assert (commented["comment_id"], commented["mentions"], commented["created_by"]) == (comment_id, [], None)
        assert [event["actor_id"] for event in heard] == [None, None]
        assert [(await reader.event())[1] for _ in range(2)] == heard
        over_grpc: list[Any] = []
        while len(over_grpc) < 2:
            over_grpc += (await call.read()).events
        assert [orjson.loads(event.data.text) for event in over_grpc] == [event["data"] for event in heard]
        assert not any(event.HasField("actor_id") for event in over_grpc)
        assert not [one for one in (owner.user_id, member.user_id, "Canary", "words") if one in str(heard)]
        await socket.silence()


async def test_a_variants_link_hears_of_that_variant_alone(here: World) -> None:
    owner = await here.caller("o")
    project_id = await here.project(owner)
    saved, other = [await variant(here, owner, project_id) for _ in range(2)]
    shown = await link(here, owner, project_id, variant_id=saved["variant_id"])
    socket = await _socket(here, shown, project_id=project_id)
    await _comment(here, owner, project_id)
    for one in (other, saved):
        path = f"/v1/variants/{one['variant_id']}"
        await here.call(owner, "PATCH", path, json={"name": f"New {one['variant_id']}"})
        await _comment(here, owner, project_id, variant_id=one["variant_id"])
        await here.call(owner, "DELETE", f"/v1/evaluations/{one['evaluation']['evaluation_id']}")
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Q"})
    renamed, commented, cancelled = await socket.events(3)
    assert renamed["data"]["variant"]["variant_id"] == saved["variant_id"]
    assert commented["data"]["comment"]["variant_id"] == saved["variant_id"]
    assert (cancelled["type"], cancelled["data"]["evaluation"]["evaluation_id"]) == (
        "model.evaluation.failed",
        saved["evaluation"]["evaluation_id"],
    )
    await socket.silence()


async def test_a_link_goes_on_after_an_event_it_never_saw(here: World) -> None:
    """The position of somebody else in the log tells a link no more than its own."""
    owner = await here.caller("o")
    project_id = await here.project(owner)
    shown = await link(here, owner, project_id)
    theirs = await here.socket(owner)
    await here.project(owner)
    foreign = await theirs.event()
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Q"})
    socket = await _socket(here, shown, after=foreign["id"])
    updated = await socket.event()
    assert (updated["type"], updated["actor_id"]) == ("project.updated", None)
    async with here.http.get(
        f"{here.url}/v1/events", headers={**shown.headers, "Last-Event-ID": foreign["id"]}
    ) as answer:
        assert (await Reader(answer).event())[1] == updated
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "R"})
    assert (await socket.event())["data"]["project"]["name"] == "R"
    again = await _socket(here, shown, after=updated["id"])
    assert (await again.event())["data"]["project"]["name"] == "R"


async def _refused(here: World, path: str, headers: dict[str, str], offered: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the error of a request for a WebSocket, without what the request's id makes different."""
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    upgrade |= {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": offered}
    async with here.http.get(here.url + path, headers={**upgrade, **headers}) as answer:
        return answer.status, (await answer.json()).get("error")


async def test_what_a_link_may_not_hear_is_refused(here: World) -> None:
    owner = await here.caller("o")
    project_id, foreign = await here.project(owner), await here.project(owner)
    shown = await link(here, owner, project_id)
    offered = f"catenary.v1, share.{shown.token}"
    unknown = "01890000-0000-7000-8000-000000000000"
    answers = [await _refused(here, f"/ws?project_id={one}", ELSEWHERE, offered) for one in (foreign, unknown)]
    assert answers[0] == answers[1]
    assert answers[0][0] == 404
    for query in ("types=nothing.*", f"token={shown.token}", "after=x"):
        status, error = await _refused(here, f"/ws?{query}", ELSEWHERE, offered)
        assert (status, error["code"]) == (400, "VALIDATION_ERROR")
        assert shown.token not in str(error)
    for path, headers, protocols in (
        ("/ws", owner.headers, offered),
        ("/ws", shown.headers, offered),
        ("/ws", {}, f"{offered}, bearer.{owner.token}"),
        ("/ws", {}, f"{offered}, share.{shown.token}"),
        ("/ws", ELSEWHERE, f"share.{shown.token}x"),
        ("/ws", ELSEWHERE, "share."),
        (f"/ws/explore?project_id={project_id}", {}, offered),
    ):
        status, error = await _refused(here, path, headers, protocols)
        assert (status, error["code"]) == (401, "INVALID_TOKEN"), (path, protocols)
        assert shown.token not in str(error)
    for path, headers, protocols in (
        ("/ws", {**owner.headers, **ELSEWHERE}, offered),
        ("/ws", {**shown.headers, **ELSEWHERE}, "catenary.v1"),
        ("/ws", ELSEWHERE, f"{offered}, bearer.{owner.token}"),
        (f"/ws/explore?project_id={project_id}", ELSEWHERE, offered),
    ):
        assert (await _refused(here, path, headers, protocols))[0] == 403, (path, protocols)
    for types in (
        "user.*",
        "project.shared",
        "system.*",
        "parameter.*",
    ):  # these exist, and a link hears nothing of them
        socket = await _socket(here, shown, types=types)
        await socket.ws.close()


async def test_the_token_of_a_link_on_a_socket_reaches_no_log(
    here: World, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    owner = await here.caller("o")
    shown = await link(here, owner, await here.project(owner))
    for offered, chosen in (
        (["catenary.v1", f"share.{shown.token}"], "catenary.v1"),
        ([f"share.{shown.token}", "other"], f"share.{shown.token}"),
    ):
        async with here.http.ws_connect(f"{here.url}/ws", protocols=offered) as ws:
            assert ws.protocol == chosen
    assert shown.token not in caplog.text + "".join(capfd.readouterr())


async def test_a_preflight_for_events_takes_the_header_of_links(here: World) -> None:
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "x-share-token"}
    async with here.http.options(f"{here.url}/v1/events", headers={**ELSEWHERE, **asked}) as answer:
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (204, "*")
    asked["Access-Control-Request-Headers"] = "authorization"
    async with here.http.options(f"{here.url}/v1/events", headers={**ELSEWHERE, **asked}) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers


async def _end(here: World, owner: Caller, project_id: str, shown: Link, variant_id: str, end: str) -> None:
    path = f"/v1/projects/{project_id}"
    match end:
        case "revoked":
            await here.call(owner, "DELETE", f"{path}/shares/{shown.share_id}")
        case "expired":
            await expire(here, shown.share_id)
        case "variant deleted":
            await here.call(owner, "DELETE", f"/v1/variants/{variant_id}")
        case _:
            await here.call(owner, "DELETE", path)


async def _drained(read: Callable[[], Awaitable[Any]]) -> None:
    """Read a stream until its end raises."""
    while True:
        await read()


@pytest.mark.parametrize(
    "end",
    [
        "revoked",
        *(pytest.param(end, marks=pytest.mark.slow) for end in ("expired", "project deleted", "variant deleted")),
    ],
)
async def test_an_ended_link_closes_its_streams_within_five_seconds(here: World, end: str) -> None:
    owner = await here.caller("o")
    project_id = await here.project(owner)
    variant_id = (await variant(here, owner, project_id))["variant_id"]
    shown = await link(here, owner, project_id, **({"variant_id": variant_id} if end == "variant deleted" else {}))
    other = await link(here, owner, await here.project(owner))
    kept, socket = await _socket(here, other), await _socket(here, shown)
    async with _sent(here, shown) as reader, _subscribed(here, shown) as call:
        await reader.block()
        await _end(here, owner, project_id, shown, variant_id, end)
        async with asyncio.timeout(END_SECONDS):
            assert await socket.closed() == 1008
            with pytest.raises(AssertionError, match="ended"):
                await _drained(reader.block)
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await _drained(call.read)
    assert ended.value.code() == grpc.StatusCode.UNAUTHENTICATED
    await kept.silence(1.2)


async def test_streams_of_a_link_count_as_requests_of_its_own(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path, requests_per_hour=20, streams_per_user=2) as here:
        owner = await here.caller("o")
        project_id = await here.project(owner)
        shown, other = [await link(here, owner, project_id) for _ in range(2)]
        sockets = [await _socket(here, shown) for _ in range(2)]
        assert (await _refused(here, "/ws", {}, f"share.{shown.token}"))[0] == 429
        sockets.append(await _socket(here, other))
        await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Q"})
        for socket in sockets:
            assert (await socket.event())["type"] == "project.updated"
            await socket.ws.close()
        found = [(await _refused(here, "/ws?types=x", {}, f"share.{shown.token}"))[0] for _ in range(18)]
        assert found == [400] * 17 + [429]


async def _both(here: World) -> tuple[Caller, list[dict[str, Any]]]:
    """Return an owner, and one event as first a link's and then the owner's socket has it."""
    owner = await here.caller("o")
    project_id = await here.project(owner)
    sockets = [await _socket(here, await link(here, owner, project_id)), await here.socket(owner)]
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Q"})
    return owner, [await socket.event() for socket in sockets]


async def test_the_bytes_of_links_and_users_are_kept_apart(here: World) -> None:
    owner, (by_link, by_user) = await _both(here)
    assert by_link["id"] == by_user["id"]
    assert (by_link["actor_id"], by_user["actor_id"]) == (None, owner.user_id)
    assert by_link["data"]["project"]["owner_user_id"] is None
    assert by_user["data"]["project"]["owner_user_id"] == owner.user_id


# What the guards do: with each switched off, the attack works.


async def test_with_one_store_of_bytes_links_see_users(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_apart = Framed.__call__
    monkeypatch.setattr(Framed, "__call__", lambda self, items, *, by_link: kept_apart(self, items, by_link=False))
    _, (by_link, by_user) = await _both(here)
    assert by_link == by_user


async def test_without_the_check_a_page_uses_tokens_beside_links(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "_is_by_link_alone", lambda request: True)
    owner = await here.caller("o")
    async with here.http.ws_connect(f"{here.url}/ws", headers={**owner.headers, **ELSEWHERE}) as ws:
        assert isinstance(ws, aiohttp.ClientWebSocketResponse)


@pytest.mark.slow
async def test_without_the_list_of_types_links_hear_of_members(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linked_events, "without_people", lambda event: event)
    owner, member = await here.caller("o"), await here.caller("m")
    project_id = await here.project(owner)
    socket = await _socket(here, await link(here, owner, project_id))
    await here.call(owner, "PUT", f"/v1/projects/{project_id}/members/{member.user_id}", json={"role": "viewer"})
    assert member.user_id in str(await socket.event())
