"""`catenary serve`: everything on one machine, as processes that are watched and stopped together."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catenary_cli import addresses
from catenary_cli.installation import prepared, worker_tokens
from catenary_cli.installation.serving import Serving
from catenary_cli.server import admin, doors, worker_environment
from catenary_cli.server.metrics import ChildMetrics
from catenary_cli.server.processes import STOP_SECONDS, ChildProcess, StopSignals
from catenary_core.limits.free_space import FreeSpace
from catenary_core.settings import CoreSettings

START_SECONDS = 60.0


class StartError(ValueError):
    """A part did not become ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """The options of `serve`."""

    host: str
    port: int
    grpc_host: str
    grpc_port: int
    admin: admin.AdminAddress
    nodes: int
    workers: int
    https: bool
    public_url: str
    verbose: bool
    edge_arguments: Sequence[str] = field(default_factory=tuple)
    """Passed to every node as they are."""


@asynccontextmanager
async def serving(settings: CoreSettings, options: ServeOptions) -> AsyncIterator[Serving]:
    """Start database, nodes, workers and admin port, wait until all are ready, and stop them at the end.

    Raises:
        StartError: A part is not ready after a minute, or ends again and again.
    """
    stopped = StopSignals().first
    async with AsyncExitStack() as stack:
        http = stack.enter_context(addresses.reserve(options.host, options.port))
        grpc = stack.enter_context(addresses.reserve(options.grpc_host, options.grpc_port, "--grpc-port"))
        http_port, grpc_port = http.getsockname()[1], grpc.getsockname()[1]
        children: list[ChildProcess] = []
        ready: prepared.Prepared | None = None
        space = FreeSpace()
        ready_doors = {
            "http": doors.http(addresses.reachable(options.host), http_port, tls=options.https, nodes=options.nodes),
            "grpc": doors.grpc(
                addresses.reachable(options.grpc_host), grpc_port, tls=options.https, nodes=options.nodes
            ),
        }

        async def checks() -> dict[str, str]:
            stopping = {"serve": "stopping"} if stopped.is_set() else {}
            database = {"database": "starting" if ready is None else ready.state}
            open_doors = ready_doors if all(child.ready.is_set() for child in children) and not stopping else {}
            through = await asyncio.gather(*(reach() for reach in open_doors.values()))
            states = {child.name: child.state for child in children}
            return {**stopping, **database, **states, **dict(zip(open_doors, through, strict=True))}

        def notes() -> dict[str, str]:
            told = {child.name: child.note for child in children if child.note and child.ready.is_set()}
            return {**told, **space.notes()}

        sockets = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="catenary-")))
        counts = ChildMetrics(sockets / "metrics", lambda: children)
        # Started first and stopped last: it reports on all others while they start and stop.
        admin_port = await stack.enter_async_context(admin.serving(options.admin, checks, notes, counts.text))
        # Workers need no database to warm up: they start while the database does.
        home = prepared.home(settings)
        space = FreeSpace(home.data_dir, settings.free_space)
        workers = [
            _worker(options, home, sockets / f"node-{number % options.nodes}.sock", number)
            for number in range(options.workers)
        ]
        stack.push_async_callback(_stop, workers, ())
        _start(workers, children)
        ready = await stack.enter_async_context(prepared.prepare(settings))
        await worker_tokens.add_own(ready)
        nodes = [
            _node(
                options,
                {**os.environ, **ready.environment, **counts.environment},
                http_port,
                grpc_port,
                sockets / f"node-{number}.sock",
                number,
            )
            for number in range(options.nodes)
        ]
        stack.push_async_callback(_stop, workers, nodes)
        if not stopped.is_set():
            _start(nodes, children)
            await _until_ready(children, stopped)
        scheme = "https" if options.https else "http"
        local_url = f"{scheme}://{addresses.join(addresses.reachable(options.host), http_port)}/v1/"
        yield Serving(
            f"{options.public_url.rstrip('/')}/v1/" if options.public_url else local_url,
            local_url,
            addresses.join(addresses.reachable(options.grpc_host), grpc_port),
            f"http://{addresses.join(addresses.reachable(options.admin.host), admin_port)}",
            ready,
            stopped,
        )


def _node(
    options: ServeOptions, environment: Mapping[str, str], port: int, grpc_port: int, socket: Path, number: int
) -> ChildProcess:
    arguments = ["node", "--host", options.host, "--port", str(port), "--grpc-port", str(grpc_port)]
    arguments += ["--grpc-host", options.grpc_host, "--socket", str(socket), *options.edge_arguments]
    return ChildProcess(f"node-{number}", arguments + _verbose(options), environment)


def _worker(options: ServeOptions, home: prepared.Home, socket: Path, number: int) -> ChildProcess:
    arguments = ["worker", "--core", f"unix:{socket}", "--name", f"{os.uname().nodename}-{number}"]
    variables = {**worker_environment.allowed(os.environ), "CATENARY_WORKER_TOKEN": home.worker_token}
    return ChildProcess(f"worker-{number}", arguments + _verbose(options), variables)


def _verbose(options: ServeOptions) -> list[str]:
    return ["--verbose"] if options.verbose else []


def _start(group: Sequence[ChildProcess], children: list[ChildProcess]) -> None:
    for child in group:
        children.append(child)
        child.start()


async def _stop(workers: Sequence[ChildProcess], nodes: Sequence[ChildProcess]) -> None:
    """Stop all children, each with its grace period; nodes stop after the workers.

    All are asked at once, so that no new request comes; but the nodes accept workers' results until the workers have
    ended.
    """
    end = time.monotonic() + STOP_SECONDS + 5  # a node still releases its resources after its last response
    for child in (*workers, *nodes):
        child.request_stop()
    await asyncio.gather(*(child.wait_ended(STOP_SECONDS) for child in workers))
    for child in nodes:
        child.request_stop()
    await asyncio.gather(*(child.wait_ended(max(2.0, end - time.monotonic())) for child in nodes))


async def _all_ready(children: Sequence[ChildProcess]) -> None:
    for child in children:
        await child.ready.wait()


async def _until_ready(children: Sequence[ChildProcess], stopped: asyncio.Event) -> None:
    everything = asyncio.create_task(_all_ready(children))
    ends: list[asyncio.Future[Any]] = [
        asyncio.ensure_future(event.wait()) for event in (stopped, *(child.failing for child in children))
    ]
    await asyncio.wait([everything, *ends], timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    for task in ends:
        task.cancel()
    if not everything.done() and not stopped.is_set():
        everything.cancel()
        names = ", ".join(child.name for child in children if not child.ready.is_set())
        raise StartError(f"{names} did not become ready; the log above has the reason")
