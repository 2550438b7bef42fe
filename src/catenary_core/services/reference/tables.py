"""The tables of sources and source types, and the views on them for other services.

The views `reference.known_source` and `reference.known_source_type` have all columns that messages show, and also the
deleted rows: an object that refers to a deleted source continues to show the source.
"""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, key_text, tie_columns, times, unique_among_active
from catenary_core.database.statements import metadata

source_type = sa.Table(
    "source_type",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("visible", sa.Boolean, nullable=False),
    *times(),
    unique_among_active("source_type_name_key", "name"),
    sa.Index("source_type_created_at_id_idx", "created_at", "id"),
    schema="reference",
)

source = sa.Table(
    "source",
    metadata,
    id_column(),
    sa.Column("source_type_id", Id, sa.ForeignKey(source_type.c.id), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("reference", sa.Text, nullable=True),
    sa.Column("url", sa.Text, nullable=True),
    sa.Column("date_day", sa.Text, nullable=True),
    sa.Column("date_month", sa.Text, nullable=True),
    sa.Column("date_year", sa.Text, nullable=True),
    sa.Column("time", sa.Text, nullable=True),
    sa.Column("reference_id", Id, nullable=True),
    sa.Column("reference_table", sa.Text, nullable=True),
    sa.Column("reference_url", sa.Text, nullable=True),
    *tie_columns(),
    sa.Column("scope", sa.Text, nullable=True),
    # NULL for sources of releases that didn't note it: only Admins change those.
    sa.Column("created_by", Id, nullable=True),
    *times(),
    sa.Index("source_created_at_id_idx", "created_at", "id"),
    sa.Index("source_updated_at_id_idx", "updated_at", "id"),
    sa.Index("source_source_type_id_created_at_id_idx", "source_type_id", "created_at", "id"),
    sa.Index("source_reference_id_idx", "reference_id"),
    # Hash indexes, because titles and references may be longer than a B-tree entry can be; the filters only test
    # equality.
    sa.Index("source_title_idx", "title", postgresql_using="hash"),
    sa.Index("source_reference_idx", "reference", postgresql_using="hash"),
    schema="reference",
)
