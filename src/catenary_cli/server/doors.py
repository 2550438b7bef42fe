"""Requests through the ports that callers use, by which `/readyz` sees a port that is full or stands still.

Each request has a connection of its own, so it is refused as a caller's would be. The HTTP/2 frames are written by hand:
a gRPC client would have to verify a certificate that names the public host, and here only the port matters.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from catenary_cli.server.reachability import AWAY, OK, SECONDS, Reach

_HEAD = b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
_HEALTH = (
    (b":method", b"POST"),
    (b":scheme", b"http"),
    (b":path", b"/grpc.health.v1.Health/Check"),
    (b":authority", b"localhost"),
    (b"content-type", b"application/grpc"),
    (b"te", b"trailers"),
)
_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_END_STREAM, _END_HEADERS = 1, 4
_EMPTY_MESSAGE = bytes(5)
_SERVING = b"\x08\x01"
"""The message `HealthCheckResponse(status=SERVING)`."""
_Asked = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, str]]


def http(host: str, port: int, *, tls: bool, nodes: int = 1) -> Reach:
    """Return the check that asks an HTTP port for its first page; the kernel chooses the node of each connection."""
    return partial(_all, nodes, _ask_http, host, port, "http/1.1" if tls else None)


def grpc(host: str, port: int, *, tls: bool, nodes: int = 1) -> Reach:
    """Return the check that asks a gRPC port for its health; the kernel chooses the node of each connection."""
    return partial(_all, nodes, _ask_grpc, host, port, "h2" if tls else None)


async def _all(nodes: int, ask: _Asked, host: str, port: int, protocol: str | None) -> str:
    found = await asyncio.gather(*(_through(ask, host, port, protocol) for _ in range(nodes)))
    return next((state for state in found if state != OK), OK)


async def _through(ask: _Asked, host: str, port: int, protocol: str | None) -> str:
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection(host, port, ssl=protocol and _context(protocol))
            try:
                return await ask(reader, writer)
            finally:
                # A proper end of TLS waits for the peer's own, which a gRPC server leaves out: 30 s.
                writer.transport.abort()
    except (OSError, EOFError):  # TimeoutError is an OSError
        return AWAY


async def _ask_http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    writer.write(_HEAD)
    line = await reader.readuntil(b"\r\n")
    # A refusal of plain HTTP is an answer too.
    return OK if line.startswith((b"HTTP/1.1 2", b"HTTP/1.1 3", b"HTTP/1.1 4")) else "not serving"


async def _ask_grpc(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    """Send one call of `grpc.health.v1` (RFC 9113 and RFC 7541, each header as a literal)."""
    headers = b"".join(b"\0" + bytes((len(name),)) + name + bytes((len(value),)) + value for name, value in _HEALTH)
    writer.write(
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        + _frame(_SETTINGS, 0, 0, b"")
        + _frame(_HEADERS, _END_HEADERS, 1, headers)
        + _frame(_DATA, _END_STREAM, 1, _EMPTY_MESSAGE)
    )
    while True:
        head = await reader.readexactly(9)
        payload = await reader.readexactly(int.from_bytes(head[:3]))
        kind, stream = head[3], int.from_bytes(head[5:])
        if stream == 1 and kind == _DATA and payload:
            return OK if payload[len(_EMPTY_MESSAGE) :] == _SERVING else "not serving"
        if stream == 1 and head[4] & _END_STREAM:
            return "not serving"


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def _context(protocol: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # the default one reads the authorities, which nothing asks here
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # our own port; nothing secret is sent
    context.set_alpn_protocols([protocol])
    return context
