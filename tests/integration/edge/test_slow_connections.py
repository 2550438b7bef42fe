"""A core that is slow to answer a new connection, as under load or with TLS over a distance, and how it is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio
import pytest

from catenary_edge.upstream import CHANNEL_OPTIONS
from catenary_worker import loop

SECONDS = 1.5
"""How late the first bytes of the core come."""
IMPATIENT = tuple({**dict(CHANNEL_OPTIONS), "grpc.min_reconnect_backoff_ms": 100}.items())
METHOD = "/test.Echo/Say"


@asynccontextmanager
async def _slow_core() -> AsyncIterator[str]:
    """Yield the address of a server that is reached through a slow proxy."""
    server = grpc.aio.server()

    async def say(request: bytes, _context: object) -> bytes:
        return request

    handler: Any = grpc.unary_unary_rpc_method_handler(say)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Echo", {"Say": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pause: float = 0.0) -> None:
        await asyncio.sleep(pause)
        while piece := await reader.read(65_536):
            writer.write(piece)
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, asked = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(carry(reader, asked), carry(answers, writer, SECONDS), return_exceptions=True)

    proxy = await asyncio.start_server(connect, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
    finally:
        proxy.close()
        await server.stop(None)


async def _say(channel: grpc.aio.Channel) -> bytes:
    call: Any = channel.unary_unary(METHOD)
    answer: bytes = await call(b"hello", timeout=60)
    return answer


@pytest.mark.parametrize("options", [CHANNEL_OPTIONS, loop._CHANNEL_OPTIONS], ids=["edge", "worker"])
async def test_a_core_that_answers_late_is_waited_for(options: tuple[tuple[str, int], ...]) -> None:
    async with _slow_core() as address, grpc.aio.insecure_channel(address, options=options) as channel:
        assert await _say(channel) == b"hello"


async def test_without_that_patience_a_late_answer_is_none() -> None:
    async with _slow_core() as address, grpc.aio.insecure_channel(address, options=IMPATIENT) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _say(channel)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
