"""The table of views of projects."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, times
from catenary_core.database.statements import metadata

_ACTIVE = sa.text("deleted_at IS NULL")

view = sa.Table(
    "view",
    metadata,
    id_column("view_id"),
    sa.Column("project_id", Id, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("is_default", sa.Boolean, nullable=False),
    # As it was saved: viewer, charts, controls and metrics (`content.ViewContent`).
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("created_by", Id, nullable=False),
    *times(),
    sa.Index("view_active_idx", "project_id", "created_at", "view_id", postgresql_where=_ACTIVE),
    sa.Index(
        "view_default_key", "project_id", unique=True, postgresql_where=sa.text("is_default AND deleted_at IS NULL")
    ),
    schema="views",
)
