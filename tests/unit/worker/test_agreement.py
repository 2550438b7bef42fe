"""Two results agree when all bits do; the first difference is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from catenary_worker.agreement import difference
from catenary_worker.task import Geometry, Outcome


def metric(value: object) -> dict[str, Any]:
    return {"m": {"value": value, "unit": None}}


def files(data: bytes, name: str = "g") -> list[Geometry]:
    return [Geometry(name, "glb", "model/gltf-binary", data)]


WHOLE = Outcome("completed", metrics=metric(1.5), tables={"t": [{"a": 1}, {"a": 2.0}]}, geometry=files(b"glb"))


def test_equal_results_agree_whatever_was_printed_and_however_long_it_took() -> None:
    assert difference(WHOLE, replace(WHOLE, log="other", duration_ms=3.0, reused=True)) is None


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"status": "timed_out"}, "One evaluation ended as timed_out"),
        ({"metrics": metric(1.5000000000000002)}, "The metric m was once 1.5 and once 1.5000000000000002"),
        ({"metrics": {}}, "The metric m was there in one evaluation only"),
        (
            {"metrics": {**metric(1.5), "n": {"value": 1, "unit": None}}},
            "The metric n was there in one evaluation only",
        ),
        ({"tables": {}}, "The table t was there in one evaluation only"),
        ({"tables": {"t": [{"a": 1}]}}, "Row 2 of the table t differed"),
        ({"tables": {"t": [{"a": 1}, {"a": 2}]}}, "Row 2 of the table t differed"),
        ({"tables": {"t": [{"a": True}, {"a": 2.0}]}}, "Row 1 of the table t differed"),
        ({"geometry": files(b"gl_")}, "The geometry g (glb) differed"),
        ({"geometry": []}, "The geometry g (glb) differed"),
        ({"geometry": files(b"glb") + files(b"glb", "h")}, "The geometry h (glb) differed"),
    ],
)
def test_the_first_difference_is_named(changes: dict[str, Any], expected: str) -> None:
    for pair in ((WHOLE, replace(WHOLE, **changes)), (replace(WHOLE, **changes), WHOLE)):
        found = difference(*pair)
        assert found is not None
        assert sorted(found.split()) == sorted(expected.split()), "the two values in either order"


@pytest.mark.parametrize("pair", [(0.0, -0.0), (1, 1.0)])
def test_numbers_that_compare_equal_may_differ_in_a_bit(pair: tuple[float, float]) -> None:
    one, other = (replace(WHOLE, metrics=metric(value)) for value in pair)
    assert one.metrics == other.metrics
    assert difference(one, other) is not None
