"""Two edges over two cores on one database, in a thread of their own: one in its core's process, one behind gRPC."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from catenary_cli.installation import clients
from catenary_edge.settings import EdgeSettings
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, SECRET, serving


@dataclass(frozen=True)
class Person:
    """A client and a connection of it to each of the edges."""

    user_id: str
    client_id: str
    client_secret: str
    token: str
    edges: tuple[httpx.Client, httpx.Client]


class TwoEdges:
    """The addresses of two edges, and the people who call them."""

    def __init__(self, dsn: str, ports: list[int]) -> None:
        self._dsn = dsn
        self._ports = ports
        self._clients: list[httpx.Client] = []

    def person(self, name: str, *, admin: bool = False) -> Person:
        """Make a new client with a token."""
        made = asyncio.run(clients.create(self._dsn, SECRET, name, admin=admin))
        secret = {"client_id": made["client_id"], "client_secret": made["client_secret"]}
        first, second = (
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER_SECONDS) for port in self._ports
        )
        self._clients += [first, second]
        answer = first.post("/v1/auth/token", json={"grant_type": "client_credentials", **secret})
        token = answer.json()["access_token"]
        for http in (first, second):
            http.headers["Authorization"] = f"Bearer {token}"
        user_id = first.get("/v1/users/me").json()["data"]["user"]["user_id"]
        return Person(user_id, made["client_id"], made["client_secret"], token, (first, second))

    def close(self) -> None:
        """Close the clients and connections of the people."""
        for client in self._clients:
            client.close()


@contextmanager
def two_edges(dsn: str, folder: Path) -> Iterator[TwoEdges]:
    """Run two edges until the block ends."""
    ready: threading.Event = threading.Event()
    ports: list[int] = []
    failed: list[BaseException] = []
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            for remote in (False, True):
                edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
                limits = {"max_connections": 5, "requests_per_hour": 10**9}
                node = serving(dsn, folder, remote=remote, edge=edge, public_url=PUBLIC_URL, **limits)
                ports.append((await stack.enter_async_context(node)).edge.port)
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
