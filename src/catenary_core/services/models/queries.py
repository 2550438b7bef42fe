"""The SQL of models."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON, insert

from catenary_core.database.columns import CLOCK, DELETED, INSTANT, Id, user_reference
from catenary_core.database.statements import Statement, search_condition
from catenary_core.resources.platform_pages import listed
from catenary_core.resources.platform_rows import PlatformRow, inserted
from catenary_core.services.models.tables import FINAL, deployment, derived_metrics, model, model_version, narrowing


def _id(name: str) -> sa.BindParameter[str]:
    return sa.bindparam(name, type_=Id)


def _json(name: str) -> sa.BindParameter[Any]:
    return sa.bindparam(name, type_=JSON)


_project_id, _model_id, _version_id, _deployment_id = (
    _id("project_id"),
    _id("model_id"),
    _id("model_version_id"),
    _id("deployment_id"),
)


def _lock(what: str) -> Statement:
    key = sa.func.concat(what, sa.cast(_project_id, sa.Text))
    return Statement(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(key, 0))))


def _model_columns(latest: sa.ColumnElement[Any]) -> tuple[sa.ColumnElement[Any], ...]:
    return (
        model.c.model_id,
        model.c.project_id,
        model.c.name,
        latest.label("latest_model_version_id"),
        model.c.created_at,
        model.c.updated_at,
        model.c.deleted_at,
    )


def _version_columns(
    project_id: sa.ColumnElement[Any], created_by: sa.ColumnElement[Any]
) -> tuple[sa.ColumnElement[Any], ...]:
    return (
        model_version.c.model_version_id,
        model_version.c.model_id,
        project_id.label("project_id"),
        model_version.c.number,
        model_version.c.status,
        model_version.c.kind,
        model_version.c.size,
        model_version.c.sha256,
        model_version.c.deterministic,
        model_version.c.error,
        model_version.c.parameters,
        model_version.c.metrics,
        model_version.c.constraints,
        user_reference(created_by, "created_by"),
        model_version.c.created_at,
        model_version.c.updated_at,
        model_version.c.deleted_at,
        model_version.c.warnings,
        model_version.c.repeatable,
        model_version.c.repeatable_reason,
    )


def _deployment_columns(
    model_id: sa.ColumnElement[Any], created_by: sa.ColumnElement[Any]
) -> tuple[sa.ColumnElement[Any], ...]:
    return (
        deployment.c.deployment_id,
        deployment.c.project_id,
        model_id.label("model_id"),
        deployment.c.model_version_id,
        deployment.c.status,
        deployment.c.error,
        user_reference(created_by, "created_by"),
        deployment.c.created_at,
        deployment.c.updated_at,
        deployment.c.activated_at,
        deployment.c.retired_at,
    )


# SELECT and UPDATE use correlated subqueries. An INSERT returns its own values instead, since SQLAlchemy doesn't
# correlate subqueries in its RETURNING.
_active_version = model_version.c.deleted_at.is_(None)
_any_model = _model_columns(
    sa.select(model_version.c.model_version_id)
    .where(model_version.c.model_id == model.c.model_id, model_version.c.status == "ready", _active_version)
    .order_by(model_version.c.number.desc())
    .limit(1)
    .correlate(model)
    .scalar_subquery()
)
_any_version = _version_columns(
    sa.select(model.c.project_id)
    .where(model.c.model_id == model_version.c.model_id)
    .correlate(model_version)
    .scalar_subquery(),
    model_version.c.created_by,
)
_any_deployment = _deployment_columns(
    sa.select(model_version.c.model_id)
    .where(model_version.c.model_version_id == deployment.c.model_version_id)
    .correlate(deployment)
    .scalar_subquery(),
    deployment.c.created_by,
)

_model = PlatformRow(model, _any_model, holds=sa.and_(model.c.project_id == _project_id, model.c.deleted_at.is_(None)))
_version = PlatformRow(model_version, _any_version)

LIST_MODELS = _model.listed(_model.active, search_condition(model.c.name))
"""The models of a project, oldest first."""

GET_MODEL = _model.one()
LOCK_MODEL = _model.lock()
"""An active model, locked so that its versions get consecutive numbers."""

INSERT_MODEL = Statement(
    inserted(model, "model_id", "project_id", "name")
    .on_conflict_do_nothing(
        index_elements=[model.c.project_id, model.c.name], index_where=sa.text("deleted_at IS NULL")
    )
    .returning(*_model_columns(sa.cast(None, Id)))
)
"""Insert a model; no row if an active model of the project has the name."""

LOCK_NAMES = _lock("models.name ")
"""Lock the names of a project's models until the transaction ends.

Each writer of a name takes the lock first: unlike an insert, an update has no ON CONFLICT and must look for another model.
"""

OTHER_OF_NAME = Statement(
    sa.select(model.c.model_id).where(
        model.c.project_id == _project_id,
        model.c.name == sa.bindparam("name", type_=sa.Text),
        model.c.deleted_at.is_(None),
        model.c.model_id != _model_id,
    )
)
RENAME_MODEL = _model.update(["name"])
DELETE_MODEL = _model.delete()
DELETE_VERSIONS = Statement(
    sa.update(model_version)
    .where(model_version.c.model_id == _model_id, _active_version)
    .values(DELETED)
    .returning(model_version.c.model_version_id, model_version.c.size)
)
UNCHECKED = Statement(
    sa.select(model_version.c.model_version_id).where(
        model_version.c.model_id == _model_id,
        _active_version,
        sa.or_(model_version.c.status == "uploaded", model_version.c.status == "checking"),
    )
)
"""The versions of a model whose check has not ended."""

LIST_VERSIONS = _version.listed(model_version.c.model_id == _model_id, _active_version, newest_first=True)
"""The versions of a model, newest first."""

GET_VERSION = Statement(
    sa.select(*_any_version, model.c.name.label("model_name"))
    .join(model, model.c.model_id == model_version.c.model_id)
    .where(_model.this, _active_version, _version.has_id)
)
GET_VERSION_OF_PROJECT = Statement(
    sa.select(*_any_version)
    .join(model, model.c.model_id == model_version.c.model_id)
    .where(_model.active, _active_version, _version.has_id)
)
GET_VERSION_LOG = Statement(
    sa.select(model_version.c.log, model_version.c.created_by)
    .join(model, model.c.model_id == model_version.c.model_id)
    .where(_model.this, _active_version, _version.has_id)
)
INSERT_VERSION = Statement(
    inserted(model_version, "model_version_id", "model_id", "kind", "size", "sha256", "created_by")
    .values(
        number=sa.select(sa.func.coalesce(sa.func.max(model_version.c.number), 0) + 1)
        .where(model_version.c.model_id == _model_id)
        .scalar_subquery(),
        status="uploaded",
    )
    .returning(*_version_columns(_project_id, _id("created_by")))
)

LOCK_VERSION = Statement(
    sa.select(*_any_version)
    .join(model, model.c.model_id == model_version.c.model_id)
    .where(_model.this, _active_version, _version.has_id)
    .with_for_update(of=model_version)
)
DELETE_VERSION = _version.delete()
_saved = sa.table("named", sa.column("model_version_id", Id), schema="variants")
_at_work = sa.table("version_at_work", sa.column("model_version_id", Id), schema="evaluations")
_needed = {"saved": _saved, "at_work": _at_work}
NEEDED_VERSION = Statement(
    sa.select(
        *(sa.exists().where(view.c.model_version_id == _version_id).label(name) for name, view in _needed.items())
    )
)
"""A version: `saved` if a variant keeps an evaluation of it, `at_work` if an unfinished batch or study has it."""
NEEDED_MODEL = Statement(
    sa.select(
        *(
            sa.exists()
            .where(model_version.c.model_id == _model_id, _active_version)
            .where(view.c.model_version_id == model_version.c.model_version_id)
            .label(name)
            for name, view in _needed.items()
        )
    )
)
"""A model: `saved` and `at_work` as of a version, for any of its versions."""

PROJECT_OF_VERSION = Statement(
    sa.select(model.c.project_id)
    .join(model_version, model_version.c.model_id == model.c.model_id)
    .where(_version.has_id)
)
START_CHECK = Statement(
    sa.update(model_version)
    .where(_version.has_id, model_version.c.status == "uploaded")
    .values(status="checking", updated_at=CLOCK)
)
END_CHECK = Statement(
    sa.update(model_version)
    .where(
        _version.this,
        sa.or_(model_version.c.status == "uploaded", model_version.c.status == "checking"),
    )
    .values(
        status=sa.bindparam("ended_as", type_=sa.Text),
        deterministic=sa.bindparam("deterministic", type_=sa.Boolean),
        error=_json("error"),
        parameters=_json("parameters"),
        metrics=_json("metrics"),
        constraints=_json("constraints"),
        warnings=_json("warnings"),
        log=sa.bindparam("log", type_=sa.Text),
        repeatable=sa.bindparam("repeatable", type_=sa.Boolean),
        repeatable_reason=sa.bindparam("repeatable_reason", type_=sa.Text),
        updated_at=CLOCK,
    )
    .returning(*_any_version)
)
"""Set the final status of a version; no row if it has one already, or is deleted."""
REVOKE_REPEATABLE = Statement(
    sa.update(model_version)
    .where(_version.has_id, model_version.c.repeatable)
    .values(repeatable=False, repeatable_reason=sa.bindparam("reason", type_=sa.Text), updated_at=CLOCK)
)
"""Set a repeatable version to one that is not; the first reason stays."""
CHECKED = Statement(
    sa.select(*_any_version).where(
        model_version.c.model_version_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id))),
        sa.or_(
            model_version.c.status.in_(sa.literal_column(f"'{status}'") for status in sorted(FINAL)),
            sa.not_(_active_version),
        ),
    )
)
"""The versions among `ids` whose check has ended, or that were deleted before."""

LOCK_DEPLOYMENTS = _lock("models.deployment ")
"""Lock the deployments and narrowings of a project, which has no row in this schema, until the transaction ends."""

LIST_DEPLOYMENTS = listed(
    sa.select(*_any_deployment).where(deployment.c.project_id == _project_id),
    deployment.c.created_at,
    deployment.c.deployment_id,
    newest_first=True,
)
"""The deployments of a project, newest first."""

INSERT_DEPLOYMENT = Statement(
    inserted(deployment, "deployment_id", "project_id", "model_version_id", "created_by")
    .values(status="pending")
    .returning(*_deployment_columns(_model_id, _id("created_by")))
)
DEPLOYED = Statement(
    sa.select(deployment.c.model_version_id, model_version.c.model_id)
    .join(model_version, model_version.c.model_version_id == deployment.c.model_version_id)
    .where(
        deployment.c.project_id == _project_id,
        sa.or_(deployment.c.status == "pending", deployment.c.status == "active"),
    )
)
"""The versions that a project has deployed or that wait to be deployed."""
PENDING = Statement(
    sa.select(deployment.c.deployment_id, deployment.c.model_version_id).where(
        deployment.c.project_id == _project_id, deployment.c.status == "pending"
    )
)
FAIL_PENDING = Statement(
    sa.update(deployment)
    .where(deployment.c.project_id == _project_id, deployment.c.status == "pending")
    .values(status="failed", error=_json("error"), updated_at=CLOCK)
    .returning(*_any_deployment)
)
ACTIVE = Statement(
    sa.select(*_any_deployment).where(deployment.c.project_id == _project_id, deployment.c.status == "active")
)
RETIRE_ACTIVE = Statement(
    sa.update(deployment)
    .where(deployment.c.project_id == _project_id, deployment.c.status == "active")
    .values(status="retired", updated_at=INSTANT, retired_at=INSTANT)
    .returning(*_any_deployment)
)
ACTIVATE = Statement(
    sa.update(deployment)
    .where(deployment.c.deployment_id == _deployment_id, deployment.c.status == "pending")
    .values(status="active", parameters=_json("parameters"), updated_at=INSTANT, activated_at=INSTANT)
    .returning(*_any_deployment)
)

GET_PARAMETERS = Statement(
    sa.select(deployment.c.parameters).where(deployment.c.project_id == _project_id, deployment.c.status == "active")
)
GET_ACTIVE = Statement(
    sa.select(deployment.c.deployment_id, model_version.c.model_id, model_version.c.parameters.label("declared"))
    .join(model_version, model_version.c.model_version_id == deployment.c.model_version_id)
    .where(deployment.c.project_id == _project_id, deployment.c.status == "active")
)
"""The active deployment of a project and the parameters that its version declares."""

SET_PARAMETERS = Statement(
    sa.update(deployment).where(deployment.c.deployment_id == _deployment_id).values(parameters=_json("parameters"))
)
NARROWINGS = Statement(sa.select(narrowing.c.name, narrowing.c.fields).where(narrowing.c.model_id == _model_id))
_narrow = insert(narrowing).values(model_id=_model_id, name=sa.bindparam("name", type_=sa.Text), fields=_json("fields"))
PUT_NARROWING = Statement(
    _narrow.on_conflict_do_update(
        index_elements=[narrowing.c.model_id, narrowing.c.name],
        set_={"fields": _narrow.excluded.fields, "updated_at": CLOCK},
    )
)

_result = sa.table(
    "result",
    sa.column("evaluation_id", Id),
    sa.column("project_id", Id),
    sa.column("model_version_id", Id),
    sa.column("parameters", JSON),
    sa.column("metrics", JSON),
    schema="evaluations",
)
_declared = (model_version.c.parameters.label("declared_parameters"), model_version.c.metrics.label("declared_metrics"))
_entries = sa.func.coalesce(derived_metrics.c.entries, sa.literal_column("'[]'::json"), type_=JSON).label("entries")
_asked = sa.select(_project_id.label("project_id")).subquery("asked")
DERIVED_METRICS = Statement(
    sa.select(_asked.c.project_id, derived_metrics.c.updated_at, _entries, *_declared)
    .select_from(_asked)
    .outerjoin(derived_metrics, derived_metrics.c.project_id == _asked.c.project_id)
    .outerjoin(deployment, sa.and_(deployment.c.project_id == _asked.c.project_id, deployment.c.status == "active"))
    .outerjoin(model_version, model_version.c.model_version_id == deployment.c.model_version_id)
)
"""The derived metrics of a project, and what its deployed version declares; null without a deployed version."""
DERIVED_METRIC_VALUES = Statement(
    sa.select(
        _entries,
        *_declared,
        _result.c.parameters,
        _result.c.metrics,
    )
    .select_from(_result)
    .join(model_version, model_version.c.model_version_id == _result.c.model_version_id)
    .outerjoin(derived_metrics, derived_metrics.c.project_id == _result.c.project_id)
    .where(_result.c.evaluation_id == _id("evaluation_id"))
)
"""An evaluation's values, what its version declares, and the derived metrics of its project."""
_put_derived = insert(derived_metrics).values(project_id=_project_id, entries=_json("entries"))
PUT_DERIVED_METRICS = Statement(
    _put_derived.on_conflict_do_update(
        index_elements=[derived_metrics.c.project_id],
        set_={"entries": _put_derived.excluded.entries, "updated_at": INSTANT},
    ).returning(derived_metrics.c.updated_at)
)
