"""Two edges over two cores on one database, in a thread of their own: one in its core's process, one behind gRPC."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from pydantic import SecretStr

from catenary_cli import clients
from catenary_core import grpc_door
from catenary_core.bootstrap import running_core
from catenary_core.settings import CoreSettings
from catenary_edge.server import create_app, start
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import GrpcUpstream, LocalUpstream, Upstream, open_channel

SECRET = bytes(range(32))
PUBLIC_URL = "https://catenary.example"


@dataclass(frozen=True)
class Person:
    """A client and a connection of it to each of the edges."""

    user_id: str
    client_id: str
    client_secret: str
    token: str
    edges: tuple[httpx.Client, httpx.Client]


class TwoEdges:
    """Where the edges listen, and people who call them."""

    def __init__(self, dsn: str, ports: list[int]) -> None:
        self._dsn = dsn
        self._ports = ports
        self._clients: list[httpx.Client] = []

    def person(self, name: str, *, admin: bool = False) -> Person:
        """A new client with a token."""
        made = asyncio.run(clients.create(self._dsn, SECRET, name, admin=admin))
        secret = {"client_id": made["client_id"], "client_secret": made["client_secret"]}
        first, second = (httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) for port in self._ports)
        self._clients += [first, second]
        answer = first.post("/v1/auth/token", json={"grant_type": "client_credentials", **secret})
        token = answer.json()["access_token"]
        for http in (first, second):
            http.headers["Authorization"] = f"Bearer {token}"
        user_id = first.get("/v1/users/me").json()["data"]["user"]["user_id"]
        return Person(user_id, made["client_id"], made["client_secret"], token, (first, second))

    def close(self) -> None:
        """Closes what the people have open."""
        for client in self._clients:
            client.close()


@contextmanager
def two_edges(dsn: str, folder: Path) -> Iterator[TwoEdges]:
    """Runs them until the block ends."""
    ready: threading.Event = threading.Event()
    ports: list[int] = []
    failed: list[BaseException] = []
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            for remote in (False, True):
                upstream = await _core(stack, dsn, folder, remote=remote)
                settings = EdgeSettings(dev=True, public_url=PUBLIC_URL)
                runner = await start(create_app(upstream, settings), settings, "127.0.0.1", 0)
                stack.push_async_callback(runner.stop)
                ports.append(runner.port)
            ready.set()
            await stop.wait()

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        except BaseException as error:  # noqa: BLE001 (told to the test's own thread)
            failed.append(error)
        finally:
            ready.set()
            loop.close()

    thread = threading.Thread(target=run, name="two edges")
    thread.start()
    try:
        ready.wait(60)
        if failed:
            raise failed[0]
        with closing(TwoEdges(dsn, ports)) as running:
            yield running
    finally:
        if not loop.is_closed():
            loop.call_soon_threadsafe(stop.set)
        thread.join(60)
    if failed:
        raise failed[0]


async def _core(stack: AsyncExitStack, dsn: str, folder: Path, *, remote: bool) -> Upstream:
    settings = CoreSettings(
        database_url=SecretStr(dsn),
        data_dir=folder,
        secret_key=SecretStr(base64.b64encode(SECRET).decode()),
        public_url=PUBLIC_URL,
        max_connections=5,
        requests_per_hour=10**9,
    )
    core = await stack.enter_async_context(running_core(settings))
    if not remote:
        return LocalUpstream(core.dispatch)
    server, _ = grpc_door.create_server(core.dispatch)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    stack.push_async_callback(server.stop, 1)
    upstream = GrpcUpstream(lambda: open_channel(f"127.0.0.1:{port}"))
    stack.push_async_callback(upstream.close)
    return upstream
