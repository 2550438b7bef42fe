"""The collection of files that no evaluation, point, plan or study of their project has named for a day."""

from __future__ import annotations

import sqlalchemy as sa
import structlog

from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.limits import accounts
from catenary_core.storage import holdings

FILES = 100
"""Maximum files of one transaction, which makes new work that names them wait."""

_DUE = Statement(
    sa.text(
        """
        SELECT file.file_id, file.project_id, file.sha256, file.size, file.unnamed
          FROM evaluations.input_file file
          JOIN projects.active_project USING (project_id)
         WHERE file.due_at < statement_timestamp()
           AND file.project_id = (
               SELECT project_id FROM evaluations.input_file JOIN projects.active_project USING (project_id)
                WHERE due_at < statement_timestamp() ORDER BY due_at LIMIT 1
           )
         ORDER BY file.file_id
         LIMIT CAST(:files AS integer)
           FOR UPDATE OF file SKIP LOCKED
        """
    )
)
"""Files of one project that are due. A file that work is about to name is locked by it, and waits for the next run."""
_NAMED = Statement(
    sa.text(
        """
        SELECT DISTINCT found.digest[1] AS sha256
          FROM (
              SELECT CAST(parameters AS text) FROM evaluations.evaluation WHERE project_id = CAST(:project_id AS uuid)
              UNION ALL
              SELECT CAST(point.parameters AS text) FROM evaluations.batch JOIN evaluations.point USING (batch_id)
               WHERE project_id = CAST(:project_id AS uuid)
              UNION ALL
              SELECT concat(definition, start) FROM evaluations.study WHERE project_id = CAST(:project_id AS uuid)
              UNION ALL
              SELECT CAST(rows AS text) FROM evaluations.plan WHERE project_id = CAST(:project_id AS uuid)
          ) AS stored(words)
         CROSS JOIN LATERAL regexp_matches(stored.words, '[0-9a-f]{64}', 'g') AS found(digest)
         WHERE found.digest[1] = ANY(CAST(:hashes AS text[]))
        """
    )
)
"""The digests among some that rows of a project name; one pass, however many files are looked for."""
_LOOK_AGAIN = Statement(
    sa.text(
        """
        UPDATE evaluations.input_file
           SET due_at = statement_timestamp() + interval '1 day', unnamed = NOT (sha256 = ANY(CAST(:hashes AS text[])))
         WHERE file_id = ANY(CAST(:file_ids AS uuid[]))
        """
    )
)
_DELETE = Statement(sa.text("DELETE FROM evaluations.input_file WHERE file_id = ANY(CAST(:file_ids AS uuid[]))"))

_log = structlog.get_logger(__name__)


async def collect(db: Database) -> int:
    """Delete the files that nothing has named for a day; return how many."""
    deleted = 0
    while (done := await _project(db)) is not None:
        deleted += done
    return deleted


async def _project(db: Database) -> int | None:
    """Look at due files of one project; return how many were deleted, None if no file is due."""
    async with db.transaction() as tx:
        due = await tx.all(_DUE, files=FILES)
        if not due:
            return None
        project_id = due[0]["project_id"]
        rows = await tx.all(_NAMED, project_id=project_id, hashes=sorted({row["sha256"] for row in due}))
        named = {row["sha256"] for row in rows}
        gone: list[Row] = [row for row in due if row["unnamed"] and row["sha256"] not in named]
        ids = [row["file_id"] for row in gone]
        stay = [row["file_id"] for row in due if row["file_id"] not in ids]
        await tx.execute(_LOOK_AGAIN, file_ids=stay, hashes=sorted(named))
        if gone:
            await tx.execute(_DELETE, file_ids=ids)
            await accounts.release(tx, project_id, sum(row["size"] for row in gone))
            await holdings.release(tx, ids)
    if gone:
        _log.info("files that nothing named were deleted", project_id=project_id, files=len(ids))
    return len(ids)
