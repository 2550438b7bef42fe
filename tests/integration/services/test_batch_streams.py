"""Streams of the points of batches, each as it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.services.evaluations.batches import streams
from factories.services import batches, evaluations
from factories.services.evaluations import (
    CALLERS,
    ROLES,
    Node,
    Refusal,
    deploy,
    open_node,
    refusal,
    run_sql,
)


async def _stream(
    node: Node, batch_id: str, caller: str = "viewer", **fields: Any
) -> AsyncGenerator[dict[str, Any], None]:
    path = batches.BATCHES + "StreamBatchResults"
    request = node.dispatch.bindings[path].request(batch_id=batch_id, **fields)
    stream = await node.dispatch.open(path, request, {"authorization": caller})
    async with aclosing(stream.items):
        async for part in stream.items:
            for item in part["items"]:
                yield item


async def test_a_stream_gives_each_point_as_it_ends_and_resumes(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 6)
    worker = node.worker()
    await batches.work(worker, batches.FAILED)
    stream = _stream(node, batch_id)
    first = await anext(stream)
    assert (first["id"], first["result"]["index"], first["result"]["status"]) == ("1", 0, "failed")
    waiting = asyncio.create_task(anext(stream))
    job = await worker.must_lease()
    await worker.complete_points(job, *[batches.MASS] * len(job.points))
    second = await waiting
    assert (second["id"], second["result"]["tables"]) == ("2", batches.MASS["tables"])
    await stream.aclose()
    await batches.work_all(worker, batch_id, node)
    rest = [item async for item in _stream(node, batch_id, after="2")]
    assert [item["id"] for item in rest] == ["3", "4", "5", "6", "7"]
    assert {first["result"]["index"], second["result"]["index"], *(one["result"]["index"] for one in rest[:-1])} == {
        *range(6)
    }
    assert rest[-1] == {"id": "7", "result": None, "batch": await batches.get(node, batch_id)}
    assert [item async for item in _stream(node, batch_id, after="1", last_event_id="2")] == rest
    assert [item async for item in _stream(node, batch_id, after="7")] == []
    for after, constraint in (("8", "unknown"), ("x", "pattern")):
        refused = await _stream_refusal(node, batch_id, after=after)
        assert refused.violations == [("after", constraint)]


async def _stream_refusal(node: Node, batch_id: str, caller: str = "viewer", **fields: Any) -> Refusal:
    with pytest.raises(CallError) as caught:
        await anext(_stream(node, batch_id, caller, **fields))
    return refusal(caught.value)


async def test_a_stream_gives_the_points_of_a_cancelled_batch_too(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 3)
    await batches.call(node, "DeleteBatch", batch_id=batch_id)
    found = [item async for item in _stream(node, batch_id)]
    assert [one["result"]["status"] for one in found[:-1]] == ["cancelled"] * 3
    assert found[-1]["batch"]["status"] == "cancelled"


async def test_large_points_come_in_parts(node: Node, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_id = await batches.create(node, project, 4)
    await batches.work_all(node.worker(), batch_id, node)
    monkeypatch.setattr(streams, "MESSAGE_BYTES", 1)
    assert [item["id"] async for item in _stream(node, batch_id)] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("ends", ["credential", "role", "batch", "process"])
async def test_a_stream_ends_with_what_it_stands_on(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    batch_id = await batches.create(node, project)
    assert (await _stream_refusal(node, batch_id, "stranger")).reason == "NOT_FOUND"
    stream = _stream(node, batch_id)
    await batches.work(node.worker())
    await anext(stream)
    waiting = asyncio.create_task(anext(stream))
    if ends == "credential":
        monkeypatch.setattr(evaluations, "REVOKED", {CALLERS["viewer"].user_id})
    elif ends == "role":
        monkeypatch.delitem(ROLES, "viewer")
    elif ends == "batch":
        await run_sql(node.frame.db, "DELETE FROM evaluations.batch")
    else:
        node.streams.close()
    with pytest.raises(CallError) as caught:
        await waiting
    reasons = {"credential": "INVALID_TOKEN", "role": "NOT_FOUND", "batch": "NOT_FOUND", "process": "UNAVAILABLE"}
    assert refusal(caught.value).reason == reasons[ends]


async def test_a_user_has_few_streams(dsn: str, tmp_path: Any) -> None:
    async with open_node(dsn, tmp_path, streams_per_user=1) as node:
        batch_id = await batches.create(node, (await deploy(node.frame.db, node.frame.objects))[0])
        await batches.work(node.worker())
        one = _stream(node, batch_id)
        await anext(one)
        assert (await _stream_refusal(node, batch_id)).reason == "RATE_LIMIT_EXCEEDED"
        assert await anext(_stream(node, batch_id, "evaluator"))
        await one.aclose()
        assert await anext(_stream(node, batch_id))
