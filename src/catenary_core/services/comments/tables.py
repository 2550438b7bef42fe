"""The table of comments.

Views for other services:

- `comments.author(comment_id, user_id)`: the authors of active comments
- `comments.named(reference_id, project_id)`: what active comments name, and the projects that this ties them to
"""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, tie_columns, times
from catenary_core.database.statements import metadata

comment = sa.Table(
    "comment",
    metadata,
    id_column(),
    sa.Column("reference_id", Id, nullable=False),
    sa.Column("reference_table", sa.Text, nullable=False),
    sa.Column("reference_url", sa.Text, nullable=False),
    *tie_columns(),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("created_by", Id, nullable=False),
    *times(),
    sa.Index("comment_created_at_id_idx", "created_at", "id"),
    sa.Index("comment_updated_at_id_idx", "updated_at", "id"),
    sa.Index("comment_reference_id_created_at_id_idx", "reference_id", "created_at", "id"),
    sa.Index("comment_reference_table_idx", "reference_table"),
    schema="comments",
)
