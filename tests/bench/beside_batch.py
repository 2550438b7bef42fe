"""Single evaluations and a live session beside a batch that has both slots.

Run it as `python tests/bench/beside_batch.py`. A batch of points of about 10 ms, by a plan, runs on an installation with two
workers. It prints the milliseconds of single evaluations of the demo's tower, and of the messages of a live session to their
metrics with 30 ms pauses, without the batch and beside it. To hold: an evaluation waits for at most one chunk, which takes a
second; p95 of the messages grows by at most one point and 10 ms. The points that the batch completes meanwhile show that it ran.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import aiohttp
import httpx
from batches import SIZES, SOURCE, deploy
from session import Session
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.installation import client_of, measured

POINTS = few(10_000, 200)
EVALUATIONS, MESSAGES = few(60, 2), few(300, 5)
PAUSE = 0.03


def _begin(http: httpx.Client, project_id: str) -> str:
    values = {"n": {"min": 0, "max": POINTS - 1, "count": POINTS}}
    plan = http.post(f"projects/{project_id}/evaluate/plan", json={"kind": "grid", "parameters": values})
    body = {"plan_id": plan.json()["data"]["plan"]["plan_id"]}
    made = http.post(f"projects/{project_id}/evaluate/batch", json=body).raise_for_status()
    return str(made.json()["data"]["batch"]["batch_id"])


def _completed(http: httpx.Client, batch_id: str) -> int:
    return int(http.get(f"batches/{batch_id}").json()["data"]["batch"]["counts"]["completed"])


def _point(http: httpx.Client, batch_id: str) -> float:
    """Return the median ms that the first points of a batch took."""
    found = http.get(f"batches/{batch_id}/results", params={"limit": 200}).json()["data"]["results"]
    return statistics.median(one["duration_ms"] for one in found if one["duration_ms"] is not None)


def _evaluate(http: httpx.Client, project_id: str, first: int) -> list[float]:
    """Return the ms of evaluations one after the other, none of which is stored."""
    times = []
    for number in range(EVALUATIONS):
        began = time.perf_counter()
        values = {"twist": float(first + number)}
        found = http.post(f"projects/{project_id}/evaluate", json={"parameters": values}, headers={"Prefer": "wait=20"})
        times.append((time.perf_counter() - began) * 1000)
        assert found.json()["data"]["evaluation"]["status"] == "completed", found.text
        time.sleep(PAUSE)
    return times


async def _messages(base_url: str, project_id: str, token: str) -> list[float]:
    """Return the ms from messages of a live session to their metrics."""
    url = base_url.removesuffix("v1/") + f"ws/explore?project_id={project_id}"
    async with (
        aiohttp.ClientSession(headers={"Authorization": token}) as http,
        http.ws_connect(url, max_msg_size=0) as ws,
    ):
        await ws.receive_str()  # the session as it begins
        session = Session(ws)
        for _ in range(5):
            await session.compute(geometry=False)
        times = []
        for _ in range(MESSAGES):
            await asyncio.sleep(PAUSE)
            times.append((await session.compute(geometry=False))[0])
    return times


def _line(name: str, times: list[float]) -> float:
    ordered = sorted(times)
    p95 = ordered[int(len(ordered) * 0.95) - 1]
    print(f"{name:34} p50 {statistics.median(ordered):7.1f}   p95 {p95:7.1f}   most {ordered[-1]:7.1f} ms", flush=True)
    return p95


def _measure(http: httpx.Client, demo: dict[str, Any]) -> None:
    token = http.headers["Authorization"]
    additions = deploy(http, SOURCE.format(additions=SIZES["10 ms"]))
    _line("evaluations alone", _evaluate(http, demo["project_id"], 0))
    alone = _line("messages alone", asyncio.run(_messages(demo["base_url"], demo["project_id"], token)))
    batch_id = _begin(http, additions)
    began = _completed(http, batch_id)
    _line("evaluations beside the batch", _evaluate(http, demo["project_id"], EVALUATIONS))
    beside = _line("messages beside the batch", asyncio.run(_messages(demo["base_url"], demo["project_id"], token)))
    ended = _completed(http, batch_id)
    point = _point(http, batch_id)
    http.delete(f"batches/{batch_id}")
    print(f"p95 of the messages grows by {beside - alone:.1f} ms, to hold: {point + 10:.1f}")
    print(f"points computed meanwhile: {ended - began:,} of {POINTS:,}")


def main() -> None:
    """Measure and print."""
    with measured("--nodes", "1", "--workers", "2") as installation:
        demo = installation.wait()
        with client_of(demo) as http:
            _measure(http, demo)


if __name__ == "__main__":
    main()
