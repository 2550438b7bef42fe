"""The commands that run an installation, or parts of one."""

from __future__ import annotations

import asyncio
import os
import platform
from dataclasses import dataclass
from pathlib import Path

import orjson
import typer

from catenary_cli import demo, prepared, processes, show, supervisor
from catenary_cli.options import edge_arguments
from catenary_cli.supervisor import ServeOptions
from catenary_core.settings import CoreSettings
from catenary_edge.settings import EdgeSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeFlags:
    """The flags of `serve` that are not the edge's."""

    host: str
    port: int
    grpc_port: int
    admin_port: int
    nodes: int
    workers: int | None
    demo: bool
    once: bool
    verbose: bool


async def serve(settings: CoreSettings, edge: EdgeSettings, flags: ServeFlags) -> None:
    """Runs everything until it is told to stop; with `once` only until it is up and the demo is made."""
    options = ServeOptions(
        host=flags.host,
        port=flags.port,
        grpc_port=flags.grpc_port,
        admin_port=flags.admin_port,
        nodes=flags.nodes,
        workers=flags.workers if flags.workers is not None else len(os.sched_getaffinity(0)),
        https=edge.tls_cert is not None,
        verbose=flags.verbose,
        edge_arguments=edge_arguments(edge),
    )
    with show.progress("Starting database, API and workers") as say:
        async with supervisor.serving(settings, options) as running:
            if running.stopped.is_set():
                return
            made = None
            if flags.demo:
                ready = running.ready
                made = await demo.ensure(
                    ready.data_dir, ready.dsn, ready.secret, running.base_url, running.grpc_address, say
                )
            say(None)
            show.serving(running, made)
            if not flags.once:
                await running.stopped.wait()
                show.line("Stopping")


async def node(settings: CoreSettings, edge: EdgeSettings, host: str, port: int, grpc_port: int, socket: Path) -> None:
    """One node of `serve`, on shared ports; it dies with the supervisor."""
    from catenary_cli import node as node_processes
    from catenary_cli.node import Listen

    processes.die_with_parent()
    await node_processes.run(
        core=settings,
        grpc_listen=Listen(host=host, port=grpc_port, shared=True),
        worker_socket=socket,
        edge=edge,
        edge_listen=Listen(host=host, port=port, shared=True),
    )


async def core(settings: CoreSettings, edge: EdgeSettings, host: str, grpc_port: int) -> None:
    """The gRPC core alone."""
    from catenary_cli import node as node_processes
    from catenary_cli.node import Listen

    async with prepared.prepare(settings) as ready:
        show.line(f"gRPC core on {host}:{grpc_port}")
        await node_processes.run(
            core=ready.settings, grpc_listen=Listen(host=host, port=grpc_port), tls=(edge.tls_cert, edge.tls_key)
        )


async def edge(settings: EdgeSettings, host: str, port: int, core_address: str, core_ca: Path | None) -> None:
    """The edge alone."""
    from catenary_cli import node as node_processes
    from catenary_cli.node import Listen

    show.line(f"HTTP edge on {host}:{port}, core at {core_address}")
    await node_processes.run(
        edge=settings, edge_listen=Listen(host=host, port=port), upstream_address=core_address, upstream_ca=core_ca
    )


async def worker(
    core_address: str, token: str, name: str | None, core_ca: Path | None, *, allow_unsandboxed: bool
) -> None:
    """One worker, until it is told to stop; as a child of `serve` it dies with the supervisor."""
    from catenary_worker import loop

    if os.environ.get(processes.READY_FD):
        processes.die_with_parent()
    stop = asyncio.Event()
    processes.on_stop_signals(stop.set)
    await loop.run(
        core_address,
        token,
        name or f"{platform.node()}-{os.getpid()}",
        core_ca,
        stop=stop,
        on_ready=processes.report_ready,
        allow_unsandboxed=allow_unsandboxed,
    )


async def worker_token(settings: CoreSettings) -> None:
    """Prints the worker token."""
    async with prepared.prepare(settings) as ready:
        typer.echo(ready.worker_token)


async def upgrade(settings: CoreSettings) -> None:
    """Migrates the database."""
    async with prepared.prepare(settings) as ready:
        show.line(f"The database is at this release's schema ({'embedded' if ready.keeper else 'given'}).")


async def client_create(settings: CoreSettings, name: str, *, admin: bool, as_json: bool) -> None:
    """Makes a client and prints it."""
    from catenary_cli import clients

    async with prepared.prepare(settings) as ready:
        made = await clients.create(ready.dsn, ready.secret, name, admin=admin)
    if as_json:
        typer.echo(orjson.dumps(made).decode())
    else:
        show.pairs({"client_id": made["client_id"], "client_secret": made["client_secret"]})
