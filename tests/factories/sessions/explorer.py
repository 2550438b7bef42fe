"""A deployed model, and a caller of ExploreService over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import grpc
import orjson
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary.platform.v1 import explore_service_pb2 as pb
from catenary.platform.v1 import explore_service_pb2_grpc
from factories.events.world import SECONDS, Caller, World
from factories.services import evaluations
from factories.services.evaluations import deploy, parameter

MODEL = b"""
import os
import time

PARAMETERS = [
    {"name": "span", "type": "number", "min": 1, "max": 60, "step": 0.5, "default": 24, "unit": "m"},
    {"name": "pause", "type": "number", "min": 0, "max": 10, "default": 0},
    {"name": "act", "type": "string", "default": ""},
]
METRICS = [{"name": "mass", "unit": "kg"}]


class Late(list):
    # Acts when its geometry is computed.
    def __len__(self):
        if self.act == "late raise":
            raise ValueError("no such line")
        if self.act == "late exit":
            os._exit(1)
        if self.act == "late sleep":
            time.sleep(0.5)
        return list.__len__(self)


CONSTRAINTS = [{"name": "light", "metric": "mass", "op": "<=", "value": 3000}]

def evaluate(p):
    time.sleep(p["pause"])
    if p["act"] == "raise":
        raise ValueError("no such bridge")
    if p["act"] == "exit":
        os._exit(1)
    s = p["span"]
    corners = [[0, 0, 0], [s, 0, 0], [0, s, 0]]
    late = {}
    if p["act"] == "no shape":
        late["line"] = "a line"
    elif p["act"].startswith("late"):
        late["line"] = Late(corners)
        late["line"].act = p["act"]
    return {
        "metrics": {"mass": 100 * s},
        "geometry": {"plate": (corners, [[0, 1, 2]]), "slab": (corners, [[0, 1, 2]]), **late},
        "tables": {"corners": [{"x": corner[0], "y": corner[1]} for corner in corners]},
        "charts": {"plan": {"kind": "scatter", "table": "corners", "x": "x", "y": ["y"]}},
        "files": {"report.txt": b"report"},
    }
"""
COUNTER = MODEL.replace(b"def evaluate(p):", b"seen = []\n\ndef evaluate(p):\n    seen.append(p)").replace(
    b"100 * s", b"1.0 * len(seen)"
)
"""MODEL with the number of the designs that its process has computed as its metric: no version that a check would take for
repeatable, so it shows what a process keeps."""
PARAMETERS = [
    parameter("span", "number", 24.0, min=1.0, max=60.0, step=0.5, unit="m"),
    parameter("pause", "number", 0.0, min=0.0, max=10.0),
    parameter("act", "string", ""),
]


async def deployed(here: World, monkeypatch: pytest.MonkeyPatch, project_id: str, source: bytes = MODEL) -> str:
    """Deploy a model in a project; return the version's id."""
    monkeypatch.setattr(evaluations, "SOURCE", source)
    frame = here.core.frame
    _, version = await deploy(frame.db, frame.objects, PARAMETERS, project_id)
    return version


class Explorer:
    """One session over gRPC."""

    def __init__(self, call: Any) -> None:
        self.call = call

    async def send(self, id_: int, values: Mapping[str, Any] | None = None, *, geometry: bool = False) -> None:
        """Send a design with plain values."""
        message = pb.ExploreRequest(id=id_, geometry=geometry)
        for name, value in (values or {}).items():
            message.parameters[name].text = orjson.dumps(value).decode()
        await self.call.write(message)

    async def receive(self) -> pb.ExploreResponse:
        """Wait for the next message."""
        async with asyncio.timeout(SECONDS):
            answer = await self.call.read()
        assert answer is not grpc.aio.EOF, "the session goes on"
        return answer  # type: ignore[no-any-return]

    async def geometry(self) -> tuple[pb.ExploreResponse, bytes]:
        """Wait for the announcement of a geometry and all its bytes."""
        told = await self.receive()
        content = b""
        while len(content) < sum(file.size for file in told.geometry.files):
            content += (await self.receive()).chunk
        return told, content

    async def ended(self) -> tuple[grpc.StatusCode, str]:
        """Wait for the end of the session; return its status and reason."""
        async with asyncio.timeout(SECONDS):
            try:
                while await self.call.read() is not grpc.aio.EOF:
                    pass
            except grpc.aio.AioRpcError as error:
                return error.code(), _reason(error)
            return await self.call.code(), ""


def _reason(error: grpc.aio.AioRpcError) -> str:
    status: Any = rpc_status.from_call(error)  # type: ignore[arg-type]
    for detail in status.details if status is not None else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Is(info.DESCRIPTOR):
            detail.Unpack(info)
            return info.reason
    return ""


@asynccontextmanager
async def exploring(here: World, caller: Caller, project_id: str, **head: Any) -> AsyncIterator[Explorer]:
    """Open a session over gRPC until the block ends; its first message has been sent, and its first answer not read.

    `head` is what its first message has beside the project.
    """
    async with grpc.aio.insecure_channel(f"127.0.0.1:{here.node.grpc_port}") as channel:
        stub = explore_service_pb2_grpc.ExploreServiceStub(channel)
        call: Any = stub.Explore(metadata=(("authorization", f"Bearer {caller.token}"),))
        await call.write(pb.ExploreRequest(project_id=project_id, **head))
        try:
            yield Explorer(call)
        finally:
            call.cancel()
