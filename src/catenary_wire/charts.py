"""The form of charts: series of columns of a table that the same evaluation returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catenary_wire.characters import refused_character
from catenary_wire.model_limits import LABEL, MOST_SERIES

KINDS = ("line", "bar", "scatter")
_KEYS = {"kind", "table", "x", "y"}
_SHOWN = 8

Columns = Mapping[str, bool]
"""The columns of a table: whether all cells of each are numbers or null."""


def columns(rows: Sequence[Mapping[str, object]]) -> Columns:
    """Return the columns that the rows of a table have."""
    found: dict[str, bool] = {}
    for row in rows:
        for name, cell in row.items():
            is_number = cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))
            found[name] = is_number and found.get(name, True)
    return found


def problem(chart: object, tables: Mapping[str, Columns]) -> str | None:
    """Return why a value is no chart, as the end of a sentence about the chart; None for a chart.

    A chart is `{"kind", "table", "x", "y": […]}`. Its columns are in the table, and those of `y` have numbers; of a
    scatter chart that of `x` too. A table without cells has every column, since a model can't tell them then.

    Args:
        chart: The value.
        tables: The columns of each table of the evaluation.
    """
    if not isinstance(chart, Mapping) or chart.keys() != _KEYS:
        return "must have exactly kind, table, x and y"
    kind, table, x, y = (chart[key] for key in ("kind", "table", "x", "y"))
    if not isinstance(kind, str) or kind not in KINDS:
        return f"must have a kind of {', '.join(KINDS)}"
    if not isinstance(table, str) or table not in tables:
        return f"must have a table that is returned beside it ({_listed(tables) or 'there is none'})"
    if isinstance(y, str) or not isinstance(y, Sequence) or not 1 <= len(y) <= MOST_SERIES:
        return f"must have a list of 1 to {MOST_SERIES} columns as y"
    known = tables[table]
    for column in (x, *y):
        if not isinstance(column, str) or len(column) > LABEL or not _is_line(column):
            return f"must have columns that are one line of text of at most {LABEL} characters"
        if known and column not in known:
            return f"has a column that no row of the table {table} has; its columns are {_listed(known)}"
    if len(set(y)) < len(y):
        return "has a column twice in y"
    for column in (x, *y) if kind == "scatter" else y:
        if not known.get(column, True):
            return f"has a column of the table {table} whose cells are not all numbers, so that it can't be drawn"
    return None


def _is_line(text: str) -> bool:
    """Return whether a text is one line that UTF-8 can write: half a surrogate can't be stored."""
    return refused_character(text) is None and not any("\ud800" <= character <= "\udfff" for character in text)


def _listed(names: Mapping[str, object]) -> str:
    shown = list(names)[:_SHOWN]
    return ", ".join(shown) + (", …" if len(names) > len(shown) else "")
