"""The cost of an evaluation beside its model: a call, its row, the lease by a worker, the completion, the answer.

The worker is a process of its own over the gRPC door, and runs nothing. The caller is in the core's process, as the edge is by
default, or on the gRPC door. Run: `pytest -m bench -n 0 -s tests/bench/bench_evaluation_path.py`. It prints milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop

from bench.smoke import few
from catenary.platform.v1 import evaluation_service_pb2 as platform
from factories.services.evaluations import EVALUATION, deploy, open_node

COUNT = few(300, 20)
_CALLER = {"authorization": "evaluator"}


@pytest.mark.bench
@pytest.mark.parametrize("size", [0, 20_000, 500_000])
def test_overhead_of_an_evaluation_without_sandbox(dsn: str, tmp_path: Path, size: int) -> None:
    uvloop.run(_run(dsn, tmp_path, size))


async def _run(dsn: str, tmp_path: Path, size: int) -> None:
    async with open_node(dsn, tmp_path) as node, _idle_worker(node.address, size):
        project, _ = await deploy(node.frame.db, node.frame.objects)
        user = node.user()

        async def inside(request: platform.EvaluateRequest) -> bool:
            answer = await node.dispatch.call(EVALUATION + "Evaluate", request, _CALLER)
            assert answer.body["evaluation"]["metrics"]["mass"]["value"] == 1.5
            return bool(answer.body["evaluation"]["cached"])

        async def by_grpc(request: platform.EvaluateRequest) -> bool:
            answer = await user.Evaluate(request, metadata=tuple(_CALLER.items()))
            assert answer.evaluation.metrics["mass"].value.text == "1.5"
            return answer.evaluation.cached

        for name, evaluate in (("inside", inside), ("by gRPC", by_grpc)):
            for cached in (False, True):
                took = await _measure(evaluate, project, name, cached=cached)
                what = "cached" if cached else f"computed, {size} B of geometry"
                took.sort()
                p10, p50, p90 = took[COUNT // 10], statistics.median(took), took[COUNT * 9 // 10]
                print(f"\n{name}, {what}: p10 {p10:.2f}, p50 {p50:.2f}, p90 {p90:.2f} ms")


async def _measure(
    evaluate: Callable[[platform.EvaluateRequest], Awaitable[bool]], project: str, name: str, *, cached: bool
) -> list[float]:
    took = []
    for index in range(COUNT):
        request = platform.EvaluateRequest(project_id=project)
        request.parameters["title"].text = f'"{name} {index}"'
        start = time.perf_counter()
        assert await evaluate(request) == cached
        took.append((time.perf_counter() - start) * 1000)
    return took


@asynccontextmanager
async def _idle_worker(address: str, size: int) -> AsyncIterator[None]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "factories.installations.idle_worker", address, str(size)),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        yield
    finally:
        process.kill()
        await process.wait()
