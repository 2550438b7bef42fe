"""The way of an evaluation beside the model: gRPC call → row → lease → worker → completion → answer, with a worker that does nothing.

Run: `pytest -m bench -s tests/bench/bench_evaluation_path.py`. It prints milliseconds; nothing is asserted of them.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import pytest

from catenary.platform.v1 import evaluation_service_pb2 as platform
from factories.evaluating import MadeGeometry, deploy, open_node

COUNT = 300


@pytest.mark.bench
@pytest.mark.parametrize("size", [0, 20_000, 500_000])
async def test_overhead_of_an_evaluation_without_sandbox(dsn: str, tmp_path: Path, size: int) -> None:
    async with open_node(dsn, tmp_path) as node, node.worker().running(_script(size)):
        project, _ = await deploy(node.frame.db, node.frame.objects)
        user, took = node.user(), []
        for index in range(COUNT):
            request = platform.EvaluateRequest(project_id=project)
            request.parameters["title"].text = f'"{index}"'
            start = time.perf_counter()
            answer = await user.Evaluate(request, metadata=(("authorization", "evaluator"),))
            took.append((time.perf_counter() - start) * 1000)
            assert answer.evaluation.metrics["mass"].value.text == "1.5"
        hits = []
        for index in range(COUNT):
            request.parameters["title"].text = f'"{index}"'
            start = time.perf_counter()
            assert (await user.Evaluate(request, metadata=(("authorization", "evaluator"),))).evaluation.cached
            hits.append((time.perf_counter() - start) * 1000)
    for what, values in (("computed", took), ("cached", hits)):
        values.sort()
        print(f"\n{size} B geometry, {what}: p50 {statistics.median(values):.2f} ms, p90 {values[COUNT * 9 // 10]:.2f} ms")


def _script(size: int):  # type: ignore[no-untyped-def]
    count = 0

    async def script(job):  # type: ignore[no-untyped-def]
        nonlocal count
        count += 1
        metrics = {"mass": {"value": 1.5, "unit": "kg"}}
        data = count.to_bytes(4, "big") * (size // 4)
        return {"metrics": metrics, "geometry": [MadeGeometry("arch", "glb", data)] if size else []}

    return script
