"""The score of a point: its objectives, and how far it is from what the study wants."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from catenary.platform.v1.model_shapes import ModelMetric, ModelParameter
from catenary_core.studies import violations
from catenary_core.studies.definition import Constraint, Definition
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

    def scores(self, outcomes: Sequence[PointOutcome]) -> list[Score]:
        """Return the score of each point."""
        scored = iter(self._scores([outcome for outcome in outcomes if outcome.metrics is not None]))
        failed = Score((None,) * len(self._objectives), (FAILED,) * (len(self._constraints) + 1))
        return [failed if outcome.metrics is None else next(scored) for outcome in outcomes]

    def _scores(self, outcomes: Sequence[PointOutcome]) -> list[Score]:
        """Return the scores of points that have metrics."""
        metrics = self._metrics(outcomes)
        points = [{**self._fixed, **one.parameters, **own} for one, own in zip(outcomes, metrics, strict=True)]
        objectives = [
            [_usable(own.get(one.metric or "")) for own in metrics]
            if checked is None
            else [_usable(value) for value in evaluation.evaluate_all(checked, points)]
            for one, checked in self._objectives
        ]
        found = [
            violations.of_expression(checked, points)
            if checked is not None
            else [
                violations.of_metric(own.get(one.metric or ""), one.op or "==", _bound(one, outcome.limits))
                for own, outcome in zip(metrics, outcomes, strict=True)
            ]
            for one, checked in self._constraints
        ]
        lacking = [violations.UNDEFINED if None in values else 0.0 for values in zip(*objectives, strict=True)]
        return list(map(Score, zip(*objectives, strict=True), zip(*found, lacking, strict=True)))

    def minimized(self, score: Score) -> list[float]:
        """Return the objectives with their signs so that less is better; 0 for one without a value."""
        return [
            0.0 if value is None else sign * value for sign, value in zip(self._signs, score.objectives, strict=True)
        ]

    def _metrics(self, outcomes: Sequence[PointOutcome]) -> list[dict[str, float]]:
        """Return the metrics of each point, with the derived ones that have a value."""
        points = [{**self._fixed, **outcome.parameters, **(outcome.metrics or {})} for outcome in outcomes]
        metrics = [dict(outcome.metrics or {}) for outcome in outcomes]
        for one, checked in self._derived:
            for own, found in zip(metrics, derived.values(checked, one.unit, points), strict=True):
                if not isinstance(found, Undefined):
                    own[one.name] = float(found)
        return metrics

    def _checked(self, expression: str | None) -> Checked | None:
        return None if expression is None else checked(expression, self._names)


def checked(expression: str, names: Mapping[str, Quantity]) -> Checked:
    """Read and check an expression of a study.

    Raises:
        ExpressionError: the expression can't be read, or doesn't fit the names.
    """
    return quantities.check(syntax.parse(expression), names)


def _usable(value: object) -> float | None:
    is_usable = isinstance(value, int | float) and math.isfinite(value) and abs(value) <= GREATEST
    return float(cast("float", value)) + 0.0 if is_usable else None


def _bound(one: Constraint, limits: Mapping[str, float]) -> float | None:
    return limits.get(one.name) if one.is_limited_by_evaluation else one.value
