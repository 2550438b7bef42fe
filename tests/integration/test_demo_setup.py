"""The demo's own calls may be refused: the start goes on, and says what happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import orjson
import pytest

from catenary_cli.demo import setup
from catenary_cli.demo.setup import Demo
from catenary_cli.installation import clients
from catenary_cli.installation.prepared import Prepared
from catenary_cli.installation.presence import DemoFileOwner
from catenary_cli.installation.serving import Serving
from catenary_cli.remote.api import DEMO_FILE, Api, ApiError
from catenary_core.services.identity.people import demo_guest
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import SECRET, core_settings, serving

pytestmark = pytest.mark.sampled


class Installed:
    """A running server and its data directory."""

    def __init__(self, url: str, dsn: str, data_dir: Path) -> None:
        ready = Prepared(data_dir, SECRET, "catw_", core_settings(dsn, data_dir), dsn, None)
        self.running = Serving(f"{url}/v1/", f"{url}/v1/", "127.0.0.1:1", "http://127.0.0.1:2", ready, asyncio.Event())
        self.file = data_dir / DEMO_FILE
        self.steps: list[str] = []

    async def start(self, *, guest: bool = True) -> Demo:
        """Set the demo up as a start does."""
        with DemoFileOwner(self.file.parent) as owner:
            return await setup.ensure(self.running, None, owner, self.steps.append, guest=guest)


@asynccontextmanager
async def _installed(dsn: str, folder: Path, **settings: int) -> AsyncIterator[Installed]:
    async with serving(dsn, folder, **settings) as node:
        yield Installed(node.url, dsn, folder)


@asynccontextmanager
async def _as_admin(installed: Installed, dsn: str) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the API whose credentials are the demo's."""
    made = await clients.create(dsn, SECRET, "Demo", admin=True)
    async with httpx.AsyncClient(base_url=installed.running.local_url, timeout=ANSWER_SECONDS) as http:
        answer = await http.post("auth/token", json={"grant_type": "client_credentials", **made})
        http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        project = (await http.post("projects", json={"name": "Mine"})).json()["data"]["project"]["project_id"]
        installed.file.write_bytes(orjson.dumps({**made, "project_id": project}))
        yield http


def _purposes(demo: Demo) -> list[str]:
    return [purpose for purpose, _ in demo.commands]


async def test_a_client_that_was_disabled_is_a_problem_with_a_way_out(started_dsn: str, tmp_path: Path) -> None:
    async with _installed(started_dsn, tmp_path) as installed:
        installed.file.write_bytes(orjson.dumps({"client_id": "nobody", "client_secret": "wrong"}))
        demo = await installed.start()
    (problem,) = demo.problems
    assert problem.startswith(
        "The demo's client can't log in (without demo.json the next start makes another client): "
    )
    assert "INVALID_CLIENT" in problem
    assert (demo.evaluation, _purposes(demo)) == (None, ["get a token", "list the projects"])


@pytest.mark.slow
async def test_a_deleted_project_is_a_problem_and_is_not_made_again(started_dsn: str, tmp_path: Path) -> None:
    async with _installed(started_dsn, tmp_path) as installed, _as_admin(installed, started_dsn) as http:
        project_id = orjson.loads(installed.file.read_bytes())["project_id"]
        assert (await http.delete(f"projects/{project_id}")).status_code == 200
        demo = await installed.start()
        assert (await http.get("projects")).json()["data"]["projects"] == []
    (problem,) = demo.problems
    assert problem.startswith("The demo's project can't be read: ")
    assert "NOT_FOUND" in problem
    assert _purposes(demo) == ["get a token", "list the projects", "list the tower's rejected parameters"]


@pytest.mark.slow
async def test_without_a_deployed_model_the_models_are_listed(started_dsn: str, tmp_path: Path) -> None:
    async with _installed(started_dsn, tmp_path) as installed, _as_admin(installed, started_dsn):
        demo = await installed.start()
        again = await installed.start()
    for one in (demo, again):
        assert one.problems == ["The demo's project has no deployed model, so none was evaluated."]
        assert _purposes(one) == ["get a token", "list the project's models", "list the tower's rejected parameters"]
    assert installed.steps.count("Making a tower of 500 parameters") == 1
    kept = orjson.loads(installed.file.read_bytes())
    assert kept["base_url"] == installed.running.base_url


async def test_the_guest_owns_the_project_after_each_start(started_dsn: str, tmp_path: Path) -> None:
    async with _installed(started_dsn, tmp_path) as installed, _as_admin(installed, started_dsn) as http:
        members = f"projects/{orjson.loads(installed.file.read_bytes())['project_id']}/members"

        async def guests() -> list[str]:
            found = (await http.get(members)).json()["data"]["members"]
            return [one["role"] for one in found if one["user_id"] == demo_guest.USER_ID]

        await installed.start(guest=False)
        assert await guests() == [], "where it may not sign in"
        await installed.start()
        await installed.start()
        assert await guests() == ["owner"]
        assert (await http.delete(f"{members}/{demo_guest.USER_ID}")).status_code == 200
        await installed.start()
        assert await guests() == ["owner"], "what is missing is made"


@pytest.mark.slow
async def test_a_link_that_was_refused_is_made_by_the_next_start(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> None:
        raise ApiError(429, "RATE_LIMIT_EXCEEDED", "Not now.")

    async with _installed(started_dsn, tmp_path) as installed, _as_admin(installed, started_dsn) as http:
        known = orjson.loads(installed.file.read_bytes())
        project = (await http.post("projects", json=setup.PROJECT)).json()["data"]["project"]
        installed.file.write_bytes(orjson.dumps({key: known[key] for key in ("client_id", "client_secret")}))
        monkeypatch.setattr(setup._Setup, "_ensure_project", lambda *_: _completed(project["project_id"]))
        with monkeypatch.context() as patch:
            patch.setattr(Api, "patch", refused)
            demo = await installed.start()
        assert demo.problems[0].startswith("The demo's project is not linked to the tower: Not now")
        assert demo.project_id == project["project_id"]
        assert "project_id" not in orjson.loads(installed.file.read_bytes())
        await installed.start()
        linked = (await http.get(f"projects/{project['project_id']}")).json()["data"]["project"]
    assert linked["environment_project_id"] is not None
    assert orjson.loads(installed.file.read_bytes())["project_id"] == project["project_id"]


async def _completed(project_id: str) -> tuple[str, bool]:
    return project_id, True


async def test_used_up_requests_are_a_problem(started_dsn: str, tmp_path: Path) -> None:
    async with _installed(started_dsn, tmp_path, requests_per_hour=4) as installed:
        demo = await installed.start()
    assert demo.problems
    for problem in demo.problems:
        assert "You have had your 4 requests of the hour; try again in " in problem
        assert "An operator may raise CATENARY_REQUESTS_PER_HOUR" in problem
    kept = orjson.loads(installed.file.read_bytes())
    assert kept["client_secret"] == demo.client_secret, "the next start goes on as the same client"


@pytest.mark.slow
async def test_a_server_waits_for_the_demo_that_another_one_makes(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "_LOOK_SECONDS", 0.01)
    async with _installed(started_dsn, tmp_path) as installed, _as_admin(installed, started_dsn):
        content = installed.file.read_bytes()
        installed.file.unlink()
        with DemoFileOwner(tmp_path) as first:
            assert first.try_own()
            second = asyncio.create_task(installed.start())
            async with asyncio.timeout(60):
                while len(installed.steps) < 3:  # noqa: ASYNC110 (each step is a look at the file)
                    await asyncio.sleep(0.01)
            assert set(installed.steps) == {"Waiting for the demo that another server makes"}
            assert not second.done()
            installed.file.write_bytes(content)
            demo = await second
            assert not demo.is_in_file
            assert installed.file.read_bytes() == content
    assert demo.client_id == orjson.loads(content)["client_id"]


@pytest.mark.slow
async def test_a_server_does_not_wait_for_ever_for_the_demo_of_another_one(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(setup, "_WAIT_SECONDS", 0.1)
    async with _installed(started_dsn, tmp_path) as installed, _as_admin(installed, started_dsn):
        installed.file.unlink()
        with DemoFileOwner(tmp_path) as first:
            assert first.try_own()
            with pytest.raises(ValueError, match=r"another server holds the demo and .*demo\.json is not there"):
                await installed.start()


async def test_a_damaged_file_ends_the_demo_alone(started_dsn: str, tmp_path: Path) -> None:
    async with _installed(started_dsn, tmp_path) as installed:
        installed.file.write_text("{")
        with pytest.raises(ValueError, match=r"demo\.json is damaged; remove it"):
            await installed.start()
        assert installed.file.read_text() == "{"
