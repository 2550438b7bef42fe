"""The tables of models, and the views on them for other services.

- `models.declared(project_id, model_version_id, parameters, metrics)`: what each version declares, deleted ones too
- `models.deployed(project_id, model_id, model_version_id, kind, sha256, parameters, metrics, constraints,
  repeatable)`: the version that each project evaluates; `parameters` is a list of catenary.platform.v1.ModelParameter,
  narrowed for the project
- `models.checked_version(project_id, model_version_id, status, kind, sha256, parameters, repeatable)`: the versions that
  are not deleted, with the parameters as they declare them, and the state of their check
- `models.derived(project_id, entries)`: the derived metrics of projects
- `models.kept_file(sha256, holder_id, project_id)`: the files of all versions that are not deleted
- `models.source(model_version_id, kind, sha256, size, repeatable)`: the stored file of each version
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

CHANNEL = "catenary_model_checks"
"""Notified when a model version is ready or has failed."""
FINAL = frozenset({"ready", "failed"})
"""Statuses of a model version whose check has ended."""

_none = sa.text("'[]'")

model = sa.Table(
    "model",
    metadata,
    sa.Column("model_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
    sa.Index(
        "model_active_name_idx", "project_id", "name", unique=True, postgresql_where=sa.text("deleted_at IS NULL")
    ),
    sa.Index(None, "project_id", "created_at", "model_id"),
    schema="models",
)

# `status` and `kind` are the names of the proto's enum values, as in responses. The lists and the error are in the
# proto's shapes, so that responses copy them.
model_version = sa.Table(
    "model_version",
    metadata,
    sa.Column("model_version_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("model_id", UUID(as_uuid=False), sa.ForeignKey(model.c.model_id), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("deterministic", sa.Boolean, nullable=True),
    sa.Column("error", JSON(none_as_null=True), nullable=True),
    sa.Column("parameters", JSON, nullable=False, server_default=_none),
    sa.Column("metrics", JSON, nullable=False, server_default=_none),
    sa.Column("constraints", JSON, nullable=False, server_default=_none),
    sa.Column("warnings", JSON, nullable=False, server_default=_none),
    sa.Column("log", sa.Text, nullable=False, server_default=""),
    sa.Column("repeatable", sa.Boolean, nullable=True),
    sa.Column("repeatable_reason", sa.Text, nullable=True),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
    sa.UniqueConstraint("model_id", "number"),
    sa.CheckConstraint("status IN ('uploaded', 'checking', 'ready', 'failed')", name="status"),
    sa.CheckConstraint("kind IN ('python', 'zip', 'openscad')", name="kind"),
    sa.Index(None, "model_id", "created_at", "model_version_id"),
    schema="models",
)

# `parameters` are the version's, narrowed by the project; set when the deployment became active.
deployment = sa.Table(
    "deployment",
    metadata,
    sa.Column("deployment_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.Column("model_version_id", UUID(as_uuid=False), sa.ForeignKey(model_version.c.model_version_id), nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("error", JSON(none_as_null=True), nullable=True),
    sa.Column("parameters", JSON(none_as_null=True), nullable=True),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("activated_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("status IN ('pending', 'active', 'retired', 'failed')", name="status"),
    sa.CheckConstraint("status <> 'active' OR parameters IS NOT NULL", name="parameters"),
    sa.Index("deployment_active_idx", "project_id", unique=True, postgresql_where=sa.text("status = 'active'")),
    sa.Index("deployment_pending_idx", "project_id", unique=True, postgresql_where=sa.text("status = 'pending'")),
    sa.Index(None, "project_id", "created_at", "deployment_id"),
    schema="models",
)

# The narrowing of a model's parameter: `fields` has those of `min`, `max`, `default` and `label` that the project
# narrowed. A model belongs to one project, so its id identifies both.
narrowing = sa.Table(
    "narrowing",
    metadata,
    sa.Column("model_id", UUID(as_uuid=False), sa.ForeignKey(model.c.model_id), primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("fields", JSON, nullable=False),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    schema="models",
)

# The derived metrics of a project, in order: a list with `name`, `expression`, `unit` and `description` of each.
derived_metrics = sa.Table(
    "derived_metrics",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("entries", JSON, nullable=False),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    schema="models",
)
