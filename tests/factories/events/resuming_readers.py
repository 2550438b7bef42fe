"""Readers of `/ws` that lose their connections again and again and go on after the last event that they have."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Sequence

import aiohttp
import orjson
from aiohttp import WSMsgType

from factories.events.ledger import LEFT_OUT, Asked, User

PAUSE = 0.5
PASSING = {500, 502, 503, 504}
"""Statuses of an edge whose core, or of a core whose database, is gone just then."""


class Reader:
    """One reader: what it has, in the order in which it came; `ends` counts how its connections ended.

    One that is `forgetful` doesn't say where it was, and so has only what happens while it is connected.
    """

    def __init__(self, user: User, asked: Asked, after: str, *, forgetful: bool = False) -> None:
        self.user = user
        self.asked = asked
        self.ids: list[str] = []
        self.ends: Counter[int | str] = Counter()
        self._after = after
        self._forgetful = forgetful

    def __repr__(self) -> str:
        return f"{self.user.name} {self.asked.query}: {len(self.ids)} events, {dict(self.ends)}"

    async def run(self, http: aiohttp.ClientSession, urls: Sequence[str]) -> None:
        """Read until cancelled, from one edge after the other; a single edge is tried until it is back."""
        turn = 0
        while True:
            turn += 1
            query = self.asked.query
            if not (self._forgetful and self.ids):
                query.append(("after", self.ids[-1] if self.ids else self._after))
            try:
                async with http.ws_connect(
                    f"{urls[turn % len(urls)]}/ws", headers=self.user.headers, params=query
                ) as socket:
                    await self._read(socket)
                    self.ends[socket.close_code or "lost"] += 1
            except aiohttp.WSServerHandshakeError as error:
                if error.status not in PASSING:
                    raise AssertionError(f"{self} was refused with {error.status}") from None
                self.ends[error.status] += 1
            except (aiohttp.ClientError, TimeoutError) as error:
                self.ends[type(error).__name__] += 1
            await asyncio.sleep(PAUSE)

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while (message := await socket.receive()).type is WSMsgType.TEXT:
            event = orjson.loads(message.data)
            if event["type"] != LEFT_OUT:
                self.ids.append(event["id"])


@contextlib.asynccontextmanager
async def reading(readers: Sequence[Reader], urls: Sequence[str]) -> AsyncIterator[None]:
    """Let all readers read while the block runs; one that fails ends the block.

    Half of them change to another edge when they lose their connection, the others stay with theirs.
    """
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http, asyncio.TaskGroup() as group:
        choices = itertools.cycle([urls, urls[:1], urls[::-1], urls[1:]])
        tasks = [group.create_task(one.run(http, given)) for one, given in zip(readers, choices, strict=False)]
        yield
        for task in tasks:
            task.cancel()
