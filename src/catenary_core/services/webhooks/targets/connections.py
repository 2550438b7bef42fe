"""Connections to receivers: guarded look-ups and dials, and a limit of the bytes read."""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler

from catenary_core.services.webhooks.targets.guard import Guard

READ_BYTES = 64 * 1024
"""Maximum bytes read of one response, head and framing included."""


class ResponseTooLongError(aiohttp.ClientError):
    """The head of a response doesn't end within the bytes that are read."""


class Connector(aiohttp.TCPConnector):
    """Connects to addresses that the guard allows.

    Certificates are checked against the system's authorities, or `SSL_CERT_FILE`. Each request has its own connection,
    so that the guard checks each, and none fails because a receiver has just closed an idle one.
    """

    def __init__(self, guard: Guard) -> None:
        super().__init__(
            ssl=ssl.create_default_context(),
            resolver=_Resolver(guard),
            use_dns_cache=False,
            socket_factory=functools.partial(_dial, guard),
            force_close=True,
            limit=0,  # the senders limit the number of connections
        )
        # aiohttp has no public attribute for this; the tests of endless responses fail if it moves.
        self._factory = functools.partial(_Bounded, self._loop)  # type: ignore[assignment]  # a partial is no class, as it has there


def _dial(guard: Guard, info: aiohttp.AddrInfoType) -> socket.socket:
    """Check an address with the guard and create its socket; aiohttp calls this for each connection attempt."""
    family, kind, protocol, _, address = info
    guard.check_address(str(address[0]))
    return socket.socket(family=family, type=kind, proto=protocol)


class _Bounded(ResponseHandler):
    """Reads 64 KiB of a response, head and framing included, and then disconnects; the body ends there.

    aiohttp limits lines and bodies, but nothing in between: it would read an endless chunk size or endless early hints.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._left = READ_BYTES

    def data_received(self, data: bytes) -> None:
        taken = data[: self._left]
        self._left -= len(taken)
        super().data_received(taken)
        if self._left or self.transport is None:
            return
        body, self._payload = self._payload, None
        if body is None:
            self.set_exception(ResponseTooLongError())
        else:
            body.feed_eof()
        self.transport.abort()


class _Resolver(AbstractResolver):
    """Resolves host names for aiohttp to allowed addresses. Addresses in URLs bypass it."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
            for address in await self._guard.addresses(host)
        ]

    async def close(self) -> None:
        pass
