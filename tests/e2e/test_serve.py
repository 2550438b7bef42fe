"""The life of `serve`: its processes, their stop, and the remains after a kill."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import orjson
import psutil
import pytest

from catenary_cli.server.worker_environment import allowed
from catenary_worker.sandbox import runtime
from factories.checks import running_clock
from factories.installations.installation import (
    ANSWER_SECONDS,
    START_SECONDS,
    Installation,
    Running,
    catenary,
    client_of,
    environment,
)
from factories.installations.started import started
from factories.installations.tls import make_tls

PORTS = ["--port", "0", "--grpc-port", "0", "--admin-port", "0"]
MODEL = """
import time
PARAMETERS = [{"name": "pause", "type": "number", "min": 0, "max": 60, "default": 0}]
METRICS = [{"name": "waited"}]

def evaluate(p):
    time.sleep(p["pause"])
    return {"metrics": {"waited": p["pause"]}}
"""


def _until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = running_clock.seconds() + seconds
    while not condition():
        assert running_clock.seconds() < deadline
        time.sleep(0.05)


@contextmanager
def _installed(data_dir: Path, *arguments: str, **variables: str) -> Iterator[Installation]:
    installation = Installation(data_dir, arguments, **variables)
    try:
        yield installation
    finally:
        code = installation.stop()
    assert code == 0, installation.log


def _ready(installation: Installation) -> bool:
    try:
        return (
            httpx.get(f"http://127.0.0.1:{installation.admin_port}/readyz", timeout=ANSWER_SECONDS).status_code == 200
        )
    except httpx.TransportError:
        return False


def _log_lines(installation: Installation) -> Iterator[dict[str, Any]]:
    for line in installation.log.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def test_both_nodes_answer(running: Running) -> None:
    pids: set[int] = set()

    def answered_by_both() -> bool:
        headers = dict(running.http.headers)
        with httpx.Client(base_url=running.demo["base_url"], headers=headers, timeout=ANSWER_SECONDS) as fresh:
            fresh.get("projects").raise_for_status()
        pids.update(
            line["pid"]
            for line in _log_lines(running.installation)
            if line["event"] == "request" and line["part"] == "node"
        )
        return len(pids) == 2

    _until(answered_by_both)
    assert pids == {child.pid for child in running.installation.children("catenary_cli node")}


def test_no_file_of_an_installation_and_no_process_of_it_lets_other_users_in(running: Running) -> None:
    data_dir = running.installation.data_dir
    as_root = os.geteuid() == 0
    status = data_dir.stat()
    assert status.st_mode & 0o777 == (0o710 if as_root else 0o700)
    assert (status.st_gid == (data_dir / "pg").stat().st_gid) is as_root, "root lets the account of PostgreSQL through"
    found = 0
    for root, folders, files in os.walk(data_dir):
        for path in (Path(root, name) for name in (*folders, *files)):
            with suppress(FileNotFoundError):  # PostgreSQL removes files meanwhile
                found += 1
                assert path.lstat().st_mode & 0o077 == 0, path
    assert found > 1_000
    processes = [running.installation.process.pid, *(child.pid for child in running.installation.children("catenary"))]
    for pid in processes:
        with suppress(FileNotFoundError, ProcessLookupError):  # a child in which a model ran ends meanwhile
            assert "\nUmask:\t0077\n" in Path(f"/proc/{pid}/status").read_text()


def test_workers_and_zygotes_have_no_variable_and_no_descriptor_of_their_operators_shell(running: Running) -> None:
    workers = running.installation.children("catenary_cli worker")
    assert workers
    for worker in workers:
        variables = worker.environ()
        assert variables == allowed(variables)
        assert variables.keys() & {"CATENARY_DATABASE_URL", "CATENARY_SECRET_KEY", "CATENARY_DATA_DIR"} == set()
        assert os.readlink(f"/proc/{worker.pid}/fd/0") == "/dev/null"  # noqa: PTH115
        (zygote,) = [child for child in worker.children() if "catenary_worker.zygote" in child.cmdline()]
        assert zygote.environ() == runtime.environment()
        kinds = {}
        for name in os.listdir(f"/proc/{zygote.pid}/fd"):  # noqa: PTH208
            with suppress(FileNotFoundError):  # pipes of a child that it has just started
                kinds[name] = os.readlink(f"/proc/{zygote.pid}/fd/{name}").partition(":")[0]  # noqa: PTH115
        # 2 is where the log of the installation goes; the socket leads to the worker, a pidfd to a child.
        assert (kinds.pop("0"), kinds.pop("1")) == ("/dev/null", "/dev/null")
        assert kinds.pop("2") == str(running.installation.data_dir.with_suffix(".log"))
        assert set(kinds.values()) <= {"socket", "anon_inode", "pipe"}
        assert list(kinds.values()).count("socket") == 1


def _is_of_the_trail(logged: str | bytes) -> bool:
    """Return whether each line of a log is one of the audit trail, which is always on."""
    return {json.loads(line).get("stream") for line in logged.splitlines()} <= {"audit"}


# Slow, since it starts one more installation; shared databases and taken ports have faster tests.
@pytest.mark.slow
def test_a_second_serve_joins_the_database_on_other_ports_and_is_refused_on_the_same(running: Running) -> None:
    data_dir = str(running.installation.data_dir)
    same = str(httpx.URL(running.demo["base_url"]).port)
    refused = catenary("serve", "--data-dir", data_dir, "--port", same, "--grpc-port", "0", "--admin-port", "0")
    assert refused.returncode == 1
    (said,) = refused.stderr.splitlines()
    assert orjson.loads(said)["event"] == (
        f"can't listen on 127.0.0.1:{same}: address already in use; give another --port, or 0 for a free port"
    )

    postmaster = running.installation.postmaster()
    joined = catenary("serve", "--once", "--data-dir", data_dir, *PORTS)
    assert joined.returncode == 0, joined.stderr
    assert _is_of_the_trail(joined.stderr), joined.stderr
    assert joined.stdout.startswith("Another server runs on this data directory; this one joins it")
    assert running.installation.postmaster() == postmaster
    file = running.installation.data_dir / "demo.json"
    kept = (file.stat().st_mtime_ns, file.read_bytes())
    limited = {"CATENARY_REQUESTS_PER_HOUR": "3"}  # fewer than the demo has used already
    second = catenary("serve", "--demo", "--once", "--data-dir", data_dir, *PORTS, **limited)
    assert second.returncode == 0, second.stderr
    assert "this one joins it" in second.stdout
    assert re.search(r"You have had your 3 requests of the hour; try again in \d+ minutes\.", second.stdout)
    assert "CATENARY_REQUESTS_PER_HOUR" in second.stdout
    assert (file.stat().st_mtime_ns, file.read_bytes()) == kept, "the file names the server that was started first"
    assert f"{file} (with the addresses of the other server)" in second.stdout
    assert running.http.get("projects").status_code == 200


@pytest.mark.slow
@pytest.mark.gate
def test_workers_get_none_of_the_credentials_that_nodes_have(data_root: Path) -> None:
    secret = base64.b64encode(bytes(range(32))).decode()
    installation = Installation(
        data_root / "withheld", ["--workers", "1"], CATENARY_SECRET_KEY=secret, PGPASSWORD="canary"
    )
    try:
        installation.wait()
        nodes = [node.environ() for node in installation.children("catenary_cli node")]
        workers = [worker.environ() for worker in installation.children("catenary_cli worker")]
    finally:
        installation.stop()
    assert nodes
    assert all({"CATENARY_DATABASE_URL", "CATENARY_SECRET_KEY", "PGPASSWORD"} <= node.keys() for node in nodes)
    assert workers
    assert all("CATENARY_WORKER_TOKEN" in worker for worker in workers)
    assert all(worker == allowed(worker) for worker in workers)
    assert all(allowed(node) != node for node in nodes)
    assert not any(secret in worker.values() or "canary" in worker.values() for worker in workers)
    assert not any("CATENARY_DATABASE_URL" in worker for worker in workers)


# Slow: an installation of its own.
@pytest.mark.slow
def test_output_without_a_terminal_has_no_control_characters(data_root: Path) -> None:
    variables = {name: value for name, value in environment().items() if name not in ("NO_COLOR", "TERM")}
    line = [sys.executable, "-m", "catenary_cli", "serve", "--once", "--data-dir", str(data_root / "quiet"), *PORTS]
    line += ["--nodes", "1", "--workers", "0"]
    done = subprocess.run(line, capture_output=True, env={**variables, "TERM": "xterm-256color"}, timeout=120)
    assert done.returncode == 0, done.stderr
    assert _is_of_the_trail(done.stderr), "without --verbose only the audit trail is logged"
    assert b"REST " in done.stdout
    assert b"Client id" not in done.stdout, "--once without --demo makes nothing"
    assert b"joins" not in done.stdout
    root = re.search(rb"^REST +(http://127\.0\.0\.1:\d+/)v1/$", done.stdout, re.MULTILINE)
    assert root is not None
    for page in (b"docs", b"docs/guide"):
        assert re.search(rb"^\w+ +" + root[1] + page + b"$", done.stdout, re.MULTILINE)
    assert b"403 HTTPS_REQUIRED" in done.stdout
    for flag in (b"--tls-cert FILE --tls-key FILE", b"--trusted-proxy NETWORK", b"--dev"):
        assert re.search(rb"^  " + flag + b"  ", done.stdout, re.MULTILINE), "what a server without TLS needs"
    assert b"\n  catenary client create NAME --admin --data-dir %b\n" % bytes(data_root / "quiet") in done.stdout
    developed = [*line[:4], "--dev", *line[4:]]
    done = subprocess.run(developed, capture_output=True, env=variables, timeout=120)
    assert done.returncode == 0, done.stderr
    assert b"HTTPS_REQUIRED" not in done.stdout
    assert b"catenary client create" in done.stdout
    assert not [byte for byte in done.stdout if byte < 32 and byte != 10]


# Slow: an installation of its own.
@pytest.mark.slow
def test_files_of_the_folder_that_an_operator_stands_in_are_not_imported(data_root: Path) -> None:
    home = data_root / "home"
    (home / "catenary" / "src").mkdir(parents=True)  # a clone of the repository, and a script beside it
    for file in (home / "catenary/src/foreign_pb2.py", home / "random.py"):
        file.write_text("raise RuntimeError")
    command = [sys.executable, "-P", "-m", "catenary_cli", "serve", "--once"]
    line = [*command, "--data-dir", str(data_root / "beside"), *PORTS]
    done = subprocess.run(line, capture_output=True, env=environment(), cwd=home, timeout=120)
    assert done.returncode == 0, done.stderr
    assert all(json.loads(line) for line in done.stderr.splitlines()), "logs alone, no traceback"


@pytest.mark.slow
def test_a_stop_does_not_wait_for_the_demo(data_root: Path) -> None:
    with _installed(data_root / "unmade", "--workers", "0", "--verbose") as installation:
        _until(lambda: "Checking twisted tower" in installation.log, START_SECONDS)
    # No worker ends the check for which the demo waits: a stop that waited too would never end.
    assert not (installation.data_dir / "demo.json").exists()
    with _installed(data_root / "unmade", "--workers", "1") as again:
        with client_of(again.wait()) as http:
            (project,) = http.get("projects").json()["data"]["projects"]
        assert project["deployed_model_version_id"] is not None, "the start after it goes on with the same project"
        assert project["environment_project_id"] is not None


@pytest.mark.slow
@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.gate), signal.SIGINT])
def test_a_stop_finishes_what_runs_and_leaves_nothing(data_root: Path, number: signal.Signals) -> None:
    temporary = data_root / f"tmp-{number.name}"
    temporary.mkdir(mode=0o711)
    data_dir = data_root / f"stop-{number.name}"
    with _installed(data_dir, "--workers", "1", TMPDIR=str(temporary)) as installation:
        demo = installation.wait()
        with client_of(demo) as http:
            project = _waiting_model(http)
            answers: list[httpx.Response] = []

            def evaluate() -> None:
                answers.append(http.post(f"projects/{project}/evaluate", json={"parameters": {"pause": 3}}))

            waiting = threading.Thread(target=evaluate)
            waiting.start()
            _until(lambda: _running_evaluations(installation, project) == 1)
            installation.remember()
            if number == signal.SIGINT:
                os.killpg(installation.process.pid, number)  # as a terminal does it
            else:
                installation.process.send_signal(number)
            time.sleep(0.5)
            with pytest.raises(httpx.TransportError):
                httpx.get(f"{demo['base_url']}projects", timeout=ANSWER_SECONDS)
            assert installation.process.wait(120) == 0, installation.log
            waiting.join()
    assert answers[0].status_code == 200
    assert answers[0].json()["data"]["evaluation"]["status"] == "completed"
    assert not installation.children_left()
    assert not psutil.pid_exists(_postmaster(installation))
    assert not list(temporary.iterdir())
    assert not [line for line in _log_lines(installation) if line["level"] == "error"]


@pytest.mark.slow
@pytest.mark.gate
def test_after_a_kill_of_the_supervisor_the_next_start_has_everything(data_root: Path) -> None:
    data_dir = data_root / "killed"
    first = Installation(data_dir, ["--workers", "1"])
    demo = first.wait()
    first.remember()
    first.process.kill()
    first.process.wait()
    _until(lambda: not first.children_left(), 35)
    first.stop()
    with _installed(data_dir, "--workers", "1") as again:
        kept = again.wait()
        assert kept["project_id"] == demo["project_id"]
        with client_of(kept) as http:
            models = http.get(f"projects/{demo['project_id']}/models").json()["data"]["models"]
        assert len(models) == 3
    assert not again.children_left()
    assert not psutil.pid_exists(_postmaster(again))


@pytest.mark.slow
@pytest.mark.gate
def test_a_killed_node_is_started_again(data_root: Path) -> None:
    with _installed(started(data_root / "node"), "--workers", "1") as installation:
        demo = installation.wait()
        (node,) = installation.children("catenary_cli node")
        node.kill()
        _until(lambda: not _ready(installation))
        _until(lambda: _ready(installation))
        with client_of(demo) as http:
            answer = http.post(
                f"projects/{demo['project_id']}/evaluate", json={"parameters": {"storeys": 30}, "force": True}
            )
        assert answer.json()["data"]["evaluation"]["status"] == "completed"


@pytest.mark.slow
@pytest.mark.gate
def test_serve_with_tls_files_serves_https_only_and_its_workers_work(data_root: Path) -> None:
    folder = data_root / "serve-tls"
    folder.mkdir(mode=0o711)
    tls = make_tls(folder)
    files = ["--tls-cert", str(tls.cert), "--tls-key", str(tls.key)]
    with _installed(started(folder / "data"), *files, "--workers", "1") as installation:
        demo = installation.wait()
        assert demo["base_url"].startswith("https://")
        trust = ssl.create_default_context(cafile=tls.ca)
        url = f"{demo['base_url']}projects"
        assert httpx.get(url, verify=trust, timeout=ANSWER_SECONDS).status_code == 401
        with pytest.raises(httpx.TransportError):
            httpx.get(demo["base_url"].replace("https", "http", 1), timeout=ANSWER_SECONDS)
        printed = [line for line in installation.log.splitlines() if line.startswith(("TOKEN=", "curl "))][:2]
        done = subprocess.run(["bash", "-c", "\n".join(printed)], capture_output=True, check=True, timeout=60)
        assert orjson.loads(done.stdout)["data"]["evaluation"]["status"] == "completed"


def _waiting_model(http: httpx.Client) -> str:
    project = http.post("projects", json={"name": "Waits"}).json()["data"]["project"]["project_id"]
    model = http.post(f"projects/{project}/models", json={"name": "waits"}).json()["data"]["model"]["model_id"]
    versions = f"projects/{project}/models/{model}/versions"
    made = http.post(versions, content=MODEL, headers={"Content-Type": "text/x-python"}).json()
    version = made["data"]["model_version"]["model_version_id"]
    _until(lambda: http.get(f"{versions}/{version}").json()["data"]["model_version"]["status"] == "ready")
    assert http.post(f"projects/{project}/deployments", json={"model_version_id": version}).status_code == 201
    return str(project)


def _running_evaluations(installation: Installation, project: str) -> int:
    demo = json.loads((installation.data_dir / "demo.json").read_text())
    with client_of(demo) as http:
        found = http.get(f"projects/{project}/evaluations").json()["data"]["evaluations"]
    return sum(evaluation["status"] == "running" for evaluation in found)


def _postmaster(installation: Installation) -> int:
    """Return the process id of the PostgreSQL; -1 when it has stopped and removed its file."""
    try:
        return installation.postmaster()
    except FileNotFoundError:
        return -1
