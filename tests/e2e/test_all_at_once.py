"""Batches, studies, results, removals, purges and deletions at once: no deadlock, no internal error, and sums that are right."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row

from factories.installations.installation import ANSWER_SECONDS, UNLIMITED, Installation, client_of
from factories.installations.models import deployed

SECONDS = 30.0
REFUSED = {404, 409, 412, 429}
"""What of two at once the second is told, and what a user with ten bulk operations is."""
MODEL = """
from manifold3d import Manifold
PARAMETERS = [{"name": "n", "type": "integer", "min": 1, "max": 40, "default": 1}]
METRICS = [{"name": "square"}]

def evaluate(p):
    return {"metrics": {"square": p["n"] ** 2}, "geometry": {"cube": Manifold.cube((p["n"], 1, 1))}}
"""


class Crowd:
    """Callers who do at once what may be done to one project."""

    def __init__(self, http: httpx.AsyncClient, project: str) -> None:
        self._http = http
        self._project = project
        self._random = random.Random(7)
        self.answers: Counter[tuple[str, int]] = Counter()
        """Answers by method and status."""

    async def ask(self, method: str, path: str, **given: Any) -> dict[str, Any]:
        """Return the data of an answer; nothing of a refusal."""
        answer = await self._http.request(method, path, **given)
        self.answers[method, answer.status_code] += 1
        assert answer.status_code < 300 or answer.status_code in REFUSED, (method, path, answer.text)
        return (
            dict(answer.json()["data"]) if answer.status_code < 300 and "json" in answer.headers["content-type"] else {}
        )

    async def _one_of(self, kind: str, **filters: Any) -> dict[str, Any]:
        data = await self.ask("GET", f"projects/{self._project}/{kind}", params={"limit": 20, **filters})
        found: list[dict[str, Any]] = data.get(kind, [])
        return self._random.choice(found) if found else {}

    async def begin_batch(self) -> None:
        """Begin a batch, of which every third keeps its geometry."""
        points = [{"parameters": {"n": self._random.randint(1, 40)}} for _ in range(self._random.randint(1, 12))]
        given = {"evaluations": points, "geometry": self._random.random() < 0.3}
        await self.ask("POST", f"projects/{self._project}/evaluate/batch", json=given)

    async def end_batch(self) -> None:
        """Cancel or remove a batch."""
        if batch := await self._one_of("batches"):
            await self.ask("DELETE", f"batches/{batch['batch_id']}", params=self._either())

    def _either(self) -> dict[str, str]:
        """Return the query of a deletion that cancels or removes."""
        return {"remove": self._random.choice(("true", "false"))}

    async def ask_for_geometry(self) -> None:
        """Have the geometry of a point made."""
        if batch := await self._one_of("batches", status="completed"):
            data = await self.ask("GET", f"batches/{batch['batch_id']}/results", params={"limit": 5})
            for point in data.get("results", []):
                await self.ask("GET", f"evaluations/{point['evaluation_id']}/geometry/cube")

    async def evaluate(self) -> None:
        """Begin an evaluation, and end or remove another one."""
        given = {"parameters": {"n": self._random.randint(1, 40)}, "force": self._random.random() < 0.5}
        await self.ask("POST", f"projects/{self._project}/evaluate", json=given, headers={"Prefer": "respond-async"})
        if evaluation := await self._one_of("evaluations"):
            await self.ask("DELETE", f"evaluations/{evaluation['evaluation_id']}", params=self._either())

    async def purge(self) -> None:
        """Remove all that has ended."""
        given = {"older_than": "2999-01-01T00:00:00Z", "unused": True}
        await self.ask("POST", f"projects/{self._project}/evaluations/purge", json=given)
        await asyncio.sleep(0.5)

    async def study(self) -> None:
        """Begin a study, or end, resume or remove one."""
        given = {"kind": "optimization", "objectives": [{"metric": "square"}], "budget": 20, "population": 5}
        study = await self._one_of("studies")
        if not study or self._random.random() < 0.3:
            await self.ask("POST", f"projects/{self._project}/studies", json=given)
            return
        path = f"studies/{study['study_id']}"
        first, second = self._random.sample(
            [("POST", f"{path}/resume"), ("POST", f"{path}/cancel"), ("DELETE", path)], 2
        )
        await asyncio.gather(*(self.ask(*one, json={} if one[0] == "POST" else None) for one in (first, second)))

    async def deploy(self) -> None:
        """Deploy another version, and delete the ones before, of which points may wait."""
        for model in (await self.ask("GET", f"projects/{self._project}/models")).get("models", []):
            versions = f"projects/{self._project}/models/{model['model_id']}/versions"
            content, kinds = f"{MODEL}\n# {self._random.random()}", {"Content-Type": "text/x-python"}
            made = (await self.ask("POST", versions, content=content, headers=kinds)).get("model_version", {})
            one = f"{versions}/{made.get('model_version_id')}"
            while made.get("status") in ("uploaded", "checking"):
                made = (await self.ask("GET", one, headers={"Prefer": "wait=20"})).get("model_version", {})
            if made.get("status") == "ready":
                given = {"model_version_id": made["model_version_id"]}
                await self.ask("POST", f"projects/{self._project}/deployments", json=given)
            for old in (await self.ask("GET", versions)).get("model_versions", []):
                if made and old["model_version_id"] != made["model_version_id"]:
                    await self.ask("DELETE", f"{versions}/{old['model_version_id']}")

    async def run(self, seconds: float) -> None:
        """Let all of them do their work again and again for some seconds."""
        end = time.monotonic() + seconds

        async def again(work: Callable[[], Awaitable[None]]) -> None:
            while time.monotonic() < end:
                await work()

        several = [self.begin_batch, self.end_batch, self.ask_for_geometry, self.evaluate, self.study]
        async with asyncio.TaskGroup() as group:
            for work in (*several, *several, self.purge, self.deploy):
                group.create_task(again(work))

    async def settle(self) -> None:
        """Wait until everything has ended."""
        for kind in ("batches", "studies", "evaluations"):
            async with asyncio.timeout(240):
                while await self._one_of(kind, status=["queued", "running"]):  # noqa: ASYNC110 (it is a row of PostgreSQL)
                    await asyncio.sleep(0.2)


def _check_sums(connection: psycopg.Connection[dict[str, Any]], project: str) -> None:
    """Check that counts, sums and holdings are those of what is there."""

    def rows(statement: str) -> list[dict[str, Any]]:
        return connection.execute(statement.encode(), {"p": project}).fetchall()

    wrong = rows(
        """
        SELECT b.* FROM evaluations.batch b, LATERAL (
            SELECT count(*) AS total, count(*) FILTER (WHERE status = 'completed') AS completed,
                   count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE cached) AS cached,
                   count(*) FILTER (WHERE status = 'cancelled') AS cancelled
              FROM evaluations.point p WHERE p.batch_id = b.batch_id) c
         WHERE b.project_id = %(p)s AND (b.total, b.completed, b.failed, b.cached, b.cancelled, b.queued, b.running)
               IS DISTINCT FROM (c.total, c.completed, c.failed, c.cached, c.cancelled, 0, 0)
        """
    )
    assert wrong == []
    assert rows("SELECT id FROM jobs.job WHERE project_id = %(p)s") == []
    assert rows("SELECT evaluation_id FROM evaluations.evaluation WHERE status IN ('queued', 'running')") == []
    left = rows("SELECT state FROM limits.counter WHERE kind = 'user_bulk'")
    assert [one for one in left if one["state"]["slots"]] == []
    (storage,) = rows(
        """
        SELECT (SELECT storage FROM quotas.project WHERE project_id = %(p)s) AS charged,
               (SELECT coalesce(sum(v.size), 0) FROM models.model_version v JOIN models.model m USING (model_id)
                 WHERE m.project_id = %(p)s AND v.deleted_at IS NULL)
               + (SELECT coalesce(sum(CAST(item ->> 'size' AS bigint)), 0)
                    FROM evaluations.evaluation e, json_array_elements(e.geometry) g(item)
                   WHERE e.project_id = %(p)s) AS kept
        """
    )
    assert storage["charged"] == storage["kept"]
    held = {(one["sha256"], one["holder_id"]) for one in rows("SELECT * FROM objects.holding WHERE project_id = %(p)s")}
    kept = "SELECT sha256, holder_id FROM {}.kept_file WHERE project_id = %(p)s"
    assert held == {
        (one["sha256"], one["holder_id"]) for of in ("models", "evaluations") for one in rows(kept.format(of))
    }
    sums = rows(
        """
        SELECT u.evaluations, sum(m.evaluations) AS of_projects FROM quotas.user_month u
          JOIN quotas.month m USING (user_id, month) GROUP BY u.user_id, u.month, u.evaluations
        """
    )
    assert [one for one in sums if one["evaluations"] != one["of_projects"]] == []


@pytest.mark.slow
def test_what_may_be_done_to_a_project_is_done_at_once(data_root: Path) -> None:
    installation = Installation(data_root / "at-once", ["--nodes", "2", "--workers", "2"], **UNLIMITED)
    try:
        http = client_of(installation.wait())
        project = deployed(http, "At once", MODEL)
        data_dir = installation.data_dir
        dsn = f"host={data_dir / 'run'} port=5432 user=catenary dbname=catenary passfile={data_dir / 'pg.pass'}"

        async def work() -> None:
            async with httpx.AsyncClient(
                base_url=http.base_url, headers=http.headers, timeout=ANSWER_SECONDS
            ) as caller:
                crowd = Crowd(caller, project)
                await crowd.run(SECONDS)
                await crowd.settle()
                assert crowd.answers["DELETE", 200] > 10, crowd.answers
                with psycopg.connect(dsn, row_factory=dict_row) as connection:
                    _check_sums(connection, project)
                # The project goes while all of it goes on; what comes later finds none.
                running = asyncio.create_task(crowd.run(4.0))
                await asyncio.sleep(1.0)
                await crowd.ask("DELETE", f"projects/{project}")
                await running

        asyncio.run(work())
        with psycopg.connect(dsn, row_factory=dict_row, autocommit=True) as connection:
            deadline = time.monotonic() + 120
            left = "SELECT id FROM jobs.job WHERE project_id = %s"
            while connection.execute(left, [project]).fetchall():
                assert time.monotonic() < deadline, "jobs of a deleted project stay"
                time.sleep(0.2)
            (deadlocks,) = connection.execute("SELECT sum(deadlocks) AS n FROM pg_stat_database").fetchall()
            (account,) = connection.execute(
                "SELECT u.storage, (SELECT sum(of.storage) FROM quotas.project of"
                " WHERE of.user_id = u.user_id AND of.is_open) AS kept"
                ' FROM quotas."user" u JOIN quotas.project p ON p.user_id = u.user_id WHERE p.project_id = %s',
                [project],
            ).fetchall()
        assert deadlocks["n"] == 0
        assert account["storage"] == account["kept"]
        http.close()
    finally:
        assert installation.stop() == 0
    for fault in ("deadlock detected", "Traceback", "code=INTERNAL"):
        assert fault not in installation.log
