"""A running edge over the stand-in core, in the same process or over a real channel."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import io
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import orjson
import pytest

from catenary_edge.app import Edge
from catenary_edge.server import Runner, start
from catenary_edge.settings import EdgeSettings, Timeouts
from catenary_edge.transcoding import routes
from catenary_edge.upstream import GrpcUpstream, LocalUpstream, open_channel
from fixtures.edge.stand_in import PROJECT_ID, StandIn, grpc_server

TABLE = routes.build()
AUTHORIZED = {"Authorization": "Bearer good"}
PROJECT = {
    "project_id": PROJECT_ID,
    "name": "Tower",
    "description": "",
    "environment_project_id": None,
    "role": "owner",
    "deployed_model_version_id": None,
    "created_at": "2030-01-31T12:00:00.000000Z",
    "updated_at": "2030-01-31T12:00:00.500000Z",
    "deleted_at": None,
    "owner_user_id": "01890000-0000-7000-8000-000000000002",
}
JSON = {**AUTHORIZED, "Content-Type": "application/json"}
EVALUATE = f"/v1/projects/{PROJECT_ID}/evaluate"
EVALUATION: dict[str, Any] = {
    "evaluation_id": PROJECT_ID,
    "project_id": PROJECT_ID,
    "status": "running",
    "model_version_id": PROJECT_ID,
    "parameters": {"count": 3, "span": 450.0, "text": "é"},
    "metrics": {"mass": {"value": 1e16, "unit": "kg"}},
    "constraints": {},
    "geometry": [],
    "tables": {"rows": [{"b": 1, "a": 2**53 + 1}]},
    "error": None,
    "cached": False,
    "duration_ms": 0.1,
    "created_by": {"user_id": PROJECT_ID, "staff_name": "Ann"},
    "created_at": "2030-01-31T12:00:00.123456Z",
    "updated_at": "2030-01-31T12:00:00.000000Z",
    "started_at": None,
    "completed_at": None,
    "log": None,
    "files": [],
    "charts": [],
    "progress": None,
    "batch_id": None,
    "study_id": None,
    "index": None,
}


@dataclass
class Running:
    """A running edge and the core that stands behind it."""

    core: StandIn
    runner: Runner
    client: aiohttp.ClientSession

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.runner.port}"

    async def send(self, method: str, path: str, **options: Any) -> tuple[int, Any, Any]:
        """Status, headers, and the body: JSON where it is, else bytes."""
        options.setdefault("headers", AUTHORIZED)
        if isinstance(options.get("data"), bytes):
            options["data"] = io.BytesIO(options["data"])
        async with self.client.request(method, self.url + path, **options) as response:
            data = await response.read()
            if response.content_type == "application/json" and data:
                return response.status, response.headers, orjson.loads(data)
            return response.status, response.headers, data

    async def raw(self, *pieces: bytes, pause: float = 0.0, wait: float = 60.0) -> bytes:
        """Return the answer to these bytes until the edge closes, or for `wait` seconds."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.runner.port)
        try:
            for piece in pieces:
                with contextlib.suppress(ConnectionError):
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(pause)
            answer = b""
            with contextlib.suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(wait):
                    while data := await reader.read(65536):
                        answer += data
            return answer
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def is_well(self) -> bool:
        """Return True if the next good request works."""
        status, _, body = await self.send("GET", f"/v1/projects/{PROJECT_ID}")
        return status == 200 and body["data"] == {"project": PROJECT}


Start = Callable[..., contextlib.AbstractAsyncContextManager[Running]]


@contextlib.asynccontextmanager
async def running(mode: str = "local", core: StandIn | None = None, **changes: Any) -> AsyncIterator[Running]:
    """Start an edge; `changes` are settings, those of Timeouts among them."""
    names = {field.name for field in dataclasses.fields(Timeouts)}
    timeouts = Timeouts(**{name: value for name, value in changes.items() if name in names})
    rest = {name: value for name, value in changes.items() if name not in names}
    settings = EdgeSettings(**{"dev": True, **rest}, timeouts=timeouts)
    core = core or StandIn()
    core.on("ProjectService/GetProject", {"project": PROJECT})
    async with contextlib.AsyncExitStack() as stack:
        if mode == "local":
            upstream: Any = LocalUpstream(core)
        else:
            target = await stack.enter_async_context(grpc_server(core))
            upstream = GrpcUpstream(lambda: open_channel(target))
        runner = await start(Edge(upstream, settings, TABLE), settings, "127.0.0.1", 0)
        stack.push_async_callback(runner.stop)
        client = await stack.enter_async_context(aiohttp.ClientSession())
        yield Running(core, runner, client)


@pytest.fixture
def start_edge() -> Start:
    return running


@pytest.fixture
async def edge() -> AsyncIterator[Running]:
    async with running() as one:
        yield one


@pytest.fixture(params=["local", "grpc"])
async def either(request: pytest.FixtureRequest) -> AsyncIterator[Running]:
    """Yield an edge, in both modes."""
    async with running(request.param) as one:
        yield one
