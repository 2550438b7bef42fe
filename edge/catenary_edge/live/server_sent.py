"""A subscription as the body of a response: server-sent events (HTML Living Standard, section 9.2), or lines of JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import structlog
from aiohttp.web import StreamResponse

from catenary_edge.errors.problem import Problem
from catenary_edge.http import accepted_types
from catenary_edge.live.subscriptions import Framed, Parts, Subscriptions

log = structlog.get_logger("catenary.edge")
MEDIA_TYPE = accepted_types.EVENTS_TYPE
KEEP_ALIVE_SECONDS = 15.0
"""Seconds between two comments on a quiet stream, so that no proxy closes it as idle."""
_RETRY = b"retry: 1000\n"


def block(id_: str, json: bytes) -> bytes:
    """Format one event."""
    return b"id: %b\ndata: %b\n\n" % (id_.encode(), json)


def line(id_: str, json: bytes) -> bytes:
    """Format one item as a line; the item has the id itself."""
    return json + b"\n"


def _opening(position: str | None) -> bytes:
    # A block without data is no event, but clients keep its id: nothing is lost if they reconnect before the first event.
    return _RETRY + (b"\n" if position is None else b"id: %b\n\n" % position.encode())


@dataclass(frozen=True, slots=True)
class StreamForm:
    """A form of a subscription in a response's body."""

    media_type: str
    """Media type of the body."""
    frame: Callable[[str, bytes], bytes]
    """Formats an item from its id and its JSON."""
    opening: Callable[[str | None], bytes]
    """Makes the first bytes, from the id of the stream's start."""
    keep_alive: bytes
    """Bytes that say nothing."""


EVENTS = StreamForm(MEDIA_TYPE, block, _opening, b": keep-alive\n\n")
"""Server-sent events."""
LINES = StreamForm(accepted_types.LINES_TYPE, line, lambda position: b"", b"\n")
"""Lines of JSON; an empty one keeps the stream alive."""


class ServerSent:
    """Sends subscriptions in one form. Clients send an item's `id` back, of server-sent events in `Last-Event-ID`."""

    def __init__(self, subscriptions: Subscriptions, form: StreamForm = EVENTS) -> None:
        self._subscriptions = subscriptions
        self._form = form
        self._framed = Framed(form.frame)

    async def send(self, response: StreamResponse, position: str | None, parts: Parts, *, by_link: bool) -> None:
        """Send the items of a subscription until its stream ends for any reason; the client then reconnects.

        Args:
            response: The prepared response.
            position: The id of the stream's start; None when unknown.
            parts: The messages of the subscription.
            by_link: Whether the reader is a share link.

        Raises:
            ConnectionError: The client disconnected.
        """
        if opening := self._form.opening(position):
            await response.write(opening)
        failure = await self._subscriptions.first_of(self._pump(response, parts, by_link), self._keep_alive(response))
        if isinstance(failure, ConnectionError):
            raise failure
        if failure is not None and not isinstance(failure, Problem):
            log.error("event stream failed", error=type(failure).__name__)
        with suppress(ConnectionError):
            await response.write_eof()

    async def _pump(self, response: StreamResponse, parts: Parts, by_link: bool) -> None:
        items = ""
        async for part in parts:
            items = items or next(iter(part))
            await response.write(self._framed(part[items], by_link=by_link))

    async def _keep_alive(self, response: StreamResponse) -> None:
        while True:
            await asyncio.sleep(KEEP_ALIVE_SECONDS)
            await response.write(self._form.keep_alive)
