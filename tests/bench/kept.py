"""200 points of a small model: the bare function, a kept child (`Zygote.keep`) and a fresh child for each point.

Run it with `.venv/bin/python tests/bench/kept.py`. The work of a point is fixed: additions that take about 1 ms and about
10 ms. The three are measured by turns, in chunks of 50 points. It prints milliseconds a point.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from smoke import few

from catenary_worker.host import Zygote
from catenary_worker.task import Task

CHUNKS, CHUNK = few(4), few(50, 10)
SOURCE = """
PARAMETERS = [{{"name": "x", "type": "number", "default": 1.0}}]
def evaluate(p):
    found = 0.0
    for number in range({additions}):
        found += (p["x"] * number) % 7.0
    return {{"metrics": {{"found": found}}}}
"""
Points = list[dict[str, object]]


async def main() -> None:
    """Measure both sizes."""
    zygote = Zygote()
    await zygote.start()
    for name, additions in (("1 ms", 16_000), ("10 ms", 160_000)):
        await _measure(zygote, name, SOURCE.format(additions=additions))
    await zygote.close()


async def _measure(zygote: Zygote, name: str, source: str) -> None:
    described = await zygote.run(Task("describe", "python", source.encode()))
    task = Task("evaluate", "python", source.encode(), description=described.description, code=described.code)
    shared = replace(task, repeatable=True, sharers="bench")
    module: dict[str, Any] = {}
    exec(compile(source, "model.py", "exec"), module)

    async def bare(points: Points) -> list[float]:
        return [module["evaluate"](point)["metrics"]["found"] for point in points]

    async def kept(points: Points) -> list[float]:
        async with zygote.keep(shared) as keeper:
            outcomes = [await keeper.evaluate(point) for point in points]
            assert not await keeper.confirm()
            return [outcome.metrics["found"]["value"] for outcome in outcomes]

    async def fresh(points: Points) -> list[float]:
        return [(await zygote.run(replace(task, parameters=one))).metrics["found"]["value"] for one in points]

    ways: dict[str, Callable[[Points], Awaitable[list[float]]]] = {"bare": bare, "kept": kept, "fresh": fresh}
    found: dict[str, list[float]] = {way: [] for way in ways}
    for chunk in range(CHUNKS):
        points: Points = [{"x": float(chunk * CHUNK + number)} for number in range(CHUNK)]
        results = []
        for way, run in ways.items():
            started = time.perf_counter()
            results.append(await run(points))
            found[way].append((time.perf_counter() - started) * 1e3 / CHUNK)
        assert results[0] == results[1] == results[2]
    milliseconds = {way: statistics.mean(times) for way, times in found.items()}
    rates = ", ".join(
        f"{way} {ms:6.2f} ms ({milliseconds['bare'] / ms:.2f} of bare)" for way, ms in milliseconds.items()
    )
    print(f"{name} points: {rates}")


if __name__ == "__main__":
    asyncio.run(main())
