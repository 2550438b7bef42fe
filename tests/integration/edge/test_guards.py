"""Slow clients: each guard ends what would else go on, and a normal client is not delayed."""

from __future__ import annotations

import asyncio
import contextlib
import math
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
import structlog

from factories.checks import running_clock
from fixtures.edge.stand_in import PROJECT_ID, Stream
from integration.edge.conftest import Running, Start

POST = (
    b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\nContent-Length: 100\r\n\r\n"
)
GET = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
DOWNLOAD = b"GET /v1/evaluations/%b/geometry/arch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n"


async def closed_after(edge: Running, *pieces: bytes, every: float = 0.0, most: float = 60.0) -> tuple[float, bytes]:
    """Return the seconds until the edge closes a connection that gets these pieces, and its answer.

    The seconds are infinite when the connection is still open after `most`.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", edge.runner.port)
    started = running_clock.seconds()
    answer = bytearray()

    async def drip() -> None:
        for piece in pieces:
            with contextlib.suppress(ConnectionError):
                writer.write(piece)
                await writer.drain()
            await asyncio.sleep(every)

    task = asyncio.create_task(drip())
    try:
        async with asyncio.timeout(most):
            with contextlib.suppress(ConnectionError):
                while data := await reader.read(4096):
                    answer += data
        took = running_clock.seconds() - started
    except TimeoutError:
        took = math.inf
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    writer.close()
    return took, bytes(answer)


async def test_a_silent_connection_is_closed_at_the_header_deadline(start_edge: Start) -> None:
    async with start_edge(header=0.3) as edge:
        took, answer = await closed_after(edge)
        assert 0.2 < took < math.inf
        assert answer == b""
    async with start_edge(header=60.0) as edge:
        took, _ = await closed_after(edge, most=1.0)
        assert took == math.inf


async def test_a_dripping_header_is_closed_at_the_header_deadline(start_edge: Start) -> None:
    drip = [bytes([byte]) for byte in LAST]
    async with start_edge(header=0.4) as edge:
        took, answer = await closed_after(edge, *drip, every=0.05)
        assert 0.3 < took < math.inf
        assert answer == b""
        assert await edge.is_well()
    async with start_edge(header=60.0) as edge:
        _, answer = await closed_after(edge, *drip, every=0.02)
        assert b" 404 " in answer


async def test_a_later_header_has_its_deadline_from_its_first_byte(start_edge: Start) -> None:
    async with start_edge(header=0.4, keep_alive=60.0) as edge:
        reader, writer = await asyncio.open_connection("127.0.0.1", edge.runner.port)
        writer.write(GET)
        assert (await reader.read(4096)).startswith(b"HTTP/1.1 404 ")
        await asyncio.sleep(0.8)  # idle for longer than a header may take
        writer.write(GET)
        assert (await reader.read(4096)).startswith(b"HTTP/1.1 404 ")
        writer.write(GET[:10])
        started = running_clock.seconds()
        assert await asyncio.wait_for(reader.read(4096), 60) == b""
        assert running_clock.seconds() - started > 0.3
        writer.close()


async def test_an_idle_connection_is_closed_after_the_keep_alive(start_edge: Start) -> None:
    async with start_edge(keep_alive=0.3) as edge:
        took, answer = await closed_after(edge, GET)
        assert 0.2 < took < math.inf
        assert answer.count(b"HTTP/1.1 404 ") == 1
    async with start_edge(keep_alive=60.0) as edge:
        took, _ = await closed_after(edge, GET, most=1.0)
        assert took == math.inf


async def test_a_dripping_body_is_408_at_its_deadline(start_edge: Start) -> None:
    drip = [POST, *([b" "] * 100)]
    async with start_edge(body=0.4) as edge:
        with structlog.testing.capture_logs() as logs:
            _, answer = await closed_after(edge, *drip, every=0.15)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b'"TIMEOUT"' in answer
        assert [one["status"] for one in logs] == [408]
        assert await edge.is_well()
    async with start_edge(body=60.0) as edge:
        _, answer = await closed_after(edge, *drip, every=0.005)
        assert answer.startswith(b"HTTP/1.1 400 ")


@pytest.mark.slow
async def test_a_body_that_keeps_the_rate_may_take_longer_than_the_deadline(start_edge: Start) -> None:
    body = b'{"name":"' + b"x" * 3000 + b'"}'
    head = POST.replace(b"100", str(len(body)).encode())
    # The first piece comes with the head: from then on the rate lets a machine of ours stand still for 15 s.
    pieces = [head + body[:300], *(body[start : start + 300] for start in range(300, len(body), 300))]
    async with start_edge(body=1.0, body_rate=20) as edge:
        edge.core.on("ProjectService/CreateProject", {"project": None})
        _, answer = await closed_after(edge, *pieces, every=0.15)
        assert answer.startswith(b"HTTP/1.1 201 ")
    async with start_edge(body=1.0, body_rate=10_000_000) as edge:
        _, answer = await closed_after(edge, *pieces, every=0.15)
        assert answer.startswith(b"HTTP/1.1 408 ")


async def never_reads(edge: Running, most: float = 60.0) -> tuple[socket.socket, float]:
    """Ask for a large download, and read nothing.

    Returns the socket and the seconds that the download lived, infinite when it has not ended after `most` seconds.
    """
    began, ended = asyncio.Event(), asyncio.Event()

    async def items() -> AsyncIterator[dict[str, Any]]:
        began.set()
        try:
            for _ in range(100):
                yield {"chunk": b"x" * 1_000_000}
        finally:
            ended.set()

    async def handler(request: Any, metadata: Any) -> Any:
        return Stream({"content-type": "model/gltf-binary"}, items())

    edge.core.on("EvaluationService/DownloadGeometry", handler)
    loop = asyncio.get_running_loop()
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.setblocking(False)
    await loop.sock_connect(one, ("127.0.0.1", edge.runner.port))
    await loop.sock_sendall(one, DOWNLOAD % PROJECT_ID.encode())
    await asyncio.wait_for(began.wait(), 60)
    started = running_clock.seconds()
    try:
        await asyncio.wait_for(ended.wait(), most)
    except TimeoutError:
        return one, math.inf
    return one, running_clock.seconds() - started


async def test_a_client_that_never_reads_is_cut_off(start_edge: Start) -> None:
    async with start_edge(write=0.4) as edge:
        one, took = await never_reads(edge)
        assert took < math.inf
        assert await edge.is_well()
        one.close()
    async with start_edge(write=60.0, stop=0.1) as edge:
        one, took = await never_reads(edge, most=1.5)
        assert took == math.inf
        one.close()


@pytest.mark.slow
async def test_a_client_that_reads_slowly_but_steadily_is_served(start_edge: Start) -> None:
    async def items() -> AsyncIterator[dict[str, Any]]:
        for _ in range(20):
            yield {"chunk": b"x" * 200_000}

    async def handler(request: Any, metadata: Any) -> Any:
        return Stream({"content-length": "4000000"}, items())

    async with start_edge(write=2.0) as edge:
        edge.core.on("EvaluationService/DownloadGeometry", handler)
        loop = asyncio.get_running_loop()
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        one.setblocking(False)
        await loop.sock_connect(one, ("127.0.0.1", edge.runner.port))
        await loop.sock_sendall(one, DOWNLOAD % PROJECT_ID.encode())
        got = 0
        while got < 4_000_000:
            data = await asyncio.wait_for(loop.sock_recv(one, 200_000), 60)
            assert data
            got += len(data)
            await asyncio.sleep(0.06)
        one.close()


@pytest.mark.parametrize("kind", ["silent", "header", "body"])
async def test_slow_clients_do_not_delay_a_normal_one(start_edge: Start, kind: str) -> None:
    async with start_edge(header=600.0, body=600.0) as edge:  # a request that waits for one of these hangs
        slow = [await asyncio.open_connection("127.0.0.1", edge.runner.port) for _ in range(50)]
        for _, writer in slow:
            writer.write({"silent": b"", "header": GET[:20], "body": POST + b"{"}[kind])
        for _ in range(20):
            assert await edge.is_well()
        for _, writer in slow:
            writer.close()
