"""`catenary serve`: everything on one machine, as processes that are watched and stopped together."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catenary_cli import addresses, admin, prepared
from catenary_cli.processes import STOP_SECONDS, Child, on_stop_signals
from catenary_core.settings import CoreSettings

START_SECONDS = 60.0


class StartError(ValueError):
    """A part did not come up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """How `serve` runs; `edge_arguments` go to every node as they are."""

    host: str
    port: int
    grpc_port: int
    admin_port: int
    nodes: int
    workers: int
    https: bool
    verbose: bool
    edge_arguments: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Serving:
    """A running installation."""

    base_url: str
    grpc_address: str
    admin_url: str
    ready: prepared.Prepared
    stopped: asyncio.Event


@asynccontextmanager
async def serving(settings: CoreSettings, options: ServeOptions) -> AsyncIterator[Serving]:
    """Starts database, nodes, workers and admin port, waits until all are ready, and stops them at the end.

    StartError when a part doesn't come up within a minute or ends again and again.
    """
    stopped = asyncio.Event()
    on_stop_signals(stopped.set)
    async with AsyncExitStack() as stack:
        ready = await stack.enter_async_context(prepared.prepare(settings))
        sockets = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="catenary-")))
        http = stack.enter_context(addresses.reserve(options.host, options.port))
        grpc = stack.enter_context(addresses.reserve(options.host, options.grpc_port))
        http_port, grpc_port = http.getsockname()[1], grpc.getsockname()[1]
        nodes = [
            _node(options, ready, http_port, grpc_port, sockets / f"node-{number}.sock", number)
            for number in range(options.nodes)
        ]
        workers = [
            _worker(options, ready, sockets / f"node-{number % options.nodes}.sock", number)
            for number in range(options.workers)
        ]

        def checks() -> dict[str, str]:
            keeper = {} if ready.keeper is None else {"postgres": ready.keeper.state}
            return keeper | {child.name: "ok" if child.ready.is_set() else "not ready" for child in children}

        runner, admin_port = await admin.start("127.0.0.1", options.admin_port, checks)
        stack.push_async_callback(runner.cleanup)
        children = [*nodes, *workers]
        stack.push_async_callback(_stop, workers, nodes)
        for child in children:
            child.start()
        await _until_ready(children, stopped)
        host = "127.0.0.1" if options.host in ("0.0.0.0", "::") else options.host  # noqa: S104 (compared, not bound)
        scheme = "https" if options.https else "http"
        yield Serving(
            f"{scheme}://{addresses.join(host, http_port)}/v1/",
            addresses.join(host, grpc_port),
            f"http://127.0.0.1:{admin_port}",
            ready,
            stopped,
        )


def _node(
    options: ServeOptions, ready: prepared.Prepared, port: int, grpc_port: int, socket: Path, number: int
) -> Child:
    arguments = ["node", "--host", options.host, "--port", str(port), "--grpc-port", str(grpc_port)]
    arguments += ["--socket", str(socket), *options.edge_arguments]
    return Child(f"node-{number}", arguments + _verbose(options), ready.environment)


def _worker(options: ServeOptions, ready: prepared.Prepared, socket: Path, number: int) -> Child:
    arguments = ["worker", "--core", f"unix:{socket}", "--name", f"{os.uname().nodename}-{number}"]
    return Child(f"worker-{number}", arguments + _verbose(options), {"CATENARY_WORKER_TOKEN": ready.worker_token})


def _verbose(options: ServeOptions) -> list[str]:
    return ["--verbose"] if options.verbose else []


async def _stop(*groups: Sequence[Child]) -> None:
    """One group after the other: workers first, since their last results need a node."""
    for group in groups:
        await asyncio.gather(*(child.stop(STOP_SECONDS + 5) for child in group))


async def _until_ready(children: Sequence[Child], stopped: asyncio.Event) -> None:
    everything: asyncio.Future[Any] = asyncio.gather(*(child.ready.wait() for child in children))
    ends: list[asyncio.Future[Any]] = [
        asyncio.ensure_future(event.wait()) for event in (stopped, *(child.failing for child in children))
    ]
    await asyncio.wait([everything, *ends], timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    for task in ends:
        task.cancel()
    if not everything.done() and not stopped.is_set():
        everything.cancel()
        names = ", ".join(child.name for child in children if not child.ready.is_set())
        raise StartError(f"{names} did not come up; the log above says why")
