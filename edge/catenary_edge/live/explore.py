"""`/ws/explore`: live sessions as a WebSocket (guide/live_sessions.md).

The client sends designs as text messages of JSON. It is answered by text messages and, for a geometry, by one binary
message for each file, in fragments as the bytes arrive.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Collection, Mapping
from typing import Any

import orjson
from aiohttp import WSMsgType
from aiohttp.web import BaseRequest, StreamResponse, WebSocketResponse
from google.protobuf.message import Message

from catenary_edge import json_text
from catenary_edge.errors.fault import Fault
from catenary_edge.exchange import Exchange
from catenary_edge.live.handshake import TEXT, Handshake, close, frame
from catenary_edge.live.subscriptions import Parts, Subscriptions
from catenary_edge.rate_limit import UNCOUNTED
from catenary_edge.settings import MIB
from catenary_edge.surfaces import Context
from catenary_edge.surfaces.platform import error_object
from catenary_edge.transcoding.decoder import query_pairs
from catenary_edge.transcoding.services import Rpc
from catenary_edge.transcoding.values import read_text
from catenary_edge.transcoding.writers import Writers, assign_all, unknown

MAX_FRAME = MIB
"""Largest message of a client in bytes."""
_QUERY = ("project_id", "model_version_id")
_DESIGN = ("id", "parameters", "geometry")
_BINARY, _CONTINUED, _LAST = 0x02, 0x00, 0x80
"""Bits of a frame's first byte (RFC 6455, section 5.2)."""
_GONE = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR)
_WAITING = 16
"""Designs that wait for the core; behind them wait those in the client's connection."""
_MOST_HELD = 64
"""Answers held until a file ends beyond which no further design is taken."""
_LARGE = 64 * 1024
"""Length of a message above which a thread reads it, so that the event loop isn't blocked."""


class Explore:
    """The WebSockets of live sessions of one edge."""

    def __init__(self, rpc: Rpc, subscriptions: Subscriptions, handshake: Handshake) -> None:
        """Prepare the serving of sessions.

        Args:
            rpc: The method with the streams.
            subscriptions: The open streams of the edge.
            handshake: Admits the clients.
        """
        self._rpc = rpc
        self._subscriptions = subscriptions
        self._handshake = handshake
        fields = rpc.input.fields_by_name
        self._readers = {name: read_text(fields[name]) for name in _QUERY}
        self._assigners = Writers().assigners(fields[name] for name in _DESIGN)

    async def respond(self, exchange: Exchange) -> StreamResponse:
        """Serve one session until its end.

        Raises:
            Problem: The refusal of a request before the upgrade.
        """
        if (options := self._handshake.options(exchange)) is not None:
            return options
        protocol = await self._handshake.admit(exchange)
        head = self._head(exchange.request.rel_url.raw_query_string)
        socket = self._handshake.socket(exchange, protocol, MAX_FRAME)
        designs: asyncio.Queue[Message] = asyncio.Queue(_WAITING)
        async with self._subscriptions.converse(self._rpc, _messages(head, designs), exchange.metadata()) as (
            metadata,
            first,
            parts,
        ):
            if UNCOUNTED in metadata:
                self._handshake.refund(exchange, socket)
            await socket.prepare(exchange.request)
            answers = _Answers(exchange.request, exchange.context)
            await answers.begin(first)
            failure = await self._subscriptions.first_of(
                answers.send_all(parts), self._receive(socket, designs, answers)
            )
            await close(socket, failure, stopping=self._subscriptions.stopping)
        return socket

    def _head(self, query: str) -> Message:
        """Return the first message, which the query names.

        Raises:
            Problem: 400 for a fault of the query.
        """
        message = self._rpc.request()
        try:
            given = _single(query_pairs(query, _QUERY))
            for name, text in given.items():
                try:
                    setattr(message, name, self._readers[name](text))
                except Fault as fault:
                    raise fault.inside(name) from None
            if "project_id" not in given:
                raise Fault("is missing; name the project", "required", None).inside("project_id")
        except Fault as fault:
            raise fault.problem() from None
        return message

    async def _receive(self, socket: WebSocketResponse, designs: asyncio.Queue[Message], answers: _Answers) -> None:
        """Pass a client's designs on until it closes; answer what is none."""
        while True:
            message = await socket.receive()
            if message.type in _GONE:
                return
            if message.type is WSMsgType.PING:
                await socket.pong(message.data)
            elif message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                is_large = len(message.data) > _LARGE
                id_, found = await asyncio.to_thread(self._read, message.data) if is_large else self._read(message.data)
                await answers.room()
                if isinstance(found, Fault):
                    await answers.refuse(id_, found)
                else:
                    await designs.put(found)

    def _read(self, data: str | bytes) -> tuple[int | None, Message | Fault]:
        """Return the number in a message, if it has one of 64 bits, with its design or its fault."""
        document: Any = None
        try:
            document = _document(data)
            found: Message | Fault = self._design(document)
        except Fault as fault:
            found = fault
        id_ = document.get("id") if isinstance(document, dict) else None
        return id_ if type(id_) is int and -(2**63) <= id_ < 2**63 else None, found

    def _design(self, document: Any) -> Message:
        if type(document) is not dict:
            raise Fault("must be a JSON object", "type", document)
        if document.get("id") is None:
            raise Fault("is missing; give each design a number", "required", None).inside("id")
        message = self._rpc.request()
        assign_all(self._assigners, message, document)
        return message


class _Answers:
    """The writer of a socket: whole answers, one after the other, as fast as the client reads them."""

    def __init__(self, request: BaseRequest, context: Context) -> None:
        self._request = request
        self._context = context
        self._writing = asyncio.Lock()
        self._held: deque[Mapping[str, Any]] = deque()
        self._room = asyncio.Event()
        self._room.set()

    async def begin(self, first: Mapping[str, Any]) -> None:
        """Send the session as it begins."""
        async with self._writing:
            await self._write(_text({"session": first["session"]}))

    async def send_all(self, parts: Parts) -> None:
        """Send the core's answers until their end."""
        async for part in parts:
            async with self._writing:
                await self._send(part)
                if part["geometry"] is not None:
                    await self._send_files([file["size"] for file in part["geometry"]["files"]], parts)

    async def room(self) -> None:
        """Wait while many answers are held until a file ends, so that a client can't make them pile up."""
        await self._room.wait()

    async def refuse(self, id_: int | None, fault: Fault) -> None:
        """Answer a message that is no design."""
        problem = fault.problem()
        error = error_object(problem.reason, problem.message, problem.details, self._context)
        async with self._writing:
            await self._write(_text({"id": id_, "error": error}))

    async def _send(self, part: Mapping[str, Any]) -> None:
        """Send an answer of the core without its bytes."""
        told: dict[str, Any] = {"id": part["id"]}
        if part["evaluation"] is not None:
            told["evaluation"] = part["evaluation"]
        elif part["geometry"] is not None:
            told["geometry"] = part["geometry"]["files"]
        elif part["error"] is not None:
            error = part["error"]
            told["error"] = error_object(error["code"], error["message"], error["details"], self._context)
        else:
            told["superseded"] = part["superseded"]
        await self._write(_text(told))

    async def _send_files(self, sizes: list[int], parts: Parts) -> None:
        """Send the files of a geometry, each as one message in fragments.

        Answers to other designs may come between the bytes. They are held until the current file ends: nothing but
        control frames may stand between the fragments of a message (RFC 6455, section 5.4).
        """
        left = deque(sizes)
        is_begun = False
        while left:
            part = await anext(parts)
            if not part["chunk"]:
                self._held.append(part)
                if len(self._held) >= _MOST_HELD:
                    self._room.clear()
            chunk = memoryview(part["chunk"])
            while chunk:
                piece = chunk[: left[0]]
                chunk = chunk[len(piece) :]
                left[0] -= len(piece)
                kind = (_CONTINUED if is_begun else _BINARY) | (0 if left[0] else _LAST)
                await self._write(frame(kind, bytes(piece)))
                is_begun = left[0] > 0
                if not is_begun:
                    left.popleft()
                    await self._send_held()
            if not is_begun:
                await self._send_held()

    async def _send_held(self) -> None:
        while self._held:
            await self._send(self._held.popleft())
        self._room.set()

    async def _write(self, data: bytes) -> None:
        """Write bytes and wait for the client; nothing once the client has gone."""
        transport = self._request.transport
        if transport is not None:
            transport.write(data)
            await self._request.protocol._drain_helper()


async def _messages(head: Message, designs: asyncio.Queue[Message]) -> AsyncGenerator[Message, None]:
    yield head
    while True:
        yield await designs.get()


def _single(pairs: Collection[tuple[str, str]]) -> dict[str, str]:
    """Return the query's parameters by name.

    Raises:
        Fault: One is unknown or is given twice.
    """
    found: dict[str, str] = {}
    for name, text in pairs:
        if name not in _QUERY:
            raise unknown(_QUERY).inside(name)
        if name in found:
            raise Fault("is given twice but takes one value", "duplicate", None).inside(name)
        found[name] = text
    return found


def _document(data: str | bytes) -> Any:
    """Parse a message.

    Raises:
        Fault: It is binary, or no strict JSON.
    """
    if isinstance(data, bytes):
        raise Fault("is binary; send a design as a text of JSON", "type", None)
    return json_text.parse(data.encode())


def _text(told: Mapping[str, Any]) -> bytes:
    return frame(TEXT, orjson.dumps(told))
