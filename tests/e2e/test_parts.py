"""Core, edge and worker apart, as processes: plain on one machine, and with TLS."""

from __future__ import annotations

import asyncio
import itertools
import re
import signal
import ssl
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import aiohttp
import grpc
import httpx
import orjson
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from factories.checks import running_clock
from factories.installations.installation import ANSWER_SECONDS, catenary, free_port
from factories.installations.processes import Part, running
from factories.installations.tls import TlsFiles, make_tls
from factories.sessions.socket import Session

pytestmark = [pytest.mark.slow, pytest.mark.sampled]

MODEL = """
import time
PARAMETERS = [{"name": "pause", "type": "number", "min": 0, "max": 60, "default": 0, "unit": "s"}]
METRICS = [{"name": "waited", "unit": "s"}]

def evaluate(p):
    time.sleep(p["pause"])
    return {"metrics": {"waited": p["pause"]}}
"""


@dataclass
class Apart:
    """Three parts that run apart, and a client of the edge."""

    core: Part
    edge: Part
    worker: Part
    http: httpx.Client
    base_url: str
    grpc_address: str
    data_dir: Path
    folder: Path
    variables: dict[str, str]
    project: str = ""


def _apart(stack: ExitStack, folder: Path, tls: TlsFiles | None) -> Apart:
    data_dir = folder / "data"
    files = [] if tls is None else ["--tls-cert", str(tls.cert), "--tls-key", str(tls.key)]
    ca = [] if tls is None else ["--core-ca", str(tls.ca)]
    core_line = ["core", "--grpc-port", "0", "--data-dir", str(data_dir), *files, "--verbose"]
    core = stack.enter_context(running(folder, "core", *core_line))
    address = core.wait_for(r"gRPC core on (127\.0\.0\.1:\d+)\n")[1]
    token = catenary("worker-token", "create", "Apart", "--data-dir", str(data_dir))
    assert token.returncode == 0, token.stderr
    worker_line = ["worker", "--core", address, *ca, "--verbose"]
    worker = stack.enter_context(running(folder, "worker", *worker_line, CATENARY_WORKER_TOKEN=token.stdout.strip()))
    plain = ["--dev"] if tls is None else files
    edge = stack.enter_context(running(folder, "edge", "edge", "--core", address, "--port", "0", *ca, *plain, "-v"))
    port = edge.wait_for(r"HTTP edge on 127\.0\.0\.1:(\d+), core at 127")[1]
    made = catenary("client", "create", "Tester", "--admin", "--json", "--data-dir", str(data_dir))
    assert made.returncode == 0, made.stderr
    client = orjson.loads(made.stdout)
    base_url = f"http{'' if tls is None else 's'}://127.0.0.1:{port}/v1/"
    variables = {"CATENARY_URL": base_url, "CATENARY_CLIENT_ID": client["client_id"]}
    variables |= {"CATENARY_CLIENT_SECRET": client["client_secret"]}
    if tls is not None:
        variables["SSL_CERT_FILE"] = str(tls.ca)
    shown = catenary("token", **variables)
    assert shown.returncode == 0, shown.stderr
    verify = True if tls is None else ssl.create_default_context(cafile=tls.ca)
    headers = {"Authorization": f"Bearer {shown.stdout.strip()}"}
    http = stack.enter_context(httpx.Client(base_url=base_url, verify=verify, headers=headers, timeout=ANSWER_SECONDS))
    apart = Apart(core, edge, worker, http, base_url, address, data_dir, folder, variables)
    apart.project = str(http.post("projects", json={"name": "Apart"}).json()["data"]["project"]["project_id"])
    (folder / "waits.py").write_text(MODEL)
    pushed = catenary("model", "push", str(folder / "waits.py"), "-p", apart.project, "--deploy", **variables)
    assert pushed.returncode == 0, pushed.stderr
    return apart


@pytest.fixture(scope="module")
def plain(data_root: Path) -> Iterator[Apart]:
    # Of a new name: a worker of pytest may leave this module and come back, with new fixtures.
    folder = data_root / f"plain-{uuid.uuid4().hex[:8]}"
    folder.mkdir(mode=0o711)
    with ExitStack() as stack:
        yield _apart(stack, folder, None)


def _evaluate(apart: Apart, pause: float, **headers: str) -> httpx.Response:
    return apart.http.post(f"projects/{apart.project}/evaluate", json={"parameters": {"pause": pause}}, headers=headers)


def test_one_request_id_stands_in_the_lines_of_edge_core_and_worker(plain: Apart) -> None:
    answer = _evaluate(plain, 0.1, **{"X-Request-Id": "from-end.to-end_1"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["X-Request-Id"] == "from-end.to-end_1"
    assert answer.json()["data"]["evaluation"]["status"] == "completed"
    plain.worker.wait_for("from-end.to-end_1", plain.worker.log)
    for part, event in ((plain.edge, "request"), (plain.core, "call"), (plain.worker, "job done")):
        found = [line for line in part.lines() if line.get("request_id") == "from-end.to-end_1"]
        assert event in {line["event"] for line in found}
        assert {line["part"] for line in found} == {part.log.stem}
        assert {line["pid"] for line in found} == {part.process.pid}


def test_plain_http_without_dev_is_refused(plain: Apart) -> None:
    with running(plain.folder, "strict", "edge", "--core", plain.grpc_address, "--port", "0") as strict:
        port = strict.wait_for(r"HTTP edge on 127\.0\.0\.1:(\d+)")[1]
        answer = httpx.get(f"http://127.0.0.1:{port}/v1/projects", timeout=ANSWER_SECONDS)
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "HTTPS_REQUIRED"
        strict.wait_for(r"\n  --trusted-proxy NETWORK ")
        for said in ("/docs/guide", "403 HTTPS_REQUIRED", "--tls-cert FILE --tls-key FILE", "--dev"):
            assert said in strict.out.read_text()
            assert said in answer.json()["error"]["message"] or not said.startswith("--")


def test_an_edge_outlives_its_core_and_finds_it_again(plain: Apart) -> None:
    """The same core's port, behind which nothing listens for a while."""
    port = free_port()
    line = ["core", "--grpc-port", str(port), "--data-dir", str(plain.data_dir)]
    with running(plain.folder, "edge-2", "edge", "--core", f"127.0.0.1:{port}", "--port", "0", "--dev") as edge:
        address = edge.wait_for(r"HTTP edge on (127\.0\.0\.1:\d+)")[1]
        url = f"http://{address}/v1/projects"
        headers = {"Authorization": plain.http.headers["Authorization"]}
        away = httpx.get(url, headers=headers, timeout=ANSWER_SECONDS)
        assert away.status_code == 503, away.text
        with running(plain.folder, "core-2", *line) as second:
            second.wait_for("gRPC core on")
            deadline = time.monotonic() + 60
            while httpx.get(url, headers=headers, timeout=ANSWER_SECONDS).status_code != 200:
                assert time.monotonic() < deadline
                time.sleep(0.1)


async def test_a_session_is_told_that_its_core_was_killed_and_opens_again(data_root: Path) -> None:
    folder = data_root / "killed-core"
    folder.mkdir(mode=0o711)
    with ExitStack() as stack:
        apart = _apart(stack, folder, None)
        async with _session(apart) as session:
            assert await _waited(session, 0.01) == 0.01
            await session.send(1_000, {"pause": 60})
            await asyncio.sleep(0.5)
            apart.core.kill()
            assert await session.closed() == (1013, "UNAVAILABLE")
        port = apart.grpc_address.rpartition(":")[2]
        core = ["core", "--grpc-port", port, "--data-dir", str(apart.data_dir)]
        stack.enter_context(running(folder, "core-2", *core)).wait_for("gRPC core on")
        async with asyncio.timeout(ANSWER_SECONDS):
            while True:
                try:
                    async with _session(apart) as session:
                        assert await _waited(session, 0.02) == 0.02
                        return
                except aiohttp.WSServerHandshakeError as refusal:
                    assert refusal.status == 503  # noqa: PT017 (until the edge has found the core again)
                await asyncio.sleep(0.2)


@asynccontextmanager
async def _session(apart: Apart) -> AsyncIterator[Session]:
    """Open a session at the edge."""
    url, headers = (
        apart.base_url.removesuffix("v1/") + "ws/explore",
        {"Authorization": apart.http.headers["Authorization"]},
    )
    async with (
        aiohttp.ClientSession(headers=headers) as http,
        http.ws_connect(url, params={"project_id": apart.project}) as ws,
    ):
        session = Session(ws)
        assert "session" in await session.told()
        yield session


async def _waited(session: Session, pause: float) -> float:
    """Compute a design; send it again while no worker was free, as the answer says."""
    for number in itertools.count(1):
        await session.send(number, {"pause": pause})
        told = await session.told()
        if told.get("error", {}).get("code") != "UNAVAILABLE":
            break
    return float(told["evaluation"]["metrics"]["waited"]["value"])


def test_a_wrong_worker_token_is_said_once_and_ends_the_worker(plain: Apart) -> None:
    part = Part(plain.folder, "wrong", "worker", "--core", plain.grpc_address, "--token", "wrong")
    assert part.process.wait(60) == 1
    (said,) = part.lines()
    assert said["level"] == "error"
    assert "catenary worker-token" in said["event"]


def test_a_worker_without_a_core_waits_quietly_and_stops_at_once(plain: Apart) -> None:
    line = ["worker", "--core", f"127.0.0.1:{free_port()}", "--token", "x"]
    part = Part(plain.folder, "lonely", *line)
    part.wait_for("no lease", part.log)
    stopped = running_clock.seconds()
    assert part.stop(signal.SIGINT) == 0
    assert running_clock.seconds() - stopped < 10
    lines = part.lines()
    assert {line["event"] for line in lines} == {"no lease"}
    assert [line["pause"] for line in lines] == [min(0.1 * 2**number, 2.0) for number in range(len(lines))]
    for line, following in pairwise(lines):
        waited = datetime.fromisoformat(following["timestamp"]) - datetime.fromisoformat(line["timestamp"])
        assert waited.total_seconds() > 0.9 * line["pause"], "it does not spin"


def test_a_taken_port_is_refused_with_one_sentence(plain: Apart) -> None:
    grpc_port = plain.grpc_address.rpartition(":")[2]
    http_port = str(httpx.URL(plain.base_url).port)
    for name, taken, flag, line in (
        ("core", grpc_port, "--grpc-port", ["core", "--grpc-port", grpc_port, "--data-dir", str(plain.data_dir)]),
        ("edge", http_port, "--port", ["edge", "--core", plain.grpc_address, "--port", http_port]),
        ("serve", http_port, "--port", ["serve", "--port", http_port, "--grpc-port", "0", "--admin-port", "0"]),
        ("serve", grpc_port, "--grpc-port", ["serve", "--port", "0", "--grpc-port", grpc_port, "--admin-port", "0"]),
        ("serve", http_port, "--admin-port", ["serve", "--port", "0", "--grpc-port", "0", "--admin-port", http_port]),
        ("core", http_port, "--admin-port", ["core", "--grpc-port", "0", "--admin-port", http_port]),
        (
            "edge",
            http_port,
            "--admin-port",
            ["edge", "--core", plain.grpc_address, "--port", "0", "--admin-port", http_port],
        ),
    ):
        refused = catenary(*line, CATENARY_DATA_DIR=str(plain.folder / "never"))
        assert refused.returncode == 1, name
        (said,) = refused.stderr.splitlines()
        assert orjson.loads(said)["event"] == (
            f"can't listen on 127.0.0.1:{taken}: address already in use; give another {flag}, or 0 for a free port"
        )
    assert not (plain.folder / "never" / "pg").exists(), "refused before anything was started"


def test_an_open_address_without_tls_is_refused_with_one_sentence(plain: Apart) -> None:
    ports = ["--grpc-port", "0"]
    for line in (
        ["core", "--host", "0.0.0.0", *ports],
        ["serve", "--host", "0.0.0.0", "--port", "0", "--admin-port", "0", *ports],
        ["serve", "--host", "::", "--port", "0", "--admin-port", "0", *ports],
        ["edge", "--host", "0.0.0.0", "--port", "0", "--core", plain.grpc_address],
    ):
        refused = catenary(*line, CATENARY_DATA_DIR=str(plain.folder / "never"))
        assert refused.returncode == 1, line
        (said,) = refused.stderr.splitlines()
        assert "without TLS" in orjson.loads(said)["event"]
        assert "--tls-cert" in orjson.loads(said)["event"]


def test_files_that_are_no_certificate_are_refused_with_one_sentence(plain: Apart) -> None:
    wrong = plain.folder / "wrong.pem"
    wrong.write_text("no certificate")
    for command in (["core"], ["edge", "--core", plain.grpc_address, "--port", "0"], ["serve"]):
        refused = catenary(*command, "--tls-cert", str(wrong), "--tls-key", str(wrong))
        assert refused.returncode == 1
        (said,) = refused.stderr.splitlines()
        assert "wrong.pem" in orjson.loads(said)["event"]
    alone = catenary("core", "--tls-cert", str(wrong))
    assert alone.returncode == 2
    assert "go together" in alone.stderr


# Slow, since it starts all parts once more; the TLS of each door is tried in the process of the test too.
@pytest.mark.gate
def test_the_parts_speak_tls_and_nothing_else(data_root: Path) -> None:
    folder = data_root / "tls"
    folder.mkdir(mode=0o711)
    tls = make_tls(folder)
    with ExitStack() as stack:
        apart = _apart(stack, folder, tls)
        assert apart.base_url.startswith("https://")
        answer = _evaluate(apart, 0)
        assert answer.status_code == 200, answer.text
        assert answer.json()["data"]["evaluation"]["status"] == "completed"
        evaluated = catenary("evaluate", apart.project, "pause=0.2", **apart.variables)
        assert evaluated.returncode == 0, evaluated.stderr
        distrusted = catenary("evaluate", apart.project, **{**apart.variables, "SSL_CERT_FILE": ""})
        assert distrusted.returncode == 1
        assert "certificate verify failed" in distrusted.stderr
        with pytest.raises(httpx.TransportError):
            httpx.get(apart.base_url.replace("https:", "http:") + "projects", timeout=ANSWER_SECONDS)
        with grpc.insecure_channel(apart.grpc_address) as channel:
            with pytest.raises(grpc.RpcError) as refused:
                health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=60)  # type: ignore[no-untyped-call]
            assert refused.value.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)  # type: ignore[attr-defined]
        credentials = grpc.ssl_channel_credentials(tls.ca.read_bytes())
        with grpc.secure_channel(apart.grpc_address, credentials) as channel:
            stub = health_pb2_grpc.HealthStub(channel)  # type: ignore[no-untyped-call]
            assert stub.Check(health_pb2.HealthCheckRequest(), timeout=60).status == 1
    for part in (apart.core, apart.edge, apart.worker):
        assert not [line for line in part.lines() if line["level"] in ("error", "critical")]
        assert not re.search("Traceback", part.log.read_text())
