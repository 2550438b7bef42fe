"""The migration to quotas finds who pays for the projects that are there, and what they store."""

from __future__ import annotations

import psycopg
import pytest
import sqlalchemy as sa
from alembic import command

from catenary_core.database import migrate

_ONE, _TWO, _TEAM = (f"0199aaaa-0000-7000-8000-00000000000{number}" for number in (1, 2, 3))
_PROJECTS = tuple(f"0199bbbb-0000-7000-8000-00000000000{number}" for number in (1, 2, 3, 4))
_BEFORE = f"""
    INSERT INTO identity."user" (id, staff_name, email) VALUES ('{_ONE}', 'one', ''), ('{_TWO}', 'two', '');
    INSERT INTO identity.team (id, name, created_by) VALUES ('{_TEAM}', 'team', '{_TWO}');
    INSERT INTO identity.team_member (team_id, user_id) VALUES ('{_TEAM}', '{_TWO}');
    INSERT INTO projects.project (project_id, name, description, deleted_at) VALUES
        ('{_PROJECTS[0]}', 'of its creator', '', NULL), ('{_PROJECTS[1]}', 'of a team', '', NULL),
        ('{_PROJECTS[2]}', 'deleted', '', now()), ('{_PROJECTS[3]}', 'without anybody', '', now());
    INSERT INTO projects.member (project_id, member_id, is_team, role, created_at) VALUES
        ('{_PROJECTS[0]}', '{_TWO}', false, 4, '2030-01-02'), ('{_PROJECTS[0]}', '{_ONE}', false, 4, '2030-01-01'),
        ('{_PROJECTS[1]}', '{_TEAM}', true, 4, '2030-01-01'), ('{_PROJECTS[1]}', '{_ONE}', false, 3, '2030-01-01'),
        ('{_PROJECTS[2]}', '{_ONE}', false, 4, '2030-01-01');
    INSERT INTO models.model (model_id, project_id, name, deleted_at) VALUES
        ('{_PROJECTS[0]}', '{_PROJECTS[0]}', 'a', NULL), ('{_PROJECTS[1]}', '{_PROJECTS[0]}', 'b', now()),
        ('{_PROJECTS[2]}', '{_PROJECTS[2]}', 'c', NULL);
    INSERT INTO models.model_version
        (model_version_id, model_id, number, status, kind, size, sha256, created_by, deleted_at) VALUES
        ('{_PROJECTS[0]}', '{_PROJECTS[0]}', 1, 'ready', 'python', 10, 'aa', '{_ONE}', NULL),
        ('{_PROJECTS[1]}', '{_PROJECTS[0]}', 2, 'ready', 'python', 20, 'bb', '{_ONE}', now()),
        ('{_PROJECTS[2]}', '{_PROJECTS[1]}', 1, 'ready', 'python', 40, 'cc', '{_ONE}', now()),
        ('{_PROJECTS[3]}', '{_PROJECTS[2]}', 1, 'ready', 'python', 80, 'dd', '{_ONE}', NULL);
    INSERT INTO evaluations.evaluation
        (evaluation_id, project_id, status, model_version_id, parameters, geometry, created_by, completed_at) VALUES
        ('{_PROJECTS[0]}', '{_PROJECTS[0]}', 'completed', '{_PROJECTS[0]}', '{{}}',
         '[{{"name": "a", "format": "glb", "size": 100, "sha256": "ee"}},
           {{"name": "b", "format": "glb", "size": 200, "sha256": "ff"}}]',
         '{_ONE}', now()),
        ('{_PROJECTS[1]}', '{_PROJECTS[1]}', 'failed', '{_PROJECTS[0]}', '{{}}', '[]', '{_ONE}', now());
"""


def upgraded(dsn: str, to: str, before: str) -> None:
    """Bring an empty database to a revision, insert rows, and bring it to the newest."""
    engine = sa.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=sa.NullPool)
    with engine.connect() as connection:
        command.upgrade(migrate._config(connection), to)
    with psycopg.connect(dsn) as connection:
        connection.execute(before)
    migrate.upgrade(dsn)


@pytest.mark.slow
def test_creators_pay_for_what_their_projects_store(empty_dsn: str) -> None:
    upgraded(empty_dsn, "0034", _BEFORE)
    with psycopg.connect(empty_dsn) as connection:
        payers = connection.execute("SELECT owner_user_id::text FROM projects.project ORDER BY project_id").fetchall()
        stored = connection.execute(
            "SELECT project_id::text, storage, is_open FROM quotas.project ORDER BY 1"
        ).fetchall()
        users = connection.execute('SELECT user_id::text, storage FROM quotas."user" ORDER BY 1').fetchall()
        tiers = connection.execute('SELECT DISTINCT tier FROM identity."user"').fetchall()
    nobody = "00000000-0000-0000-0000-000000000000"
    assert [payer for (payer,) in payers] == [_ONE, _TWO, _ONE, nobody]
    sizes = ((310, True), (0, True), (0, False), (0, False))
    assert stored == [(project, *size) for project, size in zip(_PROJECTS, sizes, strict=True)]
    assert users == [(nobody, 0), (_ONE, 310), (_TWO, 0)]
    assert tiers == [("standard",)]


@pytest.mark.slow
def test_files_that_are_named_are_held_and_the_others_have_a_day(empty_dsn: str) -> None:
    converted = """
        INSERT INTO evaluations.conversion (source_sha256, format, sha256, size) VALUES ('ee', 'stl', '99', 1)
    """
    upgraded(empty_dsn, "0034", _BEFORE + converted)
    with psycopg.connect(empty_dsn) as connection:
        held = connection.execute("SELECT sha256, project_id::text FROM objects.holding ORDER BY 1").fetchall()
        known = connection.execute("SELECT sha256, made_of FROM objects.object ORDER BY 1").fetchall()
        soonest = connection.execute("SELECT min(due_at) > now() + interval '23 hours' FROM objects.object").fetchone()
    # Of a deleted version, a deleted model and a deleted project nothing is held.
    assert held == [(sha256, _PROJECTS[0]) for sha256 in ("aa", "ee", "ff")]
    assert known == [("99", "ee"), *((sha256, None) for sha256 in ("aa", "bb", "cc", "dd", "ee", "ff"))]
    assert soonest == (True,)
