"""`catenary study` against a running server, with the tower of the demo."""

from __future__ import annotations

import csv
import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from factories.installations.installation import Running, catenary, environment

pytestmark = pytest.mark.sampled

SEARCH = (
    "--minimize", "facade_area", "--maximize", "floor_area / height", "--vary", "storeys=10..14", "--vary", "sides",
    "--fix", "twist=0", "--budget", "24", "--population", "8", "--algorithm", "nsga2", "--seed", "1",
)  # fmt: skip


def _as(running: Running) -> dict[str, str]:
    demo = running.demo
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    return {**{name: demo[key] for name, key in names.items()}, "COLUMNS": "80"}


# Slow: a search, and ten commands one after the other.
@pytest.mark.slow
@pytest.mark.gate
def test_a_search_is_followed_to_its_front_and_resumed(running: Running) -> None:
    variables, project = _as(running), running.demo["project_id"]
    shown = catenary("study", "run", project, *SEARCH, **variables)
    assert shown.returncode == 0, shown.stderr
    assert max(map(len, shown.stdout.splitlines())) <= 80
    study = shown.stdout.split()[1].rstrip(",")
    assert "minimize facade_area, maximize floor_area / height" in shown.stdout
    assert "│ knee │" in shown.stdout
    assert "K: knee" in shown.stdout, "the front is drawn"
    table = catenary("study", "front", study, "--representatives", "3", "--csv", **variables)
    rows = list(csv.DictReader(io.StringIO(table.stdout)))
    assert {"knee", "2", "3"} <= {row["chosen"] for row in rows}
    assert all(row["in:twist [deg]"] == "0.0" and row["out:floor_area / height"] for row in rows)
    every = orjson.loads(catenary("study", "results", study, "--json", **variables).stdout)["results"]
    assert [one["index"] for one in every] == list(range(24))
    points = list(csv.DictReader(io.StringIO(catenary("study", "results", study, "--csv", **variables).stdout)))
    assert [int(one["index"]) for one in points] == list(range(24))
    assert [float(one["in:storeys"]) for one in points] == [one["parameters"]["storeys"] for one in every]
    part = catenary("study", "results", study, "--rows", "3", **variables)
    assert "Gen." in part.stdout
    assert "21 further points" in part.stderr
    assert max(map(len, part.stdout.splitlines())) <= 80
    watched = orjson.loads(catenary("study", "watch", study, "--json", **variables).stdout)
    assert len(watched["points"]) == len(rows)
    resumed = catenary("study", "resume", study, "--budget", "32", "--json", **variables)
    assert resumed.returncode == 0, resumed.stderr
    assert orjson.loads(resumed.stdout)["study"]["budget"] == 32
    again = catenary("study", "resume", study, **variables)
    assert (again.returncode, again.stdout) == (1, "")
    assert "CONFLICT" in again.stderr
    listed = catenary("study", "list", project, **variables).stdout
    assert f"{study}  completed" in listed
    ended = catenary("study", "cancel", study, **variables)
    assert ended.stdout == f"Study {study} has ended already: completed\n"
    assert "Hypervolume" in catenary("study", "show", study, **variables).stdout


# Slow: a study to its end.
@pytest.mark.slow
def test_a_sensitivity_of_a_file_is_a_table_of_indices(running: Running, tmp_path: Path) -> None:
    variables, project = _as(running), running.demo["project_id"]
    file = tmp_path / "study.toml"
    file.write_text('kind = "sensitivity"\nbudget = 24\nseed = 1\n[[objectives]]\nmetric = "height"\n')
    shown = catenary("study", "run", project, str(file), "--vary", "storeys", "--vary", "twist", **variables)
    assert shown.returncode == 0, shown.stderr
    rows = [line for line in shown.stdout.splitlines() if line.startswith("│")]
    assert "storeys" in rows[0]
    assert "█" in rows[0]
    assert "█" not in rows[1], "the twist does not count for the height"
    wrong = catenary("study", "run", project, "--minimize", "hight", "--budget", "9", **variables)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "objectives[0].metric is no metric of the model" in wrong.stderr
    mistaken = catenary("study", "run", project, "--minimize", "height", **variables)
    assert mistaken.returncode == 2
    assert "--budget 500" in " ".join(mistaken.stderr.split())


# Slow: a study of many points that is left, watched and cancelled.
@pytest.mark.slow
def test_ctrl_c_leaves_the_study_running_and_says_how_to_go_on(running: Running) -> None:
    variables = _as(running)
    line = [sys.executable, "-m", "catenary_cli", "study", "run", running.demo["project_id"], "--minimize", "height"]
    process = subprocess.Popen(
        [*line, "--budget", "100000", "--population", "1000", "--algorithm", "nsga2"],
        stderr=subprocess.PIPE,
        text=True,
        env={**environment(), **variables},
    )
    assert process.stderr is not None
    study = process.stderr.readline().split()[1].rstrip(":")
    told = process.stderr.readline()
    assert re.fullmatch(r"Generation [\d,]+, front [\d,]+: [\d,]+ of 100,000\n", told), "a line every few seconds"
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"The study goes on. `catenary study watch {study}` follows it" in rest
    assert "running" in catenary("study", "show", study, **variables).stdout
    assert "cancelled" in catenary("study", "cancel", study, **variables).stdout
    watched = catenary("study", "watch", study, **variables)
    assert watched.returncode == 1, "it did not complete"
    removed = running.http.delete(f"studies/{study}?remove=true")
    assert removed.status_code == 200
