"""A whole installation as a user starts it: `catenary serve` with its own database, nodes and workers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

ROOT = Path(__file__).resolve().parents[3]
PYTHONPATH = os.pathsep.join(str(ROOT / part) for part in ("src", "edge", "gen"))
START_SECONDS = 240.0
"""For a start with the demo, beside other installations that start on the same two processors."""
ANSWER_SECONDS = 120.0
"""How long a client of a test waits for an answer: it only guards against a hang, on a machine that stands still at times."""
UNLIMITED = {"CATENARY_REQUESTS_PER_HOUR": "1000000000", "CATENARY_EVALUATIONS_PER_HOUR": "1000000000"}
"""For what sends more than a user may in an hour."""


_STARTED = re.compile(r"Try it yourself.*\n\n(?:.+\n)*\n")
"""The last lines that a start prints, up to the empty line after the last command: they are not written at once."""
_ADDRESS = re.compile(r"^REST +(http\S+)\n", re.MULTILINE)


def environment() -> dict[str, str]:
    """Return the environment of a new shell: nothing of Catenary's is set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CATENARY_")}
    return {**kept, "PYTHONPATH": PYTHONPATH, "COLUMNS": "200", "NO_COLOR": "1"}


def catenary(*arguments: str, timeout: float = 300, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the CLI to its end."""
    line = [sys.executable, "-m", "catenary_cli", *arguments]
    return subprocess.run(
        line, capture_output=True, text=True, timeout=timeout, check=False, env={**environment(), **variables}
    )


def limited(open_files: int | None) -> list[str]:
    """Return what comes before a command that may open so many files at most; None leaves the limit."""
    return [] if open_files is None else ["sh", "-c", f'ulimit -n {open_files}; exec "$@"', "sh"]


_HELD: list[socket.socket] = []


def free_port() -> int:
    """Return a port that nothing listens on, for a part that is started later and told its port.

    It stays bound while this process lives, so that nobody else is given it meanwhile; our parts may bind it too, since they
    and this socket have SO_REUSEADDR or SO_REUSEPORT.
    """
    held = socket.socket()
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        held.setsockopt(socket.SOL_SOCKET, option, 1)
    held.bind(("127.0.0.1", 0))
    _HELD.append(held)
    return int(held.getsockname()[1])


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Installation:
    """A running `catenary serve`, with the demo unless it is empty."""

    def __init__(
        self,
        data_dir: Path,
        arguments: Sequence[str] = (),
        open_files: int | None = None,
        *,
        empty: bool = False,
        **variables: str,
    ) -> None:
        self.data_dir = data_dir
        self.admin_port = free_port()
        self._log = data_dir.with_suffix(".log")
        self._out = self._log.open("ab")
        line = [
            sys.executable,
            "-m",
            "catenary_cli",
            "serve",
            "--data-dir",
            str(data_dir),
            *([] if empty else ["--demo"]),
        ]
        ports = ["--port", "0", "--grpc-port", "0", "--admin-port", str(self.admin_port)]
        self.process = subprocess.Popen(
            [*limited(open_files), *line, *ports, *arguments],
            stdout=self._out,
            stderr=subprocess.STDOUT,
            env={**environment(), **variables},
            start_new_session=True,
        )
        self._offset = self._log.stat().st_size
        self._known: set[psutil.Process] = set()

    @property
    def log(self) -> str:
        """Return the text that was printed so far."""
        return self._log.read_text(errors="replace")

    def wait(self) -> dict[str, Any]:
        """Wait until everything is up and return the demo's file."""
        self._until_printed(_STARTED)
        demo: dict[str, Any] = json.loads((self.data_dir / "demo.json").read_text())
        return demo

    def base_url(self) -> str:
        """Wait until an empty installation is up; return the address of its API."""
        return self._until_printed(_ADDRESS)[1]

    def _until_printed(self, pattern: re.Pattern[str]) -> re.Match[str]:
        deadline = time.monotonic() + START_SECONDS
        while (found := pattern.search(self._printed())) is None:
            assert self.process.poll() is None, f"serve ended with {self.process.returncode}:\n{self.log}"
            assert time.monotonic() < deadline, f"serve is not up after {START_SECONDS} s:\n{self.log}"
            time.sleep(0.05)
        return found

    def _printed(self) -> str:
        with self._log.open("rb") as file:
            file.seek(self._offset)
            return file.read().decode(errors="replace")

    def children(self, part: str) -> list[psutil.Process]:
        """Return its processes whose command line has `part`."""
        found = []
        for child in psutil.Process(self.process.pid).children(recursive=True):
            try:
                if part in " ".join(child.cmdline()):
                    found.append(child)
            except psutil.NoSuchProcess:
                continue
        return found

    def remember(self) -> None:
        """Note the processes of now, for `children_left`."""
        with contextlib.suppress(psutil.NoSuchProcess):
            self._known |= set(psutil.Process(self.process.pid).children(recursive=True))

    def children_left(self) -> list[int]:
        """Return the processes at its stop that still run."""
        return [process.pid for process in self._known if _runs(process)]

    def postmaster(self) -> int:
        """Return the process id of its PostgreSQL."""
        return int((self.data_dir / "pg" / "postmaster.pid").read_text().splitlines()[0])

    def kill(self) -> None:
        """Kill everything at once by SIGKILL: the supervisor, what it started, and PostgreSQL."""
        root = psutil.Process(self.process.pid)
        processes = [root, *root.children(recursive=True), psutil.Process(self.postmaster())]
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait(ANSWER_SECONDS)
        psutil.wait_procs(processes, timeout=ANSWER_SECONDS)
        self._out.close()

    def stop(self, seconds: float = 120) -> int:
        """Stop the installation by SIGTERM and return its exit code."""
        self.remember()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        finally:
            if self.process.poll() is None:
                self.process.kill()  # its children end by themselves
            self._out.close()


def client_of(demo: dict[str, Any]) -> httpx.Client:
    """Return a client with a token of the demo's own client."""
    given = {key: demo[key] for key in ("client_id", "client_secret")}
    body = {"grant_type": "client_credentials", **given}
    answer = httpx.post(f"{demo['base_url']}auth/token", json=body, timeout=ANSWER_SECONDS)
    assert answer.status_code == 200, answer.text
    headers = {"Authorization": f"Bearer {answer.json()['access_token']}"}
    return httpx.Client(base_url=demo["base_url"], headers=headers, timeout=ANSWER_SECONDS)


@contextlib.contextmanager
def measured(*arguments: str) -> Iterator[Installation]:
    """Run an installation without limits in a folder of its own, for a program that measures it."""
    with tempfile.TemporaryDirectory(prefix="catenary-bench-") as folder:
        root = Path(folder)
        root.chmod(0o711)  # the database's own user passes through it
        installation = Installation(root / "data", list(arguments), **UNLIMITED)
        try:
            yield installation
        finally:
            installation.stop()


def discard(data_dir: Path) -> None:
    """Remove a data directory after its installation was stopped."""
    shutil.rmtree(data_dir, ignore_errors=True)


@dataclass(frozen=True)
class Running:
    """A running installation with a client that has its token."""

    installation: Installation
    demo: dict[str, str]
    http: httpx.Client

    @property
    def project(self) -> str:
        return f"projects/{self.demo['project_id']}"
