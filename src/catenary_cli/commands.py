"""What the commands do, once their flags are read."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import psycopg
import typer
import uvloop

from catenary_cli import clients, demo, prepared, processes, show, supervisor
from catenary_cli import node as node_module
from catenary_cli.api import Access, Api, ApiError
from catenary_cli.node import InsecureAddressError, Listen
from catenary_cli.options import edge_arguments
from catenary_cli.supervisor import ServeOptions, StartError
from catenary_core.embedded_postgres import EmbeddedPostgresError
from catenary_core.migrate import SchemaTooNewError
from catenary_core.settings import CoreSettings
from catenary_edge.settings import EdgeSettings

FORESEEN = (
    ApiError,
    EmbeddedPostgresError,
    InsecureAddressError,
    OSError,
    SchemaTooNewError,
    StartError,
    psycopg.OperationalError,
    ValueError,
    RuntimeError,
)


def run(command: Coroutine[Any, Any, None]) -> None:
    """Runs a command; what can be foreseen ends it with one sentence and exit code 1."""
    try:
        uvloop.run(command)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except FORESEEN as error:
        show.problem(str(error))
        raise typer.Exit(1) from None


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
    processes.die_with_parent()
    await node_module.run(
        core=settings,
        grpc_listen=Listen(host=host, port=grpc_port, shared=True),
        worker_socket=socket,
        edge=edge,
        edge_listen=Listen(host=host, port=port, shared=True),
    )


async def core(settings: CoreSettings, edge: EdgeSettings, host: str, grpc_port: int) -> None:
    """The gRPC core alone."""
    async with prepared.prepare(settings) as ready:
        show.line(f"gRPC core on {host}:{grpc_port}")
        await node_module.run(
            core=ready.settings, grpc_listen=Listen(host=host, port=grpc_port), tls=(edge.tls_cert, edge.tls_key)
        )


async def edge(settings: EdgeSettings, host: str, port: int, core_address: str, core_ca: Path | None) -> None:
    """The edge alone."""
    show.line(f"HTTP edge on {host}:{port}, core at {core_address}")
    await node_module.run(
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
    async with prepared.prepare(settings) as ready:
        made = await clients.create(ready.dsn, ready.secret, name, admin=admin)
    if as_json:
        typer.echo(orjson.dumps(made).decode())
    else:
        show.pairs({"client_id": made["client_id"], "client_secret": made["client_secret"]})


async def token(access: Access) -> None:
    """Prints an access token."""
    async with Api(access) as api:
        typer.echo((await api.token())["access_token"])


async def model_push(access: Access, file: Path, project_id: str, name: str | None, *, deploy: bool) -> None:
    """Uploads a version of the model of that name, made when there is none, and waits for its check."""
    wanted = name or file.stem
    with show.progress(f"Uploading {file.name}") as say:
        async with Api(access) as api:
            model_id = await _model_id(api, project_id, wanted)
            path = f"projects/{project_id}/models/{model_id}/versions"
            version = (await api.upload(path, file))["model_version"]
            say("Checking the model")
            version = await demo.until_ready(api, f"{path}/{version['model_version_id']}")
            if deploy:
                say("Deploying")
                await api.post(f"projects/{project_id}/deployments", {"model_version_id": version["model_version_id"]})
    show.version(wanted, version, deployed=deploy)


async def _model_id(api: Api, project_id: str, name: str) -> str:
    cursor: str | None = ""
    while cursor is not None:
        page, cursor = await api.page(f"projects/{project_id}/models?limit=200", cursor)
        for model in page["models"]:
            if model["name"] == name:
                return str(model["model_id"])
    made = await api.post(f"projects/{project_id}/models", {"name": name})
    return str(made["model"]["model_id"])


async def evaluate(access: Access, project_id: str, values: Sequence[str], out: Path | None, *, force: bool) -> None:
    """Evaluates, prints the result and writes the geometry; exit code 1 when the model failed."""
    parameters = dict(map(parse_value, values))
    with show.progress("Evaluating") as say:
        async with Api(access) as api:
            body = {"parameters": parameters, "force": force}
            answer = await api.post(f"projects/{project_id}/evaluate", body, {"Prefer": "wait=60"})
            evaluation = answer["evaluation"]
            while evaluation["status"] in ("queued", "running"):
                answer = await api.get(f"evaluations/{evaluation['evaluation_id']}", {"Prefer": "wait=60"})
                evaluation = answer["evaluation"]
            written = []
            if out is not None:
                say("Downloading")
                written = await _write_geometry(api, evaluation, out)
    show.evaluation(evaluation)
    for path, size in written:
        show.line(f"{path}: {size:,} bytes")
    if evaluation["status"] != "completed":
        raise typer.Exit(1)


async def _write_geometry(api: Api, evaluation: dict[str, Any], out: Path) -> list[tuple[Path, int]]:
    """One geometry goes to `out` itself, several to files with their names before its suffix."""
    parts = evaluation["geometry"]
    written = []
    for part in parts:
        target = out if len(parts) == 1 else out.with_name(f"{out.stem}-{part['name']}{out.suffix}")
        wanted = out.suffix.lstrip(".").lower()
        suffix = f".{wanted}" if wanted and wanted != part["format"] else ""
        written.append((target, await api.download(part["url"] + suffix, target)))
    return written


def parse_value(text: str) -> tuple[str, Any]:
    """`name=value` as a parameter: JSON where the value is JSON, `3 ft` as a value with a unit, anything else as text."""
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise ValueError(f"{text!r} is no value; write name=value")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError:
        pass
    number, _, unit = value.strip().partition(" ")
    try:
        return name, {"value": orjson.loads(number), "unit": unit.strip()}
    except orjson.JSONDecodeError:
        return name, value
