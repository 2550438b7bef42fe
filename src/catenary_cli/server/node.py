"""The listening parts of a node, its gRPC ports and its edge, and their shutdown."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path

import grpc
from grpc_health.v1 import health

from catenary_cli import tracing
from catenary_cli.addresses import AddressError, join
from catenary_cli.server import descriptors
from catenary_cli.server.descriptors import ConnectionFlags
from catenary_cli.server.processes import STOP_SECONDS, StopSignals, report_ready, settle
from catenary_core.bootstrap import Core, running_core
from catenary_core.server import grpc_server
from catenary_core.server.grpc_connections import GrpcConnections
from catenary_core.settings import CoreSettings
from catenary_edge.server import create_app
from catenary_edge.server import start as start_edge
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import LocalUpstream
from catenary_wire.connections import ConnectionCaps

_WORKERS_GRACE = 0.5
"""Seconds for the last responses to workers, which wait for jobs in calls of many seconds."""


@dataclass(frozen=True, slots=True)
class GrpcPort:
    """An open gRPC port."""

    port: int
    """0 for a Unix socket."""
    _core: Core
    _server: grpc.aio.Server
    _health: health.aio.HealthServicer
    _connections: GrpcConnections | None

    async def close(self, seconds: float) -> None:
        """Accept no new calls, end event streams, and let the other calls finish for `seconds`."""
        for close in self._core.closers:
            close()
        await grpc_server.set_serving(self._health, self._core.dispatch, serving=False)
        await self._server.stop(seconds)
        if self._connections is not None:
            await self._connections.stop()


async def open_grpc(
    core: Core,
    address: str,
    credentials: grpc.ServerCredentials | None = None,
    *,
    shared: bool = False,
    edges: Sequence[str] = (),
    caps: ConnectionCaps | None = None,
    proxies: Sequence[str] = (),
) -> GrpcPort:
    """Serve the core over gRPC.

    Args:
        core: The running core.
        address: `host:port` or `unix:path`.
        credentials: TLS credentials; None for plain text.
        shared: Let other nodes of this machine listen on the port too.
        edges: Networks of trusted edges, in addition to those of the settings.
        caps: Caps on the connections of callers; None for a socket of our own workers.
        proxies: Networks of trusted proxies, whose connections have no share of an address, as those of edges.

    Raises:
        AddressError: The process cannot listen on the address.
    """
    trusted = [*edges, *core.frame.settings.trusted_edges]
    guard = None if caps is None else GrpcConnections(caps, [ip_network(text) for text in (*trusted, *proxies)])
    server, checks = grpc_server.create_server(
        core.dispatch, reuse_port=shared, trusted_edges=trusted, connections=guard
    )
    try:
        port = (
            server.add_insecure_port(address) if credentials is None else server.add_secure_port(address, credentials)
        )
    except RuntimeError:
        raise AddressError(f"can't listen on {address} for gRPC") from None
    await server.start()
    await grpc_server.set_serving(checks, core.dispatch, serving=True)
    if guard is not None:
        guard.start(port)
    return GrpcPort(0 if address.startswith("unix:") else port, core, server, checks, guard)


def tls_credentials(cert: Path | None, key: Path | None) -> grpc.ServerCredentials | None:
    """Return the gRPC port's credentials from the edge's TLS files; None without them."""
    if cert is None or key is None:
        return None
    return grpc.ssl_server_credentials([(key.read_bytes(), cert.read_bytes())])


async def run(
    settings: CoreSettings,
    edge: EdgeSettings,
    host: str,
    port: int,
    grpc_host: str,
    grpc_port: int,
    socket: Path,
    connections: ConnectionFlags,
    *,
    demo: bool = False,
) -> None:
    """Run core and edge in one event loop, on ports shared by the nodes and a Unix socket for workers.

    The first SIGTERM closes the ports for callers: no new requests, running ones may finish for 30 s. The workers'
    socket stays open until the second SIGTERM, which the supervisor sends when the workers have delivered their last
    results.
    """
    signals, parent = StopSignals(), os.getppid()
    http_caps, grpc_caps = descriptors.both_ports(connections, descriptors.raise_limit(), settings.max_connections)
    edge = replace(edge, connections=http_caps)
    credentials = tls_credentials(edge.tls_cert, edge.tls_key)
    trace = tracing.begin("node")
    async with running_core(settings, trace, demo=demo) as core, AsyncExitStack() as opened:
        # What has opened is closed too when the start of the rest fails.
        core.frame.sessions.door = f"unix:{socket}"
        workers = await open_grpc(core, core.frame.sessions.door)
        opened.push_async_callback(workers.close, _WORKERS_GRACE)
        address, proxies = join(grpc_host, grpc_port), edge.trusted_proxies
        callers = await open_grpc(core, address, credentials, shared=True, caps=grpc_caps, proxies=proxies)
        opened.push_async_callback(callers.close, STOP_SECONDS)
        app = create_app(LocalUpstream(core.dispatch), edge, trace)
        http = await start_edge(app, edge, host, port, reuse_port=True)
        settle()
        report_ready()
        await signals.first.wait()
        end = time.monotonic() + STOP_SECONDS
        await asyncio.gather(http.stop(), callers.close(STOP_SECONDS))
        if os.getppid() == parent:  # after a killed supervisor, no second signal comes
            await signals.second_until(end)
