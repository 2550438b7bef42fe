"""Known problems, as models would state them: fronts of pymoo's problems, and the indices of the Ishigami function."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.optimize import minimize
from pymoo.problems import get_problem

from catenary_core.studies import fronts
from catenary_core.studies.definition import Algorithm, Definition, Objective
from catenary_core.studies.engine import Engine
from catenary_core.studies.scores import PointOutcome
from catenary_core.studies.variables import Range
from factories.studies import plain, run

pytestmark = pytest.mark.slow

SEEDS = (1, 2, 3)


def _volume(found: Any, known: Any) -> float:
    """Return the hypervolume of points, in parts of a known front's range and behind it by a tenth."""
    low, high = known.min(axis=0), known.max(axis=0)
    volume = fronts.hypervolume((found - low) / (high - low), np.full(known.shape[1], 1.1))
    assert volume is not None
    return volume


@pytest.mark.parametrize("name", ["bnh", "truss2d"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_known_front_is_found_within_2000_points(name: str, seed: int) -> None:
    problem = get_problem(name)
    definition, function = plain("nsga2", problem, budget=2_000, seed=seed)
    outcomes, progress = run(definition, function)
    assert len(outcomes) == 2_000
    feasible = [
        score.objectives
        for one in progress
        for score in one.scores
        if score.is_feasible and None not in score.objectives
    ]
    known = problem.pareto_front()
    assert _volume(np.array(feasible, dtype=float), known) >= 0.98 * _volume(known, known)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "budget"), [("mw1", 3_000), ("bnh", 1_000)])
def test_the_points_are_those_of_the_bare_library(name: str, budget: int, seed: int) -> None:
    """NSGA-II seldom solves `mw1`; what it does with a seed and a budget, a study does too."""
    problem = get_problem(name)
    definition, function = plain("nsga2", problem, budget=budget, seed=seed)
    outcomes, _ = run(definition, function)
    bare = minimize(problem, NSGA2(pop_size=100), ("n_eval", budget), seed=seed)
    points = {tuple(outcome.parameters.values()) for outcome in outcomes}
    assert {tuple(row) for row in bare.pop.get("X").tolist()} <= points
    engine = Engine(definition)
    while (asked := engine.ask()).points:
        engine.tell(outcomes[asked.first : asked.first + len(asked.points)])
    own = engine._search._algorithm.pop  # type: ignore[attr-defined]
    assert own.get("F").tolist() == bare.pop.get("F").tolist()


def _ishigami(point: Mapping[str, Any]) -> Mapping[str, float]:
    x1, x2, x3 = (point[name] for name in ("x1", "x2", "x3"))
    return {"y": math.sin(x1) + 7 * math.sin(x2) ** 2 + 0.1 * x3**4 * math.sin(x1)}


def _sensitivity(algorithm: Algorithm, budget: int, function: Any) -> dict[str, Any]:
    names = ("x1", "x2", "x3")
    definition = Definition(
        algorithm=algorithm,
        variables=tuple(Range(name, -math.pi, math.pi) for name in names),
        fixed={},
        parameters=tuple({"name": name, "type": "number", "unit": None, "choices": []} for name in names),
        metrics=({"name": "y", "unit": None},),
        objectives=(Objective("y", None),),
        constraints=(),
        population=100,
        budget=budget,
        seed=0,
    )
    engine = Engine(definition)
    while (asked := engine.ask()).points:
        assert len(asked.points) <= 1_000
        engine.tell([PointOutcome(point, function(point)) for point in asked.points])
    (found,) = engine.indices()
    return dict(found)


def test_the_indices_of_the_ishigami_function() -> None:
    found = _sensitivity("sobol_indices", 5 * 4_096, _ishigami)
    assert (found["used"], found["left_out"]) == (4_096, 0)
    for name, s1, st in (("x1", 0.314, 0.558), ("x2", 0.442, 0.442), ("x3", 0.0, 0.244)):
        index = found["parameters"][name]
        assert index["s1"] == pytest.approx(s1, abs=0.01)
        assert index["st"] == pytest.approx(st, abs=0.01)
        assert abs(index["s1"] - s1) <= index["s1_confidence"] < 0.05
        assert abs(index["st"] - st) <= index["st_confidence"] < 0.06
    assert found == _sensitivity("sobol_indices", 5 * 4_096, _ishigami), "equal seeds, equal confidences"


def test_a_screening_of_the_ishigami_function() -> None:
    found = _sensitivity("morris", 4_000, _ishigami)["parameters"]
    assert found["x2"]["mu_star"] == pytest.approx(7.875)
    assert found["x1"]["mu_star"] == pytest.approx(7.5, abs=0.8)
    assert found["x3"]["sigma"] > found["x1"]["sigma"], "x3 acts through x1 alone"


@pytest.mark.parametrize("algorithm", ["sobol_indices", "morris"])
def test_points_that_fail_cost_their_blocks_only(algorithm: Algorithm) -> None:
    found = _sensitivity(algorithm, 5_120, lambda point: None if point["x1"] > 3.1 else _ishigami(point))
    assert found["left_out"] > 0
    assert found["used"] > 0
    index = found["parameters"]["x2"]
    assert index["s1" if algorithm == "sobol_indices" else "mu_star"] == pytest.approx(
        0.442 if algorithm == "sobol_indices" else 7.875, abs=0.2
    )


@pytest.mark.parametrize("algorithm", ["sobol_indices", "morris"])
@pytest.mark.parametrize("function", [lambda point: None, lambda point: {"y": 3.0}])
def test_indices_of_values_that_never_differ_are_null(algorithm: Algorithm, function: Any) -> None:
    found = _sensitivity(algorithm, 500, function)
    assert {value for index in found["parameters"].values() for value in index.values()} == {None}
