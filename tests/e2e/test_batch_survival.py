"""Workers, a node and PostgreSQL killed with SIGKILL in the middle of a batch: each point is stored and counted once."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import orjson
import psycopg
import pytest
from psycopg.rows import dict_row

from factories.installations.installation import ANSWER_SECONDS, UNLIMITED, Installation, client_of
from factories.installations.models import deployed

POINTS = 400
MODEL = """
import time
PARAMETERS = [{"name": "n", "type": "integer", "min": 0, "max": 100000, "default": 0}]
METRICS = [{"name": "square"}]

def evaluate(p):
    time.sleep(0.03)
    return {"metrics": {"square": p["n"] ** 2}}
"""


class Follower:
    """Follows a batch's stream as lines, and begins again after the last item when the stream breaks."""

    def __init__(self, http: httpx.Client, batch: str) -> None:
        self._http = http
        self._url = f"batches/{batch}/stream"
        self.items: list[dict[str, Any]] = []
        self.resumed = 0

    def read(self, most: int) -> bool:
        """Read until there are `most` items; return whether the last item of the stream has come."""
        after = f"?after={self.items[-1]['id']}" if self.items else ""
        try:
            with self._http.stream(
                "GET", self._url + after, headers={"Accept": "application/x-ndjson"}, timeout=ANSWER_SECONDS
            ) as answer:
                if answer.status_code != 200:
                    assert answer.status_code in (500, 503, 504), answer.read()
                    return False
                for line in answer.iter_lines():
                    if line:
                        self.items.append(orjson.loads(line))
                        if self.items[-1]["batch"] is not None:
                            return True
                        if len(self.items) >= most:
                            return False
        except httpx.HTTPError:
            self.resumed += 1
        return False


@pytest.mark.slow
def test_each_point_of_a_batch_survives_a_kill_of_workers_node_and_postgres_once(data_root: Path) -> None:
    variables = {"CATENARY_LEASE_SECONDS": "2", **UNLIMITED}
    installation = Installation(data_root / "batches", ["--nodes", "2", "--workers", "2"], **variables)
    choose = random.Random(7)
    try:
        http = client_of(installation.wait())
        project = deployed(http, "Survival", MODEL)
        given = [{"parameters": {"n": n}} for n in range(POINTS)]
        made = http.post(f"projects/{project}/evaluate/batch", json={"evaluations": given})
        assert made.status_code == 202, made.text
        follower = Follower(http, made.json()["data"]["batch"]["batch_id"])
        victims = ["worker", "worker", "node", "postgres", "worker"]
        deadline = time.monotonic() + 240
        ended = False
        while not ended:
            assert time.monotonic() < deadline, f"{len(follower.items)} points; left to kill: {victims}"
            ended = follower.read(len(follower.items) + POINTS // 8)
            if victims and not ended:
                victim = victims.pop(0)
                if victim == "postgres":
                    os.kill(installation.postmaster(), signal.SIGKILL)
                else:
                    running = [child for child in installation.children(f"catenary_cli {victim}") if child.is_running()]
                    choose.choice(running).kill()
            time.sleep(0.1)
        assert not victims
        *points, last = follower.items
        assert [int(item["id"]) for item in follower.items] == [*range(1, POINTS + 2)]
        assert sorted(item["result"]["index"] for item in points) == [*range(POINTS)]
        assert all(item["result"]["metrics"]["square"]["value"] == item["result"]["index"] ** 2 for item in points)
        counts = last["batch"]["counts"]
        assert (counts["total"], counts["completed"], counts["cached"]) == (POINTS, POINTS, 0)
        usage = http.get(f"usage?project_id={project}").json()["data"]["usage"]
        assert usage["evaluations"] == POINTS + 1  # and the check of the version

        data_dir = installation.data_dir
        dsn = f"host={data_dir / 'run'} port=5432 user=catenary dbname=catenary passfile={data_dir / 'pg.pass'}"
        with psycopg.connect(dsn, row_factory=dict_row) as connection:
            types = connection.execute(
                "SELECT type FROM events.event WHERE type LIKE 'model.batch.%%' AND project_id = %s", [project]
            ).fetchall()
            left = connection.execute("SELECT count(*) AS n FROM jobs.job").fetchone()
        assert Counter(row["type"] for row in types) == {"model.batch.completed": 1}
        assert left == {"n": 0}
        http.close()
    finally:
        assert installation.stop() == 0
    assert not installation.children_left()
