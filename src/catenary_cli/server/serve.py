"""`catenary serve`: the flags, the demo, and the output for the person at the terminal."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from catenary_cli import addresses, show
from catenary_cli.installation import presence
from catenary_cli.installation.serving import Serving
from catenary_cli.options import edge_arguments
from catenary_cli.running import foreseen_errors
from catenary_cli.server import descriptors, supervisor
from catenary_cli.server.admin import AdminAddress
from catenary_cli.server.descriptors import ConnectionFlags
from catenary_cli.server.supervisor import ServeOptions
from catenary_core.background.failures import end
from catenary_core.settings import CoreSettings
from catenary_edge.http.origin import check_bind, refuses_everything, tls_context
from catenary_edge.settings import EdgeSettings
from catenary_edge.studio import files as studio

if TYPE_CHECKING:
    from catenary_cli.demo.setup import Demo

NO_STUDIO = "not built, since the npm registry could not be reached; install Catenary again to build it"


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
    connections: ConnectionFlags


async def serve(settings: CoreSettings, edge: EdgeSettings, flags: ServeFlags) -> None:
    """Run everything until told to stop; with `once`, until everything is ready and the demo is made."""
    check_bind(edge, flags.host)
    # The nodes share their descriptors themselves; what they would refuse is refused before the database starts.
    descriptors.both_ports(flags.connections, descriptors.raise_limit(), settings.max_connections)
    tls = tls_context(edge) is not None
    has_guest = flags.demo and takes_guests(edge, flags.host)
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
        edge_arguments=[*edge_arguments(edge), *flags.connections.arguments(), *(["--demo"] if has_guest else [])],
    )
    with show.progress("Starting database, API and workers") as say:
        async with supervisor.serving(settings, options) as running:
            if running.stopped.is_set():
                return
            data_dir = running.ready.data_dir
            with presence.of_server(data_dir) as joins, presence.DemoFileOwner(data_dir) as owner:
                made = await _demo(running, edge, owner, say, guest=has_guest) if flags.demo else None
                say(None)
                if running.stopped.is_set():
                    return
                _show(running, made, joins=joins)
                if made is None:
                    _show_next_steps(settings, edge)
                if not flags.once:
                    await running.stopped.wait()
                    show.line("Stopping")


def takes_guests(edge: EdgeSettings, host: str) -> bool:
    """Tell whether only this machine can reach a server, so that the demo guest may sign in without a secret."""
    return addresses.is_loopback(host) and edge.tls_cert is None and not edge.trusted_proxies


async def _demo(
    running: Serving,
    edge: EdgeSettings,
    owner: presence.DemoFileOwner,
    say: Callable[[str | None], None],
    *,
    guest: bool,
) -> Demo | None:
    """Make the demo; None if that is not possible, since the server runs without it too, or if it is told to stop."""
    from catenary_cli.demo import setup

    making = asyncio.create_task(setup.ensure(running, edge.tls_cert, owner, say, guest=guest), name="demo")
    stopping = asyncio.create_task(running.stopped.wait(), name="stop")
    try:
        await asyncio.wait((making, stopping), return_when=asyncio.FIRST_COMPLETED)
        if making.done():
            return making.result()
        await end(making)
    except foreseen_errors() as error:
        show.problem(f"there is no demo: {str(error).strip()}")
    finally:
        await end(stopping)
    return None


def _show(running: Serving, demo: Demo | None, *, joins: bool) -> None:
    """Print the addresses of the server and, with a demo, its evaluation and the first commands."""
    if demo is not None and demo.evaluation is not None:
        show.evaluation(demo.evaluation)
    if joins:
        show.lines("Another server runs on this data directory; this one joins it: both use the same database.\n")
    values = {
        "REST": running.base_url,
        "Studio": f"{running.root_url}studio" if studio.names() else NO_STUDIO,
        "Reference": f"{running.root_url}docs",
        "Guide": f"{running.root_url}docs/guide",
        "gRPC": running.grpc_address,
        "Admin": f"{running.admin_url}/readyz",
        "Data": str(running.ready.data_dir),
    }
    if demo is None:
        show.pairs(values)
        return
    values |= {"Client id": demo.client_id, "Client secret": demo.client_secret}
    if demo.project_id is not None:
        values["Project"] = demo.project_id
    values["Also in"] = str(demo.file) if demo.is_in_file else f"{demo.file} (with the addresses of the other server)"
    show.pairs(values)
    if demo.problems:
        show.lines("\nThe server runs, but not all of the demo could be made:\n")
        for problem in demo.problems:
            show.line(f"- {problem}")
    purposes = ", ".join(purpose for purpose, _ in demo.commands)
    show.lines(f"\nTry it yourself ({purposes}):\n")
    for _, command in demo.commands:
        show.line(command)
    show.line("")


def _show_next_steps(settings: CoreSettings, edge: EdgeSettings) -> None:
    """Print how a server without TLS can answer, and the command that creates the first client."""
    if refuses_everything(edge):
        show.ways_to_serve()
    folder = "" if settings.data_dir is None else f" --data-dir {shlex.quote(str(settings.data_dir))}"
    show.lines(f"\nNext, create a client, for its id and secret:\n\n  catenary client create NAME --admin{folder}\n")
