"""The admin port: whether this machine's processes live and are ready. Loopback unless told otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from aiohttp import web

from catenary_cli.addresses import check_free

Checks = Callable[[], Mapping[str, str]]
"""The parts by name, each `ok` or what is wrong with it."""


async def start(host: str, port: int, checks: Checks) -> tuple[web.AppRunner, int]:
    """Serves `/healthz` (this process runs: always 200) and `/readyz` (200 when every part is `ok`, else 503); the port.

    AddressError when the port is taken.
    """
    check_free(host, port)
    app = web.Application()

    async def healthz(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def readyz(_: web.Request) -> web.Response:
        parts = dict(checks())
        ready = all(state == "ok" for state in parts.values())
        status = "ok" if ready else "not ready"
        return web.json_response({"status": status, "parts": parts}, status=200 if ready else 503)

    app.add_routes([web.get("/healthz", healthz), web.get("/readyz", readyz)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, host, port)
    await site.start()
    return runner, int(runner.addresses[0][1])
