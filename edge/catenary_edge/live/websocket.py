"""`/ws`: the subscription of events as a WebSocket (RFC 6455; guide/conventions.md, "WebSocket").

The client only listens: its messages are counted and dropped.
"""

from __future__ import annotations

import time

from aiohttp import WSMsgType
from aiohttp.web import StreamResponse, WebSocketResponse

from catenary_edge.errors.problem import Problem
from catenary_edge.exchange import Exchange
from catenary_edge.live.handshake import TEXT, Handshake, close, frame
from catenary_edge.live.subscriptions import Framed, Parts, Subscriptions
from catenary_edge.transcoding.routes import Route

PATH = "/ws"
MAX_FRAME = 16 * 1024
"""Largest message of a client in bytes; clients have nothing to say."""
MAX_FRAMES = 100
"""Largest number of messages from a client in a second."""


class WebSockets:
    """The WebSockets of one edge, over the route of a subscription."""

    def __init__(self, route: Route, subscriptions: Subscriptions, handshake: Handshake) -> None:
        """Prepare the serving of WebSockets.

        Args:
            route: The route of the subscription.
            subscriptions: The open streams of the edge.
            handshake: Admits the clients.
        """
        self._route = route
        self._subscriptions = subscriptions
        self._handshake = handshake
        self._framed = Framed(lambda _, json: frame(TEXT, json))

    async def respond(self, exchange: Exchange) -> StreamResponse:
        """Serve one WebSocket until its end.

        Raises:
            Problem: The refusal of a request before the upgrade.
        """
        if (options := self._handshake.options(exchange)) is not None:
            return options
        request = exchange.request
        exchange.route = self._route
        protocol = await self._handshake.admit(exchange, for_links=True)
        message = self._route.decoder.decode((), request.rel_url.raw_query_string, {})
        socket = self._handshake.socket(exchange, protocol, MAX_FRAME)
        async with self._subscriptions.open(self._route, message, exchange.metadata()) as (_, parts):
            await socket.prepare(request)
            failure = await self._subscriptions.first_of(self._send(exchange, parts), _listen(socket))
            await close(socket, failure, stopping=self._subscriptions.stopping)
        return socket

    async def _send(self, exchange: Exchange, parts: Parts) -> None:
        """Send the items of each part in one write; wait for the client before the next part."""
        items, request, by_link = "", exchange.request, exchange.is_by_link
        async for part in parts:
            items = items or next(iter(part))
            transport = request.transport
            if transport is None:
                return
            transport.write(self._framed(part[items], by_link=by_link))
            await request.protocol._drain_helper()


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
