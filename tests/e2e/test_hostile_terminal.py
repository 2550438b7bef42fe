"""What every command writes of hostile names, symbols, errors and files: no text of a stranger controls the terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from factories.installations.installation import ROOT, environment

pytestmark = pytest.mark.slow

PROGRAM = ROOT / "tests" / "fixtures" / "hostile_terminal.py"


def _printed(folder: Path, *flags: str) -> dict[str, str]:
    """Return what each command wrote; the program refuses to run when a command has no row."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(folder), *flags],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads((folder / "printed.json").read_text(encoding="utf-8"))
    return {name: streams["out"] + streams["err"] for name, streams in printed.items()}


@pytest.mark.gate
def test_every_command_shows_hostile_texts_without_their_effect_on_the_terminal(tmp_path: Path) -> None:
    printed = _printed(tmp_path)
    assert len(printed) > 60
    for name, text in printed.items():
        assert "evil" in text, f"{name} shows nothing of the hostile text: {text}"
        assert all(character.isprintable() or character == "\n" for character in text), f"{name}: {text!r}"
        assert not any(line.startswith("Error: forged") for line in text.splitlines()), f"{name}: {text!r}"


def test_without_the_escapes_they_control_it(tmp_path: Path) -> None:
    printed = _printed(tmp_path, "--guard-off")
    raw = [name for name, text in printed.items() if "\x1b[31m" in text or "\x9b" in text]
    assert len(raw) > 30, raw
    assert any(line.startswith("Error: forged") for text in printed.values() for line in text.splitlines())
