"""A reader of server-sent events."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson

from factories.events.world import SECONDS


class Reader:
    """Blocks of a stream of server-sent events."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        self._buffer = b""

    async def block(self, seconds: float = SECONDS) -> bytes:
        async with asyncio.timeout(seconds):
            while b"\n\n" not in self._buffer:
                chunk = await self._answer.content.readany()
                assert chunk, "the stream has ended"
                self._buffer += chunk
        found, _, self._buffer = self._buffer.partition(b"\n\n")
        return found

    async def event(self) -> tuple[str, dict[str, Any]]:
        while True:
            fields = dict(line.split(b": ", 1) for line in (await self.block()).split(b"\n"))
            if b"data" in fields:
                return fields[b"id"].decode(), orjson.loads(fields[b"data"])
