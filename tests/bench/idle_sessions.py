"""Twenty live sessions that rest, and one of ten thousand designs: what they cost in memory and processor time.

Run it with `.venv/bin/python tests/bench/idle_sessions.py`. It opens twenty sessions of the demo's tower, has each compute one
design, and lets them rest. It prints the memory that each adds (to hold: 10 MiB) and the processor time that all of them take in
a minute beyond that of the installation without them (to hold: none, within what it varies by). Then it prints the memory after
each two thousand designs of one session (to hold: no growth).

The memory is the proportional set size of all processes of the installation, in which a page that several processes share counts
once (proc(5), smaps).
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import aiohttp
import psutil
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.installation import Installation, client_of, measured

SESSIONS = few(20, 3)
SECONDS = few(60, 2)
DESIGNS, TOLD = few(10_000, 20), few(2_000, 10)
MEBIBYTE = 1 << 20


class Cost:
    """The processes of an installation, of models too."""

    def __init__(self, installation: Installation) -> None:
        pids = {installation.process.pid, installation.postmaster()}
        self._roots = [psutil.Process(pid) for pid in pids]

    def _sum(self, what: Callable[[psutil.Process], float]) -> float:
        total = 0.0
        for process in {one for root in self._roots for one in [root, *root.children(recursive=True)]}:
            with suppress(psutil.NoSuchProcess):
                total += what(process)
        return total

    def memory(self) -> float:
        """Return the proportional set size in MiB."""
        return self._sum(lambda process: process.memory_full_info().pss) / MEBIBYTE

    def seconds(self) -> float:
        """Return the processor time of all processes, and of their children that have ended."""
        return self._sum(lambda process: sum(process.cpu_times()[:4]))


class Session:
    """A client's side of a session, which answers the pings of the server while it rests."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self._ws = ws
        self._told: asyncio.Queue[str] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())
        self._number = 0

    async def _read(self) -> None:
        async for message in self._ws:
            self._told.put_nowait(message.data)
        self._told.put_nowait(f'{{"closed": {self._ws.close_code}}}')

    async def begun(self) -> None:
        """Wait for the session as it begins."""
        assert "session" in await self._told.get()

    async def compute(self, designs: int) -> None:
        """Compute designs one after the other, without geometry."""
        for _ in range(designs):
            self._number += 1
            values = {"twist": float(self._number % 360)}
            await self._ws.send_str(json.dumps({"id": self._number, "parameters": values, "geometry": False}))
            told = json.loads(await self._told.get())
            assert told.get("evaluation", {}).get("status") == "completed", told


async def _resting(cost: Cost) -> float:
    """Return the processor seconds of a rest."""
    await asyncio.sleep(3)
    before = cost.seconds()
    await asyncio.sleep(SECONDS)
    return cost.seconds() - before


async def _measure(installation: Installation) -> None:
    demo = installation.wait()
    cost = Cost(installation)
    with client_of(demo) as caller:
        headers = dict(caller.headers)
    url = demo["base_url"].removesuffix("v1/") + f"ws/explore?project_id={demo['project_id']}"
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession(headers=headers))

        async def opened() -> Session:
            session = Session(await stack.enter_async_context(http.ws_connect(url, max_msg_size=0)))
            await session.begun()
            return session

        first = await opened()
        await first.compute(30)
        bare_seconds, before = await _resting(cost), cost.memory()
        for _ in range(SESSIONS):
            await (await opened()).compute(1)
        seconds, after = await _resting(cost), cost.memory()
        print(f"{SESSIONS} sessions at rest: {(after - before) / SESSIONS:.1f} MiB each")
        print(f"processor time in {SECONDS} s: {seconds:.2f} s with them, {bare_seconds:.2f} s without", flush=True)
        began = time.perf_counter()
        for number in range(0, DESIGNS, TOLD):
            await first.compute(TOLD)
            print(f"{number + TOLD} designs of a session: {cost.memory():.1f} MiB in all", flush=True)
        print(f"{DESIGNS / (time.perf_counter() - began):.0f} designs a second, without geometry")


def main() -> None:
    """Measures and prints."""
    with measured() as installation:
        asyncio.run(_measure(installation))


if __name__ == "__main__":
    main()
