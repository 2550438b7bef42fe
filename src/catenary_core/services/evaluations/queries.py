"""The SQL of evaluations."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON, insert

from catenary_core.database.columns import CLOCK, INSTANT, Id, active_project, one_of, shown
from catenary_core.database.statements import Row, Statement, notifying
from catenary_core.limits import counters, month_accounts
from catenary_core.limits.month_accounts import MonthAccount
from catenary_core.resources.platform_pages import listed
from catenary_core.services.evaluations.points import queries as points
from catenary_core.services.evaluations.tables import CHANNEL, conversion, evaluation, later_request
from catenary_core.storage.holdings import stored_object

_id = evaluation.c.evaluation_id == sa.bindparam("evaluation_id", type_=Id)
_unfinished = evaluation.c.status.in_([sa.literal_column("'queued'"), sa.literal_column("'running'")])
_of_key = evaluation.c.cache_key == sa.any_(sa.bindparam("cache_keys", type_=ARRAY(sa.LargeBinary)))
_stored_for_points = sa.and_(_of_key, evaluation.c.status == sa.literal_column("'completed'"))
_stored = sa.and_(_stored_for_points, ~evaluation.c.is_point)
"""The stored evaluations that answer another: none of a point, which goes with its batch."""
_OWN = [column for column in evaluation.c if column.name not in ("cache_key", "runtime_digest", "awaited_until")]
_COLUMNS = shown(_OWN)
# Lists leave tables, with the charts of them, and logs out: those of one page could amount to gigabytes.
_EMPTY = {"tables": "'{}'::json", "charts": "'[]'::json"}
_LIST_COLUMNS = [
    sa.literal_column(_EMPTY[column.name], JSON).label(column.name) if column.name in _EMPTY else column
    for column in _COLUMNS
    if column.name != "log"
]

_deployed = sa.table(
    "deployed",
    *(sa.column(name) for name in ("project_id", "model_version_id", "kind", "sha256", "parameters", "repeatable")),
    schema="models",
)
_job = sa.table("job", sa.column("id", Id), sa.column("progress", JSON), schema="jobs")
_runtime = sa.table("current_runtime", sa.column("digest"), schema="worker")

_checked = sa.table(
    "checked_version",
    *(
        sa.column(name)
        for name in ("project_id", "model_version_id", "status", "kind", "sha256", "parameters", "repeatable")
    ),
    schema="models",
)


def _version(view: sa.TableClause, *also: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Build a version of a project, and the digest of the runtime that would run it."""
    return sa.select(
        view.c.model_version_id,
        view.c.kind,
        view.c.sha256,
        view.c.parameters,
        view.c.repeatable,
        sa.func.coalesce(sa.select(_runtime.c.digest).scalar_subquery(), "").label("runtime_digest"),
        *also,
    ).where(view.c.project_id == sa.bindparam("project_id", type_=Id))


DEPLOYED = Statement(_version(_deployed))
"""The version that a project evaluates, and the digest of the runtime that would run it."""
VERSION = Statement(
    _version(_checked, _checked.c.status).where(
        _checked.c.model_version_id == sa.bindparam("model_version_id", type_=Id)
    )
)
"""A version of a project with its status, as it declares its parameters."""

RUNTIME = Statement(sa.select(sa.func.coalesce(sa.select(_runtime.c.digest).scalar_subquery(), "").label("digest")))
"""The digest of the runtime that would run a model now."""

_NEW: dict[str, sa.ColumnElement[object]] = {
    name: sa.bindparam(name, type_=evaluation.c[name].type)
    for name in ("evaluation_id", "project_id", "model_version_id", "parameters", "cache_key", "created_by")
} | {
    "status": sa.literal_column("'queued'"),
    "created_at": INSTANT,
    "updated_at": INSTANT,
    "awaited_until": CLOCK + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam("awaited_seconds", type_=sa.Float)),
}
_STARTED = {**_NEW, "status": sa.literal_column("'running'"), "started_at": INSTANT}


def _insert(values: dict[str, sa.ColumnElement[object]], stored: sa.ColumnElement[bool]) -> Statement:
    added = (
        insert(evaluation)
        .from_select(list(values), sa.select(*values.values()).where(~sa.exists().where(stored)))
        .on_conflict_do_nothing()
        .returning(*_OWN)
        .cte("added")
    )
    counter = counters.locked_for(counters.PROJECT_EVALUATIONS, sa.cast(added.c.project_id, sa.Text), added)
    account = month_accounts.locked_for(added, counter)
    states = (column.label(f"counter_{column.name}") for column in counter.c)
    use = (column.label(f"account_{column.name}") for column in account.c)
    # Without an account the project was deleted meanwhile.
    rows = added.join(counter, sa.true()).outerjoin(account, sa.true())
    return Statement(sa.select(*shown(added.c), *states, *use).select_from(rows))


INSERT = _insert(_NEW, _stored)
"""Insert an evaluation and return it with its project's counter (`counted`) and the month of who pays (`account`).

No row is inserted if one of `cache_keys` has a stored evaluation or `cache_key` an unfinished one. A null key equals no
other.
"""
INSERT_STARTED = _insert(_STARTED, _stored)
"""Insert as `INSERT` does, for an evaluation whose job is leased already."""
INSERT_POINT = _insert(
    {name: value for name, value in _NEW.items() if name not in ("awaited_until", "cache_key")}
    | {"is_point": sa.literal_column("true")},
    _stored_for_points,
)
"""Insert as `INSERT` does, for the geometry of a point; no row where it has one.

It has no key before it has a result, so that no request joins what goes with a batch.
"""
STORED = Statement(sa.select(sa.exists().where(_stored).label("found")))
"""True for keys of which one has a stored, completed evaluation that is none of a point."""
STOP_AWAITING = Statement(sa.update(evaluation).where(_id, _unfinished).values(awaited_until=evaluation.c.created_at))
"""Note that the caller is told before the end, so that any end from now on notifies it."""
REMOVE = Statement(sa.delete(evaluation).where(_id))


def _equal(stored: sa.ColumnElement[bool]) -> Statement:
    # An unfinished one of a point has a key if a core of an older release began it; a request that has to wait joins it.
    return Statement(
        sa.select(*_COLUMNS)
        .where(sa.or_(stored, sa.and_(_of_key, _unfinished)))
        .order_by(_unfinished, evaluation.c.created_at.desc())
        .limit(1)
    )


EQUAL = _equal(_stored)
"""The newest stored evaluation of the keys, else an unfinished one."""
EQUAL_OF_POINT = _equal(_stored_for_points)
"""The newest as `EQUAL` gives it, also the stored evaluation of a point."""

_requested = sa.select(later_request.c.user_id).where(
    later_request.c.evaluation_id == sa.bindparam("evaluation_id", type_=Id),
    later_request.c.user_id == sa.bindparam("user_id", type_=Id),
)
REQUESTED = Statement(_requested)
"""The user, if it requested the evaluation after its first request."""
ADD_REQUEST = Statement(
    insert(later_request)
    .from_select(
        ["evaluation_id", "user_id"],
        # Without a row to insert the transaction writes nothing, as where the evaluation was removed meanwhile.
        sa.select(evaluation.c.evaluation_id, sa.bindparam("user_id", type_=Id))
        .where(_id, ~_requested.exists())
        .with_for_update(read=True, key_share=True),
    )
    .on_conflict_do_nothing()
)
"""Note that a user requested an evaluation, if it is still there."""

_progress = sa.select(_job.c.progress).where(_job.c.id == evaluation.c.evaluation_id).scalar_subquery()
ONE = Statement(sa.select(*_COLUMNS, _progress.label("progress")).where(_id))
LOCK = Statement(sa.select(evaluation.c.evaluation_id).where(_id).with_for_update())
HOLD = Statement(
    sa.select(evaluation.c.project_id, evaluation.c.model_version_id, evaluation.c.is_point)
    .where(_id)
    .with_for_update(read=True, key_share=True)
)
"""An evaluation, locked against removal."""
HOLD_VERSION = Statement(
    sa.select(_checked.c.model_version_id)
    .where(_checked.c.model_version_id == sa.bindparam("model_version_id", type_=Id))
    .with_for_update(read=True)
)
"""A version, locked against deletion; no row for a deleted one."""
LISTED = Statement(
    sa.select(*_LIST_COLUMNS).where(
        evaluation.c.evaluation_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id))), ~evaluation.c.is_point
    )
)
"""The evaluations among `ids` that make no geometry of a point, as lists show them."""
FINAL = Statement(
    sa.select(*_COLUMNS).where(
        evaluation.c.evaluation_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id))), ~_unfinished
    )
)
"""The ended evaluations among `ids`."""
_named = sa.union_all(sa.select(evaluation.c.project_id).where(_id), points.PROJECT_OF).subquery()
PROJECT_OF = Statement(
    sa.select(_named.c.project_id)
    .join(active_project, active_project.c.project_id == _named.c.project_id)
    .limit(sa.literal_column("1"))
)
"""The project of an evaluation, or of the point that is one."""


LIST = listed(
    sa.select(*_LIST_COLUMNS).where(
        evaluation.c.project_id == sa.bindparam("project_id", type_=Id),
        ~evaluation.c.is_point,
        one_of(evaluation.c.status, "status"),
        one_of(evaluation.c.model_version_id, "model_version_id"),
        one_of(evaluation.c.created_by, "asked_by"),
    ),
    evaluation.c.created_at,
    evaluation.c.evaluation_id,
    newest_first=True,
)
"""The evaluations of a project that are no points, newest first."""

STARTED = Statement(
    sa.update(evaluation)
    .where(_id, _unfinished)
    .values(
        status=sa.literal_column("'running'"),
        started_at=sa.func.coalesce(evaluation.c.started_at, INSTANT),
        updated_at=INSTANT,
    )
)
_ENDING = (
    "status",
    "metrics",
    "constraints",
    "geometry",
    "tables",
    "charts",
    "files",
    "error",
    "duration_ms",
    "runtime_digest",
    "log",
)
_ending = sa.update(evaluation).where(_id, _unfinished).returning(*_COLUMNS, notifying(CHANNEL))
ENDED = Statement(
    _ending.values(
        {name: sa.bindparam(f"new_{name}", type_=evaluation.c[name].type) for name in (*_ENDING, "cache_key")}
        | {"updated_at": INSTANT, "completed_at": INSTANT}
    )
)
"""Store the result of an unfinished evaluation; the parameters are the columns' names with the prefix `new_`."""
ABANDONED = Statement(
    _ending.values(
        status=sa.bindparam("new_status", type_=sa.Text),
        error=sa.bindparam("new_error", type_=JSON(none_as_null=True)),
        updated_at=INSTANT,
        completed_at=INSTANT,
    )
)
"""End an unfinished evaluation without a result."""

_commented = sa.table("named", sa.column("reference_id", Id), sa.column("project_id", Id), schema="comments")
_saved = sa.table("named", sa.column("evaluation_id", Id), schema="variants")
_has_comment = sa.exists().where(
    _commented.c.reference_id == evaluation.c.evaluation_id, _commented.c.project_id == evaluation.c.project_id
)
_has_variant = sa.exists().where(_saved.c.evaluation_id == evaluation.c.evaluation_id)
_is_named = sa.or_(_has_comment, _has_variant)
NAMED = Statement(sa.select(_has_comment.label("comment"), _has_variant.label("variant")).where(_id))
"""True for each that names an evaluation, which therefore stays: a comment of its project, a variant."""


def _removed(chosen: sa.ColumnElement[bool]) -> Statement:
    """Build a removal: the ids of the evaluations, and the bytes of their artefacts."""
    size = _bytes_of(evaluation.c.geometry) + _bytes_of(evaluation.c.files)
    return Statement(sa.delete(evaluation).where(chosen).returning(evaluation.c.evaluation_id, size.label("size")))


def _bytes_of(stored: sa.Column[Any]) -> sa.ColumnElement[int]:
    item = sa.func.json_array_elements(stored).table_valued(sa.column("value", JSON)).alias(f"of_{stored.name}")
    size = sa.select(sa.func.sum(sa.cast(item.c.value["size"].as_string(), sa.BigInteger))).scalar_subquery()
    return sa.func.coalesce(sa.cast(size, sa.BigInteger), sa.literal_column("0"))


REMOVE_ENDED = _removed(sa.and_(_id, ~_unfinished))
_purged = (
    sa.select(evaluation.c.evaluation_id)
    .where(
        evaluation.c.project_id == sa.bindparam("project_id", type_=Id),
        evaluation.c.created_at < sa.bindparam("older_than", type_=sa.DateTime(timezone=True)),
        ~_unfinished,
        ~evaluation.c.is_point,
        ~_is_named,
    )
    .order_by(evaluation.c.created_at, evaluation.c.evaluation_id)
    .limit(sa.bindparam("most", type_=sa.Integer))
)
COUNT_PURGED = Statement(sa.select(sa.func.count().label("evaluations")).select_from(_purged.subquery()))
"""The number of ended evaluations of a project that nothing names, at most `most`."""
LOCK_PURGED = Statement(_purged.with_for_update(skip_locked=True))  # who deletes one at this moment is not waited for
"""The oldest ended evaluations of a project that nothing names, at most `most` of them, locked."""
PURGE = _removed(sa.and_(evaluation.c.evaluation_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id))), ~_is_named))
"""Remove locked evaluations, but those that were named between the look and the lock."""

GEOMETRY = Statement(sa.select(evaluation.c.geometry, evaluation.c.is_point).where(_id))
FILES = Statement(sa.select(evaluation.c.files).where(_id))
CONVERSION = Statement(
    sa.select(conversion.c.sha256, conversion.c.size)
    .join(stored_object, stored_object.c.sha256 == conversion.c.sha256)
    .where(
        conversion.c.source_sha256 == sa.bindparam("source_sha256", type_=sa.Text),
        conversion.c.format == sa.bindparam("format", type_=sa.Text),
    )
)
"""A conversion whose file was not collected."""
CONVERSIONS = Statement(
    sa.select(conversion.c.source_sha256, conversion.c.size)
    .join(stored_object, stored_object.c.sha256 == conversion.c.sha256)
    .where(
        conversion.c.source_sha256 == sa.any_(sa.bindparam("sources", type_=ARRAY(sa.Text))),
        conversion.c.format == sa.bindparam("format", type_=sa.Text),
    )
)
"""The conversions to one format whose files were not collected."""
DROP_COLLECTED_CONVERSIONS = Statement(
    sa.delete(conversion).where(
        conversion.c.sha256 == sa.bindparam("sha256", type_=sa.Text),
        ~sa.exists().where(stored_object.c.sha256 == conversion.c.sha256),
    )
)
"""Remove the conversions to a file that was collected."""
_converted = insert(conversion).values(
    {column.name: sa.bindparam(column.name, type_=column.type) for column in conversion.c}
)
ADD_CONVERSION = Statement(
    _converted.on_conflict_do_update(
        index_elements=[conversion.c.source_sha256, conversion.c.format],
        set_={"sha256": _converted.excluded.sha256, "size": _converted.excluded.size},
    )
)


def counted(row: Row) -> counters.CounterState:
    """Remove the counter's columns from a row of an INSERT and return them."""
    return counters.CounterState(**{name: row.pop(f"counter_{name}") for name in ("state", "version", "now")})


def account(row: Row) -> MonthAccount | None:
    """Remove the month's columns from a row of an INSERT and return them; None if nobody pays."""
    use = {field.name: row.pop(f"account_{field.name}") for field in fields(MonthAccount)}
    return None if use["user_id"] is None else MonthAccount(**use)
