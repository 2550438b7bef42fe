"""The SQL of evaluations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON, UUID, insert

from catenary_core.database.columns import user_reference
from catenary_core.database.statements import Row, Statement, notifying
from catenary_core.limits import counters
from catenary_core.services.evaluations.tables import CHANNEL, conversion, evaluation, later_request

_uuid = UUID(as_uuid=False)
_now = sa.func.clock_timestamp()
_instant = sa.func.statement_timestamp()
"""The same time for all times of one statement."""
_id = evaluation.c.evaluation_id == sa.bindparam("evaluation_id", type_=_uuid)
_unfinished = evaluation.c.status.in_([sa.literal_column("'queued'"), sa.literal_column("'running'")])
_of_key = evaluation.c.cache_key == sa.bindparam("cache_key", type_=sa.LargeBinary)
_stored = sa.and_(_of_key, evaluation.c.status == sa.literal_column("'completed'"))
_OWN = [column for column in evaluation.c if column.name not in ("cache_key", "runtime_digest", "awaited_until")]


def _shown(columns: Iterable[sa.ColumnElement[Any]]) -> list[sa.ColumnElement[Any]]:
    return [user_reference(column, column.name) if column.name == "created_by" else column for column in columns]


_COLUMNS = _shown(_OWN)
# Lists leave tables and logs out: those of one page could amount to gigabytes.
_LIST_COLUMNS = [
    sa.literal_column("'{}'::json", JSON).label("tables") if column.name == "tables" else column
    for column in _COLUMNS
    if column.name != "log"
]

_deployed = sa.table(
    "deployed",
    *(sa.column(name) for name in ("project_id", "model_version_id", "kind", "sha256", "parameters")),
    schema="models",
)
_runtime = sa.table("current_runtime", sa.column("digest"), schema="worker")
_project = sa.table("active_project", sa.column("project_id"), schema="projects")

DEPLOYED = Statement(
    sa.select(
        _deployed.c.model_version_id,
        _deployed.c.kind,
        _deployed.c.sha256,
        _deployed.c.parameters,
        sa.func.coalesce(sa.select(_runtime.c.digest).scalar_subquery(), "").label("runtime_digest"),
    ).where(_deployed.c.project_id == sa.bindparam("project_id", type_=_uuid))
)
"""The version that a project evaluates, and the digest of the runtime that would run it."""

_NEW: dict[str, sa.ColumnElement[object]] = {
    name: sa.bindparam(name, type_=evaluation.c[name].type)
    for name in ("evaluation_id", "project_id", "model_version_id", "parameters", "cache_key", "created_by")
} | {
    "status": sa.literal_column("'queued'"),
    "created_at": _instant,
    "updated_at": _instant,
    "awaited_until": _now + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam("awaited_seconds", type_=sa.Float)),
}
_STARTED = {**_NEW, "status": sa.literal_column("'running'"), "started_at": _instant}


def _insert(values: dict[str, sa.ColumnElement[object]]) -> Statement:
    added = (
        insert(evaluation)
        .from_select(list(values), sa.select(*values.values()).where(~sa.exists().where(_stored)))
        .on_conflict_do_nothing()
        .returning(*_OWN)
        .cte("added")
    )
    counter = counters.locked_for(counters.PROJECT_EVALUATIONS, sa.cast(added.c.project_id, sa.Text), added)
    return Statement(sa.select(*_shown(added.c), *(column.label(f"counter_{column.name}") for column in counter.c)))


INSERT = _insert(_NEW)
"""Insert an evaluation and return it with its project's counter (`counted`).

No row is inserted if the key has a stored or unfinished evaluation. A null key equals no other.
"""
INSERT_STARTED = _insert(_STARTED)
"""Insert as `INSERT` does, for an evaluation whose job is leased already."""
STORED = Statement(sa.select(sa.exists().where(_stored).label("found")))
"""True for a key that has a stored, completed evaluation."""
STOP_AWAITING = Statement(sa.update(evaluation).where(_id, _unfinished).values(awaited_until=evaluation.c.created_at))
"""Note that the caller is told before the end, so that any end from now on notifies it."""
REMOVE = Statement(sa.delete(evaluation).where(_id))
EQUAL = Statement(
    sa.select(*_COLUMNS)
    .where(sa.or_(_stored, sa.and_(_of_key, _unfinished)))
    .order_by(_unfinished, evaluation.c.created_at.desc())
    .limit(1)
)
"""The newest stored evaluation of a key, else the unfinished one."""

_requested = sa.select(later_request.c.user_id).where(
    later_request.c.evaluation_id == sa.bindparam("evaluation_id", type_=_uuid),
    later_request.c.user_id == sa.bindparam("user_id", type_=_uuid),
)
REQUESTED = Statement(_requested)
"""The user, if it requested the evaluation after its first request."""
ADD_REQUEST = Statement(
    insert(later_request)
    .from_select(
        ["evaluation_id", "user_id"],
        # Without a row to insert the transaction writes nothing.
        sa.select(sa.bindparam("evaluation_id", type_=_uuid), sa.bindparam("user_id", type_=_uuid)).where(
            ~_requested.exists()
        ),
    )
    .on_conflict_do_nothing()
)
"""Note that a user requested an evaluation that is there."""

ONE = Statement(sa.select(*_COLUMNS).where(_id))
LOCK = Statement(sa.select(evaluation.c.evaluation_id).where(_id).with_for_update())
FINAL = Statement(
    sa.select(*_COLUMNS).where(
        evaluation.c.evaluation_id == sa.any_(sa.bindparam("ids", type_=ARRAY(_uuid))), ~_unfinished
    )
)
"""The ended evaluations among `ids`."""
PROJECT_OF = Statement(
    sa.select(evaluation.c.project_id).join(_project, _project.c.project_id == evaluation.c.project_id).where(_id)
)


def _one_of(column: sa.Column[Any], name: str) -> sa.ColumnElement[bool]:
    """Build a filter: the column is one of the values, of which there may be none for all rows."""
    values = sa.bindparam(name, type_=ARRAY(column.type))
    return sa.or_(sa.func.cardinality(values) == sa.literal_column("0"), column == sa.any_(values))


_list = (
    sa.select(*_LIST_COLUMNS)
    .where(
        evaluation.c.project_id == sa.bindparam("project_id", type_=_uuid),
        _one_of(evaluation.c.status, "status"),
        _one_of(evaluation.c.model_version_id, "model_version_id"),
        _one_of(evaluation.c.created_by, "asked_by"),
    )
    .order_by(evaluation.c.created_at.desc(), evaluation.c.evaluation_id.desc())
    .limit(sa.bindparam("page_rows", type_=sa.Integer))
)
_key = sa.tuple_(evaluation.c.created_at, evaluation.c.evaluation_id)
LIST = Statement(_list)
LIST_AFTER = Statement(
    _list.where(
        _key
        < sa.tuple_(
            sa.bindparam("after_created_at", type_=sa.DateTime(timezone=True)), sa.bindparam("after_id", type_=_uuid)
        )
    )
)

STARTED = Statement(
    sa.update(evaluation)
    .where(_id, _unfinished)
    .values(
        status=sa.literal_column("'running'"),
        started_at=sa.func.coalesce(evaluation.c.started_at, _instant),
        updated_at=_instant,
    )
)
_ENDING = ("status", "metrics", "constraints", "geometry", "tables", "error", "duration_ms", "runtime_digest", "log")
_ending = sa.update(evaluation).where(_id, _unfinished).returning(*_COLUMNS, notifying(CHANNEL))
ENDED = Statement(
    _ending.values(
        {name: sa.bindparam(f"new_{name}", type_=evaluation.c[name].type) for name in (*_ENDING, "cache_key")}
        | {"updated_at": _instant, "completed_at": _instant}
    )
)
"""Store the result of an unfinished evaluation; the parameters are the columns' names with the prefix `new_`."""
ABANDONED = Statement(
    _ending.values(
        status=sa.bindparam("new_status", type_=sa.Text),
        error=sa.bindparam("new_error", type_=JSON(none_as_null=True)),
        updated_at=_instant,
        completed_at=_instant,
    )
)
"""End an unfinished evaluation without a result."""

GEOMETRY = Statement(sa.select(evaluation.c.geometry).where(_id))
CONVERSION = Statement(
    sa.select(conversion.c.sha256, conversion.c.size).where(
        conversion.c.source_sha256 == sa.bindparam("source_sha256", type_=sa.Text),
        conversion.c.format == sa.bindparam("format", type_=sa.Text),
    )
)
ADD_CONVERSION = Statement(
    insert(conversion)
    .values({column.name: sa.bindparam(column.name, type_=column.type) for column in conversion.c})
    .on_conflict_do_nothing()
)


def counted(row: Row) -> counters.CounterState:
    """Remove the counter's columns from a row of an INSERT and return them."""
    return counters.CounterState(**{name: row.pop(f"counter_{name}") for name in ("state", "version", "now")})
