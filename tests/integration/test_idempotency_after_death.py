"""A process that is killed (SIGKILL) in a call with an Idempotency-Key: the repetition at another node, through each door."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import httpx
import orjson
import pytest
from grpc_status import rpc_status

from catenary.platform.v1 import api_key_service_pb2 as pb
from catenary.platform.v1 import api_key_service_pb2_grpc
from catenary_cli.installation import clients
from catenary_core.bootstrap import Core
from factories.installations.installation import ANSWER_SECONDS, environment
from factories.installations.serving import SECRET, open_edge, over_grpc, serving
from factories.services.evaluations import run_sql
from fixtures import dying_node
from fixtures.dying_node import AFTER, BEFORE

pytestmark = pytest.mark.slow

_SLOW = pytest.mark.slow
DOORS = ("http", pytest.param("http over grpc", marks=_SLOW), pytest.param("grpc", marks=_SLOW))
SCOPES = ["platform:read", "platform:write"]


@dataclass
class Nodes:
    """A node that survives, with what a second one that dies is started with."""

    core: Core
    dsn: str
    folder: Path
    token: str
    grpc_port: int
    http_port: int

    @contextlib.asynccontextmanager
    async def dying(self) -> AsyncIterator[tuple[asyncio.subprocess.Process, dict[str, int]]]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            dying_node.__file__,
            self.dsn,
            str(self.folder),
            base64.b64encode(SECRET).decode(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment(),
        )
        try:
            assert process.stdout is not None
            while not (line := await asyncio.wait_for(process.stdout.readline(), 60)).startswith(b"{"):
                assert line, "the node ended before it was up"
            yield process, json.loads(line)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


@pytest.fixture
async def nodes(started_dsn: str, tmp_path: Path) -> AsyncIterator[Nodes]:
    made = await clients.create(started_dsn, SECRET, "Contract", admin=True)
    async with serving(started_dsn, tmp_path) as node:
        async with httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http:
            answer = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **made})
        yield Nodes(node.core, started_dsn, tmp_path, answer.json()["access_token"], node.grpc_port, node.edge.port)


def _client(port: int) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER_SECONDS)


async def _make(door: str, ports: dict[str, int], token: str, key: str, name: str = "CI") -> tuple[int, Any, bool]:
    """Make an API key through a door.

    Returns the status (0: no answer), the secret or error code, and whether the answer was a repeated one.
    """
    if door == "grpc":
        async with grpc.aio.insecure_channel(f"127.0.0.1:{ports['grpc']}") as channel:
            return await _make_by_grpc(channel, token, key, name)
    async with contextlib.AsyncExitStack() as stack:
        port = ports["http"]
        if door == "http over grpc":
            edge = await open_edge(over_grpc(ports["grpc"]))
            stack.push_async_callback(edge.stop)
            port = edge.port
        http = await stack.enter_async_context(_client(port))
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
        try:
            answer = await http.post("/v1/api_keys", json={"name": name, "scopes": SCOPES}, headers=headers)
        except httpx.TransportError:
            return 0, None, False
    body = orjson.loads(answer.content)
    if answer.status_code >= 500:
        return 0, body["error"]["code"], False
    shown = body["data"]["key"] if answer.status_code == 201 else body["error"]["code"]
    return answer.status_code, shown, answer.headers.get("Idempotency-Replayed") == "true"


async def _make_by_grpc(channel: grpc.aio.Channel, token: str, key: str, name: str) -> tuple[int, Any, bool]:
    stub: Any = api_key_service_pb2_grpc.ApiKeyServiceStub(channel)
    metadata = (("authorization", f"Bearer {token}"), ("idempotency-key", key))
    call = stub.CreateApiKey(
        pb.CreateApiKeyRequest(name=name, scopes=SCOPES), metadata=metadata, timeout=ANSWER_SECONDS
    )
    try:
        made = (await call).key
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            return 0, None, False
        status = rpc_status.from_call(error)  # type: ignore[arg-type]
        assert status is not None
        replayed = ("idempotency-replayed", "true") in tuple(error.trailing_metadata() or ())
        return 422, status.details[0].value.decode(errors="replace"), replayed
    return 201, made, dict(await call.initial_metadata()).get("idempotency-replayed") == "true"


async def _keys(nodes: Nodes) -> int:
    rows = await run_sql(nodes.core.frame.db, "SELECT count(*) AS n FROM identity.api_key")
    return int(rows[0]["n"])


@pytest.mark.parametrize("door", DOORS)
async def test_what_was_committed_when_its_process_died_is_given_again_and_not_done_again(
    nodes: Nodes, door: str
) -> None:
    here = {"grpc": nodes.grpc_port, "http": nodes.http_port}
    async with nodes.dying() as (process, ports):
        status, _, _ = await _make(door, ports, nodes.token, AFTER)
        assert (status, await asyncio.wait_for(process.wait(), 60)) == (0, -signal.SIGKILL)
    assert await _keys(nodes) == 1, "it died after the commit"
    status, shown, replayed = await _make(door, here, nodes.token, AFTER)
    assert (status, replayed, await _keys(nodes)) == (201, True, 1)
    async with _client(nodes.http_port) as http:
        with_key = await http.get("/v1/users/me", headers={"X-API-Key": shown})
    assert with_key.status_code == 200, "the secret that the dead process never showed is the one that was kept"
    status, code, _ = await _make(door, here, nodes.token, AFTER, name="Other")
    assert (status, "IDEMPOTENCY_KEY_REUSED" in code, await _keys(nodes)) == (422, True, 1)
    status, other, replayed = await _make(door, here, nodes.token, "another key")
    assert (status, replayed, other != shown, await _keys(nodes)) == (201, False, True, 2)


async def test_what_was_not_committed_when_its_process_died_runs_at_the_repetition(nodes: Nodes) -> None:
    here = {"grpc": nodes.grpc_port, "http": nodes.http_port}
    async with nodes.dying() as (process, ports):
        status, _, _ = await _make("http", ports, nodes.token, BEFORE)
        assert (status, await asyncio.wait_for(process.wait(), 60)) == (0, -signal.SIGKILL)
    assert await _keys(nodes) == 0
    for attempt in range(50):  # until PostgreSQL has seen that the connection is gone
        status, shown, replayed = await _make("http", here, nodes.token, BEFORE)
        if shown != "IDEMPOTENCY_IN_PROGRESS":
            break
        assert attempt < 49
        await asyncio.sleep(0.1)
    assert (status, replayed, await _keys(nodes)) == (201, False, 1)


async def test_fifty_equal_requests_at_two_nodes_make_one(nodes: Nodes) -> None:
    async with nodes.dying() as (_, ports), contextlib.AsyncExitStack() as stack:
        clients_ = [await stack.enter_async_context(_client(port)) for port in (ports["http"], nodes.http_port)]

        async def one(number: int, headers: dict[str, str]) -> tuple[int, str]:
            sent = {"Authorization": f"Bearer {nodes.token}", **headers}
            answer = await clients_[number % 2].post(
                "/v1/api_keys", json={"name": "CI", "scopes": SCOPES}, headers=sent
            )
            body = answer.json()
            return answer.status_code, body["data"]["key"] if answer.status_code == 201 else body["error"]["code"]

        answers = await asyncio.gather(*(one(number, {"Idempotency-Key": "k"}) for number in range(50)))
        made = {shown for status, shown in answers if status == 201}
        refused = {answer for answer in answers if answer[0] != 201}
        assert (len(made), await _keys(nodes)) == (1, 1)
        assert refused <= {(409, "IDEMPOTENCY_IN_PROGRESS")}
        unguarded = await asyncio.gather(*(one(number, {}) for number in range(10)))
        assert len({shown for _, shown in unguarded}) == 10, "without a key each request runs"
