"""Another user's check behind twelve sleeping evaluations of one user, in ends of evaluations that it waited for.

Run it with `.venv/bin/python tests/bench/turns.py`. It prints the seconds of one sleep, of a check with no other work and of a
check behind the twelve (to hold: one sleep more than without them).
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.installation import catenary, client_of, measured

SLEEP = few(3)
EVALUATIONS = few(12, 4)
SOURCE = f"""
import time
PARAMETERS = [{{"name": "n", "type": "integer", "default": 0}}]
METRICS = [{{"name": "n"}}]
def evaluate(p):
    time.sleep({SLEEP} if p["n"] else 0)
    return {{"metrics": {{"n": p["n"]}}}}
"""


def _model(client: httpx.Client) -> tuple[str, str]:
    project = client.post("projects", json={"name": "Turns"}).json()["data"]["project"]["project_id"]
    model = client.post(f"projects/{project}/models", json={"name": "Sleeper"}).json()["data"]["model"]["model_id"]
    return project, model


def _check(client: httpx.Client, project: str, model: str) -> tuple[str, float]:
    """Upload a version; return its id and the seconds until its check has ended."""
    start = time.perf_counter()
    versions = f"projects/{project}/models/{model}/versions"
    made = client.post(versions, content=SOURCE, headers={"Content-Type": "text/x-python"}).json()["data"]
    version = made["model_version"]["model_version_id"]
    ended = client.get(f"{versions}/{version}", headers={"Prefer": "wait=60"}).json()["data"]["model_version"]
    assert ended["status"] == "ready", ended
    return version, time.perf_counter() - start


def _ended(client: httpx.Client, project: str) -> int:
    listed: list[dict[str, Any]] = client.get(f"projects/{project}/evaluations").json()["data"]["evaluations"]
    return sum(one["status"] == "completed" for one in listed)


def main() -> None:
    """Measures and prints."""
    with measured("--workers", "2") as installation:
        demo = installation.wait()
        made = catenary("client", "create", "other", "--json", "--data-dir", str(installation.data_dir))
        with client_of(demo) as one, client_of({**demo, **json.loads(made.stdout)}) as other:
            project, model = _model(one)
            mine = _model(other)
            version, _ = _check(one, project, model)
            one.post(f"projects/{project}/deployments", json={"model_version_id": version}).raise_for_status()
            _, alone = _check(other, *mine)
            for n in range(EVALUATIONS):
                body, headers = {"parameters": {"n": n + 1}}, {"Prefer": "respond-async"}
                one.post(f"projects/{project}/evaluate", json=body, headers=headers).raise_for_status()
            _, behind = _check(other, *mine)
            print(f"one sleep                        {SLEEP:6.2f} s")
            print(f"check alone                      {alone:6.2f} s")
            print(f"check behind {EVALUATIONS} on 2 workers     {behind:6.2f} s, {_ended(one, project)} had ended")


if __name__ == "__main__":
    main()
