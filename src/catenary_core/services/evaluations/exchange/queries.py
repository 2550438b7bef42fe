"""The SQL of exported evaluations."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, one_of
from catenary_core.database.statements import Statement
from catenary_core.services.evaluations.points import queries as points
from catenary_core.services.evaluations.tables import evaluation

MAX_NAMES = 1_000
"""Maximum metrics with a column; an evaluation has no more."""

_declared = sa.table(
    "declared",
    sa.column("project_id", Id),
    sa.column("model_version_id", Id),
    sa.column("parameters", sa.JSON),
    sa.column("metrics", sa.JSON),
    schema="models",
)
_deployed = sa.table("deployed", sa.column("project_id", Id), sa.column("model_version_id", Id), schema="models")
_project_id = sa.bindparam("project_id", type_=Id)
_shown = sa.and_(
    evaluation.c.project_id == _project_id,
    ~evaluation.c.is_point,
    one_of(evaluation.c.status, "status"),
    one_of(evaluation.c.model_version_id, "model_version_id"),
    one_of(evaluation.c.created_by, "asked_by"),
)

DEPLOYED = Statement(sa.select(_deployed.c.model_version_id).where(_deployed.c.project_id == _project_id))
"""The id of the version that a project evaluates."""
DECLARED = Statement(
    sa.select(_declared.c.parameters, _declared.c.metrics).where(
        _declared.c.project_id == _project_id,
        _declared.c.model_version_id == sa.bindparam("model_version_id", type_=Id),
    )
)
"""The declarations of a version of a project."""
STATE = Statement(
    sa.select(
        sa.func.count().label("evaluations"),
        sa.func.max(evaluation.c.completed_at).label("completed_at"),
    ).where(_shown)
)
"""The number of the evaluations, and the time of the last end."""
METRIC_NAMES = Statement(
    sa.select(sa.func.json_object_keys(evaluation.c.metrics).label("name"))
    .where(_shown)
    .distinct()
    .order_by("name")
    .limit(sa.literal_column(str(MAX_NAMES)))
)
"""The names of the metrics that the evaluations have, declared or not."""
METRIC_NAMES_OF_POINTS = points.metric_names(MAX_NAMES)

_until = evaluation.c.completed_at <= sa.bindparam("until", type_=sa.DateTime(timezone=True))
_page = (
    sa.select(
        evaluation.c.evaluation_id,
        evaluation.c.parameters,
        evaluation.c.metrics,
        evaluation.c.geometry,
        evaluation.c.created_at,
    )
    .where(_shown, _until)
    .order_by(evaluation.c.created_at.desc(), evaluation.c.evaluation_id.desc())
    .limit(sa.bindparam("page_rows", type_=sa.Integer))
)
PAGE = Statement(_page)
PAGE_AFTER = Statement(
    _page.where(
        sa.tuple_(evaluation.c.created_at, evaluation.c.evaluation_id)
        < sa.tuple_(
            sa.bindparam("after_created_at", type_=sa.DateTime(timezone=True)), sa.bindparam("after_id", type_=Id)
        )
    )
)
