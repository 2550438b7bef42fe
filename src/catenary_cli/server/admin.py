"""The admin port: liveness, readiness and metrics of this machine's processes. It listens on loopback by default."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST

from catenary_cli.addresses import check_free, is_loopback
from catenary_edge.http.hosts import is_loopback_host

Checks = Callable[[], Awaitable[Mapping[str, str]]]
"""Returns the parts by name, each `ok` or its problem."""
Notes = Callable[[], Mapping[str, str]]
"""Returns notes of parts that are ready, such as whether a worker's models run in a sandbox."""
Metrics = Callable[[], bytes]
"""Returns all metrics in Prometheus' text format."""


@dataclass(frozen=True, slots=True)
class AdminAddress:
    """The address of the admin port."""

    host: str
    port: int


@web.middleware
async def _loopback_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a Host that is not this machine's: a page in its browser could have any name point here (DNS rebinding)."""
    if is_loopback_host(request.headers.get("Host", "localhost")):
        return await handler(request)
    text = (
        "The admin port listens on loopback and takes only loopback hosts; call it at 127.0.0.1, or set --admin-host.\n"
    )
    return web.Response(status=400, text=text)


@asynccontextmanager
async def serving(address: AdminAddress, checks: Checks, notes: Notes, metrics: Metrics) -> AsyncIterator[int]:
    """Serve the admin port; yield its number.

    `/healthz` is 200 as long as this process runs, `/readyz` 200 if every part is `ok`, else 503; `/metrics` has the
    metrics.

    Raises:
        AddressError: The port is taken.
    """
    check_free(address.host, address.port, "--admin-port")
    app = web.Application(middlewares=[_loopback_only] if is_loopback(address.host) else [])

    async def healthz(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def readyz(_: web.Request) -> web.Response:
        parts = dict(await checks())
        ready = all(state == "ok" for state in parts.values())
        status = "ok" if ready else "not ready"
        body = {"status": status, "parts": parts, "notes": dict(notes())}
        return web.json_response(body, status=200 if ready else 503)

    async def counts(_: web.Request) -> web.Response:
        return web.Response(body=metrics(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    app.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", counts)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, address.host, address.port).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
