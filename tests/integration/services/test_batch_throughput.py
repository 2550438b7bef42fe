"""Throughput of batches: the plans of each chunk's statements, and how soon a stream tells the end.

A node keeps the first plan of a statement, and a new installation has few rows then: a plan that joins the points of a
batch with those of a chunk row by row took 30 ms a chunk on a batch of 1,000 points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import uuid_utils

from catenary_core.services.evaluations.batches import points, queries, streams
from factories.services.evaluations import Node

BATCH, JOB = str(uuid_utils.uuid7()), str(uuid_utils.uuid7())


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from _nodes(child)


async def _plan(node: Node, name: str, **arguments: Any) -> dict[str, Any]:
    async with node.frame.db.transaction() as tx:
        row = await tx.one(getattr(queries, name).explain(), **arguments)
    plan: dict[str, Any] = row["QUERY PLAN"][0]["Plan"]
    return plan


async def test_points_of_a_chunk_are_found_before_the_points_of_the_batch_are_read(node: Node) -> None:
    plan = await _plan(node, "TAKE", batch_id=BATCH, job_id=JOB, points=64, most_bytes=1024)
    nodes = list(_nodes(plan))
    assert not [one for one in nodes if one["Node Type"] in ("Nested Loop", "Hash Join", "Merge Join")]
    found_once = [one for one in nodes if one.get("Parent Relationship") == "InitPlan"]
    assert len(found_once) == 1


async def test_results_are_stored_in_the_points_of_their_job(node: Node) -> None:
    names = ("indexes", "statuses", "metrics", "constraints", "tables", "geometry", "errors", "durations", "keys")
    nothing: dict[str, list[Any]] = {name: [] for name in names}
    plan = await _plan(node, "STORE", batch_id=BATCH, job_id=JOB, ended=0, **nothing)
    scans = [one for one in _nodes(plan) if one.get("Relation Name") == "point" and one["Node Type"] != "ModifyTable"]
    assert len(scans) == 2
    for scan in scans:
        assert "job_id" in f"{scan.get('Index Cond')} {scan.get('Filter')} {scan.get('Recheck Cond')}", scan


@pytest.mark.parametrize(
    ("left", "computed", "seconds", "total", "size"),
    [
        (1000, 1000, 1.0, 2000, 250),
        (60, 1940, 1.94, 2000, 25),
        (10, 1990, 1.99, 2000, 10),
        (100, 1900, 19.0, 2000, 25),
        (10, 1990, 19.9, 2000, 5),
        (20, 1980, 19.8, 2000, 5),
        (10, 1990, 199.0, 2000, 3),
        (10, 0, 0.0, 2000, 1),
        (40, 10, 0.01, 50, 10),
    ],
)
def test_the_last_chunks_of_a_long_batch_are_no_single_points(
    left: int, computed: int, seconds: float, total: int, size: int
) -> None:
    assert points.chunk_size(left, 2, computed, seconds, total) == size


@pytest.mark.parametrize(
    ("left", "ended", "seconds", "pause"),
    [
        (1000, 0, 0.0, streams.LAST_READ_SECONDS),
        (1000, 0, 0.4, streams.READ_SECONDS),
        (10_000, 100, 0.5, streams.READ_SECONDS),
        (100, 200, 0.5, 0.125),
        (1, 200, 0.5, streams.LAST_READ_SECONDS),
    ],
)
def test_a_stream_reads_more_often_before_the_end(left: int, ended: int, seconds: float, pause: float) -> None:
    assert streams.pause_of(left, ended, seconds) == pause
