"""A core whose webhooks may go to this machine, a receiver on it, and what tests of deliveries ask for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import psycopg
from aiohttp import web
from psycopg.rows import dict_row

from catenary_core.bootstrap import running_core
from catenary_core.services.webhooks.deliveries import deliverer
from catenary_core.services.webhooks.deliveries.sender import Sender
from factories.events.world import Caller, World, world
from factories.installations.serving import core_settings

SECONDS = 60.0
"""How long a test waits for what must come."""
Answering = Callable[["Request"], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Request:
    """A request as a receiver got it."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """The body."""
        found: dict[str, Any] = orjson.loads(self.body)
        return found

    @property
    def id(self) -> str:
        """The message's id."""
        return self.headers["webhook-id"]


@dataclass
class Receiver:
    """A server that keeps what it gets. `answers` are by path; 200 where there is none."""

    port: int = 0
    requests: list[Request] = field(default_factory=list)
    answers: dict[str, Answering | int] = field(default_factory=dict)
    most_at_once: int = 0
    _running: int = 0

    def url(self, path: str = "/hook") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def of(self, path: str = "/hook") -> list[Request]:
        """Return the requests that came to a path."""
        return [request for request in self.requests if request.path == path]

    async def got(self, count: int, path: str = "/hook") -> list[Request]:
        """Wait for as many requests as asked for."""
        await until(lambda: len(self.of(path)) >= count)
        return self.of(path)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        seen = Request(request.path, request.headers, await request.read())
        self.requests.append(seen)
        answer = self.answers.get(request.path, 200)
        if isinstance(answer, int):
            return web.Response(status=answer, text="seen")
        self._running += 1
        self.most_at_once = max(self.most_at_once, self._running)
        try:
            return await answer(seen)
        finally:
            self._running -= 1


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """Run a receiver on loopback."""
    here = Receiver()
    server = web.Server(here.handle)
    runner = web.ServerRunner(server, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    here.port = runner.addresses[0][1]
    try:
        yield here
    finally:
        await runner.cleanup()


@dataclass
class Hooks:
    """A running world with a receiver."""

    world: World
    receiver: Receiver
    dsn: str

    async def webhook(self, caller: Caller, path: str = "/hook", *events: str, **given: Any) -> dict[str, Any]:
        """Make a new webhook of a caller, which sees nothing from before; its `secret` is among its fields."""
        await self.passed()
        body = {"url": self.receiver.url(path), "events": list(events) or ["*"], **given}
        made = (await self.world.call(caller, "POST", "/v1/webhooks", 201, json=body))["data"]
        return {**made["webhook"], "secret": made["secret"]}

    async def deliveries(self, caller: Caller, webhook: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the log of a webhook, newest first."""
        path = f"/v1/webhooks/{webhook['webhook_id']}/deliveries"
        found: list[dict[str, Any]] = (await self.world.call(caller, "GET", path))["data"]["deliveries"]
        return found

    async def ended(self, caller: Caller, webhook: Mapping[str, Any], tries: int = 1) -> dict[str, Any]:
        """Wait until the one delivery of a webhook has so many attempts behind it."""
        async with asyncio.timeout(SECONDS):
            while True:
                found = await self.deliveries(caller, webhook)
                if len(found) == 1 and len(found[0]["attempts"]) >= tries:
                    return found[0]
                await asyncio.sleep(0.05)

    async def state(self, caller: Caller, webhook: Mapping[str, Any]) -> dict[str, Any]:
        """Read the webhook as it is now."""
        found: dict[str, Any] = (await self.world.call(caller, "GET", f"/v1/webhooks/{webhook['webhook_id']}"))["data"]
        return dict(found["webhook"])

    async def disabled(self, caller: Caller, webhook: Mapping[str, Any]) -> dict[str, Any]:
        """Wait until the webhook is disabled."""
        async with asyncio.timeout(SECONDS):
            while True:
                found = await self.state(caller, webhook)
                if found["status"] == "disabled":
                    return found
                await asyncio.sleep(0.02)

    def sql(self, query: str, *given: Any) -> list[dict[str, Any]]:
        """Run a statement beside the core."""
        with psycopg.connect(self.dsn, autocommit=True, row_factory=dict_row) as connection:
            cursor = connection.execute(query.encode(), given)
            return cursor.fetchall() if cursor.description else []

    def hurry(self) -> None:
        """Let every pause end now."""
        self.sql("UPDATE webhooks.delivery SET next_at = clock_timestamp() WHERE status = 'pending'")

    async def happen(self, caller: Caller, name: str = "P") -> str:
        """Make a project, whose event is `project.created`, and return its id."""
        made = await self.world.call(caller, "POST", "/v1/projects", 201, json={"name": name})
        return str(made["data"]["project"]["project_id"])

    async def passed(self) -> None:
        """Wait until everything that has happened has its place in the log."""
        await until(lambda: not self.sql("SELECT id FROM events.event WHERE sequence IS NULL"))


def run_core(dsn: str, folder: str, started: Any) -> None:
    """Run a core as the target of a process; `started` is set when it runs.

    A delivery to a receiver that hangs ends after ten minutes.
    """
    deliverer.Sender = partial(Sender, total=600)  # type: ignore[misc,assignment]  # stands for a class

    async def run() -> None:
        async with running_core(core_settings(dsn, Path(folder), webhook_allow_private=True)):
            started.set()
            await asyncio.sleep(600)

    asyncio.run(run())


@asynccontextmanager
async def hooks(
    dsn: str, folder: Path, *, remote: bool = False, receiver: Receiver | None = None, **settings: Any
) -> AsyncIterator[Hooks]:
    """Run a world with a receiver, a new one unless it is given."""
    async with (
        receiving() if receiver is None else nullcontext(receiver) as receiver,
        world(dsn, folder, remote=remote, **{"webhook_allow_private": True, **settings}) as here,
    ):
        yield Hooks(here, receiver, dsn)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(SECONDS):
        while not holds():  # noqa: ASYNC110 (what is waited for comes over a socket)
            await asyncio.sleep(0.02)
