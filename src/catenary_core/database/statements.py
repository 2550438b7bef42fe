"""Statements: SQLAlchemy Core writes the SQL once, at start-up; `db` runs it.

Rows come as dicts whose values are ready for an answer: UUIDs and timestamps as text (RFC 3339, UTC, `Z`), `json` as plain
values. What needs a clock or compares times does it in SQL.
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
"""Every service's tables; migrations must make the same (a test compares)."""

# PostgreSQL's own parameters, $1 and so on: psycopg would look for its own in the text of a long statement at each run.
_DIALECT = psycopg_dialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]  # it has no annotations
Row = dict[str, Any]
ShapeT = TypeVar("ShapeT", bound=Mapping[str, Any])
"""The shape of a message: its generated TypedDict."""
CONFIDENTIAL = "of_confidential"
"""Label of a column that tells of each row whether it is confidential. It is taken out of the rows; see `VIEWER`."""
VIEWER = "viewer"
"""Name of an argument beside a statement's parameters: the call that its rows are shown to. Where one of them is confidential,
the answer of the call says that nobody may store it (guide/conventions.md, "Caching and conditions")."""


class Viewer(Protocol):
    """A call that rows are shown to."""

    reply: dict[str, str]


def shaped(shape: type[ShapeT], row: Row) -> ShapeT:
    """Return a row as the message of this shape, whose fields the row's columns are named after.

    Nothing is checked: mypy can't see a statement's columns, so this is the one place where it believes them. The contract tests
    compare what every method returns with the descriptor of its response.
    """
    return cast("ShapeT", row)


def json_value(value: Any) -> Json:
    """A parameter for a `json` column: the value's own text, so that 450 stays different from 450.0."""
    return Json(value, dumps=orjson.dumps)


def notifying(channel: str) -> sa.Label[Any]:
    """A column for RETURNING that wakes a channel's listeners at the commit, once for each row; then call `tx.notifies`."""
    return sa.func.pg_notify(channel, "").label(f"notified_{channel}")


class Statement:
    """A statement compiled once. Parameters are the names of its `bindparam`s, given at each run."""

    __slots__ = ("_defaults", "_marked", "_names", "sql")

    def __init__(self, statement: ClauseElement) -> None:
        compiled = cast("SQLCompiler", statement.compile(dialect=_DIALECT))
        self.sql = compiled.string
        self._defaults = dict(compiled.params)
        self._marked = f" AS {CONFIDENTIAL}" in self.sql
        self._names: list[str] = compiled.positiontup or []

    def parameters(self, given: Mapping[str, Any]) -> list[Any]:
        """The values of the parameters in their order: the given ones, else the statement's own literals."""
        unknown = given.keys() - self._defaults.keys() - {VIEWER}
        if unknown:
            raise TypeError(f"the statement has no parameters {sorted(unknown)}")
        values = {**self._defaults, **given}
        return [values[name] for name in self._names]

    def shown(self, rows: list[Row], given: Mapping[str, Any]) -> list[Row]:
        """The rows without the mark of confidential ones, which the viewer's answer takes over."""
        if self._marked:
            marks = [row.pop(CONFIDENTIAL) for row in rows]
            viewer: Viewer | None = given.get(VIEWER)
            if viewer is not None and any(marks):
                viewer.reply["cache-control"] = "no-store"
        return rows

    def explained(self) -> Statement:
        """The statement that has the planner's plan of this one as its row: `QUERY PLAN`, as JSON."""
        explain = Statement.__new__(Statement)
        explain.sql = f"EXPLAIN (FORMAT JSON) {self.sql}"
        explain._defaults, explain._names = self._defaults, self._names
        explain._marked = False
        return explain
