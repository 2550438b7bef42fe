"""What commands print for people: texts of models, servers and other people never control the terminal."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from rich.console import Console
from rich.markup import escape

from catenary_cli import show

EVIL = "a\x1b[31m\x07\x9b\u202e[red]\x00b"
"""Colours, a bell, C1, a turned direction of writing, markup of rich, a zero."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
COMPARED = {"metric": EVIL, "op": "<=", "limit": 2.0, "unit": EVIL}
_EVALUATION: dict[str, Any] = {
    "evaluation_id": "id",
    "status": "completed",
    "cached": False,
    "metrics": {EVIL: {"value": 1.0, "unit": EVIL}},
    "constraints": {EVIL: {"value": 1.0, "satisfied": True, **COMPARED}},
    "geometry": [],
    "files": [{"name": "report.pdf"}],
    "tables": {EVIL: [{EVIL: EVIL}]},
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
    "show_if": EVIL,
    "label": None,
    "group": None,
    "step": None,
    "columns": [],
}
_VERSION = {
    "number": 1,
    "model_version_id": "id",
    "deterministic": True,
    "repeatable": False,
    "repeatable_reason": EVIL,
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
    "an evaluation": lambda: show.evaluation(_EVALUATION, [(EVIL, EVIL, EVIL, EVIL)]),
    "a failure": lambda: show.evaluation(
        {**_EVALUATION, "status": "failed", "error": {"code": "C", "message": EVIL, "line": 1}}
    ),
    "a version": lambda: show.version(EVIL, _VERSION, deployed=False),
    "parameters": lambda: show.parameters([_PARAMETER], ""),
    "labels": lambda: show.parameters([{**_PARAMETER, **dict.fromkeys(("show_if", "unit")), "label": EVIL}], ""),
    "groups": lambda: show.parameters([{**_PARAMETER, **dict.fromkeys(("show_if", "unit")), "group": EVIL}], ""),
    "a table's columns": lambda: show.parameters(
        [{**_PARAMETER, "type": "table", "default": [], "columns": [{"name": EVIL, "type": "number", "unit": EVIL}]}],
        "",
    ),
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
        [
            {
                **_PARAMETER,
                "name": "a",
                "default": 1,
                "choices": [],
                "min": low,
                "max": high,
                "unit": "m",
                "show_if": None,
            }
        ],
        "",
    )
    row = capsys.readouterr().out.splitlines()[-2]
    assert [cell.strip() for cell in row.strip("│").split("│")] == ["a", "choice", "1", shown, "m"]


def test_a_label_a_group_and_a_step_are_shown_where_there_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    plain = {**_PARAMETER, "type": "number", "default": 24.0, "choices": [], "min": 5, "max": 60, "show_if": None}
    span = {**plain, "name": "span", "step": 0.5, "unit": "m", "label": "Span", "group": "Deck"}
    show.parameters([span, {**plain, "name": "load", "unit": None}], "")
    head, _, *rows = capsys.readouterr().out.splitlines()[1:-1]
    cells = [[cell.strip() for cell in re.split("[│┃]", line.strip("│┃"))] for line in (head, *rows)]
    assert cells == [
        ["Parameter", "Type", "Default", "Range", "Unit", "Label", "Group"],
        ["span", "number", "24", "5 … 60, step 0.5", "m", "Span", "Deck"],
        ["load", "number", "24", "5 … 60", "", "", ""],
    ]


def test_points_tables_and_conditions_have_their_own_forms(capsys: pytest.CaptureFixture[str]) -> None:
    plain = {**_PARAMETER, "choices": [], "unit": None, "show_if": None}
    columns = [{"name": "load", "type": "number", "unit": "kN"}, {"name": "note", "type": "string", "unit": None}]
    shown = [
        {**plain, "name": "at", "type": "point", "default": [1.5, 0.0, 3.0], "unit": "m", "show_if": "on"},
        {**plain, "name": "loads", "type": "table", "default": [{"load": 1.0, "note": ""}], "columns": columns},
    ]
    show.parameters(shown, "")
    head, _, *rows = capsys.readouterr().out.splitlines()[1:-1]
    cells = [[cell.strip() for cell in re.split("[│┃]", line.strip("│┃"))] for line in (head, *rows)]
    assert cells == [
        ["Parameter", "Type", "Default", "Range", "Unit", "Shown if"],
        ["at", "point", "1.5, 0, 3", "", "m", "on"],
        ["loads", "table", "1 row", "load [kN], note", "", ""],
    ]


def test_json_stays_json_and_controls_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show.json({"name": EVIL})
    printed = capsys.readouterr().out
    assert all(character.isprintable() or character == "\n" for character in printed), repr(printed)
    assert orjson.loads(printed) == {"name": EVIL}


def test_csv_has_texts_in_one_line_and_tells_that_they_are_changed(capsys: pytest.CaptureFixture[str]) -> None:
    show.csv([["in:note", "in:other"], ["a\nb", "c"], [EVIL, "d"]])
    printed = capsys.readouterr()
    assert printed.out.splitlines()[:2] == ["in:note,in:other", "a b,c"]
    assert not _CONTROL.search(printed.out)
    assert printed.err.startswith("2 texts are changed: ")
    show.csv([["in:note"], ["'=b"]])
    assert capsys.readouterr() == ("in:note\n'=b\n", "")


def test_rows_are_aligned_and_never_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    show.rows(("Name", "Id"), [["a\nb", "x" * 300], [None, 7]], "none")
    assert capsys.readouterr().out == f"Name  Id\na b   {'x' * 300}\n-     7\n"
    show.rows(("Name",), [], "There is none.")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "There is none.\n")


def test_a_table_of_counts_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    show.counts(EVIL, (EVIL, EVIL), [(EVIL, (1,))])
    assert not _CONTROL.search(capsys.readouterr().out)


@pytest.mark.parametrize("guarded", [True, False])
def test_a_progress_line_has_no_control_characters_because_they_are_escaped(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    written = io.StringIO()
    monkeypatch.setattr(show, "_err", Console(file=written, force_terminal=True, color_system=None, width=200))
    if not guarded:
        monkeypatch.setattr(show, "_safe", escape)
    with show.progress(EVIL) as say:
        say(EVIL)
    with show.counting(EVIL, 1) as add:
        add(1)
    assert bool(re.search("[\x9b\u202e]", written.getvalue())) is not guarded


def test_json_on_one_line_escapes_c1_and_marks_of_direction(capsys: pytest.CaptureFixture[str]) -> None:
    show.json({"name": EVIL}, indent=False)
    printed = capsys.readouterr().out
    assert not _CONTROL.search(printed)
    assert orjson.loads(printed) == {"name": EVIL}


@pytest.mark.parametrize("print_", [show.line, show.note, show.problem, show.warning])
def test_no_text_of_a_stranger_makes_a_line_of_its_own(
    print_: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    print_("a\r\nError: b\n\n\rc")
    (printed,) = "".join(capsys.readouterr()).splitlines()
    assert printed.endswith("a Error: b c")


@pytest.mark.parametrize("guarded", [True, False])
@pytest.mark.parametrize("configure", ["configure('api', verbose=False)", "configure_quietly()"])
def test_log_lines_have_no_control_characters_because_they_are_escaped(configure: str, guarded: bool) -> None:
    program = "import structlog; from catenary_cli import logs"
    if not guarded:
        program += "; logs.one_line = logs.escape_lines = logs.escape_controls_in_json = str"
    program += f"; logs.{configure}; structlog.get_logger().error({EVIL!r}, name={EVIL!r})"
    ended = subprocess.run([sys.executable, "-X", "utf8", "-c", program], capture_output=True, check=True, timeout=60)
    assert bool(re.search("[\x9b\u202e]", ended.stderr.decode())) is not guarded
    assert (b"u202e" in ended.stderr) is guarded


def test_only_show_and_logs_write_to_the_terminal() -> None:
    """`__main__.py` prints our own version only, without the cost of importing `show`."""
    folder = Path(show.__file__).parent
    writers = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if _writes(path.read_text())}
    assert writers == {"__main__.py", "logs.py", "show.py"}


@pytest.mark.parametrize(
    "source",
    [
        "print(1)",
        "typer.echo(1)",
        "click.secho(1)",
        "Console()",
        "sys.stdout.write('')",
        "f(sys.stderr)",
        "os.write(2, b'')",
    ],
)
def test_each_way_to_write_to_a_terminal_is_found(source: str) -> None:
    assert _writes(source)


def _writes(source: str) -> bool:
    nodes = list(ast.walk(ast.parse(source)))
    asked = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr == "isatty"}
    calls = [ast.unparse(node) for node in nodes if isinstance(node, ast.Call)]
    streams = [ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute) and id(node) not in asked]
    return any(re.match(r"(\w+\.)*(echo|secho|Console)\(|print\(|os\.write\([12],", call) for call in calls) or any(
        re.fullmatch(r"sys\.(__)?(stdout|stderr)(__)?", stream) for stream in streams
    )
