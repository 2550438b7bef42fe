"""A client's side of a live session over `/ws/explore`."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import orjson
from aiohttp import WSMsgType

from factories.events.world import SECONDS


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
