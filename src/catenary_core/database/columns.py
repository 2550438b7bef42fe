"""What the tables of the data services have in common."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

Id = UUID(as_uuid=False)
NOW = sa.text("statement_timestamp()")
"""The times of a new row, in the tables of every service: of the statement, so that both are equal until the row changes."""


def id_column(name: str = "id") -> sa.Column[str]:
    """The primary key: a UUID of version 7."""
    return sa.Column(name, Id, primary_key=True)


def key_text(name: str) -> sa.Column[str]:
    """Text that lists are sorted by: never NULL, ordered by code points, so that every node pages alike."""
    return sa.Column(name, sa.Text(collation="C"), nullable=False)


def times() -> tuple[sa.Column[datetime], sa.Column[datetime], sa.Column[datetime]]:
    """`created_at`, `updated_at`, and `deleted_at`, which is NULL for an active row."""
    return (
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
    )


def unique_among_active(name: str, *columns: str) -> sa.Index:
    """A unique index that deleted rows aren't in."""
    return sa.Index(name, *columns, unique=True, postgresql_where=sa.text("deleted_at IS NULL"))


active_user = sa.table(
    "active_user",
    sa.column("user_id", Id),
    sa.column("staff_name", sa.Text),
    sa.column("email", sa.Text),
    schema="identity",
)
"""The view of the identity service."""


def creator(created_by: sa.Column[str]) -> sa.ColumnElement[object]:
    """The `catenary.type.v1.Creator` of a row, NULL for a user that is no longer known; select it with `with_creator`."""
    made = sa.func.json_build_object("staff_name", active_user.c.staff_name, "email", active_user.c.email)
    return sa.case((active_user.c.user_id.is_(None), None), else_=made).label(created_by.name)


def with_creator(table: sa.FromClause) -> sa.Join:
    """The table with the users that made its rows (`created_by`)."""
    return table.outerjoin(active_user, active_user.c.user_id == table.c.created_by)
