"""The end of a WebSocket, and its reader's way on (guide/conventions.md, "WebSocket")."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import pytest
from aiohttp import WSMsgType

from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.event_log import reader as event_log
from catenary_core.services.events import feed
from factories.events.world import SECONDS, Socket, World

pytestmark = pytest.mark.slow

TURNS = 50
TURN_SECONDS = 0.1
_LONG_IN_BOTH = pytest.mark.parametrize(
    "here", [pytest.param(False, marks=pytest.mark.slow), True], ids=["in one process", "over gRPC"], indirect=True
)
"""Takes long: in one process among the slow tests."""


async def _ends(here: World, socket: Socket, code: int) -> None:
    """Check that the socket closes within five seconds of the change, which is committed now.

    The seconds are counted in turns of a tenth with a look at the database, so that a machine that stands still has as
    many.
    """
    closing = asyncio.create_task(socket.closed())
    for _ in range(TURNS):
        await here.position()
        if (await asyncio.wait([closing], timeout=TURN_SECONDS))[0]:
            break
    assert closing.done(), "it is still open"
    assert await closing == code


async def test_a_token_that_expires_closes_with_1008(here: World) -> None:
    owner = await here.caller("o")
    socket = await here.socket(owner)
    await socket.silence(1.5)
    clock = here.core.feed._clock
    here.core.feed._clock = lambda: clock() + 3600
    await _ends(here, socket, 1008)
    # In the seconds of grace that a token has for clocks that differ, nothing opens that would close at once.
    async with here.http.get(f"{here.url}/v1/events", headers=owner.headers) as answer:
        assert (answer.status, (await answer.json())["error"]["code"]) == (401, "TOKEN_EXPIRED")


async def test_a_revoked_token_closes_with_1008(here: World) -> None:
    owner, other = await here.caller("o"), await here.caller("other")
    socket, kept = await here.socket(owner), await here.socket(other)
    sent = {"token": owner.token, "client_id": owner.client_id, "client_secret": owner.client_secret}
    async with here.http.post(f"{here.url}/v1/auth/revoke", json=sent) as answer:
        assert answer.status == 200
    await _ends(here, socket, 1008)
    await kept.silence(1.5)


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["rotate_secret", "revoke_tokens"])
async def test_the_end_of_a_client_s_tokens_closes_with_1008(here: World, operation: str) -> None:
    admin, owner = await here.caller("admin", admin=True), await here.caller("o")
    socket, kept = await here.socket(owner), await here.socket(admin)
    await here.call(admin, "POST", f"/v1/clients/{owner.client_id}/{operation}", json={})
    await _ends(here, socket, 1008)
    await kept.silence(1.5)


async def test_a_disabled_user_and_a_deleted_key_close_with_1008(here: World) -> None:
    admin, owner = await here.caller("admin", admin=True), await here.caller("o")
    made = await here.call(owner, "POST", "/v1/api_keys", 201, json={"name": "k", "scopes": ["platform:read"]})
    by_key = await here.connect({"X-API-Key": made["data"]["key"]})
    await by_key.silence(1.2)
    await here.call(owner, "DELETE", f"/v1/api_keys/{made['data']['api_key']['api_key_id']}")
    await _ends(here, by_key, 1008)
    socket = await here.socket(owner)
    await here.call(admin, "PATCH", f"/v1/users/{owner.user_id}", json={"disabled": True})
    await _ends(here, socket, 1008)


async def test_an_admin_that_is_one_no_longer_sees_no_foreign_project(here: World) -> None:
    admin, former, owner = (
        await here.caller("admin", admin=True),
        await here.caller("former", admin=True),
        await here.caller("o"),
    )
    socket = await here.socket(former, types="project.*")
    await here.project(owner)
    await socket.event()
    await here.call(admin, "PATCH", f"/v1/users/{former.user_id}", json={"admin": False})
    await asyncio.sleep(2)
    await here.project(owner)
    await socket.silence(0.5)


async def test_a_role_that_ends_closes_the_filter_and_silences_the_rest(here: World) -> None:
    owner, member = await here.caller("o"), await here.caller("m")
    project_id, other_id = await here.project(owner, viewer=member), await here.project(owner, viewer=member)
    of_project = await here.socket(member, project_id=project_id)
    of_all = await here.socket(member, types="project.*")
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}/members/{member.user_id}")
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "unseen"})
    await here.call(owner, "PATCH", f"/v1/projects/{other_id}", json={"name": "seen"})
    await _ends(here, of_project, 1008)
    assert (await of_all.event())["data"]["project"]["name"] == "seen"
    await of_all.silence()


async def test_a_role_by_a_team_ends_with_the_place_in_the_team(here: World) -> None:
    admin, owner, member = (
        await here.caller("admin", admin=True),
        await here.caller("o"),
        await here.caller("m"),
    )
    made = await here.call(admin, "POST", "/v1/teams", 201, json={"name": "T"})
    team = f"/v1/teams/{made['data']['team']['team_id']}"
    await here.call(admin, "PUT", f"{team}/members/{member.user_id}")
    project_id = await here.project(admin)
    path = f"/v1/projects/{project_id}/members/{made['data']['team']['team_id']}"
    await here.call(admin, "PUT", path, json={"role": "viewer"})
    socket, quiet = await here.socket(member, project_id=project_id), await here.socket(member, types="project.*")
    await here.call(admin, "DELETE", f"{team}/members/{member.user_id}")
    await _ends(here, socket, 1008)
    await here.call(admin, "PATCH", f"/v1/projects/{project_id}", json={"name": "unseen"})
    await quiet.silence()
    assert owner.user_id != member.user_id


async def test_a_deleted_project_says_so_and_closes_its_filter(here: World) -> None:
    owner = await here.caller("o")
    project_id = await here.project(owner)
    socket = await here.socket(owner, project_id=project_id)
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}")
    assert (await socket.event())["type"] == "project.deleted"
    await _ends(here, socket, 1008)


@_LONG_IN_BOTH
async def test_a_reader_that_stops_reading_is_closed_with_1013_and_goes_on_by_after(here: World) -> None:
    owner = await here.caller("o")
    total, text = 6000, "x" * 4000
    stalled, reader = await here.socket(owner), await here.socket(owner)
    written: list[str] = []

    async def write() -> None:
        for start in range(0, total, 100):
            changes = [events.Change(f"/{n}", {"entry": {"text": text}}) for n in range(start, start + 100)]
            async with here.core.frame.db.transaction() as tx:
                await events.write_all(tx, None, "parameter.entry.updated", changes)
            async with asyncio.timeout(SECONDS):
                while start - len(written) > 500:  # noqa: ASYNC110 (or who reads is too far behind too)
                    await asyncio.sleep(0.02)

    async def read() -> None:
        while len(written) < total:
            written.append((await reader.event())["subject"])

    await asyncio.gather(write(), read())
    assert written == [f"/{n}" for n in range(total)], "who reads has each once and in order"
    seen: list[dict[str, Any]] = []
    while (message := await stalled.ws.receive(SECONDS)).type is WSMsgType.TEXT:
        seen.append(orjson.loads(message.data))
    assert stalled.ws.close_code == 1013
    assert 0 < len(seen) < total
    again = await here.socket(owner, after=seen[-1]["id"])
    seen += await again.events(total - len(seen))
    assert [event["subject"] for event in seen] == written, "each once and in order, without a gap"
    await again.silence()


@_LONG_IN_BOTH
async def test_nothing_is_lost_between_the_log_and_what_is_live(here: World) -> None:
    owner = await here.caller("o")
    probe = await here.socket(owner)
    await here.project(owner)
    first = await probe.event()
    count = 600

    async def write() -> None:
        for number in range(count):
            async with here.core.frame.db.transaction() as tx:
                await events.write(tx, None, "system.maintenance", subject=f"/{number}", data={})

    async def follow(wait: float) -> list[str]:
        await asyncio.sleep(wait)
        socket = await here.socket(owner, after=first["id"])
        return [event["subject"] for event in await socket.events(count)]

    _, *found = await asyncio.gather(write(), *(follow(0.05 * number) for number in range(8)))
    for subjects in found:
        assert subjects == [f"/{number}" for number in range(count)]


async def test_who_comes_while_the_feed_looks_for_the_end_of_the_log_misses_nothing(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await here.caller("o")
    await here.settle()
    read_end, looking = event_log.end, asyncio.Event()

    async def end(tx: Transaction) -> tuple[int, str | None]:
        """Return the end after a subscriber came and an event was written since the feed's look began."""
        if looking.is_set():
            return await read_end(tx)
        before = await read_end(tx)
        looking.set()
        while not any(one.live for one in here.core.feed._subscriptions):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while (found := await read_end(tx)) == before:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return found

    monkeypatch.setattr(event_log, "end", end)
    await asyncio.wait_for(looking.wait(), SECONDS)
    socket = Socket(await here.http.ws_connect(f"{here.url}/ws", headers=owner.headers))
    here.sockets.append(socket)
    project_id = await here.project(owner)
    assert (await socket.event())["project_id"] == project_id


async def test_without_its_check_a_gap_would_show(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard of the test above: a subscriber that goes live without having read up to the feed misses events."""
    owner = await here.caller("o")
    probe = await here.socket(owner)
    await here.project(owner)
    first = await probe.event()
    for number in range(20):
        async with here.core.frame.db.transaction() as tx:
            await events.write(tx, None, "system.maintenance", subject=f"/{number}", data={})
    await probe.events(20)

    async def nothing(self: feed.Feed, subscription: Any) -> list[Any]:
        subscription.position = self._position
        return []

    monkeypatch.setattr(feed.Feed, "_read_earlier", nothing)
    socket = await here.socket(owner, after=first["id"])
    await socket.silence()
