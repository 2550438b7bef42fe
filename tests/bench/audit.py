"""The cost of the audit trail's row: writes with the trail and without it, by turns.

Run it as `python tests/bench/audit.py` with the project installed. It starts a PostgreSQL of its own, a core and an edge, and
renames a project: through the edge's HTTP port, as a caller does, and through the core's dispatcher, which is the work of
a write without HTTP. In each round there are 25 writes with the trail and 25 without it, one after the other by turns, and the
ratio of the two medians. It prints the median of the rounds' ratios; to hold: 10 % of a write as a caller sees it.
`--rounds N` (default 15).
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop
from smoke import few

from catenary.platform.v1 import auth_service_pb2, project_service_pb2
from catenary_core.bootstrap import Core
from catenary_core.database import migrate
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.services.identity.clients.creation import create_client

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.serving import serving

PAIRS = few(25, 3)
_PLATFORM = "/catenary.platform.v1"


async def _log_in(core: Core) -> dict[str, str]:
    async with core.frame.db.transaction() as tx:
        client, secret = await create_client(tx, core.frame.secrets, "bench", admin=False)
    request = auth_service_pb2.IssueTokenRequest(
        grant_type="client_credentials", client_id=client["client_id"], client_secret=secret
    )
    answer = await core.dispatch.call(f"{_PLATFORM}.AuthService/IssueToken", request, {})
    return {
        "authorization": f"Bearer {answer.body['access_token']}",
        "catenary-client-address": "192.0.2.1",
        "catenary-edge": "1",
    }


async def measure(dsn: str, folder: Path, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Return the median seconds of a write without and with the trail, for each round, by door."""
    async with serving(dsn, folder, requests_per_hour=10**9) as node:
        core = node.core
        metadata = await _log_in(core)
        made = await core.dispatch.call(
            f"{_PLATFORM}.ProjectService/CreateProject",
            project_service_pb2.CreateProjectRequest(name="0"),
            metadata,
        )
        project_id, trail, number = made.body["project"]["project_id"], core.dispatch._trail, 0
        connection = http.client.HTTPConnection("127.0.0.1", node.edge.port)
        headers = {"Authorization": metadata["authorization"], "Content-Type": "application/json"}

        def send(name: str) -> float:
            body = json.dumps({"name": name})
            began = time.perf_counter()
            connection.request("PATCH", f"/v1/projects/{project_id}", body, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            return time.perf_counter() - began

        async def by_http() -> float:
            return await asyncio.to_thread(send, str(number))

        async def by_dispatcher() -> float:
            request = project_service_pb2.UpdateProjectRequest(project_id=project_id, name=str(number))
            request.update_mask.paths.append("name")
            began = time.perf_counter()
            await core.dispatch.call(f"{_PLATFORM}.ProjectService/UpdateProject", request, metadata)
            return time.perf_counter() - began

        async def round_(write: Callable[[], Awaitable[float]]) -> tuple[float, float]:
            nonlocal number
            taken: dict[bool, list[float]] = {True: [], False: []}
            for pair in range(PAIRS):
                for kept in (True, False) if pair % 2 else (False, True):
                    number += 1
                    core.dispatch._trail = trail if kept else None
                    taken[kept].append(await write())
            return statistics.median(taken[False]), statistics.median(taken[True])

        doors = {"over HTTP": by_http, "in the dispatcher": by_dispatcher}
        for write in doors.values():
            await round_(write)
        found: dict[str, list[tuple[float, float]]] = {door: [] for door in doors}
        for _ in range(rounds):
            for door, write in doors.items():
                found[door].append(await round_(write))
        return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=few(15))
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="catenary-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with embedded_postgres.start(folder / "pg") as server:
            migrate.upgrade(server.dsn)
            found = uvloop.run(measure(server.dsn, folder, rounds))
    for door, pairs in found.items():
        without, kept = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
        cost = statistics.median(b / a for a, b in pairs) - 1
        print(f"a write {door:<18} {without:6.2f} ms without the trail, {kept:6.2f} ms with it, cost {cost:6.1%}")
    print("to hold over HTTP: 10 %")


if __name__ == "__main__":
    main()
