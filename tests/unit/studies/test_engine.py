"""The engine of a study: what it proposes, and that it goes on from any point as if nothing had happened."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.algorithms.moo.nsga3 import comp_by_cv_then_random

from catenary_core.studies import definition as definitions
from catenary_core.studies import genetic, variables
from catenary_core.studies.definition import Algorithm, Constraint, Objective
from catenary_core.studies.engine import Engine
from catenary_core.studies.scores import PointOutcome
from catenary_core.studies.searches import SampleChangedError
from catenary_core.studies.variables import Choice, Range, StepRange
from factories.studies import mixed, mixed_function, run

SEARCHES: list[Algorithm] = ["nsga2", "nsga3", "tpe"]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", SEARCHES)
@settings(max_examples=12, deadline=None)
@given(cut=st.integers(0, 60), seed=st.integers(0, 2**53))
def test_a_study_that_was_cut_anywhere_ends_as_one_that_was_not(algorithm: Algorithm, cut: int, seed: int) -> None:
    definition = mixed(algorithm, seed=seed)
    whole, progress = run(definition, mixed_function)
    stored = [PointOutcome(**one) for one in orjson.loads(orjson.dumps([_plain(one) for one in whole[:cut]]))]
    evaluated = []

    def counted(point: Mapping[str, Any]) -> Mapping[str, float] | None:
        evaluated.append(point)
        return mixed_function(point)

    again, progress_again = run(definition, counted, stored)
    assert again == whole
    assert progress_again == progress
    assert len(evaluated) == len(whole) - len(stored)


def test_the_library_s_own_tie_of_nsga3_would_not_be_repeatable(monkeypatch: pytest.MonkeyPatch) -> None:
    definition = mixed("nsga3", budget=400)
    assert run(definition, lambda point: None) == run(definition, lambda point: None)
    monkeypatch.setattr(genetic, "by_violation", comp_by_cv_then_random)
    assert run(definition, lambda point: None) != run(definition, lambda point: None)


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_a_greater_budget_goes_on_as_if_it_had_been_given_at_once(algorithm: Algorithm) -> None:
    """The smaller budget ends within a generation."""
    short, _ = run(mixed(algorithm, budget=31), mixed_function)
    assert len(short) == 31
    resumed, progress = run(mixed(algorithm, budget=55), mixed_function, short)
    assert (resumed, progress) == run(mixed(algorithm, budget=55), mixed_function)


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_another_seed_gives_other_points(algorithm: Algorithm) -> None:
    assert run(mixed(algorithm, seed=1), mixed_function)[0] != run(mixed(algorithm, seed=2), mixed_function)[0]


@pytest.mark.parametrize("algorithm", [*SEARCHES, "morris", "sobol_indices"])
def test_every_value_is_one_that_the_variable_has(algorithm: Algorithm) -> None:
    definition = mixed(algorithm, budget=80)
    if definition.is_sensitivity:
        definition = replace(definition, constraints=())
    outcomes, _ = run(definition, mixed_function)
    assert len(outcomes) >= 40
    for outcome in outcomes:
        at = outcome.parameters
        assert 0.5 <= at["width"] <= 4.0
        assert at["height"] in [round(0.1 * step, 1) for step in range(3, 31)]
        assert type(at["count"]) is int
        assert 1 <= at["count"] <= 10
        assert at["kind"] in ("steel", "timber", "stone")
        assert at["size"] in (100, 150, 200)
        assert type(at["closed"]) is bool
        assert "name" not in at, "a fixed parameter stands in no point of the engine"
    for name in ("count", "kind", "size", "closed"):
        assert len({outcome.parameters[name] for outcome in outcomes}) > 1, f"{name} varies"


def test_values_and_coordinates_give_each_other_exactly() -> None:
    definition = mixed()
    for outcome in run(definition, mixed_function)[0]:
        vector = variables.vector(definition.variables, outcome.parameters)
        assert variables.values(definition.variables, vector) == outcome.parameters


@settings(max_examples=200, deadline=None)
@given(
    start=st.floats(-1e6, 1e6).map(lambda value: round(value, 3)),
    step=st.sampled_from([0.1, 0.001, 0.25, 3.0, 1 / 3]),
    at=st.integers(0, 10_000),
)
def test_steps_and_coordinates_give_each_other_exactly(start: float, step: float, at: int) -> None:
    variable = StepRange("x", start, step, 5, 10_005, whole=False)
    assert variable.coordinate(variable.value(float(at))) == at


def test_a_definition_survives_its_json() -> None:
    definition = replace(mixed("nsga3"), start=({"width": 1.0},))
    assert definitions.from_json(orjson.loads(orjson.dumps(definition.to_json()))) == definition


def test_the_first_generation_begins_with_the_given_points() -> None:
    start = ({"width": 2.0, "height": 1.5, "count": 4, "kind": "timber", "size": 149, "closed": True},)
    for algorithm in SEARCHES:
        first = Engine(replace(mixed(algorithm), start=start)).ask().points[0]
        assert first == {**start[0], "size": 150}, algorithm


def test_contradictory_constraints_give_an_empty_front() -> None:
    never = Constraint("never", None, None, None, "width > 3 m and width < 1 m")
    for algorithm in SEARCHES:
        outcomes, progress = run(replace(mixed(algorithm), constraints=(never,)), mixed_function)
        assert len(outcomes) == 60
        assert progress[-1].front == []
        assert progress[-1].hypervolume == 0
        assert not any(score.is_feasible for one in progress for score in one.scores)


def test_a_model_that_always_fails_ends_with_an_empty_front() -> None:
    for algorithm in SEARCHES:
        outcomes, progress = run(mixed(algorithm), lambda point: None)
        assert len(outcomes) == 60
        assert (progress[-1].front, progress[-1].hypervolume, progress[-1].reference) == ([], None, None)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
def test_a_number_that_cannot_be_computed_with_enters_no_front(bad: float) -> None:
    def function(point: Mapping[str, Any]) -> Mapping[str, float] | None:
        found = mixed_function(point)
        return None if found is None else {**found, "cost": bad if point["count"] % 2 else found["cost"]}

    for algorithm in SEARCHES:
        outcomes, progress = run(mixed(algorithm), function)
        scores = [score for one in progress for score in one.scores]
        assert any(score.is_feasible for score in scores)
        for outcome, score in zip(outcomes, scores, strict=True):
            if outcome.parameters["count"] % 2:
                assert score.objectives[0] is None
                assert not score.is_feasible
            assert all(math.isfinite(value) for value in (*score.violations, *filter(None, score.objectives)))
        volume = progress[-1].hypervolume
        assert volume is not None
        assert math.isfinite(volume)


def test_a_small_space_ends_when_every_design_was_tried() -> None:
    definition = replace(
        mixed(),
        variables=(StepRange("count", 1, 1, 0, 1, whole=True), Choice("closed", (False, True), is_ordered=False)),
        fixed={"name": "one", "width": 1.0, "height": 1.0, "kind": "steel", "size": 100},
    )
    outcomes, _ = run(definition, mixed_function)
    assert {(one.parameters["count"], one.parameters["closed"]) for one in outcomes} == {
        (count, closed) for count in (1, 2) for closed in (False, True)
    }
    assert len(outcomes) < 60


def test_the_hypervolume_grows_and_keeps_its_reference() -> None:
    _, progress = run(mixed(), mixed_function)
    volumes = [one.hypervolume for one in progress]
    assert volumes == sorted(volumes, key=lambda volume: volume or 0.0)
    assert len({tuple(one.reference or ()) for one in progress}) == 1
    given_one = replace(
        mixed(), objectives=(Objective("cost", None, reference=50.0), Objective("use", None, True, 1.0))
    )
    assert run(given_one, mixed_function)[1][-1].reference == [50.0, 1.0]


def test_a_maximized_objective_is_the_opposite_of_a_minimized_one() -> None:
    most = replace(mixed(), objectives=(Objective("cost", None), Objective("use", None, maximize=True)))
    least = replace(mixed(), objectives=(Objective("cost", None), Objective(None, "-use")))
    assert run(most, mixed_function)[0] == run(least, mixed_function)[0]


def test_the_front_has_rank_1_and_ranks_are_those_of_all_feasible_points() -> None:
    definition = mixed()
    outcomes, progress = run(definition, mixed_function)
    engine = Engine(definition)
    while (asked := engine.ask()).points:
        engine.tell(outcomes[asked.first : asked.first + len(asked.points)])
    numbers, ranks = engine.ranks()
    scores = [score for one in progress for score in one.scores]
    assert numbers == [number for number, score in enumerate(scores) if score.is_feasible]
    assert sorted(progress[-1].front) == [number for number, rank in zip(numbers, ranks, strict=True) if rank == 1]


def test_a_generation_is_told_whole() -> None:
    engine = Engine(mixed())
    points = engine.ask().points
    assert engine.ask().points is points
    with pytest.raises(ValueError, match="12 points, not 1"):
        engine.tell([PointOutcome(points[0], None)])


def test_stored_points_that_differ_from_the_proposed_ones_are_taken_as_they_are() -> None:
    """Another release of a library may propose others; the study goes on from what was evaluated."""
    other, _ = run(mixed(seed=5), mixed_function)
    outcomes, progress = run(mixed(seed=6), mixed_function, other[:24])
    assert outcomes[:24] == other[:24]
    assert len(outcomes) == 60
    assert progress[-1].front


def test_tpe_learns_from_the_stored_points_and_not_from_its_own_proposals() -> None:
    """The results of both runs are equal, and the points at which they were found are not."""

    def proposed(*, mirrored: bool) -> list[dict[str, Any]]:
        engine = Engine(replace(mixed("tpe", budget=40, population=20), constraints=()))
        told = [
            PointOutcome(
                {**point, "width": 4.5 - point["width"] if mirrored else point["width"]}, {"cost": float(cost)}
            )
            for cost, point in enumerate(engine.ask().points)
        ]
        engine.tell(told)
        return list(engine.ask().points)

    assert proposed(mirrored=True) != proposed(mirrored=False)


@pytest.mark.parametrize("algorithm", ["morris", "sobol_indices"])
def test_a_sensitivity_refuses_points_of_another_sample(algorithm: Algorithm) -> None:
    definition = replace(mixed(algorithm, budget=100), constraints=(), objectives=(Objective("cost", None),))
    others = Engine(replace(definition, seed=2)).ask().points
    with pytest.raises(SampleChangedError):
        Engine(definition).tell([PointOutcome(point, {"cost": 1.0}) for point in others])


def test_one_dimension_and_the_edges_of_numbers() -> None:
    tiny = replace(
        mixed("nsga2", budget=40),
        variables=(Range("width", -1e-300, 1e-300), StepRange("count", -(2**63), 1, 0, 2**64 - 1, whole=True)),
        objectives=(Objective("cost", None),),
        constraints=(),
    )
    for algorithm in ("nsga2", "tpe"):
        outcomes, _ = run(replace(tiny, algorithm=algorithm), lambda point: {"cost": float(point["count"])})
        assert all(-(2**63) <= one.parameters["count"] < 2**63 for one in outcomes)


def _plain(outcome: PointOutcome) -> dict[str, Any]:
    return {"parameters": outcome.parameters, "metrics": outcome.metrics}
