"""What a live session costs of its user's hour: one request, however often it reconnects, over nodes and doors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import grpc
import pytest

from catenary_core.database.transactions import Database
from catenary_core.limits import hourly
from catenary_core.limits.meter import Meter
from factories.events.world import Caller, World
from factories.installations.serving import Serving, serving
from factories.services.evaluations import run_sql
from factories.sessions.explorer import exploring
from integration.sessions.conftest import Place

REFUSED = grpc.StatusCode.RESOURCE_EXHAUSTED
LIMIT = 4


@pytest.fixture
async def member(place: Place) -> Caller:
    """Return an evaluator who has used no request yet."""
    found = await place.here.caller("Member")
    path = f"/v1/projects/{place.project_id}/members/{found.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
    return found


@asynccontextmanager
async def _nodes(dsn: str, folder: Path) -> AsyncIterator[tuple[Serving, Serving]]:
    """Run two nodes with few requests an hour; the second one's edge reaches its core over gRPC."""
    async with (
        serving(dsn, folder / "one", requests_per_hour=LIMIT) as one,
        serving(dsn, folder / "two", remote=True, requests_per_hour=LIMIT) as two,
    ):
        yield one, two


async def _over_grpc(node: Serving, caller: Caller, project_id: str) -> grpc.StatusCode | None:
    """Open a session; return the status of its refusal, or None."""
    try:
        async with exploring(cast("World", SimpleNamespace(node=node)), caller, project_id) as explorer:
            await explorer.receive()
    except grpc.aio.AioRpcError as error:
        return error.code()
    return None


async def _over_websocket(node: Serving, caller: Caller, project_id: str) -> tuple[int, str]:
    """Open a session; return its status, and the number of requests that the answer says are left."""
    async with aiohttp.ClientSession(headers=caller.headers) as http:
        try:
            async with http.ws_connect(f"{node.url}/ws/explore", params={"project_id": project_id}) as ws:
                return 101, ws._response.headers["X-RateLimit-Remaining"]
        except aiohttp.WSServerHandshakeError as refusal:
            return refusal.status, (refusal.headers or {}).get("X-RateLimit-Remaining", "")


async def _left(dsn: str, user_id: str) -> int:
    """Return the number of requests that a user has left once no node runs."""
    db = Database(dsn)
    await db.open()
    try:
        granted = await hourly.UserRequests(db, LIMIT).lease(user_id, 1)
        return granted.calls + granted.standing.remaining
    finally:
        await db.close()


async def test_a_session_of_two_nodes_costs_one_request_however_often_it_reconnects(
    place: Place, member: Caller, started_dsn: str, tmp_path: Path
) -> None:
    async with _nodes(started_dsn, tmp_path) as (one, two):
        for _ in range(3 * LIMIT):
            assert await _over_grpc(one, member, place.project_id) is None
            assert (await _over_websocket(two, member, place.project_id))[0] == 101
    assert await _left(started_dsn, member.user_id) == LIMIT - 1


async def test_sessions_at_once_over_two_nodes_cost_one_request(
    place: Place, member: Caller, started_dsn: str, tmp_path: Path
) -> None:
    async with _nodes(started_dsn, tmp_path) as (one, two):
        found = await asyncio.gather(
            *(_over_grpc(node, member, place.project_id) for node in (one, two)),
        )
        assert found == [None, None]
    assert await _left(started_dsn, member.user_id) == LIMIT - 1


@pytest.mark.slow
@pytest.mark.parametrize("door", ["gRPC", "WebSocket"])
async def test_without_the_refund_each_reconnect_costs_a_request(
    place: Place, member: Caller, started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    async def nothing(*_: Any) -> None:
        pass

    monkeypatch.setattr(Meter, "refund", nothing)
    async with _nodes(started_dsn, tmp_path) as (one, _):
        for _ in range(LIMIT):
            if door == "gRPC":
                assert await _over_grpc(one, member, place.project_id) is None
            else:
                assert (await _over_websocket(one, member, place.project_id))[0] == 101
        if door == "gRPC":
            assert await _over_grpc(one, member, place.project_id) is REFUSED
        else:
            assert (await _over_websocket(one, member, place.project_id))[0] == 429


async def test_the_headers_of_the_upgrade_tell_the_limit_after_the_refund(place: Place, member: Caller) -> None:
    place.here.core.frame.settings.evaluations_per_hour = 5_000  # so that the headers are of the user's requests
    left = [int((await _over_websocket(place.here.node, member, place.project_id))[1]) for _ in range(3)]
    assert left == [left[0]] * 3


@pytest.mark.slow
async def test_a_refused_session_costs_a_request_each_time(
    place: Place, member: Caller, started_dsn: str, tmp_path: Path
) -> None:
    """Else somebody could look for projects, or make the core work, without end."""
    nowhere = "0199aaaa-0000-7000-8000-000000000009"
    async with _nodes(started_dsn, tmp_path) as (one, _):
        for _ in range(LIMIT):
            assert await _over_grpc(one, member, nowhere) is grpc.StatusCode.NOT_FOUND
        assert await _over_grpc(one, member, nowhere) is REFUSED


@pytest.mark.slow
async def test_another_version_another_user_and_the_next_hour_cost_anew(
    place: Place, member: Caller, started_dsn: str
) -> None:
    for caller in (member, place.owner, member, place.owner):
        assert await _over_grpc(place.here.node, caller, place.project_id) is None
    db = place.here.core.frame.db
    requests = "SELECT action FROM audit.entry WHERE action LIKE '%/Explore'"
    assert len(await run_sql(db, requests)) == 2
    ended = """UPDATE limits.counter SET state = json_build_object('ends', json_build_object(CAST(:version AS text), 1))
               WHERE kind = 'sessions' AND subject = :subject"""
    await run_sql(db, ended, version=place.version, subject=f"{place.project_id}:{member.user_id}")
    assert await _over_grpc(place.here.node, member, place.project_id) is None
    assert len(await run_sql(db, requests)) == 3, "what counts is in the audit trail, and a reconnect is not"
