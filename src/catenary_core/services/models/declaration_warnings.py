"""Remarks on declarations that work but look mistaken, for the author of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from catenary.platform.v1.model_shapes import ModelMetric, ModelParameter, TableColumn
from catenary_core.services.models.declarations import Declarations
from catenary_wire.units import unit_table

MAX_WARNINGS = 100
_Remark = Callable[[], str]
"""Writes a remark: the hints for an unknown unit cost a comparison with the whole table, so only what is kept is written."""


def of(declared: Declarations, returned: Iterable[str]) -> list[str]:
    """Return the remarks, in the order of the declarations.

    Args:
        declared: The declarations.
        returned: The names of the metrics that the model returned for its defaults.
    """
    found = [
        *_unknown_units("PARAMETERS", declared.parameters),
        *(
            remark
            for parameter in declared.parameters
            for remark in _unknown_units(f"PARAMETERS: {parameter['name']}: columns", parameter["columns"])
        ),
        *_unknown_units("METRICS", declared.metrics),
        *_undeclared(declared.metrics, returned),
    ]
    kept = found if len(found) <= MAX_WARNINGS else found[: MAX_WARNINGS - 1]
    left_out = len(found) - len(kept)
    return [remark() for remark in kept] + ([f"{left_out} more remarks are left out."] if left_out else [])


def _unknown_units(
    what: str, entries: Sequence[ModelParameter] | Sequence[TableColumn] | Sequence[ModelMetric]
) -> Iterator[_Remark]:
    for entry in entries:
        if entry["unit"] and unit_table.measure(entry["unit"]) is None:
            yield partial(_unknown_unit, f"{what}: {entry['name']}", entry["unit"])


def _unknown_unit(what: str, symbol: str) -> str:
    problem = ""
    try:
        unit_table.check(symbol)
    except unit_table.UnknownUnitError as error:
        problem = f"{error} "
    return f"{what}: {problem}Values in other units cannot be converted to it."


def _undeclared(metrics: Sequence[ModelMetric], returned: Iterable[str]) -> Iterator[_Remark]:
    declared = {metric["name"] for metric in metrics}
    return (partial(_undeclared_metric, name) for name in returned if name not in declared)


def _undeclared_metric(name: str) -> str:
    return f"evaluate returns the metric {name}, which METRICS does not declare, so it has no unit; declare it."
