"""Parameters over HTTP against the same through an ORM and through raw rows, side by side in one run.

Run it as `python tests/bench/data_services.py` with the extras `test` and `bench` installed. It starts a PostgreSQL, fills it
with 200,000 parameters with assets, entries, revisions, sources, units and tags, and starts three servers of two processes each
on it: `baselines/orm_app.py` (FastAPI, SQLAlchemy's ORM, uvicorn), `baselines/raw_app.py` (aiohttp, psycopg, orjson) and
`catenary serve`. It checks that they answer alike, then loads one after the other in short rounds: list 100 parameters, get one,
put one entry.

It prints requests a second, latencies, the processor time that a request cost the server, PostgreSQL and the generator, and the
ratios (medians over the rounds) with what they have to hold. `--data-dir DIR` keeps the filled database for the next run.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import orjson
import psutil
import psycopg
import uvloop
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent / "baselines"))

import shared
from load import Load, run

from catenary_cli.installation import clients
from catenary_core.database import migrate
from catenary_core.embedded_postgres import server as embedded_postgres
from factories.database.many_parameters import ASSETS, TYPES, fill, made_id
from factories.installations.installation import environment, free_port

PARAMETERS = few(200_000, 20_000)
PROCESSES = 2
CONNECTIONS = 16
SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
KEY = "a key of thirty-two bytes or more"
BASELINES = Path(__file__).resolve().parent / "baselines"
LIST, GET, PUT = "list 100", "get one", "put one"
HOLD: dict[str, dict[str, float]] = {
    LIST: {"orm": 10, "raw": 1.3},
    GET: {"orm": 8, "raw": 1.5},
    PUT: {"orm": 4, "raw": 1},
}
_NUMBERS = count(1)


@dataclass
class Server:
    """A running server and the token that it takes."""

    name: str
    process: subprocess.Popen[bytes]
    port: int
    token: str = ""
    grpc_port: int = 0

    def ask(self, path: str) -> httpx.Response:
        return self._send("GET", path)

    def put(self, path: str, body: Any) -> httpx.Response:
        return self._send("PUT", path, json=body)

    def _send(self, method: str, path: str, **given: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(method, f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=30, **given)


@dataclass
class Measured:
    """The measurements of all rounds of one server and operation."""

    rates: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    cpu: dict[str, list[float]] = field(default_factory=dict)
    """Seconds a request of each part of it: the server, PostgreSQL."""
    busy: list[float] = field(default_factory=list)

    @property
    def cost(self) -> list[float]:
        """Seconds of all parts a request, in each round."""
        return [sum(parts) for parts in zip(*self.cpu.values(), strict=True)]


@contextmanager
def started(name: str, line: list[str], port: int, **variables: str) -> Iterator[Server]:
    """Start a server, and yield it once it answers on the port."""
    path = f"{environment()['PYTHONPATH']}{os.pathsep}{BASELINES}"
    process = subprocess.Popen(line, env={**environment(), "PYTHONPATH": path, **variables}, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            assert process.poll() is None, f"{name} ended"
            assert time.monotonic() < deadline, f"{name} doesn't answer"
            try:
                httpx.get(f"http://127.0.0.1:{port}/parameter/v1/parameters", timeout=10)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield Server(name, process, port)
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def filled(given: Path | None) -> Iterator[tuple[str, Path, psutil.Process]]:
    """Yield the conninfo of a database with the parameters, a folder beside it, and its postmaster.

    The database is kept when a folder is given.
    """
    with ExitStack() as stack:
        folder = given or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="catenary-bench-")))
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)
        postgres = stack.enter_context(embedded_postgres.start(folder / "pg"))
        migrate.upgrade(postgres.dsn)
        with psycopg.connect(postgres.dsn) as connection:
            empty = connection.execute("SELECT NOT EXISTS (SELECT FROM parameter.parameter)").fetchone() == (True,)
        if empty:
            fill(postgres.dsn, PARAMETERS)
        pid = int((folder / "pg" / "pg" / "postmaster.pid").read_text().split()[0])
        yield postgres.dsn, folder / "ours", psutil.Process(pid)


def new_client(dsn: str) -> dict[str, str]:
    """Create a client that sees all but the confidential project; return its credentials."""
    made = clients.create(dsn, shared.base64.b64decode(SECRET), f"bench {time.time_ns()}", admin=False)
    return dict(uvloop.run(made))


@contextmanager
def ours(dsn: str, folder: Path, client: dict[str, str]) -> Iterator[Server]:
    """`catenary serve` on the database, with a token of the client."""
    ports = [free_port() for _ in range(3)]
    flags = ["--dev", "--nodes", str(PROCESSES), "--workers", "0", "--data-dir", str(folder)]
    flags += [f"--{name}={port}" for name, port in zip(("port", "grpc-port", "admin-port"), ports, strict=True)]
    line = [sys.executable, "-m", "catenary_cli", "serve", *flags]
    own = {"CATENARY_DATABASE_URL": dsn, "CATENARY_SECRET_KEY": SECRET, "CATENARY_REQUESTS_PER_HOUR": "100000000"}
    with started("ours", line, ports[0], **own) as server:
        asked = {"grant_type": "client_credentials", **client}
        answer = httpx.post(f"http://127.0.0.1:{ports[0]}/v1/auth/token", json=asked, timeout=30)
        server.token = answer.raise_for_status().json()["access_token"]
        server.grpc_port = ports[1]
        yield server


@contextmanager
def servers(dsn: str, folder: Path) -> Iterator[dict[str, Server]]:
    """Yield the three servers on one database, each with a token for the same user."""
    client = new_client(dsn)
    with ExitStack() as stack, psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT user_id FROM identity.client WHERE id = %s", [client["client_id"]]).fetchone()
        assert row is not None
        token = shared.token_of(str(row[0]), KEY)
        given = {shared.DSN_VARIABLE: dsn, shared.KEY_VARIABLE: KEY}
        port = free_port()
        line = [sys.executable, "-m", "uvicorn", "orm_app:app", "--port", str(port), "--workers", str(PROCESSES)]
        quiet = ["--no-access-log", "--log-level", "warning", "--loop", "uvloop", "--http", "httptools"]
        # Its supervisor kills a worker that is busy for longer.
        quiet += ["--timeout-worker-healthcheck", "60"]
        orm = stack.enter_context(started("orm", [*line, *quiet], port, **given))
        port = free_port()
        line = [sys.executable, str(BASELINES / "raw_app.py"), str(port), str(PROCESSES)]
        raw = stack.enter_context(started("raw", line, port, **given))
        orm.token = raw.token = token
        yield {"orm": orm, "raw": raw, "ours": stack.enter_context(ours(dsn, folder, client))}


def list_paths() -> list[str]:
    """Return the paths of the first page and of pages from anywhere."""
    paths = ["/parameter/v1/parameters?page_limit=100"]
    rng = random.Random(1)
    for n in sorted(rng.sample(range(PARAMETERS - 1000), 49)):
        seconds, millis = divmod(n, 1000)
        minute, second = divmod(seconds, 60)
        fraction = f".{millis:03}".rstrip("0") if millis else ""
        cursor = shared.cursor_of(f"2026-01-01T00:{minute:02}:{second:02}{fraction}Z", shared.UUID(made_id("8007", n)))
        paths.append(f"{paths[0]}&after={quote(cursor, safe='')}")
    return paths


def get_paths() -> list[str]:
    # One in twenty is of the confidential project, which the caller doesn't see.
    numbers = random.Random(2).sample([n for n in range(PARAMETERS) if n % 20], 2000)
    return [f"/parameter/v1/parameters/{made_id('8007', n)}" for n in numbers]


def entries() -> list[dict[str, Any]]:
    """Entries to put, each with a value that none had before."""
    numbers = random.Random(3 + next(_NUMBERS)).sample([n for n in range(PARAMETERS) if n % 20 and n % 50], 4000)
    return [
        {
            "parameter_id": made_id("8007", n),
            "entry_id": made_id("8008", n),
            "source_id": made_id("8003", n % 2000),
            "values": [
                {
                    "value": next(_NUMBERS) + random.random(),
                    "unit_id": made_id("8004", (n // ASSETS * 7 % TYPES) % 50 + 65536),
                }
            ],
            "comment": "measured again",
        }
        for n in numbers
    ]


def requests(server: Server, operation: str, made: Callable[[], list[dict[str, Any]]] = entries) -> list[bytes]:
    head = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\nAccept: application/json\r\n"
    head += "Cache-Control: no-cache\r\n"  # What an edge keeps of answers is measured elsewhere.
    if operation == PUT:
        bodies = [orjson.dumps({"entries": [entry]}) for entry in made()]
        line = "PUT /parameter/v1/entries HTTP/1.1\r\nContent-Type: application/json\r\n"
        return [f"{line}{head}Content-Length: {len(body)}\r\n\r\n".encode() + body for body in bodies]
    paths = list_paths() if operation == LIST else get_paths()
    return [f"GET {path} HTTP/1.1\r\n{head}\r\n".encode() for path in paths]


def check_alike(found: dict[str, Server]) -> None:
    """Check that the servers give the same JSON.

    Moments are compared as moments, since pydantic and orjson write them with other digits. Cursors hold such moments and mean
    something to their own server alone, so only whether they are there is compared.
    """
    for path in [*list_paths()[:10], *get_paths()[:10]]:
        answers = {name: plain(server, server.ask(path)) for name, server in found.items()}
        assert answers["orm"] == answers["ours"], f"{path}\n{answers['orm'][:3000]}\n{answers['ours'][:3000]}"
        assert answers["raw"] == answers["ours"], f"{path}\n{answers['raw'][:3000]}\n{answers['ours'][:3000]}"
    shapes = []
    for server in found.values():
        entry = entries()[0]
        answer = server.put("/parameter/v1/entries", {"entries": [entry]}).raise_for_status().json()
        (put,) = answer["entries"]
        assert put["entry_id"] == entry["entry_id"], put
        assert put["values"][0]["value"] == entry["values"][0]["value"], put
        shapes.append(shape(answer))
    assert shapes[0] == shapes[1] == shapes[2], shapes


def plain(server: Server, answer: httpx.Response) -> str:
    text = answer.raise_for_status().text.replace(f"127.0.0.1:{server.port}", "host")
    moments = re.sub(r"(\d\d:\d\d:\d\d)(?:\.(\d+?)0*)?Z\"", lambda found: f'{found[1]}.{found[2] or "0"}"', text)
    found = orjson.loads(moments)
    if (paging := found.get("paging")) is not None:
        found["paging"] = {name: value is not None for name, value in (paging | paging["cursors"]).items()}
    return orjson.dumps(found, option=orjson.OPT_INDENT_2).decode()


def shape(value: Any) -> Any:
    """Return the keys and kinds of a JSON value."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else type(value).__name__


def used(top: psutil.Process) -> float:
    """Return the processor time of a process and all below it, ended ones included."""
    total = 0.0
    for process in (top, *top.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])
    return total


def measure(load: Load, parts: dict[str, psutil.Process], into: Measured) -> None:
    """Send a load, and note the time that it took of each part."""
    before = {name: used(process) for name, process in parts.items()}
    result = run(load)
    done = len(result.latencies)
    into.rates.append(done / result.seconds)
    into.latencies += result.latencies
    for name, process in parts.items():
        into.cpu.setdefault(name, []).append((used(process) - before[name]) / done)
    into.busy.append(result.busy)


def report(measured: dict[tuple[str, str], Measured], hold: dict[str, dict[str, float]]) -> None:
    """Print the measurements of each (operation, server), and the ratio of ours to the others'."""
    parts = list(dict.fromkeys(part for one in measured.values() for part in one.cpu))
    costs = "".join(f"{part:>12}" for part in [*parts, "generator"])
    print(f"\n{'':16}{'requests/s':>11}{'p50 ms':>9}{'p99 ms':>9}  CPU ms a request:{costs}")
    for (operation, name), one in measured.items():
        cuts = statistics.quantiles(one.latencies, n=100)
        rate = statistics.median(one.rates)
        cpu = [1000 * statistics.median(one.cpu[part]) if part in one.cpu else 0.0 for part in parts]
        figures = "".join(f"{value:12.3f}" for value in [*cpu, 1000 * statistics.median(one.busy) / rate])
        print(f"{operation:9} {name:6}{rate:11.0f}{1000 * cuts[49]:9.2f}{1000 * cuts[98]:9.2f}{'':19}{figures}")
    print(f"\n{'ours over':16}{'requests/s':>11}{'to hold':>9}{'CPU':>9}")
    for operation, holds in hold.items():
        for name, least in holds.items():
            mine, other = measured[operation, "ours"], measured[operation, name]
            ratio = statistics.median(a / b for a, b in zip(mine.rates, other.rates, strict=True))
            cost = statistics.median(other.cost) / statistics.median(mine.cost)
            missed = "" if ratio >= least else "  not met"
            print(f"{operation:9} {name:6}{ratio:11.2f}{least:9}{cost:9.2f}{missed}")
    print(f"\nthe generator used at most {max(max(one.busy) for one in measured.values()):.0%} of a core")


def arguments(description: str) -> argparse.Namespace:
    """Read the command line's arguments."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data-dir", type=Path, help="keep the filled database here")
    parser.add_argument("--rounds", type=int, default=few(5))
    parser.add_argument("--seconds", type=float, default=float(few(2)), help="of each server and operation in a round")
    return parser.parse_args()


def main() -> None:
    """Measures and prints."""
    given = arguments("Parameters over HTTP against an ORM and raw rows.")
    with filled(given.data_dir) as (dsn, folder, postmaster), servers(dsn, folder) as found:
        check_alike(found)
        measured = {(operation, name): Measured() for operation in HOLD for name in found}
        for number in range(given.rounds + 1):
            for (operation, name), one in measured.items():
                server, seconds = found[name], given.seconds if number else 1.0
                load = Load(server.port, CONNECTIONS, seconds, requests(server, operation))
                parts = {"server": psutil.Process(server.process.pid), "PostgreSQL": postmaster}
                # The first round warms up: pools, prepared statements, caches.
                measure(load, parts, one if number else Measured())
        report(measured, HOLD)


if __name__ == "__main__":
    main()
