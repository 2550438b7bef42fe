"""Processes killed with SIGKILL while 200 evaluations run: each that was accepted ends in exactly one final state."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row

from factories.installations.installation import ANSWER_SECONDS, UNLIMITED, Installation

EVALUATIONS = 200
FINAL = {"completed", "failed", "timed_out", "cancelled"}
MODEL = """
import time
PARAMETERS = [{"name": "n", "type": "integer", "min": 0, "max": 100000, "default": 0}]
METRICS = [{"name": "square"}]

def evaluate(p):
    time.sleep(0.1)
    return {"metrics": {"square": p["n"] ** 2}}
"""


def _connect(demo: dict[str, Any]) -> httpx.Client:
    http = httpx.Client(base_url=demo["base_url"], timeout=ANSWER_SECONDS)
    secret = {"client_id": demo["client_id"], "client_secret": demo["client_secret"]}
    answer = http.post("auth/token", json={"grant_type": "client_credentials", **secret})
    http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
    return http


def _deploy(http: httpx.Client) -> str:
    project = http.post("projects", json={"name": "Survival"}).json()["data"]["project"]["project_id"]
    model = http.post(f"projects/{project}/models", json={"name": "square"}).json()["data"]["model"]["model_id"]
    versions = f"projects/{project}/models/{model}/versions"
    made = http.post(versions, content=MODEL, headers={"Content-Type": "text/x-python"}).json()
    version = made["data"]["model_version"]["model_version_id"]
    deadline = time.monotonic() + 60
    while http.get(f"{versions}/{version}").json()["data"]["model_version"]["status"] != "ready":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert http.post(f"projects/{project}/deployments", json={"model_version_id": version}).status_code == 201
    return str(project)


def _post(http: httpx.Client, project: str, n: int) -> str | None:
    """Ask for an evaluation; return its id, or None when the request was not acknowledged."""
    try:
        answer = http.post(
            f"projects/{project}/evaluate",
            json={"parameters": {"n": n}},
            headers={"Prefer": "respond-async"},
            timeout=5,
        )
    except httpx.HTTPError:
        return None
    if answer.status_code in (200, 202):
        return str(answer.json()["data"]["evaluation"]["evaluation_id"])
    assert answer.status_code in (500, 503, 504), answer.text
    return None


def _get(http: httpx.Client, evaluation_id: str) -> dict[str, Any] | None:
    try:
        answer = http.get(f"evaluations/{evaluation_id}")
    except httpx.HTTPError:
        return None
    if answer.status_code in (500, 503, 504):
        return None
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]["evaluation"]
    return found


@pytest.mark.slow
def test_evaluations_survive_a_kill_of_core_worker_and_postgres(data_root: Path) -> None:
    variables = {"CATENARY_LEASE_SECONDS": "2", **UNLIMITED}
    installation = Installation(data_root / "survival", ["--nodes", "2", "--workers", "2"], **variables)
    choose = random.Random(7)
    killed: Counter[str] = Counter()
    http: httpx.Client | None = None
    try:
        http = _connect(installation.wait())
        project = _deploy(http)
        accepted: dict[str, int] = {}
        asked = 0
        while len(accepted) < EVALUATIONS:
            asked += 1
            assert asked < 50 * EVALUATIONS, f"only {len(accepted)} were accepted; killed {killed}"
            evaluation_id = _post(http, project, asked)
            if evaluation_id is None:
                time.sleep(0.1)
            else:
                assert evaluation_id not in accepted
                accepted[evaluation_id] = asked
            if len(accepted) % 20 == 10 and sum(killed.values()) <= len(accepted) // 20:
                victim = ("node", "worker", "postgres")[sum(killed.values()) % 3]
                if victim == "postgres":
                    os.kill(installation.postmaster(), signal.SIGKILL)
                else:
                    running = [child for child in installation.children(f"catenary_cli {victim}") if child.is_running()]
                    if not running:
                        continue
                    choose.choice(running).kill()
                killed[victim] += 1
        assert set(killed) == {"node", "worker", "postgres"}

        ended: dict[str, dict[str, Any]] = {}
        deadline = time.monotonic() + 120
        while len(ended) < len(accepted):
            assert time.monotonic() < deadline, f"{len(accepted) - len(ended)} evaluations did not end; killed {killed}"
            for evaluation_id in accepted.keys() - ended.keys():
                found = _get(http, evaluation_id)
                if found is not None and found["status"] in FINAL:
                    ended[evaluation_id] = found
            time.sleep(0.2)

        for evaluation_id, n in accepted.items():
            found = ended[evaluation_id]
            if found["status"] == "completed":
                assert found["metrics"]["square"]["value"] == n**2
            else:
                # A job whose worker was killed three times over is given up, and says so.
                assert (found["status"], found["error"]["code"]) == ("failed", "UNAVAILABLE")
        statuses = Counter(found["status"] for found in ended.values())
        assert statuses["completed"] >= EVALUATIONS * 0.95, statuses

        data_dir = installation.data_dir
        dsn = f"host={data_dir / 'run'} port=5432 user=catenary dbname=catenary passfile={data_dir / 'pg.pass'}"
        with psycopg.connect(dsn, row_factory=dict_row) as connection:
            events = connection.execute(
                "SELECT subject, array_agg(type) AS types FROM events.event"
                " WHERE type LIKE 'model.evaluation.%%' AND project_id = %s GROUP BY subject",
                [project],
            ).fetchall()
            left = connection.execute("SELECT count(*) AS n FROM jobs.job").fetchone()
        assert left == {"n": 0}
        by_subject = {event["subject"]: event["types"] for event in events}
        for evaluation_id in accepted:
            expected = "completed" if ended[evaluation_id]["status"] == "completed" else "failed"
            assert by_subject[f"/v1/evaluations/{evaluation_id}"] == [f"model.evaluation.{expected}"]
    finally:
        if http is not None:
            http.close()
        assert installation.stop() == 0
    assert not installation.children_left()
