"""The first minute of a newcomer."""

from __future__ import annotations

import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from factories.installations.installation import ROOT, Installation, Running, catenary, client_of, environment


# Slow, since it starts two installations; the demo of the one that the other tests share is made by the same code.
@pytest.mark.slow
def test_serve_demo_once_makes_everything_and_ends(data_root: Path) -> None:
    data_dir = data_root / "once"
    ports = ["--port", "0", "--grpc-port", "0", "--admin-port", "0"]
    first = catenary("serve", "--demo", "--once", "--data-dir", str(data_dir), *ports)
    assert first.returncode == 0, first.stderr
    assert re.search(r"floor_area\s+│\s+[\d,.]+\s+│ m2", first.stdout), first.stdout
    assert "Constraint compact" in first.stdout
    file = data_dir / "demo.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    demo = orjson.loads(file.read_bytes())
    assert set(demo) == {"base_url", "grpc_address", "client_id", "client_secret", "project_id"}
    assert demo["base_url"].endswith("/v1/")
    assert demo["client_secret"] in first.stdout

    again = catenary("serve", "--demo", "--once", "--data-dir", str(data_dir), *ports)
    assert again.returncode == 0, again.stderr
    kept = orjson.loads(file.read_bytes())
    assert {key: kept[key] for key in ("client_id", "client_secret", "project_id")} == {
        key: demo[key] for key in ("client_id", "client_secret", "project_id")
    }
    assert "(stored)" in again.stdout
    lines = [re.findall(r"parameters\?project_id=([0-9a-f-]{36})", done.stdout) for done in (first, again)]
    assert len(lines[0]) == 1
    assert lines[0] == lines[1], "the second start makes no second tower"


# Slow, since it starts three installations.
@pytest.mark.slow
def test_the_demo_starts_beyond_its_limits_is_completed_and_fits_what_is_deployed(data_root: Path) -> None:
    data_dir = data_root / "limited"
    ports = ["--port", "0", "--grpc-port", "0", "--admin-port", "0"]
    line = ["serve", "--demo", "--once", "--data-dir", str(data_dir), *ports]
    first = catenary(*line, CATENARY_EVALUATIONS_PER_HOUR="2")
    assert first.returncode == 0, first.stderr
    refused = "The project has had its 2 evaluations of the hour; try again in "
    assert f"- The demo's project is not complete: {refused}" in first.stdout
    assert "An operator may raise CATENARY_EVALUATIONS_PER_HOUR." in first.stdout
    begun = orjson.loads((data_dir / "demo.json").read_bytes())
    assert set(begun) == {"base_url", "grpc_address", "client_id", "client_secret"}

    second = catenary(*line, CATENARY_EVALUATIONS_PER_HOUR="3")
    assert second.returncode == 0, second.stderr
    assert f"- The demo's model was not evaluated: {refused.replace('2', '3')}" in second.stdout
    demo = orjson.loads((data_dir / "demo.json").read_bytes())
    assert demo["client_id"] == begun["client_id"]

    installation = Installation(data_dir, ["--workers", "1"])
    try:
        assert installation.wait()["project_id"] == demo["project_id"]
        with client_of(installation.wait()) as http:
            assert len(http.get("projects").json()["data"]["projects"]) == 1, "the second start made no other project"
            project = http.get(f"projects/{demo['project_id']}").json()["data"]["project"]
            assert project["environment_project_id"] is not None
            models = http.get(f"projects/{demo['project_id']}/models").json()["data"]["models"]
        assert [model["name"] for model in models] == ["Twisted tower", "Truss bridge", "Space frame roof"]
        truss = str(ROOT / "src/catenary_cli/demo/models/truss_bridge.py")
        pushed = catenary(
            "model", "push", truss, "-p", demo["project_id"], "--deploy", "--data-dir", str(data_dir), timeout=300
        )
        assert pushed.returncode == 0, pushed.stderr
    finally:
        assert installation.stop() == 0, installation.log
    again = Installation(data_dir, ["--workers", "1"])
    try:
        again.wait()
        token, evaluate, _ = _printed_by(again.log.rpartition("Try it yourself")[2])
        assert '"storeys"' not in evaluate
        answer = _run(token, evaluate)
        assert answer["data"]["evaluation"]["status"] == "completed"
        assert answer["data"]["evaluation"]["parameters"]["span"] == 35
    finally:
        assert again.stop() == 0, again.log


def test_the_printed_curl_line_works_as_printed(running: Running) -> None:
    token, evaluate, parameters = _printed(running)
    answer = _run(token, evaluate)
    assert answer["success"] is True
    assert answer["data"]["evaluation"]["status"] == "completed"
    assert answer["data"]["evaluation"]["parameters"]["storeys"] == 42
    rejected = _run(token, parameters)
    assert len(rejected["parameters"]) == 5
    assert rejected["summary"]["estimate_count"] == 22
    assert {row["selected_entry"]["status"] for row in rejected["parameters"]} == {"rejected"}


def _printed(running: Running) -> list[str]:
    return _printed_by(running.installation.log.split("Try it yourself", 1)[1])


def _printed_by(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith(("TOKEN=", "curl "))]


def _run(*lines: str) -> dict[str, Any]:
    line = ["bash", "-c", "\n".join(lines)]
    done = subprocess.run(line, capture_output=True, check=True, timeout=60, env=environment())
    answer: dict[str, Any] = orjson.loads(done.stdout)
    return answer


def test_the_demo_has_a_tower_with_500_parameters_linked_to_its_project(running: Running) -> None:
    project = running.http.get(running.project).json()["data"]["project"]
    project_id = project["environment_project_id"]
    root = running.demo["base_url"].removesuffix("v1/")
    (tower,) = running.http.get(f"{root}environment/v2/projects?number=DEMO-001").json()["projects"]
    assert tower["project_id"] == project_id
    for shown in (tower, project):
        assert {name for name, value in shown.items() if value in (None, "")} <= {"deleted_at"}, "every field is set"

    def count(route: str, **query: Any) -> int:
        answer = running.http.get(f"{root}{route}", params={"project_id": project_id, "page_limit": 1000, **query})
        assert answer.status_code == 200, answer.text
        return int(answer.json()["summary"]["estimate_count"])

    assert count("parameter/v1/parameters") == 500
    assert count("parameter/v1/assets") == 97
    states = {state: count("parameter/v1/parameters", qa_status=state) for state in ("answered", "checked", "approved")}
    assert min(states.values()) > 100
    assert count("parameter/v1/parameters", qa_status="unanswered") == 12
    (structure,) = (
        tag["id"]
        for tag in running.http.get(f"{root}metadata/v1/tags", params={"tag_scope": project_id}).json()["tags"]
        if tag["name"] == "Superstructure"
    )
    assert count("parameter/v1/parameters", tag_id=structure) > 200
    assets = running.http.get(
        f"{root}parameter/v1/assets", params={"project_id": project_id, "page_limit": 1000}
    ).json()
    tree = {asset["id"]: asset for asset in assets["assets"]}
    (top,) = (asset for asset in tree.values() if asset["parent"] is None)
    assert (top["name"], len(top["children"])) == ("Harbour Tower", 24)
    assert [tree[child]["name"] for child in tree[top["children"][0]]["children"]] == ["Slab", "Core A", "Core B"]
    rows = running.http.get(
        f"{root}parameter/v1/parameters", params={"project_id": project_id, "page_limit": 1000}
    ).json()["parameters"]
    wall = next(row for row in rows if row["parameter_type"]["name"] == "Wall thickness")
    entry_id = wall["selected_entry"]["entry_id"]
    revisions = running.http.get(f"{root}parameter/v1/entries/{entry_id}/revisions").json()["revisions"]
    assert [revision["values"][0]["value"] for revision in revisions] == [600, 650]


def test_the_demo_has_sub_types_item_types_parameter_sets_and_qa_records(running: Running) -> None:
    root = running.demo["base_url"].removesuffix("v1/")
    project_id = running.http.get(running.project).json()["data"]["project"]["environment_project_id"]

    def rows(route: str, **query: Any) -> list[dict[str, Any]]:
        answer = running.http.get(f"{root}{route}", params={"page_limit": 1000, **query})
        assert answer.status_code == 200, answer.text
        return next(list(value) for value in answer.json().values())

    assets = {row["id"]: row for row in rows("parameter/v1/assets", project_id=project_id)}
    cores = [row for row in assets.values() if row["asset_type"]["name"] == "Core"]
    assert {row["asset_sub_type"]["name"] for row in cores} == {"Core A", "Core B"}
    assert all(row["asset_sub_type"]["name"] == row["name"] for row in cores)
    item_types = {(row["asset_type"]["name"], row["parameter_type"]["name"]) for row in rows("parameter/v1/item_types")}
    assert {("Core", "Wall thickness"), ("Storey", "Imposed load"), ("Building", "Design life")} <= item_types
    sets = rows("parameter/v1/parameter_sets")
    assert [row["name"] for row in sets] == [
        "Storey brief: Storey 01",
        "Core walls: Storey 01/Core A",
        "Core walls: Storey 01/Core B",
    ]
    assert len(rows("parameter/v1/parameter_set_categories")) == 1
    assert len(rows("parameter/v1/parameter_set_types")) == 2
    for one, count in zip(sets, (4, 3, 3), strict=True):
        answer = running.http.get(f"{root}parameter/v1/parameter_sets/{one['id']}/parameters").json()
        assert len(answer["parameter_set_parameters"]) == count
    names = {row["id"]: row["name"] for row in rows("qa/v2/record_types")}
    records = [names[row["type_id"]] for row in rows("qa/v2/records")]
    judged = {
        state: len(rows("parameter/v1/parameters", project_id=project_id, qa_status=state))
        for state in ("checked", "approved", "rejected")
    }
    assert {state: records.count(state.capitalize()) for state in judged} == judged
    assert min(judged.values()) > 10
    (review,) = (row for row in rows("qa/v2/records", reference_id=project_id))
    assert names[review["type_id"]] == "Review"
    (rejected, *_) = rows("parameter/v1/parameters", project_id=project_id, qa_status="rejected")
    entry_id = rejected["selected_entry"]["entry_id"]
    revision = rows(f"parameter/v1/entries/{entry_id}/revisions")[0]
    assert revision["review"]["comment"].endswith("please check and send it again.")
    assert revision["review"]["created_by"]["staff_name"] == "Demo"


def test_every_demo_model_is_ready_deterministic_and_repeatable(running: Running) -> None:
    models = running.http.get(f"{running.project}/models").json()["data"]["models"]
    assert [model["name"] for model in models] == ["Twisted tower", "Truss bridge", "Space frame roof"]
    for model in models:
        versions = running.http.get(f"{running.project}/models/{model['model_id']}/versions").json()["data"][
            "model_versions"
        ]
        assert [version["status"] for version in versions] == ["ready"]
        assert (versions[0]["deterministic"], versions[0]["repeatable"]) == (True, True), versions[0][
            "repeatable_reason"
        ]
        assert versions[0]["constraints"]
