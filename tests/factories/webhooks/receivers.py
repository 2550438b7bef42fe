"""Receivers of webhooks: canaries that must not be touched, and servers that answer what they like."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Answering = Callable[[bytes, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""Gets the head of the request, and what follows."""


class Canary:
    """A listener on every address of this machine, IPv4 and IPv6, at one port; it counts who connects."""

    def __init__(self) -> None:
        self._seen: list[str] = []
        self._arrived = asyncio.Condition()
        self.port = 0

    @classmethod
    @asynccontextmanager
    async def listening(cls) -> AsyncIterator[Canary]:
        canary = cls()
        bound = [_listener(socket.AF_INET, "0.0.0.0", 0)]
        canary.port = bound[0].getsockname()[1]
        if socket.has_ipv6:
            with contextlib.suppress(OSError):  # no IPv6 on this machine
                bound.append(_listener(socket.AF_INET6, "::", canary.port))
        servers = [await asyncio.start_server(canary._answer, sock=one) for one in bound]
        try:
            yield canary
        finally:
            for server in servers:
                server.close()
                await server.wait_closed()

    async def touched(self) -> int:
        """Return the number of connections since the last call, those included that are not accepted yet.

        The canary connects to each listener itself, since connections are accepted in their order.
        """
        knocks = 0
        for host in ("127.0.0.1", "::1"):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(host, self.port)
                own = writer.get_extra_info("sockname")
                async with asyncio.timeout(60), self._arrived:
                    await self._arrived.wait_for(lambda own=own: str(own) in self._seen)
                writer.close()
                await writer.wait_closed()
                knocks += 1
        count = len(self._seen) - knocks
        self._seen.clear()
        return count

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self._arrived:
            self._seen.append(str(writer.get_extra_info("peername")))
            self._arrived.notify_all()
        with contextlib.suppress(OSError):
            await reader.read(64)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()
            await writer.wait_closed()


def _listener(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((host, port))
        made.listen(128)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


@asynccontextmanager
async def receiver(
    answer: Answering, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[int]:
    """Run a server that answers every connection as told once the request's head is read; yield its port."""
    running: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        running.add(task)
        try:
            await answer(await reader.readuntil(b"\r\n\r\n"), reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            running.discard(task)
            writer.transport.abort()

    server = await asyncio.start_server(serve, host, port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in [*running]:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await server.wait_closed()


def fixed(lines: str, body: bytes = b"") -> Answering:
    """Return an answer of this status line, these headers and this body that ends the connection."""

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        start = lines.replace("\n", "\r\n")
        writer.write(f"{start}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        await writer.drain()

    return answer
