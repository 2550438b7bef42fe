"""The SQL of points as evaluations."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from catenary_core.database.columns import INSTANT, Id, one_of, user_reference
from catenary_core.database.statements import Statement
from catenary_core.services.evaluations.tables import batch, evaluation, point

_none = sa.literal_column("'[]'::json", JSON)
_no_tables = sa.literal_column("'{}'::json", JSON)
_no_ids: sa.ColumnElement[int] = sa.literal_column("0")
_FIELDS = ("status", "parameters", "metrics", "constraints", "error", "duration_ms", "cached")


def _evaluation_id(of: sa.FromClause) -> sa.ColumnElement[str]:
    """Return the id of a point as an evaluation, as `ids.evaluation_id` gives it."""
    prefix = sa.func.left(sa.cast(of.c.batch_id, sa.Text), sa.literal_column("31"))
    number = sa.func.to_hex(of.c["index"] + sa.literal_column("1"))
    digits = sa.func.lpad(number, sa.literal_column("5"), sa.literal_column("'0'"))
    return sa.cast(sa.func.concat(prefix, digits), Id)


def _made(of: sa.FromClause) -> sa.ColumnElement[Any]:
    """Return the stored geometry of a point, or that of an evaluation with the same key; NULL before one was made."""
    completed = evaluation.c.status == sa.literal_column("'completed'")
    own = sa.select(evaluation.c.geometry).where(evaluation.c.evaluation_id == _evaluation_id(of), completed)
    equal = (
        sa.select(evaluation.c.geometry)
        # A point that has not ended has a key too: that by which it is completed if an equal one is stored before its turn.
        .where(of.c.status == sa.literal_column("'completed'"), evaluation.c.cache_key == of.c.cache_key, completed)
        .order_by(evaluation.c.created_at.desc())
        .limit(sa.literal_column("1"))
    )
    return sa.func.coalesce(*(one.correlate_except(evaluation).scalar_subquery() for one in (own, equal)))


GEOMETRY: tuple[sa.ColumnElement[Any], ...] = (
    _evaluation_id(point).label("evaluation_id"),
    point.c.geometry.label("named"),
    _made(point).label("made"),
)
"""The columns by which other lists of points show their geometry."""


def _shown(of: sa.FromClause, batch_: sa.FromClause) -> list[sa.ColumnElement[Any]]:
    """Return the columns of an evaluation, but for its tables and its log."""
    return [
        _evaluation_id(of).label("evaluation_id"),
        batch_.c.batch_id,
        batch_.c.is_study,
        of.c["index"],
        batch_.c.project_id,
        batch_.c.model_version_id,
        *(of.c[name] for name in _FIELDS),
        of.c.geometry.label("named"),
        _made(of).label("made"),
        _none.label("charts"),
        _none.label("files"),
        user_reference(batch_.c.created_by, "created_by"),
        of.c.created_at,
        sa.func.coalesce(of.c.completed_at, of.c.started_at, of.c.created_at).label("updated_at"),
        of.c.started_at,
        of.c.completed_at,
        sa.true().label("is_point"),
    ]


_joined = point.join(batch, batch.c.batch_id == point.c.batch_id)
_of_id = sa.and_(
    batch.c.batch_id >= sa.bindparam("lowest", type_=Id),
    batch.c.batch_id <= sa.bindparam("highest", type_=Id),
    point.c["index"] == sa.bindparam("index", type_=sa.Integer),
)
ONE = Statement(
    sa.select(*_shown(point, batch), point.c.cache_key, point.c.tables, sa.literal_column("''").label("log"))
    .select_from(_joined)
    .where(_of_id)
)
"""A point as an evaluation, by `ids.place` of its id."""
HOLD = Statement(
    sa.select(batch.c.project_id, batch.c.model_version_id)
    .select_from(_joined)
    .where(_of_id)
    .with_for_update(read=True, key_share=True, of=batch)
)
"""The batch of a point, locked against removal."""
PROJECT_OF = sa.select(batch.c.project_id).select_from(_joined).where(_of_id)
"""The project of a point, as a part of another statement."""

_ids = ARRAY(Id)
_of_batches, _of_studies = sa.bindparam("batch_id", type_=_ids), sa.bindparam("study_id", type_=_ids)


def _of_kind(ids: sa.BindParameter[Any], is_kind: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    return sa.or_(sa.func.cardinality(ids) == _no_ids, sa.and_(is_kind, batch.c.batch_id == sa.any_(ids)))


_after = sa.case(
    (batch.c.batch_id < sa.bindparam("lowest", type_=Id), sa.literal_column("2147483647")),
    else_=sa.bindparam("index", type_=sa.Integer),
)
_rows = sa.bindparam("page_rows", type_=sa.Integer)
_chosen = sa.and_(
    batch.c.project_id == sa.bindparam("project_id", type_=Id),
    batch.c.batch_id == sa.any_(sa.func.array_cat(_of_batches, _of_studies)),
    _of_kind(_of_batches, ~batch.c.is_study),
    _of_kind(_of_studies, batch.c.is_study),
    one_of(batch.c.model_version_id, "model_version_id"),
    one_of(batch.c.created_by, "asked_by"),
)
_of_status = one_of(point.c.status, "status")


def _list(*also: sa.ColumnElement[bool]) -> Statement:
    of_one = (
        sa.select(point)
        .where(point.c.batch_id == batch.c.batch_id, point.c["index"] < _after, _of_status, *also)
        .order_by(point.c["index"].desc())
        .limit(_rows)
        .lateral("point")
    )
    return Statement(
        sa.select(*_shown(of_one, batch), _no_tables.label("tables"))
        .select_from(batch.join(of_one, sa.true()))
        .where(_chosen, batch.c.batch_id <= sa.bindparam("highest", type_=Id))
        .order_by(of_one.c.batch_id.desc(), of_one.c["index"].desc())
        .limit(_rows)
    )


LIST = _list()
"""The points of some batches and studies that come before an id, newest first; each batch gives as many as a page has."""
LIST_ENDED = _list(point.c.completed_at <= sa.bindparam("until", type_=sa.DateTime(timezone=True)))
"""The points as `LIST` gives them that had ended at a time."""
NEWEST_VERSION = Statement(
    sa.select(batch.c.model_version_id)
    .where(_chosen)
    .order_by(batch.c.created_at.desc(), batch.c.batch_id.desc())
    .limit(sa.literal_column("1"))
)
"""The version of the newest among some batches and studies."""
STATE = Statement(
    sa.select(sa.func.count().label("evaluations"), sa.func.max(point.c.completed_at).label("completed_at"))
    .select_from(_joined)
    .where(_chosen, _of_status)
)
"""The number of points of some batches and studies, and the time of the last end."""


def metric_names(most: int) -> Statement:
    """Build the names of the metrics that points of some batches and studies have, at most `most`."""
    return Statement(
        sa.select(sa.func.json_object_keys(point.c.metrics).label("name"))
        .select_from(_joined)
        .where(_chosen, _of_status)
        .distinct()
        .order_by("name")
        .limit(sa.literal_column(str(most)))
    )


_places = sa.func.unnest(
    sa.bindparam("lowest", type_=_ids),
    sa.bindparam("highest", type_=_ids),
    sa.bindparam("index", type_=ARRAY(sa.Integer)),
)
_wanted = _places.table_valued(
    sa.column("lowest", Id), sa.column("highest", Id), sa.column("index", sa.Integer), name="wanted"
).render_derived()
LISTED = Statement(
    sa.select(*_shown(point, batch), _no_tables.label("tables")).select_from(
        _wanted.join(batch, sa.and_(batch.c.batch_id >= _wanted.c.lowest, batch.c.batch_id <= _wanted.c.highest)).join(
            point, sa.and_(point.c.batch_id == batch.c.batch_id, point.c["index"] == _wanted.c["index"])
        )
    )
)
"""The points at some places (`ids.place`), as lists show them."""

RUN = Statement(
    sa.select(
        evaluation.c.status,
        evaluation.c.metrics,
        evaluation.c.geometry,
        evaluation.c.files,
        evaluation.c.charts,
        evaluation.c.log,
        evaluation.c.error,
        user_reference(evaluation.c.created_by, "created_by"),
    ).where(evaluation.c.evaluation_id == sa.bindparam("evaluation_id", type_=Id), evaluation.c.is_point)
)
"""The evaluation that makes or made the geometry of a point."""
_between = sa.and_(
    evaluation.c.evaluation_id >= sa.bindparam("lowest", type_=Id),
    evaluation.c.evaluation_id <= sa.bindparam("highest", type_=Id),
    evaluation.c.is_point,
)
_commented = sa.table("named", sa.column("reference_id", Id), sa.column("project_id", Id), schema="comments")
_lowest, _highest = (sa.bindparam(name, type_=Id) for name in ("lowest", "highest"))
_saved = sa.table("named", sa.column("evaluation_id", Id), schema="variants")
NAMED = Statement(
    sa.select(
        sa.exists()
        .where(
            _commented.c.reference_id >= _lowest,
            _commented.c.reference_id <= _highest,
            _commented.c.project_id == sa.bindparam("project_id", type_=Id),
        )
        .label("named"),
        sa.exists().where(_saved.c.evaluation_id >= _lowest, _saved.c.evaluation_id <= _highest).label("saved"),
    )
)
"""A batch or a study: `named` by a comment of its project, as one of its points may be; `saved` by a variant."""
JOBS = Statement(
    sa.text("SELECT id FROM jobs.job WHERE id BETWEEN CAST(:lowest AS uuid) AND CAST(:highest AS uuid) ORDER BY id")
)
"""The jobs of the evaluations of a batch's points."""
_bytes = sa.literal_column(
    """
    (SELECT coalesce(sum(CAST(kept.item ->> 'size' AS bigint)), 0)::bigint
       FROM (SELECT value FROM json_array_elements(evaluations.evaluation.geometry)
             UNION ALL SELECT value FROM json_array_elements(evaluations.evaluation.files)) kept(item))
    """,
    sa.BigInteger,
)
REMOVE = Statement(sa.delete(evaluation).where(_between).returning(evaluation.c.evaluation_id, _bytes.label("size")))
"""Remove the evaluations of a batch's points."""
_STORED = (
    *("evaluation_id", "project_id", "model_version_id", "parameters", "metrics", "constraints", "tables", "charts"),
    *("geometry", "files", "log", "duration_ms", "runtime_digest", "cache_key", "created_by"),
)
ADD = Statement(
    sa.insert(evaluation).values(
        {name: sa.bindparam(f"new_{name}", type_=evaluation.c[name].type) for name in _STORED}
        | dict.fromkeys(("created_at", "updated_at", "started_at", "completed_at"), INSTANT)
        | {"status": sa.literal_column("'completed'"), "is_point": sa.true()}
    )
)
"""Add the completed evaluation of a point whose geometry came with its result."""
