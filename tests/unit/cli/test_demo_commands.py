"""The first commands of a new user fit what is deployed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from catenary_cli.demo import setup
from catenary_cli.demo.commands import Commands, example_values
from catenary_cli.remote.api import DEMO_FILE, Access, demo_of
from catenary_wire.steps import on_step
from factories.services.evaluations import parameter


@pytest.mark.parametrize(
    ("declared", "values"),
    [
        ([parameter("storeys", "integer", 48, min=8, max=120)], {"storeys": 42}),
        ([parameter("span", "number", 40, min=10, max=90, step=0.5, unit="m")], {"span": 35.0}),
        ([parameter("span", "number", 24.0)], {"span": 21.0}),
        ([parameter("span", "number", 5.0, min=5.0, max=60.0, step=2.0)], {"span": 7.0}),
        ([parameter("span", "number", 0.0, min=0.0, max=1.0)], {"span": 1.0}),
        ([parameter("turn", "number", -8.0, min=-10.0, max=0.0)], {"turn": -7.0}),
        ([parameter("n", "integer", 1, min=1, max=2, positive=True)], {"n": 2}),
        ([parameter("n", "integer", 3, min=3, max=3), parameter("braced", "boolean", True)], {"braced": False}),
        ([parameter("steel", "choice", "S355", choices=["S355", "S'460"])], {"steel": "S'460"}),
        ([parameter("title", "string", "bridge"), parameter("n", "integer", 8)], {"n": 7}),
        ([parameter("title", "string", "bridge")], {}),
        ([parameter("new", "volume", {"a": 1})], {}),
        ([], {}),
    ],
)
def test_the_example_differs_from_the_default_and_is_taken(
    declared: list[dict[str, Any]], values: dict[str, Any]
) -> None:
    found = example_values(declared)
    assert found == values
    for one in declared:
        value = found.get(one["name"])
        if one["type"] in ("number", "integer") and value is not None:
            assert one["min"] is None or value >= one["min"]
            assert one["max"] is None or value <= one["max"]
            assert one["step"] is None or on_step(value, one["min"] or 0, one["step"])
            assert isinstance(value, int) or one["type"] == "number"


def _commands(**changes: Any) -> list[str]:
    given: dict[str, Any] = {
        "root_url": "http://127.0.0.1:8080/",
        "client_id": "id",
        "client_secret": "secret",
        "project_id": "project",
        "parameters": [],
        "environment_project_id": "tower",
        "certificate": None,
    }
    return [purpose for purpose, _ in Commands(**{**given, **changes}).lines()]


def test_only_what_can_work_is_printed() -> None:
    assert _commands() == ["get a token", "evaluate the deployed model", "list the tower's rejected parameters"]
    assert _commands(parameters=None, environment_project_id=None) == ["get a token", "list the project's models"]
    assert _commands(project_id=None, environment_project_id=None) == ["get a token", "list the projects"]


def test_the_demos_file_is_replaced_whole_and_is_its_owners_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / DEMO_FILE
    mask = os.umask(0)
    try:
        setup._write_private(path, {"client_id": "first"})
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = path.stat().st_ino

    def full(_: int) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(setup.os, "fsync", full)
        with pytest.raises(OSError, match="no space"):
            setup._write_private(path, {"client_id": "second"})
    assert demo_of(tmp_path) == {"client_id": "first"}
    assert [entry.name for entry in tmp_path.iterdir()] == [DEMO_FILE], "no draft is left"
    setup._write_private(path, {"client_id": "third"})
    assert demo_of(tmp_path) == {"client_id": "third"}
    assert path.stat().st_ino != kept, "a reader of the old file reads it to its end"


def test_a_file_of_the_demo_that_cannot_be_read_is_not_told_as_missing(tmp_path: Path) -> None:
    (tmp_path / DEMO_FILE).mkdir()
    with pytest.raises(ValueError, match=r"demo\.json can't be read: is a directory; allow this user to read it"):
        Access.find(None, None, None, tmp_path)


@pytest.mark.parametrize("content", ["", "{", "null", "[1]"])
def test_a_damaged_file_of_the_demo_is_named_with_the_way_out(tmp_path: Path, content: str) -> None:
    (tmp_path / DEMO_FILE).write_text(content)
    with pytest.raises(ValueError, match=r"demo\.json is damaged; remove it"):
        Access.find(None, None, None, tmp_path)
