"""Server-sent events (HTML Living Standard, section 9.2): a subscription as a response without an end."""

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
"""Seconds between two comments on a quiet stream, so that no proxy closes it as idle."""
_RETRY = b"retry: 1000\n"
_KEEP_ALIVE = b": keep-alive\n\n"


def block(id_: str, json: bytes) -> bytes:
    """Format one event."""
    return b"id: %b\ndata: %b\n\n" % (id_.encode(), json)


class ServerSent:
    """Sends subscriptions as server-sent events. Clients send an event's `id` back in `Last-Event-ID`."""

    def __init__(self, subscriptions: Subscriptions) -> None:
        self._subscriptions = subscriptions
        self._framed = Framed(block)

    async def send(self, response: StreamResponse, position: str | None, parts: Parts) -> None:
        """Send the items of a subscription until its stream ends for any reason; the client then reconnects.

        `response` is prepared; `position` is the id of the stream's start, None when unknown.

        Raises:
            ConnectionError: The client disconnected.
        """
        # A block without data is no event, but clients keep its id: nothing is lost if they reconnect before the first
        # event.
        start = b"" if position is None else b"id: %b\n\n" % position.encode()
        await response.write(_RETRY + (start or b"\n"))
        failure = await self._subscriptions.first_of(self._pump(response, parts), _keep_alive(response))
        if isinstance(failure, ConnectionError):
            raise failure
        if failure is not None and not isinstance(failure, Problem):
            log.error("event stream failed", error=type(failure).__name__)
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
