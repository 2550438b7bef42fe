"""The definition of a study from a request: what is refused before the first point, and what the defaults are."""

from __future__ import annotations

import math
from typing import Any, cast

import pytest

from catenary.platform.v1.model_shapes import ModelConstraint, ModelMetric, ModelParameter
from catenary_core.call.errors import DomainError
from catenary_core.studies.declaration import declare
from catenary_core.studies.definition import Constraint, Definition
from catenary_core.studies.variables import Choice, Range, StepRange


def _parameter(name: str, kind: str, **fields: Any) -> ModelParameter:
    empty = {"label": name, "group": None, "description": "", "positive": False, "choices": [], "unit": None}
    bounds = {"min": None, "max": None, "step": None, "default": None}
    return cast("ModelParameter", {"name": name, "type": kind, **empty, **bounds, **fields})


PARAMETERS = [
    _parameter("span", "number", min=5, max=60, step=0.5, unit="m", default=24),
    _parameter("load", "number", min=0, max=10, positive=True, unit="kN/m2", default=5),
    _parameter("bays", "integer", min=2, max=12, default=4),
    _parameter("free", "number", default=1),
    _parameter("any", "integer", default=1),
    _parameter("stepped", "number", step=0.5, default=1),
    _parameter("kind", "choice", choices=["steel", "timber"], default="steel"),
    _parameter("size", "choice", choices=[200, 100, 150], default=100),
    _parameter("closed", "boolean", default=False),
    _parameter("note", "string", default=""),
]
METRICS: list[ModelMetric] = [
    {"name": "mass", "unit": "kg", "description": ""},
    {"name": "utilisation", "unit": None, "description": ""},
]
CONSTRAINTS: list[ModelConstraint] = [{"name": "strength", "metric": "utilisation", "op": "<=", "value": 1}]
BASE = {parameter["name"]: cast("Any", parameter["default"]) for parameter in PARAMETERS}


def objective(**fields: Any) -> dict[str, Any]:
    return {"metric": None, "expression": None, "direction": "minimize", "reference": None, **fields}


def constraint(**fields: Any) -> dict[str, Any]:
    return {"metric": None, "expression": None, "op": None, "value": None, **fields}


REQUEST: dict[str, Any] = {
    "kind": "optimization",
    "objectives": [objective(metric="mass")],
    "constraints": [],
    "parameters": {},
    "algorithm": "auto",
    "population": None,
    "budget": 1_000,
    "seed": 1,
}


def declared(**fields: Any) -> Definition:
    request = {**REQUEST, **fields}
    return declare(request, PARAMETERS, METRICS, CONSTRAINTS, BASE)


def refused(**fields: Any) -> DomainError:
    with pytest.raises(DomainError) as caught:
        declared(**fields)
    assert caught.value.reason == "VALIDATION_ERROR"
    return caught.value


def test_without_names_every_parameter_with_a_range_varies() -> None:
    found = declared()
    assert found.variables == (
        StepRange("span", 5, 0.5, 0, 110, whole=False),
        Range("load", 10 * 1e-9, 10.0),
        StepRange("bays", 2, 1, 0, 10, whole=True),
        Choice("kind", ("steel", "timber"), is_ordered=False),
        Choice("size", (100, 150, 200), is_ordered=True),
        Choice("closed", (False, True), is_ordered=False),
    )
    assert found.fixed == {"free": 1, "any": 1, "stepped": 1, "note": ""}
    assert found.constraints == (Constraint("strength", "utilisation", "<=", 1.0, None),)


def test_a_declared_constraint_with_an_expression_has_the_limit_of_each_evaluation() -> None:
    declared_ones: list[ModelConstraint] = [{"name": "stiff", "metric": "mass", "op": "<=", "value": "span * 1 kg/m"}]
    found = declare(REQUEST, PARAMETERS, METRICS, declared_ones, BASE)
    assert found.constraints == (Constraint("stiff", "mass", "<=", None, None),)
    assert found.constraints[0].is_limited_by_evaluation
    assert not declared().constraints[0].is_limited_by_evaluation


def test_named_parameters_vary_and_the_others_keep_their_values() -> None:
    found = declared(parameters={"span": {"min": 10.2, "max": 12}, "kind": {"choices": ["timber", "steel"]}})
    assert found.variables == (
        StepRange("span", 5, 0.5, 11, 14, whole=False),
        Choice("kind", ("steel", "timber"), is_ordered=False),
    )
    assert found.fixed["bays"] == 4


def test_fixed_parameters_alone_leave_the_others_free() -> None:
    found = declared(parameters={"span": {"fixed": 24}, "load": {"fixed": 5}})
    assert [variable.name for variable in found.variables] == ["bays", "kind", "size", "closed"]


@pytest.mark.parametrize(
    ("given", "field", "sentence"),
    [
        ({"span": {"min": 20, "max": 10}}, "parameters.span.min", "over max"),
        ({"span": {"min": 10.1, "max": 10.4}}, "parameters.span.min", "no two values"),
        ({"span": {"min": 10, "max": 10}}, "parameters.span.min", "no two values"),
        ({"span": {"max": 61}}, "parameters.span.max", "ends at 60"),
        ({"span": {"min": 4}}, "parameters.span.min", "ends at 5"),
        ({"span": {"min": "ten"}}, "parameters.span.min", "must be a finite number"),
        ({"span": {"min": True}}, "parameters.span.min", "must be a finite number"),
        ({"span": {"choices": [10]}}, "parameters.span.choices", "give min and max"),
        ({"free": {"min": 0}}, "parameters.free.max", "declares none"),
        ({"free": {"min": -1e308, "max": 1e308}}, "parameters.free.min", "no end"),
        ({"free": {"min": math.nan, "max": 1}}, "parameters.free.min", "finite"),
        ({"free": {"min": 0, "max": math.inf}}, "parameters.free.max", "finite"),
        ({"any": {"min": -1e300, "max": 1e300}}, "parameters.any.min", "over 2^53"),
        ({"any": {"min": 2.0**53, "max": 2.0**53 + 4}}, "parameters.any.min", "over 2^53"),
        ({"stepped": {"min": -1e300, "max": 1e300}}, "parameters.stepped.min", "over 2^53"),
        ({"load": {"min": 0, "max": 0}}, "parameters.load.min", "no two values"),
        ({"bays": {"min": 2.1, "max": 2.9}}, "parameters.bays.min", "no two values"),
        ({"kind": {"choices": ["glass"]}}, "parameters.kind.choices", "can't take"),
        ({"kind": {"choices": ["steel", "timber", "steel"]}}, "parameters.kind.choices", "twice"),
        ({"kind": {"choices": ["steel"]}}, "parameters.kind.choices", "no two values"),
        ({"kind": {"min": 1}}, "parameters.kind.min", "give choices or fixed"),
        ({"closed": {"choices": [1]}}, "parameters.closed.choices", "can't take"),
        ({"note": {}}, "parameters.note", "can't vary"),
        ({"spam": {"min": 1}}, "parameters.spam", "no parameter of the model; there are span"),
    ],
)
def test_a_range_that_no_study_can_vary_over(given: dict[str, Any], field: str, sentence: str) -> None:
    error = refused(parameters=given)
    assert error.details["parameter"] == field
    assert sentence in error.message


@pytest.mark.parametrize(
    ("given", "field", "sentence"),
    [
        (
            objective(metric="mas"),
            "objectives[0].metric",
            "no metric of the model, and no derived one of the project; there are mass",
        ),
        (objective(metric="span"), "objectives[0].metric", "mass, utilisation"),
        (objective(), "objectives[0]", "exactly one of the two"),
        (objective(metric="mass", expression="mass"), "objectives[0]", "exactly one of the two"),
        (objective(expression="mass / spam"), "objectives[0].expression", "column 8"),
        (objective(expression="mass + span"), "objectives[0].expression", "column 6"),
        (objective(expression="mass > 3 kg"), "objectives[0].expression", "gives no number"),
        (objective(expression="kind"), "objectives[0].expression", "gives no number"),
        (objective(expression="9**9**9"), "objectives[0].expression", "not between -64 and 64"),
        (objective(expression="().__class__"), "objectives[0].expression", "column 3"),
        (objective(expression="(" * 200), "objectives[0].expression", "over 32"),
        (objective(metric="mass", reference=1e200), "objectives[0].reference", "below 1e150"),
    ],
)
def test_an_objective_that_has_no_meaning(given: dict[str, Any], field: str, sentence: str) -> None:
    error = refused(objectives=[given])
    assert error.details["parameter"] == field
    assert sentence in error.message


@pytest.mark.parametrize(
    ("given", "field", "sentence"),
    [
        (constraint(metric="mas", op="<=", value=1), "constraints[0].metric", "no metric"),
        (constraint(metric="mass", op="<="), "constraints[0]", "without op and value"),
        (constraint(metric="mass", value=1), "constraints[0]", "without op and value"),
        (constraint(expression="mass"), "constraints[0].expression", "column 1"),
        (constraint(expression="mass < 3 m"), "constraints[0].expression", "column 6"),
        (constraint(), "constraints[0]", "exactly one of the two"),
    ],
)
def test_a_constraint_that_has_no_meaning(given: dict[str, Any], field: str, sentence: str) -> None:
    error = refused(constraints=[given])
    assert error.details["parameter"] == field
    assert sentence in error.message


def test_one_refusal_lists_the_faults_of_all() -> None:
    error = refused(
        objectives=[objective(metric="mas"), objective(metric="mass")],
        constraints=[constraint(expression="mass <")],
        parameters={"span": {"min": 99}, "spam": {}},
    )
    assert [violation.field for violation in error.violations] == [
        "objectives[0].metric",
        "constraints[0].expression",
        "parameters.spam",
        "parameters.span.min",
    ]


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (objective(metric="mass"), objective(metric="mass"), "metric"),
        (objective(metric="mass"), objective(metric="mass", direction="maximize"), "metric"),
        (objective(metric="mass"), objective(expression=" mass "), "expression"),
        (objective(expression="mass * 2"), objective(expression="mass*2"), "expression"),
    ],
)
def test_an_objective_that_is_there_already_is_refused(
    first: dict[str, Any], second: dict[str, Any], kind: str
) -> None:
    error = refused(objectives=[first, objective(metric="utilisation"), second])
    assert [(one.field, one.constraint) for one in error.violations] == [("objectives[2]", "unique")]
    assert f"has the {kind} of another objective" in error.message


@pytest.mark.parametrize(
    ("fields", "algorithm"),
    [
        ({"budget": 299}, "tpe"),
        ({"budget": 299, "population": 50}, "tpe"),
        ({"budget": 299, "population": 51}, "nsga2"),
        ({"budget": 300}, "nsga2"),
        ({"budget": 50, "objectives": [objective(metric="mass"), objective(metric="utilisation")]}, "nsga2"),
        ({"objectives": [objective(expression=f"mass * {factor}") for factor in (1, 2, 3)]}, "nsga3"),
        ({"kind": "sensitivity", "budget": 511}, "morris"),
        ({"kind": "sensitivity", "budget": 512}, "sobol_indices"),
    ],
)
def test_the_algorithm_that_fits(fields: dict[str, Any], algorithm: str) -> None:
    assert declared(**fields).algorithm == algorithm


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"algorithm": "morris"}, "algorithm", "give auto, or nsga2 or nsga3 or tpe"),
        ({"algorithm": "nsga2", "kind": "sensitivity"}, "algorithm", "give auto, or morris or sobol_indices"),
        ({"algorithm": "nsga3"}, "algorithm", "two objectives or more"),
        ({"algorithm": "tpe", "budget": 1_001}, "budget", "at most 1000"),
        ({"algorithm": "tpe", "budget": 100, "population": 51}, "population", "at most 50"),
        (
            {"algorithm": "tpe", "objectives": [objective(expression=f"mass * {factor}") for factor in (1, 2, 3, 4)]},
            "objectives",
            "at most 3",
        ),
        ({"algorithm": "sobol_indices", "kind": "sensitivity", "budget": 15}, "budget", "at least 16"),
        ({"kind": "sensitivity", "budget": 13}, "budget", "at least 14"),
        (
            {"kind": "sensitivity", "constraints": [constraint(expression="mass < 3 kg")]},
            "constraints",
            "leave them out",
        ),
        ({"parameters": {name: {"fixed": 1} for name in BASE}}, "parameters", "no parameter varies"),
    ],
)
def test_an_algorithm_that_does_not_fit(fields: dict[str, Any], field: str, sentence: str) -> None:
    error = refused(**fields)
    assert error.details["parameter"] == field
    assert sentence in error.message


def test_a_sensitivity_measures_without_the_constraints_of_the_model() -> None:
    assert declared(kind="sensitivity").constraints == ()


def test_the_widest_range_of_integers_has_values_that_json_can_hold() -> None:
    found = declared(parameters={"any": {"min": -(2.0**53), "max": 2.0**53}}).variables[0]
    assert [found.value(end) for end in found.bounds] == [-(2**53), 2**53]


def test_the_population_follows_from_the_budget() -> None:
    assert [declared(algorithm="nsga2", budget=budget).population for budget in (1, 250, 5_000)] == [10, 25, 100]
    assert declared(budget=100).population == 8
    assert declared(population=33).population == 33
