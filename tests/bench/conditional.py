"""GET of a page of 100 parameters: from the core, from what the edge keeps, and as a 304, side by side in one run.

Run it as `python tests/bench/conditional.py` with the project installed. It starts a PostgreSQL of its own with
20,000 parameters, a core, and two edges over it in the same process, one that keeps answers and one that doesn't. Raw HTTP/1.1
clients on kept-alive connections ask by turns for short rounds, so that a noisy machine is noisy for all. It prints the medians
of the rates and of their ratios; to hold: a 304 at least 10 times the uncached page.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import structlog
import uvloop
from pydantic import SecretStr
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from catenary_core.bootstrap import running_core
from catenary_core.database import migrate
from catenary_core.database.transactions import Database
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.keyring.ring import secrets_of
from catenary_core.services.identity.clients.creation import create_client
from catenary_core.settings import CoreSettings
from catenary_edge.server import create_app, start
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import LocalUpstream
from factories.database.many_parameters import fill, made_id

ROUNDS = few(9)
SECONDS = 0.4
CONNECTIONS = 4
PARAMETERS = 20_000
PATH = f"/parameter/v1/parameters?project_id={made_id('8002', 1)}&page_limit=100"


class Client:
    """One kept-alive connection that sends the same request."""

    def __init__(self, port: int, token: str, *more: str) -> None:
        lines = [f"GET {PATH} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}", *more, "", ""]
        self._port = port
        self._request = "\r\n".join(lines).encode()

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    def close(self) -> None:
        self._writer.close()

    async def ask(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers by their lower-case names, and body."""
        self._writer.write(self._request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(": ") for line in head[1:] if line)
        headers = {name.lower(): value for name, _, value in pairs}
        body = await self._reader.readexactly(int(headers.get("content-length", "0")))
        return int(head[0].split(" ")[1]), headers, body


async def _rate(clients: list[Client], status: int) -> float:
    count, began = 0, time.perf_counter()

    async def run(client: Client) -> None:
        nonlocal count
        while time.perf_counter() - began < SECONDS:
            found, _, _ = await client.ask()
            if found != status:
                raise RuntimeError(f"{found} instead of {status}")
            count += 1

    await asyncio.gather(*(run(client) for client in clients))
    return count / (time.perf_counter() - began)


async def measure(dsn: str, folder: Path) -> dict[str, list[float]]:
    """Return the rates of each round by the kind of answer."""
    database = Database(dsn, max_connections=2)
    await database.open()
    secrets = await secrets_of(database, bytes(32))
    async with database.transaction() as tx:
        client, secret = await create_client(tx, secrets, "bench", admin=False)
    await database.close()
    settings = CoreSettings(
        database_url=SecretStr(dsn),
        secret_key=SecretStr("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        data_dir=folder,
        public_url="http://localhost",
    )
    async with AsyncExitStack() as stack:
        core = await stack.enter_async_context(running_core(settings))
        ports = []
        for cache_limit in (64 * 2**20, 0):
            edge = EdgeSettings(dev=True, public_url="http://localhost", cache_limit=cache_limit)
            runner = await start(create_app(LocalUpstream(core.dispatch), edge), edge, "127.0.0.1", 0)
            stack.push_async_callback(runner.stop)
            ports.append(runner.port)
        token = await _token(ports[0], client["client_id"], secret)
        first = Client(ports[0], token)
        await first.open()
        status, headers, body = await first.ask()
        first.close()
        if status != 200 or body.count(b'"selected_entry"') != 100:
            raise RuntimeError(f"no page of 100 parameters: {status} {body[:200]!r}")
        kinds = {
            "uncached": (ports[1], 200, ()),
            "kept": (ports[0], 200, ()),
            "304": (ports[0], 304, (f"If-None-Match: {headers['etag']}",)),
        }
        clients = {
            kind: [Client(port, token, *more) for _ in range(CONNECTIONS)] for kind, (port, _, more) in kinds.items()
        }
        for client_ in (one for some in clients.values() for one in some):
            await client_.open()
            stack.callback(client_.close)
        rates: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(ROUNDS):
            for kind, (_, status, _) in kinds.items():
                rates[kind].append(await _rate(clients[kind], status))
        return rates


async def _token(port: int, client_id: str, secret: str) -> str:
    given = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret}
    async with aiohttp.ClientSession() as http, http.post(f"http://127.0.0.1:{port}/v1/auth/token", json=given) as got:
        return str((await got.json())["access_token"])


def main() -> None:
    """Measures and prints."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with tempfile.TemporaryDirectory(prefix="catenary-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with embedded_postgres.start(folder / "pg") as server:
            migrate.upgrade(server.dsn)
            fill(server.dsn, PARAMETERS)
            rates = uvloop.run(measure(server.dsn, folder))
    for kind, found in rates.items():
        ratios = [one / base for one, base in zip(found, rates["uncached"], strict=True)]
        print(f"{kind:>9}: {statistics.median(found):8,.0f}/s   {statistics.median(ratios):5.1f} of uncached")


if __name__ == "__main__":
    main()
