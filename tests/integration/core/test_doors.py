"""The effects of a servicer's faults behind both doors."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
import structlog
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from prometheus_client import REGISTRY

from catenary.platform.v1 import model_service_pb2, project_service_pb2, project_service_pb2_grpc
from catenary_core.call.call import Call
from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from catenary_core.services.models.servicer import ModelServicer
from catenary_core.services.projects.servicer import ProjectServicer
from factories.installations.serving import grpc_port
from factories.services.models import NOBODY, World

CANARY = "ada.canary@example.com"
Source = Callable[[], AsyncIterator[dict[str, Any]]]
_DOWNLOAD = "/catenary.platform.v1.ModelService/DownloadModelSource"


@pytest.mark.parametrize("body", [{}, {"projects": [{"project_id": 7}], "next_cursor": CANARY}, {"projects": CANARY}])
async def test_an_answer_of_another_shape_is_an_internal_error_that_tells_nothing(
    frame: Frame, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, body: dict[str, Any]
) -> None:
    async def broken(self: ProjectServicer, request: Any, call: Any) -> Any:
        return body

    monkeypatch.setattr(ProjectServicer, "list_projects", broken)
    world = World(frame)
    await world.add("olga")
    with structlog.testing.capture_logs() as logs:
        async with grpc_port(world.dispatch()) as port, grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub = project_service_pb2_grpc.ProjectServiceStub(channel)
            metadata = (("authorization", "olga"), ("x-request-id", "my-id"))
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await stub.ListProjects(project_service_pb2.ListProjectsRequest(), metadata=metadata)
    status = rpc_status.from_call(refused.value)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    assert (refused.value.code(), info.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL_ERROR")
    assert "my-id" in str(refused.value.details())
    assert [line["request_id"] for line in logs if line["log_level"] == "error"] == ["my-id"]
    assert CANARY not in f"{logs} {caplog.text} {refused.value}"


async def _source_of(
    frame: Frame,
    monkeypatch: pytest.MonkeyPatch,
    closed: list[bool],
    source: Source | None = None,
    passed: float = 0.0,
) -> tuple[World, Any]:
    """Return a world whose downloads give the chunks of `source`, and a request for one.

    By default a download gives one chunk and then nothing for a minute. `passed` are the seconds of a call's time that
    this chunk takes, without a real wait.
    """

    async def endless(call: Call) -> AsyncIterator[dict[str, Any]]:
        call.deadline -= passed
        try:
            yield {"chunk": b"first"}
            await asyncio.sleep(60)
        finally:
            closed.append(True)

    async def download(self: ModelServicer, request: Any, call: Call) -> AsyncIterator[dict[str, Any]]:
        return endless(call) if source is None else source()

    monkeypatch.setattr(ModelServicer, "download_model_source", download)
    world = World(frame)
    await world.add("olga")
    project_id = await world.project("olga")
    return world, model_service_pb2.DownloadModelSourceRequest(
        project_id=project_id, model_id=NOBODY, model_version_id=NOBODY
    )


async def test_a_stream_ends_at_its_deadline_and_closes_what_it_reads(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []
    world, request = await _source_of(frame, monkeypatch, closed, passed=599.8)
    stream = await world.dispatch().open(_DOWNLOAD, request, {"authorization": "olga"}, timeout=600)
    assert await anext(stream.items) == {"chunk": b"first"}
    async with asyncio.timeout(60):
        with pytest.raises(CallError) as ended:
            await anext(stream.items)
    assert ended.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert closed == [True]


async def test_a_stream_that_its_reader_leaves_closes_what_it_reads(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []
    world, request = await _source_of(frame, monkeypatch, closed)
    stream = await world.dispatch().open(_DOWNLOAD, request, {"authorization": "olga"})
    await anext(stream.items)
    await stream.items.aclose()
    assert closed == [True]


def _counted() -> dict[str, float]:
    """Return the counts of downloads, by the code that they ended with."""
    codes = ("OK", "CANCELLED", "DEADLINE_EXCEEDED", "INTERNAL")
    found = {
        code: REGISTRY.get_sample_value("catenary_calls_total", {"method": _DOWNLOAD, "code": code}) for code in codes
    }
    return {code: value or 0.0 for code, value in found.items()}


async def _one() -> AsyncIterator[dict[str, Any]]:
    yield {"chunk": b"first"}


async def _failing() -> AsyncIterator[dict[str, Any]]:
    yield {"chunk": b"first"}
    raise ValueError(CANARY)


@pytest.mark.parametrize(
    ("source", "passed", "leave", "code"),
    [
        (None, 0.0, True, "CANCELLED"),
        (None, 599.8, False, "DEADLINE_EXCEEDED"),
        (_one, 0.0, False, "OK"),
        (_failing, 0.0, False, "INTERNAL"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_stream_is_counted_and_logged_once_at_its_end_with_the_status_it_ended_with(
    frame: Frame, monkeypatch: pytest.MonkeyPatch, source: Source | None, passed: float, leave: bool, code: str
) -> None:
    world, request = await _source_of(frame, monkeypatch, [], source, passed)
    gc.collect()  # no stream of an earlier test is counted later
    before = _counted()
    with structlog.testing.capture_logs() as logs:
        stream = await world.dispatch().open(_DOWNLOAD, request, {"authorization": "olga"}, 600)
        await anext(stream.items)
        assert _counted() == before, "while it is open nobody knows how it ends"
        if leave:
            await stream.items.aclose()
        with contextlib.suppress(CallError):
            async for _ in stream.items:
                pass
    assert _counted() == {**before, code: before[code] + 1}
    assert [line["code"] for line in logs if line["event"] == "call"] == [code]


async def test_a_stream_that_nobody_reads_is_counted_too(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    world, request = await _source_of(frame, monkeypatch, [])
    gc.collect()  # no stream of an earlier test is counted later
    before = _counted()
    stream = await world.dispatch().open(_DOWNLOAD, request, {"authorization": "olga"})
    assert _counted() == before
    del stream
    gc.collect()
    assert _counted() == {**before, "CANCELLED": before["CANCELLED"] + 1}
