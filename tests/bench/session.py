"""A live session of the demo's tower through WebSocket, edge, core, worker and sandbox, against the bare call, in one run.

Run it with `.venv/bin/python tests/bench/session.py`. It prints the time from a message to its metrics (p50 to hold: at most
7 ms over the bare call), with messages 30 ms apart as from a slider and without geometry, as well as with it; the bare call
includes the geometry, which manifold computes only when it is read. Then the designs a second with geometry, back to back
(to hold: at least 100). Both sides are measured in turn, round after round.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import aiohttp
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from catenary_cli.demo.models import twisted_tower
from catenary_worker.geometry import shapes
from factories.installations.installation import measured

ROUNDS = few(10)
RUNS = few(20, 5)
"""Number of measurements of each kind in a round."""
PAUSE = 0.03
VALUES = {parameter["name"]: parameter["default"] for parameter in twisted_tower.PARAMETERS}


def _bare(number: int) -> None:
    answer = twisted_tower.evaluate({**VALUES, "twist": float(number % 360)})
    shapes.message(answer["geometry"], None)


class Session:
    """One WebSocket."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self._ws = ws
        self._number = 0

    async def compute(self, *, geometry: bool) -> tuple[float, float]:
        """Send one design; return the ms to its metrics, and to its last byte."""
        self._number += 1
        values = {"twist": float(self._number % 360)}
        started = time.perf_counter()
        await self._ws.send_str(json.dumps({"id": self._number, "parameters": values, "geometry": geometry}))
        told = await self._told()
        metrics = (time.perf_counter() - started) * 1000
        assert told["evaluation"]["status"] == "completed", told
        if geometry:
            for _ in (await self._told())["geometry"]:
                await self._ws.receive_bytes()
        return metrics, (time.perf_counter() - started) * 1000

    async def _told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(await self._ws.receive_str())
        assert told["id"] == self._number, told
        return told


def _line(name: str, times: list[float]) -> float:
    ordered = sorted(times)
    median = statistics.median(ordered)
    print(f"{name:44} p50 {median:7.2f} ms   p95 {ordered[int(len(ordered) * 0.95) - 1]:7.2f} ms   n {len(ordered)}")
    return median


async def _measure(demo: dict[str, str]) -> None:
    secret = {"client_id": demo["client_id"], "client_secret": demo["client_secret"]}
    body = json.dumps({"grant_type": "client_credentials", **secret}).encode()
    request = urllib.request.Request(demo["base_url"] + "auth/token", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:  # noqa: ASYNC210 (before anything is measured)
        token = json.load(answer)["access_token"]
    url = demo["base_url"].removesuffix("v1/") + f"ws/explore?project_id={demo['project_id']}"
    bare: list[float] = []
    alone: dict[bool, list[float]] = {False: [], True: []}
    designs: list[float] = []
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as http,
        http.ws_connect(url, max_msg_size=0) as ws,
    ):
        await ws.receive_str()  # the session as it begins
        session = Session(ws)
        for _ in range(30):
            await session.compute(geometry=True)
        for number in range(ROUNDS):
            for run in range(RUNS):
                await asyncio.sleep(PAUSE)
                started = time.perf_counter()
                _bare(number * RUNS + run)
                bare.append((time.perf_counter() - started) * 1000)
            for geometry, found in alone.items():
                for _ in range(RUNS):
                    await asyncio.sleep(PAUSE)
                    found.append((await session.compute(geometry=geometry))[0])
            started = time.perf_counter()
            for _ in range(RUNS * 3):
                await session.compute(geometry=True)
            designs.append(RUNS * 3 / (time.perf_counter() - started))
    bare_ms = _line("bare evaluate() with its geometry", bare)
    for geometry, found in alone.items():
        ms = _line(f"message to metrics, {'with' if geometry else 'without'} geometry after it", found)
        print(f"  over the bare call: {ms - bare_ms:.1f} ms")
    print(f"designs a second with geometry, back to back: {statistics.median(designs):.0f}")


def main() -> None:
    """Measures and prints."""
    with measured() as installation:
        asyncio.run(_measure(installation.wait()))


if __name__ == "__main__":
    main()
