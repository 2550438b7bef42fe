"""The admin ports of a core and an edge that run apart: alive, ready, and what they count."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from catenary_core.embedded_postgres import server as embedded_postgres
from factories.installations.installation import ANSWER_SECONDS, free_port
from factories.installations.processes import Part, running

pytestmark = pytest.mark.slow

SECONDS = 60.0


def admin_of(part: Part) -> str:
    return f"http://{part.wait_for(r'Admin port on (127[.]0[.]0[.]1:[0-9]+)')[1]}"


def becomes(admin: str, status: int, parts: dict[str, str]) -> None:
    """Wait until `/readyz` gives this status and these parts."""
    deadline = time.monotonic() + SECONDS
    while True:
        answer = httpx.get(f"{admin}/readyz", timeout=ANSWER_SECONDS)
        told = answer.json()
        if (answer.status_code, told["parts"]) == (status, parts):
            assert told["status"] == ("ok" if status == 200 else "not ready")
            return
        assert time.monotonic() < deadline, (answer.status_code, told)
        time.sleep(0.1)


def counted(admin: str, sample: str, **labels: str) -> float:
    """Return the sum of the samples of this name that have these labels."""
    text = httpx.get(f"{admin}/metrics", timeout=ANSWER_SECONDS).text
    samples = (one for family in text_string_to_metric_families(text) for one in family.samples)
    return sum(one.value for one in samples if one.name == sample and labels.items() <= one.labels.items())


def test_a_core_and_an_edge_tell_that_they_live_are_ready_and_what_they_count(data_root: Path) -> None:
    folder = data_root / "admin"
    folder.mkdir(mode=0o711)
    grpc_port = free_port()
    edge_line = ["edge", "--core", f"127.0.0.1:{grpc_port}", "--port", "0", "--dev"]
    core_line = ["core", "--grpc-port", str(grpc_port), "--data-dir", str(folder / "data")]
    with running(folder, "edge", *edge_line) as edge:
        of_edge = admin_of(edge)
        becomes(of_edge, 503, {"edge": "ok", "core": "can't be reached", "http": "ok"})
        assert httpx.get(f"{of_edge}/healthz", timeout=ANSWER_SECONDS).json() == {"status": "ok"}
        with running(folder, "core", *core_line) as core:
            of_core = admin_of(core)
            becomes(of_core, 200, {"core": "ok", "database": "ok", "grpc": "ok"})
            becomes(of_edge, 200, {"edge": "ok", "core": "ok", "http": "ok"})
            base = f"http://{edge.wait_for(r'HTTP edge on (127[.]0[.]0[.]1:[0-9]+)')[1]}"
            answered = {"method": "GET", "route": "/v1/projects", "status": "401"}
            for _ in range(3):
                refused = httpx.get(
                    f"{base}/v1/projects", headers={"Authorization": "Bearer x"}, timeout=ANSWER_SECONDS
                )
                assert refused.status_code == 401, refused.text
            assert counted(of_edge, "catenary_http_requests_total", **answered) == 3
            assert counted(of_core, "catenary_calls_total", code="UNAUTHENTICATED") >= 1
            assert counted(of_core, "catenary_http_requests_total") == 0
            for admin, part in ((of_edge, "edge"), (of_core, "core")):
                assert counted(admin, "catenary_ready", part=part) == 1
                assert httpx.get(f"{admin}/v1/projects", timeout=ANSWER_SECONDS).status_code == 404, (
                    "nothing of the API is served there"
                )
        becomes(of_edge, 503, {"edge": "ok", "core": "can't be reached", "http": "ok"})


def test_a_core_lives_and_is_not_ready_while_its_database_is_away(data_root: Path) -> None:
    folder = data_root / "away"
    folder.mkdir(mode=0o711)
    with embedded_postgres.start(folder / "pg") as server:
        dsn = server.dsn
        core = Part(
            folder,
            "core",
            "core",
            "--grpc-port",
            "0",
            CATENARY_DATABASE_URL=dsn,
            CATENARY_DATA_DIR=str(folder / "core"),
        )
        admin = admin_of(core)
        becomes(admin, 200, {"core": "ok", "database": "ok", "grpc": "ok"})
    try:
        becomes(admin, 503, {"core": "ok", "database": "can't be reached", "grpc": "ok"})
        assert httpx.get(f"{admin}/healthz", timeout=ANSWER_SECONDS).status_code == 200
        with embedded_postgres.start(folder / "pg") as server:
            assert server.dsn == dsn
            becomes(admin, 200, {"core": "ok", "database": "ok", "grpc": "ok"})
            assert core.stop() == 0
    finally:
        if core.process.poll() is None:
            core.process.kill()
