"""What aiohttp's server leaves open: deadlines for headers and writes, and our own body for what its parser refuses.

A header must be whole within its deadline: counted from the connection for the first request, from the first byte for a
later one, which may come any time within the keep-alive. While a client doesn't take what we send, it must take a
least amount in every write period. Bodies have their deadline where they are read (`bodies.Pace`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from aiohttp.http_exceptions import LineTooLong
from aiohttp.web import BaseRequest, RequestHandler, RequestPayloadError, Server, StreamResponse
from aiohttp.web_protocol import _ErrInfo

from catenary_edge.app import Edge
from catenary_edge.settings import EdgeSettings

LINGER = 2.0
"""Seconds for which the rest of a refused body is read and dropped, so that the client sees the answer."""
DRAIN_LOOK = 0.02
PARTING = 1.0
"""Seconds that idle connections stay open at a stop for a last request."""
CUT_OFF = 1.0
"""Seconds that a request has to end after it was cut off."""
_BEGIN = 256
"""Bytes of a request that are kept until its head was parsed: its path begins with what tells the surface."""
_PATH = re.compile(rb"[^ ]+ +(?:[A-Za-z]+://[^/ ]*)?(/[^ ?#\r\n]*)")


class GuardedConnection(RequestHandler):
    """One connection."""

    __slots__ = ("_begin", "_edge", "_guard_times", "_header_timer", "_waiting_bytes", "_write_timer")

    def __init__(self, server: Server, edge: Edge, **options: Any) -> None:
        super().__init__(server, **options)
        self._edge = edge
        self._guard_times = edge.settings.timeouts
        self._header_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._waiting_bytes = 0
        self._begin = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Starts the deadline of the first header."""
        super().connection_made(transport)
        if self.transport is not None:
            # Writing pauses as soon as anything is left unsent, so that the write deadline sees small answers too.
            self.transport.set_write_buffer_limits(high=1, low=0)
        self._start_header_timer()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stops all deadlines."""
        self._stop_header_timer()
        self._stop_write_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Watches the header while one is on its way, and wakes the reader of a body whose framing broke."""
        if self._is_between():
            self._begin += data[: _BEGIN - len(self._begin)]
        super().data_received(data)
        if self._messages and not isinstance(self._messages[-1][0], _ErrInfo):
            self._begin = b""
        if self._messages or self._current_request is not None:
            self._stop_header_timer()
            self._break_body()
        elif data and self._waiter is not None and self._header_timer is None:
            self._start_header_timer()

    def pause_writing(self) -> None:
        """Starts to watch a client that doesn't take its answer."""
        super().pause_writing()
        self._watch_write()

    def resume_writing(self) -> None:
        """Stops to watch it."""
        self._stop_write_timer()
        super().resume_writing()

    def handle_error(
        self, request: BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> StreamResponse:
        """Our own body for what the parser refused, instead of plain text with the parser's words."""
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun; another one can't follow")
        found = _PATH.match(self._begin)
        path = found[1].decode(errors="replace") if found else request.rel_url.raw_path
        return self._edge.unreadable(request, status, path, too_long=isinstance(exc, LineTooLong))

    def _is_between(self) -> bool:
        """Whether what comes next belongs to a request whose head isn't whole yet."""
        request = self._current_request
        return not self._messages and (request is None or request.content.is_eof())

    def _break_body(self) -> None:
        # After a bad chunk the parser drops the body without a word to its reader, who would wait for ever.
        request = self._current_request
        if request is not None and self._messages and isinstance(self._messages[-1][0], _ErrInfo):
            content = request.content
            if not content.is_eof() and content.exception() is None:
                content.set_exception(RequestPayloadError("bad framing"))

    def _start_header_timer(self) -> None:
        self._header_timer = self._loop.call_later(self._guard_times.header, self._header_late)

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _header_late(self) -> None:
        self._header_timer = None
        self.force_close()

    def _watch_write(self) -> None:
        self._waiting_bytes = self._unsent()
        self._write_timer = self._loop.call_later(self._guard_times.write, self._write_due)

    def _write_due(self) -> None:
        # Writing is paused, so nothing is added meanwhile: what is gone was taken.
        if self._waiting_bytes - self._unsent() < self._guard_times.write_progress:
            self._write_timer = None
            if self.transport is not None:
                self.transport.abort()
        else:
            self._watch_write()

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _unsent(self) -> int:
        return self.transport.get_write_buffer_size() if self.transport is not None else 0


class GuardedServer(Server):
    """The factory of guarded connections. A client that goes away cancels its request."""

    def __init__(self, edge: Edge) -> None:
        super().__init__(edge.handle, handler_cancellation=True)
        self._edge = edge
        self._options = _options(edge.settings)

    def __call__(self) -> RequestHandler:
        """A new connection."""
        return GuardedConnection(self, self._edge, loop=self._loop, **self._options)

    async def drain(self, seconds: float) -> None:
        """Waits until no connection has a request under way, at most so long."""
        await self._until(lambda: not any(one._request_in_progress for one in self.connections), seconds)

    async def part(self, seconds: float) -> None:
        """Waits until no connection is idle, at most so long: each ends with its next answer, so that no request that a
        client sends on an open connection meets a closed one."""
        await self._until(lambda: all(one._request_in_progress for one in self.connections), seconds)

    async def _until(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = self._loop.time() + seconds
        while not condition() and self._loop.time() < deadline:  # noqa: ASYNC110 - aiohttp has no event for it
            await asyncio.sleep(DRAIN_LOOK)


def _options(settings: EdgeSettings) -> dict[str, Any]:
    return {
        "keepalive_timeout": settings.timeouts.keep_alive,
        "max_line_size": settings.max_line,
        "max_field_size": settings.max_header,
        "max_headers": settings.max_headers,
        "auto_decompress": False,  # aiohttp would inflate without our limit
        "lingering_time": LINGER,
        "access_log": None,
    }
