"""Columns, indexes, joins and filters that several services share."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, UUID

Id = UUID(as_uuid=False)
NOW = sa.text("statement_timestamp()")
"""Default for the times of a new row: the statement's time, so both are equal until the row changes."""
CLOCK = sa.func.clock_timestamp()
"""The time of a change: a transaction that waited for a lock is later than the one that it waited for."""
INSTANT = sa.func.statement_timestamp()
"""The same time in a whole statement; an index can be searched for it, where `CLOCK` would be compared row by row."""
DELETED = {"deleted_at": INSTANT, "updated_at": INSTANT}
"""The values of a row that is deleted softly: both times are equal."""


def id_column(name: str = "id") -> sa.Column[str]:
    """Return a primary key column: a UUID of version 7."""
    return sa.Column(name, Id, primary_key=True)


def key_text(name: str) -> sa.Column[str]:
    """Return a sort key column: text, never NULL, ordered by code points, so every node pages alike."""
    return sa.Column(name, sa.Text(collation="C"), nullable=False)


def times() -> tuple[sa.Column[datetime], sa.Column[datetime], sa.Column[datetime]]:
    """Return the columns `created_at`, `updated_at` and `deleted_at`; the last is NULL for an active row."""
    return (
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
    )


TIES = ("environment_project_id", "project_id")
"""Columns of a row with a `reference_id` that names something of a project: its environment project, or its project of the
platform; at most one is set (`access.references`)."""


def tie_columns() -> tuple[sa.Column[str], ...]:
    """Return the columns of TIES."""
    return tuple(sa.Column(name, Id, nullable=True) for name in TIES)


def unique_among_active(name: str, *columns: str, equal_nulls: bool = False) -> sa.Index:
    """Return a unique index over the active rows; deleted rows are not in the index."""
    where = sa.text("deleted_at IS NULL")
    # None, as for an index that says nothing of it.
    return sa.Index(
        name, *columns, unique=True, postgresql_where=where, postgresql_nulls_not_distinct=equal_nulls or None
    )


active_user = sa.table(
    "active_user",
    sa.column("user_id", Id),
    sa.column("staff_name", sa.Text),
    sa.column("email", sa.Text),
    schema="identity",
)
"""View of the identity service: the known users with name and e-mail address."""
active_project = sa.table("active_project", sa.column("project_id", Id), schema="projects")
"""View of the projects service: the projects that are not deleted."""


def given(column: sa.Column[Any], name: str | None = None) -> sa.BindParameter[Any]:
    """Return a parameter of the column's type, named as the column unless it has another name."""
    return sa.bindparam(name or column.name, type_=column.type)


def creator(created_by: sa.Column[str]) -> sa.ColumnElement[object]:
    """Return a column with the row's `catenary.type.v1.Creator`, NULL for an unknown user.

    Select it from `with_creator(table)`.
    """
    made = sa.func.json_build_object("staff_name", active_user.c.staff_name, "email", active_user.c.email)
    return sa.case((active_user.c.user_id.is_(None), None), else_=made).label(created_by.name)


def user_reference(user_id: sa.ColumnElement[str], name: str) -> sa.ColumnElement[object]:
    """Return a column with the `catenary.platform.v1.UserReference` of a user, NULL without one.

    The name of a deleted user is empty.
    """
    named = sa.select(active_user.c.staff_name).where(active_user.c.user_id == user_id)
    staff_name = sa.func.coalesce(named.correlate_except(active_user).scalar_subquery(), "")
    made = sa.func.json_build_object("user_id", user_id, "staff_name", staff_name)
    return sa.case((user_id.is_(None), None), else_=made).label(name)


def shown(columns: Iterable[sa.ColumnElement[Any]]) -> list[sa.ColumnElement[Any]]:
    """Return columns as fields of a message of the platform: `created_by` as a `UserReference`."""
    return [user_reference(column, column.name) if column.name == "created_by" else column for column in columns]


def with_creator(table: sa.FromClause) -> sa.Join:
    """Join the table with the creators of its rows (`created_by`)."""
    return table.outerjoin(active_user, active_user.c.user_id == table.c.created_by)


def one_of(column: sa.Column[Any], name: str) -> sa.ColumnElement[bool]:
    """Build a filter: the column is one of the values, of which there may be none for all rows."""
    values = sa.bindparam(name, type_=ARRAY(column.type))
    return sa.or_(sa.func.cardinality(values) == sa.literal_column("0"), column == sa.any_(values))
