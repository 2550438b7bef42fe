"""Live sessions of a whole installation, from the first design to a deployment, and when its processes are killed."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
import trimesh
from aiohttp import WSMsgType

from factories.installations.installation import ANSWER_SECONDS, UNLIMITED, Installation, Running, client_of
from factories.installations.models import deployed
from factories.sessions.socket import session_with

pytestmark = pytest.mark.slow

MODEL = """
import time
import trimesh

PARAMETERS = [
    {"name": "side", "type": "number", "min": 1, "max": 100, "default": 1, "unit": "m"},
    {"name": "seconds", "type": "number", "min": 0, "max": 30, "default": 0.02},
]
METRICS = [{"name": "volume", "unit": "m3"}]

def evaluate(p):
    time.sleep(p["seconds"])
    side = p["side"]
    return {"metrics": {"volume": side**3}, "geometry": {"cube": trimesh.creation.box(extents=(side, side, side))}}
"""


async def _until_open(demo: dict[str, Any], token: str, project: str) -> float:
    """Open a session as soon as that can be done; return the volume of its first design."""
    async with asyncio.timeout(ANSWER_SECONDS):
        while True:
            try:
                async with session_with(demo, token, project) as session:
                    await session.send(1, {"side": 3})
                    return float((await session.told())["evaluation"]["metrics"]["volume"]["value"])
            except (aiohttp.ClientError, AssertionError):
                await asyncio.sleep(0.2)


@pytest.mark.gate
async def test_of_fifty_designs_the_newest_comes_whole_until_a_deployment(running: Running) -> None:
    project = deployed(running.http, "Live", MODEL)
    async with session_with(running.demo, running.http.headers["Authorization"], project) as session:
        for number in range(1, 51):
            await session.send(number, {"side": number}, geometry=True)
        answered: dict[int, str] = {}
        announced: list[dict[str, Any]] = []
        volumes: dict[int, float] = {}
        while not announced:
            message = await session.ws.receive(ANSWER_SECONDS)
            if message.type is WSMsgType.BINARY:
                continue  # a file of an earlier design
            told = orjson.loads(message.data)
            if told["id"] == 50 and "geometry" in told:
                announced = told["geometry"]
            elif "evaluation" in told:
                volumes[told["id"]] = told["evaluation"]["metrics"]["volume"]["value"]
                answered[told["id"]] = "computed"
            elif told.get("superseded"):
                answered.setdefault(told["id"], "superseded")
        assert sorted(answered) == list(range(1, 51)), "each design has an answer"
        assert (answered[50], volumes[50]) == ("computed", 125_000.0)
        assert volumes == {number: float(number**3) for number in volumes}
        assert list(answered.values()).count("superseded") >= 25, "a design that is old already is passed over"
        (file,) = announced
        cube = trimesh.load(io.BytesIO(await session.file()), file_type="glb")
        assert file["name"] == "cube"
        assert cube.extents == pytest.approx([50, 50, 50])

        versions = running.http.get(f"projects/{project}/models").json()["data"]["models"]
        path = f"projects/{project}/models/{versions[0]['model_id']}/versions"
        made = running.http.post(path, content=MODEL + "\n", headers={"Content-Type": "text/x-python"}).json()
        version = made["data"]["model_version"]["model_version_id"]
        running.http.get(f"{path}/{version}", headers={"Prefer": "wait=60"})
        answer = running.http.post(f"projects/{project}/deployments", json={"model_version_id": version})
        assert answer.status_code == 201, answer.text
        assert await session.closed() == (1012, "CONFLICT")


async def test_a_session_outlives_its_worker_and_is_opened_anew_after_its_node(data_root: Path) -> None:
    installation = Installation(data_root / "killed-sessions", ["--nodes", "1", "--workers", "1"], **UNLIMITED)
    try:
        demo = installation.wait()
        with client_of(demo) as http:
            project, token = deployed(http, "Live", MODEL), http.headers["Authorization"]
        async with session_with(demo, token, project) as session:
            await session.send(1, {"side": 2})
            assert (await session.told())["evaluation"]["metrics"]["volume"]["value"] == 8
            await session.send(2, {"side": 4, "seconds": 5})
            await asyncio.sleep(0.5)  # the worker has the design
            _kill(installation, "worker")
            told = await session.told()
            assert (told["id"], told["evaluation"]["metrics"]["volume"]["value"]) == (2, 64)
            await session.send(3, {"seconds": 20})
            await asyncio.sleep(0.5)
            _kill(installation, "node")
            code, _ = await session.closed()
            assert code == 1006, "without a close frame (RFC 6455, 7.4.1)"
        assert await _until_open(demo, token, project) == 27
    finally:
        installation.stop()


def _kill(installation: Installation, part: str) -> None:
    processes = installation.children(f"catenary_cli {part}")
    assert processes
    for process in processes:
        process.kill()
