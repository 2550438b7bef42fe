"""The definition of a study: everything on which its points depend, as plain values that are stored and sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from catenary_core.studies import variables
from catenary_core.studies.variables import Value, Variable

Algorithm = Literal["nsga2", "nsga3", "tpe", "morris", "sobol_indices"]
SENSITIVITIES = ("morris", "sobol_indices")
"""Algorithms that measure the influence of parameters instead of looking for good designs."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A number that a study makes small or great, or whose sensitivity it measures."""

    metric: str | None
    """Name of a metric, in its unit; None for an expression."""
    expression: str | None
    """Expression, in base units; None for a metric."""
    maximize: bool = False
    """True where greater is better."""
    reference: float | None = None
    """Value from which the hypervolume is measured; None for the worst one of the first generation."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition that a point has to meet."""

    name: str
    """Name, or the condition as a text."""
    metric: str | None
    """Name of a metric, in its unit; None for an expression."""
    op: str | None
    """`<=`, `<`, `>=`, `>` or `==`; None for an expression."""
    value: float | None
    """Bound; None for an expression, and where each evaluation has a limit of its own."""
    expression: str | None
    """Expression that is true or false; None for a metric."""

    @property
    def is_limited_by_evaluation(self) -> bool:
        """Return whether each evaluation has a limit of its own, since the model declares it as an expression."""
        return self.metric is not None and self.value is None


@dataclass(frozen=True, slots=True)
class DerivedMetric:
    """A metric that the project computes, as it was when the study began."""

    name: str
    """Name, which objectives and constraints have."""
    expression: str
    """Expression over the names of parameters and metrics of the model."""
    unit: str | None
    """Symbol of the unit of the value; None for a number without a unit."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A study, with everything decided: equal definitions and equal outcomes give equal points."""

    algorithm: Algorithm
    variables: tuple[Variable, ...]
    """Parameters that vary."""
    fixed: Mapping[str, Value]
    """Value of each other parameter."""
    parameters: tuple[Mapping[str, Any], ...]
    """`name`, `type`, `unit` and `choices` of each declared parameter, for expressions."""
    metrics: tuple[Mapping[str, Any], ...]
    """`name` and `unit` of each declared metric, for expressions."""
    objectives: tuple[Objective, ...]
    constraints: tuple[Constraint, ...]
    population: int
    """Points of a generation."""
    budget: int
    """Most points."""
    seed: int
    start: tuple[Mapping[str, Value], ...] = ()
    """Values of points that the first generation begins with."""
    derived: tuple[DerivedMetric, ...] = ()
    """Derived metrics of the project that objectives or constraints name."""

    @property
    def is_sensitivity(self) -> bool:
        """Return whether the study measures the influence of parameters."""
        return self.algorithm in SENSITIVITIES

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values."""
        return {**asdict(self), "variables": [variables.to_json(variable) for variable in self.variables]}


def from_json(given: Mapping[str, Any]) -> Definition:
    """Return the definition that `to_json` wrote."""
    return Definition(
        **{
            **given,
            "variables": tuple(variables.from_json(variable) for variable in given["variables"]),
            "parameters": tuple(given["parameters"]),
            "metrics": tuple(given["metrics"]),
            "objectives": tuple(Objective(**objective) for objective in given["objectives"]),
            "constraints": tuple(Constraint(**constraint) for constraint in given["constraints"]),
            "start": tuple(given["start"]),
            # Studies of earlier releases have none.
            "derived": tuple(DerivedMetric(**one) for one in given.get("derived", ())),
        }
    )
