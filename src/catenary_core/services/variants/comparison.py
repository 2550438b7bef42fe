"""The comparison of variants: their parameters and metrics side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from catenary.platform.v1 import evaluation_shapes, variant_shapes
from catenary_core.database.statements import Row
from catenary_core.services.variants import messages

_MOST_INTEGER = 2**63
"""Bound of the integers that come back exactly; a difference outside is given as the nearest double."""
Valued = Mapping[str, tuple[Any, str | None]]
"""Values with their units, by name."""


def compared(
    rows: Sequence[Row],
    evaluations: Sequence[evaluation_shapes.Evaluation],
    declared: Mapping[str, Row],
) -> variant_shapes.VariantComparison:
    """Build the comparison of variants.

    Args:
        rows: the variants, of which the first is that to which the others differ.
        evaluations: the evaluation of each.
        declared: `parameters` and `metrics` of the model versions, by their ids.
    """
    units = {version: {one["name"]: one["unit"] for one in of["parameters"]} for version, of in declared.items()}
    parameters = [
        {name: (value, units.get(row["model_version_id"], {}).get(name)) for name, value in one["parameters"].items()}
        for row, one in zip(rows, evaluations, strict=True)
    ]
    metrics = [{name: (value["value"], value["unit"]) for name, value in one["metrics"].items()} for one in evaluations]
    return {
        "variants": [
            {
                "variant_id": row["variant_id"],
                "name": row["name"],
                "status": messages.status(one),
                "model_version_id": row["model_version_id"],
            }
            for row, one in zip(rows, evaluations, strict=True)
        ],
        "parameters": side_by_side(parameters, _order(rows, declared, "parameters")),
        "metrics": side_by_side(metrics, _order(rows, declared, "metrics")),
    }


def _order(rows: Sequence[Row], declared: Mapping[str, Row], kind: str) -> list[str]:
    versions = dict.fromkeys(row["model_version_id"] for row in rows)
    return [one["name"] for version in versions if version in declared for one in declared[version][kind]]


def side_by_side(columns: Sequence[Valued], order: Sequence[str]) -> list[variant_shapes.ComparedValue]:
    """Return each name of any column with the values of all: first those of the order, then the others as they come."""
    names = dict.fromkeys(name for column in columns for name in column)
    known = dict.fromkeys(name for name in order if name in names)
    return [_compared(name, [column.get(name) for column in columns]) for name in known | names]


def _compared(name: str, values: Sequence[tuple[Any, str | None] | None]) -> variant_shapes.ComparedValue:
    first = values[0]
    return {
        "name": name,
        "differs": any(_differ(value, first) for value in values),
        "items": [
            {
                "value": None if value is None else value[0],
                "unit": None if value is None else value[1],
                "difference": None if value is None or first is None else difference(value, first),
            }
            for value in values
        ],
    }


def _differ(value: tuple[Any, str | None] | None, first: tuple[Any, str | None] | None) -> bool:
    # By JSON's types: true is not 1.
    return value != first or (value is not None and first is not None and _is_truth(value[0]) != _is_truth(first[0]))


def difference(value: tuple[Any, str | None], first: tuple[Any, str | None]) -> int | float | None:
    """Return a value less the first; None unless both are numbers in the same unit and the result is finite."""
    (one, unit), (other, first_unit) = value, first
    if unit != first_unit or not _is_number(one) or not _is_number(other):
        return None
    result: int | float = one - other
    if isinstance(result, int) and not -_MOST_INTEGER <= result < _MOST_INTEGER:
        result = float(result)
    return result if isfinite(result) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool)
