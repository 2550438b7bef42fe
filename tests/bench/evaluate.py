"""The demo tower by HTTP, against a cold sandboxed process and against the bare function, in one run.

Run it with `.venv/bin/python tests/bench/evaluate.py`. It prints medians in ms, the ratio cold : HTTP (to hold: at least 35) and
what HTTP costs over the bare call (to hold: about 10 to 15 ms): once for requests that come alone, as the cold process does, and
once for requests back to back, where each shares the processors with what the one before it left behind. All are measured in
turn, round after round, so that a machine that changes its pace changes it for all.
The cold process leaves out what only serves later evaluations: it rehearses once and makes one child.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from catenary_cli.demo.models import twisted_tower
from catenary_worker import host
from catenary_worker.models import description
from catenary_worker.task import Task
from factories.installations.installation import measured

ROUNDS = few(10)
RUNS = few(10, 2)
"""Of each in a round, but for the cold process, which is started once."""
PAUSE = 0.2
VALUES = {parameter["name"]: parameter["default"] for parameter in twisted_tower.PARAMETERS}
SOURCE = (resources.files("catenary_cli.demo") / "models" / "twisted_tower.py").read_bytes()
DESCRIPTION, _ = description.read(SOURCE)


def _times(run: Callable[[], object], count: int, pause: float = 0.0) -> list[float]:
    found = []
    for _ in range(count):
        time.sleep(pause)
        start = time.perf_counter()
        run()
        found.append((time.perf_counter() - start) * 1000)
    return found


def _cold() -> None:
    async def once() -> None:
        zygote = host.Zygote()
        await zygote.start()
        outcome = await zygote.run(Task("evaluate", "python", SOURCE, VALUES, description=DESCRIPTION))
        assert outcome.status == "completed", outcome
        await zygote.close()

    with mock.patch.object(host, "command", _cold_command), mock.patch.object(host, "SPARES", 1):
        asyncio.run(once())


def _cold_command(control: int, **_: object) -> list[str]:
    program = (
        "from catenary_worker import zygote; from catenary_worker.sandbox import runtime; "
        "runtime.REHEARSALS = 1; zygote.main()"
    )
    return [sys.executable, "-P", "-c", program, str(control)]


def _requests(demo: dict[str, str], inside: list[float]) -> Callable[[], None]:
    """Return a function that makes one POST with `force`; the time that the worker measured goes to `inside`."""
    base = urlsplit(demo["base_url"])
    connection = http.client.HTTPConnection(base.hostname or "", base.port or 0)

    def post(path: str, body: dict[str, object], token: str = "") -> dict[str, object]:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request("POST", base.path + path, json.dumps(body), headers)
        answer: dict[str, object] = json.loads(connection.getresponse().read())
        return answer

    secret = {"client_id": demo["client_id"], "client_secret": demo["client_secret"]}
    token = str(post("auth/token", {"grant_type": "client_credentials", **secret})["access_token"])
    path = f"projects/{demo['project_id']}/evaluate"

    def once() -> None:
        answer = post(path, {"parameters": {}, "force": True}, token)
        evaluation = answer["data"]["evaluation"]  # type: ignore[index]
        assert evaluation["status"] == "completed", answer
        inside.append(evaluation["duration_ms"])

    return once


def _line(name: str, times: list[float]) -> float:
    ordered = sorted(times)
    median = statistics.median(ordered)
    print(f"{name:34} p50 {median:9.2f} ms   p95 {ordered[int(len(ordered) * 0.95) - 1]:9.2f} ms   n {len(ordered)}")
    return median


def main() -> None:
    """Measures and prints."""
    bare: list[float] = []
    cold: list[float] = []
    alone: list[float] = []
    back_to_back: list[float] = []
    inside: list[float] = []
    with measured() as installation:
        request = _requests(installation.wait(), inside)
        twisted_tower.evaluate(VALUES)
        _times(request, 5)
        inside.clear()
        for _ in range(ROUNDS):
            bare += _times(lambda: twisted_tower.evaluate(VALUES), RUNS)
            cold += _times(_cold, 1)
            alone += _times(request, RUNS, PAUSE)
            back_to_back += _times(request, RUNS)
    bare_ms = _line("bare evaluate()", bare)
    cold_ms = _line("cold sandboxed process", cold)
    _line("of it in the sandbox and its host", inside)
    for name, times in (("alone", alone), ("back to back", back_to_back)):
        http_ms = _line(f"POST …/evaluate, {name}", times)
        print(f"  cold : HTTP = {cold_ms / http_ms:.1f}    HTTP - bare = {http_ms - bare_ms:.1f} ms")


if __name__ == "__main__":
    main()
