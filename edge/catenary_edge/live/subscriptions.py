"""Common parts of event streams over HTTP: opening upstream, JSON of events, the end of all at a stop.

A subscription (method option) responds with messages whose first field is a list of items with an `id`. WebSockets and
server-sent events are two forms of it. Another WebSocket carries a method with streams of both sides.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

import orjson
from google.protobuf.message import Message

from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.services import Rpc
from catenary_edge.upstream import Upstream

_MOST_CACHED = 4096
"""Largest number of items with cached bytes."""
_AGAIN_SECONDS = 5.0
"""Seconds after which tasks are cancelled once more."""

Parts = AsyncGenerator[dict[str, Any], None]


class Framed:
    """A cache of items in one wire format. Many streams send the same items, so each is formatted once.

    Share links get events of the same ids with less in them, so their bytes are kept apart.
    """

    def __init__(self, frame: Callable[[str, bytes], bytes]) -> None:
        """Create an empty cache; `frame` formats an item from its id and its JSON."""
        self._frame = frame
        self._of_users: dict[str, bytes] = {}
        self._of_links: dict[str, bytes] = {}

    def __call__(self, items: list[dict[str, Any]], *, by_link: bool) -> bytes:
        """Return the bytes of all items, joined; `by_link`: whether the reader is a share link."""
        made = self._of_links if by_link else self._of_users
        found = []
        for item in items:
            framed = made.get(item["id"])
            if framed is None:
                if len(made) >= _MOST_CACHED:
                    made.clear()
                framed = made[item["id"]] = self._frame(item["id"], orjson.dumps(item))
            found.append(framed)
        return b"".join(found)


class Subscriptions:
    """The open event streams of one edge."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._stopping = asyncio.Event()

    @property
    def stopping(self) -> bool:
        """True if the edge is stopping."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """End every stream."""
        self._stopping.set()

    @asynccontextmanager
    async def open(
        self, route: Route, message: Message, metadata: Mapping[str, str]
    ) -> AsyncGenerator[tuple[dict[str, Any], Parts], None]:
        """Open a subscription: its first message, which comes at once, and the later ones.

        Raises:
            Problem: The core's refusal.
        """
        found = await self._upstream.parts(route, message, metadata, None)
        try:
            yield await anext(found.parts), found.parts
        finally:
            await found.parts.aclose()

    @asynccontextmanager
    async def converse(
        self, rpc: Rpc, messages: AsyncIterator[Message], metadata: Mapping[str, str]
    ) -> AsyncGenerator[tuple[Mapping[str, str], Mapping[str, Any], Parts], None]:
        """Open a method with streams of both sides: its response metadata, its first message, and the later ones.

        Raises:
            Problem: The core's refusal.
        """
        found = await self._upstream.converse(rpc, messages, metadata)
        try:
            first = await anext(found.parts)  # comes at once
            yield found.metadata, first, found.parts
        finally:
            await found.parts.aclose()

    async def first_of(self, *work: Coroutine[Any, Any, None]) -> BaseException | None:
        """Run the parts of a stream until the first one ends or the edge stops; return its exception, if any."""
        tasks = [asyncio.create_task(one) for one in work]
        stop = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait([*tasks, stop], return_when=asyncio.FIRST_COMPLETED)
            ended = [task for task in tasks if task.done() and not task.cancelled()]
        finally:
            pending = {*tasks, stop}
            while pending:  # before Python 3.12 a cancellation can be lost (python/cpython issue 86296)
                for task in pending:
                    task.cancel()
                _, pending = await asyncio.wait(pending, timeout=_AGAIN_SECONDS)
            for task in tasks:
                task.cancelled() or task.exception()  # retrieved, so that asyncio doesn't log its text
        return next((task.exception() for task in ended if task.exception() is not None), None)
