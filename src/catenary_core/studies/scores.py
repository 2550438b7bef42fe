"""The score of a point: its objectives, and how far it is from what the study wants."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from catenary.platform.v1.model_shapes import ModelMetric, ModelParameter
from catenary_core.studies import violations
from catenary_core.studies.definition import Constraint, Definition, Objective
from catenary_wire.expressions import declared, derived, evaluation, quantities, syntax
from catenary_wire.expressions.arithmetic import Undefined
from catenary_wire.expressions.quantities import Checked, Quantity

FAILED = 1e100
"""Violation of a point without results: further from being wanted than any point that has some."""
GREATEST = 1e150
"""Greatest size of an objective; beyond, differences and squares would leave the doubles."""


@dataclass(frozen=True, slots=True)
class PointOutcome:
    """One point as it ended."""

    parameters: Mapping[str, Any]
    """Value of each variable."""
    metrics: Mapping[str, float] | None
    """Value of each metric, in its unit; None for a point that failed or took too long."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """Limit of each constraint that is limited by the evaluation, by the constraint's name."""


@dataclass(frozen=True, slots=True)
class Score:
    """The numbers by which a study judges a point."""

    objectives: tuple[float | None, ...]
    """Values of the objectives; None for one that the point lacks."""
    violations: tuple[float, ...]
    """Distance from each condition, 0 where met: the study's constraints, then one for objectives that are lacking."""

    @property
    def is_feasible(self) -> bool:
        """Return whether every objective has a value and every condition is met."""
        return not any(self.violations)


class Scorer:
    """The expressions of a study, checked once."""

    def __init__(self, definition: Definition) -> None:
        self._names = declared.names(
            cast("Sequence[ModelParameter]", definition.parameters), cast("Sequence[ModelMetric]", definition.metrics)
        )
        self._fixed = definition.fixed
        self._derived = [
            (one, derived.checked(one.expression, one.unit, self._names, hinted=False)) for one in definition.derived
        ]
        self._names |= {one.name: quantities.of_unit(one.unit) for one in definition.derived}
        self._objectives = [(one, self._checked(one.expression)) for one in definition.objectives]
        self._constraints = [(one, self._checked(one.expression)) for one in definition.constraints]
        self._signs = [-1.0 if one.maximize else 1.0 for one in definition.objectives]

    def score(self, outcome: PointOutcome) -> Score:
        """Return the score of a point."""
        if outcome.metrics is None:
            return Score((None,) * len(self._objectives), (FAILED,) * (len(self._constraints) + 1))
        parameters = {**self._fixed, **outcome.parameters}
        metrics = self._with_derived(parameters, outcome.metrics)
        values = {**parameters, **metrics}
        objectives = tuple(_objective(one, checked, values, metrics) for one, checked in self._objectives)
        found = [
            violations.of_expression(checked, values)
            if checked is not None
            else violations.of_metric(metrics.get(one.metric or ""), one.op or "==", _bound(one, outcome.limits))
            for one, checked in self._constraints
        ]
        return Score(objectives, (*found, violations.UNDEFINED if None in objectives else 0.0))

    def minimized(self, score: Score) -> list[float]:
        """Return the objectives with their signs so that less is better; 0 for one without a value."""
        return [
            0.0 if value is None else sign * value for sign, value in zip(self._signs, score.objectives, strict=True)
        ]

    def _with_derived(self, parameters: Mapping[str, Any], metrics: Mapping[str, float]) -> dict[str, float]:
        """Return the metrics with the derived ones that have a value."""
        given = {**parameters, **metrics}
        found = {one.name: derived.value(checked, one.unit, given) for one, checked in self._derived}
        return {
            **metrics,
            **{name: float(value) for name, value in found.items() if not isinstance(value, Undefined)},
        }

    def _checked(self, expression: str | None) -> Checked | None:
        return None if expression is None else checked(expression, self._names)


def checked(expression: str, names: Mapping[str, Quantity]) -> Checked:
    """Read and check an expression of a study.

    Raises:
        ExpressionError: the expression can't be read, or doesn't fit the names.
    """
    return quantities.check(syntax.parse(expression), names)


def _objective(
    one: Objective, found: Checked | None, values: Mapping[str, Any], metrics: Mapping[str, float]
) -> float | None:
    value = metrics.get(one.metric or "") if found is None else evaluation.evaluate(found, values)
    is_usable = isinstance(value, int | float) and math.isfinite(value) and abs(value) <= GREATEST
    return float(cast("float", value)) + 0.0 if is_usable else None


def _bound(one: Constraint, limits: Mapping[str, float]) -> float | None:
    return limits.get(one.name) if one.is_limited_by_evaluation else one.value
