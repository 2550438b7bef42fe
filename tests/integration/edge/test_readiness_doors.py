"""The requests of `/readyz` through the ports of callers: plain and with TLS, answered, refused and silent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from catenary_cli.server import doors
from catenary_cli.server.reachability import AWAY, OK, Reach
from catenary_edge.app import Edge
from catenary_edge.server import Runner, start
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import LocalUpstream
from catenary_wire.connections import ConnectionCaps
from fixtures.edge.stand_in import StandIn
from integration.edge.conftest import TABLE
from integration.edge.test_server import certificate


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "SECONDS", 60.0)


@contextlib.asynccontextmanager
async def edge(**settings: object) -> AsyncIterator[Runner]:
    """Serve an edge with these settings until the block ends."""
    made = EdgeSettings(**settings)  # type: ignore[arg-type]  # the tests' own values
    runner = await start(Edge(LocalUpstream(StandIn()), made, TABLE), made, "127.0.0.1", 0)
    try:
        yield runner
    finally:
        await runner.stop()


@contextlib.asynccontextmanager
async def grpc_port(credentials: grpc.ServerCredentials | None = None, **options: int) -> AsyncIterator[int]:
    """Serve the health service until the block ends; yield the port."""
    server = grpc.aio.server(options=[(f"grpc.{name}", value) for name, value in options.items()])
    service = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(service, server)
    address = "127.0.0.1:0"
    port = server.add_insecure_port(address) if credentials is None else server.add_secure_port(address, credentials)
    await server.start()
    try:
        yield port
    finally:
        await server.stop(0.1)


async def test_an_http_port_that_answers_is_ready_also_when_it_refuses_plain_http() -> None:
    async with edge(dev=True) as runner:
        assert await doors.http("127.0.0.1", runner.port, tls=False, nodes=3)() == OK
    async with edge() as runner:
        assert await doors.http("127.0.0.1", runner.port, tls=False)() == OK


async def test_an_http_port_with_tls_is_asked_under_another_name_than_its_certificate_s(tmp_path: Path) -> None:
    pem, key = certificate(tmp_path)
    async with edge(tls_cert=pem, tls_key=key) as runner:
        assert await doors.http("localhost", runner.port, tls=True)() == OK
        assert await doors.http("127.0.0.1", runner.port, tls=False)() != OK


async def test_a_full_http_port_is_not_ready() -> None:
    caps = ConnectionCaps(total=3, per_address=3)
    async with edge(dev=True, connections=caps) as runner, contextlib.AsyncExitStack() as opened:
        for _ in range(3):
            _, writer = await asyncio.open_connection("127.0.0.1", runner.port, local_addr=("127.0.0.2", 0))
            opened.callback(writer.close)
        await asyncio.sleep(0.1)
        assert await doors.http("127.0.0.1", runner.port, tls=False)() == AWAY


@pytest.mark.parametrize("tls", [False, True])
async def test_a_grpc_port_is_ready_when_it_serves(tmp_path: Path, tls: bool) -> None:
    pem, key = certificate(tmp_path)
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), pem.read_bytes())]) if tls else None
    async with grpc_port(credentials) as port:
        assert await doors.grpc("localhost", port, tls=tls, nodes=2)() == OK


async def test_a_grpc_port_that_does_not_serve_or_is_full_is_not_ready() -> None:
    service = health.aio.HealthServicer()
    await service.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
    server = grpc.aio.server()
    health_pb2_grpc.add_HealthServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    assert await doors.grpc("127.0.0.1", port, tls=False)() == "not serving"
    await server.stop(0.1)
    unknown = grpc.aio.server()
    port = unknown.add_insecure_port("127.0.0.1:0")
    await unknown.start()
    assert await doors.grpc("127.0.0.1", port, tls=False)() == "not serving"
    await unknown.stop(0.1)
    async with grpc_port(max_allowed_incoming_connections=2) as port, contextlib.AsyncExitStack() as opened:
        for _ in range(2):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            opened.callback(writer.close)
        await asyncio.sleep(0.2)
        assert await doors.grpc("127.0.0.1", port, tls=False)() == AWAY


@pytest.mark.parametrize("ask", [doors.http, doors.grpc])
async def test_a_port_that_is_closed_or_says_nothing_is_away(
    ask: Callable[..., Reach], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "SECONDS", 0.3)

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    assert await ask("127.0.0.1", port, tls=False)() == AWAY
    assert await ask("127.0.0.1", port, tls=True)() == AWAY
    server.close()
    await server.wait_closed()
    assert await ask("127.0.0.1", port, tls=False)() == AWAY
