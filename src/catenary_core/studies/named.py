"""The names that the objectives and constraints of a study may have, and what is refused of others."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary.platform.v1.model_shapes import ModelMetric, ModelParameter
from catenary_core.call.errors import DomainError, invalid
from catenary_core.studies import scores
from catenary_core.studies.definition import DerivedMetric
from catenary_wire.expressions import declared, derived, quantities
from catenary_wire.expressions.errors import ExpressionError
from catenary_wire.expressions.quantities import Quantity

_SHOWN = 10
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Named:
    """The names of a model and of its project's derived metrics, as far as a request has the latter."""

    quantities: Mapping[str, Quantity]
    """Quantity of each name that an expression may have."""
    metrics: Sequence[str]
    """Names of the metrics, the derived ones last."""
    hints: Sequence[str]
    """Names of all metrics, and of all derived metrics."""
    derived: Sequence[DerivedMetric]
    """Derived metrics that the request has and that fit the model."""
    misfits: Mapping[str, ExpressionError]
    """Derived metrics that the request has and that don't fit the model, each with the reason."""

    def check_metric(self, field: str, metric: str) -> None:
        """Check the name of a metric.

        Raises VALIDATION_ERROR: neither the model nor the project has the metric, or the model doesn't fit it.
        """
        if metric in self.misfits:
            raise self._misfit(f"{field}.metric", metric)
        if metric not in self.metrics:
            raise invalid(
                f"{field}.metric",
                "{field} is no metric of the model, and no derived one of the project; there are {known}.",
                value=metric,
                constraint="unknown",
                known=near(metric, self.hints),
            )

    def check_expression(self, field: str, expression: str, kind: str) -> None:
        """Check an expression whose result has to be of a kind.

        Raises VALIDATION_ERROR: the expression can't be read, doesn't fit the names, or has another result.
        """
        try:
            found = scores.checked(expression, self.quantities)
            if kind == "truth":
                quantities.need(found, "truth")
            elif found.result.kind != "number":
                raise ExpressionError("The expression gives no number; write one such as mass / span.", 1)
        except ExpressionError as error:
            wrong = next((word for word in _WORD.findall(expression) if word in self.misfits), None)
            if wrong is not None:
                raise self._misfit(f"{field}.expression", wrong) from None
            raise invalid(
                f"{field}.expression",
                "{field}, column {column}: {problem}",
                value=expression,
                constraint="expression",
                column=error.column,
                problem=error.message,
            ) from None

    def _misfit(self, field: str, name: str) -> DomainError:
        error = self.misfits[name]
        return invalid(
            field,
            "{field} names {name}, a derived metric that doesn't fit the deployed model; mend it. Its column {column}:"
            " {problem}",
            value=name,
            constraint="derived_metric",
            name=name,
            column=error.column,
            problem=error.message,
        )


def named(
    request: Mapping[str, Any],
    parameters: Sequence[ModelParameter],
    metrics: Sequence[ModelMetric],
    entries: Sequence[Mapping[str, Any]],
) -> Named:
    """Return the names for a request.

    A name of the model goes before that of a derived metric, which was put for another version.

    Args:
        request: `objectives` and `constraints`.
        parameters: effective parameters of the version.
        metrics: declared metrics of the version.
        entries: derived metrics of the project, each with `name`, `expression` and `unit`.
    """
    of_model = declared.names(parameters, metrics)
    taken = of_model.keys() | {parameter["name"] for parameter in parameters}
    words: set[str] = set()
    for one in (*request["objectives"], *request["constraints"]):
        words |= {one["metric"] or "", *_WORD.findall(one["expression"] or "")}
    fitting: list[DerivedMetric] = []
    misfits: dict[str, ExpressionError] = {}
    for entry in entries:
        name, expression, unit = entry["name"], entry["expression"], entry["unit"]
        if name not in words or name in taken:
            continue
        try:
            derived.checked(expression, unit, of_model, hinted=False)
            fitting.append(DerivedMetric(name, expression, unit))
        except ExpressionError as error:
            misfits[name] = error
    return Named(
        quantities=of_model | {one.name: quantities.of_unit(one.unit) for one in fitting},
        metrics=[*(metric["name"] for metric in metrics), *(one.name for one in fitting)],
        hints=[*(metric["name"] for metric in metrics), *(entry["name"] for entry in entries)],
        derived=fitting,
        misfits=misfits,
    )


def near(given: str, known: Sequence[str]) -> str:
    """List the names that are near an unknown one, or the first ones."""
    return ", ".join(difflib.get_close_matches(given[:64], known, 3) or known[:_SHOWN]) or "none"
