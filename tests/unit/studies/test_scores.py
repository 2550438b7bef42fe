"""The distance of a point from what a study wants."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.studies import violations
from catenary_core.studies.definition import Constraint
from catenary_core.studies.scores import FAILED, PointOutcome, Scorer, checked
from catenary_wire.expressions import evaluation
from catenary_wire.expressions.arithmetic import Undefined
from catenary_wire.expressions.quantities import TEXT, TRUTH, of_unit
from factories.studies import mixed

NAMES = {"span": of_unit("m"), "x": of_unit(None), "y": of_unit(None), "flag": TRUTH, "kind": TEXT}


def distance(text: str, **values: Any) -> float:
    (found,) = violations.of_expression(checked(text, NAMES), [{"span": 12.0, "flag": True, "kind": "steel", **values}])
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("span <= 12 m", 0.0),
        ("span < 12 m", 1e-300),
        ("span <= 10 m", 0.2),
        ("span <= 10000 mm", 0.2),
        ("10 m >= span", 2.0),
        ("x <= 0", 3.0),
        ("x <= 0 or y >= 2", 0.5),
        ("x <= 0 and y >= 2", 3.5),
        ("x <= 0 and y <= 2", 3.0),
        ("not (x > 0 and y > 0)", 1.0),
        ("not flag", 1.0),
        ("not flag or x < 1", 1.0),
        ("kind == 'timber'", 1.0),
        ("flag and kind == 'steel'", 0.0),
        ("x != 3", 1e-300),
        ("x / (y - 1) < 1", violations.UNDEFINED),
        ("z_less < 1 or x > 0", None),
    ],
)
def test_the_distance_of_a_condition(text: str, expected: float | None) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="z_less"):
            distance(text, x=3.0, y=1.0)
    else:
        assert distance(text, x=3.0, y=1.0) == pytest.approx(expected, rel=1e-12)


@given(
    text=st.sampled_from(
        ["x < y", "x * y <= 3 and not (x == y)", "x < 1 or y < 1 and flag", "sqrt(x) > y", "x / y < 2 or x > 5"]
    ),
    x=st.floats(allow_nan=False),
    y=st.floats(allow_nan=False),
    flag=st.booleans(),
)
def test_a_distance_is_0_exactly_where_the_condition_is_true(text: str, x: float, y: float, flag: bool) -> None:
    found = distance(text, x=x, y=y, flag=flag)
    truth = evaluation.evaluate(checked(text, NAMES), {"x": x, "y": y, "flag": flag})
    assert (found == 0) == (truth is True)
    assert (found == violations.UNDEFINED) == isinstance(truth, Undefined)
    assert 0 <= found <= violations.UNDEFINED


@pytest.mark.parametrize(
    ("value", "op", "bound", "expected"),
    [
        (3.0, "<=", None, violations.UNDEFINED),
        (3.0, "<=", 3.0, 0.0),
        (3.0, "<", 3.0, 1e-300),
        (3.0, ">=", 4.0, 0.25),
        (3.0, ">", 0.0, 0.0),
        (0.5, "<=", 0.0, 0.5),
        (3.0, "==", 2.0, 0.5),
        (None, "<=", 3.0, violations.UNDEFINED),
        (math.nan, "<=", 3.0, violations.UNDEFINED),
        (1e308, "<=", 1e-308, violations.GREATEST),
    ],
)
def test_the_distance_of_a_metric(value: float | None, op: str, bound: float | None, expected: float) -> None:
    assert violations.of_metric(value, op, bound) == expected


def test_a_point_is_measured_by_the_limit_of_its_own_evaluation() -> None:
    scorer = Scorer(replace(mixed(), constraints=(Constraint("cheap", "cost", "<=", None, None),)))
    metrics = {"cost": 30.0, "use": 1.0}
    scores = scorer.scores([PointOutcome({}, metrics, limits) for limits in ({"cheap": 30.0}, {"cheap": 20.0}, {})])
    assert [score.violations[0] for score in scores] == [0.0, 0.5, violations.UNDEFINED]


def test_a_point_without_results_is_further_away_than_any_other() -> None:
    scorer = Scorer(mixed())
    failed, worst = scorer.scores(
        [PointOutcome({"width": 1.0, "height": 1.0}, None), PointOutcome({"width": 1e300, "height": 1e300}, {})]
    )
    assert set(failed.violations) == {FAILED}
    assert max(worst.violations) < FAILED
    assert failed.objectives == worst.objectives == (None, None)
    assert scorer.minimized(failed) == [0.0, 0.0]
    assert not failed.is_feasible


def test_a_condition_without_a_truth_refuses_a_point_that_has_its_objectives() -> None:
    (score,) = Scorer(mixed()).scores([PointOutcome({"height": 1.0}, {"cost": 1.0, "use": 2.0})])
    assert score.objectives == (1.0, -2.0)
    assert not score.is_feasible
