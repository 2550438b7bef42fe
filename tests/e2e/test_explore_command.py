"""`catenary explore` against a running server, in a pseudo-terminal and with pipes."""

from __future__ import annotations

import signal
import subprocess
import sys
import termios

import orjson
import pytest

from factories.installations.installation import Running, environment
from factories.installations.terminal import Terminal

_LINE = [sys.executable, "-m", "catenary_cli", "explore"]


def _environment(running: Running) -> dict[str, str]:
    demo = running.demo
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    return {**environment(), **{name: demo[key] for name, key in names.items()}}


def _terminal(running: Running, *arguments: str) -> Terminal:
    return Terminal([*_LINE, *arguments], _environment(running))


# Slow: a process with a terminal of its own.
@pytest.mark.slow
def test_keys_change_a_parameter_and_the_metrics_move(running: Running) -> None:
    project = running.demo["project_id"]
    terminal = _terminal(running, project, "storeys=20")
    try:
        assert "\x1b[?1049h" in terminal.until("72\x1b"), "20 storeys of 3.6 m, on a screen of its own"
        terminal.press("\x1b[C")
        terminal.until("+3.6")
        terminal.press("\x1b[F")
        terminal.until("432\x1b")
        terminal.press("9999\r")
        assert "storeys must be at most 120; it is 9999." in terminal.until("it is 9999.")
        terminal.press("10\r")
        terminal.until(" 36\x1b")
        terminal.press("q")
        last = terminal.until(f"catenary evaluate {project} storeys=10")
        assert "\x1b[?1049l" in last, "the screen of before is back"
        assert terminal.process.wait(60) == 0
        assert termios.tcgetattr(terminal.theirs) == terminal.before, "lines and echo are back"
    finally:
        terminal.close()


@pytest.mark.slow
def test_a_key_keeps_the_design_once_as_an_evaluation(running: Running) -> None:
    terminal = _terminal(running, running.demo["project_id"], "storeys=23")
    try:
        terminal.until("82.8\x1b")
        terminal.press("\x1b[C")
        terminal.until("86.4\x1b")
        terminal.press("s")
        kept = terminal.matched(r"Kept: ([0-9a-f-]{36})")[1]
        terminal.press("ss")
        terminal.until(f"Kept: {kept}")
        terminal.press("97s\x1b")  # a typed value has its letters
        terminal.press("\x1b[Ds")
        other = terminal.matched(rf"Kept: (?!{kept})([0-9a-f-]{{36}})")[1]
        terminal.press("q")
        after = terminal.until("catenary evaluate").partition("\x1b[?1049l")[2]
        assert f"Kept: {kept}" in after, "the id outlives the screen"
    finally:
        terminal.close()
    for found, storeys in ((kept, 24), (other, 23)):
        evaluation = running.http.get(f"evaluations/{found}").raise_for_status().json()["data"]["evaluation"]
        assert evaluation["parameters"]["storeys"] == storeys
    listed = running.http.get(f"{running.project}/evaluations").raise_for_status().json()["data"]["evaluations"]
    assert [one["parameters"]["storeys"] for one in listed].count(24) == 1


@pytest.mark.slow
def test_ctrl_c_gives_the_terminal_back(running: Running) -> None:
    terminal = _terminal(running, running.demo["project_id"])
    try:
        terminal.until("of which the model")
        # Of a controlling terminal the key ^C is this signal.
        terminal.process.send_signal(signal.SIGINT)
        terminal.until("catenary evaluate")
        assert terminal.process.wait(60) == 130
        assert termios.tcgetattr(terminal.theirs) == terminal.before
    finally:
        terminal.close()


def test_without_a_terminal_each_line_has_its_answer(running: Running) -> None:
    given = b'{"parameters": {"storeys": 10}}\n\n{"id": 7, "parameters": {"storeys": 9999}, "geometry": true}\n{}\n'
    line = [*_LINE, running.demo["project_id"], "storeys=20"]
    done = subprocess.run(line, input=given, capture_output=True, timeout=120, check=False, env=_environment(running))
    assert done.returncode == 0, done.stderr
    first, second, third = map(orjson.loads, done.stdout.splitlines())
    assert (first["id"], first["evaluation"]["metrics"]["height"]["value"]) == (1, 36.0)
    assert (second["id"], second["error"]["code"]) == (7, "PARAMETER_OUT_OF_RANGE")
    assert (third["id"], third["evaluation"]["metrics"]["height"]["value"]) == (8, 72.0), (
        "the values of the command line"
    )
    wrong = subprocess.run(
        line, input=b"[1]\n", capture_output=True, timeout=120, check=False, env=_environment(running)
    )
    assert (wrong.returncode, wrong.stdout) == (1, b"")
    assert b"line 1 is no design" in wrong.stderr
    unknown = [*_LINE, running.demo["project_id"], "height=20"]
    refused = subprocess.run(
        unknown, input=b"", capture_output=True, timeout=120, check=False, env=_environment(running)
    )
    assert refused.returncode == 1
    assert b"height is no parameter" in refused.stderr
