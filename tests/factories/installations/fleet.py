"""An installation of parts that run apart: two cores on one database, an edge before each, and a worker.

Any of them, and the database, can be killed and comes again at its old address.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from factories.installations.installation import UNLIMITED, catenary, free_port
from factories.installations.processes import Part

PARTS = ("edge-0", "core-0", "worker", "postgres", "edge-1", "core-1")
"""In the order in which they are killed in turn."""


@dataclass(frozen=True)
class _Line:
    """The start of a part, and the words that it prints when it is up."""

    arguments: tuple[str, ...]
    variables: dict[str, str]
    up: str


class Fleet:
    """The running parts."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """Prepare a fleet; `variables` are settings of the cores."""
        self.data_dir = folder / "data"
        self._folder = folder
        self._variables = {**UNLIMITED, "CATENARY_LEASE_SECONDS": "2", **variables}
        self._grpc = [free_port() for _ in range(2)]
        self._http = [free_port() for _ in range(2)]
        self._lines: dict[str, _Line] = {}
        self._parts: dict[str, Part] = {}
        self.killed: Counter[str] = Counter()

    @property
    def urls(self) -> list[str]:
        """Return the edges' addresses, without a path."""
        return [f"http://127.0.0.1:{port}" for port in self._http]

    @property
    def dsn(self) -> str:
        """Return the conninfo of the database."""
        return (
            f"host={self.data_dir / 'run'} port=5432 user=catenary dbname=catenary passfile={self.data_dir / 'pg.pass'}"
        )

    async def start(self) -> None:
        """Start all parts and wait until they are up."""
        for number, port in enumerate(self._grpc):
            line = ("core", "--grpc-port", str(port), "--data-dir", str(self.data_dir))
            self._lines[f"core-{number}"] = _Line(line, self._variables, "gRPC core on")
            # The second finds the first's database.
            await self._begin(f"core-{number}")
        token = await asyncio.to_thread(catenary, "worker-token", "create", "Fleet", "--data-dir", str(self.data_dir))
        assert token.returncode == 0, token.stderr
        # Its core is the one whose edge most writers don't use, so that the cores need each other's notifications.
        given = {"CATENARY_WORKER_TOKEN": token.stdout.strip()}
        self._lines["worker"] = _Line(("worker", "--core", f"127.0.0.1:{self._grpc[1]}", "--verbose"), given, "")
        for number, port in enumerate(self._http):
            line = ("edge", "--core", f"127.0.0.1:{self._grpc[number]}", "--port", str(port), "--dev")
            self._lines[f"edge-{number}"] = _Line(line, {}, "HTTP edge on")
        await asyncio.gather(*(self._begin(name) for name in ("worker", "edge-0", "edge-1")))

    async def admin(self) -> dict[str, Any]:
        """Return the id and secret of a new client that is an Admin."""
        line = ("client", "create", "Admin", "--admin", "--json", "--data-dir", str(self.data_dir))
        made = await asyncio.to_thread(catenary, *line)
        assert made.returncode == 0, made.stderr
        found: dict[str, Any] = orjson.loads(made.stdout)
        return found

    async def kill(self, name: str) -> None:
        """Kill a part by SIGKILL, start it again and wait until it is up. The cores start the database themselves."""
        self.killed[name] += 1
        if name == "postgres":
            os.kill(self.postmaster(), signal.SIGKILL)
            return
        process = self._parts[name].process
        assert process.poll() is None, f"{name} ended by itself: {self._parts[name].log.read_text()}"
        process.kill()
        await asyncio.to_thread(process.wait, 60)
        await self._begin(name)

    async def stop(self) -> dict[str, int]:
        """Stop all parts, edges first, and return their exit codes by name."""
        found = {}
        for group in (("edge-0", "edge-1", "worker"), ("core-0", "core-1")):
            names = [name for name in group if name in self._parts]
            codes = await asyncio.gather(*(asyncio.to_thread(self._parts[name].stop) for name in names))
            found.update(zip(names, codes, strict=True))
        return found

    def postmaster(self) -> int:
        """Return the process id of PostgreSQL."""
        return int((self.data_dir / "pg" / "postmaster.pid").read_text().splitlines()[0])

    async def _begin(self, name: str) -> None:
        line = self._lines[name]
        part = Part(self._folder, f"{name}.{self.killed[name]}", *line.arguments, **line.variables)
        self._parts[name] = part
        if line.up:
            await asyncio.to_thread(part.wait_for, line.up)
