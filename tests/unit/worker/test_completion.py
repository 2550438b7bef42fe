"""How a job ends whose result the core refuses, and one whose core is away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import orjson
import pytest
from grpc.aio import AioRpcError, Metadata

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_wire.model_limits import TEXT
from catenary_worker import completion, loop
from catenary_worker.host import Zygote
from catenary_worker.loop import Worker
from catenary_worker.task import Description, Outcome

DESCRIPTION: Description = {"parameters": [], "metrics": [], "constraints": [], "geometry_unit": None}
CHECKED = Outcome("completed", description=DESCRIPTION, metrics={"m": {"value": 1, "unit": None}}, log="printed")
JOBS = [
    pb.Job(job_id="a", lease_token="b", lease_seconds=30, kind=kind)
    for kind in (pb.JOB_KIND_CHECK, pb.JOB_KIND_EVALUATE)
]


class Core:
    """A core that answers the calls in turn: None takes the result, a status refuses it."""

    def __init__(self, *answers: grpc.StatusCode | None) -> None:
        self.answers = list(answers)
        self.outcomes: list[pb.Outcome] = []

    async def Complete(self, requests: AsyncIterator[pb.CompleteRequest], **_: Any) -> pb.CompleteResponse:
        self.outcomes.append((await anext(requests)).outcome)
        if (code := self.answers.pop(0)) is not None:
            raise AioRpcError(code, Metadata(), Metadata(), "outcome.metrics has over 1000 names.")
        return pb.CompleteResponse()


async def _end(core: Core, job: pb.Job) -> str:
    stub: Any = core
    return await Worker(stub, "token", "w", Zygote())._complete(job, (CHECKED, True))


@pytest.mark.parametrize("code", [grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED])
@pytest.mark.parametrize("job", JOBS, ids=["a check", "an evaluation"])
async def test_a_result_that_is_refused_twice_ends_its_job_as_failed(code: grpc.StatusCode, job: pb.Job) -> None:
    core = Core(code, code, None)
    assert await _end(core, job) == "failed"
    first, second, third = core.outcomes
    assert first == second
    assert first.status == "completed"
    assert orjson.loads(third.error.text) == {
        "code": "MODEL_FAILED",
        "message": "The platform does not take the result: outcome.metrics has over 1000 names. Change what the model"
        " returns; the same is refused again.",
        "line": None,
    }
    assert (third.description.text, third.log, third.HasField("deterministic")) == ("", "", False), "nothing refused"


async def test_a_result_that_is_refused_once_was_damaged_on_its_way() -> None:
    core = Core(grpc.StatusCode.INVALID_ARGUMENT, None)
    assert await _end(core, JOBS[0]) == "completed"


async def test_a_core_that_is_away_is_asked_again_with_the_result_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    core = Core(*[grpc.StatusCode.UNAVAILABLE] * 3, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.INTERNAL, None)
    assert await _end(core, JOBS[0]) == "completed"
    assert len(core.outcomes) == 6
    assert {outcome.status for outcome in core.outcomes} == {"completed"}


@pytest.mark.parametrize("code", [grpc.StatusCode.ABORTED, grpc.StatusCode.UNAUTHENTICATED])
async def test_for_a_lease_or_token_that_has_ended_nothing_is_sent_again(code: grpc.StatusCode) -> None:
    core = Core(code)
    with pytest.raises(AioRpcError):
        await _end(core, JOBS[0])


async def test_a_failure_that_is_refused_too_is_left_to_its_lease() -> None:
    core = Core(*[grpc.StatusCode.INVALID_ARGUMENT] * 3)
    with pytest.raises(AioRpcError):
        await _end(core, JOBS[0])


async def test_without_that_end_a_refusal_is_left_to_the_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "RESULT_REFUSED", set())
    core = Core(grpc.StatusCode.INVALID_ARGUMENT)
    with pytest.raises(AioRpcError):
        await _end(core, JOBS[0])


def test_the_reason_of_a_refusal_is_shown_without_controls_and_fits() -> None:
    error = completion.refused("\x1b[2J\u202e" + "x" * 10_000).error
    assert error is not None
    assert len(error.message) == TEXT
    assert "\\x1b[2J\\u202e" in error.message
