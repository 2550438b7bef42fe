"""The cost of the sandbox: a warm evaluation of the tower against the bare call and against a cold process."""

import asyncio
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import catenary_cli
from bench.smoke import few
from catenary_worker.host import Zygote
from catenary_worker.task import Task

pytestmark = pytest.mark.bench

RUNS = few(50, 5)
TOWER = Path(catenary_cli.__path__[0]) / "demo" / "models" / "twisted_tower.py"
BARE = """
import runpy, statistics, sys, time
model = runpy.run_path(sys.argv[1])
values = {parameter["name"]: parameter["default"] for parameter in model["PARAMETERS"]}
times = []
for _ in range(50):
    started = time.perf_counter()
    model["evaluate"](dict(values))
    times.append(time.perf_counter() - started)
print(statistics.median(times))
"""


async def test_a_warm_evaluation_costs_little_over_the_bare_call() -> None:
    bare = float(subprocess.run([sys.executable, "-c", BARE, TOWER], capture_output=True, check=True).stdout)  # noqa: ASYNC221
    zygote = Zygote()
    await zygote.start()
    described = await zygote.run(Task("describe", "python", TOWER.read_bytes()))
    assert described.description is not None
    values = {parameter["name"]: parameter["default"] for parameter in described.description["parameters"]}
    task = Task("evaluate", "python", TOWER.read_bytes(), values)
    known = replace(task, description=described.description, code=described.code)  # as a worker gives it
    found = {}
    for pause in (0.0, 0.1):
        times = []
        for _ in range(RUNS):
            started = time.perf_counter()
            outcome = await zygote.run(known)
            times.append(time.perf_counter() - started)
            assert outcome.status == "completed", outcome.error
            await asyncio.sleep(pause)
        found[pause] = statistics.median(times)
    await zygote.close()
    cold = []
    for _ in range(5):
        started = time.perf_counter()
        once = Zygote()
        await once.run(task)
        cold.append(time.perf_counter() - started)
        await once.close()
    print(f"\nbare call of evaluate          p50 {1e3 * bare:7.2f} ms")
    for pause, seconds in found.items():
        over = 1e3 * (seconds - bare)
        print(f"warm, {1e3 * pause:3.0f} ms between calls     p50 {1e3 * seconds:7.2f} ms, over bare {over:.2f} ms")
    print(f"cold sandboxed process         p50 {1e3 * statistics.median(cold):7.2f} ms")
    print(f"cold over warm                 {statistics.median(cold) / found[0.1]:.0f}x")
