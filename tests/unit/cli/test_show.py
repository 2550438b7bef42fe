"""What commands print for people: texts of models, servers and other people never control the terminal."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from catenary_cli import show

EVIL = "a\x1b[31m\x07\x9b\u202e[red]\x00b"
"""Colours, a bell, C1, a turned direction of writing, markup of rich, a zero."""
_EVALUATION: dict[str, Any] = {
    "evaluation_id": "id",
    "status": "completed",
    "cached": False,
    "metrics": {EVIL: {"value": 1.0, "unit": EVIL}},
    "constraints": {EVIL: {"value": 1.0, "satisfied": True}},
    "geometry": [],
    "duration_ms": 1.0,
    "error": None,
    "log": EVIL,
}
_PARAMETER = {
    "name": EVIL,
    "type": "choice",
    "default": EVIL,
    "choices": [EVIL],
    "min": None,
    "max": None,
    "unit": EVIL,
}
_VERSION = {
    "number": 1,
    "model_version_id": "id",
    "deterministic": True,
    "parameters": [_PARAMETER],
    "warnings": [EVIL],
}
PRINTS = {
    "a line": lambda: show.line(EVIL),
    "a note": lambda: show.note(EVIL),
    "a problem": lambda: show.problem(EVIL),
    "a warning": lambda: show.warning(EVIL),
    "a log": lambda: show.printed(EVIL),
    "rows": lambda: show.rows((EVIL,), [[EVIL]], ""),
    "pairs": lambda: show.pairs({EVIL: EVIL}),
    "an evaluation": lambda: show.evaluation(_EVALUATION),
    "a failure": lambda: show.evaluation(
        {**_EVALUATION, "status": "failed", "error": {"code": "C", "message": EVIL, "line": 1}}
    ),
    "a version": lambda: show.version(EVIL, _VERSION, deployed=False),
    "parameters": lambda: show.parameters([_PARAMETER], ""),
}


@pytest.mark.parametrize("name", PRINTS)
def test_no_text_of_a_stranger_controls_the_terminal(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    PRINTS[name]()
    printed = "".join(capsys.readouterr())
    assert all(character.isprintable() or character == "\n" for character in printed), repr(printed)
    assert "a\\x1b[31m" in printed, "the text is there, without its meaning for the terminal and for rich"


@pytest.mark.parametrize(
    ("low", "high", "shown"), [(1.0, 2, "1 … 2"), (0, None, "≥ 0"), (None, 1e9, "≤ 1e+09"), (None, None, "")]
)
def test_a_range_shows_the_bounds_that_there_are(
    low: float | None, high: float | None, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show.parameters(
        [{**_PARAMETER, "name": "a", "default": 1, "choices": [], "min": low, "max": high, "unit": "m"}], ""
    )
    row = capsys.readouterr().out.splitlines()[-2]
    assert [cell.strip() for cell in row.strip("│").split("│")] == ["a", "choice", "1", shown, "m"]


def test_json_stays_json_and_controls_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show.json({"name": EVIL})
    printed = capsys.readouterr().out
    assert all(character.isprintable() or character == "\n" for character in printed), repr(printed)
    assert orjson.loads(printed) == {"name": EVIL}


def test_rows_are_aligned_and_never_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    show.rows(("Name", "Id"), [["a\nb", "x" * 300], [None, 7]], "none")
    assert capsys.readouterr().out == f"Name  Id\na b   {'x' * 300}\n-     7\n"
    show.rows(("Name",), [], "There is none.")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "There is none.\n")
