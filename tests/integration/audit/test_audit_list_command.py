"""`catenary audit list`: the newest entries that match, for a person and as JSON."""

from __future__ import annotations

from pathlib import Path

import orjson
import psycopg
import pytest

from catenary_cli.installation import audit_entries, clients
from catenary_core.settings import CoreSettings
from factories.installations.serving import SECRET, core_settings

EVIL = "evil\x1b[31m\nError: forged"
_FILL = """
    INSERT INTO audit.entry (occurred_at, action, subject, outcome, request_id, count, actor_id)
    SELECT timestamptz '2020-01-01T00:00:00Z' + n * interval '1 hour', '/catenary.platform.v1.TestService/Do' || n %% 2,
           %(evil)s, CASE WHEN n = 1 THEN 'INVALID_TOKEN' ELSE 'ok' END, 'r' || n, CASE WHEN n = 1 THEN 7 ELSE 1 END,
           CASE WHEN n = 2 THEN %(actor)s::uuid END
      FROM generate_series(1, 450) n
"""
MADE = {"from": "2020-01-01T00:00:00Z", "to": "2020-02-01T00:00:00Z"}


@pytest.fixture
async def installed(dsn: str, tmp_path: Path) -> CoreSettings:
    made = await clients.create(dsn, SECRET, EVIL.replace("\n", " ").replace("\x1b", ""), admin=False)
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT user_id FROM identity.client WHERE id = %s", [made["client_id"]]).fetchone()
        assert row is not None
        connection.execute(_FILL, {"evil": EVIL, "actor": row[0]})
    return core_settings(dsn, tmp_path)


async def _lines(
    installed: CoreSettings, capsys: pytest.CaptureFixture[str], most: int = 1000, *, as_json: bool = True, **given: str
) -> list[str]:
    await audit_entries.show_entries(installed, MADE | given, most, as_json=as_json)
    return capsys.readouterr().out.splitlines()


async def test_the_newest_entries_are_shown_over_all_pages(
    installed: CoreSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [orjson.loads(line)["request_id"] for line in await _lines(installed, capsys)]
    assert found == [f"r{number}" for number in range(450, 0, -1)]
    found = [orjson.loads(line)["request_id"] for line in await _lines(installed, capsys, 201)]
    assert found == [f"r{number}" for number in range(450, 249, -1)]
    action = "/catenary.platform.v1.TestService/Do1"
    found = [orjson.loads(line)["request_id"] for line in await _lines(installed, capsys, 3, action=action)]
    assert found == ["r449", "r447", "r445"]


async def test_a_person_sees_one_line_an_entry_and_nobody_s_text_controls_the_terminal(
    installed: CoreSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    header, second, first = await _lines(installed, capsys, as_json=False, to="2020-01-01T02:30:00Z")
    assert header.split() == ["Time", "Who", "Action", "Subject", "Outcome", "Address"]
    assert second.startswith("2020-01-01T02:00:00.000000Z  evil[31m")
    assert "INVALID_TOKEN (7 times)" in first
    assert "Do1" in first
    assert "\x1b" not in header + second + first
    assert await _lines(installed, capsys, as_json=False, action="none") == []


async def test_a_filter_that_the_api_would_refuse_is_refused(installed: CoreSettings) -> None:
    for given, sentence in (
        ({"from": "yesterday"}, "--from takes a time"),
        ({"to": MADE["from"]}, "to must be after from"),
        ({"outcome": ""}, "outcome"),
        ({"subject": "x" * 501}, "subject"),
    ):
        with pytest.raises(ValueError, match=sentence):
            await audit_entries.show_entries(installed, MADE | given, 1, as_json=True)
