"""The share of the slots' time in which a study's model runs: a study of 1,000 points by NSGA-II, to hold 88 %.

Run it as `python tests/bench/study_slots.py`. It starts a whole installation with two workers. A point is about 10 ms of
additions, or about 100 ms; a generation has 100 of them. The share is the duration of all points over twice the time from
the study's creation to its end. It is a share of what two processes reach on this machine at the same work, since two
threads of one processor core slow each other down and so have longer points. The first study waits for its engine to load,
which others find ready. `--points N` (default 1,000).
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from batches import deploy

from factories.installations.installation import client_of, measured

SLOTS = 2
POPULATION = 100
SIZES = {"10 ms": 180_000, "100 ms": 1_800_000}
"""Additions of a point."""
READY_SECONDS = few(5, 0)
"""Pause in which the next engine is prepared."""
SOURCE = """
PARAMETERS = [
    {{"name": "width", "type": "number", "min": 0.1, "max": 10, "default": 1}},
    {{"name": "height", "type": "number", "min": 0.1, "max": 10, "default": 1}},
]
METRICS = [{{"name": "mass"}}, {{"name": "sag"}}]
def evaluate(p):
    total = 0
    for i in range({additions}):
        total += i * i % 7
    return {{"metrics": {{"mass": p["width"] * p["height"], "sag": 1 / (p["width"] * p["height"] ** 3)}}}}
"""


def measure(http: httpx.Client, name: str, points: int, which: str = "") -> None:
    """Run one study and print the share of its slots' time."""
    project_id = deploy(http, SOURCE.format(additions=SIZES[name]))
    asked = {
        "kind": "optimization",
        "algorithm": "nsga2",
        "objectives": [{"metric": "mass"}, {"metric": "sag"}],
        "budget": points,
        "population": POPULATION,
        "seed": 1,
    }
    made = http.post(f"projects/{project_id}/studies", json=asked).raise_for_status()
    path = f"studies/{made.json()['data']['study']['study_id']}"
    study: dict[str, Any] = {"completed_at": None}
    while study["completed_at"] is None:
        time.sleep(0.1)
        study = http.get(path).json()["data"]["study"]
    assert study["status"] == "completed", study
    began, ended = (datetime.fromisoformat(study[name]) for name in ("created_at", "completed_at"))
    took = (ended - began).total_seconds()
    ran = sum(point["duration_ms"] or 0.0 for point in results(http, path)) / 1e3
    share = ran / (SLOTS * took)
    print(
        f"{which}{name}: {study['counts']} in {took:.1f} s, {ran:.1f} s in the model: {share:.0%} of the slots' time",
        flush=True,
    )


def results(http: httpx.Client, path: str) -> list[dict[str, Any]]:
    """Return all points of a study."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while cursor is not None:
        body = http.get(f"{path}/results", params={"limit": 200, **({"cursor": cursor} if cursor else {})}).json()
        found += body["data"]["results"]
        cursor = body["metadata"]["next_cursor"]
    return found


def main() -> None:
    """Measure both sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=few(1_000, 200))
    given = parser.parse_args()
    with measured("--nodes", "1", "--workers", str(SLOTS)) as installation:
        http = client_of(installation.wait())
        measure(http, "10 ms", given.points, "the first study, ")
        for name in SIZES:
            time.sleep(READY_SECONDS)
            measure(http, name, given.points)


if __name__ == "__main__":
    main()
