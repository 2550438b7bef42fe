"""A core with its edge and callers, for tests of events: in one process, or the edge behind gRPC."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import sqlalchemy as sa
from aiohttp import WSMsgType
from pydantic import SecretStr

from catenary_core import events, grpc_door
from catenary_core.bootstrap import Core, running_core
from catenary_core.db import Database, Statement
from catenary_core.secrets import Secrets
from catenary_core.services.identity.clients import create_client
from catenary_core.settings import CoreSettings
from catenary_edge import upstream as upstreams
from catenary_edge.server import Runner, create_app, start
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import GrpcUpstream, LocalUpstream, Upstream, open_channel

_LAST = Statement(
    sa.text(
        "SELECT coalesce(max(sequence), 0) - count(*) FILTER (WHERE sequence IS NULL) AS sequence FROM events.event"
    )
)
SECRET = bytes(range(32))
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


@dataclass
class World:
    """A running core and edge; `http` calls the edge."""

    core: Core
    runner: Runner
    http: aiohttp.ClientSession
    grpc_port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.runner.port}"

    async def caller(self, name: str, *, admin: bool = False) -> Caller:
        """A new client with a token."""
        async with self.core.frame.db.transaction() as tx:
            row, secret = await create_client(tx, self.core.frame.secrets, name, admin=admin)
        sent = {"grant_type": "client_credentials", "client_id": row["client_id"], "client_secret": secret}
        async with self.http.post(f"{self.url}/v1/auth/token", json=sent) as answer:
            token = (await answer.json())["access_token"]
        return Caller(row["user_id"], row["client_id"], secret, token)

    async def call(self, caller: Caller, method: str, path: str, status: int = 200, **given: Any) -> Any:
        """The JSON of a call, whose status must be right."""
        async with self.http.request(method, self.url + path, headers=caller.headers, **given) as answer:
            body = await answer.read()
            assert answer.status == status, f"{method} {path}: {answer.status} {body!r}"
            return orjson.loads(body)

    async def project(self, owner: Caller, **members: Caller) -> str:
        """A new project with members by their roles."""
        made = await self.call(owner, "POST", "/v1/projects", 201, json={"name": "P"})
        project_id = str(made["data"]["project"]["project_id"])
        for role, member in members.items():
            path = f"/v1/projects/{project_id}/members/{member.user_id}"
            await self.call(owner, "PUT", path, json={"role": role})
        return project_id

    async def settle(self) -> None:
        """Waits until the feed has read what is written."""
        async with asyncio.timeout(SECONDS):
            while await self.position() != self.core.feed._position:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def position(self) -> int:
        """The sequence number of the newest event; another one while events wait for theirs."""
        async with self.core.frame.db.read() as tx:
            return int((await tx.one(_LAST))["sequence"])

    async def socket(self, caller: Caller, **query: Any) -> Socket:
        """An open WebSocket, of which nothing from before comes unless it is asked for."""
        return await self.connect(caller.headers, **query)

    async def connect(self, headers: Mapping[str, str], **query: Any) -> Socket:
        """As `socket`, with other credentials."""
        await self.settle()
        return Socket(await self.http.ws_connect(f"{self.url}/ws", headers=headers, params=query))


class Socket:
    """A WebSocket's reader."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws

    async def event(self, seconds: float = SECONDS) -> dict[str, Any]:
        """The next event."""
        message = await self.ws.receive(seconds)
        assert message.type is WSMsgType.TEXT, f"closed with {self.ws.close_code} {message}"
        found: dict[str, Any] = orjson.loads(message.data)
        return found

    async def events(self, count: int, seconds: float = SECONDS) -> list[dict[str, Any]]:
        """The next so many events."""
        return [await self.event(seconds) for _ in range(count)]

    async def silence(self, seconds: float = 0.3) -> None:
        """Nothing comes for so long."""
        with contextlib.suppress(TimeoutError):
            message = await self.ws.receive(seconds)
            raise AssertionError(f"nothing should have come, not {message}")

    async def closed(self, seconds: float = SECONDS) -> int | None:
        """The code that the server closes with; what comes before is dropped."""
        async with asyncio.timeout(seconds):
            while not self.ws.closed:
                await self.ws.receive()
        return self.ws.close_code


@asynccontextmanager
async def world(
    dsn: str, folder: Path, *, remote: bool = False, edge: EdgeSettings | None = None, **settings: Any
) -> AsyncIterator[World]:
    """A running world. `remote`: the edge reaches the core over gRPC."""
    core_settings = CoreSettings(
        database_url=SecretStr(dsn),
        data_dir=folder,
        secret_key=SecretStr(base64.b64encode(SECRET).decode()),
        **settings,
    )
    async with running_core(core_settings) as core:
        server, _ = grpc_door.create_server(core.dispatch)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        upstream: Upstream = LocalUpstream(core.dispatch)
        if remote:
            target = f"127.0.0.1:{port}"
            upstream = GrpcUpstream(
                lambda: open_channel(target), lambda: open_channel(target, None, upstreams.SUBSCRIPTION_OPTIONS)
            )
        edge = edge or EdgeSettings(dev=True)
        runner = await start(create_app(upstream, edge), edge, "127.0.0.1", 0)
        try:
            async with aiohttp.ClientSession() as http:
                here = World(core, runner, http, port)
                yield here
                runner = here.runner  # a test may have replaced it
        finally:
            await runner.stop()
            core.feed.close()
            await server.stop(1)


async def write(
    db: Database, type_: str = "project.updated", project_id: str | None = None, data: Mapping[str, Any] | None = None
) -> None:
    """Writes an event, as a servicer would."""
    async with db.transaction() as tx:
        await events.write(tx, None, type_, subject="/test", data=data or {}, project_id=project_id)


def secrets() -> Secrets:
    """The secrets of a world."""
    return Secrets(SECRET)
