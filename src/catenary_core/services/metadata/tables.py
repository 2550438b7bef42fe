"""The tables of tag types, tags and tag links, and the view on them for other services.

`metadata.tagged(tag_id, reference_id, tag_scope)` has the active links. A tag is visible to the callers who may see the
project of its `tag_scope` (`catenary_core.access.visibility`).
"""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, key_text, tie_columns, times, unique_among_active
from catenary_core.database.statements import metadata

tag_type = sa.Table(
    "tag_type",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("allow_custom", sa.Boolean, nullable=False),
    *times(),
    unique_among_active("tag_type_name_key", "name"),
    sa.Index(None, "created_at", "id"),
    schema="metadata",
)

tag = sa.Table(
    "tag",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("tag_type_id", Id, sa.ForeignKey(tag_type.c.id), nullable=False),
    # A project of the environment context service; NULL for a global tag.
    sa.Column("tag_scope", Id, nullable=True),
    *times(),
    # NULLs are equal here: two global tags of a type can't share a name either.
    sa.Index(
        "tag_name_tag_type_id_tag_scope_key",
        "name",
        "tag_type_id",
        "tag_scope",
        unique=True,
        postgresql_where=sa.text("deleted_at IS NULL"),
        postgresql_nulls_not_distinct=True,
    ),
    sa.Index(None, "created_at", "id"),
    sa.Index(None, "updated_at", "id"),
    sa.Index(None, "name", "id"),
    sa.Index(None, "tag_type_id", "created_at", "id"),
    sa.Index(None, "tag_scope", "created_at", "id"),
    schema="metadata",
)

# Each pair has one row for ever: putting a deleted link again revives the row.
tag_link = sa.Table(
    "tag_link",
    metadata,
    sa.Column("tag_id", Id, sa.ForeignKey(tag.c.id), primary_key=True),
    sa.Column("reference_id", Id, primary_key=True),
    sa.Column("reference_table", sa.Text, nullable=False),
    sa.Column("reference_url", sa.Text, nullable=False),
    *tie_columns(),
    *times(),
    sa.Index(None, "tag_id", "created_at", "reference_id"),
    sa.Index(None, "tag_id", "updated_at", "reference_id"),
    # For the view: the tags of one referenced object.
    sa.Index(None, "reference_id"),
    schema="metadata",
)
