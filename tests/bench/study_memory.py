"""The memory of a study's parts over 100,000 points, to hold: no part grows by a tenth after the first 10,000.

Run it as `python tests/bench/study_memory.py`. It starts a whole installation with two workers and a study of a model that
costs nothing, by NSGA-II with 1,000 points a generation. After each tenth of the points it prints the resident memory of
node, engine and workers, and at the end their growth since the first tenth and the points in a second. The engine keeps
the outcomes of all points, and a process of the database caches what it reads: the latter is not counted.
`--points N` (default 100,000).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from batch_pages import megabytes
from batches import deploy
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.installation import Installation, client_of, measured

SOURCE = """
PARAMETERS = [
    {"name": "width", "type": "number", "min": 0.1, "max": 10, "default": 1},
    {"name": "height", "type": "number", "min": 0.1, "max": 10, "default": 1},
]
METRICS = [{"name": "mass"}, {"name": "sag"}]
def evaluate(p):
    return {"metrics": {"mass": p["width"] * p["height"], "sag": 1 / (p["width"] * p["height"] ** 3)}}
"""
_PARTS = {"node": "catenary_cli node", "engine": "engine_program", "workers": "catenary_cli worker"}


def watched(installation: Installation, http: httpx.Client, points: int) -> list[dict[str, float]]:
    """Run the study; return the memory of each part after each tenth of its points."""
    asked = {
        "kind": "optimization",
        "algorithm": "nsga2",
        "objectives": [{"metric": "mass"}, {"metric": "sag"}],
        "budget": points,
        "population": few(1_000, 50),
        "seed": 1,
    }
    made = http.post(f"projects/{deploy(http, SOURCE)}/studies", json=asked).raise_for_status()
    path = f"studies/{made.json()['data']['study']['study_id']}"
    found: list[dict[str, float]] = []
    began = time.monotonic()
    study: dict[str, Any] = {"completed_at": None}
    while study["completed_at"] is None:
        time.sleep(0.5)
        memory = {part: megabytes(installation.children(line)) for part, line in _PARTS.items()}
        study = http.get(path).json()["data"]["study"]
        if study["counts"]["completed"] >= (len(found) + 1) * points // 10 and memory["engine"]:
            found.append(memory)
            told = ", ".join(f"{part} {size:.1f} MB" for part, size in memory.items())
            print(f"{study['counts']['completed']} of {points} points: {told}", flush=True)
    assert study["status"] == "completed", study
    print(f"{points / (time.monotonic() - began):.0f} points a second", flush=True)
    return found


def main() -> None:
    """Measure the study."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=few(100_000, 500))
    given = parser.parse_args()
    with measured("--nodes", "1", "--workers", "2") as installation:
        found = watched(installation, client_of(installation.wait()), given.points)
        for part in _PARTS:
            print(f"{part}: {max(one[part] for one in found) / found[0][part] - 1:+.0%} after the first tenth")


if __name__ == "__main__":
    main()
