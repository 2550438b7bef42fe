"""The outcomes of a chunk's points are read in a thread unless they are few and small."""

from __future__ import annotations

import threading
from typing import Any

import orjson
import pytest

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.call.errors import DomainError
from catenary_core.services.evaluations import keys, rules
from catenary_core.services.worker import outcome

MASS = {"mass": {"value": 1.0, "unit": None}}


def _point(index: int, rows: int = 0) -> pb.PointOutcome:
    found = pb.Outcome(status="completed")
    found.metrics.text = orjson.dumps(MASS).decode()
    found.tables.text = orjson.dumps({"members": [{"force": 1.5, "name": "x" * 40}] * rows}).decode()
    return pb.PointOutcome(index=index, outcome=found)


def _failed(index: int, length: int) -> pb.PointOutcome:
    found = pb.Outcome(status="failed")
    found.error.text = orjson.dumps({"code": "MODEL_FAILED", "message": "x" * length, "line": None}).decode()
    return pb.PointOutcome(index=index, outcome=found)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Gather the threads that read outcomes."""
    seen: set[int] = set()
    read = outcome._read

    def noting(*given: Any) -> Any:
        seen.add(threading.get_ident())
        return read(*given)

    monkeypatch.setattr(outcome, "_read", noting)
    return seen


@pytest.mark.parametrize(
    "points",
    [
        [_point(index) for index in range(512)],
        [_point(index) for index in range(65)],
        [_point(index, rows=20) for index in range(64)],  # each is far below what a thread would read alone
        [_failed(index, 2_000) for index in range(40)],
    ],
    ids=["many", "more than 64", "64 with tables", "errors"],
)
async def test_many_or_large_outcomes_leave_the_event_loop_free(
    threads: set[int], points: list[pb.PointOutcome]
) -> None:
    ends = await outcome.read_points(points, "runtime")
    assert list(ends) == list(range(len(points)))
    assert {ended.status for ended in ends.values()} == {points[0].outcome.status}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_few_small_outcomes_cost_no_thread(threads: set[int]) -> None:
    ends = await outcome.read_points([_point(index) for index in range(64)], "runtime")
    assert (len(ends), threads) == (64, {threading.get_ident()})


@pytest.mark.parametrize("count", [3, 100])
async def test_a_point_that_comes_twice_is_refused(threads: set[int], count: int) -> None:
    with pytest.raises(DomainError) as caught:
        await outcome.read_points([*(_point(index) for index in range(count)), _point(1)], "runtime")
    assert caught.value.violations[0].field == f"points[{count}].index"


async def test_one_outcome_off_the_rules_fails_its_point_alone(threads: set[int]) -> None:
    bad = pb.PointOutcome(index=1, outcome=pb.Outcome(status="completed", metrics={"text": '{"mass": 1}'}))
    ends = await outcome.read_points([_point(0), bad, *(_point(index) for index in range(2, 70))], "runtime")
    assert [index for index, ended in ends.items() if ended.status == "failed"] == [1]


@pytest.mark.parametrize(("values", "leaves"), [({"loads": [{"force": 1.0}]}, True), ({"span": 3, "at": [0.0]}, False)])
async def test_keys_of_tables_are_made_in_a_thread(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, Any], leaves: bool
) -> None:
    make, seen = rules.cache_key, []

    def noting(*given: Any, **named: Any) -> bytes:
        seen.append(threading.get_ident())
        return make(*given, **named)

    monkeypatch.setattr(rules, "cache_key", noting)
    assert await keys.of_values("project", "version", "runtime", values) == make(
        "project", "version", "runtime", values
    )
    assert (threading.get_ident() not in seen) is leaves
