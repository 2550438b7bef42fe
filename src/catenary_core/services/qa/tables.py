"""The tables of QA records and record types."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, key_text, tie_columns, times, unique_among_active
from catenary_core.database.statements import metadata

record_type = sa.Table(
    "record_type",
    metadata,
    id_column(),
    key_text("name"),
    *times(),
    unique_among_active("record_type_name_key", "name"),
    sa.Index("record_type_created_at_id_idx", "created_at", "id"),
    schema="qa",
)

record = sa.Table(
    "record",
    metadata,
    id_column(),
    sa.Column("type_id", Id, sa.ForeignKey(record_type.c.id), nullable=False),
    sa.Column("reference_id", Id, nullable=False),
    sa.Column("reference_table", sa.Text, nullable=False),
    sa.Column("reference_url", sa.Text, nullable=False),
    *tie_columns(),
    sa.Column("created_by", Id, nullable=False),
    *times(),
    sa.Index("record_created_at_id_idx", "created_at", "id"),
    sa.Index("record_updated_at_id_idx", "updated_at", "id"),
    sa.Index("record_reference_id_created_at_id_idx", "reference_id", "created_at", "id"),
    sa.Index("record_type_id_created_at_id_idx", "type_id", "created_at", "id"),
    schema="qa",
)
