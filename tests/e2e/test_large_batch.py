"""A batch of 10,000 points leaves the memory of node and workers as it was."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from factories.installations.installation import UNLIMITED, Installation, client_of

POINTS = 10_000
MODEL = """
PARAMETERS = [{"name": "x", "type": "number", "min": 0, "max": 1000, "default": 0}]
METRICS = [{"name": "square"}]

def evaluate(p):
    return {"metrics": {"square": p["x"] ** 2}}
"""


def _deploy(http: httpx.Client) -> str:
    project = http.post("projects", json={"name": "Large"}).json()["data"]["project"]["project_id"]
    model = http.post(f"projects/{project}/models", json={"name": "square"}).json()["data"]["model"]["model_id"]
    versions = f"projects/{project}/models/{model}/versions"
    made = http.post(versions, content=MODEL, headers={"Content-Type": "text/x-python"}).json()
    version = made["data"]["model_version"]["model_version_id"]
    ended = http.get(f"{versions}/{version}", headers={"Prefer": "wait=60"}).json()["data"]["model_version"]
    assert ended["status"] == "ready", ended
    assert http.post(f"projects/{project}/deployments", json={"model_version_id": version}).status_code == 201
    return str(project)


def _memory(processes: list[psutil.Process]) -> int:
    return sum(process.memory_info().rss for process in processes)


@pytest.mark.slow
def test_memory_is_flat_over_ten_thousand_points(data_root: Path) -> None:
    installation = Installation(data_root / "large", ["--nodes", "1", "--workers", "2"], **UNLIMITED)
    try:
        http = client_of(installation.wait())
        project = _deploy(http)
        asked = {"kind": "latin_hypercube", "parameters": {"x": {"min": 0, "max": 1000}}, "size": POINTS, "seed": 1}
        made = http.post(f"projects/{project}/evaluate/plan", json=asked)
        assert made.status_code == 201, made.text
        plan = {"plan_id": made.json()["data"]["plan"]["plan_id"]}
        batch = http.post(f"projects/{project}/evaluate/batch", json=plan).json()["data"]["batch"]
        one = f"batches/{batch['batch_id']}"
        parts = {part: installation.children(f"catenary_cli {part}") for part in ("node", "worker")}
        before: dict[str, int] = {}
        counts: dict[str, Any] = batch["counts"]
        deadline = time.monotonic() + 580
        while counts["completed"] < POINTS:
            assert time.monotonic() < deadline, counts
            time.sleep(0.5)
            counts = http.get(one).json()["data"]["batch"]["counts"]
            if not before and counts["completed"] >= POINTS // 5:
                before = {part: _memory(processes) for part, processes in parts.items()}
        assert counts["failed"] == 0
        for part, processes in parts.items():
            assert _memory(processes) <= 1.1 * before[part], part
        seen, cursor = 0, ""
        while cursor is not None:
            page = http.get(f"{one}/results?limit=200{cursor and f'&cursor={cursor}'}").json()
            seen, cursor = seen + len(page["data"]["results"]), page["metadata"]["next_cursor"]
        assert seen == POINTS
        http.close()
    finally:
        assert installation.stop() == 0
