"""The guide's examples for gRPC callers, over real channels against a real core."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest

from catenary_core.server import grpc_server
from factories.checks import grpc_guide
from factories.events.world import SECONDS, Caller, World, world
from factories.installations.tls import make_tls

pytestmark = pytest.mark.slow


class Program:
    """An example at a core: `make_project` and `follow` of either, as the asyncio one has them."""

    def __init__(self, here: World, owner: Caller, example: Any, client: Any) -> None:
        self.here = here
        self.owner = owner
        self.example = example
        self._client = client
        self._is_sync = example.__name__ == "sync_client"

    async def make_project(self, name: str) -> Any:
        made = self._client.make_project
        return await (asyncio.to_thread(made, name) if self._is_sync else made(name))

    async def follow(self, project_id: str) -> AsyncIterator[Any]:
        followed = self._client.follow(project_id)
        if not self._is_sync:
            async with aclosing(followed):
                async for event in followed:
                    yield event
            return
        try:
            while True:
                yield await asyncio.to_thread(next, followed)
        finally:
            await asyncio.to_thread(followed.close)


async def _api_key(here: World, owner: Caller) -> str:
    sent = {"name": "guide", "scopes": ["platform:read", "platform:write"]}
    return str((await here.call(owner, "POST", "/v1/api_keys", 201, json=sent))["data"]["key"])


@pytest.fixture(params=["sync_client", "asyncio_client"])
async def program(
    request: pytest.FixtureRequest, started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Program]:
    example: Any = grpc_guide.example(monkeypatch, request.param)
    async with world(started_dsn, tmp_path) as here:
        owner, target = await here.caller("o"), f"127.0.0.1:{here.node.grpc_port}"
        if request.param == "sync_client":
            with grpc.insecure_channel(target) as channel:
                client = example.ProjectsClient(channel, owner.client_id, owner.client_secret)
                yield Program(here, owner, example, client)
        else:
            async with grpc.aio.insecure_channel(target) as channel:
                client = example.AsyncProjectsClient(channel, await _api_key(here, owner))
                yield Program(here, owner, example, client)


async def _streams(here: World, count: int) -> None:
    """Wait until `count` streams of events are open."""
    async with asyncio.timeout(SECONDS):
        while True:
            if len(here.core.feed._subscriptions) == count:
                return
            await asyncio.sleep(0.01)


async def test_the_example_makes_a_project_and_tells_what_happens_in_it_until_it_is_closed(program: Program) -> None:
    here, owner = program.here, program.owner
    project = await program.make_project("Footbridge")
    path = f"/v1/projects/{project.project_id}"
    await here.settle()  # or its own beginning may come first
    async with aclosing(program.follow(project.project_id)) as events:
        for name in ("One", "Two"):
            following = asyncio.ensure_future(anext(events))
            await _streams(here, 1)
            await here.call(owner, "PATCH", path, json={"name": name})
            event = await asyncio.wait_for(following, SECONDS)
            assert (event.type, event.project_id) == ("project.updated", project.project_id)
            assert f'"name":"{name}"' in event.data.text
    await _streams(here, 0)


async def test_the_example_says_why_it_was_refused(program: Program) -> None:
    with pytest.raises(Exception, match="name") as caught:
        await program.make_project("")
    error: Any = caught.value
    assert type(error).__name__ == "CallRefusedError"
    assert (error.reason, error.fields, error.wait) == ("VALIDATION_ERROR", ["name"], None)
    assert len(error.request_id) == 36


async def test_the_example_makes_one_project_of_a_call_whose_deadline_passed(
    program: Program, started_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await program.make_project("First")
    monkeypatch.setattr(program.example, "DEADLINE", 0.5)
    monkeypatch.setattr(program.example, "ATTEMPTS", 1000)
    with psycopg.connect(started_dsn) as connection:
        connection.execute("LOCK TABLE projects.project")
        making = asyncio.create_task(program.make_project("Second"))
        await asyncio.sleep(1.0)  # longer than the deadline: the first call is over
        assert not making.done()
        connection.rollback()
    monkeypatch.setattr(program.example, "DEADLINE", SECONDS)
    second = await asyncio.wait_for(making, SECONDS)
    listed = await program.here.call(program.owner, "GET", "/v1/projects")
    assert [one["name"] for one in listed["data"]["projects"]] == ["First", "Second"]
    assert listed["data"]["projects"][1]["project_id"] == second.project_id


@pytest.mark.parametrize("name", ["sync_client", "asyncio_client"])
async def test_the_example_runs_as_a_program_over_tls(started_dsn: str, tmp_path: Path, name: str) -> None:
    tls = make_tls(tmp_path)
    async with world(started_dsn, tmp_path) as here:
        owner = await here.caller("o")
        server, _ = grpc_server.create_server(here.core.dispatch)
        port = server.add_secure_port(
            "127.0.0.1:0", grpc.ssl_server_credentials([(tls.key.read_bytes(), tls.cert.read_bytes())])
        )
        await server.start()
        running = await asyncio.create_subprocess_exec(
            sys.executable,
            str(grpc_guide.EXAMPLES / f"{name}.py"),
            f"localhost:{port}",
            "Footbridge",
            env={
                **os.environ,
                "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(tls.ca),
                "API_KEY": await _api_key(here, owner),
                "CATENARY_CLIENT_ID": owner.client_id,
                "CATENARY_CLIENT_SECRET": owner.client_secret,
            },
            stdout=asyncio.subprocess.PIPE,
        )
        assert running.stdout is not None
        try:
            await _streams(here, 1)
            (project,) = (await here.call(owner, "GET", "/v1/projects"))["data"]["projects"]
            assert project["name"] == "Footbridge"
            await here.call(owner, "DELETE", f"/v1/projects/{project['project_id']}")
            printed = await asyncio.wait_for(running.stdout.read(), SECONDS)  # it ends by itself: the project is gone
            assert b"project.deleted {" in printed
        finally:
            with contextlib.suppress(ProcessLookupError):
                running.kill()
            await running.wait()
            await server.stop(1)
