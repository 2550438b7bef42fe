"""The table of a project's files, and the view on it for workers.

- `evaluations.readable_file(project_id, sha256, size)`: the content that models of each active project may read
- `evaluations.kept_file` has the files too
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

# `suffix` is that of the name in lower case; with `sha256` it is the value of a parameter that takes the file.
input_file = sa.Table(
    "input_file",
    metadata,
    sa.Column("file_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("suffix", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.CheckConstraint("size > 0", name="size"),
    sa.Index(None, "project_id", "created_at", "file_id"),
    schema="evaluations",
)
