"""The commands against a running server."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
import pytest

from catenary_edge.pages import guide_pages
from factories.checks.documents import README
from factories.installations.installation import Installation, Running, catenary, environment

pytestmark = pytest.mark.slow

MODEL = """
PARAMETERS = [{"name": "side", "type": "number", "min": 1, "max": 9, "step": 0.5, "default": 2, "unit": "m"}]
METRICS = [{"name": "volume", "unit": "m3"}, {"name": "area", "unit": "m2"}]

def evaluate(p):
    from manifold3d import Manifold
    if p["side"] == 6.5:
        raise ValueError("six and a half is not allowed")
    cube = Manifold.cube((p["side"],) * 3)
    return {"metrics": {"volume": cube.volume(), "area": cube.surface_area()}, "geometry": {"cube": cube}}
"""


def _as(running: Running) -> dict[str, str]:
    demo = running.demo
    return {
        "CATENARY_URL": demo["base_url"],
        "CATENARY_CLIENT_ID": demo["client_id"],
        "CATENARY_CLIENT_SECRET": demo["client_secret"],
    }


def _project(running: Running) -> str:
    answer = running.http.post("projects", json={"name": "Command line"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["project"]["project_id"])


def test_a_model_is_pushed_deployed_and_evaluated_into_a_file(running: Running, tmp_path: Path) -> None:
    project, file, out = _project(running), tmp_path / "cube.py", tmp_path / "cube.glb"
    file.write_text(MODEL)
    pushed = catenary("model", "push", str(file), "--project", project, "--deploy", **_as(running))
    assert pushed.returncode == 0, pushed.stderr
    assert "version 1" in pushed.stdout
    assert "deployed, deterministic" in pushed.stdout
    evaluated = catenary("evaluate", project, "side=3", "--out", str(out), **_as(running))
    assert evaluated.returncode == 0, evaluated.stderr
    assert "27" in evaluated.stdout
    assert evaluated.stdout.index("volume") < evaluated.stdout.index("area"), "as they are declared"
    assert out.read_bytes()[:4] == b"glTF"
    again = catenary("evaluate", project, "side=3000 mm", **_as(running))
    assert "(stored)" in again.stdout, again.stdout + again.stderr


TWO_SHAPES = """
PARAMETERS = [{"name": "side", "type": "number", "default": 2, "unit": "metre"}]
GEOMETRY_UNIT = "mm"

def evaluate(p):
    from manifold3d import Manifold
    print("side is", p["side"], "\x1b[31m")
    if p["side"] == 3:
        raise ValueError("three is not allowed")
    cube = Manifold.cube((p["side"],) * 3)
    return {"metrics": {"volume": cube.volume()}, "geometry": {"low": cube, "high": cube.translate((0, 0, 10))}}
"""


def test_geometry_is_written_in_the_format_of_the_suffix_after_the_table(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "cube.py"
    file.write_text(MODEL)
    assert catenary("model", "push", str(file), "-p", project, "--deploy", **_as(running)).returncode == 0
    begins = {"glb": b"glTF", "3mf": b"PK", "stl": b"Catenary; unit m;"}
    for suffix, begin in begins.items():
        out = tmp_path / "new folder" / f"part.{suffix.upper() if suffix == 'stl' else suffix}"
        done = catenary("evaluate", project, "--out", str(out), **_as(running))
        assert done.returncode == 0, done.stderr
        assert done.stdout.index("volume") < done.stdout.index(f"{out}: "), "the table comes first"
        assert out.read_bytes().startswith(begin), suffix
        assert list(out.parent.iterdir()) == [out], "one geometry takes the exact name"
        out.unlink()
    refused = catenary("evaluate", project, "--out", str(tmp_path / "part.step"), **_as(running))
    assert refused.returncode == 1
    assert "8" in refused.stdout, "the table is there although the file is not"
    assert "cube is not given as step; ask for 3mf, glb, stl." in refused.stderr
    assert not (tmp_path / "part.step").exists()
    wrong = catenary("evaluate", project, "--out", "part.obj", **_as(running))
    assert (wrong.returncode, wrong.stdout) == (2, ""), "refused before the evaluation"


# Slow: a model of its own is pushed; one geometry is written by a test of the default run.
@pytest.mark.slow
def test_several_geometries_take_their_names_and_a_folder_gets_all(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "two.py"
    file.write_text(TWO_SHAPES)
    assert catenary("model", "push", str(file), "-p", project, "--deploy", **_as(running)).returncode == 0
    out = tmp_path / "out"
    done = catenary("evaluate", project, "--out", str(out / "part.stl"), **_as(running))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["part-high.stl", "part-low.stl"]
    for folder in (out, tmp_path / "made", f"{tmp_path}/with.dot/"):
        done = catenary("evaluate", project, "--out", str(folder), **_as(running))
        assert done.returncode == 0, done.stderr
        assert {"high.glb", "low.glb"} <= {path.name for path in Path(folder).iterdir()}


def test_an_author_sees_remarks_prints_and_calls(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "two.py"
    file.write_text(TWO_SHAPES)
    pushed = catenary("model", "push", str(file), "-p", project, "--deploy", **_as(running))
    assert 'Warning: PARAMETERS: side: There is no unit "metre"; did you mean m?' in pushed.stderr
    assert "Warning: evaluate returns the metric volume, which METRICS does not declare" in pushed.stderr
    done = catenary("evaluate", project, **_as(running))
    assert "The model printed:\nside is 2.0 \\x1b[31m\n" in done.stderr
    failed = catenary("evaluate", project, "side=3", **_as(running))
    assert failed.returncode == 1
    chain = """The model printed:
side is 3.0 \\x1b[31m
Call chain (most recent call last):
  File "model.py", line 9, in evaluate
    raise ValueError("three is not allowed")
ValueError: three is not allowed
Error: failed: ValueError: three is not allowed (line 9) [MODEL_FAILED]
"""
    assert failed.stderr == chain
    file.write_text(TWO_SHAPES.replace('"default": 2', '"default": 3'))
    refused = catenary("model", "push", str(file), "-p", project, **_as(running))
    assert refused.returncode == 1
    assert chain.replace("Error: failed", "Error: the check failed").replace(" [MODEL_FAILED]", "") == refused.stderr
    faulty = tmp_path / "faulty.py"
    faulty.write_text(
        'PARAMETERS = [\n{"name": "a", "type": "number"},\n{"name": "b", "type": "number"},\n]\ndef evaluate(p): return {}\n'
    )
    refused = catenary("model", "push", str(faulty), "-p", project, **_as(running))
    assert refused.stderr.splitlines()[-2:] == [
        "Also line 3: PARAMETERS: b: has no default.",
        "Error: the check failed: PARAMETERS: a: has no default. (line 2)",
    ]
    logged = catenary("model", "log", "two", "-p", project, **_as(running))
    assert logged.stdout == chain.removeprefix("The model printed:\n").partition("Error: failed")[0]


@pytest.mark.slow
def test_the_models_of_a_project_are_listed_shown_and_deployed(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "cube.py"
    file.write_text(MODEL)

    def ask(*arguments: str) -> dict[str, Any]:
        done = catenary(*arguments, "--json", **_as(running))
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = orjson.loads(done.stdout)
        return answer

    assert project in catenary("project", "list", **_as(running)).stdout
    assert project in [one["project_id"] for one in ask("project", "list")["projects"]]
    assert "no models" in catenary("model", "list", "-p", project, **_as(running)).stderr
    assert "no deployed model" in catenary("parameters", project, **_as(running)).stderr
    first = ask("model", "push", str(file), "-p", project)
    assert (first["deployed"], first["model_version"]["status"]) == (False, "ready")
    second = ask("model", "push", str(file), "-p", project)
    assert second["model_version"]["number"] == 2
    (model,) = ask("model", "list", "-p", project)["models"]
    assert (model["name"], model["latest_model_version_id"]) == ("cube", second["model_version"]["model_version_id"])
    for wanted, arguments in ((2, ()), (1, ("--version", "1"))):
        done = catenary("model", "deploy", "cube", "-p", project, *arguments, **_as(running))
        assert (done.returncode, f"cube, version {wanted} (" in done.stdout, done.stdout.endswith("active\n")) == (
            0,
            True,
            True,
        )
    shown = ask("model", "show", model["model_id"], "-p", project)
    assert [one["number"] for one in shown["model_versions"]] == [2, 1]
    listed = catenary("model", "show", "cube", "-p", project, **_as(running)).stdout.splitlines()
    assert [line.split()[2] for line in listed[2:4]] == ["ready", "deployed"]
    (side,) = ask("parameters", project)["parameters"]
    assert (side["name"], side["unit"]) == ("side", "m")
    assert "side" in catenary("parameters", project, **_as(running)).stdout
    assert ask("evaluate", project, "side=3")["evaluation"]["metrics"]["volume"]["value"] == 27
    for arguments, expected in (
        (("model", "show", "tower", "-p", project), "has no model tower"),
        (("model", "deploy", "cube", "-p", project, "--version", "9"), "has no version 9"),
    ):
        refused = catenary(*arguments, **_as(running))
        assert (refused.returncode, expected in refused.stderr) == (1, True)


@pytest.mark.slow
def test_a_model_and_a_version_are_deleted_after_a_question(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "cube.py"
    file.write_text(MODEL)
    for deploy in ([], ["--deploy"]):
        assert catenary("model", "push", str(file), "-p", project, *deploy, **_as(running)).returncode == 0

    def delete(*arguments: str) -> tuple[int, str, str]:
        done = catenary("model", "delete", "cube", "-p", project, *arguments, **_as(running))
        return done.returncode, done.stdout, done.stderr

    def listed() -> list[int]:
        done = catenary("model", "show", "cube", "-p", project, "--json", **_as(running))
        return [one["number"] for one in orjson.loads(done.stdout)["model_versions"]]

    code, shown, asked = delete("--version", "1")
    assert (code, shown, "Aborted" in asked) == (1, "", True), "nobody answered the question"
    assert asked.startswith("Delete cube, version 1?")
    assert listed() == [2, 1]
    code, _, problem = delete("--version", "2", "--yes")
    assert (code, "CONFLICT" in problem) == (1, True), "it is deployed"
    assert delete("--version", "1", "--yes")[:2] == (0, "cube, version 1: deleted\n")
    assert listed() == [2]
    other = tmp_path / "other.py"
    other.write_text(MODEL)
    assert catenary("model", "push", str(other), "-p", project, "--deploy", **_as(running)).returncode == 0
    assert delete("-y")[:2] == (0, "cube: deleted\n")
    code, asked, problem = delete()
    assert (code, asked, "has no model cube" in problem) == (1, "", True), "no question about an unknown model"


@pytest.mark.slow
def test_the_import_examples_of_readme_and_guide_run_on_the_demo_as_printed(data_root: Path, tmp_path: Path) -> None:
    """The shell runs the blocks as they stand, in an empty folder; `catenary` is found as after the activation of a venv."""
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    known = {**environment(), "CATENARY_DATA_DIR": str(data_root / "imported")}
    known["PATH"] = f"{Path(sys.executable).parent}:{known['PATH']}"
    pages = [guide_pages.text_of("import"), README.read_text()]
    blocks = [block for page in pages for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)]
    wanted = [block for block in blocks if "catenary import" in block]
    assert len(wanted) == 3
    *_, example = re.findall(r"```json\n(.*?)```", pages[0], re.DOTALL)
    (tmp_path / "tower.json").write_text(example)
    installation = Installation(
        data_root / "imported", ["--workers", "1"]
    )  # its own: other tests count the demo's rows
    try:
        demo = installation.wait()
        known |= {"CLIENT_ID": demo["client_id"], "CLIENT_SECRET": demo["client_secret"]}
        for block in [*wanted, "catenary import tower.json", *wanted]:
            done = subprocess.run(
                ["bash", "-e"],
                input=block.replace("https://catenary.example/v1/", demo["base_url"]),
                capture_output=True,
                text=True,
                cwd=tmp_path,
                env=known,
                timeout=300,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            assert " is imported" in done.stdout
    finally:
        installation.stop()


@pytest.mark.slow
@pytest.mark.gate
def test_a_push_is_few_requests_however_long_its_check_takes(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "slow.py"
    file.write_text(MODEL.replace("    from manifold3d", "    import time\n    time.sleep(1.5)\n    from manifold3d"))
    before = running.installation.log.count('"event":"request"')
    began = time.monotonic()
    pushed = catenary("model", "push", str(file), "--project", project, "--deploy", **_as(running))
    assert pushed.returncode == 0, pushed.stderr
    waits = 1 + int(time.monotonic() - began) // 60  # one request waits up to a minute
    lines = [orjson.loads(line) for line in running.installation.log.splitlines() if '"event":"request"' in line]
    routes = [f"{line['method']} {line['route']}" for line in lines[before:] if "auth" not in line["route"]]
    path = "/v1/projects/{project_id}"
    assert routes.count(f"GET {path}/models/{{model_id}}/versions/{{model_version_id}}") <= waits
    assert [route for route, _ in groupby(routes)] == [
        f"GET {path}/models",
        f"POST {path}/models",
        f"POST {path}/models/{{model_id}}/versions",
        f"GET {path}/models/{{model_id}}/versions/{{model_version_id}}",
        f"POST {path}/deployments",
    ]


@pytest.mark.slow
def test_what_goes_wrong_is_one_sentence_and_exit_code_1(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "cube.py"
    file.write_text(MODEL)
    nothing = catenary("evaluate", project, **_as(running))
    assert (nothing.returncode, "MODEL_NOT_DEPLOYED" in nothing.stderr) == (1, True)
    assert catenary("model", "push", str(file), "-p", project, "--deploy", **_as(running)).returncode == 0
    for value, expected in (
        ("side=11", "PARAMETER_OUT_OF_RANGE"),
        ("width=1", "UNKNOWN_PARAMETER"),
        ("side=2 kg", "VALIDATION_ERROR"),
        ("side", "write name=value"),
        ("side=6.5", "six and a half is not allowed"),
    ):
        refused = catenary("evaluate", project, value, **_as(running))
        assert refused.returncode == 1, refused.stdout
        assert expected in refused.stderr
        assert "Traceback" not in refused.stderr
    broken = tmp_path / "broken.py"
    broken.write_text(MODEL.replace("METRICS = [", "METRICS = [["))
    failed = catenary("model", "push", str(broken), "-p", project, **_as(running))
    assert failed.returncode == 1
    assert "line" in failed.stderr
    wrong = catenary("token", **{**_as(running), "CATENARY_CLIENT_SECRET": "wrong"})
    assert (wrong.returncode, "INVALID_CLIENT" in wrong.stderr) == (1, True)
    nowhere = catenary("token", "--data-dir", str(tmp_path))
    assert nowhere.returncode == 2
    assert "--client-id" in nowhere.stderr


def test_a_client_made_on_the_command_line_can_call(running: Running) -> None:
    made = catenary("client", "create", "Robot", "--json", "--data-dir", str(running.installation.data_dir))
    assert made.returncode == 0, made.stderr
    client = orjson.loads(made.stdout)
    token = catenary(
        "token",
        CATENARY_URL=running.demo["base_url"],
        CATENARY_CLIENT_ID=client["client_id"],
        CATENARY_CLIENT_SECRET=client["client_secret"],
    )
    assert token.returncode == 0, token.stderr
    answer = running.http.get("projects", headers={"Authorization": f"Bearer {token.stdout.strip()}"})
    assert answer.status_code == 200
    assert answer.json()["data"]["projects"] == []


# Slow: two starts of a database.
@pytest.mark.slow
def test_a_command_closes_an_older_data_directory_and_tells_it_beside_its_output(data_root: Path) -> None:
    data_dir = data_root / "older"
    line = ("db", "upgrade", "--data-dir", str(data_dir))
    first = catenary(*line)
    assert (first.returncode, first.stderr) == (0, "")
    (data_dir / "secret.key").chmod(0o644)
    (data_dir / "pg.log").chmod(0o644)
    data_dir.chmod(0o755)
    second = catenary(*line)
    assert second.stdout == first.stdout
    assert second.stderr.startswith("Warning: Other users of this machine could reach ")
    assert str(data_dir / "secret.key") in second.stderr
    closed = {path: path.stat().st_mode & 0o007 for path in (data_dir, data_dir / "secret.key", data_dir / "pg.log")}
    assert set(closed.values()) == {0}
    third = catenary(*line)
    assert (third.stdout, third.stderr) == (first.stdout, "")
