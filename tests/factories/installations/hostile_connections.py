"""Hostile connections: thousands that say nothing, too little, or nothing that anybody may say."""

from __future__ import annotations

import contextlib
import resource
import socket
from collections.abc import Iterator

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\0\0\0\4\0\0\0\0\0"
ACKNOWLEDGED = b"\0\0\0\4\1\0\0\0\0"
HTTP = {
    "silent": b"",
    "half a head": b"GET /v1/projects HTTP/1.1\r\nHost: localhost\r\nX-Half: ",
    "a WebSocket without credentials": (
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ),
}
"""By kind, what a hostile connection sends to the HTTP port."""
GRPC = {"silent": b"", "preface only": PREFACE, "idle HTTP/2": PREFACE + SETTINGS + ACKNOWLEDGED}
"""By kind, what a hostile connection sends to the gRPC port."""


def allow(count: int) -> None:
    """Let this process open so many sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count + 256:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 256), hard))


@contextlib.contextmanager
def connections(port: int, count: int, data: bytes, addresses: int = 1) -> Iterator[list[socket.socket]]:
    """Open connections from some addresses of this machine, 127.0.2.1 and on, and keep them until the block ends."""
    allow(count)
    with contextlib.ExitStack() as opened:
        found = []
        for number in range(count):
            one = opened.enter_context(socket.socket())
            one.settimeout(10)
            one.bind((f"127.0.2.{1 + number % addresses}", 0))
            # A full port closes at once, and one that stands still takes nothing.
            with contextlib.suppress(OSError):
                one.connect(("127.0.0.1", port))
                one.sendall(data)
            one.setblocking(False)
            found.append(one)
        yield found


def alive(found: list[socket.socket]) -> int:
    """Return the number of connections that the server has not closed."""
    return [_has_ended(one) for one in found].count(False)


def _has_ended(one: socket.socket) -> bool:
    try:
        while one.recv(4096):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
