"""The tables of evaluations, and the view on them for other services.

`evaluations.outlasting(evaluation_id, user_id)`: ended evaluations that outlasted the wait of their callers, and the
users that requested them.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

CHANNEL = "catenary_evaluations"
"""Notified when an evaluation has reached a final status."""

_object = sa.text("'{}'")

# The columns are the fields of catenary.platform.v1.Evaluation, as in responses; the items of `geometry` have no `url`.
# `cache_key` is set while an evaluation that equal requests may join is unfinished, and after its completion; then it
# is the key of the runtime that ran it (`runtime_digest`).
evaluation = sa.Table(
    "evaluation",
    metadata,
    sa.Column("evaluation_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("model_version_id", UUID(as_uuid=False), nullable=False),
    sa.Column("parameters", JSON, nullable=False),
    sa.Column("metrics", JSON, nullable=False, server_default=_object),
    sa.Column("constraints", JSON, nullable=False, server_default=_object),
    sa.Column("geometry", JSON, nullable=False, server_default=sa.text("'[]'")),
    sa.Column("tables", JSON, nullable=False, server_default=_object),
    sa.Column("error", JSON(none_as_null=True), nullable=True),
    sa.Column("duration_ms", sa.Double, nullable=True),
    sa.Column("log", sa.Text, nullable=False, server_default=""),
    sa.Column("runtime_digest", sa.Text, nullable=True),
    sa.Column("cache_key", sa.LargeBinary, nullable=True),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    # Until when the requesting call waits for the end; NULL if no call of its own requested the evaluation.
    sa.Column("awaited_until", sa.DateTime(timezone=True), nullable=True),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint(
        "status IN ('queued', 'running', 'completed', 'failed', 'timed_out', 'cancelled')", name="status"
    ),
    sa.CheckConstraint("(completed_at IS NULL) = (status IN ('queued', 'running'))", name="final"),
    sa.Index(
        "evaluation_unfinished_key_idx",
        "cache_key",
        unique=True,
        postgresql_where=sa.text("status IN ('queued', 'running')"),
    ),
    sa.Index("evaluation_stored_key_idx", "cache_key", "created_at", postgresql_where=sa.text("status = 'completed'")),
    sa.Index(None, "project_id", "created_at", "evaluation_id"),
    schema="evaluations",
)

# The users who requested an equal evaluation after `created_by`, and so may see its log.
later_request = sa.Table(
    "later_request",
    metadata,
    sa.Column("evaluation_id", sa.ForeignKey(evaluation.c.evaluation_id, ondelete="CASCADE"), primary_key=True),
    sa.Column("user_id", UUID(as_uuid=False), primary_key=True),
    schema="evaluations",
)

# Geometry converted to another format for download; both addresses are in the object store.
conversion = sa.Table(
    "conversion",
    metadata,
    sa.Column("source_sha256", sa.Text, primary_key=True),
    sa.Column("format", sa.Text, primary_key=True),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    schema="evaluations",
)
