"""A point that the model failed and one that the platform failed are told apart wherever points are shown."""

from __future__ import annotations

import csv
import io
from typing import Any

from catenary_core.jobs import queue
from factories.services import batches, studies
from factories.services.evaluations import Node, run_sql

CODES = {0: "MODEL_FAILED", 1: "UNAVAILABLE", 2: "EVALUATION_TIMEOUT", 3: None}
TIMED_OUT = {"status": "timed_out", "error": {"code": "EVALUATION_TIMEOUT", "message": "took too long", "line": None}}


async def _batch(node: Node, project: str) -> str:
    """Make a batch whose first point the model failed, whose second no worker finished, and whose third took too long."""
    batch_id = await batches.create(node, project, 4)
    worker = node.worker()
    await batches.work(worker, batches.FAILED)
    await run_sql(node.frame.db, "UPDATE evaluations.batch SET seconds = 60")  # so that each chunk is one point
    for _ in range(queue.MAX_ATTEMPTS):
        job = await worker.must_lease()
        assert [point.index for point in job.points] == [1]
        await run_sql(
            node.frame.db,
            "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s' WHERE id = :j",
            j=job.job_id,
        )
    await node.reaper.look()
    await batches.work(worker, TIMED_OUT)
    await batches.work(worker)
    return batch_id


def _codes(points: list[dict[str, Any]]) -> dict[int, str | None]:
    return {one["index"]: None if one["error"] is None else one["error"]["code"] for one in points}


async def _opened(node: Node, method: str, **fields: Any) -> list[Any]:
    request = node.dispatch.bindings[method].request(**fields)
    stream = await node.dispatch.open(method, request, {"authorization": "viewer"})
    return [part async for part in stream.items]


async def test_who_failed_a_point_is_told_in_results_lists_and_streams(node: Node, project: str) -> None:
    batch_id = await _batch(node, project)
    points = await batches.results(node, batch_id)
    assert _codes(points) == CODES
    assert "No worker finished the point" in points[1]["error"]["message"]
    parts = await _opened(node, batches.BATCHES + "StreamBatchResults", batch_id=batch_id)
    assert _codes([item["result"] for part in parts for item in part["items"] if item["result"]]) == CODES
    listed = (await node.call("ListEvaluations", "viewer", project_id=project, batch_id=[batch_id])).body["evaluations"]
    assert [one["error"] and one["error"]["code"] for one in reversed(listed)] == list(CODES.values())
    assert [one["status"] for one in reversed(listed)] == ["failed", "failed", "timed_out", "completed"]


async def test_who_failed_a_point_is_told_in_the_results_and_the_file_of_a_study(node: Node, project: str) -> None:
    batch_id = await _batch(node, project)
    study_id = await studies.begin(node, project, objectives=[{"expression": "span"}])
    await studies.call(node, "CancelStudy", study_id=study_id)
    move = "UPDATE evaluations.point SET batch_id = :s WHERE batch_id = :b"
    await run_sql(node.frame.db, move, s=study_id, b=batch_id)
    assert _codes(await studies.listed(node, "ListStudyResults", study_id)) == CODES
    parts = await _opened(node, studies.STUDIES + "DownloadStudyResults", study_id=study_id)
    rows = csv.DictReader(io.StringIO(b"".join(part["chunk"] for part in parts).decode(), newline=""))
    assert {int(row["index"]): row["error"] or None for row in rows} == CODES
