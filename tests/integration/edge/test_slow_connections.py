"""A core that is slow to answer a new connection, as under load or with TLS over a distance, is waited for."""

from __future__ import annotations

import asyncio
import socket

import grpc
import grpc.aio
import pytest

from catenary_edge.upstream import CHANNEL_OPTIONS
from catenary_worker import loop

SECONDS = 1.5
IMPATIENT = tuple({**dict(CHANNEL_OPTIONS), "grpc.min_reconnect_backoff_ms": 100}.items())


async def _given_up(options: tuple[tuple[str, int], ...]) -> bool:
    """Return whether a channel fails within SECONDS at a core whose connection is open and silent."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            state = channel.get_state(try_to_connect=True)
            try:
                async with asyncio.timeout(SECONDS):
                    while state is not grpc.ChannelConnectivity.TRANSIENT_FAILURE:
                        await channel.wait_for_state_change(state)
                        state = channel.get_state()
            except TimeoutError:
                assert state is grpc.ChannelConnectivity.CONNECTING
                return False
            return True


@pytest.mark.parametrize("options", [CHANNEL_OPTIONS, loop._CHANNEL_OPTIONS], ids=["edge", "worker"])
async def test_a_core_that_answers_late_is_waited_for(options: tuple[tuple[str, int], ...]) -> None:
    assert not await _given_up(options)


async def test_without_that_patience_a_late_answer_is_none() -> None:
    assert await _given_up(IMPATIENT)
