"""Share links beside tokens: what a read costs, and how soon a thousand streams end with their link.

Run it as `python tests/bench/links.py` with the project installed. It starts a PostgreSQL of its own, and a
core with its edge in the same process. Raw HTTP/1.1 clients on kept-alive connections ask by turns for short rounds: by a
token, by a link to the project, by a link to a variant; for that variant, which no edge keeps, and for the parameters, which
it keeps. Then a thousand WebSockets by one link are open while it is deleted. It prints rates
and the medians of their ratios; to hold: a read by a link takes at most 10 % more than by a token, and
all streams are closed within 5 s.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import structlog
import uvloop
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from catenary_core.database import migrate
from catenary_core.embedded_postgres import server as embedded_postgres
from factories.events.world import World, world
from factories.services.shares import Link, link, variant

ROUNDS, SECONDS, CONNECTIONS, STREAMS = few(15), 0.4, 4, few(1000, 50)
UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)


class Client:
    """One kept-alive connection that sends the same request."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        given = [f"{name}: {value}" for name, value in headers.items()]
        self._port = port
        self._request = "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *given, "", ""]).encode()

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    def close(self) -> None:
        self._writer.close()

    async def ask(self) -> None:
        self._writer.write(self._request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        if not head.startswith(b"http/1.1 200"):
            raise RuntimeError(f"no variant: {head!r}")
        await self._reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))


async def _rate(clients: list[Client]) -> float:
    count, began = 0, time.perf_counter()

    async def run(client: Client) -> None:
        nonlocal count
        while time.perf_counter() - began < SECONDS:
            await client.ask()
            count += 1

    await asyncio.gather(*(run(client) for client in clients))
    return count / (time.perf_counter() - began)


async def reads(port: int, paths: dict[str, str], callers: dict[str, dict[str, str]]) -> dict[tuple[str, str], Any]:
    """Return the rates of each round, by what is read and the caller."""
    clients = {
        (what, name): [Client(port, path, headers) for _ in range(CONNECTIONS)]
        for what, path in paths.items()
        for name, headers in callers.items()
    }
    for one in (one for some in clients.values() for one in some):
        await one.open()
    rates: dict[tuple[str, str], list[float]] = {kind: [] for kind in clients}
    for number in range(ROUNDS + 1):
        for kind, some in clients.items():
            rate = await _rate(some)
            if number:  # the first round warms up
                rates[kind].append(rate)
    for one in (one for some in clients.values() for one in some):
        one.close()
    return rates


class Stream(asyncio.Protocol):
    """One WebSocket by a link, by hand, so that a thousand cost little."""

    def __init__(self, token: str) -> None:
        self._token = token
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        lines = [
            "GET /ws HTTP/1.1",
            "Host: localhost",
            *UPGRADE,
            f"Sec-WebSocket-Protocol: share.{self._token}",
            "",
            "",
        ]
        transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        if not self.opened.done():
            assert data.startswith(b"HTTP/1.1 101"), data
            self.opened.set_result(None)
        elif data[0] == 0x88 and not self.closed.done():
            self.closed.set_result(data[2:4])

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_exception(ConnectionError("closed without a code"))


async def ends(here: World, port: int, owner: Any, project_id: str, shown: Link) -> tuple[float, float]:
    """Return the seconds from a link's deletion to the end of half of its streams, and of all."""
    loop = asyncio.get_running_loop()
    streams = [
        (await loop.create_connection(lambda: Stream(shown.token), "127.0.0.1", port))[1] for _ in range(STREAMS)
    ]
    await asyncio.gather(*(stream.opened for stream in streams))
    began, times = time.perf_counter(), []
    for stream in streams:
        stream.closed.add_done_callback(lambda _: times.append(time.perf_counter() - began))
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}/shares/{shown.share_id}")
    codes = await asyncio.gather(*(stream.closed for stream in streams))
    assert {int.from_bytes(code) for code in codes} == {1008}
    await asyncio.sleep(0)
    times.sort()
    return times[len(times) // 2], times[-1]


async def measure(dsn: str, folder: Path) -> None:
    """Measure, and print."""
    limits = {"requests_per_hour": 10**9, "streams_per_user": 2 * STREAMS}
    async with world(dsn, folder, **limits) as here:
        port = int(here.url.rpartition(":")[2])
        owner = await here.caller("bench")
        project_id = await here.project(owner)
        variant_id = (await variant(here, owner, project_id))["variant_id"]
        of_project = await link(here, owner, project_id)
        of_variant = await link(here, owner, project_id, variant_id=variant_id)
        callers = {"token": owner.headers, "project's link": of_project.headers, "variant's link": of_variant.headers}
        paths = {"variant": f"/v1/variants/{variant_id}", "parameters": f"/v1/projects/{project_id}/parameters"}
        for (what, name), found in (rates := await reads(port, paths, callers)).items():
            by_token = rates[what, "token"]
            more = statistics.median(token / one for token, one in zip(by_token, found, strict=True)) - 1
            print(f"{what:>10}, {name:14}: {statistics.median(found):8,.0f}/s   {more:+6.1%} more than by a token")
        half, last = await ends(here, port, owner, project_id, of_project)
        print(f"deleted to closed at {STREAMS} WebSockets: {half:.2f} s half, {last:.2f} s all")


def main() -> None:
    """Start a database, measure."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with tempfile.TemporaryDirectory(prefix="catenary-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with embedded_postgres.start(folder / "pg") as server:
            migrate.upgrade(server.dsn)
            uvloop.run(measure(server.dsn, folder))


if __name__ == "__main__":
    main()
