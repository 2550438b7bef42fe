"""Remarks on declarations that work but look mistaken, for the author of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from catenary.platform.v1.model_shapes import ModelMetric, ModelParameter
from catenary_core.services.models.declarations import Declarations
from catenary_core.units import unit_table

MAX_WARNINGS = 100


def of(declared: Declarations, returned: Iterable[str]) -> list[str]:
    """Return the remarks, in the order of the declarations.

    Args:
        declared: The declarations.
        returned: The names of the metrics that the model returned for its defaults.
    """
    found = [
        *_unknown_units("PARAMETERS", declared.parameters),
        *_unknown_units("METRICS", declared.metrics),
        *_undeclared(declared.metrics, returned),
    ]
    if len(found) <= MAX_WARNINGS:
        return found
    return [*found[: MAX_WARNINGS - 1], f"{len(found) - MAX_WARNINGS + 1} more remarks are left out."]


def _unknown_units(what: str, entries: Sequence[ModelParameter] | Sequence[ModelMetric]) -> Iterator[str]:
    for entry in entries:
        if entry["unit"]:
            try:
                unit_table.check(entry["unit"])
            except unit_table.UnknownUnitError as error:
                yield f"{what}: {entry['name']}: {error} Values in other units cannot be converted to it."


def _undeclared(metrics: Sequence[ModelMetric], returned: Iterable[str]) -> Iterator[str]:
    declared = {metric["name"] for metric in metrics}
    for name in returned:
        if name not in declared:
            yield f"evaluate returns the metric {name}, which METRICS does not declare, so it has no unit; declare it."
