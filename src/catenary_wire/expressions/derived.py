"""Metrics that an expression derives from the parameters and metrics of a model, each in a unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catenary_wire.expressions import evaluation, quantities, syntax
from catenary_wire.expressions.arithmetic import Value
from catenary_wire.expressions.evaluation import Values
from catenary_wire.expressions.quantities import Checked, Quantity


def checked(expression: str, unit: str | None, known: Mapping[str, Quantity], *, hinted: bool) -> Checked:
    """Read and check the expression of a derived metric; a refusal names similar names where it is `hinted`.

    Raises:
        ExpressionError: the expression can't be read, or doesn't fit the names or the unit.
    """
    found = quantities.check(syntax.parse(expression), known, hinted=hinted)
    quantities.need(found, "number", unit)
    return found


def value(found: Checked, unit: str | None, at: Values) -> Value:
    """Compute a derived metric in its unit at one point, as `values` does at many."""
    (one,) = values(found, unit, [at])
    return one


def values(found: Checked, unit: str | None, points: Sequence[Values]) -> list[Value]:
    """Compute a derived metric in its unit at many points; Undefined where it has no value."""
    return [evaluation.in_unit(one, unit) for one in evaluation.evaluate_all(found, points)]
