"""The values of a plan as a table: a column a parameter, a row an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from catenary.platform.v1.plan_shapes import PlannedEvaluation
from catenary_core.call.errors import invalid

MAX_EVALUATIONS = 10_000
"""Maximum evaluations of a plan."""
MAX_CELLS = 200_000
"""Maximum values of a plan of any kind: that of 20 parameters in the largest plan. Defaults count as none."""
MAX_BYTES = 8 * 1024 * 1024
"""Maximum bytes of a plan's evaluations as JSON: the values with their names."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The values of a plan."""

    columns: Sequence[Mapping[str, Any]]
    """`name` and `unit` of each parameter, in the order of the declaration."""
    rows: Sequence[Sequence[Any]]
    """Values by column; None for the default."""

    @property
    def evaluations(self) -> list[PlannedEvaluation]:
        """The evaluations as messages have them."""
        names = [column["name"] for column in self.columns]
        return [
            {"parameters": {name: value for name, value in sorted(zip(names, row, strict=True)) if value is not None}}
            for row in self.rows
        ]


def layout(declared: Iterable[Mapping[str, Any]], rows: Iterable[Mapping[str, Any]]) -> Layout:
    """Make the table of evaluations; equal ones stay, each a point of its own.

    Args:
        declared: The plan's parameters.
        rows: Values by name, as `rules.resolve` gives them; of parameters in `declared`.

    Raises:
        DomainError: VALIDATION_ERROR for more than MAX_CELLS values, or for more than MAX_BYTES.
    """
    columns = [{"name": parameter["name"], "unit": parameter["unit"]} for parameter in declared]
    found: list[list[Any]] = []
    names = [len(orjson.dumps(column["name"])) for column in columns]
    size = values = 0
    for row in rows:
        cells = [row.get(column["name"]) for column in columns]
        found.append(cells)
        given = [name for name, value in zip(names, cells, strict=True) if value is not None]
        size += len(orjson.dumps(cells)) + sum(given)
        values += len(given)
        if values > MAX_CELLS:
            raise invalid(
                "parameters",
                "{field} makes more than {most} values; vary fewer parameters, or plan fewer evaluations.",
                value=None,
                constraint="max_cells",
                most=MAX_CELLS,
            )
        if size > MAX_BYTES:
            raise invalid(
                "parameters",
                "The values of {field} take over {most} bytes; plan fewer evaluations, or shorter texts.",
                value=None,
                constraint="max_bytes",
                most=MAX_BYTES,
            )
    return Layout(columns, found)
