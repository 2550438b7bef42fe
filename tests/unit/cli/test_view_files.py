"""The files from which `catenary view` reads a view."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest

from catenary_cli.remote import views

TIME = "2030-01-31T12:00:00Z"
SHOWN = {"view": {"view_id": "V", "name": "Facade", "metrics": ["height"], "omitted": ["mass"], "updated_at": TIME}}


def test_what_show_prints_is_read_without_the_servers_fields(tmp_path: Path) -> None:
    file = tmp_path / "view.json"
    file.write_bytes(orjson.dumps(SHOWN))
    assert views.content_of(file) == ({"name": "Facade", "metrics": ["height"]}, TIME)


def test_a_view_is_read_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b'{"name": "Facade"}')))
    assert views.content_of(Path("-")) == ({"name": "Facade"}, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "view.json must be JSON"),
        ("", "view.json must be JSON"),
        ("[]", "view.json must have one view"),
        ('{"view": null}', "view.json must have one view"),
    ],
)
def test_a_file_without_a_view_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "view.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=said):
        views.content_of(file)
