"""The columns of imported files, for `--help` and the readers of files (guide/import.md, "Columns")."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a CSV file, or a key of a JSON item."""

    name: str
    kinds: tuple[str, ...]
    """The kinds of rows that may have the column."""
    meaning: str
    """Explanation in `--help` and in the guide."""


_ALL = ("assets", "parameters", "entries")
_VALUED = ("parameters", "entries")

KINDS = _ALL
"""The kinds of rows, in the order of their import."""

COLUMNS = (
    Column("id", ("assets", "parameters"), "id for the new row; generated if blank"),
    Column("project", _ALL, "number of the environment project"),
    Column("project_id", _ALL, "or its id"),
    Column(
        "parent",
        ("assets",),
        "path of the parent asset, such as Tower/Storey 2: of an earlier line, or an existing one",
    ),
    Column("parent_id", ("assets",), "or its id"),
    Column("name", ("assets",), "name; if blank, that of the sub type"),
    Column("asset_type", ("assets",), "name of the asset type"),
    Column("asset_type_id", ("assets",), "or its id"),
    Column("asset_sub_type", ("assets",), "name of the asset sub type"),
    Column("asset_sub_type_id", ("assets",), "or its id"),
    Column("parameter_id", ("entries",), "id of the parameter, instead of project, type and parents"),
    Column("parameter_type", _VALUED, "name of the parameter type"),
    Column("parameter_type_id", _VALUED, "or its id"),
    Column("parents", _VALUED, "paths of its assets, separated by ; (in JSON a list)"),
    Column("parent_ids", _VALUED, "or their ids"),
    Column("value", _VALUED, "the value: 12.5, true, 2026-05-31, text, or JSON, as the parameter type requires"),
    Column("unit", _VALUED, "symbol of the value's unit, such as kN/m2"),
    Column("unit_id", _VALUED, "or its id"),
    Column("source", _VALUED, "title of the value's source"),
    Column("source_id", _VALUED, "or its id"),
    Column("location_in_source", _VALUED, "place in the source, such as p. 12"),
    Column("comment", _VALUED, "a remark on the value"),
    Column("entry_id", _VALUED, "id of the entry; if blank, the parameter's existing entry or a new one"),
)


NAMED = {
    "parent_ids": "parents",
    **{
        f"{column}_id": column
        for column in ("project", "parent", "asset_type", "asset_sub_type", "parameter_type", "unit", "source")
    },
}
"""Maps each column for an id to the column for the name of the same thing."""


def names(kind: str) -> tuple[str, ...]:
    """Return the columns that files of a kind may have."""
    return tuple(column.name for column in COLUMNS if kind in column.kinds)


def help_text() -> str:
    r"""Return the help of the command; `\b` keeps a paragraph's lines as they are."""
    width = max(len(column.name) for column in COLUMNS) + 4
    table = []
    for column in COLUMNS:
        marks = "".join(kind[0].upper() if kind in column.kinds else "-" for kind in KINDS)
        head = f"{column.name.ljust(width - 2)}{marks}  "
        table.append(textwrap.fill(column.meaning, 76, initial_indent=head, subsequent_indent=" " * len(head)))
    lines = "\n".join(table)
    return f"""Import assets, parameters and entries from a CSV or JSON file.

All or nothing: if a row is wrong, every fault is listed with its line and field, and nothing is imported. Existing
rows are kept, or get their new value, so a changed file may be imported again.

\b
A CSV file has a header and rows of one kind, such as assets.csv:
  project,parent,name,asset_type
  2026-014,,Tower,Building
  2026-014,Tower,Storey 1,Storey
and parameters.csv:
  project,parents,parameter_type,value,unit,source
  2026-014,Tower/Storey 1,Storey height,4.2,m,Concept report

\b
  catenary import assets.csv --dry-run
  catenary import assets.csv
  catenary import parameters.csv

A JSON file holds lists under the names of the kinds, imported in this order:
{{"assets": [{{"project": "2026-014", …}}], "parameters": […], "entries": […]}}

\b
Columns of Assets, Parameters and Entries:
{lines}

The command works on the database, also while a server runs. It acts as a client, by default the demo's, with that
client's rights.
"""
