"""The status of a stream that is refused before its first message, for a caller that writes as its call ends."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import grpc
import pytest

from catenary.platform.v1 import explore_service_pb2 as pb
from catenary.platform.v1 import explore_service_pb2_grpc
from catenary_core.server import grpc_server
from integration.sessions.conftest import Place

CALLS = 200
MAX_DELAY_SECONDS = 0.004
"""Within this time the refusal and the caller's first message pass each other."""


async def _statuses(place: Place, delays: random.Random) -> set[grpc.StatusCode]:
    """Open sessions with a wrong token, and write their first messages a little later; return the statuses of their ends."""
    found = set()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{place.here.node.grpc_port}") as channel:
        stub = explore_service_pb2_grpc.ExploreServiceStub(channel)
        for _ in range(CALLS):
            call = stub.Explore(metadata=(("authorization", "Bearer nonsense"),))
            await asyncio.sleep(delays.uniform(0, MAX_DELAY_SECONDS))
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # the call had ended before
                await call.write(pb.ExploreRequest(project_id=place.project_id))
            found.add(await call.code())
    return found


async def test_a_refusal_that_meets_the_first_message_keeps_its_status(place: Place) -> None:
    assert await _statuses(place, random.Random(1)) == {grpc.StatusCode.UNAUTHENTICATED}


@pytest.mark.slow
async def test_without_the_wait_for_the_first_message_the_status_is_lost(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    delays = random.Random(1)

    async def as_long_as_a_statement(*_: object) -> None:
        await asyncio.sleep(delays.uniform(0, MAX_DELAY_SECONDS))

    monkeypatch.setattr(grpc_server, "_first_message", as_long_as_a_statement)
    for _ in range(10):
        if grpc.StatusCode.INTERNAL in await _statuses(place, delays):
            return
    pytest.fail("a message never met the end of its call")
