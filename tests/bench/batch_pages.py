"""The time of a page of results in a batch of 10,000 points, against one in a batch of 1,000, in one run.

Run it as `python tests/bench/batch_pages.py`. It starts a whole installation with two workers, computes both batches, and
reads their first, middle and last 200 results by turns. It prints the median milliseconds of each and the ratios (to hold:
2), and the resident memory of node and workers after each thousand points (to hold: no growth over the first thousands).
`--rounds N` (default 30).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import httpx
import psutil
from batches import deploy
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.installation import Installation, client_of, measured

SOURCE = """
PARAMETERS = [{"name": "n", "type": "integer", "min": 0, "max": 10000000, "default": 0}]
METRICS = [{"name": "n"}]
def evaluate(p):
    return {"metrics": {"n": p["n"]}}
"""
PAGE = 200


def compute(installation: Installation, http: httpx.Client, project_id: str, points: int) -> str:
    """Compute a batch; return its id. Print the memory of node and workers as its points end."""
    values = {"n": {"min": 0, "max": points - 1, "count": points}}
    plan = http.post(f"projects/{project_id}/evaluate/plan", json={"kind": "grid", "parameters": values})
    body = {"plan_id": plan.raise_for_status().json()["data"]["plan"]["plan_id"]}
    made = http.post(f"projects/{project_id}/evaluate/batch", json=body)
    batch_id = str(made.raise_for_status().json()["data"]["batch"]["batch_id"])
    parts = {part: installation.children(f"catenary_cli {part}") for part in ("node", "worker")}
    told = -1
    while told < points:
        ended = http.get(f"batches/{batch_id}").json()["data"]["batch"]["counts"]["completed"]
        if ended // 1_000 > told // 1_000 or ended == points:
            memory = ", ".join(f"{part} {megabytes(processes):.1f} MB" for part, processes in parts.items())
            print(f"{ended} of {points} points: {memory}", flush=True)
            told = ended
        time.sleep(0.1)
    return batch_id


def megabytes(processes: list[psutil.Process]) -> float:
    """Return the resident memory of processes together."""
    return sum(process.memory_info().rss for process in processes) / 1e6


def cursors_of(http: httpx.Client, batch_id: str, points: int) -> dict[str, str]:
    """Return the queries of the first, the middle and the last page of a batch's results."""
    queries = [f"limit={PAGE}"]
    while len(queries) * PAGE < points:
        cursor = http.get(f"batches/{batch_id}/results?{queries[-1]}").json()["metadata"]["next_cursor"]
        queries.append(f"limit={PAGE}&cursor={cursor}")
    return {"first": queries[0], "middle": queries[len(queries) // 2], "last": queries[-1]}


def main() -> None:
    """Measure the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=few(30))
    given = parser.parse_args()
    small, large = few(1_000, 400), few(10_000, 600)
    with measured("--nodes", "1", "--workers", "2") as installation:
        http = client_of(installation.wait())
        batches = {points: compute(installation, http, deploy(http, SOURCE), points) for points in (small, large)}
        pages = {points: cursors_of(http, one, points) for points, one in batches.items()}
        took: dict[tuple[int, str], list[float]] = {}
        for _ in range(given.rounds):
            for points, queries in pages.items():
                for name, query in queries.items():
                    began = time.perf_counter()
                    answer = http.get(f"batches/{batches[points]}/results?{query}")
                    took.setdefault((points, name), []).append((time.perf_counter() - began) * 1e3)
                    assert len(answer.json()["data"]["results"]) == PAGE
        middle = {key: statistics.median(times) for key, times in took.items()}
        for name in pages[small]:
            few_, many = middle[small, name], middle[large, name]
            print(f"{name} page: {few_:.1f} ms of {small} points, {many:.1f} ms of {large}, ratio {many / few_:.2f}")


if __name__ == "__main__":
    main()
