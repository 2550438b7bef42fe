"""500 clients that are silent, drip headers or drip bodies, or 200 that never read, beside a normal one: it notices little.

The edge runs in a process of its own. The normal client's p99 among them is compared with its p99 alone, measured before and
after; of some attempts the best counts, since others share the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from factories.installations.installation import ROOT, environment
from fixtures.edge import edge_process
from fixtures.edge.stand_in import PROJECT_ID
from integration.edge.conftest import AUTHORIZED

pytestmark = pytest.mark.slow

HEAD = f"GET /v1/projects/{PROJECT_ID} HTTP/1.1\r\nHost: localhost\r\nX-Drip: ".encode()
BODY = (
    b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n"
    b"Content-Length: 900000\r\n\r\n"
)
GREEDY = f"GET /v1/evaluations/{PROJECT_ID}/geometry/a.glb HTTP/1.1\r\nHost: [::1]\r\nAuthorization: Bearer good\r\n\r\n".encode()
KINDS = {
    "silent": (500, b""),
    "dripping headers": (500, HEAD),
    "dripping bodies": (500, BODY),
    "never reading": (200, GREEDY),
}
CALLS = 400
ATTEMPTS = 5


@pytest.fixture
def port() -> Iterator[int]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    env = environment()
    env["PYTHONPATH"] = os.pathsep.join([env["PYTHONPATH"], str(ROOT / "tests")])
    process = subprocess.Popen(
        [sys.executable, edge_process.__file__], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    )
    try:
        assert process.stdout is not None
        line = b""
        while not line.strip().isdigit():
            line = process.stdout.readline()
            assert line, "the edge ended before it was up"
        yield int(line)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextlib.asynccontextmanager
async def _slow(port: int, count: int, first: bytes, drips: bool) -> AsyncIterator[list[socket.socket]]:
    loop = asyncio.get_running_loop()
    clients: list[socket.socket] = []
    for _ in range(count):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.setblocking(False)
        clients.append(one)
        await loop.sock_connect(one, ("127.0.0.1", port))
        await loop.sock_sendall(one, first)

    async def drip() -> None:
        while True:
            for one in clients:
                with contextlib.suppress(OSError):
                    one.send(b"x")
            await asyncio.sleep(1)

    dripping = asyncio.create_task(drip() if drips else asyncio.sleep(0))
    try:
        yield clients
    finally:
        dripping.cancel()
        for one in clients:
            one.close()


async def _p99(http: httpx.AsyncClient) -> float:
    taken = []
    for _ in range(CALLS):
        began = time.perf_counter()
        answer = await http.get(f"/v1/projects/{PROJECT_ID}", headers=AUTHORIZED)
        taken.append(time.perf_counter() - began)
        assert answer.status_code == 200
    return sorted(taken)[int(CALLS * 0.99)]


@pytest.mark.parametrize("kind", KINDS)
async def test_hundreds_of_slow_clients_leave_a_normal_one_its_speed(port: int, kind: str) -> None:
    count, first = KINDS[kind]
    ratios = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
        await _p99(http)
        for _ in range(ATTEMPTS):
            before = await _p99(http)
            async with _slow(port, count, first, kind.startswith("dripping")) as clients:
                among = await _p99(http)
                held = sum(1 for one in clients if not _is_closed(one))
            await asyncio.sleep(0.5)
            after = await _p99(http)
            assert held > count * 0.9, "they were there while the normal client called"
            ratios.append(among / max(before, after))
            if ratios[-1] <= 2:
                break
    print(f"{kind}: p99 among {count} against alone: {', '.join(f'{one:.2f}' for one in ratios)}")
    assert min(ratios) <= 2, ratios


def _is_closed(one: socket.socket) -> bool:
    """Return True if the edge has closed the connection: one that holds has nothing to read, or more than its buffer."""
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
