"""The migration to richer models gives stored parameters the new keys, and leaves every number as it was written."""

from __future__ import annotations

import orjson
import psycopg
import pytest

from integration.core.test_quota_migration import upgraded

_ID = "0199bbbb-0000-7000-8000-000000000001"
_PARAMETER = '{"name":"a","default":450.0,"max":1e15,"choices":[9223372036854775807],"description":"of {braces}"}'
_OTHER = '{"name":"b","default":450,"description":"}"}'
_BEFORE = f"""
    INSERT INTO projects.project (project_id, name, description, owner_user_id) VALUES
        ('{_ID}', 'p', '', '{_ID}');
    INSERT INTO models.model (model_id, project_id, name) VALUES ('{_ID}', '{_ID}', 'a');
    INSERT INTO models.model_version
        (model_version_id, model_id, number, status, kind, size, sha256, created_by, parameters) VALUES
        ('{_ID}', '{_ID}', 1, 'ready', 'python', 10, 'aa', '{_ID}', '[{_PARAMETER}, {_OTHER}]'),
        ('{_ID[:-1]}2', '{_ID}', 2, 'ready', 'python', 10, 'aa', '{_ID}', '[]');
    INSERT INTO models.deployment (deployment_id, project_id, model_version_id, status, parameters, created_by) VALUES
        ('{_ID}', '{_ID}', '{_ID}', 'active', '[{_OTHER}]', '{_ID}'),
        ('{_ID[:-1]}2', '{_ID}', '{_ID}', 'failed', NULL, '{_ID}');
"""


@pytest.mark.slow
def test_stored_parameters_get_the_keys_of_the_new_fields(empty_dsn: str) -> None:
    upgraded(empty_dsn, "0044", _BEFORE)
    with psycopg.connect(empty_dsn) as connection:
        versions = connection.execute("SELECT parameters::text FROM models.model_version ORDER BY 1").fetchall()
        deployments = connection.execute("SELECT parameters::text FROM models.deployment ORDER BY 1").fetchall()
    new = {"order": 0, "show_if": None, "columns": [], "accept": [], "max_bytes": None}
    first, other = (orjson.loads(text) | new for text in (_PARAMETER, _OTHER))
    found = [orjson.loads(text) for (text,) in sorted(versions, key=lambda row: len(row[0]))]
    assert found == [[], [first, other]]
    assert [list(parameter)[-5:] for parameter in found[1]] == [list(new)] * 2
    assert (repr(found[1][0]["default"]), repr(found[1][0]["max"])) == ("450.0", "1000000000000000.0")
    assert found[1][0]["choices"] == [9223372036854775807]
    assert [text and orjson.loads(text) for (text,) in deployments] == [[other], None]


@pytest.mark.slow
def test_parameters_that_an_older_core_stores_later_get_the_keys_too(empty_dsn: str) -> None:
    upgraded(empty_dsn, "0053", _BEFORE)
    new = {"order": 0, "show_if": None, "columns": [], "accept": [], "max_bytes": None}
    first, other = (orjson.loads(text) | new for text in (_PARAMETER, _OTHER))
    shown = (
        '{"name":"c","default":[{"x":1.50}],"order":3,"show_if":"b > 1",'
        '"columns":[{"name":"x"}],"accept":[],"max_bytes":null}'
    )
    read = "SELECT parameters::text FROM models.{} WHERE parameters IS NOT NULL ORDER BY 1"
    with psycopg.connect(empty_dsn) as connection:

        def stored(table: str) -> list[str]:
            return [text for (text,) in connection.execute(read.format(table)).fetchall()]

        assert [orjson.loads(text) for text in stored("deployment")] == [[other]]
        assert [first, other] in [orjson.loads(text) for text in stored("model_version")]
        # An older core goes on: what it stores is completed, and what has the keys stays to the letter.
        connection.execute("DELETE FROM models.deployment")
        update = "UPDATE models.model_version SET parameters = %s RETURNING parameters::text"
        (text,) = connection.execute(update, (f"[{_PARAMETER}, {shown}]",)).fetchone() or ("",)
        assert orjson.loads(text) == [first, orjson.loads(shown)]
        assert ("1e15" in text, shown in text) == (True, True)
        connection.execute(
            "INSERT INTO models.deployment (deployment_id, project_id, model_version_id, status, parameters, created_by)"
            " VALUES (%(id)s, %(id)s, %(id)s, 'active', %(parameters)s, %(id)s)",
            {"id": _ID, "parameters": f"[{_OTHER}]"},
        )
        assert [orjson.loads(text) for text in stored("deployment")] == [[other]]
        connection.execute(update, (f"[{shown}]",))
        assert set(stored("model_version")) == {f"[{shown}]"}
        connection.execute("DROP TRIGGER complete_parameters ON models.deployment")
        connection.execute("UPDATE models.deployment SET parameters = %s", (f"[{_OTHER}]",))
        assert [orjson.loads(text) for text in stored("deployment")] != [[other]]
