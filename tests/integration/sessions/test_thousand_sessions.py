"""A thousand sessions opened at once: those within the limits work, the others are refused, and nothing is left."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import orjson
import pytest

from catenary_core.jobs import sessions
from catenary_worker.host import SPARES, Zygote
from factories.events.world import SECONDS, Caller
from factories.installations.serving import working
from factories.services.evaluations import run_sql
from integration.sessions.conftest import Place
from integration.worker.zygotes import children

USERS, EACH, OF_USER = 20, 50, 5
"""Users, the sessions that each opens, and those that each may have."""
CONNECTIONS = 40
"""Connections that the pools of the database (20) and of HTTP may have opened meanwhile and keep.

Each of the 100 sessions that worked has several descriptors, so that sessions left open are seen.
"""
_UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


class Knocking:
    """Handshakes of many sessions, and what they were answered."""

    def __init__(self, place: Place) -> None:
        self.opened: list[aiohttp.ClientWebSocketResponse] = []
        self.refused: list[tuple[int, str]] = []
        self._place = place

    async def knock(self, http: aiohttp.ClientSession, caller: Caller) -> None:
        """Open one session, or note the refusal; try again where a busy machine has no room for a moment, as it asks."""
        query = {"project_id": self._place.project_id}
        url = f"{self._place.here.url}/ws/explore"
        while True:
            try:
                self.opened.append(await http.ws_connect(url, headers=caller.headers, params=query))
            except aiohttp.WSServerHandshakeError as refusal:
                retry = (refusal.headers or {}).get("Retry-After", "")
                if refusal.status == 503:
                    await asyncio.sleep(int(retry))
                    continue
                self.refused.append((refusal.status, retry))
            return


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _processes() -> int:
    return len(children(cast("Zygote", SimpleNamespace(pid=os.getpid()))))


async def _members(place: Place, number: int) -> list[Caller]:
    found = []
    for one in range(number):
        member = await place.here.caller(f"Member {one}")
        path = f"/v1/projects/{place.project_id}/members/{member.user_id}"
        await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
        found.append(member)
    return found


async def _computed(ws: aiohttp.ClientWebSocketResponse) -> None:
    """Have one design computed in a session; send it again while no worker was free, as the answer says."""
    assert "session" in orjson.loads(await ws.receive_str(timeout=SECONDS))
    for number in itertools.count():
        await ws.send_str(orjson.dumps({"id": number, "parameters": {"span": 30}}).decode())
        told = orjson.loads(await ws.receive_str(timeout=SECONDS))
        assert told["id"] == number
        if told.get("error", {}).get("code") != "UNAVAILABLE":
            break
    assert told.get("evaluation", {}).get("status") == "completed", told


async def _until_as_before(before: tuple[int, int]) -> None:
    """Wait until descriptors and processes are as before, but for connections of the database and spare children."""
    end = asyncio.get_running_loop().time() + SECONDS
    while True:
        now = _descriptors(), _processes()
        if now[0] <= before[0] + CONNECTIONS and now[1] <= before[1] + SPARES:
            return
        assert asyncio.get_running_loop().time() < end, f"descriptors and processes: {before} before, {now} now"
        await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_of_a_thousand_sessions_at_once_those_within_the_limit_work_and_nothing_is_left(place: Place) -> None:
    frame = place.here.core.frame
    frame.settings.streams_per_user = OF_USER
    members = await _members(place, USERS)
    normal = await place.here.caller("Normal")
    path = f"/v1/projects/{place.project_id}/members/{normal.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
    async with working(place.here.node):
        await _evaluated(place, normal, 10)
        await place.here.settle()
        before = _descriptors(), _processes()
        async with AsyncExitStack() as stack:
            http = await stack.enter_async_context(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
            knocking = Knocking(place)
            knocks = [asyncio.create_task(knocking.knock(http, member)) for _ in range(EACH) for member in members]
            await _evaluated(place, normal, 11)  # meanwhile
            await asyncio.gather(*knocks)
            assert Counter(status for status, _ in knocking.refused) == {429: USERS * (EACH - OF_USER)}
            assert len(knocking.opened) == USERS * OF_USER
            assert all(int(retry) >= 1 for _, retry in knocking.refused)
            assert len(list(frame.sessions)) == USERS * OF_USER
            working_sessions = asyncio.gather(*map(_computed, knocking.opened))
            await _evaluated(place, normal, 12)
            await working_sessions
            assert _descriptors() > before[0] + CONNECTIONS, "sessions that are open are seen by their descriptors"
            refused = {**members[0].headers, **_UPGRADE}
            query = {"project_id": place.project_id}
            async with http.get(f"{place.here.url}/ws/explore", headers=refused, params=query) as answer:
                error = (await answer.json())["error"]
                assert (answer.status, error["code"]) == (429, "RATE_LIMIT_EXCEEDED")
                assert "CATENARY_STREAMS_PER_USER" in error["message"]
            for ws in knocking.opened:
                await ws.close()
        async with asyncio.timeout(SECONDS):
            while list(frame.sessions):  # noqa: ASYNC110 (the server ends them)
                await asyncio.sleep(0.01)
        await _until_as_before(before)
        assert await run_sql(frame.db, "SELECT id FROM jobs.job") == []
        counters = await run_sql(frame.db, "SELECT subject FROM limits.counter WHERE kind = 'sessions'")
        assert len(counters) == USERS
        await _evaluated(place, normal, 13)


async def _evaluated(place: Place, caller: Caller, span: int) -> None:
    """Evaluate values that nobody has evaluated before; a busy machine may take longer than the first answer waits."""
    path = f"/v1/projects/{place.project_id}/evaluate"
    evaluation = await _answered(place, caller, "POST", path, {"parameters": {"span": span}})
    while evaluation["status"] in ("queued", "running"):
        await asyncio.sleep(0.5)
        evaluation = await _answered(place, caller, "GET", f"/v1/evaluations/{evaluation['evaluation_id']}", None)
    assert evaluation["status"] == "completed"


async def _answered(place: Place, caller: Caller, method: str, path: str, body: object) -> dict[str, Any]:
    """Return the evaluation of an answer; ask again where a busy machine has no room for a moment, as it asks."""
    async with asyncio.timeout(SECONDS):
        while True:
            url = place.here.url + path
            async with place.here.http.request(method, url, headers=caller.headers, json=body) as answer:
                if answer.status != 503:
                    assert answer.status in (200, 202), await answer.text()
                    found: dict[str, Any] = (await answer.json())["data"]["evaluation"]
                    return found
            await asyncio.sleep(int(answer.headers["Retry-After"]))


@pytest.mark.slow
async def test_without_the_limit_a_user_takes_all_sessions_of_the_process(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = place.here.core.frame
    frame.settings.streams_per_user = OF_USER
    monkeypatch.setattr(sessions.LiveSessions, "_check_room", lambda *_: None)
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
        knocking = Knocking(place)
        await asyncio.gather(*(knocking.knock(http, place.owner) for _ in range(EACH)))
        assert len(knocking.opened) == len(list(frame.sessions)) == EACH
        for ws in knocking.opened:
            await ws.close()
