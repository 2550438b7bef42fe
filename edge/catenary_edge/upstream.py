"""The connection to the core, in the same process or over a gRPC channel. Both give the same bytes.

A reply holds the response message as JSON values, without the surface's envelope, and the core's response metadata.
"""

# ruff: noqa: ASYNC109 - the deadline travels to the core, which enforces it

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
from catenary_wire.reconnection import RECONNECTION

RESERVED: Mapping[str, str] = {
    "catenary-content-type": "content-type",
    "catenary-content-length": "content-length",
}
"""Response metadata with a prefix, and its name without: gRPC reserves these two names and drops them from metadata."""

STREAMS_PER_CHANNEL = 500
"""Half of the streams accepted by the core's gRPC server on one connection."""

Request = Message | AsyncIterator[Message]

# Keepalive detects a core that vanished silently. Retries are the caller's decision, since a write may have been done.
CHANNEL_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_send_message_length", 16 * MIB),
    ("grpc.max_receive_message_length", 64 * MIB),
    # A refusal travels in trailers and lists every broken rule; by default gRPC takes 8 KiB of them, at most 16.
    ("grpc.max_metadata_size", MIB),
    ("grpc.absolute_max_metadata_size", MIB),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    *RECONNECTION,
    ("grpc.enable_retries", 0),
)
# Without the probe gRPC buffers 64 KiB of an unread stream (RFC 9113, section 6.9.2); with it, megabytes.
SUBSCRIPTION_OPTIONS: tuple[tuple[str, int], ...] = (("grpc.http2.bdp_probe", 0),)


@dataclass(frozen=True, slots=True)
class Reply:
    """A response of the core to a unary call."""

    body: dict[str, Any]
    """Fields of the response message, ready for JSON."""
    metadata: Mapping[str, str]
    """Response metadata."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A list from the core in one or more parts. `parts` must be closed (`aclose`)."""

    metadata: Mapping[str, str]
    """Response metadata."""
    parts: AsyncGenerator[dict[str, Any], None]
    """Fields of each response message, ready for JSON."""


@dataclass(frozen=True, slots=True)
class Download:
    """A stream of bytes from the core. `chunks` must be closed (`aclose`) when left early."""

    metadata: Mapping[str, str]
    """Response metadata."""
    chunks: AsyncGenerator[bytes, None]
    """The bytes of the file."""


class Upstream(Protocol):
    """The edge's interface to the core. Every method raises Problem for a refusal of the core."""

    async def call(self, route: Route, request: Request, metadata: Mapping[str, str], timeout: float) -> Reply:
        """Call the route's method, with a stream of requests for uploads; `timeout` in seconds."""

    async def open(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float) -> Download:
        """Open the stream of a download; a refusal is raised here, before the first bytes."""

    async def parts(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None) -> Parts:
        """Open a list in parts, or a subscription when `timeout` is None.

        A refusal is raised here or with the first part.
        """

    async def converse(self, rpc: Rpc, messages: AsyncIterator[Message], metadata: Mapping[str, str]) -> Parts:
        """Open a method with streams of both sides, whose bytes stay bytes.

        A refusal is raised here or with the first part.
        """

    async def ask(self, rpc: Rpc, request: Message, metadata: Mapping[str, str], timeout: float) -> Mapping[str, Any]:
        """Call a method without a route, for the edge's own needs; return the fields of its response."""

    async def close(self) -> None:
        """Close the connection to the core."""


class CoreResponse(Protocol):
    """A unary response of the core's dispatcher: fields in the shape of the response message, and response metadata."""

    body: dict[str, Any]
    metadata: dict[str, str]


class CoreStream(Protocol):
    """A streamed response of the core's dispatcher: response metadata, and fields of each response message."""

    metadata: dict[str, str]
    items: AsyncGenerator[dict[str, Any], None]


class CoreDispatch(Protocol):
    """The core's dispatcher. It raises grpc.RpcError with code, details and trailing metadata, as a channel would."""

    async def call(
        self, method: str, request: Request, metadata: Mapping[str, str], timeout: float | None = None
    ) -> CoreResponse:
        """Call a unary or client-streaming method."""

    async def open(
        self, method: str, request: Request, metadata: Mapping[str, str], timeout: float | None = None
    ) -> CoreStream:
        """Open a server-streaming method, or one with streams of both sides."""


class LocalUpstream:
    """The core in the same process; its dicts become JSON without a protobuf message between."""

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
        stream = await self._open(route.rpc, request, metadata, timeout)
        return Download(stream.metadata, _chunks(_translated(stream.items)))

    async def parts(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None) -> Parts:
        """See Upstream."""
        stream = await self._open(route.rpc, request, metadata, timeout)
        return Parts(stream.metadata, _translated(stream.items))

    async def converse(self, rpc: Rpc, messages: AsyncIterator[Message], metadata: Mapping[str, str]) -> Parts:
        """See Upstream."""
        stream = await self._open(rpc, messages, metadata, None)
        return Parts(stream.metadata, _translated(stream.items))

    async def _open(self, rpc: Rpc, request: Request, metadata: Mapping[str, str], timeout: float | None) -> CoreStream:
        try:
            return await self._dispatch.open(rpc.path, request, metadata, timeout)
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
        """Do nothing, see Upstream: the dispatcher belongs to its creator."""


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
    """Open a channel to a core at `host:port`.

    Args:
        target: Address of the core.
        root_certificates: PEM certificates that verify the core; None opens a channel without TLS.
        more: Channel options beside `CHANNEL_OPTIONS`.
    """
    # By default, channels to one address share a connection, and with it the connection's limit of streams.
    options = (*CHANNEL_OPTIONS, ("grpc.use_local_subchannel_pool", 1), *more)
    if root_certificates is None:
        return grpc.aio.insecure_channel(target, options=options)
    credentials = grpc.ssl_channel_credentials(root_certificates)
    return grpc.aio.secure_channel(target, credentials, options=options)


class SubscriptionChannels:
    """Channels for open-ended streams, apart from the channel of ordinary calls.

    A connection accepts a limited number of streams at one time; further calls wait silently.
    """

    def __init__(self, connect: Callable[[], grpc.aio.Channel]) -> None:
        self._connect = connect
        self._streams: dict[grpc.aio.Channel, int] = {}

    @contextmanager
    def room(self) -> Iterator[grpc.aio.Channel]:
        """Reserve one stream on a channel until the block ends."""
        channel = next((one for one, streams in self._streams.items() if streams < STREAMS_PER_CHANNEL), None)
        if channel is None:
            channel = self._connect()
        self._streams[channel] = self._streams.get(channel, 0) + 1
        try:
            yield channel
        finally:
            self._streams[channel] -= 1

    async def close(self) -> None:
        """Close every channel."""
        for channel in self._streams:
            await channel.close()


class GrpcUpstream:
    """A core behind gRPC channels."""

    def __init__(
        self, connect: Callable[[], grpc.aio.Channel], subscribe: Callable[[], grpc.aio.Channel] | None = None
    ) -> None:
        """Open the first channel.

        Args:
            connect: Opens a channel for ordinary calls.
            subscribe: Opens a channel for subscriptions; default: `connect`.
        """
        self._channel = connect()
        self._subscriptions = SubscriptionChannels(subscribe or connect)
        self._encoders = Encoders()
        self._with_bytes = Encoders(with_bytes=True)

    async def call(self, route: Route, request: Request, metadata: Mapping[str, str], timeout: float) -> Reply:
        """See Upstream."""
        message, headers = await self._call(route.rpc, request, metadata, timeout)
        return Reply(route.plain(message), headers)

    async def open(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float) -> Download:
        """See Upstream."""
        headers, messages = await self._open(self._channel, route.rpc, request, metadata, timeout)
        return Download(headers, _bytes(messages))

    async def parts(self, route: Route, request: Message, metadata: Mapping[str, str], timeout: float | None) -> Parts:
        """See Upstream."""
        if timeout is not None:
            headers, messages = await self._open(self._channel, route.rpc, request, metadata, timeout)
            return Parts(headers, _plain(messages, route.plain))
        with ExitStack() as stack:
            channel = stack.enter_context(self._subscriptions.room())
            headers, messages = await self._open(channel, route.rpc, request, metadata, None)
            return Parts(headers, _plain(messages, route.plain, stack.pop_all()))

    async def converse(self, rpc: Rpc, messages: AsyncIterator[Message], metadata: Mapping[str, str]) -> Parts:
        """See Upstream."""
        with ExitStack() as stack:
            channel = stack.enter_context(self._subscriptions.room())
            headers, answers = await self._open(channel, rpc, messages, metadata, None)
            return Parts(headers, _plain(answers, self._with_bytes.plain(rpc.output), stack.pop_all()))

    async def _open(
        self,
        channel: grpc.aio.Channel,
        rpc: Rpc,
        request: Request,
        metadata: Mapping[str, str],
        timeout: float | None,
    ) -> tuple[dict[str, str], AsyncGenerator[Any, None]]:
        kind = channel.unary_stream if isinstance(request, Message) else channel.stream_stream
        open_stream: Any = kind(rpc.path, rpc.request.SerializeToString, rpc.response.FromString)
        call = open_stream(request, metadata=tuple(metadata.items()), timeout=timeout)
        try:
            headers = _texts(await call.initial_metadata())
            first = await call.read()  # a refusal arrives here, before the response's status is sent
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
        """Close all channels, see Upstream."""
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
            call.cancel()  # has no effect on a finished call; ends a call in the core when its caller disconnected


def _texts(metadata: Iterable[tuple[str, str | bytes]] | None) -> dict[str, str]:
    return {RESERVED.get(key, key): value for key, value in metadata or () if isinstance(value, str)}


async def _bytes(messages: AsyncGenerator[Any, None]) -> AsyncGenerator[bytes, None]:
    try:
        async for message in messages:
            yield message.chunk
    finally:
        await messages.aclose()


async def _plain(
    messages: AsyncGenerator[Any, None], plain: Callable[[Message], dict[str, Any]], room: ExitStack | None = None
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the fields of each message; release `room` at the end."""
    with room or nullcontext():
        try:
            async for message in messages:
                yield plain(message)
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
