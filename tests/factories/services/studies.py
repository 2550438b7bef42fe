"""Studies over the dispatcher of a node, driven by a leader, with scripted workers over the gRPC door."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import grpc
import orjson
import pytest

from catenary_core.call.errors import CallError
from catenary_core.services.evaluations.studies.driver import StudyDriver
from factories.services.evaluations import Node, Refusal, deploy, refusal, run_sql

STUDIES = "/catenary.platform.v1.StudyService/"
WAIT_SECONDS = 120
METRICS = [{"name": "mass", "unit": "kg", "description": ""}, {"name": "sag", "unit": "mm", "description": ""}]
CONSTRAINTS = [{"name": "stiff", "metric": "sag", "op": "<=", "value": 200}]
OBJECTIVES = [{"metric": "mass"}, {"metric": "sag", "direction": "STUDY_DIRECTION_MINIMIZE"}]
Model = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def beam(at: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the outcome of a point: heavy beams sag less."""
    mass = at["span"] * at["bays"] * (1.2 if at["braced"] else 1.0)
    sag = 5 * at["span"] / at["bays"] * (0.7 if at["braced"] else 1.0)
    return {
        "metrics": {"mass": {"value": mass, "unit": "kg"}, "sag": {"value": sag, "unit": "mm"}},
        "constraints": {"stiff": {"value": sag, "satisfied": sag <= 200}},
    }


FAILED = {"status": "failed", "error": {"code": "MODEL_FAILED", "message": "no such beam", "line": 7}}


async def call(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> dict[str, Any]:
    """Call a method of the studies; return its answer."""
    request = node.dispatch.bindings[STUDIES + method].request(**fields)
    return (await node.dispatch.call(STUDIES + method, request, {"authorization": caller})).body


async def refused(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> Refusal:
    """Return the refusal of a call."""
    with pytest.raises(CallError) as caught:
        await call(node, method, caller, **fields)
    return refusal(caught.value)


async def begin(node: Node, project: str, **fields: Any) -> str:
    """Begin a study of 36 points; return its id."""
    given = {"kind": "STUDY_KIND_OPTIMIZATION", "objectives": OBJECTIVES, "budget": 36, "population": 12, "seed": 7}
    answer = await call(node, "CreateStudy", project_id=project, **{**given, **fields})
    return str(answer["study"]["study_id"])


async def get(node: Node, study_id: str) -> dict[str, Any]:
    """Return a study."""
    found: dict[str, Any] = (await call(node, "GetStudy", "viewer", study_id=study_id))["study"]
    return found


async def listed(node: Node, method: str, study_id: str, **fields: Any) -> list[dict[str, Any]]:
    """Return all results of a paged list."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        answer = await call(node, method, "viewer", study_id=study_id, cursor=cursor, **fields)
        found += answer["points" if method == "ListStudyFront" else "results"]
        if answer["next_cursor"] is None:
            return found
        cursor = answer["next_cursor"]


@contextlib.asynccontextmanager
async def driven(node: Node, model: Model, seen: Counter[int] | None = None) -> AsyncIterator[None]:
    """Drive studies and work on their points; count in `seen` how often each point was evaluated."""

    async def work() -> None:
        worker = node.worker()
        while True:
            job = await worker.lease(1)
            if job is None:
                continue
            given = [
                model({name: orjson.loads(value.text) for name, value in point.parameters.items()})
                for point in job.points
            ]
            indexes = [point.index for point in job.points]
            if seen is not None:
                seen.update(indexes)
            try:
                await worker.complete_points(job, *given)
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.ABORTED:
                    raise
                if seen is not None:  # the chunk is of a study that was cancelled meanwhile
                    seen.subtract(indexes)

    async with led(node):
        working = asyncio.create_task(work())
        try:
            yield
        finally:
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError):  # a worker that failed fails the test
                await working


@contextlib.asynccontextmanager
async def led(node: Node) -> AsyncIterator[None]:
    """Drive studies, whose points somebody else evaluates."""
    driver = StudyDriver(node.frame)
    await driver.start()
    try:
        yield
    finally:
        await driver.stop()


async def until(node: Node, study_id: str, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return a study once a condition holds for it."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not reached(found := await get(node, study_id)):  # noqa: ASYNC110 (it is a row of PostgreSQL)
            await asyncio.sleep(0.02)
    return found


async def ended(node: Node, study_id: str) -> dict[str, Any]:
    """Return a study that has ended."""
    return await until(node, study_id, lambda study: study["status"] in ("completed", "cancelled", "failed"))


async def deployed(node: Node) -> str:
    """Return a project whose model is the beam."""
    project, version = await deploy(node.frame.db, node.frame.objects)
    await run_sql(
        node.frame.db,
        "UPDATE models.model_version SET metrics = CAST(:m AS json), constraints = CAST(:c AS json)"
        " WHERE model_version_id = :v",
        m=orjson.dumps(METRICS).decode(),
        c=orjson.dumps(CONSTRAINTS).decode(),
        v=version,
    )
    return project


def told(results: list[dict[str, Any]]) -> list[Any]:
    """Return what two runs of a study have in common."""
    names = ("index", "generation", "parameters", "metrics", "objectives", "feasible", "rank")
    return [[one[name] for name in names] for one in results]
