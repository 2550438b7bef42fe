"""Batches over the dispatcher, and what scripted workers do with their points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call.errors import CallError
from factories.services.evaluations import (
    Node,
    Refusal,
    ScriptedWorker,
    refusal,
    run_sql,
)

BATCHES = "/catenary.platform.v1.BatchService/"
MASS = {"metrics": {"mass": {"value": 12.0, "unit": "kg"}}, "tables": {"members": [{"force": 1.5}]}}
FAILED = {"status": "failed", "error": {"code": "MODEL_FAILED", "message": "no such beam", "line": 7}}


async def call(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> dict[str, Any]:
    """Call a method of BatchService, and return its answer."""
    request = node.dispatch.bindings[BATCHES + method].request(**fields)
    return (await node.dispatch.call(BATCHES + method, request, {"authorization": caller})).body


async def refused(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> Refusal:
    """Call a method that refuses, and return the refusal."""
    with pytest.raises(CallError) as caught:
        await call(node, method, caller, **fields)
    return refusal(caught.value)


def given(*values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return points with these values, as a request has them."""
    return [
        {"parameters": {name: {"text": orjson.dumps(value).decode()} for name, value in one.items()}} for one in values
    ]


def spans(count: int) -> list[dict[str, Any]]:
    """Return points that are all different."""
    return given(*({"span": 5 + 0.5 * (number % 110), "bays": 2 + number // 110} for number in range(count)))


async def create(node: Node, project: str, count: int = 4) -> str:
    """Create a batch of different points, and return its id."""
    return str((await call(node, "CreateBatch", project_id=project, evaluations=spans(count)))["batch"]["batch_id"])


async def get(node: Node, batch_id: str) -> dict[str, Any]:
    """Return a batch."""
    found: dict[str, Any] = (await call(node, "GetBatch", "viewer", batch_id=batch_id))["batch"]
    return found


async def results(node: Node, batch_id: str, **fields: Any) -> list[dict[str, Any]]:
    """Return all points of a batch, page by page."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        answer = await call(node, "ListBatchResults", "viewer", batch_id=batch_id, cursor=cursor, **fields)
        found += answer["results"]
        if answer["next_cursor"] is None:
            return found
        cursor = answer["next_cursor"]


async def work(worker: ScriptedWorker, *outcomes: Mapping[str, Any], ends_chunk: bool = True) -> worker_pb.Job:
    """Lease a chunk and complete its points, with the last outcome for all that have none."""
    job = await worker.must_lease()
    given = [*outcomes, *[(outcomes or (MASS,))[-1]] * len(job.points)][: len(job.points)]
    await worker.complete_points(job, *given, ends_chunk=ends_chunk)
    return job


async def work_all(worker: ScriptedWorker, batch_id: str, node: Node) -> Counter[int]:
    """Complete all points of a batch; return how often each was."""
    seen: Counter[int] = Counter()
    while (await get(node, batch_id))["status"] in ("queued", "running"):
        seen.update(point.index for point in (await work(worker)).points)
    return seen


async def jobs(node: Node) -> int:
    """Return the number of jobs."""
    return int((await run_sql(node.frame.db, "SELECT count(*) AS n FROM jobs.job"))[0]["n"])
