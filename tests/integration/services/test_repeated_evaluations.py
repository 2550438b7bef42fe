"""POST …/evaluate with an Idempotency-Key: it commits before it waits for a worker, and yet runs once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.rpc import error_details_pb2

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call.errors import CallError
from catenary_core.server.dispatch import UnaryResponse
from factories.services.evaluations import EVALUATION, Node, run_sql

REPLAYED = "idempotency-replayed"
_PASSED = "UPDATE idempotency.record SET running_until = clock_timestamp() - interval '1 s'"


async def _evaluate(node: Node, project: str, key: str | None = "k", **fields: Any) -> UnaryResponse:
    request = node.dispatch.bindings[EVALUATION + "Evaluate"].request(project_id=project, **fields)
    metadata = {"authorization": "evaluator", **({} if key is None else {"idempotency-key": key})}
    return await node.dispatch.call(EVALUATION + "Evaluate", request, metadata)


async def _result(job: worker_pb.Job) -> dict[str, Any]:
    return {"metrics": {"mass": {"value": 1.0, "unit": "kg"}}}


async def _evaluations(node: Node) -> int:
    return int((await run_sql(node.frame.db, "SELECT count(*) AS n FROM evaluations.evaluation"))[0]["n"])


async def _reason(call: Any) -> str:
    with pytest.raises(CallError) as caught:
        await call
    info = error_details_pb2.ErrorInfo()
    caught.value.status.details[0].Unpack(info)
    return info.reason


async def test_a_repeated_evaluation_has_the_first_result_even_when_forced(node: Node, project: str) -> None:
    async with node.worker().running(_result):
        first = await _evaluate(node, project, force=True)
        again = await _evaluate(node, project, force=True)
        assert first.body["evaluation"]["status"] == "completed"
        assert (again.body, again.metadata) == (first.body, {REPLAYED: "true"})
        assert await _evaluations(node) == 1
        unguarded = await _evaluate(node, project, None, force=True)
    assert unguarded.body["evaluation"]["evaluation_id"] != first.body["evaluation"]["evaluation_id"]
    assert await _evaluations(node) == 2, "without a key a forced evaluation runs again"


async def test_equal_evaluations_at_once_run_once_and_are_told_so_while_the_first_waits(
    node: Node, project: str
) -> None:
    first = asyncio.create_task(_evaluate(node, project, force=True, prefer="wait=20"))
    worker = node.worker()
    job = await worker.must_lease()
    others = await asyncio.gather(*(_reason(_evaluate(node, project, force=True)) for _ in range(20)))
    assert set(others) == {"IDEMPOTENCY_IN_PROGRESS"}
    await worker.complete(job, **await _result(job))
    answer = await first
    assert answer.body["evaluation"]["status"] == "completed"
    assert (await _evaluate(node, project, force=True)).body == answer.body
    assert await _evaluations(node) == 1


async def test_a_call_that_dies_while_it_waits_leaves_the_answer_that_it_was_accepted(node: Node, project: str) -> None:
    dying = asyncio.create_task(_evaluate(node, project, force=True, prefer="wait=20"))
    worker = node.worker()
    job = await worker.must_lease()
    assert not await worker.heartbeat(job), "the call has committed what it did"
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    assert await _reason(_evaluate(node, project, force=True, prefer="wait=2")) == "IDEMPOTENCY_IN_PROGRESS"
    await run_sql(node.frame.db, _PASSED)
    again = await _evaluate(node, project, force=True, prefer="wait=2")
    found = again.body["evaluation"]
    assert again.metadata == {
        "catenary-status": "202",
        "location": f"/v1/evaluations/{found['evaluation_id']}",
        "retry-after": "1",
        REPLAYED: "true",
    }
    assert found["status"] in ("queued", "running"), "running where the worker waited before"
    await worker.complete(job, **await _result(job))
    assert await _evaluations(node) == 1


async def test_nobody_waits_for_the_transaction_of_a_call_that_waits_for_an_equal_evaluation(
    node: Node, project: str
) -> None:
    worker = node.worker()
    async with worker.running(_result):  # shows its runtime, on which equality depends
        await _evaluate(node, project, None, parameters={"bays": {"text": "3"}})
    first = asyncio.create_task(_evaluate(node, project, None))
    job = await worker.must_lease()
    keyed = [asyncio.create_task(_evaluate(node, project, f"k{number}")) for number in range(8)]
    await asyncio.sleep(0.3)
    other = await asyncio.wait_for(_evaluate(node, project, None, prefer="respond-async"), 60)
    assert other.body["evaluation"]["cached"]
    await worker.complete(job, **await _result(job))
    found = {answer.body["evaluation"]["evaluation_id"] for answer in await asyncio.gather(first, *keyed)}
    assert found == {other.body["evaluation"]["evaluation_id"]}
    assert (await _evaluate(node, project, "k3")).metadata[REPLAYED] == "true"


async def test_an_asynchronous_evaluation_is_repeated_at_once(node: Node, project: str) -> None:
    first = await _evaluate(node, project, prefer="respond-async")
    again = await _evaluate(node, project, prefer="wait=5")
    assert again.body == first.body, "a header is no part of the body"
    assert again.metadata["catenary-status"] == "202"
    assert await _evaluations(node) == 1


async def test_who_waits_for_an_equal_evaluation_that_is_removed_gets_one_of_its_own(node: Node, project: str) -> None:
    first = (await _evaluate(node, project, None, prefer="respond-async")).body["evaluation"]
    waiting = asyncio.create_task(_evaluate(node, project, None, prefer="wait=1"))
    await asyncio.sleep(0.3)
    # As another node does that cancels and removes it at once.
    for statement in ("DELETE FROM jobs.job", "DELETE FROM evaluations.evaluation"):
        await run_sql(node.frame.db, statement)
    answer = await waiting
    assert answer.metadata["catenary-status"] == "202"
    assert answer.body["evaluation"]["evaluation_id"] != first["evaluation_id"]
    assert await _evaluations(node) == 1
