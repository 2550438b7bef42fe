"""1,200 hostile connections of each kind to a server that may open 1,024 files: a normal client goes on, and is told of.

A port that addresses enough fill up is not ready, and is ready again when the hostile connections have had their time.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from factories.installations import hostile_connections
from factories.installations.hostile_connections import GRPC, HTTP, alive, connections
from factories.installations.installation import ANSWER_SECONDS, Installation, limited
from factories.installations.processes import CATENARY, Part

pytestmark = pytest.mark.slow

OPEN_FILES = 1024
COUNT = 1200
SHARE = 40
SECONDS = 90.0


class Normal:
    """A normal client, each of whose requests has a connection of its own."""

    def __init__(self, installation: Installation, demo: dict[str, Any]) -> None:
        self.http_port = int(httpx.URL(demo["base_url"]).port or 0)
        self.grpc_port = int(demo["grpc_address"].rpartition(":")[2])
        self.admin = f"http://127.0.0.1:{installation.admin_port}"
        self._demo = demo
        given = {key: demo[key] for key in ("client_id", "client_secret")}
        answer = httpx.post(
            f"{demo['base_url']}auth/token",
            json={"grant_type": "client_credentials", **given},
            timeout=ANSWER_SECONDS,
        )
        self._authorization = f"Bearer {answer.json()['access_token']}"

    def calls(self) -> None:
        """Make a request of each port."""
        url = f"{self._demo['base_url']}projects/{self._demo['project_id']}"
        answer = httpx.get(url, headers={"Authorization": self._authorization}, timeout=10)
        assert answer.status_code == 200, answer.text
        with grpc.insecure_channel(f"127.0.0.1:{self.grpc_port}", [("grpc.use_local_subchannel_pool", 1)]) as channel:
            listed: Any = channel.unary_unary("/catenary.platform.v1.ProjectService/ListProjects")
            assert listed(b"", metadata=(("authorization", self._authorization),), timeout=10)

    def readyz(self) -> dict[str, Any]:
        """Return what the admin port tells of the parts."""
        told: dict[str, Any] = httpx.get(f"{self.admin}/readyz", timeout=ANSWER_SECONDS).json()
        return told

    def metrics(self) -> str:
        """Return the text of the metrics."""
        return httpx.get(f"{self.admin}/metrics", timeout=ANSWER_SECONDS).text


@pytest.fixture(scope="module")
def normal(data_root: Path) -> Iterator[Normal]:
    installation = Installation(
        data_root / uuid.uuid4().hex[:12],
        ["--workers", "1", "--connections-per-address", str(SHARE)],
        open_files=OPEN_FILES,
    )
    try:
        yield Normal(installation, installation.wait())
    finally:
        installation.stop()


@pytest.mark.parametrize("kind", HTTP)
def test_hostile_http_connections_leave_a_normal_client_its_place(normal: Normal, kind: str) -> None:
    with connections(normal.http_port, COUNT, HTTP[kind]) as hostile:
        for _ in range(5):
            normal.calls()
        assert 0 < alive(hostile) <= SHARE
        assert normal.readyz()["status"] == "ok"
        assert 'catenary_http_connections_refused_total{reason="address"}' in normal.metrics()


@pytest.mark.parametrize("kind", GRPC)
def test_hostile_grpc_connections_leave_a_normal_client_its_place(normal: Normal, kind: str) -> None:
    with connections(normal.grpc_port, COUNT, GRPC[kind]) as hostile:
        _until(lambda: alive(hostile) <= SHARE)
        for _ in range(5):
            normal.calls()
        assert normal.readyz()["status"] == "ok"


@pytest.mark.parametrize("port", ["http", "grpc"])
def test_a_port_that_is_full_is_not_ready_until_the_strangers_have_had_their_time(normal: Normal, port: str) -> None:
    number = normal.http_port if port == "http" else normal.grpc_port
    kinds = HTTP if port == "http" else GRPC
    with connections(number, COUNT, kinds["silent"], addresses=40):
        told = normal.readyz()
        assert (told["status"], told["parts"][port]) == ("not ready", "can't be reached")
        assert httpx.get(f"{normal.admin}/healthz", timeout=ANSWER_SECONDS).status_code == 200
        _until(lambda: normal.readyz()["status"] == "ok")
        normal.calls()


UNGUARDED = str(Path(hostile_connections.__file__).parents[2] / "fixtures" / "unguarded.py")


def test_without_the_caps_an_edge_takes_them_all_and_answers_nobody(data_root: Path) -> None:
    folder = data_root / "unguarded"
    folder.mkdir(mode=0o711)
    line = ["edge", "--core", "127.0.0.1:1", "--port", "0", "--dev"]
    for program, open_to_all in (((*CATENARY[:1], UNGUARDED), False), (CATENARY, True)):
        edge = Part(folder, "edge", *line, program=[*limited(OPEN_FILES), *program])
        try:
            port = int(edge.wait_for(r"HTTP edge on 127[.]0[.]0[.]1:([0-9]+)")[1])
            with connections(port, COUNT, HTTP["half a head"]):
                time.sleep(1)
                assert _answers(port) is open_to_all
        finally:
            edge.stop()


def test_without_the_caps_a_core_takes_them_all_and_answers_nobody(data_root: Path) -> None:
    folder = data_root / "unguarded core"
    folder.mkdir(mode=0o711)
    line = ["core", "--grpc-port", "0", "--data-dir", str(folder / "data")]
    core = Part(folder, "core", *line, program=[*limited(OPEN_FILES), CATENARY[0], UNGUARDED])
    try:
        port = int(core.wait_for(r"gRPC core on 127[.]0[.]0[.]1:([0-9]+)")[1])
        assert _is_served(port)
        with connections(port, COUNT, GRPC["preface only"]):
            time.sleep(1)
            assert not _is_served(port)
    finally:
        core.stop()


def _is_served(port: int) -> bool:
    with grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]) as channel:
        try:
            health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=3)
        except grpc.RpcError:
            return False
        return True


def _answers(port: int) -> bool:
    try:
        return httpx.head(f"http://127.0.0.1:{port}/", timeout=3).status_code == 302
    except httpx.TransportError:
        return False


def _until(condition: Any) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)
