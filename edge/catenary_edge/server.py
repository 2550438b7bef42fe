"""Start and stop of the edge's HTTP server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from collections.abc import Sequence

import structlog

from catenary_edge.app import Edge
from catenary_edge.guards import CUT_OFF, IDLE_GRACE, GuardedServer
from catenary_edge.http.origin import check_bind, tls_context
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import Upstream
from catenary_wire.spans import Begin

BACKLOG = 1024

log = structlog.get_logger("catenary.edge")


def create_app(upstream: Upstream, settings: EdgeSettings, trace: Begin | None = None) -> Edge:
    """Create the edge over an upstream; `trace` begins the span of each request.

    Raises:
        BindingError: A binding of the protos can't be honoured.
    """
    return Edge(upstream, settings, trace=trace)


class Runner:
    """A running server."""

    def __init__(
        self, app: Edge, server: GuardedServer, listener: asyncio.Server, tls: ssl.SSLContext | None = None
    ) -> None:
        self._app = app
        self._server = server
        self._listener = listener
        self._tls = tls

    @property
    def port(self) -> int:
        """The listening port, also when port 0 was requested."""
        return int(self._listener.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop accepting, end event streams and idle connections, let running requests finish, cancel the rest."""
        waiting = _accept_waiting(self._listener)
        self._listener.close()
        self._app.subscriptions.stop()
        self._app.stopping = True
        await self._serve(waiting)
        loop = asyncio.get_running_loop()
        seconds = self._app.settings.timeouts.stop
        end = loop.time() + seconds
        await self._server.part(min(IDLE_GRACE, seconds))
        self._server.pre_shutdown()
        await self._server.drain(max(0.0, end - loop.time()))
        await self._server.shutdown(CUT_OFF)
        await self._app.close()
        log.info("edge stopped")

    async def _serve(self, accepted: Sequence[socket.socket]) -> None:
        """Serve connections accepted at the stop; give up those without a TLS handshake within `IDLE_GRACE`."""
        loop = asyncio.get_running_loop()
        opening = [
            asyncio.ensure_future(
                loop.connect_accepted_socket(
                    self._server, one, ssl=self._tls, ssl_handshake_timeout=IDLE_GRACE if self._tls else None
                )
            )
            for one in accepted
        ]
        await asyncio.gather(*opening, return_exceptions=True)
        await asyncio.sleep(0)  # lets accepted connections reach their handlers


async def start(app: Edge, settings: EdgeSettings, host: str, port: int, reuse_port: bool = False) -> Runner:
    """Listen on a host and port.

    Raises:
        ValueError: The address is not safe without TLS.
        OSError: The address is in use.
    """
    check_bind(settings, host)
    context = tls_context(settings)
    server = GuardedServer(app)
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(
        server,
        host,
        port,
        ssl=context,
        backlog=BACKLOG,
        reuse_port=reuse_port or None,
        ssl_handshake_timeout=settings.timeouts.header if context is not None else None,
    )
    log.info("edge started", host=host, port=listener.sockets[0].getsockname()[1], tls=context is not None)
    return Runner(app, server, listener, context)


def _accept_waiting(listener: asyncio.Server) -> list[socket.socket]:
    """Accept the connections in the kernel's queue; closing the listener would reset them, though clients see them open."""
    accepted = []
    for one in listener.sockets:
        # The queue is empty, or no descriptor is left: the stop goes on in either case.
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(one.fileno())) as listening:
            while True:
                with contextlib.suppress(ConnectionAbortedError):
                    accepted.append(listening.accept()[0])
    return accepted
