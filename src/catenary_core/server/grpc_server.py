"""The gRPC server: generic handlers over the dispatcher, made from the descriptors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from functools import cache, partial
from importlib import resources
from ipaddress import ip_network
from typing import Any, TypeAlias

import grpc
import structlog
import uuid_utils
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from catenary_core.background.failures import traces
from catenary_core.call import messages
from catenary_core.call.errors import CallError, DomainError, internal, to_call_error
from catenary_core.call.methods import Binding
from catenary_core.server import refusal_size
from catenary_core.server.dispatch import Dispatch
from catenary_core.server.grpc_connections import GrpcConnections, Network, is_in, parse_peer
from catenary_wire.json_form import JsonFormError

_log = structlog.get_logger(__name__)
MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""Largest request message."""
MAX_METADATA_BYTES = 8 * 1024
"""Largest total of a call's metadata."""
MAX_CONCURRENT_STREAMS = 1000
"""Largest number of concurrent calls per connection."""
FIRST_MESSAGE_SECONDS = 1.0
"""Longest wait for the first message of a stream that is refused."""
FIRST_MESSAGE_SECONDS_OF_EDGE = 10.0
"""The same for an edge, which always sends one: it only comes late where the machine is busy."""
LOOPBACK = ("127.0.0.0/8", "::1/128")
"""Networks of edges that are trusted by default: this machine."""
_RESERVED = {"content-type", "content-length"}
"""Names of metadata that gRPC uses itself."""
_Context = Any
_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def create_server(
    dispatch: Dispatch,
    *,
    reuse_port: bool = False,
    trusted_edges: Sequence[str] = LOOPBACK,
    connections: GrpcConnections | None = None,
) -> tuple[grpc.aio.Server, health.aio.HealthServicer]:
    """Create a server without ports, and its health service, which the caller sets to SERVING when all parts run.

    Args:
        dispatch: handles the calls.
        reuse_port: whether several processes may listen on one port.
        trusted_edges: networks (CIDR) of edges whose word counts for their callers' addresses and for having counted
            their requests. An edge at a Unix socket is always trusted.
        connections: guards the connections of the port; None where only our own processes connect.

    Raises JsonFormError: an answer's type has no JSON form; the error names the method.
    """
    networks = [ip_network(text) for text in trusted_edges]
    server = grpc.aio.server(
        options=[
            ("grpc.so_reuseport", 1 if reuse_port else 0),
            ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
            ("grpc.max_metadata_size", MAX_METADATA_BYTES),
            ("grpc.absolute_max_metadata_size", MAX_METADATA_BYTES),
            ("grpc.max_concurrent_streams", MAX_CONCURRENT_STREAMS),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
            *(connections.options if connections is not None else ()),
        ]
    )
    services: dict[str, dict[str, _Handler]] = {}
    for binding in dispatch.bindings.values():
        service = binding.descriptor.containing_service.full_name
        services.setdefault(service, {})[binding.descriptor.name] = _handler(dispatch, binding, networks, connections)
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler(service, handlers) for service, handlers in services.items()]
    )
    health_service = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health_service, server)
    called = {binding.descriptor.containing_service.full_name for binding in dispatch.bindings.values() if binding.verb}
    names = [*called, health.SERVICE_NAME, reflection.SERVICE_NAME]
    reflection.enable_server_reflection(names, server, _public_descriptors())
    return server, health_service


@cache
def _public_descriptors() -> DescriptorPool:
    """Load the descriptors for reflection: those in `/docs/descriptors.binpb`, without those for edges and workers."""
    data = resources.files("catenary").joinpath("descriptors.binpb").read_bytes()
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(data).file:
        pool.Add(file)
    for module in (health_pb2, reflection_pb2):
        file = FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(file)
        pool.Add(file)
    return pool


async def set_serving(health_service: health.aio.HealthServicer, dispatch: Dispatch, *, serving: bool) -> None:
    """Set the health of the server and of every service."""
    status = health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
    services = {binding.descriptor.containing_service.full_name for binding in dispatch.bindings.values()}
    for service in ("", *sorted(services)):
        await health_service.set(service, status)


def _handler(
    dispatch: Dispatch, binding: Binding, trusted: Sequence[Network], connections: GrpcConnections | None
) -> _Handler:
    try:
        fill = messages.filler(binding.descriptor.output_type)
    except JsonFormError as error:
        raise JsonFormError(f"{binding.path}: {error}") from None
    response = binding.response

    def encode(body: dict[str, Any], request_id: str) -> Message:
        message = response()
        try:
            fill(message, body)
        except Exception as error:  # noqa: BLE001 (gRPC would send its text to the caller)
            _log.error(
                "a response does not have the shape of its message", request_id=request_id, method=path, **traces(error)
            )
            raise internal(request_id) from None
        return message

    def decode(data: bytes) -> Message | None:
        """Parse the request; return None for invalid bytes.

        An exception of the deserializer would reach the caller unchanged.
        """
        try:
            return binding.request.FromString(data)
        except DecodeError:
            return None

    coders: dict[str, Callable[..., Any]] = {
        "request_deserializer": decode,
        "response_serializer": response.SerializeToString,
    }
    path = binding.path

    def known(context: _Context) -> Callable[[], None] | None:
        """Return what tells the guard of the connections that this one's client has authenticated."""
        return None if connections is None else partial(connections.authenticated, context.peer())

    async def unary(request: Message | AsyncIterator[Message | None] | None, context: _Context) -> Message | None:
        metadata = _metadata(context, trusted)
        begun = asyncio.Event()
        try:
            message_or_stream = (
                _whole(request, context, begun) if isinstance(request, AsyncIterator) else _read(request)
            )
            answer = await dispatch.call(path, message_or_stream, metadata, _timeout(context), known(context))
            message = encode(answer.body, answer.request_id)
        except CallError as error:
            failed = error if "catenary-edge" in metadata else refusal_size.fitted(error)
        else:
            if answer.metadata:  # without metadata, gRPC sends headers and message in one write
                await context.send_initial_metadata(_headers(answer.metadata))
            return message
        await _first_message(request, metadata, begun)
        # Outside the try block, because abort raises an exception itself.
        await context.abort(failed.code(), failed.details(), failed.trailing_metadata())
        return None

    async def streamed(
        request: Message | AsyncIterator[Message | None] | None, context: _Context
    ) -> AsyncIterator[Message]:
        metadata = _metadata(context, trusted)
        begun = asyncio.Event()
        try:
            message_or_stream = (
                _whole(request, context, begun) if isinstance(request, AsyncIterator) else _read(request)
            )
            stream = await dispatch.open(path, message_or_stream, metadata, _timeout(context), known(context))
            await context.send_initial_metadata(_headers(stream.metadata))
            async with aclosing(stream.items) as items:
                async for item in items:
                    yield encode(item, stream.request_id)
        except CallError as error:
            failed = error if "catenary-edge" in metadata else refusal_size.fitted(error)
        else:
            return
        await _first_message(request, metadata, begun)
        await context.abort(failed.code(), failed.details(), failed.trailing_metadata())

    if binding.descriptor.server_streaming and binding.descriptor.client_streaming:
        return grpc.stream_stream_rpc_method_handler(streamed, **coders)
    if binding.descriptor.server_streaming:
        return grpc.unary_stream_rpc_method_handler(streamed, **coders)
    if binding.descriptor.client_streaming:
        return grpc.stream_unary_rpc_method_handler(unary, **coders)
    return grpc.unary_unary_rpc_method_handler(unary, **coders)


def _read(request: Message | None) -> Message:
    """Return the request.

    Raises VALIDATION_ERROR: the bytes were no message of the method.
    """
    if request is None:
        error = DomainError(
            "VALIDATION_ERROR", "The request is not a message of this method, or has text that is not UTF-8."
        )
        raise to_call_error(error, str(uuid_utils.uuid7()))
    return request


async def _whole(
    requests: AsyncIterator[Message | None], context: _Context, begun: asyncio.Event
) -> AsyncIterator[Message]:
    """Yield the messages of a request stream; raise CancelledError if the caller cancelled the stream.

    grpc.aio ends the iteration normally then, as after the last message. `begun` is set at the first one.
    """
    async for request in requests:
        begun.set()
        yield _read(request)
    await asyncio.sleep(0)
    if context.cancelled():
        raise asyncio.CancelledError


async def _first_message(request: object, metadata: Mapping[str, str], begun: asyncio.Event) -> None:
    """Wait a moment for the first message of a stream that is refused before any of it was read.

    A caller that writes while its call ends is told INTERNAL by grpc.aio, in place of the status (https://github.com/grpc/grpc/issues/36066).
    """
    if isinstance(request, AsyncIterator) and not begun.is_set():
        seconds = FIRST_MESSAGE_SECONDS_OF_EDGE if "catenary-edge" in metadata else FIRST_MESSAGE_SECONDS
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await anext(request, None)


def _headers(metadata: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return response metadata for gRPC; names reserved by gRPC get the prefix `catenary-`, which the edge removes."""
    return tuple((f"catenary-{key}" if key in _RESERVED else key, value) for key, value in metadata.items())


def _metadata(context: _Context, trusted: Sequence[Network]) -> dict[str, str]:
    """Return the caller's metadata; both values of a repeated key, so that no check sees only one.

    The caller's address is the peer's. A trusted edge (`catenary-edge`) instead names its caller's address, the base
    URL of the request (`catenary-base-url`) and the route (`catenary-route`).
    """
    found: dict[str, str] = {}
    for key, value in context.invocation_metadata() or ():
        if isinstance(value, str):
            found[key] = f"{found[key]}, {value}" if key in found else value
    if found.get("catenary-edge") != "1" or not _is_trusted(context.peer(), trusted):
        found["catenary-client-address"] = context.peer()
        found.pop("catenary-base-url", None)
        found.pop("catenary-edge", None)
        found.pop("catenary-route", None)
    return found


def _is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Return whether a peer in gRPC's notation is in a trusted network."""
    if peer.startswith("unix:"):
        return True
    parsed = parse_peer(peer)
    return parsed is not None and is_in(parsed[0], trusted)


def _timeout(context: _Context) -> float | None:
    remaining = context.time_remaining()
    return None if remaining is None else float(remaining)
