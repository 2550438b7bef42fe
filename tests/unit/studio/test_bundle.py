"""The command that builds the Studio later, over a copy of its sources."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

import catenary_edge.studio
from catenary_cli.__main__ import app
from catenary_edge.studio import bundle

STUDIO = Path(bundle.__file__).parent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a Studio that is not built, as the command sees it."""
    made = tmp_path / "studio"
    shutil.copytree(STUDIO, made, ignore=shutil.ignore_patterns("node_modules", "dist", "__pycache__"))
    monkeypatch.setattr(catenary_edge.studio, "__path__", [str(made)])
    return made


def _programs(folder: Path, monkeypatch: pytest.MonkeyPatch, node: str) -> None:
    for name, text in {"node": node, "npm": "exit 0"}.items():
        program = folder.parent / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(bundle.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(bundle.shutil, "which", lambda name: str(folder.parent / name))


def test_the_command_builds_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _programs(folder, monkeypatch, "mkdir -p dist")
    first = CliRunner().invoke(app, ["studio", "build"])
    assert (first.exit_code, first.output[:9]) == (0, "Built in ")
    assert bundle.is_current(folder)
    assert CliRunner().invoke(app, ["studio", "build"]).output == "The Studio is built already.\n"


def test_a_registry_that_is_away_is_told_in_a_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _programs(folder, monkeypatch, "echo npm error ENOTFOUND >&2; exit 1")
    found = CliRunner().invoke(app, ["studio", "build"])
    assert (found.exit_code, found.output) == (1, "Error: The Studio can't be built: npm error ENOTFOUND\n")
    assert not bundle.is_current(folder)


def test_without_node_the_command_names_its_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(bundle.shutil, "which", lambda name: None)
    found = CliRunner().invoke(app, ["studio", "build"])
    assert found.exit_code == 1
    assert f"pip install '{bundle.NODE}'" in found.output
