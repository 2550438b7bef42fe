"""A constraint whose limit is an expression, from the upload of its model to the points of a study."""

from __future__ import annotations

import time
from typing import Any

import pytest

from factories.installations.installation import Running, catenary
from factories.installations.models import deployed
from factories.sessions.socket import session_with

pytestmark = pytest.mark.slow

MODEL = """
PARAMETERS = [
    {"name": "span", "type": "number", "min": 6, "max": 12, "step": 0.5, "default": 9, "unit": "m"},
    {"name": "depth", "type": "integer", "min": 200, "max": 600, "step": 50, "default": 400, "unit": "mm"},
    {"name": "part", "type": "integer", "min": 0, "max": 300, "default": 300},
]
METRICS = [{"name": "sag", "unit": "mm"}, {"name": "mass", "unit": "kg"}]
CONSTRAINTS = [{"name": "stiff", "metric": "sag", "op": "<=", "value": "span / part"}]

def evaluate(p):
    return {"metrics": {"sag": p["span"] ** 2 * 150 / p["depth"], "mass": p["span"] * p["depth"]}}
"""


def _is_stiff(point: dict[str, Any]) -> bool:
    span, depth = point["parameters"]["span"], point["parameters"]["depth"]
    return bool(span**2 * 150 / depth <= span * 1000 / 300)


@pytest.fixture(scope="module")
def project(running: Running) -> str:
    return deployed(running.http, "Limits", MODEL)


def test_an_evaluation_has_the_limit_of_its_design(running: Running, project: str) -> None:
    path = f"projects/{project}/evaluate"
    found = running.http.post(path, json={"parameters": {}}).json()["data"]["evaluation"]
    told = {"metric": "sag", "op": "<=", "unit": "mm"}
    assert found["constraints"] == {"stiff": {**told, "value": 30.375, "satisfied": False, "limit": pytest.approx(30)}}
    found = running.http.post(path, json={"parameters": {"span": 7.5}}).json()["data"]["evaluation"]
    assert (found["constraints"]["stiff"]["limit"], found["constraints"]["stiff"]["satisfied"]) == (25, True)
    failed = running.http.post(path, json={"parameters": {"part": 0}}).json()["data"]["evaluation"]
    assert (failed["status"], failed["error"]["code"]) == ("failed", "MODEL_FAILED")
    assert failed["error"]["message"].startswith("CONSTRAINTS: stiff: value has no number for this design, column 6: ")
    shown = catenary("evaluate", project, "span=12", **_as(running))
    assert "40" in next(line for line in shown.stdout.splitlines() if line.startswith("Constraint stiff: broken")), (
        shown
    )


def test_the_description_of_a_version_has_the_expression(running: Running, project: str) -> None:
    models = running.http.get(f"projects/{project}/models").json()["data"]["models"]
    listed = running.http.get(f"projects/{project}/models/{models[0]['model_id']}/versions").json()["data"]
    version = listed["model_versions"][-1]
    assert version["constraints"] == [{"name": "stiff", "metric": "sag", "op": "<=", "value": "span / part"}]


def test_a_check_names_constraint_and_column_of_a_faulty_limit(running: Running, project: str) -> None:
    model = running.http.get(f"projects/{project}/models").json()["data"]["models"][0]["model_id"]
    versions = f"projects/{project}/models/{model}/versions"
    faulty = MODEL.replace("span / part", "span / parts")
    made = running.http.post(versions, content=faulty, headers={"Content-Type": "text/x-python"}).json()
    version = made["data"]["model_version"]["model_version_id"]
    ended = running.http.get(f"{versions}/{version}", headers={"Prefer": "wait=60"}).json()["data"]["model_version"]
    message = 'CONSTRAINTS: stiff: value, column 8: No parameter or metric is called "parts"; did you mean part?'
    assert (ended["status"], ended["error"]["message"], ended["error"]["line"]) == ("failed", message, 8)


def test_points_of_a_batch_have_limits_of_their_own(running: Running, project: str) -> None:
    given = [{"parameters": {"span": span}} for span in (6, 9, 12)]
    body = {"evaluations": given}
    made = running.http.post(f"projects/{project}/evaluate/batch", json=body).json()["data"]["batch"]
    batch = f"batches/{made['batch_id']}"
    assert _ended(running, batch)["status"] == "completed"
    points = running.http.get(f"{batch}/results").json()["data"]["results"]
    assert [point["constraints"]["stiff"]["limit"] for point in points] == pytest.approx([20, 30, 40])
    assert [point["constraints"]["stiff"]["satisfied"] for point in points] == [True, False, False]


async def test_a_live_session_has_the_limit_of_each_design(running: Running, project: str) -> None:
    async with session_with(running.demo, running.http.headers["Authorization"], project) as session:
        for number, (values, limit, satisfied) in enumerate([({}, 30, False), ({"span": 7.5}, 25, True)], 1):
            await session.send(number, values)
            told = (await session.told())["evaluation"]["constraints"]["stiff"]
            assert (told["limit"], told["satisfied"]) == (pytest.approx(limit), satisfied)
        await session.send(3, {"part": 0})
        failed = (await session.told())["evaluation"]
        assert (failed["status"], failed["error"]["code"]) == ("failed", "MODEL_FAILED")
        assert "stiff: value has no number for this design, column 6: " in failed["error"]["message"]
        await session.send(4, {"part": 100})
        assert (await session.told())["evaluation"]["constraints"]["stiff"]["limit"] == pytest.approx(90)


def test_a_study_heeds_the_limit_of_each_point(running: Running, project: str) -> None:
    body = {
        "kind": "optimization",
        "objectives": [{"metric": "mass"}],
        "parameters": {"span": {"min": 8}, "depth": {}},
        "algorithm": "nsga2",
        "budget": 40,
        "population": 10,
        "seed": 1,
    }
    made = running.http.post(f"projects/{project}/studies", json=body)
    assert made.status_code == 202, made.text
    study = f"studies/{made.json()['data']['study']['study_id']}"
    ended = _ended(running, study)
    assert ended["status"] == "completed", ended
    points = running.http.get(f"{study}/results?limit=200").json()["data"]["results"]
    assert len(points) == 40
    assert {point["feasible"] for point in points} == {True, False}
    assert [point["feasible"] for point in points] == [_is_stiff(point) for point in points]
    front = running.http.get(f"{study}/front").json()["data"]["points"]
    assert front
    assert all(map(_is_stiff, front))


def _ended(running: Running, path: str) -> dict[str, Any]:
    deadline = time.monotonic() + 120
    while True:
        (found,) = running.http.get(path).json()["data"].values()
        if found["completed_at"] is not None:
            return dict(found)
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def _as(running: Running) -> dict[str, str]:
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    return {name: running.demo[key] for name, key in names.items()}
