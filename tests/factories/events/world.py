"""A core with its edge and callers, for tests of events: in one process, or the edge behind gRPC."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import sqlalchemy as sa
from aiohttp import WSMsgType

from catenary_core.bootstrap import Core
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.event_log import events
from catenary_core.services.identity.clients.creation import create_client
from catenary_edge.settings import EdgeSettings
from factories.installations.serving import Serving, serving

_LAST = Statement(
    sa.text(
        "SELECT coalesce(max(sequence), 0) AS last, count(*) FILTER (WHERE sequence IS NULL) AS waiting FROM events.event"
    )
)
SECONDS = 60.0
"""How long a test waits for what must come: it only guards against a hang, on a machine that stands still at times too."""


@dataclass(frozen=True)
class Caller:
    """A client of its own: its user, its token, and its secret for another."""

    user_id: str
    client_id: str
    client_secret: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True)
class Guest:
    """Whoever has a share link."""

    url: str

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Share-Token": self.url.rpartition("#share=")[2]}


@dataclass
class World:
    """A running node; `http` calls its edge."""

    node: Serving
    http: aiohttp.ClientSession
    sockets: list[Socket] = field(default_factory=list)
    """The WebSockets that end with the world: one that a garbage collection finds open before would be a warning."""

    @property
    def core(self) -> Core:
        return self.node.core

    @property
    def url(self) -> str:
        return self.node.url

    async def caller(self, name: str, *, admin: bool = False) -> Caller:
        """Make a new client with a token."""
        async with self.core.frame.db.transaction() as tx:
            row, secret = await create_client(tx, self.core.frame.secrets, name, admin=admin)
        sent = {"grant_type": "client_credentials", "client_id": row["client_id"], "client_secret": secret}
        async with self.http.post(f"{self.url}/v1/auth/token", json=sent) as answer:
            token = (await answer.json())["access_token"]
        return Caller(row["user_id"], row["client_id"], secret, token)

    async def call(self, caller: Caller | Guest, method: str, path: str, status: int = 200, **given: Any) -> Any:
        """Call a route, check the status and return the JSON."""
        async with self.http.request(method, self.url + path, headers=caller.headers, **given) as answer:
            body = await answer.read()
            assert answer.status == status, f"{method} {path}: {answer.status} {body!r}"
            return orjson.loads(body)

    async def project(self, owner: Caller, **members: Caller) -> str:
        """Make a new project with members by their roles."""
        made = await self.call(owner, "POST", "/v1/projects", 201, json={"name": "P"})
        project_id = str(made["data"]["project"]["project_id"])
        for role, member in members.items():
            path = f"/v1/projects/{project_id}/members/{member.user_id}"
            await self.call(owner, "PUT", path, json={"role": role})
        return project_id

    async def settle(self) -> None:
        """Wait until all written events have their order and the feed's subscribers have read them."""
        feed = self.core.feed
        async with asyncio.timeout(SECONDS):
            while True:
                found = await self._log_end()
                if not found["waiting"] and (not feed._subscriptions or feed._position == found["last"]):
                    return
                await asyncio.sleep(0.01)

    async def position(self) -> int:
        """Return the sequence number of the newest event that has one."""
        return int((await self._log_end())["last"])

    async def _log_end(self) -> Row:
        async with self.core.frame.db.read() as tx:
            return await tx.one(_LAST)

    async def socket(self, caller: Caller, **query: Any) -> Socket:
        """Open a WebSocket that shows earlier events only on request."""
        return await self.connect(caller.headers, **query)

    async def connect(self, headers: Mapping[str, str], **query: Any) -> Socket:
        """Open a WebSocket as `socket` does, with other credentials."""
        return await self.opened(headers=headers, params=query)

    async def opened(self, **options: Any) -> Socket:
        """Open a WebSocket behind all that was written before."""
        await self.settle()
        self.sockets.append(Socket(await self.http.ws_connect(f"{self.url}/ws", **options)))
        return self.sockets[-1]


class Socket:
    """A WebSocket's reader."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws

    async def event(self, seconds: float = SECONDS) -> dict[str, Any]:
        """Wait for the next event."""
        message = await self.ws.receive(seconds)
        assert message.type is WSMsgType.TEXT, f"closed with {self.ws.close_code} {message}"
        found: dict[str, Any] = orjson.loads(message.data)
        return found

    async def events(self, count: int, seconds: float = SECONDS) -> list[dict[str, Any]]:
        """Wait for the next events, as many as asked for."""
        return [await self.event(seconds) for _ in range(count)]

    async def silence(self, seconds: float = 0.3) -> None:
        """Check that nothing comes for so long."""
        with contextlib.suppress(TimeoutError):
            message = await self.ws.receive(seconds)
            raise AssertionError(f"nothing should have come, not {message}")

    async def closed(self, seconds: float = SECONDS) -> int | None:
        """Wait until the server closes and return the code; earlier messages are dropped."""
        async with asyncio.timeout(seconds):
            while not self.ws.closed:
                await self.ws.receive()
        return self.ws.close_code


@asynccontextmanager
async def world(
    dsn: str, folder: Path, *, remote: bool = False, edge: EdgeSettings | None = None, **settings: Any
) -> AsyncIterator[World]:
    """Run a world until the block ends. `remote`: the edge reaches the core over gRPC."""
    async with (
        serving(dsn, folder, remote=remote, edge=edge, **settings) as node,
        aiohttp.ClientSession() as http,
    ):
        here = World(node, http)
        try:
            yield here
        finally:
            for socket in here.sockets:
                await socket.ws.close()


async def write(
    db: Database, type_: str = "project.updated", project_id: str | None = None, data: Mapping[str, Any] | None = None
) -> None:
    """Write an event, as a servicer would."""
    async with db.transaction() as tx:
        await events.write(tx, None, type_, subject="/test", data=data or {}, project_id=project_id)
