"""The tables of comments, and the views on them for other services.

- `comments.author(comment_id, user_id)`: the authors of active comments
- `comments.named(reference_id, project_id)`: what active comments name, and the projects that this ties them to; a comment
  on a variant names the evaluation of the variant too
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

project_comment = sa.Table(
    "project_comment",
    metadata,
    # The row of `comment` with the text, the author and the times.
    id_column("comment_id"),
    sa.Column("project_id", Id, nullable=False),
    sa.Column("variant_id", Id, nullable=True),
    # What the variant was when the comment was written; it stays as long as the comment.
    sa.Column("evaluation_id", Id, nullable=True),
    # The first comment of the thread; NULL for the first one itself.
    sa.Column("parent_id", Id, nullable=True),
    sa.Column("anchor", sa.JSON, nullable=True),
    sa.Column("camera", sa.JSON, nullable=True),
    sa.Column("mentions", sa.ARRAY(Id), nullable=False),
    # Of the whole thread, on its first comment.
    sa.Column("resolved_by", Id, nullable=True),
    sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
    # As of the row of `comment`, for the order of lists.
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    sa.Index("project_comment_project_idx", "project_id", "created_at", "comment_id"),
    sa.Index(
        "project_comment_variant_idx",
        "variant_id",
        "created_at",
        "comment_id",
        postgresql_where=sa.text("variant_id IS NOT NULL"),
    ),
    sa.Index("project_comment_evaluation_idx", "evaluation_id", postgresql_where=sa.text("evaluation_id IS NOT NULL")),
    schema="comments",
)
"""Fields of the comments of platform projects beside those of their rows in `comment`."""
