"""Start and stop of the edge's HTTP server."""

from __future__ import annotations

import asyncio

import structlog

from catenary_edge.app import Edge
from catenary_edge.guards import CUT_OFF, IDLE_GRACE, GuardedServer
from catenary_edge.http.origin import check_bind, tls_context
from catenary_edge.listener import Listener, bind
from catenary_edge.places import Places
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import Upstream
from catenary_wire.spans import Begin

log = structlog.get_logger("catenary.edge")


def create_app(upstream: Upstream, settings: EdgeSettings, trace: Begin | None = None) -> Edge:
    """Create the edge over an upstream; `trace` begins the span of each request.

    Raises:
        BindingError: A binding of the protos can't be honoured.
    """
    return Edge(upstream, settings, trace=trace)


class Runner:
    """A running server."""

    def __init__(self, app: Edge, server: GuardedServer, listener: Listener) -> None:
        self._app = app
        self._server = server
        self._listener = listener

    @property
    def port(self) -> int:
        """The listening port, also when port 0 was requested."""
        return self._listener.port

    async def stop(self) -> None:
        """Stop accepting, end event streams and idle connections, let running requests finish, cancel the rest."""
        self._app.subscriptions.stop()
        self._app.stopping = True
        await self._listener.close(IDLE_GRACE)
        loop = asyncio.get_running_loop()
        seconds = self._app.settings.timeouts.stop
        end = loop.time() + seconds
        await self._server.part(min(IDLE_GRACE, seconds))
        self._server.pre_shutdown()
        await self._server.drain(max(0.0, end - loop.time()))
        await self._server.shutdown(CUT_OFF)
        await self._app.close()
        log.info("edge stopped")


async def start(app: Edge, settings: EdgeSettings, host: str, port: int, reuse_port: bool = False) -> Runner:
    """Listen on a host and port.

    Raises:
        ValueError: The address is not safe without TLS.
        OSError: The address is in use.
    """
    check_bind(settings, host)
    context = tls_context(settings)
    server = GuardedServer(app)
    sockets = await bind(host, port, reuse_port=reuse_port)
    listener = Listener(sockets, server, Places(settings), context, settings.timeouts.header)
    log.info("edge started", host=host, port=listener.port, tls=context is not None)
    return Runner(app, server, listener)
