"""A node in the test's own process: a core, its gRPC door, and an edge, in the core's process or behind gRPC."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from catenary_core import bootstrap
from catenary_core.bootstrap import Core, running_core
from catenary_core.database.transactions import Database
from catenary_core.server import grpc_server
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.identity.workers import tokens
from catenary_core.settings import CoreSettings
from catenary_edge.server import Runner, create_app, start
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import SUBSCRIPTION_OPTIONS, GrpcUpstream, LocalUpstream, Upstream, open_channel
from catenary_worker import loop as worker_loop

SECRET = bytes(range(32))
PUBLIC_URL = "https://catenary.example"


def core_settings(dsn: str, folder: Path, **settings: Any) -> CoreSettings:
    """Return settings of a core on the database, with `SECRET` unless another secret is given."""
    given = {"secret_key": SecretStr(base64.b64encode(SECRET).decode()), **settings}
    return CoreSettings(database_url=SecretStr(dsn), data_dir=folder, **given)


async def prepare(dsn: str) -> None:
    """Prepare a migrated database as the first start of a core does; the secret is left to that start."""
    db = Database(dsn)
    await db.open()
    try:
        await bootstrap._prepare(db)
    finally:
        await db.close()


@dataclass
class Serving:
    """A running core and edge; a test may put another edge in the place of its own."""

    core: Core
    edge: Runner
    grpc_port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.edge.port}"


@asynccontextmanager
async def serving(
    dsn: str,
    folder: Path,
    *,
    remote: bool = False,
    edge: EdgeSettings | None = None,
    demo: bool = False,
    **settings: Any,
) -> AsyncIterator[Serving]:
    """Run a node until the block ends. `remote`: the edge reaches the core over gRPC. `settings` are the core's."""
    async with AsyncExitStack() as stack:
        core = await stack.enter_async_context(running_core(core_settings(dsn, folder, **settings), demo=demo))
        port = await stack.enter_async_context(grpc_port(core.dispatch))
        for close in core.closers:
            stack.callback(close)
        upstream: Upstream = over_grpc(port) if remote else LocalUpstream(core.dispatch)
        node = Serving(core, await open_edge(upstream, edge), port)
        stack.push_async_callback(lambda: node.edge.stop())  # whichever it is by then
        yield node


@asynccontextmanager
async def grpc_port(dispatch: Dispatch, trusted_edges: Sequence[str] = grpc_server.LOOPBACK) -> AsyncIterator[int]:
    """Serve a dispatcher over gRPC on loopback until the block ends; yield the port."""
    server, _ = grpc_server.create_server(dispatch, trusted_edges=trusted_edges)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield port
    finally:
        await server.stop(1)


async def open_edge(upstream: Upstream, settings: EdgeSettings | None = None, port: int = 0) -> Runner:
    """Start an edge on loopback, at a free port if none is given; the caller stops it."""
    settings = settings or EdgeSettings(dev=True)
    return await start(create_app(upstream, settings), settings, "127.0.0.1", port)


def over_grpc(port: int) -> GrpcUpstream:
    """Return an upstream to a core's gRPC server on loopback."""
    target = f"127.0.0.1:{port}"
    return GrpcUpstream(lambda: open_channel(target), lambda: open_channel(target, None, SUBSCRIPTION_OPTIONS))


@asynccontextmanager
async def working(node: Serving) -> AsyncIterator[None]:
    """Run a worker, ready at the start of the block, until the block ends."""
    stop, ready = asyncio.Event(), asyncio.Event()
    async with node.core.frame.db.transaction() as tx:
        _, token = await tokens.create(tx, "test")
    worker = asyncio.create_task(
        worker_loop.run(
            f"127.0.0.1:{node.grpc_port}",
            token,
            "test",
            None,
            stop=stop,
            on_ready=lambda _: ready.set(),
            allow_unsandboxed=False,
        )
    )
    try:
        await asyncio.wait_for(ready.wait(), 60)
        yield
    finally:
        stop.set()
        await worker
