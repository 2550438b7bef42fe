"""The SQL of batches and points."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary_core.database.columns import INSTANT, Id, one_of, shown
from catenary_core.database.statements import Statement, notifying
from catenary_core.resources.platform_pages import listed
from catenary_core.resources.platform_rows import inserted, project_of
from catenary_core.services.evaluations.points.queries import GEOMETRY
from catenary_core.services.evaluations.tables import BATCHES, batch, point

_id = batch.c.batch_id == sa.bindparam("batch_id", type_=Id)
_unfinished = batch.c.status.in_([sa.literal_column("'queued'"), sa.literal_column("'running'")])
_COLUMNS = [
    *shown(column for column in batch.c if column.name != "seconds"),
    sa.literal_column(
        """
        CASE WHEN evaluations.batch.status = 'running'
             THEN evaluations.batch.updated_at + (evaluations.batch.updated_at - evaluations.batch.started_at)
                  * (CAST(evaluations.batch.queued + evaluations.batch.running AS double precision)
                     / nullif(evaluations.batch.completed - evaluations.batch.cached + evaluations.batch.failed
                              + evaluations.batch.timed_out, 0)) END
        """,
        sa.DateTime(timezone=True),
    ).label("expected_end"),
]

INSERT = Statement(
    inserted(
        batch, "batch_id", "project_id", "model_version_id", "total", "geometry", "name", "note", "created_by"
    ).values(status=sa.literal_column("'queued'"), queued=sa.bindparam("total", type_=sa.Integer))
)
"""Add a batch whose points are all queued."""
_STORED = """
    (SELECT e.cache_key AS key, e.metrics, e.constraints, e.tables, e.duration_ms,
            (SELECT coalesce(json_agg(json_build_object('name', item ->> 'name', 'format', item ->> 'format')),
                             '[]')
               FROM json_array_elements(e.geometry) named(item)) AS geometry
       FROM evaluations.evaluation e
      WHERE e.cache_key = given.key AND e.status = 'completed'
        AND octet_length(CAST(e.tables AS text)) <= CAST(:most_cached AS integer)
      ORDER BY e.created_at DESC LIMIT 1)
    UNION ALL
    (SELECT p.cache_key, p.metrics, p.constraints, p.tables, p.duration_ms, p.geometry
       FROM evaluations.point p
      WHERE p.cache_key = given.key AND p.status = 'completed'
        AND octet_length(CAST(p.tables AS text)) <= CAST(:most_cached AS integer)
      ORDER BY p.created_at DESC LIMIT 1)
    LIMIT 1
"""
"""The stored result with the key of `given`, of an evaluation or a point."""
ADD_POINTS = Statement(
    sa.text(
        f"""
        INSERT INTO evaluations.point
            (batch_id, index, status, parameters, metrics, constraints, tables, geometry, cached, duration_ms, cache_key,
             size, position, completed_at, repeats)
        SELECT CAST(:batch_id AS uuid), given.index,
               CASE WHEN stored.key IS NULL THEN 'queued' ELSE 'completed' END,
               CAST(given.parameters AS json), coalesce(stored.metrics, '{{}}'), coalesce(stored.constraints, '{{}}'),
               coalesce(stored.tables, '{{}}'), stored.geometry, stored.key IS NOT NULL, stored.duration_ms, given.key,
               octet_length(given.parameters)
               + coalesce(octet_length(CAST(stored.metrics AS text)) + octet_length(CAST(stored.constraints AS text))
                          + octet_length(CAST(stored.tables AS text)), 0),
               CASE WHEN stored.key IS NOT NULL
                    THEN CAST(:ended AS integer) + count(stored.key) OVER (ORDER BY given.index) END,
               CASE WHEN stored.key IS NOT NULL THEN statement_timestamp() END,
               CASE WHEN stored.key IS NULL THEN given.repeats END
          FROM unnest(CAST(:indexes AS integer[]), CAST(:parameters AS text[]), CAST(:keys AS bytea[]),
                      CAST(:repeats AS integer[]))
               AS given (index, parameters, key, repeats)
          LEFT JOIN LATERAL (
              {_STORED}
          ) stored ON true
        RETURNING index, cached, repeats
        """  # noqa: S608 - the inserted text is this module's
    )
)
"""Add points; those whose key has a stored evaluation or point are completed by it, as the `ended` + 1st of the batch on.

One with tables of over `most_cached` bytes completes none, since each point has a copy of them. A null key has none. A
point that repeats another one waits for it, unless it is completed.
"""
RECALL = Statement(
    sa.text(
        f"""
        WITH given AS (
            SELECT batch_id, index, cache_key AS key FROM evaluations.point
             WHERE batch_id = CAST(:batch_id AS uuid) AND status = 'queued' AND repeats IS NULL
             ORDER BY index LIMIT CAST(:points AS integer)
        ), found AS MATERIALIZED (
            SELECT given.batch_id, given.index, stored.*, row_number() OVER (ORDER BY given.index) AS rank
              FROM given CROSS JOIN LATERAL (
              {_STORED}
              ) stored
        )
        UPDATE evaluations.point
           SET status = 'completed', metrics = found.metrics, constraints = found.constraints, tables = found.tables,
               geometry = found.geometry, duration_ms = found.duration_ms, cached = true,
               size = size + octet_length(CAST(found.metrics AS text)) + octet_length(CAST(found.constraints AS text))
                      + octet_length(CAST(found.tables AS text)),
               position = CAST(:ended AS integer) + found.rank, completed_at = statement_timestamp()
          FROM found
         WHERE point.batch_id = found.batch_id AND point.index = found.index
        RETURNING point.index
        """  # noqa: S608 - the inserted text is this module's
    )
)
"""Complete those of a batch's next points whose key has been stored since.

What is stored is looked for once: a plan made on few points did it for each point of the batch. They end as the `ended` + 1st
of the batch on; the batch is locked. Results with tables of over `most_cached` bytes complete none, as when points are added.
"""
_waits = sa.and_(point.c.status == sa.literal_column("'queued'"), point.c.repeats.is_(None))
NEXT = Statement(
    sa.select(point.c["index"])
    .where(point.c.batch_id == sa.bindparam("batch_id", type_=Id), _waits)
    .order_by(point.c["index"])
    .limit(sa.literal_column("1"))
)
"""The next queued point of a batch that repeats no other one."""
CACHED = Statement(
    sa.update(batch)
    .where(_id)
    .values(
        queued=batch.c.queued - sa.bindparam("cached_points", type_=sa.Integer),
        repeated=sa.bindparam("repeated_points", type_=sa.Integer),
        completed=sa.bindparam("cached_points", type_=sa.Integer),
        cached=sa.bindparam("cached_points", type_=sa.Integer),
    )
)
"""Count the points of a new batch that were completed at once, and those that repeat another one."""

ONE = Statement(sa.select(*_COLUMNS).where(_id))
_own = ~batch.c.is_study
"""Leaves out the batches of studies, which only their studies show and end."""
PROJECT_OF = project_of(batch, _id, _own)
LOCK = Statement(sa.select(batch).where(_id).with_for_update())
"""Lock a batch, before any change of it or its points."""
STANDING = Statement(
    sa.text(
        """
        SELECT EXISTS (
                   SELECT FROM models.kept_file WHERE holder_id = CAST(:model_version_id AS uuid)
               ) AS has_model,
               EXISTS (
                   SELECT FROM identity.enabled_user
                    WHERE enabled_user.user_id = CAST(:user_id AS uuid) AND (enabled_user.admin OR EXISTS (
                        SELECT FROM projects.project_role held
                         WHERE held.project_id = CAST(:project_id AS uuid) AND held.user_id = enabled_user.user_id
                           AND held.role >= CAST(:least_role AS integer)
                    ))
               ) AS may_evaluate
        """
    )
)
"""True for a version that is there, which goes with its project, and for a user who may evaluate."""


LIST = listed(
    (
        sa.select(*_COLUMNS).where(
            batch.c.project_id == sa.bindparam("project_id", type_=Id), _own, one_of(batch.c.status, "status")
        )
    ),
    batch.c.created_at,
    batch.c.batch_id,
    newest_first=True,
)

_in_batch = point.c.batch_id == sa.bindparam("batch_id", type_=Id)
_index = point.c["index"]
_RESULT = (
    "index",
    "status",
    "parameters",
    "metrics",
    "constraints",
    "tables",
    "error",
    "cached",
    "duration_ms",
    "started_at",
    "completed_at",
)
_LARGE = ("parameters", "tables")
_page = (
    sa.select(
        *(point.c[name] for name in _RESULT),
        (_index + 1).label("number"),
        point.c.created_at,
        *GEOMETRY,
        (sa.func.sum(point.c.size).over(order_by=_index) - point.c.size).label("before"),
    )
    .where(
        _in_batch,
        _index >= sa.bindparam("from_index", type_=sa.Integer),
        one_of(point.c.status, "status"),
    )
    .order_by(_index)
    .limit(sa.bindparam("page_rows", type_=sa.Integer))
    .subquery()
)
RESULTS = Statement(
    sa.select(
        *(column for column in _page.c if column.name not in _LARGE),
        *(
            sa.case(
                (_page.c.before < sa.bindparam("page_bytes", type_=sa.BigInteger), _page.c[name]),
                else_=sa.literal_column("'{}'::json"),
            ).label(name)
            for name in _LARGE
        ),
    ).order_by(_page.c["index"])
)
"""The points from an index on; `before` is the size of those that come before in the page, `number` is from 1 on."""

_position = point.c.position
_next_ended = (
    sa.select(
        *(point.c[name] for name in _RESULT),
        *GEOMETRY,
        _position,
        (sa.func.sum(point.c.size).over(order_by=_position) - point.c.size).label("before"),
    )
    .where(_in_batch, _position > sa.bindparam("after", type_=sa.Integer))
    .order_by(_position)
    .limit(sa.bindparam("most", type_=sa.Integer))
    .subquery()
)
ENDED_POINTS = Statement(
    sa.select(_next_ended)
    .where(_next_ended.c.before < sa.bindparam("most_bytes", type_=sa.BigInteger))
    .order_by(_next_ended.c.position)
)
"""The points that ended after a position, as many as are small together and at least one."""

OF_JOB = Statement(
    sa.select(_index, point.c.parameters)
    .where(point.c.job_id == sa.bindparam("job_id", type_=Id), point.c.status == sa.literal_column("'running'"))
    .order_by(_index)
)
"""The unfinished points of a chunk."""
HELD_POINTS = Statement(
    sa.select(
        sa.func.coalesce(sa.func.sum(sa.func.octet_length(sa.cast(point.c.parameters, sa.Text))), 0).label("bytes")
    ).where(point.c.job_id == sa.bindparam("job_id", type_=Id), point.c.status == sa.literal_column("'running'"))
)
"""The bytes of the parameters of a chunk's unfinished points; 0 if it has none."""


def _take(*among: sa.TextClause) -> Statement:
    next_ = (
        sa.select(_index, sa.func.octet_length(sa.cast(point.c.parameters, sa.Text)).label("bytes"))
        .where(_in_batch, _waits, *among)
        .order_by(_index)
        .limit(sa.bindparam("points", type_=sa.Integer))
        .subquery()
    )
    summed = sa.select(
        next_.c["index"], next_.c.bytes, sa.func.sum(next_.c.bytes).over(order_by=next_.c["index"]).label("sum")
    ).subquery()
    fitting = sa.select(summed.c["index"]).where(
        sa.or_(summed.c.sum <= sa.bindparam("most_bytes", type_=sa.BigInteger), summed.c.sum == summed.c.bytes)
    )
    # An array, which is computed once: a plan made while the table was small ran the subquery again for each point of the batch.
    return Statement(
        sa.update(point)
        .where(_in_batch, _index == sa.any_(sa.func.array(fitting.scalar_subquery(), type_=ARRAY(sa.Integer))))
        .values(status=sa.literal_column("'running'"), job_id=sa.bindparam("job_id", type_=Id), started_at=INSTANT)
        .returning(_index, point.c.parameters)
    )


TAKE = _take()
"""Give the next queued points of a batch to a chunk, one or as many as have few bytes together; the batch is locked."""
_elsewhere = sa.text(
    """
    NOT EXISTS (
        SELECT FROM jobs.job
          JOIN evaluations.point busy ON busy.job_id = job.id AND busy.status = 'running'
         WHERE job.project_id = CAST(:project_id AS uuid) AND job.lease_until > clock_timestamp()
           AND busy.batch_id <> CAST(:batch_id AS uuid) AND busy.cache_key = evaluations.point.cache_key
    )
    """
)
TAKE_OTHERS = _take(_elsewhere)
"""Give points to a chunk as `TAKE` does, but none that is being computed for another batch."""
TAKEN = Statement(
    sa.update(batch)
    .where(_id)
    .values(
        status=sa.literal_column("'running'"),
        queued=batch.c.queued - sa.bindparam("points", type_=sa.Integer),
        running=batch.c.running + sa.bindparam("points", type_=sa.Integer),
        started_at=sa.func.coalesce(batch.c.started_at, INSTANT),
        updated_at=INSTANT,
    )
)
LEASED_JOBS = Statement(
    sa.text(
        """
        SELECT count(DISTINCT worker_id) AS slots,
               count(*) FILTER (
                   WHERE project_id = CAST(:project_id AS uuid) AND payload ->> 'batch_id' <> CAST(:batch_id AS text)
               ) AS others
          FROM jobs.job WHERE lease_until > clock_timestamp()
        """
    )
)
"""The number of slots that work now, and of chunks of other batches of the project among them."""
STORE = Statement(
    sa.text(
        """
        WITH ended AS (
            SELECT given.*, row_number() OVER (ORDER BY given.index) AS rank
              FROM unnest(CAST(:indexes AS integer[]), CAST(:statuses AS text[]), CAST(:metrics AS text[]),
                          CAST(:constraints AS text[]), CAST(:tables AS text[]), CAST(:geometry AS text[]),
                          CAST(:errors AS text[]), CAST(:durations AS double precision[]), CAST(:keys AS bytea[]))
                   AS given (index, status, metrics, constraints, tables, geometry, error, duration_ms, cache_key)
             WHERE given.index = ANY (ARRAY(
                 SELECT held.index FROM evaluations.point held
                  WHERE held.job_id = CAST(:job_id AS uuid) AND held.batch_id = CAST(:batch_id AS uuid)
                    AND held.status = 'running'
             ))
        )
        UPDATE evaluations.point
           SET status = ended.status, metrics = CAST(ended.metrics AS json),
               constraints = CAST(ended.constraints AS json), tables = CAST(ended.tables AS json),
               geometry = CAST(ended.geometry AS json), error = CAST(ended.error AS json),
               duration_ms = ended.duration_ms, cache_key = ended.cache_key,
               size = octet_length(CAST(point.parameters AS text)) + octet_length(ended.metrics)
                      + octet_length(ended.constraints) + octet_length(ended.tables) + octet_length(ended.geometry),
               job_id = NULL, position = CAST(:ended AS integer) + ended.rank, completed_at = statement_timestamp()
          FROM ended
         WHERE point.batch_id = CAST(:batch_id AS uuid) AND point.index = ended.index
           -- Says again what `ended` has, so that the points are found by their job in every plan.
           AND point.job_id = CAST(:job_id AS uuid)
        RETURNING point.index, point.status, point.duration_ms
        """
    )
)
"""Store the results of points that a chunk still has, as the `ended` + 1st of the batch on; the batch is locked."""
REPEAT = Statement(
    sa.text(
        """
        WITH waiting AS MATERIALIZED (
            SELECT batch_id, index, repeats FROM evaluations.point
             WHERE batch_id = CAST(:batch_id AS uuid) AND repeats = ANY (CAST(:indexes AS integer[]))
               AND status = 'queued'
        ), told AS MATERIALIZED (
            SELECT w.batch_id, w.index AS of, f.status, f.metrics, f.constraints, f.tables, f.geometry, f.error,
                   f.duration_ms, f.cache_key, f.size, row_number() OVER (ORDER BY w.index) AS rank
              FROM waiting w
              JOIN evaluations.point f ON f.batch_id = w.batch_id AND f.index = w.repeats
             WHERE octet_length(CAST(f.tables AS text)) <= CAST(:most_cached AS integer)
        )
        UPDATE evaluations.point
           SET status = told.status, metrics = told.metrics, constraints = told.constraints, tables = told.tables,
               geometry = told.geometry, error = told.error, duration_ms = told.duration_ms, cache_key = told.cache_key,
               size = told.size, cached = told.status = 'completed', repeats = NULL,
               position = CAST(:ended AS integer) + told.rank, completed_at = statement_timestamp()
          FROM told
         WHERE point.batch_id = told.batch_id AND point.index = told.of
        RETURNING point.status
        """
    )
)
"""Give points that repeat ended ones the results of these, as the `ended` + 1st of the batch on.

A result with tables of over `most_cached` bytes is given to none; the batch is locked.
"""
RELEASE_REPEATS = Statement(
    sa.update(point)
    .where(
        _in_batch,
        point.c.repeats == sa.any_(sa.bindparam("indexes", type_=ARRAY(sa.Integer))),
        point.c.status == sa.literal_column("'queued'"),
    )
    .values(repeats=sa.null())
)
"""Have the points computed themselves that still wait for others; the batch is locked."""
GIVE_BACK = Statement(
    sa.update(point)
    .where(point.c.job_id == sa.bindparam("job_id", type_=Id), point.c.status == sa.literal_column("'running'"))
    .values(status=sa.literal_column("'queued'"), job_id=sa.null(), started_at=sa.null())
)
"""Queue the unfinished points of a chunk again; the batch is locked."""
_counts = {
    name: batch.c[name] + sa.bindparam(f"more_{name}", type_=sa.Integer)
    for name in ("queued", "running", "completed", "failed", "timed_out", "cached", "repeated")
}
COUNT = Statement(
    sa.update(batch)
    .where(_id)
    .values(
        _counts | {"seconds": batch.c.seconds + sa.bindparam("more_seconds", type_=sa.Double), "updated_at": INSTANT}
    )
    .returning((batch.c.queued + batch.c.running).label("left"))
)
"""Add the changes to the counts of a locked batch; return the number of unfinished points that are left."""
END = Statement(
    sa.update(batch)
    .where(_id, _own, _unfinished, batch.c.queued + batch.c.running == sa.literal_column("0"))
    .values(status=sa.literal_column("'completed'"), updated_at=INSTANT, completed_at=INSTANT)
    .returning(*_COLUMNS, notifying(BATCHES))
)
"""End a batch without unfinished points."""
CANCEL_POINTS = Statement(
    sa.text(
        """
        WITH left_over AS MATERIALIZED (
            SELECT batch_id, index, row_number() OVER (ORDER BY index) AS rank FROM evaluations.point
             WHERE batch_id = CAST(:batch_id AS uuid) AND status IN ('queued', 'running')
        )
        UPDATE evaluations.point
           SET status = 'cancelled', job_id = NULL, repeats = NULL, position = CAST(:ended AS integer) + left_over.rank,
               completed_at = statement_timestamp()
          FROM left_over
         WHERE point.batch_id = left_over.batch_id AND point.index = left_over.index
        """
    )
)
CANCEL = Statement(
    sa.update(batch)
    .where(_id, _unfinished)
    .values(
        status=sa.literal_column("'cancelled'"),
        cancelled=batch.c.cancelled + batch.c.queued + batch.c.running,
        queued=sa.literal_column("0"),
        repeated=sa.literal_column("0"),
        running=sa.literal_column("0"),
        error=sa.bindparam("new_error", type_=batch.c.error.type),
        updated_at=INSTANT,
        completed_at=INSTANT,
    )
    .returning(*_COLUMNS, notifying(BATCHES))
)
"""End a locked batch whose unfinished points are cancelled."""
REASSIGN = Statement(
    sa.text(
        """
        UPDATE evaluations.point SET job_id = given.job_id
          FROM unnest(CAST(:indexes AS integer[]), CAST(:job_ids AS uuid[])) AS given (index, job_id)
         WHERE point.batch_id = CAST(:batch_id AS uuid) AND point.index = given.index AND point.status = 'running'
        """
    )
)
"""Give running points of a locked batch to other jobs."""
REMOVE = Statement(sa.delete(batch).where(_id))
