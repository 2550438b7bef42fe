"""A whole installation killed with SIGKILL in the middle of a study: no finished point is repeated, and the front is the same."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from factories.installations.installation import UNLIMITED, Installation, client_of
from factories.installations.models import deployed

BUDGET = 60
MODEL = """
import time
PARAMETERS = [
    {"name": "span", "type": "number", "min": 5, "max": 60, "step": 0.5, "default": 24, "unit": "m"},
    {"name": "bays", "type": "integer", "min": 2, "max": 20, "default": 6},
]
METRICS = [{"name": "mass", "unit": "kg"}, {"name": "sag", "unit": "mm"}]

def evaluate(p):
    time.sleep(0.05)
    return {"metrics": {"mass": p["span"] * p["bays"], "sag": 5 * p["span"] ** 2 / p["bays"] ** 3}}
"""
STUDY = {
    "kind": "optimization",
    "objectives": [{"metric": "mass"}, {"metric": "sag"}],
    "constraints": [{"expression": "span >= 12 m"}],
    "budget": BUDGET,
    "population": 12,
    "seed": 5,
}
KILLED_AT = (15, 38)
"""Finished points at which everything is killed: within a generation, neither at its beginning nor at its end."""


def _begun(http: httpx.Client, project: str) -> str:
    made = http.post(f"projects/{project}/studies", json=STUDY)
    assert made.status_code == 202, made.text
    return str(made.json()["data"]["study"]["study_id"])


def _until(http: httpx.Client, study: str, finished: int) -> dict[str, Any]:
    """Return a study once it has so many finished points, or has ended."""
    deadline = time.monotonic() + 180
    while True:
        found: dict[str, Any] = http.get(f"studies/{study}").json()["data"]["study"]
        if found["counts"]["completed"] >= finished or found["completed_at"] is not None:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.02)


def _points(http: httpx.Client, study: str, list_: str = "results") -> list[dict[str, Any]]:
    data = http.get(f"studies/{study}/{list_}?limit=200").json()["data"]
    found: list[dict[str, Any]] = data["points" if list_ == "front" else list_]
    return found


def _designs(points: list[dict[str, Any]]) -> list[Any]:
    names = ("index", "generation", "parameters", "metrics", "objectives", "feasible", "rank")
    return [[point[name] for name in names] for point in points]


@pytest.mark.slow
def test_a_study_survives_kills_of_the_whole_installation_without_repeating_a_point(data_root: Path) -> None:
    variables = {"CATENARY_LEASE_SECONDS": "2", **UNLIMITED}
    arguments = ["--nodes", "1", "--workers", "2"]
    installation = Installation(data_root / "studies", arguments, **variables)
    try:
        http = client_of(installation.wait())
        project = deployed(http, "Studies", MODEL)
        study = _begun(http, project)
        ledger: dict[int, Any] = {}
        for killed_at in KILLED_AT:
            before = _until(http, study, killed_at)
            assert before["completed_at"] is None, "it was killed in the middle"
            for point in _points(http, study):
                if point["status"] == "completed":
                    assert ledger.setdefault(point["index"], point["completed_at"]) == point["completed_at"]
            http.close()
            installation.kill()
            installation = Installation(data_root / "studies", arguments, **variables)
            http = client_of(installation.wait())
        done = _until(http, study, BUDGET + 1)
        assert (done["status"], done["error"], done["counts"]["completed"]) == ("completed", None, BUDGET)
        points = _points(http, study)
        assert len(ledger) >= KILLED_AT[-1]
        assert {point["index"]: point["completed_at"] for point in points if point["index"] in ledger} == ledger
        usage = http.get(f"usage?project_id={project}").json()["data"]["usage"]
        # With the check of the version, without points that an equal one had answered already.
        assert usage["evaluations"] == BUDGET + 1 - done["counts"]["cached"]

        whole = _begun(http, deployed(http, "Studies", MODEL))
        unbroken = _until(http, whole, BUDGET + 1)
        assert unbroken["status"] == "completed"
        assert _designs(points) == _designs(_points(http, whole))
        front = _designs(_points(http, study, "front"))
        assert front == _designs(_points(http, whole, "front"))
        assert len(front) == done["front_size"] > 1
        assert (done["hypervolume"], done["reference"]) == (unbroken["hypervolume"], unbroken["reference"])
        http.close()
    finally:
        assert installation.stop() == 0
    assert not installation.children_left()
