"""The migration of references ties the comments that name a batch or a point already, and no other."""

from __future__ import annotations

import psycopg
import pytest

from integration.core.test_quota_migration import upgraded

_PROJECT, _OTHER = "0199bbbb-0000-7000-8000-000000000001", "0199bbbb-0000-7000-8000-000000000002"
_BATCH, _POINT = (f"0199cccc-0000-7000-8000-0000000{end}" for end in ("abcde", "00001"))
_UNKNOWN = "0199cccc-0000-7000-8000-000001000000"
_COMMENT = (
    "INSERT INTO comments.comment"
    " (id, reference_id, reference_table, reference_url, content, created_by, project_id) VALUES"
)
_BEFORE = f"""
    INSERT INTO evaluations.batch (batch_id, project_id, status, model_version_id, total, queued, created_by) VALUES
        ('{_BATCH}', '{_PROJECT}', 'queued', '{_PROJECT}', 1, 1, '{_PROJECT}');
    {_COMMENT} (gen_random_uuid(), '{_BATCH}', '', '', 'batch', '{_OTHER}', NULL),
        (gen_random_uuid(), '{_POINT}', '', '', 'point', '{_OTHER}', NULL),
        (gen_random_uuid(), '{_UNKNOWN}', '', '', 'unknown', '{_OTHER}', NULL),
        (gen_random_uuid(), '{_OTHER}', '', '', 'other', '{_OTHER}', '{_OTHER}');
"""


@pytest.mark.slow
def test_comments_on_batches_and_points_get_their_project(empty_dsn: str) -> None:
    upgraded(empty_dsn, "0059", _BEFORE)
    with psycopg.connect(empty_dsn) as connection:
        found = dict(connection.execute("SELECT content, project_id::text FROM comments.comment").fetchall())
    assert found == {"batch": _PROJECT, "point": _PROJECT, "unknown": None, "other": _OTHER}
