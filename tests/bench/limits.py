"""The cost of limits and their headers in a cached get, as CPU time of the edge's process.

Run it as `python tests/bench/limits.py` with the project installed. It starts a PostgreSQL of its own, a core and an edge in one
process, and a client process with four connections that are kept open. They get a page of one row, which the edge keeps after
each user's first; rounds with limits and without them take turns. 16 users send 900 requests each under the default limit of
1000, 75 at a time, so that leases are taken and given back as in use; then 16 others, four times in all. It prints microseconds
of CPU a request, the ratio (the median of those of two rounds that follow each other, since the machine's speed changes with the
second), and the leases taken; to hold: limits cost at most 15 % of the whole get.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import uvloop
from google.protobuf.message import Message
from pydantic import SecretStr
from smoke import few

from catenary_cli import logs
from catenary_cli.installation import clients
from catenary_core.bootstrap import running_core
from catenary_core.database import migrate
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.settings import CoreSettings
from catenary_edge.app import Edge
from catenary_edge.rate_limit import TAKE
from catenary_edge.server import start
from catenary_edge.settings import EdgeSettings
from catenary_edge.transcoding.services import Rpc
from catenary_edge.upstream import LocalUpstream

SECRET = bytes(32)
GROUPS, USERS, ROUNDS, CONNECTIONS = 4, 16, few(11), 4
REQUESTS = 75
"""Of a user in a round."""
PATH = "/reference/v2/source_types?page_limit=1"


class Counting(LocalUpstream):
    """The core, counting leases."""

    taken = 0

    async def ask(self, rpc: Rpc, request: Message, metadata: Mapping[str, str], timeout: float) -> Mapping[str, Any]:  # noqa: ASYNC109
        """Ask the core, and count the leases."""
        self.taken += rpc.path == TAKE
        return await super().ask(rpc, request, metadata, timeout)


async def _client(port: int, tokens: list[str]) -> None:
    """Run the client process: each line of input names a group of users, for whom it makes one round."""

    async def connection(share: list[str]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for token in share:
            head = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
            for _ in range(REQUESTS):
                writer.write(head.encode())
                answer = (await reader.readuntil(b"\r\n\r\n")).lower()
                assert answer.startswith(b"http/1.1 200"), answer
                await reader.readexactly(int(answer.partition(b"content-length: ")[2].split(b"\r\n")[0]))
        writer.close()

    for line in sys.stdin:
        group = tokens[int(line) :: GROUPS]
        await asyncio.gather(*(connection(group[first::CONNECTIONS]) for first in range(CONNECTIONS)))
        sys.stdout.write("done\n")
        sys.stdout.flush()


async def measure(dsn: str, folder: Path) -> tuple[float, float, float, float]:
    """Return CPU microseconds a request without limits and with them.

    Then follow the limits' part of the latter, and requests a lease.
    """
    settings = CoreSettings(
        database_url=SecretStr(dsn),
        secret_key=SecretStr("A" * 43 + "="),
        data_dir=folder,
        public_url="https://x.example",
    )
    async with running_core(settings) as core:
        upstream = Counting(core.dispatch)
        edge_settings = EdgeSettings(dev=True)
        edge = Edge(upstream, edge_settings)
        runner = await start(edge, edge_settings, "127.0.0.1", 0)
        tokens = []
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{runner.port}", timeout=120) as http:
            for number in range(GROUPS * USERS):
                made = await clients.create(dsn, SECRET, f"bench {number}", admin=False)
                answer = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **made})
                tokens.append(answer.json()["access_token"])
        line = [sys.executable, __file__, str(runner.port), *tokens]
        pipe = asyncio.subprocess.PIPE
        client = await asyncio.create_subprocess_exec(*line, stdin=pipe, stdout=pipe)
        assert client.stdin is not None
        assert client.stdout is not None
        charge = edge._leases.charge

        async def free(user_id: str, metadata: Mapping[str, str]) -> Any:
            return None

        found: dict[bool, list[float]] = {False: [], True: []}
        for group, number in itertools.product(range(GROUPS), range(2 * ROUNDS + 2)):
            limited = bool(number % 2)
            edge._leases.charge = charge if limited else free  # type: ignore[method-assign]
            began = time.process_time()
            client.stdin.write(b"%d\n" % group)
            assert await client.stdout.readline() == b"done\n"
            if number > 1:  # the first two warm up
                found[limited].append((time.process_time() - began) / (USERS * REQUESTS) * 1e6)
        client.stdin.close()
        await client.wait()
        await runner.stop()
    per_lease = GROUPS * USERS * REQUESTS * (ROUNDS + 1) / upstream.taken
    cost = statistics.median(1 - free / limited for free, limited in zip(found[False], found[True], strict=True))
    return statistics.median(found[False]), statistics.median(found[True]), cost, per_lease


def main() -> None:
    """Print the table."""
    logs.configure("bench", verbose=False)
    with tempfile.TemporaryDirectory(prefix="catenary-bench-") as folder:
        root = Path(folder)
        root.chmod(0o711)
        with embedded_postgres.start(root / "pg") as server:
            migrate.upgrade(server.dsn)
            free, limited, cost, per_lease = uvloop.run(measure(server.dsn, root))
    sys.stdout.write(f"cached get without limits       {free:8.1f} us CPU\n")
    sys.stdout.write(f"cached get with limits          {limited:8.1f} us CPU, {per_lease:.1f} requests a lease\n")
    sys.stdout.write(f"limits and headers cost         {cost:8.1%} of the get (to hold: 15 %)\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(_client(int(sys.argv[1]), sys.argv[2:]))
    else:
        main()
