"""The tables of studies.

A study has a row of `batch` with its own id, which holds its points and their counts: workers know no difference. That
batch ends with the study alone.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata
from catenary_core.services.evaluations.tables import batch

STUDIES = "catenary_studies"
"""Notified when a study began, goes on or was ended by a caller."""

_none = sa.text("'[]'")

study = sa.Table(
    "study",
    metadata,
    sa.Column("study_id", sa.ForeignKey(batch.c.batch_id, ondelete="CASCADE"), primary_key=True),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    # The request as responses show it: `kind`, `objectives`, `constraints`, `parameters` and `on_failure`, and what
    # studies of earlier releases lack: `start_from`, `name`, `note`, `stop` and `algorithm_reason`.
    sa.Column("request", JSON, nullable=False),
    # `studies.definition.Definition.to_json`, whose `start` is empty: it has a column of its own, since every look at a
    # study reads the definition.
    sa.Column("definition", JSON, nullable=False),
    sa.Column("start", JSON, nullable=False, server_default=_none),
    # Payload of the jobs for its points, and the request that began it.
    sa.Column("payload", JSON, nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    # Generations and points of which the engine was told; the last generation for which failed points were tried again.
    sa.Column("generation", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("told", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("retried", sa.Integer, nullable=False, server_default=sa.text("0")),
    # Points that had ended when the study was last resumed.
    sa.Column("before", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("hypervolume", JSON, nullable=False, server_default=_none),
    sa.Column("reference", JSON, nullable=False, server_default=_none),
    # Indices of the points on the front.
    sa.Column("front", JSON, nullable=False, server_default=_none),
    # Of each objective of a sensitivity, as `studies.engine.Engine.indices` returns them.
    sa.Column("indices", JSON, nullable=False, server_default=_none),
    # Generations in a row without a growth of the hypervolume, and the hypervolume to which it last grew; since a resumption.
    sa.Column("stalled", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("grown_to", sa.Double, nullable=True),
    # The rule of `stop` that ended the study.
    sa.Column("stopped_by", sa.Text, nullable=True),
    sa.Column("error", sa.Text, nullable=True),
    # The code beside `error` where the platform cancelled the study.
    sa.Column("error_code", sa.Text, nullable=True),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("status IN ('queued', 'running', 'completed', 'cancelled', 'failed')", name="status"),
    sa.CheckConstraint("(completed_at IS NULL) = (status IN ('queued', 'running'))", name="final"),
    sa.CheckConstraint("error IS NULL OR status IN ('failed', 'cancelled')", name="error"),
    sa.CheckConstraint("error_code IS NULL OR status = 'cancelled'", name="error_code"),
    sa.CheckConstraint("stopped_by IS NULL OR status = 'completed'", name="stopped_by"),
    sa.Index(None, "project_id", "created_at", "study_id"),
    sa.Index("study_unfinished_idx", "created_at", postgresql_where=sa.text("completed_at IS NULL")),
    schema="evaluations",
)

score = sa.Table(
    "score",
    metadata,
    sa.Column("study_id", sa.ForeignKey(study.c.study_id, ondelete="CASCADE"), primary_key=True),
    # Index of the point.
    sa.Column("index", sa.Integer, primary_key=True),
    sa.Column("generation", sa.Integer, nullable=False),
    # Value of each objective, or null.
    sa.Column("objectives", JSON, nullable=False),
    sa.Column("feasible", sa.Boolean, nullable=False),
    sa.Column("rank", sa.Integer, nullable=True),
    schema="evaluations",
)
