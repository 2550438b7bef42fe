"""Server-sent events (HTML Living Standard, section 9.2): a subscription as a response that doesn't end."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog
from aiohttp.web import StreamResponse

from catenary_edge.errors.problem import Problem
from catenary_edge.live.subscriptions import Framed, Parts, Subscriptions

log = structlog.get_logger("catenary.edge")
MEDIA_TYPE = "text/event-stream"
KEEP_ALIVE_SECONDS = 15.0
"""Between two comments on a quiet stream, so that no proxy takes it for dead."""
_RETRY = b"retry: 1000\n"
_KEEP_ALIVE = b": keep-alive\n\n"


def block(id_: str, json: bytes) -> bytes:
    """One event."""
    return b"id: %b\ndata: %b\n\n" % (id_.encode(), json)


class ServerSent:
    """Sends subscriptions as server-sent events. The `id` of each is what `Last-Event-ID` brings back."""

    def __init__(self, subscriptions: Subscriptions) -> None:
        self._subscriptions = subscriptions
        self._framed = Framed(block)

    async def send(self, response: StreamResponse, position: str | None, parts: Parts) -> None:
        """Sends the items of a prepared response until its stream ends, for whatever reason: the client connects again."""
        # A block without data is not an event; its id is kept all the same, so that nothing is lost before the first one.
        start = b"" if position is None else b"id: %b\n\n" % position.encode()
        await response.write(_RETRY + (start or b"\n"))
        failure = await self._subscriptions.first_of(self._pump(response, parts), _keep_alive(response))
        if isinstance(failure, ConnectionError):
            raise failure
        if failure is not None and not isinstance(failure, Problem):
            log.error("a stream of events broke off", error=type(failure).__name__)
        with suppress(ConnectionError):
            await response.write_eof()

    async def _pump(self, response: StreamResponse, parts: Parts) -> None:
        items = ""
        async for part in parts:
            items = items or next(iter(part))
            await response.write(self._framed(part[items]))


async def _keep_alive(response: StreamResponse) -> None:
    while True:
        await asyncio.sleep(KEEP_ALIVE_SECONDS)
        await response.write(_KEEP_ALIVE)
