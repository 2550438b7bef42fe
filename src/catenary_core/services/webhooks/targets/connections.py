"""Connections to receivers: where names are looked up, where an address is dialled, and how much is taken from it."""

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


class AnswerTooLongError(aiohttp.ClientError):
    """The head of an answer doesn't end within the bytes that are read."""


class Connector(aiohttp.TCPConnector):
    """Dials what the guard passes. Certificates are checked against the system's authorities, or `SSL_CERT_FILE`.

    Each request has a connection of its own: so each asks the guard, and none fails because a receiver has just closed an
    idle one.
    """

    def __init__(self, guard: Guard) -> None:
        super().__init__(
            ssl=ssl.create_default_context(),
            resolver=_Resolver(guard),
            use_dns_cache=False,
            socket_factory=functools.partial(_dial, guard),
            force_close=True,
            limit=0,  # who sends decides how much at once
        )
        # aiohttp has no public place for this; the tests of endless answers fail when it moves.
        self._factory = functools.partial(_Bounded, self._loop)  # type: ignore[assignment]


def _dial(guard: Guard, info: aiohttp.AddrInfoType) -> socket.socket:
    """The guard at the place where an address is dialled: aiohttp asks for a socket for each connection attempt."""
    family, kind, protocol, _, address = info
    guard.pass_address(str(address[0]))
    return socket.socket(family=family, type=kind, proto=protocol)


class _Bounded(ResponseHandler):
    """Takes 64 KiB of an answer, head and framing included, and hangs up; what of the body has come is its end.

    aiohttp bounds lines and bodies, but not what stands between: it reads an endless chunk size, or endless early hints.
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
            self.set_exception(AnswerTooLongError())
        else:
            body.feed_eof()
        self.transport.abort()


class _Resolver(AbstractResolver):
    """Names for aiohttp, none of them with a forbidden address. Addresses in URLs don't come this way."""

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
