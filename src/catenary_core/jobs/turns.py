"""Turns at the workers: users take turns by the seconds that their jobs ran, and so do the projects of one user.

A free job whose user has run the fewest seconds is leased first; among that user's jobs, one whose project has run the
fewest; then the job that has waited longest. A running job counts with the seconds since its lease, and with at least
one: users that come together so share the workers from the first lease.

Before that, of evaluations and checks on one side and chunks of points on the other the former go first, as long as the
chunks that wait get a fifth of the slots' time: an evaluation's second counts a quarter of a chunk's.

The seconds are a virtual time (start-time fair queueing: Goyal, Vin and Cheng, 1996): who begins to wait takes at least
the place of the first who waits already. So nobody waits for seconds that were used while nobody else wanted them, and
nobody saves up turns. Hence a row is needed only for a user or project that waits or has waited since the queue was
last empty; a missing row counts as the last place, and `PRUNE` removes those of the others.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.database.statements import Statement, metadata

turn = sa.Table(
    "turn",
    metadata,
    # `user`, `project` or `class`.
    sa.Column("kind", sa.Text, nullable=False),
    # Id of the user or project; of a class SINGLE or POINTS.
    sa.Column("holder", UUID(as_uuid=False), nullable=False),
    # Seconds of ended jobs, as virtual time.
    sa.Column("seconds", sa.Float, nullable=False),
    sa.PrimaryKeyConstraint("kind", "holder"),
    schema="jobs",
)
"""The virtual time of users and projects."""


def _last(kind: str) -> str:
    """Return the last place of a kind, as a scalar subquery."""
    return f"(SELECT coalesce(max(seconds), 0) FROM jobs.turn WHERE kind = '{kind}')"  # noqa: S608 - the kinds are literals of this package


def places(kind: str) -> str:
    """Return SQL for the places of the users or projects with jobs: `holder`, `seconds`, and whether one `waits`."""
    return f"""
        SELECT job.{kind}_id AS holder, bool_or(job.leased_at IS NULL) AS waits,
               coalesce(max(turn.seconds), {_last(kind)}) + coalesce(sum(
                   greatest(1, extract(epoch FROM clock_timestamp() - job.leased_at))
               ) FILTER (WHERE job.leased_at IS NOT NULL), 0) AS seconds
        FROM jobs.job LEFT JOIN jobs.turn ON turn.kind = '{kind}' AND turn.holder = job.{kind}_id
        GROUP BY job.{kind}_id
    """  # noqa: S608 - the kinds are literals of this package


def _entry(kind: str) -> str:
    first = f"(SELECT min(place.seconds) FROM ({places(kind)}) place WHERE place.waits)"  # noqa: S608 - the kinds are literals of this package
    return f"""
        SELECT '{kind}', CAST(:{kind} AS uuid), coalesce({first}, {_last(kind)})
        WHERE NOT EXISTS (SELECT FROM jobs.job WHERE {kind}_id = CAST(:{kind} AS uuid) AND leased_at IS NULL)
    """  # noqa: S608 - the kinds are literals of this package


LEAD_SECONDS = 1.0
"""Seconds of chunks by which other jobs go first, though the chunks have had less than their share."""
SINGLE, POINTS = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
"""Holders of the kind `class`: evaluations and checks, and chunks of points."""
_SHARES = {SINGLE: 4.0, POINTS: 1.0}


def class_of(kind: str) -> str:
    """Return SQL for the class of the kind of job that the SQL `kind` gives."""
    return f"CASE {kind} WHEN 'points' THEN CAST('{POINTS}' AS uuid) ELSE CAST('{SINGLE}' AS uuid) END"


_CLASS, _GIVEN = class_of("job.kind"), class_of("CAST(:job_kind AS text)")
_CLASSES = ", ".join(f"(CAST('{holder}' AS uuid), {share})" for holder, share in _SHARES.items())
_CLASS_PLACES = f"""
    SELECT class.holder, coalesce(max(turn.seconds), {_last("class")}) AS used,
           coalesce(max(turn.seconds), {_last("class")}) + coalesce(sum(
               greatest(0, extract(epoch FROM clock_timestamp() - job.leased_at))
           ), 0) / class.share AS seconds
    FROM (VALUES {_CLASSES}) AS class (holder, share)
    LEFT JOIN jobs.turn ON turn.kind = 'class' AND turn.holder = class.holder
    LEFT JOIN jobs.job ON job.leased_at IS NOT NULL AND {_CLASS} = class.holder
    GROUP BY class.holder, class.share
"""  # noqa: S608 - the holders are literals of this module
CLASS_ORDER = f"""
    SELECT holder, seconds - CASE holder WHEN CAST('{SINGLE}' AS uuid) THEN {LEAD_SECONDS} ELSE 0 END AS seconds
    FROM ({_CLASS_PLACES}) place
"""  # noqa: S608 - the holders are literals of this module
"""SQL for the order of the classes: `holder` and `seconds`."""
_OTHER_WAITS = f"EXISTS (SELECT FROM jobs.job WHERE job.leased_at IS NULL AND {_CLASS} <> {_GIVEN})"


# The user's row always before the project's, and that before the classes': two statements that lock them never wait for
# each other. The classes have rows only where both wait: else every end of a job would wait for the others' commits.
ENTER = Statement(
    sa.text(
        f"""
        INSERT INTO jobs.turn (kind, holder, seconds) {_entry("user")} UNION ALL {_entry("project")}
        UNION ALL
        SELECT 'class', place.holder, CASE WHEN place.holder = {_GIVEN} THEN other.seconds ELSE place.used END
        FROM ({_CLASS_PLACES}) place JOIN ({_CLASS_PLACES}) other ON other.holder <> {_GIVEN}
        WHERE {_OTHER_WAITS}
          AND NOT EXISTS (SELECT FROM jobs.job WHERE job.leased_at IS NULL AND {_CLASS} = {_GIVEN})
        ON CONFLICT (kind, holder) DO UPDATE SET seconds = greatest(turn.seconds, excluded.seconds)
        """  # noqa: S608 - the classes are literals of this module
    )
)
"""Give `user`, `project` and the class of `job_kind` a place, if none of their jobs waits yet."""
CHARGE = Statement(
    sa.text(
        f"""
        UPDATE jobs.turn SET seconds = turn.seconds + ended.seconds
        FROM (
            SELECT kind, holder, greatest(0, extract(epoch FROM clock_timestamp() - CAST(:leased_at AS timestamptz)))
                   / CASE WHEN kind = 'class' AND holder = CAST('{SINGLE}' AS uuid) THEN {_SHARES[SINGLE]} ELSE 1 END
                   AS seconds
            FROM jobs.turn
            WHERE kind = 'user' AND holder = CAST(:user AS uuid)
               OR kind = 'project' AND holder = CAST(:project AS uuid)
               OR kind = 'class' AND holder = {_GIVEN} AND {_OTHER_WAITS}
            ORDER BY kind DESC FOR UPDATE
        ) ended
        WHERE turn.kind = ended.kind AND turn.holder = ended.holder
        """  # noqa: S608 - the classes are literals of this module
    )
)
"""Add the seconds since `leased_at` to the places of a job's `user`, `project` and class, if they have one."""
PRUNE = Statement(
    sa.text(
        """
        DELETE FROM jobs.turn WHERE (kind, holder) IN (
            SELECT kind, holder FROM jobs.turn candidate
            WHERE NOT EXISTS (
                SELECT FROM jobs.job
                WHERE candidate.holder = CASE candidate.kind WHEN 'user' THEN job.user_id ELSE job.project_id END
            ) AND kind <> 'class' AND seconds < (SELECT max(last.seconds) FROM jobs.turn last WHERE last.kind = candidate.kind)
            -- Waits for nobody: its rows come in another order than those of a job that arrives meanwhile.
            FOR UPDATE SKIP LOCKED
        )
        """
    )
)
"""Remove the places of users and projects without jobs; the last place of each kind stays."""
