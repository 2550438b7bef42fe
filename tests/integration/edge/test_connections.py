"""Caps on connections: one address can't take the places of others, and strangers can't keep theirs."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog
from prometheus_client import REGISTRY

from catenary_edge.app import Edge
from catenary_edge.guards import GuardedConnection
from catenary_edge.places import Places
from catenary_edge.server import Runner, start
from catenary_edge.settings import EdgeSettings, Timeouts
from catenary_edge.upstream import LocalUpstream
from catenary_wire.connections import ConnectionCaps
from factories.installations.hostile_connections import HTTP
from fixtures.edge.stand_in import PROJECT_ID, StandIn
from integration.edge.conftest import PROJECT, TABLE, Running, Start
from integration.edge.test_guards import GET, never_reads
from integration.edge.test_server import certificate

pytestmark = pytest.mark.slow

KNOWN = f"GET /v1/projects/{PROJECT_ID} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n".encode()
HEAD = b"HEAD /docs HTTP/1.1\r\nHost: localhost\r\n\r\n"
SOCKET = HTTP["a WebSocket without credentials"]
WAIT = 60.0


class Client:
    """One connection to the edge from an address of this machine."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, request: bytes = KNOWN) -> bytes:
        """Send a request; return its status line, empty if the connection has ended."""
        with contextlib.suppress(ConnectionError, EOFError):
            self.writer.write(request)
            async with asyncio.timeout(WAIT):
                head = await self.reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
                if length and not request.startswith(b"HEAD"):
                    await self.reader.readexactly(int(length))
                return head.split(b"\r\n")[0]
        return b""

    async def has_ended(self, seconds: float = 0.3) -> bool:
        """Return True if the edge has closed the connection, or does so within a time."""
        try:
            async with asyncio.timeout(seconds):
                return await self.reader.read(1) == b""
        except TimeoutError:
            return False
        except ConnectionError:
            return True


class Clients:
    """The connections of a test."""

    def __init__(self, port: int, opened: contextlib.AsyncExitStack) -> None:
        self.port = port
        self._opened = opened

    async def open(self, count: int = 1, address: str = "127.0.0.1") -> list[Client]:
        """Open connections from an address."""
        found = []
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
            self._opened.callback(writer.close)
            found.append(Client(reader, writer))
        await asyncio.sleep(0.05)  # until the edge has accepted them
        return found

    async def served(self, address: str) -> bool:
        """Return True if a new connection from an address gets its answer."""
        (one,) = await self.open(1, address)
        answer = await one.ask()
        one.writer.close()
        return answer.startswith(b"HTTP/1.1 200 ")


@contextlib.asynccontextmanager
async def clients_of(edge: Running) -> AsyncIterator[Clients]:
    """Open connections to an edge, which are closed at the end."""
    async with contextlib.AsyncExitStack() as opened:
        yield Clients(edge.runner.port, opened)


def taken(runner: Runner) -> int:
    """Return the number of taken places."""
    return runner._listener._places.open


async def until_free(runner: Runner) -> None:
    """Wait until every place is free."""
    async with asyncio.timeout(WAIT):
        while taken(runner):  # noqa: ASYNC110 (the edge has no event for it)
            await asyncio.sleep(0.02)


async def alive(clients: list[Client]) -> int:
    """Return the number of connections that the edge has not closed."""
    return [await one.has_ended(0.01) for one in clients].count(False)


async def test_an_address_over_its_share_is_refused_and_others_are_served(start_edge: Start) -> None:
    async with start_edge(connections=ConnectionCaps(total=20, per_address=5)) as edge, clients_of(edge) as clients:
        hostile = await clients.open(60, "127.0.0.2")
        assert await alive(hostile) == 5
        assert await clients.served("127.0.0.3")
        assert not await clients.served("127.0.0.2")
        for one in hostile:
            one.writer.close()
        await until_free(edge.runner)
        assert await clients.served("127.0.0.2"), "its places were given back"


async def test_without_the_share_one_address_takes_every_place(start_edge: Start) -> None:
    async with start_edge(connections=ConnectionCaps(total=20, per_address=20)) as edge, clients_of(edge) as clients:
        hostile = await clients.open(60, "127.0.0.2")
        assert await alive(hostile) == 20
        assert not await clients.served("127.0.0.3")


async def test_no_more_connections_than_places_are_open(start_edge: Start) -> None:
    async with start_edge(connections=ConnectionCaps(total=12, per_address=4)) as edge, clients_of(edge) as clients:
        hostile = [one for number in range(2, 10) for one in await clients.open(4, f"127.0.0.{number}")]
        assert await alive(hostile) == 12
        assert taken(edge.runner) == 12
        assert not await clients.served("127.0.1.1")
        hostile[0].writer.close()
        async with asyncio.timeout(WAIT):
            while taken(edge.runner) == 12:  # noqa: ASYNC110 (the edge has no event for it)
                await asyncio.sleep(0.02)
        assert await clients.served("127.0.1.1")


async def test_a_trusted_proxy_has_no_share_but_needs_a_place(start_edge: Start) -> None:
    caps = ConnectionCaps(total=20, per_address=5)
    async with start_edge(connections=caps, trusted_proxies=("127.0.0.2/32",)) as edge, clients_of(edge) as clients:
        proxied = await clients.open(15, "127.0.0.2")
        assert await alive(proxied) == 15
        assert await clients.served("127.0.0.3"), "its connections are no part of another one's share"
        proxied += await clients.open(15, "127.0.0.2")
        assert await alive(proxied) == 20
    async with start_edge(connections=caps) as edge, clients_of(edge) as clients:
        assert await alive(await clients.open(15, "127.0.0.2")) == 5


STRANGERS = {
    "a public page": (HEAD, b"HTTP/1.1 200 "),
    "an unknown route": (GET, b"HTTP/1.1 404 "),
    "a refused credential": (KNOWN.replace(b"good", b"bad"), b"HTTP/1.1 401 "),
    "a WebSocket without credentials": (SOCKET, b"HTTP/1.1 401 "),
}


async def test_a_connection_on_which_nobody_authenticates_ends(start_edge: Start) -> None:
    async with start_edge(anonymous=2.0) as edge, clients_of(edge) as clients:
        (known,) = await clients.open()
        strangers = await _asked_by_strangers(clients)
        assert (await known.ask()).startswith(b"HTTP/1.1 200 ")
        assert await _ended(strangers, WAIT) == dict.fromkeys(STRANGERS, True)
        assert (await known.ask()).startswith(b"HTTP/1.1 200 ")
        assert not await known.has_ended(1.0)
    async with start_edge(anonymous=60.0) as edge, clients_of(edge) as clients:
        strangers = await _asked_by_strangers(clients)
        assert await _ended(strangers, 3.0) == dict.fromkeys(STRANGERS, False), "without the deadline they stay"


async def _asked_by_strangers(clients: Clients) -> list[Client]:
    """Open a connection for each kind of stranger, and get its answer there."""
    strangers = await clients.open(len(STRANGERS))
    for stranger, (request, status) in zip(strangers, STRANGERS.values(), strict=True):
        assert (await stranger.ask(request)).startswith(status)
    return strangers


async def _ended(strangers: list[Client], seconds: float) -> dict[str, bool]:
    found = await asyncio.gather(*(stranger.has_ended(seconds) for stranger in strangers))
    return dict(zip(STRANGERS, found, strict=True))


async def test_a_stranger_s_running_request_is_answered_and_is_the_last(start_edge: Start) -> None:
    slow = b"POST /v1/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{"
    async with start_edge(anonymous=2.0) as edge, clients_of(edge) as clients:
        (stranger,) = await clients.open()
        stranger.writer.write(slow)
        await asyncio.sleep(3)
        assert (await stranger.ask(b"x")).startswith(b"HTTP/1.1 400 ")
        assert await stranger.has_ended(WAIT)


async def test_a_proxy_s_connection_stays_though_nobody_has_authenticated(start_edge: Start) -> None:
    proxied = HEAD.replace(b"\r\n\r\n", b"\r\nX-Forwarded-Proto: https\r\n\r\n")
    async with start_edge(anonymous=0.2, trusted_proxies=("127.0.0.2/32",)) as edge, clients_of(edge) as clients:
        (proxy,) = await clients.open(1, "127.0.0.2")
        assert (await proxy.ask(proxied)).startswith(b"HTTP/1.1 200 ")
        assert not await proxy.has_ended(1.0)


async def test_a_client_that_never_reads_gives_its_place_back(start_edge: Start) -> None:
    async with start_edge(write=0.4) as edge:
        one, _ = await never_reads(edge)
        with one:
            await until_free(edge.runner)


async def test_a_closed_connection_with_unsent_bytes_gives_its_place_back(start_edge: Start) -> None:
    async with start_edge(write=0.5, stop=0.1) as edge:
        one, _ = await never_reads(edge, most=0.1)
        with one:
            (connection,) = edge.runner._server.connections
            assert connection.transport is not None
            assert connection.transport.get_write_buffer_size() > 0
            assert isinstance(connection, GuardedConnection)
            connection.force_close()  # aiohttp lets go of the transport
            await until_free(edge.runner)


async def test_without_the_kept_transport_its_place_stays_taken(start_edge: Start) -> None:
    async with start_edge(write=0.5, stop=0.1) as edge:
        one, _ = await never_reads(edge, most=0.1)
        with one:
            (connection,) = edge.runner._server.connections
            assert isinstance(connection, GuardedConnection)
            connection._kept_transport = None
            connection.force_close()
            await asyncio.sleep(2)
            assert taken(edge.runner) == 1


async def test_a_handshake_that_never_comes_has_a_place_and_gives_it_back(tmp_path: Path) -> None:
    pem, key = certificate(tmp_path)
    caps = ConnectionCaps(total=20, per_address=3)
    settings = EdgeSettings(tls_cert=pem, tls_key=key, connections=caps, timeouts=Timeouts(header=3.0))
    core = StandIn()
    core.on("ProjectService/GetProject", {"project": PROJECT})
    runner = await start(Edge(LocalUpstream(core), settings, TABLE), settings, "127.0.0.1", 0)
    trusting = ssl.create_default_context(cafile=str(pem))
    try:
        async with contextlib.AsyncExitStack() as opened:
            clients = Clients(runner.port, opened)
            silent = await clients.open(9, "127.0.0.2")
            assert (await alive(silent), taken(runner)) == (3, 3)
            reader, writer = await asyncio.open_connection("127.0.0.1", runner.port, ssl=trusting)
            assert (await Client(reader, writer).ask()).startswith(b"HTTP/1.1 200 ")
            assert [await one.has_ended(WAIT) for one in silent] == [True] * 9
            writer.close()
            await until_free(runner)
    finally:
        await runner.stop()


async def test_refusals_are_counted_and_told_once_a_minute(start_edge: Start) -> None:
    def refused() -> float:
        return REGISTRY.get_sample_value("catenary_http_connections_refused_total", {"reason": "address"}) or 0.0

    before = refused()
    with structlog.testing.capture_logs() as logs:
        async with start_edge(connections=ConnectionCaps(total=20, per_address=5)) as edge, clients_of(edge) as clients:
            await clients.open(45, "127.0.0.2")
            assert REGISTRY.get_sample_value("catenary_http_connections") == 5
            assert refused() - before == 40
            lines = [line for line in logs if line["event"] == "connections refused"]
            assert [(line["port"], line["address"]) for line in lines] == [("http", 1)]
    lines = [line for line in logs if line["event"] == "connections refused"]
    assert [line["address"] for line in lines] == [1, 39], "the rest at the stop"
    assert "127.0.0.2" not in str(lines)


async def test_a_process_without_descriptors_accepts_again_when_it_has_some(
    start_edge: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start_edge() as edge, clients_of(edge) as clients:
        accept, failures = socket.socket.accept, iter(range(3))

        def exhausted(listening: socket.socket) -> object:
            if next(failures, None) is not None:
                raise OSError(errno.EMFILE, "Too many open files")
            return accept(listening)

        monkeypatch.setattr(socket.socket, "accept", exhausted)
        assert await clients.served("127.0.0.1")


@pytest.mark.parametrize(("pause", "spins"), [(0.2, False), (0.0, True)])
async def test_without_its_pause_a_process_without_descriptors_would_do_nothing_else(
    start_edge: Start, monkeypatch: pytest.MonkeyPatch, pause: float, spins: bool
) -> None:
    async with start_edge() as edge, clients_of(edge) as clients:
        tries = 0

        def exhausted(listening: socket.socket) -> object:
            nonlocal tries
            tries += 1
            raise OSError(errno.EMFILE, "Too many open files")

        with monkeypatch.context() as patched:
            patched.setattr("catenary_edge.listener._PAUSE", pause)
            patched.setattr(socket.socket, "accept", exhausted)
            await clients.open()
            await asyncio.sleep(0.5)
        assert (tries > 20) is spins


async def test_a_network_of_ipv6_has_one_share() -> None:
    places = Places(EdgeSettings(connections=ConnectionCaps(total=20, per_address=3)))
    assert all(places.take(f"2001:db8::{number}") is not None for number in range(3))
    assert places.take("2001:db8::99") is None
    assert places.take("2001:db8:0:1::1") is not None
    mapped = [places.take("::ffff:192.0.2.1"), places.take("192.0.2.1"), places.take("::ffff:192.0.2.1")]
    assert None not in mapped
    assert places.take("192.0.2.1") is None


def test_a_place_is_given_back_once() -> None:
    places = Places(EdgeSettings(connections=ConnectionCaps(total=2, per_address=2)))
    first, second = places.take("192.0.2.1"), places.take("192.0.2.2")
    assert first is not None
    assert second is not None
    first.give_back()
    first.give_back()
    assert places.open == 1
