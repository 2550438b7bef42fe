"""The tables of evaluations, and the views on them for other services.

- `evaluations.outlasting(evaluation_id, user_id)`: ended evaluations that outlasted the wait of their callers, and the
  users that requested them
- `evaluations.result(evaluation_id, project_id, model_version_id, parameters, metrics)`: the values of each
  evaluation
- `evaluations.version_at_work(model_version_id)`: the versions of unfinished batches and studies
- `evaluations.kept_file(sha256, holder_id, project_id)`: the artefacts and files of the evaluations of active
  projects
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

CHANNEL = "catenary_evaluations"
"""Notified when an evaluation has reached a final status."""

BATCHES = "catenary_batches"
"""Notified when points of a batch have ended, and at the batch's end."""

IDLE_BATCHES = "catenary_idle_batches"
"""Notified when the last of a batch's points have ended, and at the end of a study."""

_object = sa.text("'{}'")
_list = sa.text("'[]'")

# The columns are the fields of catenary.platform.v1.Evaluation, as in responses; the items of `geometry` and
# `files` have no `url`, and those of `files` no `media_type`.
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
    sa.Column("geometry", JSON, nullable=False, server_default=_list),
    sa.Column("tables", JSON, nullable=False, server_default=_object),
    sa.Column("charts", JSON, nullable=False, server_default=_list),
    sa.Column("files", JSON, nullable=False, server_default=_list),
    sa.Column("error", JSON(none_as_null=True), nullable=True),
    sa.Column("duration_ms", sa.Double, nullable=True),
    sa.Column("log", sa.Text, nullable=False, server_default=""),
    sa.Column("runtime_digest", sa.Text, nullable=True),
    sa.Column("cache_key", sa.LargeBinary, nullable=True),
    # Of an evaluation that makes the geometry of a point: its id is the point's (`points.ids`), and lists leave it out.
    sa.Column("is_point", sa.Boolean, nullable=False, server_default=sa.text("false")),
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
    sa.Index(None, "project_id", "created_at", "evaluation_id", postgresql_where=sa.text("NOT is_point")),
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

# A plan's values: `columns` and `rows` as in `plans.layout`.
plan = sa.Table(
    "plan",
    metadata,
    sa.Column("plan_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.Column("model_version_id", UUID(as_uuid=False), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=True),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("columns", JSON, nullable=False),
    sa.Column("rows", JSON, nullable=False),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.CheckConstraint("kind IN ('grid', 'latin_hypercube', 'sobol', 'halton', 'csv')", name="kind"),
    sa.Index(None, "project_id", "created_at", "plan_id"),
    sa.Index(None, "created_at"),
    schema="evaluations",
)

# A batch has one free job for its queued points. The worker that leases this job gets a chunk of the points, and another free
# job is added for the rest. Whoever changes the points of a batch has locked the batch's row first; a job that is locked too
# was locked before the batch.
batch = sa.Table(
    "batch",
    metadata,
    sa.Column("batch_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.Column("model_version_id", UUID(as_uuid=False), nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    # Numbers of points by status; `cached` are among `completed`.
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("queued", sa.Integer, nullable=False),
    *(
        sa.Column(name, sa.Integer, nullable=False, server_default=sa.text("0"))
        for name in ("running", "completed", "failed", "timed_out", "cancelled", "cached")
    ),
    # A batch of a study has its id, gets its points generation by generation, and ends with it (`studies.tables`).
    sa.Column("is_study", sa.Boolean, nullable=False, server_default=sa.text("false")),
    # Whether the geometry of all points is kept: a chunk is one point then, whose job has its id as an evaluation.
    sa.Column("geometry", sa.Boolean, nullable=False, server_default=sa.text("false")),
    # Points that had ended and were removed, to be evaluated again.
    sa.Column("removed", sa.Integer, nullable=False, server_default=sa.text("0")),
    # Queued points that repeat another one (`point.repeats`), among `queued`.
    sa.Column("repeated", sa.Integer, nullable=False, server_default=sa.text("0")),
    # Seconds that the points took which were computed.
    sa.Column("seconds", sa.Double, nullable=False, server_default=sa.text("0")),
    sa.Column("name", sa.Text, nullable=False, server_default=""),
    sa.Column("note", sa.Text, nullable=False, server_default=""),
    # `{"code", "message"}` of a batch that the platform cancelled.
    sa.Column("error", JSON(none_as_null=True), nullable=True),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("error IS NULL OR status = 'cancelled'", name="error"),
    sa.CheckConstraint("status IN ('queued', 'running', 'completed', 'cancelled')", name="status"),
    sa.CheckConstraint("(completed_at IS NULL) = (status IN ('queued', 'running'))", name="final"),
    sa.CheckConstraint(
        "total = queued + running + completed + failed + timed_out + cancelled AND cached <= completed", name="counts"
    ),
    sa.CheckConstraint("repeated >= 0 AND repeated <= queued", name="repeated"),
    sa.Index(None, "project_id", "created_at", "batch_id"),
    schema="evaluations",
)

point = sa.Table(
    "point",
    metadata,
    sa.Column("batch_id", sa.ForeignKey(batch.c.batch_id, ondelete="CASCADE"), primary_key=True),
    # Place among the points of the batch, from 0 on.
    sa.Column("index", sa.Integer, primary_key=True),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("parameters", JSON, nullable=False),
    sa.Column("metrics", JSON, nullable=False, server_default=_object),
    sa.Column("constraints", JSON, nullable=False, server_default=_object),
    sa.Column("tables", JSON, nullable=False, server_default=_object),
    # Name and format of each geometry that the model gave; NULL where an older release computed the point.
    sa.Column("geometry", JSON(none_as_null=True), nullable=True),
    sa.Column("error", JSON(none_as_null=True), nullable=True),
    sa.Column("cached", sa.Boolean, nullable=False, server_default=sa.text("false")),
    sa.Column("duration_ms", sa.Double, nullable=True),
    # As of an evaluation; set with a result.
    sa.Column("cache_key", sa.LargeBinary, nullable=True),
    # The job of the chunk that has the point while it runs.
    sa.Column("job_id", UUID(as_uuid=False), nullable=True),
    # The index of the equal point whose result this one gets when that has ended, while it waits for it.
    sa.Column("repeats", sa.Integer, nullable=True),
    # Place in the order in which the points of the batch ended, from 1 on.
    sa.Column("position", sa.Integer, nullable=True),
    # Bytes of the parameters and the result.
    sa.Column("size", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint(
        "status IN ('queued', 'running', 'completed', 'failed', 'timed_out', 'cancelled')", name="status"
    ),
    sa.CheckConstraint("(completed_at IS NULL) = (status IN ('queued', 'running'))", name="final"),
    sa.CheckConstraint("(position IS NULL) = (completed_at IS NULL)", name="position"),
    sa.CheckConstraint("(job_id IS NULL) = (status <> 'running')", name="job"),
    sa.Index(
        "point_queued_idx", "batch_id", "index", postgresql_where=sa.text("status = 'queued' AND repeats IS NULL")
    ),
    sa.Index("point_repeats_idx", "batch_id", "repeats", postgresql_where=sa.text("repeats IS NOT NULL")),
    sa.Index("point_job_id_idx", "job_id", postgresql_where=sa.text("job_id IS NOT NULL")),
    sa.Index(
        "point_position_idx",
        "batch_id",
        "position",
        unique=True,
        postgresql_where=sa.text("position IS NOT NULL"),
    ),
    sa.Index("point_stored_key_idx", "cache_key", "created_at", postgresql_where=sa.text("status = 'completed'")),
    schema="evaluations",
)
