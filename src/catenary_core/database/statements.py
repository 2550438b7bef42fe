"""Statements: SQLAlchemy Core writes the SQL once, at start-up; `transactions` runs the SQL.

Rows are dicts whose values are ready for a response: UUIDs and timestamps as text (RFC 3339, UTC, `Z`), `json` columns
as plain values. All reading of the clock and comparing of times happens in SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, cast

import orjson
import sqlalchemy as sa
from psycopg.types.json import Json
from sqlalchemy import MetaData
from sqlalchemy.dialects.postgresql.psycopg import dialect as psycopg_dialect
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
    }
)
"""The tables of all services; the migrations must create the same ones (a test compares)."""

# Parameters in PostgreSQL's own form ($1, $2 …): psycopg would parse the text of a long statement for its own form at each run.
_DIALECT = psycopg_dialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]  # it has no annotations
Row = dict[str, Any]
"""One result row: values by column name."""
ShapeT = TypeVar("ShapeT", bound=Mapping[str, Any])
"""The shape of a message: its generated TypedDict."""
CONFIDENTIAL = "of_confidential"
"""Label of a column that marks the confidential rows; rows are returned without it, see `VIEWER`."""
VIEWER = "viewer"
"""Name of the extra argument with the call that reads the rows.

If a row is confidential, the call's response forbids caches to store it (guide/conventions.md, "Caching and
conditions").
"""


class Viewer(Protocol):
    """A call that reads rows."""

    reply: dict[str, str]
    """Response metadata, by lower-case header name."""


def shaped(shape: type[ShapeT], row: Row) -> ShapeT:
    """Return a row as the message of this shape; the row's columns are named as the message's fields.

    Nothing is checked: mypy doesn't know a statement's columns, so this is the one place where it is told their types.
    The contract tests compare the results of every method with the descriptor of its response.
    """
    return cast("ShapeT", row)


def json_value(value: Any) -> Json:
    """Return a parameter for a `json` column; the value's JSON text is stored, so 450 stays different from 450.0."""
    return Json(value, dumps=orjson.dumps)


def notifying(channel: str) -> sa.Label[Any]:
    """Return a column for RETURNING that notifies a channel at the commit, once per row.

    Call `Transaction.record_notification` with the channel too.
    """
    return sa.func.pg_notify(channel, "").label(f"notified_{channel}")


_search = sa.bindparam("search", type_=sa.Text)


def search_condition(*columns: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    """Build the condition of a list's `search`: a column contains the text, in any case; the empty text matches all rows."""
    return sa.or_(_search == sa.literal_column("''"), contains_search(*columns))


def contains_search(*columns: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    """Build the condition that a column contains the parameter `search`, in any case; NULL contains nothing."""
    part = sa.func.lower(_search)
    # Sort keys have the collation "C", for which only ASCII has letters.
    return sa.or_(*(sa.func.strpos(sa.func.lower(sa.collate(column, "default")), part) > 0 for column in columns))


class Statement:
    """A statement that is compiled once; each run gives values for the names of its `bindparam`s."""

    __slots__ = ("_defaults", "_marked", "_names", "_required", "sql")

    def __init__(self, statement: ClauseElement) -> None:
        compiled = cast("SQLCompiler", statement.compile(dialect=_DIALECT))
        self.sql = compiled.string
        self._defaults = dict(compiled.params)
        # A missing argument would be NULL, and a condition on the caller could then be true for everybody.
        self._required = frozenset(name for name, one in compiled.binds.items() if one.required)
        self._marked = f" AS {CONFIDENTIAL}" in self.sql
        self._names: list[str] = compiled.positiontup or []

    def parameters(self, arguments: Mapping[str, Any]) -> list[Any]:
        """Return the parameter values in order: the given arguments, else the statement's own literals.

        Raises:
            TypeError: an argument that the statement has no parameter for, or a parameter without an argument.
        """
        unknown = arguments.keys() - self._defaults.keys() - {VIEWER}
        if unknown:
            raise TypeError(f"the statement has no parameters {sorted(unknown)}")
        if missing := self._required - arguments.keys():
            raise TypeError(f"the statement needs the parameters {sorted(missing)}")
        values = {**self._defaults, **arguments}
        return [values[name] for name in self._names]

    def without_marks(self, rows: list[Row], arguments: Mapping[str, Any]) -> list[Row]:
        """Remove the confidentiality mark from rows; if one is set, forbid caches to store the viewer's response."""
        if self._marked:
            marks = [row.pop(CONFIDENTIAL) for row in rows]
            viewer: Viewer | None = arguments.get(VIEWER)
            if viewer is not None and any(marks):
                viewer.reply["cache-control"] = "no-store"
        return rows

    def explain(self) -> Statement:
        """Return the EXPLAIN of this statement; its row is the plan, `QUERY PLAN`, as JSON."""
        explain = Statement.__new__(Statement)
        explain.sql = f"EXPLAIN (FORMAT JSON) {self.sql}"
        explain._defaults, explain._names, explain._required = self._defaults, self._names, self._required
        explain._marked = False
        return explain
