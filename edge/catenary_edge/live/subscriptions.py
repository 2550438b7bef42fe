"""What the streams of events over HTTP have in common: opening one upstream, the JSON of an event, and the end of all at a stop.

A subscription (method option) answers with messages whose first field is a list of items with an `id`; a WebSocket and
server-sent events are two forms of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

import orjson
from google.protobuf.message import Message

from catenary_edge.transcoding.routes import Route
from catenary_edge.upstream import Upstream

_KEPT = 4096
_AGAIN_SECONDS = 5.0

Parts = AsyncGenerator[dict[str, Any], None]


class Framed:
    """The bytes of items in one form. Many streams send the same items, so each is made once."""

    def __init__(self, frame: Callable[[str, bytes], bytes]) -> None:
        """`frame` makes the bytes of an item from its id and its JSON."""
        self._frame = frame
        self._made: dict[str, bytes] = {}

    def __call__(self, items: list[dict[str, Any]]) -> bytes:
        """The bytes of items, one after another."""
        made = self._made
        found = []
        for item in items:
            framed = made.get(item["id"])
            if framed is None:
                if len(made) >= _KEPT:
                    made.clear()
                framed = made[item["id"]] = self._frame(item["id"], orjson.dumps(item))
            found.append(framed)
        return b"".join(found)


class Subscriptions:
    """The open streams of one edge."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._stopping = asyncio.Event()

    @property
    def stopping(self) -> bool:
        """Whether the edge is going away."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Ends every stream."""
        self._stopping.set()

    @asynccontextmanager
    async def open(
        self, route: Route, message: Message, metadata: Mapping[str, str]
    ) -> AsyncGenerator[tuple[dict[str, Any], Parts], None]:
        """The first message of a subscription, which comes at once, and those that follow. Raises the refusals of the core."""
        found = await self._upstream.parts(route, message, metadata, None)
        try:
            yield await anext(found.parts), found.parts
        finally:
            await found.parts.aclose()

    async def first_of(self, *work: Coroutine[Any, Any, None]) -> BaseException | None:
        """Runs the parts of a stream until the first ends, or the edge goes away; the failure that one of them ended with."""
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
                task.cancelled() or task.exception()  # looked at, so that asyncio doesn't log its text
        return next((task.exception() for task in ended if task.exception() is not None), None)
