"""`catenary batch` against a running server."""

from __future__ import annotations

import csv
import io
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from factories.installations.installation import Running, catenary, environment
from factories.installations.terminal import Terminal

pytestmark = pytest.mark.slow

MODEL = """
import time

PARAMETERS = [
    {"name": "side", "type": "number", "min": 1, "max": 9, "step": 0.5, "default": 2, "unit": "m"},
    {"name": "pause", "type": "number", "min": 0, "max": 20, "default": 0},
    {"name": "grade", "type": "choice", "choices": ["a", "=b"], "default": "a"},
]
METRICS = [{"name": "volume", "unit": "m3"}]
CONSTRAINTS = [{"name": "small", "metric": "volume", "op": "<=", "value": 300}]

def evaluate(p):
    time.sleep(p["pause"])
    if p["side"] == 6.5:
        raise ValueError("six and a half is not allowed")
    return {"metrics": {"volume": p["side"] ** 3}, "geometry": {}, "tables": {}}
"""


@pytest.fixture(scope="session")
def boxes(running: Running, data_root: Path) -> tuple[str, dict[str, str]]:
    """Return the id of a project with the model, and the variables of a caller."""
    demo = running.demo
    variables = {
        "CATENARY_URL": demo["base_url"],
        "CATENARY_CLIENT_ID": demo["client_id"],
        "CATENARY_CLIENT_SECRET": demo["client_secret"],
        "COLUMNS": "80",
    }
    made = running.http.post("projects", json={"name": "Boxes"}).json()["data"]["project"]["project_id"]
    file = data_root / "boxes of batches.py"
    file.write_text(MODEL)
    pushed = catenary("model", "push", str(file), "-p", made, "--deploy", **variables)
    assert pushed.returncode == 0, pushed.stderr
    return str(made), variables


def _table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# Slow: six commands one after the other.
@pytest.mark.slow
@pytest.mark.gate
def test_a_plan_is_evaluated_into_a_table_and_its_csv_is_a_batch_again(
    boxes: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    project, variables = boxes
    grid = (project, "--plan", "grid", "--vary", "side=2..8:3", "--vary", "grade")
    shown = catenary("batch", *grid, **variables)
    assert shown.returncode == 0, shown.stderr
    assert max(map(len, shown.stdout.splitlines())) <= 80
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in shown.stdout.splitlines() if "│" in line]
    assert rows[0] == ["0", "2", "a", "8", ""]
    assert rows[5] == ["5", "8", "=b", "512", "small"]
    assert rows[6] == ["volume", "8", "# 0", "512", "# 4", "m3"]
    assert shown.stdout.splitlines()[-1].startswith("6 points: 6 completed")
    table = catenary("batch", "run", *grid, "--csv", **variables)
    found = _table(table.stdout)
    assert [row["in:grade"] for row in found[:2]] == ["a", "'=b"], "no cell runs as a formula"
    assert [(row["in:side [m]"], row["out:volume [m3]"]) for row in found[-1:]] == [("8.0", "512.0")]
    again = tmp_path / "again.csv"
    again.write_text(table.stdout)
    repeated = catenary("batch", project, str(again), "--json", **variables)
    assert repeated.returncode == 0, repeated.stderr
    answer = orjson.loads(repeated.stdout)
    assert answer["batch"]["counts"]["cached"] == 6
    assert [point["parameters"]["grade"] for point in answer["results"][:2]] == ["a", "=b"]
    batch = answer["batch"]["batch_id"]
    listed = catenary("batch", "list", project, **variables)
    assert listed.stdout.splitlines()[1].startswith(f"{batch}  completed")
    assert "6 completed (6 stored already)" in listed.stdout
    kept = catenary("batch", "cancel", batch, **variables)
    assert kept.stdout == f"Batch {batch} has ended already: completed\n"
    assert orjson.loads(catenary("batch", "show", batch, "--json", **variables).stdout) == answer, "it was not removed"


@pytest.mark.sampled
def test_a_json_file_gives_the_points(boxes: tuple[str, dict[str, str]], tmp_path: Path) -> None:
    project, variables = boxes
    file = tmp_path / "points.json"
    file.write_text('[{"side": 4.5}, {"side": {"value": 16.404199475, "unit": "ft"}, "grade": "=b"}]')
    done = catenary("batch", project, str(file), "--json", **variables)
    assert done.returncode == 0, done.stderr
    answer = orjson.loads(done.stdout)
    assert answer["batch"]["name"] == "points.json"
    assert [point["metrics"]["volume"]["value"] for point in answer["results"]] == [91.125, 125]
    file.write_text('[{"side": 3}, {"widht": 4}]')
    refused = catenary("batch", project, str(file), **variables)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "widht" in refused.stderr


@pytest.mark.sampled
def test_a_point_that_fails_is_told_and_the_exit_code_is_1(boxes: tuple[str, dict[str, str]], tmp_path: Path) -> None:
    project, variables = boxes
    file = tmp_path / "points.csv"
    file.write_text("side [ft],grade\n9.842519685,a\n21.3254593176,a\n")
    done = catenary("batch", project, str(file), **variables)
    assert done.returncode == 1
    assert "│ 1 │  6.5 │        │ failed │" in done.stdout
    assert "Warning: Point 1 failed: " in done.stderr
    assert "six and a half is not allowed (line 15)" in done.stderr
    assert "2 points: 1 completed, 1 failed" in done.stdout
    file.write_text("side,widht\n3,4\n")
    refused = catenary("batch", project, str(file), **variables)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "widht" in refused.stderr
    file.write_text("side\n33\n44\n")
    refused = catenary("batch", project, str(file), **variables)
    assert len(refused.stderr.splitlines()) == 2, "a line for each fault"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "give a file of points, or a plan"),
        (("--plan", "sobol", "--vary", "side"), "say how many points"),
        (("--plan", "grid", "--size", "3", "--vary", "side"), "a grid has every combination"),
        (("--plan", "grid"), "name what varies"),
        (("--plan", "grid", "--vary", "side=x..2"), "'x' is no number"),
        (("--plan", "grid", "--vary", "side", "--vary", "side=2"), "side is given twice"),
        (("--plan", "grid", "--vary", "side", "--json", "--csv"), "one of --json and --csv only"),
    ],
)
@pytest.mark.sampled
def test_options_that_do_not_fit_are_told_before_a_call(arguments: tuple[str, ...], told: str) -> None:
    nowhere = {"CATENARY_URL": "http://127.0.0.1:9/v1/", "CATENARY_CLIENT_ID": "i", "CATENARY_CLIENT_SECRET": "s"}
    refused = catenary("batch", "run", "P", *arguments, **nowhere)
    assert refused.returncode == 2
    assert told in " ".join(refused.stderr.split())


# Slow: a model of its own that pauses, and a process with a terminal of its own.
@pytest.mark.sampled
@pytest.mark.slow
def test_ctrl_c_at_a_terminal_asks_whether_to_cancel(boxes: tuple[str, dict[str, str]]) -> None:
    project, variables = boxes
    line = [sys.executable, "-m", "catenary_cli", "batch", project, "--plan", "grid", "--vary", "pause=16,17,18"]
    terminal = Terminal(line, {**environment(), **variables})
    try:
        batch = terminal.until("points").split("Batch ")[1].split(":")[0]
        _until_running(batch, variables)
        terminal.until("0/3")
        terminal.process.send_signal(signal.SIGINT)
        terminal.until("Cancel the batch too? [y/N]")
        terminal.press("y\n")
        terminal.until(f"Batch {batch}: cancelled")
        assert terminal.process.wait(60) == 130
    finally:
        terminal.close()
    shown = orjson.loads(catenary("batch", "show", batch, "--json", **variables).stdout)
    assert shown["batch"]["status"] == "cancelled"


# Slow: a model of its own that pauses, and a process with a terminal of its own.
@pytest.mark.sampled
@pytest.mark.slow
def test_a_bar_tells_failures_speed_and_the_time_left(boxes: tuple[str, dict[str, str]], tmp_path: Path) -> None:
    project, variables = boxes
    file = tmp_path / "points.csv"
    file.write_text("side,pause\n6.5,0\n" + "".join(f"{side},2\n" for side in (2, 3, 4, 5, 6, 7)))
    line = [sys.executable, "-m", "catenary_cli", "batch", project, str(file)]
    terminal = Terminal(line, {**environment(), **variables})
    try:
        terminal.matched(r"1 without result[^\r\n]*[2-6]/7[^\r\n]*\d\.\d/s[^\r\n]*0\d:\d\d")
        assert "7 points: 6 completed, 1 failed" in terminal.until("1 failed\r\n")
        assert terminal.process.wait(60) == 1
    finally:
        terminal.close()


# Slow: a model of its own that pauses, and two commands beside each other.
@pytest.mark.sampled
@pytest.mark.slow
def test_ctrl_c_leaves_the_batch_running_and_says_how_to_go_on(boxes: tuple[str, dict[str, str]]) -> None:
    project, variables = boxes
    line = [sys.executable, "-m", "catenary_cli", "batch", project, "--plan", "grid", "--vary", "pause=8,9"]
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env={**environment(), **variables})
    assert process.stderr is not None
    batch = process.stderr.readline().split()[1].rstrip(":")
    _until_running(batch, variables)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"The batch goes on. `catenary batch watch {batch}` follows it" in told
    watched = catenary("batch", "watch", batch, "--json", **variables)
    assert watched.returncode == 0, watched.stderr
    assert orjson.loads(watched.stdout)["batch"]["counts"]["completed"] == 2


def _until_running(batch: str, variables: dict[str, str]) -> None:
    end = time.monotonic() + 60
    found: dict[str, Any] = {}
    while found.get("status") != "running":
        assert time.monotonic() < end, found
        found = orjson.loads(catenary("batch", "show", batch, "--json", **variables).stdout)["batch"]
