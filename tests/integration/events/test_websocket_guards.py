"""The attacks that each guard of a WebSocket keeps out.

With the guard the attack fails (`test_websocket`, `test_endings`); here the guard is taken away, and the attack works.
Readers that never read are tested with their guard and without.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket as sockets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from catenary_core.event_log import events
from catenary_core.services.events import feed, subscription
from catenary_edge import guards, upstream
from catenary_edge.live import handshake, websocket
from factories.events.world import Caller, Socket, World, world
from factories.installations import serving


@pytest.fixture
async def plain(started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path) as made:
        yield made


async def _still_told(here: World, owner: Caller, socket: Socket) -> None:
    """Check that the socket is open and brings new events."""
    await here.project(owner)
    while (await socket.event())["type"] != "project.created":
        pass


@pytest.mark.slow
async def test_without_their_limits_a_long_frame_and_ten_thousand_are_taken(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "MAX_FRAME", 0)  # for aiohttp: any
    monkeypatch.setattr(websocket, "MAX_FRAMES", 10**9)
    owner = await plain.caller("o")
    socket = await plain.socket(owner, types="project.*")
    await socket.ws.send_bytes(bytes(1 << 20))
    for _ in range(10_000):
        await socket.ws.send_str("x")
    await _still_told(plain, owner, socket)


@pytest.mark.slow
async def test_without_their_refusal_unmasked_frames_are_taken(plain: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "MaskedFrames", lambda parser: parser)
    owner = await plain.caller("o")
    socket = await plain.socket(owner, types="project.*")
    socket.ws._writer.use_mask = False
    await socket.ws.send_str("x")
    await _still_told(plain, owner, socket)


@pytest.mark.slow
async def test_without_its_check_a_page_of_another_origin_connects(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshake.Handshake, "_check_origin", lambda *_: None)
    owner = await plain.caller("o")
    headers = {**owner.headers, "Origin": "https://evil.example"}
    await _still_told(plain, owner, await plain.connect(headers, types="project.*"))


@pytest.mark.slow
async def test_without_its_check_a_foreign_project_is_subscribed_to(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "_has_role", lambda *_: True)
    owner, stranger = await plain.caller("o"), await plain.caller("s")
    socket = await plain.socket(stranger, project_id=await plain.project(owner))
    await socket.silence()
    assert not socket.ws.closed


@pytest.mark.slow
async def test_without_the_look_at_credentials_and_roles_ended_ones_stay_open(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(self: feed.Feed) -> None:
        """No look."""

    monkeypatch.setattr(feed.Feed, "_check", nothing)
    owner, member = await plain.caller("o"), await plain.caller("m")
    project_id = await plain.project(owner, viewer=member)
    of_projects = {"types": "project.*"}  # the notification of the role may come meanwhile
    by_role = await plain.socket(member, project_id=project_id, **of_projects)
    by_token = await plain.socket(member, **of_projects)
    await plain.call(owner, "DELETE", f"/v1/projects/{project_id}/members/{member.user_id}")
    sent = {"token": member.token, "client_id": member.client_id, "client_secret": member.client_secret}
    async with plain.http.post(f"{plain.url}/v1/auth/revoke", json=sent) as answer:
        assert answer.status == 200
    await by_role.silence(2 * feed.CHECK_SECONDS)
    await by_token.silence(2 * feed.CHECK_SECONDS)
    assert not by_role.ws.closed
    assert not by_token.ws.closed


TOTAL, TEXT = 2400, "x" * 4000


@contextlib.asynccontextmanager
async def _never_reading(here: World, count: int) -> AsyncIterator[list[sockets.socket]]:
    """Open so many WebSockets whose clients read nothing after the upgrade."""
    loop, opened = asyncio.get_running_loop(), []
    callers = [await here.caller(f"silent {number}") for number in range(1 + count // 100)]  # of whom each may have 100
    request = (
        "GET /ws?types=parameter.* HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer "
    )
    try:
        for number in range(count):
            token = callers[number % len(callers)].token
            one = sockets.socket()
            opened.append(one)
            one.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            one.setblocking(False)
            await loop.sock_connect(one, ("127.0.0.1", here.node.edge.port))
            await loop.sock_sendall(one, f"{request}{token}\r\n\r\n".encode())
            assert (await loop.sock_recv(one, 12)) == b"HTTP/1.1 101"
        yield opened
    finally:
        for one in opened:
            one.close()


async def _flood(here: World) -> int:
    """Write the events; return the most that waited for any one reader in the core meanwhile."""
    most = 0
    for start in range(0, TOTAL, 100):
        changes = [events.Change(f"/{n}", {"entry": {"text": TEXT}}) for n in range(start, start + 100)]
        async with here.core.frame.db.transaction() as tx:
            await events.write_all(tx, None, "parameter.entry.updated", changes)
        await here.settle()
        await asyncio.sleep(0.01)
        most = max(most, *(len(one._waiting) for one in here.core.feed._subscriptions))
    return most


def _unsent(here: World) -> int:
    """Return the most that waits in the edge for any one connection, in bytes."""
    return max(one._unsent() for one in here.node.edge._server.connections)  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", [5, pytest.param(200, marks=pytest.mark.slow)])
async def test_who_never_reads_costs_a_thousand_messages_and_delays_nobody(here: World, count: int) -> None:
    owner = await here.caller("o")
    reader = await here.socket(owner, types="parameter.*")
    read: list[str] = []

    async def follow() -> None:
        while len(read) < TOTAL:
            read.append((await reader.event())["subject"])

    async with _never_reading(here, count) as silent:
        following = asyncio.create_task(follow())
        most = await _flood(here)
        await following
        assert read == [f"/{n}" for n in range(TOTAL)], "who reads has each once and in order"
        assert most <= subscription.MAX_WAITING
        # A part that the client hasn't taken, and the next of gRPC's that is never asked for.
        assert _unsent(here) <= 2 * subscription.MAX_TAKEN * (len(TEXT) + 500)
        ended = [one for one in here.core.feed._subscriptions if one._end is not None]
        gone = len(silent) + 1 - len(here.core.feed._subscriptions)
        assert len(ended) + gone == len(silent), "each was ended, and what waited for it dropped"
        assert not any(one._waiting for one in ended)


@pytest.mark.slow
async def test_without_its_bound_everything_waits_for_one_that_never_reads(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription, "MAX_WAITING", 10**9)
    async with _never_reading(plain, 1):
        assert await _flood(plain) > 1200


@pytest.mark.slow
async def test_without_its_option_grpc_holds_megabytes_for_one_that_never_reads(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription, "MAX_WAITING", 10**9)
    waiting = []
    for more in ((), upstream.SUBSCRIPTION_OPTIONS):
        monkeypatch.setattr(serving, "SUBSCRIPTION_OPTIONS", more)
        async with world(started_dsn, tmp_path, remote=True) as far, _never_reading(far, 3):
            waiting.append(await _flood(far))
    assert waiting[1] - waiting[0] > 500, "so many more are out of the core's sight"
