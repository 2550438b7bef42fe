"""The statements that most rows of the platform have: one row, its lock, a change of fields, the soft deletion.

A service declares each such row once, in its `queries.py`; a statement that no other row has stays there as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import Insert, insert

from catenary_core.database.columns import CLOCK, DELETED, active_project, given
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_pages import PlatformList, listed


@dataclass(frozen=True, slots=True, eq=False)
class PlatformRow:
    """A kind of row that its id names, with `created_at`, `updated_at` and `deleted_at`."""

    table: sa.Table
    shown: Sequence[sa.ColumnElement[Any]]
    """The columns of its message, which reads and changes return."""
    id_key: str | None = None
    """Label of the id in the rows, and the parameter's name; None for the name of the column."""
    holds: sa.ColumnElement[bool] | None = None
    """Condition of the rows that are there; None: they are not deleted."""

    @property
    def id(self) -> sa.Column[Any]:
        """The column with the id."""
        (column,) = self.table.primary_key
        return column

    @property
    def has_id(self) -> sa.ColumnElement[bool]:
        """Condition: the row has the given id, deleted or not."""
        return self.id == given(self.id, self.id_key)

    @property
    def active(self) -> sa.ColumnElement[bool]:
        """Condition: the row is there, as `holds` says."""
        return self.table.c.deleted_at.is_(None) if self.holds is None else self.holds

    @property
    def this(self) -> sa.ColumnElement[bool]:
        """Condition: the row has the given id and is there."""
        return sa.and_(self.has_id, self.active)

    def listed(self, *conditions: sa.ColumnElement[bool], newest_first: bool = False) -> PlatformList:
        """Declare the list of the rows with these conditions, by the time of creation."""
        rows = sa.select(*self.shown).where(*conditions)
        return listed(rows, self.table.c.created_at, self.id, newest_first=newest_first, id_key=self.id_key)

    def one(self, *also: sa.ColumnElement[Any]) -> Statement:
        """Build the read of one row, with further columns."""
        return Statement(sa.select(*self.shown, *also).where(self.this))

    def lock(self) -> Statement:
        """Build the lock of one row; it returns the id."""
        return Statement(sa.select(self.id).where(self.this).with_for_update())

    def update(self, fields: Iterable[str]) -> Statement:
        """Build the change of some fields of one row, whose parameters are named as the columns."""
        return _update(self, frozenset(fields))

    def delete(self) -> Statement:
        """Build the soft deletion of one row."""
        return Statement(sa.update(self.table).where(self.this).values(DELETED).returning(*self.shown))


def inserted(table: sa.Table, *names: str) -> Insert:
    """Build the insertion of a row with these columns, whose parameters are named as the columns."""
    return insert(table).values({name: given(table.c[name]) for name in names})


def project_of(table: sa.Table, *conditions: sa.ColumnElement[bool]) -> Statement:
    """Build the read of a row's project, by which the policy finds the caller's role; no row of a deleted project."""
    joined = sa.select(table.c.project_id).join(active_project, active_project.c.project_id == table.c.project_id)
    return Statement(joined.where(*conditions))


@cache
def _update(row: PlatformRow, fields: frozenset[str]) -> Statement:
    values = {name: given(row.table.c[name]) for name in fields}
    return Statement(sa.update(row.table).where(row.this).values(**values, updated_at=CLOCK).returning(*row.shown))
