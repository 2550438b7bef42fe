"""The names that an expression over a model version may have, with their quantities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_wire.expressions.quantities import TEXT, TRUTH, Quantity, of_unit

_NUMBERS = frozenset({"number", "integer"})
_KINDS = {"boolean": TRUTH, "string": TEXT, "color": TEXT, "date": TEXT}


def names(parameters: Sequence[Mapping[str, Any]], metrics: Sequence[Mapping[str, Any]]) -> dict[str, Quantity]:
    """Return the quantity of each name that an expression may have.

    A name that a parameter and a metric share means the metric. Choices of numbers are a number, of texts a text, as
    colours and dates are; mixed choices, points and tables have no quantity, so their names are unknown.

    Args:
        parameters: declared parameters, each with `name`, `type`, `unit` and `choices`.
        metrics: declared metrics, each with `name` and `unit`.
    """
    found = {parameter["name"]: _of_parameter(parameter) for parameter in parameters}
    known = {name: quantity for name, quantity in found.items() if quantity is not None}
    return known | {metric["name"]: of_unit(metric["unit"]) for metric in metrics}


def _of_parameter(parameter: Mapping[str, Any]) -> Quantity | None:
    kind = parameter["type"]
    if kind != "choice":
        return of_unit(parameter["unit"]) if kind in _NUMBERS else _KINDS.get(kind or "")
    texts = {isinstance(choice, str) for choice in parameter["choices"]}
    if len(texts) != 1:
        return None
    return TEXT if texts == {True} else of_unit(parameter["unit"])
