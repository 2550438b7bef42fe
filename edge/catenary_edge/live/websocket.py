"""`/ws`: the subscription of events as a WebSocket (RFC 6455; guide/conventions.md, "WebSocket").

A refused client gets an ordinary HTTP response before the upgrade. Afterwards the client only listens: its messages are
counted and dropped.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

import structlog
from aiohttp import WSCloseCode, WSMsgType
from aiohttp.web import BaseRequest, StreamResponse, WebSocketResponse

from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.exchange import Exchange
from catenary_edge.http.credentials import MAX_LENGTH, VISIBLE, credentials
from catenary_edge.live.subscriptions import Framed, Parts, Subscriptions
from catenary_edge.responses import Responses
from catenary_edge.transcoding.routes import Route

PATH = "/ws"
SUBPROTOCOL = "catenary.v1"
BEARER = "bearer."
"""Prefix of the subprotocol with a token, since browsers can't set the header Authorization."""
PING_SECONDS = 30.0
"""Seconds between two pings."""
MAX_FRAME = 16 * 1024
"""Largest message of a client in bytes; clients have nothing to say."""
MAX_FRAMES = 100
"""Largest number of messages from a client in a second."""
CLOSE_SECONDS = 5.0
"""Seconds to wait for the client's closing frame."""
_PROTOCOLS = "Sec-WebSocket-Protocol"

# Ended credential or role: policy violation. Lag, or unreachable core: try again later.
_CODES: Mapping[int, int] = {
    401: WSCloseCode.POLICY_VIOLATION,
    403: WSCloseCode.POLICY_VIOLATION,
    404: WSCloseCode.POLICY_VIOLATION,
    429: WSCloseCode.TRY_AGAIN_LATER,
    503: WSCloseCode.TRY_AGAIN_LATER,
}
log = structlog.get_logger("catenary.edge")


class WebSockets:
    """The WebSockets of one edge, over the route of a subscription."""

    def __init__(
        self,
        route: Route,
        subscriptions: Subscriptions,
        admit: Callable[[Exchange], Awaitable[None]],
        responses: Responses,
        origins: tuple[str, ...],
    ) -> None:
        """Prepare the serving of WebSockets.

        Args:
            route: The route of the subscription.
            subscriptions: The open streams of the edge.
            admit: Identifies and counts the caller.
            responses: Builds responses.
            origins: Origins that may connect beside the edge's own.
        """
        self._route = route
        self._subscriptions = subscriptions
        self._admit = admit
        self._responses = responses
        self._origins = frozenset(origins)
        self._framed = Framed(lambda _, json: text_frame(json))

    async def respond(self, exchange: Exchange) -> StreamResponse:
        """Serve one WebSocket until its end.

        Raises:
            Problem: The refusal of a request before the upgrade.
        """
        request = exchange.request
        if request.method == "OPTIONS":
            return self._responses.options(exchange, ["GET", "OPTIONS"])
        if request.method != "GET":
            problem = refusal("METHOD_NOT_ALLOWED", f"{PATH} takes GET only.")
            problem.headers["Allow"] = "GET, OPTIONS"
            raise problem
        exchange.route = self._route
        self._check_origin(exchange)
        protocol, exchange.credentials = _offered(request)
        await self._admit(exchange)
        message = self._route.decoder.decode((), request.rel_url.raw_query_string, {})
        socket = WebSocketResponse(
            protocols=() if protocol is None else (protocol,),
            heartbeat=PING_SECONDS,
            autoping=False,
            compress=False,
            max_msg_size=MAX_FRAME,
            timeout=CLOSE_SECONDS,
        )
        if not socket.can_prepare(request):
            text = f"{PATH} is a WebSocket; connect with one of version 13 (RFC 6455)."
            raise refusal("VALIDATION_ERROR", text, parameter="Upgrade", value=None, constraint="websocket")
        async with self._subscriptions.open(self._route, message, exchange.metadata()) as (_, parts):
            self._responses.mark(exchange, socket)
            await socket.prepare(request)
            failure = await self._subscriptions.first_of(self._send(request, parts), _listen(socket))
            if not socket.closed:
                code, reason = self._end(failure)
                await socket.close(code=code, message=reason, drain=False)
        return socket

    def _check_origin(self, exchange: Exchange) -> None:
        """Refuse pages of other origins: browsers let any page open a WebSocket (RFC 6455, section 10.2).

        Raises:
            Problem: 403 for another origin.
        """
        origin = exchange.request.headers.get("Origin")
        own = urlsplit(exchange.base_url)
        if origin is None or origin in self._origins or (own.netloc and origin == f"{own.scheme}://{own.netloc}"):
            return
        raise refusal("PERMISSION_DENIED", "Pages of this origin may not connect here.")

    async def _send(self, request: BaseRequest, parts: Parts) -> None:
        """Send the items of each part in one write; wait for the client before the next part."""
        items = ""
        async for part in parts:
            items = items or next(iter(part))
            transport = request.transport
            if transport is None:
                return
            transport.write(self._framed(part[items]))
            await request.protocol._drain_helper()

    def _end(self, failure: BaseException | None) -> tuple[int, bytes]:
        """Choose the code and the reason of the closing frame."""
        if self._subscriptions.stopping:
            return WSCloseCode.GOING_AWAY, b"the server stops; connect again"
        if isinstance(failure, Problem):
            return _CODES.get(failure.status, WSCloseCode.INTERNAL_ERROR), failure.reason.encode()
        if failure is None:
            return WSCloseCode.TRY_AGAIN_LATER, b"UNAVAILABLE"
        log.error("WebSocket failed", error=type(failure).__name__)
        return WSCloseCode.INTERNAL_ERROR, b"INTERNAL_ERROR"


class TooManyMessages(Problem):
    """A client exceeded MAX_FRAMES."""

    def __init__(self) -> None:
        super().__init__(403, "PERMISSION_DENIED", "The client sends too many messages.")


async def _listen(socket: WebSocketResponse) -> None:
    """Drop a client's messages until the client closes.

    Raises:
        TooManyMessages: The client sent more than MAX_FRAMES in a second.
    """
    counted_from, frames = time.monotonic(), 0
    while True:
        message = await socket.receive()
        if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
            return
        now = time.monotonic()
        if now - counted_from >= 1:
            counted_from, frames = now, 0
        frames += 1
        if frames > MAX_FRAMES:
            raise TooManyMessages
        if message.type is WSMsgType.PING:
            await socket.pong(message.data)


def _offered(request: BaseRequest) -> tuple[str | None, dict[str, str]]:
    """Return the subprotocol to choose, and the credentials of the headers or of the subprotocol.

    Raises:
        Problem: 401 for more than one credential or an invalid one; 400 for a repeated header.
    """
    found = credentials(request.headers)
    lines = request.headers.getall(_PROTOCOLS, [])
    if len(lines) > 1:  # aiohttp reads the first line only, and would log protocols of the others
        message = f"The header {_PROTOCOLS} stands twice; send one list."
        raise refusal("VALIDATION_ERROR", message, parameter=_PROTOCOLS, value=None, constraint="duplicate")
    offered = [text.strip() for line in lines for text in line.split(",")]
    bearers = [text for text in offered if text.startswith(BEARER)]
    if len(bearers) > 1 or (bearers and found):
        raise refusal("INVALID_TOKEN", "More than one credential was sent; send one.")
    if bearers:
        token = bearers[0].removeprefix(BEARER)
        if len(token) > MAX_LENGTH or not VISIBLE.fullmatch(token):
            raise refusal(
                "INVALID_TOKEN",
                f"The token of the subprotocol {BEARER}<token> is damaged; send it whole.",
            )
        found = {"authorization": f"Bearer {token}"}
    return SUBPROTOCOL if SUBPROTOCOL in offered else next(iter(bearers), None), found


def text_frame(payload: bytes) -> bytes:
    """Format an unmasked text frame, as a server sends it (RFC 6455, section 5.2)."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload
