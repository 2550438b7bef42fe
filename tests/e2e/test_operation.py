"""The view of an installation's operator: counts, readiness, logs; and stops that cost no accepted request."""

from __future__ import annotations

import contextlib
import json
import math
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from catenary_edge.guards import IDLE_GRACE
from factories.installations.installation import (
    ANSWER_SECONDS,
    PYTHONPATH,
    UNLIMITED,
    Installation,
    Running,
    client_of,
    environment,
    free_port,
)
from factories.installations.processes import Part

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-|@|\b(?:\d{1,3}\.){3}\d{1,3}\b")
_LABELS = {"method", "route", "status", "code", "state", "part", "outcome", "le"}


def _counts(admin_port: int) -> dict[tuple[str, ...], float]:
    """Each sample: its name and its labels' values, by label."""
    answer = httpx.get(f"http://127.0.0.1:{admin_port}/metrics", timeout=ANSWER_SECONDS)
    assert answer.headers["content-type"].startswith("text/plain; version=")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            assert sample.labels.keys() <= _LABELS, sample
            assert not any(_ID.search(value) for value in sample.labels.values()), sample
            labels = sorted(sample.labels.items())
            found[(sample.name, *(f"{name}={value}" for name, value in labels))] = sample.value
    return found


def _requests(counts: dict[tuple[str, ...], float], route: str, status: str) -> float:
    return counts.get(("catenary_http_requests_total", "method=GET", f"route={route}", f"status={status}"), 0.0)


def test_metrics_sum_what_all_nodes_count(running: Running) -> None:
    port = running.installation.admin_port
    before = _counts(port)
    for number in range(20):
        headers = dict(running.http.headers)
        with httpx.Client(base_url=running.demo["base_url"], headers=headers, timeout=ANSWER_SECONDS) as fresh:
            fresh.get("projects").raise_for_status()
            assert fresh.get(f"projects/{uuid.UUID(int=number)}").status_code == 404
    after = _counts(port)
    assert _requests(after, "/v1/projects", "200") - _requests(before, "/v1/projects", "200") == 20
    missed = "/v1/projects/{project_id}"
    assert _requests(after, missed, "404") - _requests(before, missed, "404") == 20
    seconds = ("catenary_http_request_seconds_count", "method=GET", "route=/v1/projects")
    assert after[seconds] - before.get(seconds, 0.0) == 20
    calls = ("catenary_calls_total", "code=NOT_FOUND", "method=/catenary.platform.v1.ProjectService/GetProject")
    assert after[calls] - before.get(calls, 0.0) == 20
    assert after["catenary_ready", "part=node"] == 2
    assert after["catenary_ready", "part=worker"] >= 1


def test_metrics_tell_of_evaluations_jobs_and_the_database(running: Running) -> None:
    port = running.installation.admin_port
    ended = ("catenary_evaluations_total", "status=completed")
    before = _counts(port).get(ended, 0.0)
    done = running.http.post(f"{running.project}/evaluate", json={"force": True})
    assert done.status_code == 200, done.text
    deadline = time.monotonic() + 60
    # The caller may have its answer from one node before the other has counted its commit.
    while (now := _counts(port).get(ended, 0.0)) == before:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert now == before + 1
    while ("catenary_jobs", "state=waiting") not in (counts := _counts(port)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert counts["catenary_jobs", "state=waiting"] >= 0
    assert counts["catenary_jobs", "state=leased"] >= 0
    connections = sum(counts["catenary_database_connections", f"state={state}"] for state in ("idle", "in_use"))
    assert connections >= 4, "two nodes, each with at least two"
    assert counts["catenary_database_waiting",] >= 0


def test_metrics_tell_of_live_sessions_and_their_designs(running: Running) -> None:
    port, answered = running.installation.admin_port, ("catenary_live_design_seconds_count",)
    before = _counts(port).get(answered, 0.0)
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    access = {name: running.demo[key] for name, key in names.items()}
    line = [sys.executable, "-m", "catenary_cli", "explore", running.demo["project_id"]]
    with subprocess.Popen(
        line, env={**environment(), **access}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as session:
        assert session.stdin is not None
        assert session.stdout is not None
        for storeys, key in ((10, b'"evaluation"'), (9999, b'"error"'), (11, b'"evaluation"')):
            session.stdin.write(b'{"parameters": {"storeys": %d}}\n' % storeys)
            session.stdin.flush()
            assert key in session.stdout.readline()
        counts = _counts(port)
        assert counts["catenary_live_sessions",] == 1
        assert counts[answered] == before + 2, "the refused one has no numbers"
    deadline = time.monotonic() + 60
    while _counts(port)["catenary_live_sessions",]:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_what_strangers_send_makes_no_series_of_its_own(running: Running) -> None:
    for path in ("/v1/canary-word", "/canary-word"):
        url = f"{running.demo['base_url'].removesuffix('/v1/')}{path}"
        httpx.request("CANARYVERB", url, timeout=ANSWER_SECONDS)
    text = httpx.get(f"http://127.0.0.1:{running.installation.admin_port}/metrics", timeout=ANSWER_SECONDS).text
    assert "canary" not in text.lower()
    assert 'catenary_http_requests_total{method="",route="",status="40' in text


def test_readiness_says_whether_models_run_in_a_sandbox(running: Running) -> None:
    told = httpx.get(f"http://127.0.0.1:{running.installation.admin_port}/readyz", timeout=ANSWER_SECONDS).json()
    workers = {name for name in told["parts"] if name.startswith("worker-")}
    assert workers
    assert told["notes"] == dict.fromkeys(workers, "models run in a sandbox")


def test_one_request_id_is_in_the_logs_of_edge_core_and_worker(running: Running) -> None:
    request_id = f"follow-{uuid.uuid4().hex}"
    body = {"force": True}
    done = running.http.post(f"{running.project}/evaluate", json=body, headers={"X-Request-Id": request_id})
    assert done.status_code == 200, done.text
    assert done.headers["X-Request-Id"] == request_id
    expected = {("node", "request"), ("node", "call"), ("worker", "job done")}
    deadline = time.monotonic() + 60
    while True:
        lines: list[dict[str, Any]] = [
            json.loads(line) for line in running.installation.log.splitlines() if line.startswith("{")
        ]
        found = {(line["part"], line["event"]) for line in lines if line.get("request_id") == request_id}
        if expected <= found:
            return
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


class Load:
    """Clients that ask without a pause: half of them with a new connection for each request, half with one that is kept."""

    def __init__(self, base_url: str, headers: dict[str, str]) -> None:
        self.answered = 0
        self.failed: list[str] = []
        self.late = 0
        """Requests on a connection that the client left idle too long: the server may close it at that moment."""
        self._stop = threading.Event()
        self._base_url, self._headers = base_url, headers
        self._threads = [threading.Thread(target=self._ask, args=(number % 2 == 0,)) for number in range(6)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _client(self) -> httpx.Client:
        return httpx.Client(base_url=self._base_url, headers=self._headers, verify=False, timeout=ANSWER_SECONDS)

    def _ask(self, keep: bool) -> None:
        client = self._client()
        free = math.inf
        while not self._stop.is_set():
            asked = time.monotonic()
            try:
                answer = client.get("projects")
                if answer.status_code != 200:
                    self.failed.append(f"{answer.status_code} {answer.text}")
                self.answered += 1
            except httpx.ConnectError:
                time.sleep(0.01)  # nobody listens: not accepted
            except httpx.TransportError as error:
                if keep and asked - free > IDLE_GRACE / 2:  # RFC 9112, section 9.5: the client repeats it
                    self.late += 1
                    free = math.inf  # the next request has a new connection
                    continue
                self.failed.append(f"{'kept' if keep else 'new'} {type(error).__name__}: {error}")
            if not keep:
                client.close()
                client = self._client()
            free = time.monotonic()
        client.close()


@pytest.fixture
def loaded(data_root: Path) -> Iterator[Installation]:
    installation = Installation(data_root / "loaded", ["--nodes", "2", "--workers", "1"], **UNLIMITED)
    try:
        yield installation
    finally:
        installation.stop()


def _load(demo: dict[str, Any]) -> Load:
    with client_of(demo) as client:
        return Load(demo["base_url"], dict(client.headers))


@pytest.mark.slow
def test_a_stop_under_load_fails_no_accepted_request(loaded: Installation) -> None:
    demo = loaded.wait()
    with _load(demo) as load:
        time.sleep(1.0)
        for node in list(loaded.children("catenary_cli node")):
            node.send_signal(signal.SIGTERM)
            node.send_signal(signal.SIGTERM)
            psutil.wait_procs([node], timeout=120)
            deadline = time.monotonic() + 120
            while _counts(loaded.admin_port)["catenary_ready", "part=node"] != 2:
                assert time.monotonic() < deadline
                time.sleep(0.1)
            time.sleep(0.5)
        served = load.answered
        assert _requests(_counts(loaded.admin_port), "/v1/projects", "200") >= served - 10, (
            "a stopped node's counts stay"
        )
        loaded.process.send_signal(signal.SIGTERM)
        assert loaded.process.wait(120) == 0, loaded.log
    assert served > 100
    assert load.failed == []


FORBIDS_NAMESPACES = """
import sys
if "worker" in sys.orig_argv:
    import errno, pyseccomp
    calls = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    calls.add_rule(pyseccomp.ERRNO(errno.EPERM), "unshare")
    calls.load()
"""


def _told(port: int, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the answer of `/readyz` once `until` accepts it."""
    deadline = time.monotonic() + 90
    while True:
        with contextlib.suppress(httpx.TransportError):
            answer = httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=ANSWER_SECONDS)
            told: dict[str, Any] = {**answer.json(), "code": answer.status_code}
            if until(told):
                return told
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("allowed", [False, pytest.param(True, marks=pytest.mark.gate)])
def test_readiness_says_that_models_cannot_be_sandboxed(data_root: Path, tmp_path: Path, allowed: bool) -> None:
    (tmp_path / "sitecustomize.py").write_text(FORBIDS_NAMESPACES)
    port = free_port()
    line = ["serve", "--data-dir", str(data_root / f"forbidden-{allowed}"), "--port", "0", "--grpc-port", "0"]
    variables = {"PYTHONPATH": f"{tmp_path}:{PYTHONPATH}"}
    if allowed:
        variables["CATENARY_WORKER_ALLOW_UNSANDBOXED"] = "1"
    serve = Part(tmp_path, "serve", *line, "--admin-port", str(port), "--workers", "1", "--dev", **variables)
    try:
        if allowed:
            told = _told(port, lambda told: told["status"] == "ok")
            assert told["code"] == 200
            said = told["notes"]["worker-0"]
            assert said.startswith("models run without a sandbox: ")
        else:
            told = _told(port, lambda told: ":" in told["parts"].get("worker-0", ""))
            assert told["code"] == 503
            said = told["parts"]["worker-0"]
            assert said.startswith("not ready: ")
        assert "this system forbids it" in said
        assert "Operation not permitted" in said
    finally:
        code = serve.stop()
    assert code == 0 or not allowed
