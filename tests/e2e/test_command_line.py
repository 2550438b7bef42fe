"""The commands against a running server."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from factories.installations.installation import Running, catenary

MODEL = """
PARAMETERS = [{"name": "side", "type": "number", "min": 1, "max": 9, "step": 0.5, "default": 2, "unit": "m"}]
METRICS = [{"name": "volume", "unit": "m3"}]

def evaluate(p):
    from manifold3d import Manifold
    if p["side"] == 6.5:
        raise ValueError("six and a half is not allowed")
    cube = Manifold.cube((p["side"],) * 3)
    return {"metrics": {"volume": cube.volume()}, "geometry": {"cube": cube}}
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
    assert out.read_bytes()[:4] == b"glTF"
    again = catenary("evaluate", project, "side=3000 mm", **_as(running))
    assert "(stored)" in again.stdout, again.stdout + again.stderr


@pytest.mark.slow
def test_a_push_is_few_requests_however_long_its_check_takes(running: Running, tmp_path: Path) -> None:
    project, file = _project(running), tmp_path / "slow.py"
    file.write_text(MODEL.replace("    from manifold3d", "    import time\n    time.sleep(1.5)\n    from manifold3d"))
    before = running.installation.log.count('"event":"request"')
    pushed = catenary("model", "push", str(file), "--project", project, "--deploy", **_as(running))
    assert pushed.returncode == 0, pushed.stderr
    lines = [orjson.loads(line) for line in running.installation.log.splitlines() if '"event":"request"' in line]
    routes = [f"{line['method']} {line['route']}" for line in lines[before:] if "auth" not in line["route"]]
    path = "/v1/projects/{project_id}"
    assert routes == [
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
