"""What a newcomer meets in the first minute."""

from __future__ import annotations

import re
import stat
import subprocess
from pathlib import Path

import orjson

from factories.installation import Running, catenary, environment


def test_serve_demo_once_makes_everything_and_ends(data_root: Path) -> None:
    data_dir = data_root / "once"
    ports = ["--port", "0", "--grpc-port", "0", "--admin-port", "0"]
    first = catenary("serve", "--demo", "--once", "--data-dir", str(data_dir), *ports)
    assert first.returncode == 0, first.stderr
    assert re.search(r"floor_area\s+│\s+[\d,.]+\s+│ m2", first.stdout), first.stdout
    assert "Constraint compact" in first.stdout
    file = data_dir / "demo.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    demo = orjson.loads(file.read_bytes())
    assert set(demo) == {"base_url", "grpc_address", "client_id", "client_secret", "project_id"}
    assert demo["base_url"].endswith("/v1/")
    assert demo["client_secret"] in first.stdout

    again = catenary("serve", "--demo", "--once", "--data-dir", str(data_dir), *ports)
    assert again.returncode == 0, again.stderr
    kept = orjson.loads(file.read_bytes())
    assert {key: kept[key] for key in ("client_id", "client_secret", "project_id")} == {
        key: demo[key] for key in ("client_id", "client_secret", "project_id")
    }
    assert "(stored)" in again.stdout


def test_the_printed_curl_line_works_as_printed(running: Running) -> None:
    printed = running.installation.log.split("Evaluate it yourself:", 1)[1]
    lines = [line for line in printed.splitlines() if line.startswith(("TOKEN=", "curl "))]
    assert len(lines) == 2
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, check=True, timeout=60, env=environment()
    )
    answer = orjson.loads(done.stdout)
    assert answer["success"] is True
    assert answer["data"]["evaluation"]["status"] == "completed"
    assert answer["data"]["evaluation"]["parameters"]["storeys"] == 42


def test_every_demo_model_is_ready_and_deterministic(running: Running) -> None:
    models = running.http.get(f"{running.project}/models").json()["data"]["models"]
    assert [model["name"] for model in models] == ["Twisted tower", "Truss bridge", "Space frame roof"]
    for model in models:
        versions = running.http.get(f"{running.project}/models/{model['model_id']}/versions").json()["data"][
            "model_versions"
        ]
        assert [(version["status"], version["deterministic"]) for version in versions] == [("ready", True)]
        assert versions[0]["constraints"]
