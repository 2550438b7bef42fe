"""A waiting client is charged for one request, however long it waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from catenary_cli.installation import clients
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import SECRET, Serving, serving, working
from factories.services.models import SOURCE

pytestmark = pytest.mark.sampled

WAIT = 1.5


class Waiting:
    """A client with a project's model, and how many calls it has left."""

    def __init__(self, node: Serving, http: httpx.AsyncClient) -> None:
        self.node = node
        self.http = http

    async def left(self) -> int:
        answer = await self.http.get("/v1/projects")
        assert answer.status_code == 200, answer.text
        return int(answer.headers["X-RateLimit-Remaining"])

    async def post(self, path: str, **body: str) -> str:
        answer = await self.http.post(path, json=body)
        assert answer.status_code == 201, answer.text
        (made,) = answer.json()["data"].items()
        return str(made[1][f"{made[0]}_id"])


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["here", "remote"])
async def waiting(request: pytest.FixtureRequest, started_dsn: str, tmp_path: Path) -> AsyncIterator[Waiting]:
    made = await clients.create(started_dsn, SECRET, "Waits", admin=True)
    async with (
        serving(started_dsn, tmp_path, remote=request.param) as node,
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http,
    ):
        answer = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **made})
        http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        yield Waiting(node, http)


async def test_waiting_for_a_check_is_one_request(waiting: Waiting) -> None:
    project = await waiting.post("/v1/projects", name="Waits")
    versions = (
        f"/v1/projects/{project}/models/{await waiting.post(f'/v1/projects/{project}/models', name='m')}/versions"
    )
    python = {"Content-Type": "text/x-python"}
    uploaded = await waiting.http.post(versions, content=SOURCE, headers=python)
    assert uploaded.status_code == 201, uploaded.text
    assert uploaded.headers["X-RateLimit-Limit"] == "100", "the check counts as an evaluation of the project"
    assert uploaded.headers["X-RateLimit-Remaining"] == "99"
    version = f"{versions}/{uploaded.json()['data']['model_version']['model_version_id']}"
    before = await waiting.left()
    asked = asyncio.create_task(waiting.http.get(version, headers={"Prefer": "wait=60"}))
    await asyncio.sleep(WAIT)
    assert not asked.done()
    requests = 1
    async with working(waiting.node):
        answer = await asked
        # On a machine that stands still, a worker may start and check for longer than one wait.
        while answer.json()["data"]["model_version"]["status"] != "ready" and requests < 5:
            answer = await waiting.http.get(version, headers={"Prefer": "wait=60"})
            requests += 1
    assert answer.json()["data"]["model_version"]["status"] == "ready", answer.text
    assert (answer.headers["Preference-Applied"], "Prefer" in answer.headers["Vary"]) == ("wait=60", True)
    assert answer.headers["Cache-Control"] == "no-cache"
    assert int(answer.headers["X-RateLimit-Remaining"]) == before - requests
    assert await waiting.left() == before - requests - 1


async def test_a_stream_of_events_is_one_request(waiting: Waiting) -> None:
    before = await waiting.left()
    async with waiting.http.stream("GET", "/v1/events") as stream:
        assert stream.status_code == 200
        await asyncio.sleep(WAIT)
    assert await waiting.left() == before - 2
