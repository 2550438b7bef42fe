"""The SQL of studies."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from catenary_core.database.columns import INSTANT, Id, one_of, user_reference
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_pages import listed
from catenary_core.resources.platform_rows import inserted, project_of
from catenary_core.services.evaluations.points.queries import GEOMETRY
from catenary_core.services.evaluations.studies.tables import score, study
from catenary_core.services.evaluations.tables import batch, point

_id = study.c.study_id == sa.bindparam("study_id", type_=Id)
_of_batch = batch.c.batch_id == sa.bindparam("study_id", type_=Id)
_points = point.c.batch_id == sa.bindparam("study_id", type_=Id)
_unfinished = study.c.completed_at.is_(None)
_deployed = sa.table(
    "deployed",
    *(
        sa.column(name)
        for name in (
            *("project_id", "model_version_id", "kind", "sha256", "repeatable"),
            *("parameters", "metrics", "constraints"),
        )
    ),
    schema="models",
)
_derived = sa.table("derived", sa.column("project_id"), sa.column("entries"), schema="models")
_COUNTS = ("total", "queued", "running", "completed", "failed", "timed_out", "cancelled", "cached")
_ended = batch.c.total - batch.c.queued - batch.c.running
_COLUMNS = [
    *(study.c[name] for name in ("study_id", "project_id", "status", "request", "definition", "generation")),
    *(study.c[name] for name in ("hypervolume", "reference", "stopped_by", "error", "error_code")),
    *(study.c[name] for name in ("created_at", "updated_at", "started_at", "completed_at")),
    *(batch.c[name] for name in ("model_version_id", *_COUNTS[:3], *_COUNTS[4:])),
    batch.c.completed.label("done"),
    user_reference(batch.c.created_by, "created_by"),
    sa.func.json_array_length(study.c.front).label("front_size"),
    sa.literal_column(
        """
        CASE WHEN evaluations.study.status = 'running' AND evaluations.study.updated_at > evaluations.batch.started_at
             THEN least(
                  evaluations.study.updated_at + (evaluations.study.updated_at - evaluations.batch.started_at)
                  * ((CAST(json_extract_path_text(evaluations.study.definition, 'budget') AS double precision)
                      - (evaluations.batch.total - evaluations.batch.queued - evaluations.batch.running))
                     / nullif(
                         evaluations.batch.total - evaluations.batch.queued - evaluations.batch.running
                         - evaluations.study.before, 0
                     )),
                  evaluations.batch.started_at + make_interval(secs =>
                      CAST(json_extract_path_text(evaluations.study.request, 'stop', 'seconds') AS double precision))
             ) END
        """,
        sa.DateTime(timezone=True),
    ).label("expected_end"),
]
_joined = study.join(batch, batch.c.batch_id == study.c.study_id)

DEPLOYED = Statement(
    sa.select(
        _deployed,
        sa.func.coalesce(_derived.c.entries, sa.literal_column("'[]'::json"), type_=JSON).label("derived"),
    )
    .outerjoin(_derived, _derived.c.project_id == _deployed.c.project_id)
    .where(_deployed.c.project_id == sa.bindparam("project_id", type_=Id))
)
"""The version that a project evaluates, with all that it declares, and the derived metrics of the project."""
EARLIER = Statement(
    sa.select(
        study.c.study_id,
        study.c.status,
        sa.func.json_extract_path_text(study.c.request, "kind", type_=sa.Text).label("kind"),
    ).where(
        study.c.project_id == sa.bindparam("project_id", type_=Id),
        study.c.study_id == sa.any_(sa.bindparam("study_ids", type_=ARRAY(Id))),
    )
)
"""Those of some studies that are a project's."""
_saved = sa.table(
    "active_variant",
    sa.column("variant_id", Id),
    sa.column("project_id", Id),
    sa.column("evaluation_id", Id),
    schema="variants",
)
SAVED = Statement(
    sa.select(_saved.c.variant_id, _saved.c.evaluation_id).where(
        _saved.c.project_id == sa.bindparam("project_id", type_=Id),
        _saved.c.variant_id == sa.any_(sa.bindparam("variant_ids", type_=ARRAY(Id))),
    )
)
"""Those of some variants that are a project's, with their evaluations."""
_VARIED = """coalesce((SELECT json_object_agg(key, value) FROM json_each(point.parameters)
                         WHERE key = ANY (CAST(:names AS text[]))), '{}')"""
"""The values of some parameters of a point; others may be tables of a megabyte."""
DESIGNS = Statement(
    sa.text(
        f"""
        SELECT {_VARIED} AS parameters
          FROM evaluations.score
          JOIN evaluations.point ON point.batch_id = score.study_id AND point.index = score.index
          LEFT JOIN (
              SELECT CAST(value AS integer) AS index FROM evaluations.study, json_array_elements_text(front)
               WHERE study.study_id = CAST(:study_id AS uuid)
          ) best ON best.index = score.index
         WHERE score.study_id = CAST(:study_id AS uuid) AND score.feasible
         ORDER BY coalesce(score.rank, CASE WHEN best.index IS NOT NULL THEN 1 END) NULLS LAST, score.index DESC
         LIMIT CAST(:most AS integer)
        """  # noqa: S608 (a constant)
    ).columns(parameters=JSON)
)
"""The feasible designs of a study, the best first, of equal ones the last; only a completed study has ranks behind 1."""
MARK = Statement(sa.update(batch).where(_of_batch).values(is_study=sa.true()))
"""Make a new batch that of a study."""
INSERT = Statement(
    inserted(study, "study_id", "project_id", "request", "definition", "start", "payload", "request_id").values(
        status=sa.literal_column("'queued'")
    )
)
ONE = Statement(sa.select(*_COLUMNS).select_from(_joined).where(_id))
PROJECT_OF = project_of(study, _id)
LIST = listed(
    (
        sa.select(*_COLUMNS)
        .select_from(_joined)
        .where(
            study.c.project_id == sa.bindparam("project_id", type_=Id),
            one_of(study.c.status, "status"),
        )
    ),
    study.c.created_at,
    study.c.study_id,
    newest_first=True,
)
ACTIVE = Statement(sa.select(study.c.study_id).where(_unfinished).order_by(study.c.created_at, study.c.study_id))
"""The studies that have not ended, oldest first."""
_budget = sa.cast(sa.func.json_extract_path_text(study.c.definition, "budget"), sa.Integer).label("budget")
LOCK = Statement(
    sa.select(*(column for column in study.c if column.name != "start"), _budget).where(_id).with_for_update(of=study)
)
"""Lock a study, after its batch."""
DEFINITION = Statement(sa.select(study.c.definition, study.c.start).where(_id))
STATE = Statement(
    sa.select(
        *(study.c[name] for name in ("status", "told", "retried")),
        _budget,
        sa.literal_column(
            """
            CAST(json_extract_path_text(evaluations.study.request, 'stop', 'seconds') AS double precision)
            - CAST(extract(epoch FROM clock_timestamp() - evaluations.batch.started_at) AS double precision)
            """,
            sa.Double,
        ).label("seconds_left"),
        sa.func.json_extract_path_text(study.c.request, "on_failure", type_=sa.Text).label("on_failure"),
        (batch.c.queued + batch.c.running).label("left"),
    )
    .select_from(_joined)
    .where(_id)
)
FINISHED = Statement(
    sa.text(
        f"""
        SELECT index, status, {_VARIED} AS parameters, metrics, constraints
          FROM evaluations.point
         WHERE batch_id = CAST(:study_id AS uuid)
           AND index >= CAST(:first AS integer) AND index < CAST(:behind AS integer)
         ORDER BY index
        """  # noqa: S608 (a constant)
    ).columns(index=sa.Integer, status=sa.Text, parameters=JSON, metrics=JSON, constraints=JSON)
)
"""The points of a generation, with the values of some parameters."""
ADDED = Statement(
    sa.update(batch)
    .where(_of_batch)
    .values(
        total=batch.c.total + sa.bindparam("points", type_=sa.Integer),
        queued=batch.c.queued
        + sa.bindparam("points", type_=sa.Integer)
        - sa.bindparam("more_cached", type_=sa.Integer),
        repeated=batch.c.repeated + sa.bindparam("more_repeated", type_=sa.Integer),
        completed=batch.c.completed + sa.bindparam("more_cached", type_=sa.Integer),
        cached=batch.c.cached + sa.bindparam("more_cached", type_=sa.Integer),
        updated_at=INSTANT,
    )
)
"""Count the new points of a locked batch, of which some were stored already, and some repeat another one."""
BEGUN = Statement(
    sa.update(study)
    .where(_id, _unfinished)
    .values(status=sa.literal_column("'running'"), started_at=sa.func.coalesce(study.c.started_at, INSTANT))
)
ADD_SCORES = Statement(
    sa.text(
        """
        INSERT INTO evaluations.score (study_id, index, generation, objectives, feasible)
        SELECT CAST(:study_id AS uuid), given.index, CAST(:generation AS integer), CAST(given.objectives AS json),
               given.feasible
          FROM unnest(CAST(:indexes AS integer[]), CAST(:objectives AS text[]), CAST(:feasible AS boolean[]))
               AS given (index, objectives, feasible)
        ON CONFLICT DO NOTHING
        """
    )
)
ADVANCE = Statement(
    sa.update(study)
    .where(_id, _unfinished)
    .values(
        {name: sa.bindparam(name, type_=study.c[name].type) for name in ("generation", "told", "stalled", "grown_to")}
        | {name: sa.bindparam(f"new_{name}", type_=JSON) for name in ("hypervolume", "reference", "front")}
        | {"updated_at": INSTANT}
    )
)
"""Store what the engine tells after a generation."""
DROP_UNFINISHED = Statement(
    sa.delete(point).where(_points, point.c.status.in_([sa.literal_column("'queued'"), sa.literal_column("'running'")]))
)
"""Remove the points of a locked batch that have not ended; an engine that goes on proposes them again."""
DROP_FAILED = Statement(
    sa.text(
        """
        WITH dropped AS (
            DELETE FROM evaluations.point
             WHERE batch_id = CAST(:study_id AS uuid) AND status IN ('failed', 'timed_out')
               AND NOT EXISTS (
                   SELECT FROM evaluations.score
                    WHERE score.study_id = point.batch_id AND score.index = point.index
               )
            RETURNING status
        ), counted AS (
            SELECT count(*) AS points, count(*) FILTER (WHERE status = 'failed') AS failed FROM dropped
        )
        UPDATE evaluations.batch
           SET total = total - counted.points, failed = batch.failed - counted.failed,
               timed_out = timed_out - (counted.points - counted.failed), removed = removed + counted.points
          FROM counted
         WHERE batch_id = CAST(:study_id AS uuid) AND counted.points > 0
        """
    )
)
"""Remove the failed points of a locked batch of which the engine was not told; they are evaluated again."""
RETRIED = Statement(sa.update(study).where(_id).values(retried=sa.bindparam("generation", type_=sa.Integer)))
END_BATCH = Statement(
    sa.update(batch)
    .where(_of_batch)
    .values(
        status=sa.case(
            (
                sa.bindparam("status", type_=sa.Text) == sa.literal_column("'cancelled'"),
                sa.literal_column("'cancelled'"),
            ),
            else_=sa.literal_column("'completed'"),
        ),
        total=_ended,
        queued=sa.literal_column("0"),
        repeated=sa.literal_column("0"),
        running=sa.literal_column("0"),
        updated_at=INSTANT,
        completed_at=INSTANT,
    )
)
"""End the locked batch of a study; its unfinished points were removed."""
END = Statement(
    sa.update(study)
    .where(_id, _unfinished)
    .values(
        status=sa.bindparam("status", type_=sa.Text),
        error=sa.bindparam("reason", type_=sa.Text),
        error_code=sa.bindparam("code", type_=sa.Text),
        stopped_by=sa.bindparam("stopped_by", type_=sa.Text),
        indices=sa.bindparam("new_indices", type_=JSON),
        updated_at=INSTANT,
        completed_at=INSTANT,
    )
)
RESUME = Statement(
    sa.update(study)
    .where(_id)
    .values(
        status=sa.literal_column("'queued'"),
        error=sa.null(),
        error_code=sa.null(),
        stopped_by=sa.null(),
        stalled=sa.literal_column("0"),
        grown_to=sa.null(),
        request=sa.bindparam("new_request", type_=JSON),
        definition=sa.bindparam("new_definition", type_=JSON),
        before=sa.select(batch.c.total).where(_of_batch).scalar_subquery(),
        updated_at=INSTANT,
        completed_at=sa.null(),
    )
)
RESUME_BATCH = Statement(
    sa.update(batch)
    .where(_of_batch)
    .values(status=sa.literal_column("'queued'"), updated_at=INSTANT, started_at=sa.null(), completed_at=sa.null())
)
CLEAR_RANKS = Statement(
    sa.update(score)
    .where(score.c.study_id == sa.bindparam("study_id", type_=Id), score.c.rank.is_not(None))
    .values(rank=sa.null())
)
"""Remove the ranks of a study that goes on; its end gives others."""
RANK = Statement(
    sa.text(
        """
        UPDATE evaluations.score SET rank = given.rank
          FROM unnest(CAST(:indexes AS integer[]), CAST(:ranks AS integer[])) AS given (index, rank)
         WHERE score.study_id = CAST(:study_id AS uuid) AND score.index = given.index
        """
    )
)
INDICES = Statement(sa.select(study.c.indices, study.c.request).where(_id))

_LARGE = ("parameters", "tables")
_RESULT = (
    *(point.c[name] for name in ("index", "status", *_LARGE, "metrics", "constraints", "error", "cached")),
    *(point.c[name] for name in ("duration_ms", "completed_at", "created_at")),
    *(score.c[name] for name in ("generation", "objectives", "feasible", "rank")),
    (point.c["index"] + 1).label("number"),
    *GEOMETRY,
)
_results = point.outerjoin(score, sa.and_(score.c.study_id == point.c.batch_id, score.c["index"] == point.c["index"]))
_from_index = point.c["index"] >= sa.bindparam("from_index", type_=sa.Integer)
_page = sa.bindparam("page_rows", type_=sa.Integer)
_select = sa.select(
    *_RESULT, (sa.func.sum(point.c.size).over(order_by=point.c["index"]) - point.c.size).label("before")
).select_from(_results)


def _bounded(select: sa.Select[Any]) -> Statement:
    """Return a page of points; parameters and tables are empty after so many bytes of it."""
    page = select.order_by(point.c["index"]).limit(_page).subquery()
    fits = page.c.before < sa.bindparam("page_bytes", type_=sa.BigInteger)
    return Statement(
        sa.select(
            *(column for column in page.c if column.name not in _LARGE),
            *(sa.case((fits, page.c[name]), else_=sa.literal_column("'{}'::json")).label(name) for name in _LARGE),
        ).order_by(page.c["index"])
    )


RESULTS = _bounded(_select.where(_points, _from_index))
"""The points from an index on; `before` is the size of those that come before in the page, `number` is from 1 on."""
RESULT_NAMES = Statement(
    sa.text(
        """
        (SELECT DISTINCT json_object_keys(metrics) AS name, true AS is_metric
           FROM evaluations.point WHERE batch_id = CAST(:study_id AS uuid) LIMIT 1000)
        UNION ALL
        (SELECT DISTINCT json_object_keys(constraints), false
           FROM evaluations.point WHERE batch_id = CAST(:study_id AS uuid) LIMIT 1000)
        ORDER BY name
        """
    )
)
"""The names of the metrics and constraints that the points have."""
_on_front = sa.text(
    "point.index IN (SELECT CAST(value AS integer) FROM evaluations.study, json_array_elements_text(front)"
    " WHERE study.study_id = CAST(:study_id AS uuid))"
)
FRONT = _bounded(_select.where(_points, _from_index, _on_front))
"""The points on the front from an index on."""
FRONT_OBJECTIVES = Statement(
    sa.select(score.c["index"], score.c.objectives)
    .where(
        score.c.study_id == sa.bindparam("study_id", type_=Id),
        sa.text(
            "score.index IN (SELECT CAST(value AS integer) FROM evaluations.study, json_array_elements_text(front)"
            " WHERE study.study_id = CAST(:study_id AS uuid))"
        ),
    )
    .order_by(score.c["index"])
)
"""The objectives of the points on the front."""
