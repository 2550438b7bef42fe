"""The way to the core: in the same process, or over a gRPC channel. Both give the same bytes.

A reply is the JSON of the response message, not yet in its surface's form, and what the core says about the HTTP
answer.
"""

# ruff: noqa: ASYNC109 - the deadline is not ours to hold: it travels to the core

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import grpc
import grpc.aio
from google.protobuf.message import Message

from catenary_edge.errors.problem import from_rpc_error
from catenary_edge.settings import MIB
from catenary_edge.transcoding.encoder import Encoders
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.services import Rpc

# gRPC keeps these two names for itself and drops them from metadata, so the core's door sends them with a prefix.
RESERVED: Mapping[str, str] = {
    "catenary-content-type": "content-type",
    "catenary-content-length": "content-length",
}

STREAMS_PER_CHANNEL = 500
"""Half of what the core's door takes on a connection."""

Request = Message | AsyncIterator[Message]

# Keepalive finds a core that vanished without a word, the short backoff (by default up to two minutes) one that is back;
# retries are the caller's, since a write may have been done.
CHANNEL_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_send_message_length", 16 * MIB),
    ("grpc.max_receive_message_length", 64 * MIB),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.enable_retries", 0),
)
# What gRPC holds of a stream that isn't read stays at 64 KiB (RFC 9113, section 6.9.2); by itself it lets it grow to megabytes.
SUBSCRIPTION_OPTIONS: tuple[tuple[str, int], ...] = (("grpc.http2.bdp_probe", 0),)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of the core: the dict of its response message, ready for JSON, and response metadata."""

    body: dict[str, Any]
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Parts:
    """A list that the core gives in parts, at least one, and response metadata. `parts` must be closed (`aclose`)."""

    metadata: Mapping[str, str]
    parts: AsyncGenerator[dict[str, Any], None]


@dataclass(frozen=True, slots=True)
class Download:
    """A stream of bytes from the core and its response metadata. `chunks` must be closed (`aclose`) when left early."""

    metadata: Mapping[str, str]
    chunks: AsyncGenerator[bytes, None]


class Upstream(Protocol):
    """The core as the edge sees it. Every method raises Problem for a refusal of the core."""

    async def call(self, route: Route, request: Request, metadata: Mapping[str, str], timeout: float) -> Reply:
        """Calls the route's method; the request is a stream for uploads. `timeout` in seconds."""

    async def open(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float) -> Download:
        """Opens the stream of a download; refusals come here, before its first bytes."""

    async def parts(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None) -> Parts:
        """Opens a list in parts, or without a `timeout` a subscription; refusals come here or with the first part."""

    async def ask(self, rpc: Rpc, request: Message, metadata: Mapping[str, str], timeout: float) -> Mapping[str, Any]:
        """Calls a method that has no route, as the edge itself needs it: the fields of its answer."""

    async def close(self) -> None:
        """Ends the connection to the core."""


class CoreResponse(Protocol):
    """What a dispatch answers: a dict in the shape of the response message, and response metadata."""

    body: dict[str, Any]
    metadata: dict[str, str]


class CoreStream(Protocol):
    """What a dispatch answers with a stream: response metadata, and dicts in the shape of the response message."""

    metadata: dict[str, str]
    items: AsyncGenerator[dict[str, Any], None]


class CoreDispatch(Protocol):
    """The core's dispatch. It raises grpc.RpcError with code, details and trailing metadata, as a channel would."""

    async def call(
        self, method: str, request: Request, metadata: Mapping[str, str], timeout: float | None = None
    ) -> CoreResponse:
        """Calls a unary or client-streaming method."""

    async def open(
        self, method: str, request: Message, metadata: Mapping[str, str], timeout: float | None = None
    ) -> CoreStream:
        """Opens a server-streaming method."""


class LocalUpstream:
    """The core in the same process: its dicts go to JSON without a message between."""

    def __init__(self, dispatch: CoreDispatch) -> None:
        self._dispatch = dispatch

    async def call(self, route: Route, request: Request, metadata: Mapping[str, str], timeout: float) -> Reply:
        """See Upstream."""
        try:
            answer = await self._dispatch.call(route.rpc.path, request, metadata, timeout)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error
        return Reply(answer.body, answer.metadata)

    async def open(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float) -> Download:
        """See Upstream."""
        stream = await self._open(route, request, metadata, timeout)
        return Download(stream.metadata, _chunks(_translated(stream.items)))

    async def parts(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None) -> Parts:
        """See Upstream."""
        stream = await self._open(route, request, metadata, timeout)
        return Parts(stream.metadata, _translated(stream.items))

    async def _open(
        self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None
    ) -> CoreStream:
        try:
            return await self._dispatch.open(route.rpc.path, request, metadata, timeout)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error

    async def ask(self, rpc: Rpc, request: Message, metadata: Mapping[str, str], timeout: float) -> Mapping[str, Any]:
        """See Upstream."""
        try:
            answer = await self._dispatch.call(rpc.path, request, metadata, timeout)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error
        return answer.body

    async def close(self) -> None:
        """See Upstream; the dispatch belongs to whoever made it."""


async def _translated(items: AsyncGenerator[dict[str, Any], None]) -> AsyncGenerator[dict[str, Any], None]:
    try:
        async for item in items:
            yield item
    except grpc.RpcError as error:
        raise from_rpc_error(error) from error
    finally:
        await items.aclose()


async def _chunks(items: AsyncGenerator[dict[str, Any], None]) -> AsyncGenerator[bytes, None]:
    try:
        async for item in items:
            yield item["chunk"]
    finally:
        await items.aclose()


def open_channel(
    target: str, root_certificates: bytes | None = None, more: tuple[tuple[str, int], ...] = ()
) -> grpc.aio.Channel:
    """A channel to a core at `host:port`; with TLS when the certificates that it is checked by (PEM) are given.

    `more` are options beside those of every channel.
    """
    # A connection of its own: by default channels to one address share theirs, and with it the number of streams it takes.
    options = (*CHANNEL_OPTIONS, ("grpc.use_local_subchannel_pool", 1), *more)
    if root_certificates is None:
        return grpc.aio.insecure_channel(target, options=options)
    credentials = grpc.ssl_channel_credentials(root_certificates)
    return grpc.aio.secure_channel(target, credentials, options=options)


class SubscriptionChannels:
    """Channels for streams that stay open, so that ordinary calls always find room on theirs.

    A connection takes a limited number of streams at once, beyond which calls wait without a word.
    """

    def __init__(self, connect: Callable[[], grpc.aio.Channel]) -> None:
        self._connect = connect
        self._streams: dict[grpc.aio.Channel, int] = {}

    @contextmanager
    def room(self) -> Iterator[grpc.aio.Channel]:
        """A channel with room for one stream more, until the block ends."""
        channel = next((one for one, streams in self._streams.items() if streams < STREAMS_PER_CHANNEL), None)
        if channel is None:
            channel = self._connect()
        self._streams[channel] = self._streams.get(channel, 0) + 1
        try:
            yield channel
        finally:
            self._streams[channel] -= 1

    async def close(self) -> None:
        """Closes every channel."""
        for channel in self._streams:
            await channel.close()


class GrpcUpstream:
    """A core behind channels that `connect` opens, and `subscribe` those for subscriptions. It closes them with itself."""

    def __init__(
        self, connect: Callable[[], grpc.aio.Channel], subscribe: Callable[[], grpc.aio.Channel] | None = None
    ) -> None:
        """Without `subscribe` all are alike."""
        self._channel = connect()
        self._subscriptions = SubscriptionChannels(subscribe or connect)
        self._encoders = Encoders()

    async def call(self, route: Route, request: Request, metadata: Mapping[str, str], timeout: float) -> Reply:
        """See Upstream."""
        message, headers = await self._call(route.rpc, request, metadata, timeout)
        return Reply(route.plain(message), headers)

    async def open(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float) -> Download:
        """See Upstream."""
        headers, messages = await self._open(self._channel, route, request, metadata, timeout)
        return Download(headers, _bytes(messages))

    async def parts(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None) -> Parts:
        """See Upstream."""
        if timeout is not None:
            headers, messages = await self._open(self._channel, route, request, metadata, timeout)
            return Parts(headers, _plain(messages, route))
        with ExitStack() as stack:
            channel = stack.enter_context(self._subscriptions.room())
            headers, messages = await self._open(channel, route, request, metadata, None)
            return Parts(headers, _plain(messages, route, stack.pop_all()))

    async def _open(
        self,
        channel: grpc.aio.Channel,
        route: Route,
        request: Message,
        metadata: Mapping[str, str],
        timeout: float | None,
    ) -> tuple[dict[str, str], AsyncGenerator[Any, None]]:
        rpc = route.rpc
        open_stream = channel.unary_stream(rpc.path, rpc.request.SerializeToString, route.rpc.response.FromString)
        call = open_stream(request, metadata=tuple(metadata.items()), timeout=timeout)
        try:
            headers = _texts(await call.initial_metadata())
            first = await call.read()  # a refusal shows here, while the answer can still say so
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error
        except BaseException:
            call.cancel()
            raise
        return headers, _messages(call, first)

    async def ask(self, rpc: Rpc, request: Message, metadata: Mapping[str, str], timeout: float) -> Mapping[str, Any]:
        """See Upstream."""
        message, _ = await self._call(rpc, request, metadata, timeout)
        answer: dict[str, Any] = self._encoders.plain(rpc.output)(message)
        return answer

    async def close(self) -> None:
        """See Upstream."""
        await self._subscriptions.close()
        await self._channel.close()

    async def _call(
        self, rpc: Rpc, request: Request, metadata: Mapping[str, str], timeout: float
    ) -> tuple[Message, dict[str, str]]:
        kind = self._channel.stream_unary if rpc.client_streaming else self._channel.unary_unary
        method: Any = kind(rpc.path, rpc.request.SerializeToString, rpc.response.FromString)
        call = method(request, metadata=tuple(metadata.items()), timeout=timeout)
        try:
            message: Message = await call
            return message, _texts(await call.initial_metadata())
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error
        finally:
            call.cancel()  # nothing for a call that is done; one whose caller went away ends in the core too


def _texts(metadata: Iterable[tuple[str, str | bytes]] | None) -> dict[str, str]:
    return {RESERVED.get(key, key): value for key, value in metadata or () if isinstance(value, str)}


async def _bytes(messages: AsyncGenerator[Any, None]) -> AsyncGenerator[bytes, None]:
    try:
        async for message in messages:
            yield message.chunk
    finally:
        await messages.aclose()


async def _plain(
    messages: AsyncGenerator[Any, None], route: Route, room: ExitStack | None = None
) -> AsyncGenerator[dict[str, Any], None]:
    """The dicts of messages; at their end `room` is left."""
    with room or nullcontext():
        try:
            async for message in messages:
                yield route.plain(message)
        finally:
            await messages.aclose()


async def _messages(call: Any, first: Any) -> AsyncGenerator[Any, None]:
    try:
        message = first
        while message is not grpc.aio.EOF:
            yield message
            message = await call.read()
    except grpc.RpcError as error:
        raise from_rpc_error(error) from error
    finally:
        call.cancel()
