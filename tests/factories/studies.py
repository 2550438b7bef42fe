"""Studies over functions instead of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from catenary_core.studies.definition import Algorithm, Constraint, Definition, Objective
from catenary_core.studies.engine import Engine, Progress
from catenary_core.studies.scores import PointOutcome
from catenary_core.studies.variables import Choice, Range, StepRange

Function = Callable[[Mapping[str, Any]], Mapping[str, float] | None]
"""Gives the metrics of a point; None: it failed."""


def run(
    definition: Definition, function: Function, known: Sequence[PointOutcome] = ()
) -> tuple[list[PointOutcome], list[Progress]]:
    """Run a study to its end; points that are known are not evaluated."""
    engine = Engine(definition)
    outcomes: list[PointOutcome] = []
    progress = []
    while (asked := engine.ask()).points:
        assert asked.first == len(outcomes)
        told = list(known[asked.first : asked.first + len(asked.points)])
        told += [PointOutcome(point, function({**definition.fixed, **point})) for point in asked.points[len(told) :]]
        progress.append(engine.tell(told))
        outcomes += told
    return outcomes, progress


def mixed(algorithm: Algorithm = "nsga2", *, budget: int = 60, population: int = 12, seed: int = 1) -> Definition:
    """Make a study over every kind of variable, with as many objectives as the algorithm is for."""
    objectives = (
        Objective("cost", None),
        Objective(None, "-use", maximize=False),
        Objective("waste", None, maximize=True),
    )
    return Definition(
        algorithm=algorithm,
        variables=(
            Range("width", 0.5, 4.0),
            StepRange("height", 0.0, 0.1, 3, 30, whole=False),
            StepRange("count", 1, 1, 0, 9, whole=True),
            Choice("kind", ("steel", "timber", "stone"), is_ordered=False),
            Choice("size", (100, 150, 200), is_ordered=True),
            Choice("closed", (False, True), is_ordered=False),
        ),
        fixed={"name": "one"},
        parameters=(
            {"name": "width", "type": "number", "unit": "m", "choices": []},
            {"name": "height", "type": "number", "unit": "m", "choices": []},
            {"name": "count", "type": "integer", "unit": None, "choices": []},
            {"name": "closed", "type": "boolean", "unit": None, "choices": []},
        ),
        metrics=tuple({"name": name, "unit": None} for name in ("cost", "use", "waste")),
        objectives=objectives[: {"nsga2": 2, "nsga3": 3, "tpe": 1}.get(algorithm, 1)],
        constraints=(Constraint("flat", None, None, None, "width <= 3500 mm and not (height > 2.5 m)"),),
        population=population,
        budget=budget,
        seed=seed,
    )


def mixed_function(point: Mapping[str, Any]) -> Mapping[str, float] | None:
    """Evaluate a point of `mixed`; some combinations fail."""
    if point["kind"] == "stone" and point["count"] == 3:
        return None
    weight = {"steel": 3.0, "timber": 1.0, "stone": 2.0}[point["kind"]]
    use = point["width"] * point["height"] * point["count"] * (2.0 if point["closed"] else 1.0)
    return {"cost": weight * point["size"] / 100 + use / 3, "use": use, "waste": point["size"] % 7 + point["width"]}


def plain(algorithm: Algorithm, problem: Any, *, budget: int, seed: int) -> tuple[Definition, Function]:
    """Return a problem of pymoo as a study, with its function as a model's."""
    names = [f"x{index}" for index in range(problem.n_var)]
    wanted = [f"f{index}" for index in range(problem.n_obj)]
    broken = [f"g{index}" for index in range(problem.n_ieq_constr)]

    def function(point: Mapping[str, Any]) -> Mapping[str, float]:
        found = problem.evaluate(np.array([[point[name] for name in names]]), return_as_dictionary=True)
        return {
            **dict(zip(wanted, found["F"][0].tolist(), strict=True)),
            **(dict(zip(broken, found["G"][0].tolist(), strict=True)) if broken else {}),
        }

    definition = Definition(
        algorithm=algorithm,
        variables=tuple(
            Range(name, float(low), float(high)) for name, low, high in zip(names, problem.xl, problem.xu, strict=True)
        ),
        fixed={},
        parameters=tuple({"name": name, "type": "number", "unit": None, "choices": []} for name in names),
        metrics=tuple({"name": name, "unit": None} for name in wanted + broken),
        objectives=tuple(Objective(name, None) for name in wanted),
        constraints=tuple(Constraint(name, name, "<=", 0.0, None) for name in broken),
        population=100,
        budget=budget,
        seed=seed,
    )
    return definition, function
