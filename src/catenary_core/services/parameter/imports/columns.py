"""The columns of imported files, for `--help`, the documents and the readers of files (guide/import.md, "Columns")."""

from __future__ import annotations

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
