"""A client's side of a live session over `/ws/explore`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import orjson
from aiohttp import WSMsgType

from factories.events.world import SECONDS
from factories.installations.installation import ANSWER_SECONDS


class Session:
    """A client's side of one session."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws

    async def send(self, id_: int, values: dict[str, Any] | None = None, **given: Any) -> None:
        """Send a design."""
        await self.ws.send_str(orjson.dumps({"id": id_, "parameters": values or {}, **given}).decode())

    async def told(self) -> dict[str, Any]:
        """Wait for the next text message."""
        message = await self.ws.receive(SECONDS)
        assert message.type is WSMsgType.TEXT, message
        found: dict[str, Any] = orjson.loads(message.data)
        return found

    async def file(self) -> bytes:
        """Wait for the next binary message."""
        message = await self.ws.receive(SECONDS)
        assert message.type is WSMsgType.BINARY, message
        return bytes(message.data)

    async def closed(self) -> tuple[int | None, str]:
        """Wait until the server closes; return the code and the reason."""
        async with asyncio.timeout(SECONDS):
            while True:
                message = await self.ws.receive()
                if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED):
                    return self.ws.close_code, message.extra or ""


@asynccontextmanager
async def session_with(demo: dict[str, Any], token: str, project: str) -> AsyncIterator[Session]:
    """Open a session of a whole installation, and take its first message."""
    url = demo["base_url"].removesuffix("v1/") + "ws/explore"
    timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS)
    async with (
        aiohttp.ClientSession(headers={"Authorization": token}, timeout=timeout) as http,
        http.ws_connect(url, params={"project_id": project}) as ws,
    ):
        session = Session(ws)
        assert "session" in await session.told()
        yield session
