"""Deadlines for headers, writes and strangers, and our own body for requests refused by aiohttp's parser.

A header must be complete within its deadline. The deadline counts from the connection for the first request, and from
the first byte for a later one, which may arrive at any time within the keep-alive. While a client is slow to read, it
must receive a least number of bytes in every write period. Bodies have their own deadline (`bodies.Pace`). A connection
on which nobody authenticates ends after a time, but for those of trusted proxies, which are many people's.
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
from catenary_edge.exchange import ADMITTED
from catenary_edge.live.masking import MaskedFrames
from catenary_edge.places import Place
from catenary_edge.settings import EdgeSettings

LINGER = 2.0
"""Seconds for which the rest of a refused body is read and dropped, so that the client sees the response."""
DRAIN_LOOK = 0.02
"""Seconds between two checks of the open connections at a stop."""
IDLE_GRACE = 1.0
"""Seconds for which idle connections stay open at a stop, for a last request."""
CUT_OFF = 1.0
"""Seconds in which a cancelled request must end."""
_BEGIN = 256
"""Bytes of a request kept until its head is parsed; the start of its path decides the surface."""
_PATH = re.compile(rb"[^ ]+ +(?:[A-Za-z]+://[^/ ]*)?(/[^ ?#\r\n]*)")


class GuardedConnection(RequestHandler):
    """One connection with deadlines for headers, writes and strangers; it gives its place back at its end."""

    __slots__ = (
        "_begin",
        "_edge",
        "_guard_times",
        "_header_timer",
        "_is_known",
        "_kept_transport",
        "_outstayed",
        "_place",
        "_stranger_timer",
        "_waiting_bytes",
        "_write_timer",
    )

    def __init__(self, server: Server, edge: Edge, place: Place, **options: Any) -> None:
        super().__init__(server, **options)
        self._edge = edge
        self._place = place
        self._is_known = place.is_trusted
        self._outstayed = False
        self._stranger_timer: asyncio.TimerHandle | None = None
        self._kept_transport: asyncio.Transport | None = None
        self._guard_times = edge.settings.timeouts
        self._header_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._waiting_bytes = 0
        self._begin = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the deadlines of the first header and of a stranger."""
        super().connection_made(transport)
        # aiohttp lets go of a transport that it closes. One with unsent bytes must still be aborted when nobody reads
        # them, and must not be freed before it has said that it ended: its place would stay taken.
        self._kept_transport = self.transport
        if self.transport is not None:
            # Writing pauses as soon as anything is unsent, so that the write deadline covers small responses too.
            self.transport.set_write_buffer_limits(high=1, low=0)
        self._start_header_timer()
        if not self._is_known:
            self._stranger_timer = self._loop.call_later(self._guard_times.anonymous, self._stranger_late)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Cancel all deadlines and give the place back."""
        self._stop_header_timer()
        self._stop_write_timer()
        self._stop_stranger_timer()
        self._kept_transport = None
        self._place.give_back()
        super().connection_lost(exc)

    def outstays(self, request: BaseRequest) -> bool:
        """Tell whether the connection must end with this response: its time is over, and nobody has authenticated."""
        if ADMITTED in request:
            self._is_known = True
            self._stop_stranger_timer()
        return self._outstayed and not self._is_known

    def data_received(self, data: bytes) -> None:
        """Keep the header deadline up to date, and fail the reader of a body with broken framing."""
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

    def set_parser(self, parser: Any, data_received_cb: Callable[[], None] | None = None) -> None:
        """Refuse the unmasked frames of a WebSocket, which aiohttp's parser takes."""
        super().set_parser(MaskedFrames(parser), data_received_cb)  # type: ignore[arg-type]  # aiohttp feeds it only

    def pause_writing(self) -> None:
        """Start the write deadline: the client is not reading its response."""
        super().pause_writing()
        self._watch_write()

    def resume_writing(self) -> None:
        """Cancel the write deadline."""
        self._stop_write_timer()
        super().resume_writing()

    def handle_error(
        self, request: BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> StreamResponse:
        """Replace the parser's plain-text refusal with our own body."""
        if request.writer.output_size > 0:
            raise ConnectionError("the response has started; another one can't follow")
        found = _PATH.match(self._begin)
        path = found[1].decode(errors="replace") if found else request.rel_url.raw_path
        return self._edge.unreadable(request, status, path, too_long=isinstance(exc, LineTooLong))

    def _is_between(self) -> bool:
        """Tell whether the next bytes belong to a request with an incomplete head."""
        request = self._current_request
        return not self._messages and (request is None or request.content.is_eof())

    def _break_body(self) -> None:
        # After a bad chunk the parser drops the body silently; its reader would wait forever.
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
        # Writing is paused, so nothing was added: all bytes that left the buffer were sent.
        if self._waiting_bytes - self._unsent() < self._guard_times.write_progress:
            self._write_timer = None
            if self._kept_transport is not None:
                self._kept_transport.abort()
        else:
            self._watch_write()

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _unsent(self) -> int:
        return self._kept_transport.get_write_buffer_size() if self._kept_transport is not None else 0

    def _stop_stranger_timer(self) -> None:
        if self._stranger_timer is not None:
            self._stranger_timer.cancel()
            self._stranger_timer = None

    def _stranger_late(self) -> None:
        self._stranger_timer = None
        self._outstayed = True
        if self._current_request is None and not self._messages:
            self.force_close()


class GuardedServer(Server):
    """The factory of guarded connections; a client's disconnect cancels its request."""

    def __init__(self, edge: Edge) -> None:
        super().__init__(self._answer, handler_cancellation=True)
        self._edge = edge
        self._options = _options(edge.settings)

    def connection(self, place: Place) -> GuardedConnection:
        """Create the connection of a place."""
        return GuardedConnection(self, self._edge, place, loop=self._loop, **self._options)

    async def _answer(self, request: BaseRequest) -> StreamResponse:
        response = await self._edge.handle(request)
        connection = request.protocol
        if isinstance(connection, GuardedConnection) and connection.outstays(request):
            response.force_close()
        return response

    async def drain(self, seconds: float) -> None:
        """Wait until no connection has a running request, at most `seconds`."""
        await self._until(lambda: not any(one._request_in_progress for one in self.connections), seconds)

    async def part(self, seconds: float) -> None:
        """Wait until every connection's handler runs, at most `seconds`.

        Each connection closes after its next response, so a client's request on an open connection never meets a closed
        one. A handler that has returned doesn't count: its response may have gone out without `Connection: close`.
        """
        await self._until(lambda: all(one._current_request is not None for one in self.connections), seconds)

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
        "auto_decompress": False,  # aiohttp would decompress without our size limit
        "lingering_time": LINGER,
        "access_log": None,
    }
