"""`catenary serve`: the flags, the demo, and the output for the person at the terminal."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from catenary_cli import addresses, show
from catenary_cli.installation.serving import Serving
from catenary_cli.options import edge_arguments
from catenary_cli.server import supervisor
from catenary_cli.server.admin import AdminAddress
from catenary_cli.server.supervisor import ServeOptions
from catenary_core.settings import CoreSettings
from catenary_edge.http.origin import check_bind, tls_context
from catenary_edge.settings import EdgeSettings

if TYPE_CHECKING:
    from catenary_cli.demo.setup import Demo


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeFlags:
    """The flags of `serve` other than the edge's."""

    host: str
    port: int
    grpc_port: int
    admin: AdminAddress
    nodes: int
    workers: int | None
    demo: bool
    once: bool
    verbose: bool


async def serve(settings: CoreSettings, edge: EdgeSettings, flags: ServeFlags) -> None:
    """Run everything until told to stop; with `once`, until everything is ready and the demo is made."""
    check_bind(edge, flags.host)
    tls = tls_context(edge) is not None
    options = ServeOptions(
        host=flags.host,
        port=flags.port,
        # A trusted proxy forwards HTTP only: without TLS of our own the gRPC port stays on loopback.
        grpc_host=flags.host if tls or addresses.is_loopback(flags.host) else "127.0.0.1",
        grpc_port=flags.grpc_port,
        admin=flags.admin,
        nodes=flags.nodes,
        workers=flags.workers if flags.workers is not None else len(os.sched_getaffinity(0)),
        https=tls,
        public_url=edge.public_url,
        verbose=flags.verbose,
        edge_arguments=edge_arguments(edge),
    )
    with show.progress("Starting database, API and workers") as say:
        async with supervisor.serving(settings, options) as running:
            if running.stopped.is_set():
                return
            made = None
            if flags.demo:
                from catenary_cli.demo import setup

                made = await setup.ensure(running.ready, running, edge.tls_cert, say)
            say(None)
            _show(running, made)
            if not flags.once:
                await running.stopped.wait()
                show.line("Stopping")


def _show(running: Serving, demo: Demo | None) -> None:
    """Print the addresses of the server and, with a demo, the first commands."""
    if demo is not None:
        show.evaluation(demo.evaluation)
    addresses = {
        "REST": running.base_url,
        "gRPC": running.grpc_address,
        "Admin": f"{running.admin_url}/readyz",
        "Data": str(running.ready.data_dir),
    }
    if demo is not None:
        addresses |= {
            "Client id": demo.client_id,
            "Client secret": demo.client_secret,
            "Project": demo.project_id,
            "Also in": str(demo.file),
        }
    show.pairs(addresses)
    if demo is not None:
        show.line(f"\nEvaluate it yourself, and list the tower's parameters that were rejected:\n\n{demo.curl}\n")
