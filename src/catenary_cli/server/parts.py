"""The commands that run the core, the edge or a worker as a separate process.

Imports that only one of them needs are inside it: a worker that loads no core starts in a third of the time.
"""

from __future__ import annotations

import asyncio
import os
import platform
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from catenary_cli import addresses, show, tracing
from catenary_cli.server import descriptors, doors, reachability, worker_environment
from catenary_cli.server.processes import (
    READY_FD,
    STOP_SECONDS,
    StopSignals,
    die_with_parent,
    report_failed,
    report_ready,
    settle,
)

if TYPE_CHECKING:
    from catenary_cli.server import admin
    from catenary_core.settings import CoreSettings
    from catenary_edge.settings import EdgeSettings
    from catenary_worker.zygote import State


_SANDBOXED = "models run in a sandbox"
_UNSANDBOXED = "models run without a sandbox"


async def core(
    settings: CoreSettings,
    edge: EdgeSettings,
    host: str,
    port: int,
    address: admin.AdminAddress,
    connections: descriptors.ConnectionFlags,
) -> None:
    """Run the gRPC core alone, with an embedded or a given database, until it is told to stop."""
    from catenary_cli.installation.prepared import prepare
    from catenary_cli.server.node import open_grpc, tls_credentials
    from catenary_cli.server.readiness import Readiness
    from catenary_core.bootstrap import running_core
    from catenary_core.server.grpc_server import LOOPBACK
    from catenary_edge.http.origin import tls_context

    tls = tls_context(edge) is not None
    addresses.check_grpc(host, tls=tls)
    addresses.check_free(host, port, "--grpc-port")
    limit = descriptors.raise_limit()
    caps = descriptors.one_port(connections.grpc, connections, limit, settings.max_connections)
    signals, readiness = StopSignals(), Readiness("core")
    async with readiness.serving(address) as admin_port:
        with show.progress("Starting database and core") as say:
            async with prepare(settings) as ready, running_core(ready.settings, tracing.begin("core")) as running:
                credentials = tls_credentials(edge.tls_cert, edge.tls_key)
                # Trust edges on this machine; the settings name those on others. `serve` has no separate edges, so it
                # trusts no caller that claims to be one.
                door = await open_grpc(running, addresses.join(host, port), credentials, edges=LOOPBACK, caps=caps)
                settle()
                readiness.mark_running(
                    {
                        "database": lambda: reachability.database(ready, running.frame.db),
                        "grpc": doors.grpc(addresses.reachable(host), door.port, tls=tls),
                    },
                    running.frame.space.notes,
                )
                say(None)
                show.line(f"gRPC core on {addresses.join(host, door.port)}")
                show.line(f"Admin port on {addresses.join(address.host, admin_port)}")
                await signals.first.wait()
                readiness.mark_stopping()
                await door.close(STOP_SECONDS)


async def edge(
    settings: EdgeSettings,
    host: str,
    port: int,
    core_address: str,
    core_ca: Path | None,
    address: admin.AdminAddress,
    connections: descriptors.ConnectionFlags,
) -> None:
    """Run the edge alone, until it is told to stop; it may start before its core."""
    from catenary_cli.server.readiness import Readiness
    from catenary_edge.http.origin import check_bind, refuses_everything
    from catenary_edge.server import create_app, start
    from catenary_edge.upstream import SUBSCRIPTION_OPTIONS, GrpcUpstream, open_channel

    check_bind(settings, host)
    addresses.check_free(host, port)
    caps = descriptors.one_port(connections.http, connections, descriptors.raise_limit())
    settings = replace(settings, connections=caps)
    signals, readiness = StopSignals(), Readiness("edge")
    roots = None if core_ca is None else await asyncio.to_thread(core_ca.read_bytes)
    upstream = GrpcUpstream(
        lambda: open_channel(core_address, roots), lambda: open_channel(core_address, roots, SUBSCRIPTION_OPTIONS)
    )
    app = create_app(upstream, settings, tracing.begin("edge"))
    async with readiness.serving(address) as admin_port, open_channel(core_address, roots) as channel:
        server = await start(app, settings, host, port)
        settle()
        door = doors.http(addresses.reachable(host), server.port, tls=settings.tls_cert is not None)
        readiness.mark_running({"core": lambda: reachability.core(channel), "http": door})
        show.line(f"HTTP edge on {addresses.join(host, server.port)}, core at {core_address}")
        show.line("Its pages are /docs (reference) and /docs/guide")
        if refuses_everything(settings):
            show.ways_to_serve()
        show.line(f"Admin port on {addresses.join(address.host, admin_port)}")
        await signals.first.wait()
        readiness.mark_stopping()
        await server.stop()


async def worker(
    core_address: str, token: str, name: str | None, core_ca: Path | None, *, allow_unsandboxed: bool
) -> None:
    """Run one worker until it is told to stop; as a child of `serve` it ends with the supervisor."""
    worker_environment.enter()
    from catenary_worker import loop
    from catenary_worker.host import SandboxUnavailableError

    if os.environ.get(READY_FD):
        die_with_parent()

    def ready(state: State) -> None:
        settle()
        report_ready(_SANDBOXED if state.enforced else f"{_UNSANDBOXED}: {state.reason}")

    try:
        await loop.run(
            core_address,
            token,
            name or f"{platform.node()}-{os.getpid()}",
            core_ca,
            stop=StopSignals().first,
            on_ready=ready,
            allow_unsandboxed=allow_unsandboxed,
            trace=tracing.begin("worker"),
        )
    except SandboxUnavailableError as error:
        report_failed(str(error))
        raise
