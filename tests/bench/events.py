"""Events on one machine: how soon they are on a WebSocket, a thousand WebSockets, and what writing one costs.

Run it as `python tests/bench/events.py [latency] [fan-out] [cost]`, all three by default. It starts a PostgreSQL of its own, a
node (core and edge) in a process, and readers in another. Times are from before the event's transaction begins to the bytes at
the reader, so they hold the insert, the commit, the sequencer, the feed and the edge. To hold: 50 ms p50 on one WebSocket; with
1,000 WebSockets that each see 100 events a second p99 of 1 s and no gap; the event at most 15 % of a put of one entry.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import multiprocessing
import re
import statistics
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import uvloop
from pydantic import SecretStr
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from catenary_cli.installation import clients
from catenary_core.bootstrap import CHANNELS, running_core
from catenary_core.database import migrate
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.event_log import events
from catenary_core.frame import Frame
from catenary_core.objects import Objects
from catenary_core.resources import resource
from catenary_core.secrets import Roots, Secrets
from catenary_core.services.events.sequencer import Sequencer
from catenary_core.settings import CoreSettings
from catenary_edge.server import create_app, start
from catenary_edge.settings import EdgeSettings
from catenary_edge.upstream import LocalUpstream
from integration.services.parameter_world import ParameterWorld, world_of

SECRET = bytes(range(32))
SOCKETS, RATE, SECONDS = few(1000, 50), few(100, 20), few(15, 3)
ROUNDS, PUTS = few(30), 20
_NOTED = re.compile(rb'"data":\{"n":(\d+),"at":(\d+)\}\}')


def node(dsn: str, folder: Path, pipe: Connection) -> None:
    """Core and edge in one process, until the pipe says stop; its port goes into the pipe."""

    async def run() -> None:
        settings = CoreSettings(
            database_url=SecretStr(dsn),
            data_dir=folder,
            secret_key=SecretStr(base64.b64encode(SECRET).decode()),
            streams_per_user=2 * SOCKETS,
        )
        async with running_core(settings) as core:
            edge = EdgeSettings(dev=True)
            runner = await start(create_app(LocalUpstream(core.dispatch), edge), edge, "127.0.0.1", 0)
            pipe.send(runner.port)
            await asyncio.to_thread(pipe.recv)
            used = time.process_time()
            pipe.send(used)
            await runner.stop()

    uvloop.run(run())


class Reader(asyncio.Protocol):
    """One WebSocket, by hand, so that a thousand cost little: what came, and whether each event came once and in order."""

    def __init__(self, token: str, ready: asyncio.Event, expected: list[int]) -> None:
        self.latencies: list[int] = []
        self.count = 0
        self.gaps = 0
        self._token = token
        self._ready = ready
        self._expected = expected
        self._rest = b""
        self._open = False

    def connection_made(self, transport: Any) -> None:
        transport.write(
            b"GET /ws?types=system.* HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            b"Authorization: Bearer " + self._token.encode() + b"\r\n\r\n"
        )

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        if not self._open:
            assert data.startswith(b"HTTP/1.1 101"), data
            self._open = True
            self._expected[0] -= 1
            if not self._expected[0]:
                self._ready.set()
        data = self._rest + data
        end = 0
        for match in _NOTED.finditer(data):
            self.gaps += int(match[1]) != self.count
            self.count = int(match[1]) + 1
            self.latencies.append(now - int(match[2]))
            end = match.end()
        self._rest = data[end:]


def readers(port: int, token: str, count: int, pipe: Connection) -> None:
    """So many WebSockets; when the pipe names the number of events, waits for all of them and tells how it went."""

    async def run() -> None:
        loop, ready, left = asyncio.get_running_loop(), asyncio.Event(), [count]
        found: list[Reader] = []
        for _ in range(count):
            _, reader = await loop.create_connection(lambda: Reader(token, ready, left), "127.0.0.1", port)
            found.append(reader)
        await ready.wait()
        pipe.send("ready")
        total = await asyncio.to_thread(pipe.recv)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(30):
                while any(reader.count < total for reader in found):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
        latencies = [one for reader in found for one in reader.latencies]
        pipe.send((latencies, sum(reader.gaps for reader in found), sum(len(reader.latencies) for reader in found)))

    uvloop.run(run())


async def write(dsn: str, count: int, rate: float) -> None:
    """Write events at a rate per second, each in a transaction of its own."""
    db = Database(dsn, max_connections=2)
    await db.open()
    began = time.monotonic()
    for number in range(count):
        await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
        noted = {"n": number, "at": time.monotonic_ns()}
        async with db.transaction() as tx:
            await events.write(tx, None, "system.maintenance", subject="/v1/system_events", data=noted)
    await db.close()


def streamed(dsn: str, folder: Path, name: str, sockets: int, count: int, rate: float) -> None:
    """Measures one load, and prints."""
    context = multiprocessing.get_context("spawn")
    (mine, its), (ours, theirs) = context.Pipe(), context.Pipe()
    made = asyncio.run(clients.create(dsn, SECRET, name, admin=True))
    server = context.Process(target=node, args=(dsn, folder, its))
    server.start()
    its.close()  # so that the end of the process is the end of the pipe
    port = mine.recv()
    answer = httpx.post(
        f"http://127.0.0.1:{port}/v1/auth/token", json={"grant_type": "client_credentials", **made}, timeout=30
    )
    client = context.Process(target=readers, args=(port, answer.json()["access_token"], sockets, theirs))
    client.start()
    theirs.close()
    assert ours.recv() == "ready"
    uvloop.run(write(dsn, count, rate))
    ours.send(count)
    latencies, gaps, received = ours.recv()
    mine.send("stop")
    used = mine.recv()
    client.join()
    server.join()
    latencies.sort()
    p50, p99 = (latencies[int(len(latencies) * part)] / 1e6 for part in (0.5, 0.99))
    print(
        f"{name:10} {sockets:5} WebSockets, {rate:.0f} events/s each: {received:9,} of {sockets * count:9,} events, {gaps} gaps, "
        f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {latencies[-1] / 1e6:.1f} ms; the node used {used:.1f} s CPU"
    )


async def cost(dsn: str, folder: Path) -> tuple[float, float]:
    """Return two median ratios of a put of one entry with its event to one without.

    The first is alone, the second with the sequencer in the process.
    """
    db, wakeups = Database(dsn, max_connections=5), Wakeups(dsn, CHANNELS)
    await db.open()
    await wakeups.start()
    frame = Frame(
        settings=CoreSettings(data_dir=folder),
        db=db,
        secrets=Secrets(Roots.derived(bytes(32))),
        objects=Objects(None, folder),
        wakeups=wakeups,
    )
    sequencer = Sequencer(frame)
    world = ParameterWorld(await world_of(frame))
    project, kind = await world.project(), await world.parameter_type()
    source = await world.source()
    made = await world.ann.call(
        "CreateParameters", parameters=[{"project_id": project, "parameter_type_id": kind["id"]}]
    )
    entry = {
        "entry_id": "00000000-0000-7000-8000-000000000001",
        "parameter_id": made["parameters"][0]["id"],
        "source_id": source["id"],
    }
    number = 0

    async def puts() -> float:
        nonlocal number
        began = time.perf_counter()
        for _ in range(PUTS):
            number += 1
            await world.ann.call("PutEntries", entries=[{**entry, "values": [{"value": {"double_value": number}}]}])
        return time.perf_counter() - began

    async def nothing(*given: Any) -> None:
        return None

    async def ratio() -> float:
        written = resource.events.write_all
        await puts()
        ratios = []
        for _ in range(ROUNDS):
            with_event = await puts()
            resource.events.write_all = nothing  # type: ignore[assignment]
            without = await puts()
            resource.events.write_all = written
            ratios.append(with_event / without)
        return statistics.median(ratios)

    alone = await ratio()
    await sequencer.start()
    beside = await ratio()
    await sequencer.stop()
    await wakeups.stop()
    await db.close()
    return alone, beside


def main() -> None:
    """Measures and prints."""
    wanted = sys.argv[1:] or ["latency", "fan-out", "cost"]
    with tempfile.TemporaryDirectory(prefix="catenary-") as text:
        folder = Path(text)
        folder.chmod(0o711)
        with embedded_postgres.start(folder / "pg") as server:
            migrate.upgrade(server.dsn)
            if "latency" in wanted:
                streamed(server.dsn, folder, "latency", 1, 200, 20)
            if "fan-out" in wanted:
                streamed(server.dsn, folder, "fan-out", SOCKETS, RATE * SECONDS, RATE)
            if "cost" in wanted:
                alone, beside = uvloop.run(cost(server.dsn, folder))
                print(
                    f"cost       put of one entry with its event : without: {alone:.3f} (to hold: 1.15); "
                    f"with the sequencer in the process {beside:.3f}"
                )


if __name__ == "__main__":
    main()
