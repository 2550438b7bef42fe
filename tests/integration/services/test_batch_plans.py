"""The statements of batches and studies, planned on few points and run on a batch of 2,000: each reads a point a few times.

A node keeps the first plan of a statement, and a new installation has few points then. A plan that looked for stored results once
for each point of a batch, where it has to look once, made a batch of 2,000 points of 10 ms three times slower.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import psycopg
import pytest
import uuid_utils
from psycopg import sql

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import PLANNING
from catenary_core.services.evaluations.batches import queries as batches
from catenary_core.services.evaluations.studies import queries as studies
from factories.database.plans import nodes_of

POINTS = 2_000
MOST = 15
"""Rows that a plan's nodes may pass on or drop for each point."""
EARLIER, BATCH, JOB, OTHER_JOB, PROJECT = (str(uuid_utils.uuid7()) for _ in range(5))
_OF_JOB = {"job_id": JOB}
_OF_BATCH = {"batch_id": BATCH}
_OF_STUDY = {"study_id": BATCH}
_ENDED, _CHUNK = list(range(64)), list(range(500, 564))
_NAMES = ("statuses", "metrics", "constraints", "tables", "geometry", "errors", "durations", "keys")
_RESULTS = dict(zip(_NAMES, ("completed", "{}", "{}", "{}", "[]", None, 1.0, b"key"), strict=True))
GIVEN: Mapping[str, tuple[Statement, Mapping[str, Any]]] = {
    "recall": (batches.RECALL, {**_OF_BATCH, "points": 512, "ended": 500, "most_cached": 1000}),
    "next": (batches.NEXT, _OF_BATCH),
    "take": (batches.TAKE, {**_OF_BATCH, "job_id": OTHER_JOB, "points": 64, "most_bytes": 10_000}),
    "take_others": (
        batches.TAKE_OTHERS,
        {**_OF_BATCH, "job_id": OTHER_JOB, "points": 64, "most_bytes": 10_000, "project_id": PROJECT},
    ),
    "of_job": (batches.OF_JOB, _OF_JOB),
    "held_points": (batches.HELD_POINTS, _OF_JOB),
    "store": (
        batches.STORE,
        {**_OF_BATCH, **_OF_JOB, "ended": 500, "indexes": _CHUNK, **{n: [v] * 64 for n, v in _RESULTS.items()}},
    ),
    "repeat": (batches.REPEAT, {**_OF_BATCH, "indexes": _ENDED, "ended": 500, "most_cached": 1000}),
    "release_repeats": (batches.RELEASE_REPEATS, {**_OF_BATCH, "indexes": _ENDED}),
    "give_back": (batches.GIVE_BACK, _OF_JOB),
    "reassign": (batches.REASSIGN, {**_OF_BATCH, "indexes": _CHUNK, "job_ids": [OTHER_JOB] * 64}),
    "cancel_points": (batches.CANCEL_POINTS, {**_OF_BATCH, "ended": 500}),
    "ended_points": (batches.ENDED_POINTS, {**_OF_BATCH, "after": 250, "most": 100, "most_bytes": 100_000}),
    "results": (
        batches.RESULTS,
        {**_OF_BATCH, "from_index": 1000, "page_rows": 100, "page_bytes": 100_000, "status": None},
    ),
    "designs": (studies.DESIGNS, {**_OF_STUDY, "names": ["n"], "most": 100}),
    "finished": (studies.FINISHED, {**_OF_STUDY, "names": ["n"], "first": 400, "behind": 500}),
    "drop_unfinished": (studies.DROP_UNFINISHED, _OF_STUDY),
    "drop_failed": (studies.DROP_FAILED, _OF_STUDY),
    "rank": (studies.RANK, {**_OF_STUDY, "indexes": list(range(POINTS)), "ranks": [1] * POINTS}),
    "study_results": (studies.RESULTS, {**_OF_STUDY, "from_index": 1000, "page_rows": 100, "page_bytes": 100_000}),
    "front": (studies.FRONT, {**_OF_STUDY, "from_index": 1000, "page_rows": 100, "page_bytes": 100_000}),
    "front_objectives": (studies.FRONT_OBJECTIVES, _OF_STUDY),
}


def _fill(connection: psycopg.Connection[Any], batch_id: str, job_id: str, points: int) -> None:
    """Fill a study's batch: 500 points that ended, a chunk of 64, the rest queued, of which those from 1,500 on repeat others.

    All of its points have scores and are on the front.
    """
    connection.execute("SET session_replication_role = replica")
    connection.execute(
        """INSERT INTO evaluations.point (batch_id, index, status, parameters, cache_key, job_id, position, completed_at,
                                          repeats)
           SELECT %(batch)s, n,
                  CASE WHEN n < 500 THEN 'completed' WHEN n < 564 THEN 'running' ELSE 'queued' END,
                  json_build_object('n', n), decode(md5(n::text), 'hex'),
                  CASE WHEN n BETWEEN 500 AND 563 THEN %(job)s::uuid END,
                  CASE WHEN n < 500 THEN n + 1 END, CASE WHEN n < 500 THEN now() END,
                  CASE WHEN n >= 1500 THEN n %% 64 END
             FROM generate_series(0, %(points)s - 1) n""",
        {"batch": batch_id, "job": job_id, "points": points},
    )
    connection.execute(
        """INSERT INTO evaluations.score (study_id, index, generation, objectives, feasible)
           SELECT %s, n, n / 100, '[1]', true FROM generate_series(0, %s - 1) n""",
        (batch_id, points),
    )
    connection.execute(
        """INSERT INTO evaluations.study (study_id, project_id, status, request, definition, payload, request_id, front)
           SELECT %s, %s, 'running', '{}', '{}', '{}', '', json_agg(n) FROM generate_series(0, %s - 1) n""",
        (batch_id, PROJECT, points),
    )


def _execution(name: str, before: str) -> sql.Composed:
    statement, given = GIVEN[name]
    literals = sql.SQL(", ").join(map(sql.Literal, statement.parameters(given)))
    return sql.SQL("{} EXECUTE {} ({})").format(sql.SQL(before), sql.Identifier(name), literals)


def _read(plan: Mapping[str, Any]) -> int:
    """Return the rows that all nodes of a plan that ran have passed on or dropped."""
    rows = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")
    return sum(round(one["Actual Loops"] * sum(one.get(name, 0) for name in rows)) for one in nodes_of(plan))


@pytest.fixture(
    scope="module",
    params=[(0, False), (100, False), (1_000, False), (100, True), (1_000, True)],
    ids=["on_no_points", "on_100", "on_1000", "on_100_known", "on_1000_known"],
)
def planned(request: pytest.FixtureRequest, module_dsn: str) -> Iterator[psycopg.Connection[Any]]:
    """Open a connection that planned all statements on so many points, then add a batch."""
    earlier, has_statistics = request.param
    with psycopg.connect(module_dsn, autocommit=True) as connection:
        connection.execute("TRUNCATE evaluations.point, evaluations.score, evaluations.study")
        for setting in PLANNING.split("-c ")[1:]:
            connection.execute(f"SET {setting}".encode())
        if earlier:
            _fill(connection, EARLIER, OTHER_JOB, earlier)
        if has_statistics:
            connection.execute("ANALYZE")
        for name, (statement, _) in GIVEN.items():
            connection.execute(f"PREPARE {name} AS {statement.sql}".encode())
            connection.execute(_execution(name, "EXPLAIN"))
        _fill(connection, BATCH, JOB, POINTS)
        yield connection


@pytest.mark.parametrize("name", GIVEN)
def test_an_early_plan_reads_each_point_a_few_times(planned: psycopg.Connection[Any], name: str) -> None:
    with planned.transaction(force_rollback=True):
        row = planned.execute(_execution(name, "EXPLAIN (ANALYZE, FORMAT JSON)")).fetchone()
    assert row is not None
    assert 0 < _read(row[0][0]) <= MOST * POINTS
