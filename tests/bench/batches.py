"""The throughput of batches of a repeatable model on two slots, against `multiprocessing.Pool(2)` and Dask, in one run.

Run it as `python tests/bench/batches.py`. It starts a whole installation with two workers, and measures points with a fixed
work of about 10 ms and of about 1 ms: additions, not a spin on the clock. A round has a batch by HTTP, from its creation to
the last line of its stream, and the same points through the bare function in a pool of two processes and in a Dask
LocalCluster of two processes, with lists of 20, which lives for this alone. It prints the seconds of each round, the median
ratios of throughput (to hold for 10 ms: 0.85 of the pool and 1 of Dask; for 1 ms: 0.5 of the pool), and the milliseconds of
processor time that a point costs in each part of the installation, which say more on a machine that does other work.
`--points N` (default 1,000; over that a plan gives them), `--rounds N` (default 3).
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.installation import Installation, client_of, measured

SIZES = {"10 ms": 180_000, "1 ms": 18_000}
"""Additions of a point."""
TOGETHER = 20
"""Points that the pool and Dask give to a process at once."""
SOURCE = """
PARAMETERS = [{{"name": "n", "type": "integer", "min": 0, "max": 10000000, "default": 0}}]
METRICS = [{{"name": "n"}}]
def evaluate(p):
    total = 0
    for i in range({additions}):
        total += i * i % 7
    return {{"metrics": {{"n": p["n"] + total % 2}}}}
"""
_PARTS = {"catenary_worker.zygote": "model", "postgres": "database", "worker": "worker"}
"""Parts of the installation by a word of the command line; all others are the core with its edge."""
_loaded: dict[str, Any] = {}

Run = Callable[[int, int], float]
"""Computes so many points from a value on; returns the seconds."""


def _load(source: str) -> None:
    exec(compile(source, "model.py", "exec"), _loaded)


def _bare(number: int) -> dict[str, Any]:
    found: dict[str, Any] = _loaded["evaluate"]({"n": number})
    return found


def _bare_list(source: str, numbers: list[int]) -> list[dict[str, Any]]:
    if _loaded.get("source") != source:
        _load(source)
        _loaded["source"] = source
    return [_bare(number) for number in numbers]


@contextlib.contextmanager
def pool(source: str) -> Iterator[Run]:
    """Start a pool of two processes that compute points."""
    with multiprocessing.get_context("spawn").Pool(2, _load, (source,)) as processes:
        processes.map(_bare, range(4))

        def run(first: int, points: int) -> float:
            began = time.perf_counter()
            assert len(processes.map(_bare, range(first, first + points), chunksize=TOGETHER)) == points
            return time.perf_counter() - began

        yield run


@contextlib.contextmanager
def dask(source: str) -> Iterator[Run]:
    """Start a Dask cluster of two processes."""
    from distributed import Client, LocalCluster  # other programs here use this one's parts without the extra `bench`

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):

        def run(first: int, points: int) -> float:
            began = time.perf_counter()
            numbers = list(range(first, first + points))
            lists = [numbers[start : start + TOGETHER] for start in range(0, points, TOGETHER)]
            found = client.gather([client.submit(_bare_list, source, one, pure=False) for one in lists])
            assert sum(map(len, found)) == points
            return time.perf_counter() - began

        run(0, 4 * TOGETHER)
        yield run


def deploy(http: httpx.Client, source: str) -> str:
    """Deploy a model in a new project; return the project's id."""
    project_id = http.post("projects", json={"name": "Batches"}).json()["data"]["project"]["project_id"]
    models = f"projects/{project_id}/models"
    model_id = http.post(models, json={"name": "additions"}).json()["data"]["model"]["model_id"]
    versions = f"{models}/{model_id}/versions"
    made = http.post(versions, content=source, headers={"Content-Type": "text/x-python"}).json()["data"]
    version_id = made["model_version"]["model_version_id"]
    checked = http.get(f"{versions}/{version_id}", headers={"Prefer": "wait=60"}).json()["data"]["model_version"]
    assert checked["repeatable"], checked
    http.post(f"projects/{project_id}/deployments", json={"model_version_id": version_id}).raise_for_status()
    return str(project_id)


def run_batch(http: httpx.Client, project_id: str, first: int, points: int) -> float:
    """Compute points by a batch; return the seconds from its creation to the last line of its stream."""
    began = time.perf_counter()
    if points <= 1_000:
        body: dict[str, Any] = {"evaluations": [{"parameters": {"n": first + number}} for number in range(points)]}
    else:
        values = {"n": {"min": first, "max": first + points - 1, "count": points}}
        plan = http.post(f"projects/{project_id}/evaluate/plan", json={"kind": "grid", "parameters": values})
        body = {"plan_id": plan.json()["data"]["plan"]["plan_id"]}
        began = time.perf_counter()
    made = http.post(f"projects/{project_id}/evaluate/batch", json=body)
    batch_id = made.raise_for_status().json()["data"]["batch"]["batch_id"]
    ndjson = {"Accept": "application/x-ndjson"}
    with http.stream("GET", f"batches/{batch_id}/stream", headers=ndjson, timeout=600) as answer:
        lines = sum(1 for line in answer.iter_lines() if line)
    took = time.perf_counter() - began
    assert lines == points + 1, lines
    counts = http.get(f"batches/{batch_id}").json()["data"]["batch"]["counts"]
    assert (counts["completed"], counts["cached"]) == (points, 0), counts
    return took


def seconds_of_parts(installation: Installation) -> Counter[str]:
    """Return the processor seconds of an installation until now, by part."""
    found: Counter[str] = Counter()
    root = psutil.Process(installation.process.pid)
    # The database server is no child of the installation: it has a session of its own.
    servers = [one for one in psutil.process_iter() if _is_server_of(one, installation.data_dir)]
    for process in [root, *root.children(recursive=True), *servers]:
        with contextlib.suppress(psutil.NoSuchProcess):
            line, times = " ".join(process.cmdline()), process.cpu_times()
            part = next((name for word, name in _PARTS.items() if word in line), "core")
            if process == root:
                part = "core"
            found[part] += times.user + times.system + times.children_user + times.children_system
    return found


def seconds_of_children() -> float:
    """Return the processor seconds of the own processes until now, without the installation's."""
    found = 0.0
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "catenary_cli" not in child.cmdline():
                times = child.cpu_times()
                found += times.user + times.system
    return found


def _is_server_of(process: psutil.Process, folder: Path) -> bool:
    """Return whether a process, which may have ended meanwhile, is of the database server in a folder."""
    with contextlib.suppress(psutil.Error):
        return process.name() == "postgres" and Path(process.cwd()).is_relative_to(folder)
    return False


def measure(installation: Installation, http: httpx.Client, name: str, points: int, rounds: int) -> None:
    """Measure points of one size, and print."""
    source = SOURCE.format(additions=SIZES[name])
    project_id = deploy(http, source)
    run_batch(http, project_id, 9_000_000, 100)
    spent: Counter[str] = Counter()
    of_pool, of_dask = [], []
    with pool(source) as in_pool:
        for number in range(rounds):
            first = number * points
            before = seconds_of_children()
            bare = in_pool(first, points)
            spent["pool"] += seconds_of_children() - before
            parts, mine = seconds_of_parts(installation), time.process_time()
            took = run_batch(http, project_id, first, points)
            spent.update(seconds_of_parts(installation) - parts)
            spent["client"] += time.process_time() - mine
            bare_after = in_pool(first, points)
            # Its idle processes take time from others.
            with dask(source) as in_dask:
                other = in_dask(first, points)
            of_pool.append((bare + bare_after) / 2 / took)
            of_dask.append(other / took)
            told = f"pool {bare:.2f} and {bare_after:.2f} s, batch {took:.2f} s, Dask {other:.2f} s"
            print(f"{name}: {told}, ratio to the pool {of_pool[-1]:.2f}", flush=True)
    ratios = f"{statistics.median(of_pool):.2f} of the pool, {statistics.median(of_dask):.2f} of Dask"
    parts = ", ".join(f"{part} {seconds * 1e3 / points / rounds:.3f}" for part, seconds in sorted(spent.items()))
    print(f"{name} points, {points} a batch: {ratios}; ms of processor time a point: {parts}", flush=True)


def main() -> None:
    """Measure both sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=few(1_000, 100))
    parser.add_argument("--rounds", type=int, default=few(3))
    parser.add_argument("--size", choices=[*SIZES], action="append", help="measure this size alone")
    given = parser.parse_args()
    with measured("--nodes", "1", "--workers", "2") as installation:
        http = client_of(installation.wait())
        for name in given.size or SIZES:
            measure(installation, http, name, given.points, given.rounds)


if __name__ == "__main__":
    main()
