"""The table of a project's files, and the view on it for workers.

- `evaluations.readable_file(project_id, sha256, size)`: the content that models of each active project may read
- `evaluations.kept_file` has the files too
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

_IN_A_DAY = sa.text("statement_timestamp() + interval '1 day'")

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
    # The next look at whether anything names the file, and whether nothing did at the last; nothing names a new file.
    sa.Column("due_at", sa.DateTime(timezone=True), nullable=False, server_default=_IN_A_DAY),
    sa.Column("unnamed", sa.Boolean, nullable=False, server_default=sa.text("true")),
    sa.CheckConstraint("size > 0", name="size"),
    sa.Index(None, "project_id", "created_at", "file_id"),
    sa.Index(None, "due_at"),
    schema="evaluations",
)
