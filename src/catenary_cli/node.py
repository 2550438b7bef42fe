"""One node: core and edge in one event loop, or either of them alone."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc

from catenary_cli.addresses import is_loopback, join
from catenary_cli.processes import STOP_SECONDS, on_stop_signals, report_ready
from catenary_core import grpc_door
from catenary_core.bootstrap import Core, running_core
from catenary_core.settings import CoreSettings
from catenary_edge.server import create_app
from catenary_edge.server import start as start_edge
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import GrpcUpstream, LocalUpstream, Upstream, open_channel

TlsFiles = tuple[Path | None, Path | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """An address to listen on; `shared` lets other nodes of this machine listen on it too."""

    host: str
    port: int
    shared: bool = False


class InsecureAddressError(ValueError):
    """An address that others can reach was asked for, without TLS."""


async def run(
    *,
    core: CoreSettings | None = None,
    grpc_listen: Listen | None = None,
    tls: TlsFiles = (None, None),
    worker_socket: Path | None = None,
    edge: EdgeSettings | None = None,
    edge_listen: Listen | None = None,
    upstream_address: str | None = None,
    upstream_ca: Path | None = None,
) -> None:
    """Runs until SIGTERM or SIGINT: a core when `core` is given, an edge when `edge` is.

    The gRPC port has the TLS files of the edge, or `tls` without one; `worker_socket` is a Unix socket beside it for workers
    of this machine. An edge without a core in this process reaches one at `upstream_address`, with TLS when `upstream_ca` is
    given. Stopping takes no new requests and finishes what runs, for up to 30 s.
    """
    stop = asyncio.Event()
    on_stop_signals(stop.set)
    async with AsyncExitStack() as stack:
        upstream: Upstream | None = None
        if core is not None:
            running = await stack.enter_async_context(running_core(core))
            upstream = LocalUpstream(running.dispatch)
            if grpc_listen is not None:
                files = (edge.tls_cert, edge.tls_key) if edge is not None else tls
                await _open_grpc(stack, running, grpc_listen, tls_credentials(*files), worker_socket)
        elif upstream_address is not None:
            roots = None if upstream_ca is None else await asyncio.to_thread(upstream_ca.read_bytes)
            upstream = GrpcUpstream(open_channel(upstream_address, roots))
        if edge is not None and edge_listen is not None:
            if upstream is None:
                raise ValueError("an edge needs a core: in this process, or the address of one")
            server = await start_edge(
                create_app(upstream, edge), edge, edge_listen.host, edge_listen.port, reuse_port=edge_listen.shared
            )
            stack.push_async_callback(server.stop)
        report_ready()
        await stop.wait()


async def _open_grpc(
    stack: AsyncExitStack,
    core: Core,
    listen: Listen,
    credentials: grpc.ServerCredentials | None,
    worker_socket: Path | None,
) -> None:
    server, health = grpc_door.create_server(
        core.dispatch, reuse_port=listen.shared, trusted_edges=core.frame.settings.trusted_edges
    )
    address = join(listen.host, listen.port)
    if credentials is None and not is_loopback(listen.host):
        raise InsecureAddressError(
            f"gRPC on {address} would be open to others without TLS; give --tls-cert and --tls-key, or a loopback address"
            " such as 127.0.0.1"
        )
    if credentials is None:
        server.add_insecure_port(address)
    else:
        server.add_secure_port(address, credentials)
    if worker_socket is not None:
        server.add_insecure_port(f"unix:{worker_socket}")
    await server.start()
    await grpc_door.set_serving(health, core.dispatch, serving=True)

    async def close() -> None:
        await grpc_door.set_serving(health, core.dispatch, serving=False)
        await server.stop(STOP_SECONDS)

    stack.push_async_callback(close)


def tls_credentials(cert: Path | None, key: Path | None) -> grpc.ServerCredentials | None:
    """The gRPC port's credentials from the edge's TLS files; None without them."""
    if cert is None or key is None:
        return None
    return grpc.ssl_server_credentials([(key.read_bytes(), cert.read_bytes())])
