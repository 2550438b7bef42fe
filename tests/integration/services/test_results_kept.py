"""The fate of a result while its geometry is kept, beside the statements that end its job."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call.errors import DomainError
from catenary_core.objects import Objects
from catenary_core.services.evaluations.owner import EvaluationOwner
from factories.services.calls import events_of
from factories.services.evaluations import DIGEST, MadeGeometry, Node, deploy, refusal

GLB = MadeGeometry("model", "glb", b"glTF and more")


class Job:
    """A leased job of an evaluation, whose result is one message, its geometry too."""

    def __init__(self, node: Node, evaluation_id: str, worker: Any, job: worker_pb.Job) -> None:
        self._node = node
        self._evaluation_id = evaluation_id
        self._stub = worker._stub
        outcome = worker_pb.Outcome(status="completed", artefacts=[GLB.message()])
        self._result = worker_pb.CompleteRequest(
            job_id=job.job_id, lease_token=job.lease_token, outcome=outcome, runtime_digest=DIGEST, chunk=GLB.data
        )

    async def complete(self) -> None:
        await self._stub.Complete(iter([self._result]), metadata=(("authorization", "worker"),))

    async def refused(self) -> str:
        async with asyncio.timeout(60):
            with pytest.raises(grpc.RpcError) as caught:
                await self.complete()
        return refusal(caught.value).reason

    async def cancel(self) -> None:
        await self._node.call("CancelEvaluation", evaluation_id=self._evaluation_id)

    async def status(self) -> str:
        answer = await self._node.call("GetEvaluation", evaluation_id=self._evaluation_id)
        return str(answer.body["evaluation"]["status"])


@pytest.fixture
async def job(node: Node) -> Job:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    answer = await node.evaluate(project, {"title": "x"}, prefer="respond-async")
    worker = node.worker()
    return Job(node, answer.body["evaluation"]["evaluation_id"], worker, await worker.must_lease())


async def test_a_result_whose_geometry_cannot_be_kept_changes_nothing(
    node: Node, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: Any, **__: Any) -> None:
        await asyncio.sleep(0.1)  # longer than the statements beside it
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(node.frame.objects, "put_hashed", full)
        assert await job.refused() == "INTERNAL_ERROR"
    assert await job.status() == "running"
    assert await events_of(node.frame.db) == []
    await job.complete()
    assert await job.status() == "completed"


@pytest.mark.parametrize("local", [False, True])
async def test_a_store_that_is_elsewhere_holds_up_nobody_else(
    node: Node, job: Job, monkeypatch: pytest.MonkeyPatch, *, local: bool
) -> None:
    """This guards the claim too: within the transaction, a slow store would hold the evaluation's row meanwhile."""
    keeping, go_on = asyncio.Event(), asyncio.Event()
    keep = Objects.put_hashed

    async def slow(objects: Objects, *given: Any, **named: Any) -> None:
        keeping.set()
        await go_on.wait()
        await keep(objects, *given, **named)

    monkeypatch.setattr(Objects, "is_local", local)
    monkeypatch.setattr(Objects, "put_hashed", slow)
    completed = asyncio.create_task(job.complete())
    await asyncio.wait_for(keeping.wait(), 60)
    cancelled = asyncio.create_task(job.cancel())
    await asyncio.wait([cancelled], timeout=1.0 if local else 60.0)
    assert cancelled.done() != local
    go_on.set()
    ended = await asyncio.gather(completed, cancelled, return_exceptions=True)
    assert [isinstance(one, BaseException) for one in ended] == [not local, local], "one ending counts"
    assert await job.status() == ("completed" if local else "cancelled")


@pytest.mark.parametrize("fails", [False, True])
async def test_a_slow_or_failing_store_changes_nothing_of_what_the_database_refuses(
    node: Node, job: Job, monkeypatch: pytest.MonkeyPatch, *, fails: bool
) -> None:
    ended: list[bool] = []

    async def endless(*_: Any, **__: Any) -> None:
        try:
            await asyncio.sleep(0 if fails else 3600)
            raise OSError("no space left on device")
        finally:
            ended.append(True)

    async def refuse(*_: Any) -> None:
        await asyncio.sleep(0.1)
        raise DomainError("CONFLICT", "It has ended.")

    monkeypatch.setattr(node.frame.objects, "put_hashed", endless)
    monkeypatch.setattr(EvaluationOwner, "ended", refuse)
    assert await job.refused() == "CONFLICT"
    assert ended
    assert await job.status() == "running"
