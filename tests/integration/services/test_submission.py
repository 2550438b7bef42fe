"""Evaluations that are asked for without a call, in the name of a user and a project."""

from __future__ import annotations

from typing import Any

from catenary.platform.v1 import evaluation_service_pb2 as pb
from catenary_core.jobs.submitter import Submitter
from catenary_core.services.evaluations import queries
from catenary_core.services.evaluations.submission import Submissions, Submitted
from catenary_core.services.evaluations.wanted import read
from factories.services.evaluations import USER, Node, run_sql

_METRICS = {"mass": {"value": 1.0, "unit": "kg"}}
_TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def _submit(node: Node, submitter: Submitter, **given: Any) -> Submitted:
    request = pb.EvaluateRequest(project_id=submitter.project_id)
    async with node.frame.db.transaction() as tx:
        version = await tx.one(queries.DEPLOYED, project_id=submitter.project_id)
        return await Submissions(node.frame).submit(tx, submitter, await read(request, version, given))


async def test_a_job_without_a_call_names_user_request_and_trace(node: Node, project: str) -> None:
    added = await _submit(node, Submitter(USER, project, "request-1", _TRACE), bays=3)
    job = await node.worker().must_lease()
    assert (job.job_id, job.request_id) == (added.row["evaluation_id"], "request-1")
    assert job.traceparent == _TRACE
    (row,) = await run_sql(node.frame.db, "SELECT user_id, project_id FROM jobs.job")
    assert (row["user_id"], row["project_id"]) == (USER, project)
    await node.worker().complete(job, metrics=_METRICS)


async def test_equal_evaluations_are_charged_to_the_project_once(node: Node, project: str) -> None:
    submitter = Submitter(USER, project, "request-1")
    async with node.worker().running(_result):  # shows its runtime, on which equality depends
        await node.evaluate(project, {"bays": 2})
        first = await _submit(node, submitter, bays=3)
        again = await _submit(node, submitter, bays=3)
        other = await _submit(node, submitter, bays=4)
    assert again.row["evaluation_id"] == first.row["evaluation_id"] != other.row["evaluation_id"]
    assert first.standing.remaining == again.standing.remaining == other.standing.remaining + 1


async def _result(job: Any) -> dict[str, Any]:
    return {"metrics": _METRICS}
