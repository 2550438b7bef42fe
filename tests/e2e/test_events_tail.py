"""`catenary events tail` against a running server."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catenary_edge.upstream import LocalUpstream
from factories.events.world import Caller, World, world
from factories.installations.installation import catenary, environment
from factories.installations.serving import open_edge

pytestmark = pytest.mark.slow


def _as(caller: Caller, url: str) -> dict[str, str]:
    return {
        "CATENARY_URL": f"{url}/v1/",
        "CATENARY_CLIENT_ID": caller.client_id,
        "CATENARY_CLIENT_SECRET": caller.client_secret,
    }


class Tail:
    """A running command whose lines can be waited for."""

    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        self.out, self.err = folder / "tail.out", folder / "tail.err"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "catenary_cli", "events", "tail", *arguments],
                stdout=out,
                stderr=err,
                env={**environment(), **variables, "PYTHONUNBUFFERED": "1"},
            )

    def lines(self) -> list[str]:
        return self.out.read_text().splitlines()

    async def until(self, count: int, seconds: float = 60) -> list[str]:
        end = time.monotonic() + seconds
        while len(self.lines()) < count:
            assert time.monotonic() < end, (self.lines(), self.err.read_text())
            assert self.process.poll() is None, self.err.read_text()
            await asyncio.sleep(0.05)
        return self.lines()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(60)
        finally:
            self.process.kill()


async def _renamed(here: World, owner: Caller, project_id: str, name: str) -> None:
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": name})


async def test_tail_goes_on_where_it_was_after_a_lost_connection(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path) as here:
        owner = await here.caller("o")
        project_id, other_id = await here.project(owner), await here.project(owner)
        asked = ("--project", project_id, "--type", "project.updated", "--json")
        tail = Tail(tmp_path, *asked, **_as(owner, here.url))
        try:
            while not here.core.feed._subscriptions:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            await _renamed(here, owner, project_id, "one")
            await _renamed(here, owner, other_id, "unasked")
            (line,) = await tail.until(1)
            assert json.loads(line)["data"]["project"]["name"] == "one"

            port = here.node.edge.port
            await here.node.edge.stop()
            request = here.core.dispatch.bindings["/catenary.platform.v1.ProjectService/UpdateProject"].request
            sent = request(project_id=project_id, name="while it was away")
            metadata = {"authorization": f"Bearer {owner.token}"}
            await here.core.dispatch.call("/catenary.platform.v1.ProjectService/UpdateProject", sent, metadata)
            here.node.edge = await open_edge(LocalUpstream(here.core.dispatch), port=port)
            await _renamed(here, owner, project_id, "two")
            names = [json.loads(text)["data"]["project"]["name"] for text in await tail.until(3)]
            assert names == ["one", "while it was away", "two"]
            assert "Connecting again in" in tail.err.read_text()
        finally:
            code = tail.stop()
        assert code == 130


async def test_tail_says_what_is_wrong_and_prints_for_people(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path) as here:
        owner, stranger = await here.caller("o"), await here.caller("s")
        project_id = await here.project(owner)
        for caller, arguments in (
            (stranger, ("-p", project_id)),
            (owner, ("-t", "nothing.*")),
            (owner, ("--after", "x")),
        ):
            refused = await asyncio.to_thread(catenary, "events", "tail", *arguments, **_as(caller, here.url))
            assert refused.returncode == 1
            assert refused.stderr.startswith("Error: ")
            assert "Traceback" not in refused.stderr
        tail = Tail(tmp_path, **_as(owner, here.url))
        try:
            while not here.core.feed._subscriptions:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            await _renamed(here, owner, project_id, "one")
            lines = await tail.until(1)
            assert "project.updated" in lines[-1]
            assert lines[-1].endswith(f"/v1/projects/{project_id}  by {owner.user_id}")
        finally:
            tail.stop()
