"""Connections to the gRPC port: the caps in all and of an address, and the end of silent ones and of strangers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from ipaddress import ip_network
from typing import Any

import grpc
import pytest
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import REGISTRY

from catenary_core.call.call import Identity
from catenary_core.frame import Frame
from catenary_core.server import grpc_connections, grpc_server
from catenary_core.server.grpc_connections import GrpcConnections, parse_peer
from catenary_core.services.projects.servicer import ProjectServicer
from catenary_wire.connections import ConnectionCaps
from factories.installations.hostile_connections import GRPC, PREFACE, SETTINGS
from factories.services.dispatchers import ALL_SCOPES, dispatch_of

pytestmark = pytest.mark.slow

SERVICE = "catenary.platform.v1.ProjectService"
USER = "0199aaaa-0000-7000-8000-000000000001"
KNOWN = (("authorization", "ada"),)
KINDS = {"silent": b"", "preface": PREFACE, "settings": PREFACE + SETTINGS}
IDLE = GRPC["idle HTTP/2"]
"""Bytes that make a whole HTTP/2 connection, on which nothing is called."""
WAIT = 60.0


class Port:
    """A served gRPC port with its guard, and hostile connections to it."""

    def __init__(self, number: int, guard: GrpcConnections, opened: contextlib.AsyncExitStack) -> None:
        self.number = number
        self.guard = guard
        self._opened = opened

    async def open(self, count: int, data: bytes, address: str = "127.0.0.2") -> list[asyncio.StreamReader]:
        """Open connections from an address that send some bytes and nothing more."""
        found = []
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.number, local_addr=(address, 0))
            writer.write(data)
            self._opened.callback(writer.close)
            found.append(reader)
        await asyncio.sleep(0.3)  # until gRPC has accepted them
        return found

    def channel(self) -> grpc.aio.Channel:
        """Open a channel of a normal client."""
        return grpc.aio.insecure_channel(f"127.0.0.1:{self.number}", [("grpc.use_local_subchannel_pool", 1)])

    async def look(self) -> None:
        """Have the guard look once; gRPC gets the time to close what is shut down."""
        await self.guard.look(self.number)
        await asyncio.sleep(0.3)


async def alive(readers: list[asyncio.StreamReader]) -> int:
    """Return the number of connections that the server has not closed."""
    return [await _has_ended(one) for one in readers].count(False)


async def _has_ended(reader: asyncio.StreamReader) -> bool:
    with contextlib.suppress(ConnectionError):
        try:
            async with asyncio.timeout(0.01):
                while await reader.read(4096):
                    pass
        except TimeoutError:
            return False
    return True


def ended(reason: str) -> float:
    """Return how many connections the guard has ended for a reason."""
    return REGISTRY.get_sample_value("catenary_grpc_connections_ended_total", {"reason": reason}) or 0.0


async def call(channel: grpc.aio.Channel) -> None:
    """Make a call with credentials."""
    raw: Any = channel.unary_unary(f"/{SERVICE}/ListProjects", lambda data: data, lambda data: data)
    await raw(b"", metadata=KNOWN, timeout=WAIT)


Serve = Callable[..., contextlib.AbstractAsyncContextManager[Port]]


@pytest.fixture
def serve(frame: Frame) -> Serve:
    @contextlib.asynccontextmanager
    async def serving(caps: ConnectionCaps, *trusted: str) -> AsyncIterator[Port]:
        projects = ProjectServicer(frame)
        callers = {"ada": Identity(USER, "person", scopes=ALL_SCOPES)}
        dispatch = dispatch_of({SERVICE: projects}, callers, projects.role_of)
        guard = GrpcConnections(caps, [ip_network(text) for text in trusted])
        server, health = grpc_server.create_server(dispatch, connections=guard)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        await grpc_server.set_serving(health, dispatch, serving=True)
        async with contextlib.AsyncExitStack() as opened:
            yield Port(port, guard, opened)
        await server.stop(0.1)
        await guard.stop()

    return serving


async def test_no_more_connections_than_the_cap_stay_open(serve: Serve) -> None:
    async with serve(ConnectionCaps(total=10, per_address=10)) as port:
        assert await alive(await port.open(40, IDLE)) == 10
        with structlog.testing.capture_logs() as logs:
            await port.look()
        assert [line["full"] for line in logs if line["event"] == "connections refused"] == [1]
        assert REGISTRY.get_sample_value("catenary_grpc_connections") == 10


@pytest.mark.parametrize("kind", KINDS)
async def test_a_handshake_that_is_never_whole_ends(serve: Serve, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(grpc_connections, "HANDSHAKE_SECONDS", 2)
    async with serve(ConnectionCaps(total=10, per_address=10)) as port:
        hostile = await port.open(10, KINDS[kind])
        assert await alive(hostile) == 10
        async with asyncio.timeout(WAIT):
            while await alive(hostile):  # noqa: ASYNC110 (gRPC has no event for it)
                await asyncio.sleep(0.1)
        async with port.channel() as channel:
            await call(channel)


async def test_without_the_deadline_of_handshakes_they_stay(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_connections, "HANDSHAKE_SECONDS", 300)
    async with serve(ConnectionCaps(total=100, per_address=100)) as port:
        hostile = {kind: await port.open(10, data) for kind, data in KINDS.items()}
        await asyncio.sleep(4)
        assert {kind: await alive(opened) for kind, opened in hostile.items()} == dict.fromkeys(KINDS, 10)


async def test_an_address_keeps_its_share_and_the_oldest_of_it(serve: Serve) -> None:
    before = ended("address")
    async with serve(ConnectionCaps(total=40, per_address=5)) as port:
        first = await port.open(5, IDLE)
        other = await port.open(4, IDLE, "127.0.0.3")
        await port.look()
        later = await port.open(30, IDLE)
        await port.look()
        assert (await alive(first), await alive(other), await alive(later)) == (5, 4, 0)
        async with port.channel() as channel:
            await call(channel)
        assert ended("address") - before == 30


async def test_without_the_share_one_address_takes_every_place(serve: Serve) -> None:
    async with serve(ConnectionCaps(total=40, per_address=40)) as port:
        hostile = await port.open(40, IDLE)
        await port.look()
        assert await alive(hostile) == 40
        async with port.channel() as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Check(health_pb2.HealthCheckRequest(), timeout=3)


async def test_who_has_authenticated_is_not_pushed_out_by_strangers_of_the_address(serve: Serve) -> None:
    async with serve(ConnectionCaps(total=40, per_address=5)) as port:
        older = await port.open(5, IDLE, "127.0.0.1")
        await port.look()
        async with port.channel() as channel:
            await call(channel)
            await port.look()
            assert await alive(older) == 4, "one makes way"
            state = channel.get_state()
            assert state is grpc.ChannelConnectivity.READY


async def test_a_stranger_ends_and_who_authenticates_stays(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_connections, "STRANGER_SECONDS", 0.2)
    async with serve(ConnectionCaps(), "127.0.0.4/32") as port, port.channel() as known, port.channel() as stranger:
        await call(known)
        stub: Any = health_pb2_grpc.HealthStub(stranger)
        await stub.Check(health_pb2.HealthCheckRequest(), timeout=WAIT)
        silent, trusted = await port.open(1, IDLE), await port.open(1, IDLE, "127.0.0.4")
        await port.look()
        await asyncio.sleep(0.3)
        await port.look()
        assert (await alive(silent), await alive(trusted)) == (0, 1)
        assert known.get_state() is grpc.ChannelConnectivity.READY
        assert stranger.get_state() is not grpc.ChannelConnectivity.READY
        await stub.Check(health_pb2.HealthCheckRequest(), timeout=WAIT)  # it connects again by itself


async def test_who_authenticates_while_the_guard_lists_sockets_is_no_stranger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guard = GrpcConnections(ConnectionCaps(), [])
    find = guard._find

    def listed(port: int) -> None:
        find(port)
        guard.authenticated("ipv4:127.0.0.1:5")  # accepted after the sockets were listed

    monkeypatch.setattr(guard, "_find", listed)
    await guard.look(1)
    assert guard._authenticated == {"ipv4:127.0.0.1:5"}
    monkeypatch.undo()
    await guard.look(1)
    assert guard._authenticated == set(), "its connection is gone"


async def test_without_the_end_of_strangers_they_stay(serve: Serve) -> None:
    async with serve(ConnectionCaps()) as port:
        silent = await port.open(1, IDLE)
        await port.look()
        await asyncio.sleep(0.3)
        await port.look()
        assert await alive(silent) == 1


async def test_a_first_call_that_takes_long_is_no_stranger_s(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_connections, "STRANGER_SECONDS", 0.1)
    began, go_on = asyncio.Event(), asyncio.Event()
    listed = ProjectServicer.list_projects

    async def slow(self: ProjectServicer, request: Any, call: Any) -> Any:
        began.set()
        await go_on.wait()
        return await listed(self, request, call)

    monkeypatch.setattr(ProjectServicer, "list_projects", slow)
    async with serve(ConnectionCaps()) as port, port.channel() as channel:
        calling = asyncio.create_task(call(channel))
        await began.wait()
        await port.look()
        await asyncio.sleep(0.3)
        await port.look()
        go_on.set()
        await calling


async def test_the_guard_looks_by_itself(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_connections, "LOOK_SECONDS", 0.05)
    async with serve(ConnectionCaps(total=40, per_address=5)) as port:
        port.guard.start(port.number)
        hostile = await port.open(20, IDLE)
        async with asyncio.timeout(WAIT):
            while await alive(hostile) > 5:  # noqa: ASYNC110 (gRPC has no event for it)
                await asyncio.sleep(0.05)
        assert await alive(hostile) == 5


@pytest.mark.parametrize(
    ("peer", "expected"),
    [
        ("ipv4:127.0.0.1:5", "127.0.0.1"),
        ("ipv6:%5B::1%5D:5", "::1"),
        ("ipv6:%5Bfe80::1%25eth0%5D:5", "fe80::1"),
        ("ipv6:%5B::ffff:10.0.0.1%5D:5", "10.0.0.1"),
    ],
)
def test_a_peer_in_grpcs_notation_is_parsed(peer: str, expected: str) -> None:
    parsed = parse_peer(peer)
    assert parsed is not None
    assert (str(parsed[0]), parsed[1]) == (expected, 5)


@pytest.mark.parametrize("peer", ["unix:", "unix:/run/a.sock", "ipv4:", "", "ipv4:a.b:1"])
def test_what_is_no_address_is_none(peer: str) -> None:
    assert parse_peer(peer) is None
