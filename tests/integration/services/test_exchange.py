"""Evaluations as CSV, out and in, over HTTP with an edge in the core's process and one over gRPC."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
import uuid_utils

from catenary_cli.installation import clients
from catenary_core.services.evaluations.exchange import files, servicer
from catenary_core.services.evaluations.plans import csv_files
from catenary_core.services.evaluations.plans.layout import MAX_EVALUATIONS
from catenary_edge.settings import EdgeSettings
from catenary_wire import csv_cells
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, SECRET, Serving, serving
from factories.services.evaluations import deploy, run_sql
from factories.services.models import NOBODY

pytestmark = pytest.mark.sampled

EVALUATED = """
    INSERT INTO evaluations.evaluation
        (evaluation_id, project_id, status, model_version_id, parameters, metrics, geometry, created_by, created_at, completed_at)
    VALUES (:e, :p, :status, :v, CAST(:parameters AS json), CAST(:metrics AS json), CAST(:geometry AS json), :u,
            timestamptz '2026-01-01' + make_interval(secs => :second),
            CASE WHEN :status <> 'queued' THEN timestamptz '2026-02-01' END)
"""
COMPLETED = """
    UPDATE evaluations.point SET status = CASE WHEN index = :failed THEN 'failed' ELSE 'completed' END,
        metrics = CASE WHEN index = :failed THEN '{}' ELSE json_build_object('mass', json_build_object('value', index)) END,
        completed_at = statement_timestamp(), job_id = NULL, position = index
    WHERE batch_id = :b
"""
VALUES = {"span": 24.0, "bays": 6, "braced": True, "steel": 460, "title": "bridge"}
GLB = {"name": "arch", "format": "glb", "size": 1, "sha256": "0" * 64, "parts": []}
HEADER = ["in:span [m]", "in:bays", "in:braced", "in:steel", "in:title", "out:mass [kg]", "out:extra", "img", "threeD"]


@dataclass
class Exchanging:
    """A node with a project, its deployed version, and its maker's client."""

    node: Serving
    http: httpx.AsyncClient
    project_id: str
    version_id: str
    user_id: str

    @property
    def path(self) -> str:
        return f"/v1/projects/{self.project_id}/evaluations.csv"

    async def evaluated(self, second: int, status: str = "completed", **fields: Any) -> str:
        """Add an evaluation as a worker would leave it."""
        evaluation_id = str(uuid_utils.uuid7())
        given = {"parameters": VALUES, "metrics": {}, "geometry": [], "version_id": self.version_id, **fields}
        await run_sql(
            self.node.core.frame.db,
            EVALUATED,
            e=evaluation_id,
            p=self.project_id,
            v=given["version_id"],
            u=self.user_id,
            status=status,
            second=second,
            **{name: orjson.dumps(given[name]).decode() for name in ("parameters", "metrics", "geometry")},
        )
        return evaluation_id

    async def batch(self, bays: Iterable[int], *, failed: int | None = None) -> str:
        """Add a batch whose points have ended, with the index as mass."""
        points = [{"parameters": {"bays": one}} for one in bays]
        route = f"/v1/projects/{self.project_id}/evaluate/batch"
        made = await self.http.post(route, json={"evaluations": points})
        assert made.status_code == 202, made.text
        batch_id = str(made.json()["data"]["batch"]["batch_id"])
        await run_sql(self.node.core.frame.db, COMPLETED, b=batch_id, failed=-1 if failed is None else failed)
        return batch_id

    async def exported(self, **query: str) -> list[list[str]]:
        answer = await self.http.get(self.path, params=query)
        assert answer.status_code == 200, answer.text
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        return list(csv.reader(io.StringIO(answer.text, newline=""), strict=True))

    async def sent(self, content: bytes, media_type: str = "text/csv") -> httpx.Response:
        return await self.http.post(self.path, content=content, headers={"Content-Type": media_type})

    async def refused(self, content: bytes) -> str:
        answer = await self.sent(content)
        assert answer.status_code == 400, answer.text
        return str(answer.json()["error"]["message"])


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "over gRPC"])
async def exchanging(started_dsn: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Exchanging]:
    secret = await clients.create(started_dsn, SECRET, "maker", admin=False)
    edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
    async with (
        serving(started_dsn, tmp_path, remote=request.param, edge=edge, public_url=PUBLIC_URL) as node,
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http,
    ):
        grant = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **secret})
        http.headers["Authorization"] = f"Bearer {grant.json()['access_token']}"
        project = (await http.post("/v1/projects", json={"name": "Bridge"})).json()["data"]["project"]["project_id"]
        frame = node.core.frame
        _, version = await deploy(frame.db, frame.objects, project_id=project)
        metrics = orjson.dumps([{"name": "mass", "unit": "kg", "description": ""}]).decode()
        await run_sql(
            frame.db,
            "UPDATE models.model_version SET metrics = CAST(:m AS json) WHERE model_version_id = :v",
            m=metrics,
            v=version,
        )
        me = (await http.get("/v1/users/me")).json()["data"]["user"]["user_id"]
        yield Exchanging(node, http, project, version, me)


async def test_completed_evaluations_of_the_deployed_version_come_newest_first(exchanging: Exchanging) -> None:
    assert await exchanging.exported() == [[*HEADER[:6], *HEADER[7:]]]
    await exchanging.evaluated(1, metrics={"mass": {"value": 1200, "unit": "kg"}}, geometry=[GLB])
    newer = await exchanging.evaluated(
        2,
        parameters={**VALUES, "title": "=cmd|' /C calc'!A0"},
        metrics={"mass": {"value": 0.5, "unit": "kg"}, "extra": {"value": 3, "unit": None}},
        geometry=[{**GLB, "format": "step"}],
    )
    await exchanging.evaluated(3, "failed")
    await exchanging.evaluated(4, "queued")
    await exchanging.evaluated(5, version_id=NOBODY)
    header, first, second = await exchanging.exported()
    assert header == HEADER
    link = f"{PUBLIC_URL}/v1/evaluations/{newer}/geometry/arch.step"
    assert first == ["24.0", "6", "true", "460", "'=cmd|' /C calc'!A0", "0.5", "3", "", link]
    assert second[5:8] == ["1200", "", ""]
    assert second[8].endswith("/geometry/arch")
    assert await exchanging.exported(model_version_id=exchanging.version_id) == [header, first, second]


async def test_without_the_apostrophe_a_text_would_be_a_formula(
    exchanging: Exchanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    await exchanging.evaluated(1, parameters={**VALUES, "title": "=1+1"})
    assert (await exchanging.exported())[1][4] == "'=1+1"
    monkeypatch.setattr(csv_cells, "_FORMULA", ("none",))
    assert (await exchanging.exported())[1][4] == "=1+1"


async def test_all_pages_come_in_one_file(exchanging: Exchanging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servicer, "PAGE_ROWS", 2)
    for bays in range(2, 7):
        # Several have one time.
        await exchanging.evaluated(bays // 2, parameters={**VALUES, "bays": bays})
    assert sorted(row[1] for row in (await exchanging.exported())[1:]) == ["2", "3", "4", "5", "6"]
    assert (await exchanging.exported())[1][1] == "6"


async def test_an_unchanged_file_is_not_sent_again(exchanging: Exchanging) -> None:
    await exchanging.evaluated(1)
    tag = (await exchanging.http.get(exchanging.path)).headers["ETag"]
    again = await exchanging.http.get(exchanging.path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    await exchanging.evaluated(2)
    changed = await exchanging.http.get(exchanging.path, headers={"If-None-Match": tag})
    assert changed.status_code == 200


async def test_points_of_a_batch_are_exported_by_its_filter(
    exchanging: Exchanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer, "PAGE_ROWS", 2)
    await exchanging.evaluated(1)
    first = await exchanging.batch(range(2, 7), failed=3)
    second = await exchanging.batch([12])
    alone = await exchanging.exported(batch_id=first)
    assert [row[1] for row in alone] == ["in:bays", "6", "4", "3", "2"]
    assert [row[5] for row in alone] == ["out:mass [kg]", "4", "2", "1", "0"]
    assert [row[1] for row in await exchanging.exported(batch_id=first, status="failed")] == ["in:bays", "5"]
    both = f"{exchanging.path}?batch_id={first}&batch_id={second}&status=failed&status=completed"
    assert (await exchanging.http.get(both)).text.count("\r\n") == 1 + 5 + 1
    assert len(await exchanging.exported(study_id=first, model_version_id=exchanging.version_id)) == 1
    assert len(await exchanging.exported()) == 2, "without a batch the single evaluation alone"


async def test_an_export_of_points_is_sent_again_after_another_end(exchanging: Exchanging) -> None:
    batch_id = await exchanging.batch([2, 3])
    path = f"{exchanging.path}?batch_id={batch_id}"
    tag = (await exchanging.http.get(path)).headers["ETag"]
    assert (await exchanging.http.get(path, headers={"If-None-Match": tag})).status_code == 304
    await run_sql(exchanging.node.core.frame.db, COMPLETED, b=batch_id, failed=1)
    assert (await exchanging.http.get(path, headers={"If-None-Match": tag})).status_code == 200


async def test_an_export_has_the_version_of_the_newest_named_batch(exchanging: Exchanging) -> None:
    batch_id = await exchanging.batch([2])
    frame = exchanging.node.core.frame
    await deploy(frame.db, frame.objects, project_id=exchanging.project_id)
    assert [row[1] for row in await exchanging.exported(batch_id=batch_id)] == ["in:bays", "2"]
    deployed = (await exchanging.http.get(f"/v1/projects/{exchanging.project_id}")).json()["data"]["project"]
    version_id = deployed["deployed_model_version_id"]
    assert len(await exchanging.exported(batch_id=batch_id, model_version_id=version_id)) == 1


@pytest.mark.parametrize(
    ("query", "status", "told"),
    [
        ({"status": "queued"}, 400, "must be one of completed, failed, timed_out, cancelled"),
        ({"batch_id": "7"}, 400, "must be a UUID"),
        ({"batch_id": NOBODY}, 404, "batch or study"),
        ({"asked_by": "me"}, 400, "must be a UUID"),
    ],
)
async def test_filters_that_find_nothing_are_told(
    exchanging: Exchanging, query: dict[str, str], status: int, told: str
) -> None:
    answer = await exchanging.http.get(exchanging.path, params=query)
    assert (answer.status_code, told in answer.text) == (status, True), answer.text


async def test_points_of_another_project_are_never_exported(exchanging: Exchanging) -> None:
    batch_id = await exchanging.batch([2])
    other = await exchanging.http.post("/v1/projects", json={"name": "Other"})
    project_id = other.json()["data"]["project"]["project_id"]
    frame = exchanging.node.core.frame
    _, version = await deploy(frame.db, frame.objects, project_id=project_id)
    path = f"/v1/projects/{project_id}/evaluations.csv?batch_id={batch_id}"
    assert (await exchanging.http.get(path)).status_code == 404
    assert (await exchanging.http.get(f"{path}&model_version_id={version}")).text.count("\r\n") == 1


async def test_unknown_versions_and_projects_without_one_are_refused(exchanging: Exchanging) -> None:
    missing = await exchanging.http.get(exchanging.path, params={"model_version_id": NOBODY})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "NOT_FOUND")
    other = await exchanging.http.post("/v1/projects", json={"name": "Empty"})
    path = f"/v1/projects/{other.json()['data']['project']['project_id']}/evaluations.csv"
    for method in ("GET", "POST"):
        content = {} if method == "GET" else {"content": b"in:x\n1\n", "headers": {"Content-Type": "text/csv"}}
        refused = await exchanging.http.request(method, path, **content)  # type: ignore[arg-type]
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "MODEL_NOT_DEPLOYED")


async def test_a_file_goes_back_as_a_batch_with_a_point_for_each_row(exchanging: Exchanging) -> None:
    await exchanging.evaluated(1, metrics={"mass": {"value": 1200, "unit": "kg"}})
    await exchanging.evaluated(2, parameters={**VALUES, "title": "=1+1", "span": 30.5})
    exported = (await exchanging.http.get(exchanging.path)).content
    answer = await exchanging.sent(exported + exported.splitlines(keepends=True)[1])
    assert answer.status_code == 202, answer.text
    batch = answer.json()["data"]["batch"]
    assert answer.headers["Location"] == f"/v1/batches/{batch['batch_id']}"
    results = (await exchanging.http.get(f"/v1/batches/{batch['batch_id']}/results")).json()["data"]["results"]
    assert [(one["parameters"]["span"], one["parameters"]["title"]) for one in results] == [
        (30.5, "=1+1"),
        (24.0, "bridge"),
        (30.5, "=1+1"),
    ]


async def test_a_form_may_have_the_file(exchanging: Exchanging) -> None:
    answer = await exchanging.http.post(
        exchanging.path, files={"file": ("e.csv", b"in:span [ft]\r\n30\r\n", "text/csv")}
    )
    assert answer.status_code == 202, answer.text
    assert answer.json()["data"]["batch"]["counts"]["queued"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no column gives a parameter"),
        (b"in:span\n\xff\n", "is not UTF-8"),
        ("in:span\n6\n".encode("utf-16"), "is not UTF-8"),
        (b"in:span\n\x006\n", "has the character U+0000"),
        (b"in:title\n\x1b[2J\n", "has the character U+001B"),
        (b"in:span\n6\n=1+1\n", "Line 3: span must be a number."),
        (b"in:title\n=cmd|' /C calc'!A0\n", "the cell of title begins as a formula"),
        (b"in:span [kg]\n6\n", "Line 1: span"),
        (b"in:span\n61\n", "Line 2: span must be at most 60"),
        (b"in:sapn\n6\n", "The model has no parameter sapn."),
        (b"in:span\n" + b"6\n" * (MAX_EVALUATIONS + 1), "there are more than 10000 rows"),
        (b"in:span\n" + b"6\n" * 1_000_000, "there are more than 10000 rows"),
    ],
)
async def test_a_file_that_is_no_list_of_evaluations_is_refused(
    exchanging: Exchanging, content: bytes, told: str
) -> None:
    assert told in await exchanging.refused(content)
    assert (await exchanging.http.get(f"/v1/projects/{exchanging.project_id}/batches")).json()["data"]["batches"] == []


async def test_a_file_over_the_limit_and_another_type_are_refused(
    exchanging: Exchanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await exchanging.sent(b"in:span\n6\n", "text/plain")).status_code == 415
    monkeypatch.setattr(files, "MAX_BYTES", 1_000_000)
    assert (await exchanging.sent(b"in:span\n" + b"6\n" * 499_990)).status_code == 400
    answer = await exchanging.sent(b"in:span\n" + b"6\n" * 500_000)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "PAYLOAD_TOO_LARGE")


async def test_a_batch_takes_the_evaluations_of_a_plan(exchanging: Exchanging) -> None:
    route = f"/v1/projects/{exchanging.project_id}/evaluate"
    ranges = {"span": {}, "bays": {}, "braced": {}}
    wanted = {"kind": "sobol", "parameters": ranges, "size": 1_500, "seed": 1}
    plan = (await exchanging.http.post(f"{route}/plan", json=wanted)).json()["data"]["plan"]
    assert plan["count"] > 1_000
    made = await exchanging.http.post(f"{route}/batch", json={"plan_id": plan["plan_id"]})
    assert made.status_code == 202, made.text
    batch = made.json()["data"]["batch"]
    assert batch["counts"]["queued"] == plan["count"]
    results = await exchanging.http.get(f"/v1/batches/{batch['batch_id']}/results", params={"limit": 50})
    shown = [{name: one["parameters"][name] for name in ranges} for one in results.json()["data"]["results"]]
    assert shown == [one["parameters"] for one in plan["evaluations"]]


@pytest.mark.parametrize("given", [{}, {"plan_id": NOBODY, "evaluations": [{"parameters": {}}]}])
async def test_a_batch_has_a_plan_or_evaluations(exchanging: Exchanging, given: dict[str, Any]) -> None:
    answer = await exchanging.http.post(f"/v1/projects/{exchanging.project_id}/evaluate/batch", json=given)
    assert (answer.status_code, answer.json()["error"]["details"]["parameter"]) == (400, "evaluations")


async def test_a_plan_of_another_project_is_refused_as_an_unknown_one(exchanging: Exchanging) -> None:
    http = exchanging.http
    plan = await http.post(
        f"/v1/projects/{exchanging.project_id}/evaluate/plan", json={"kind": "grid", "parameters": {"braced": {}}}
    )
    other = (await http.post("/v1/projects", json={"name": "Other"})).json()["data"]["project"]["project_id"]
    frame = exchanging.node.core.frame
    await deploy(frame.db, frame.objects, project_id=other)
    route = f"/v1/projects/{other}/evaluate/batch"
    for plan_id in (plan.json()["data"]["plan"]["plan_id"], NOBODY):
        answer = await http.post(route, json={"plan_id": plan_id})
        assert (answer.status_code, answer.json()["error"]["details"]) == (
            400,
            {"parameter": "plan_id", "value": plan_id, "constraint": "reference"}
            | {"violations": answer.json()["error"]["details"]["violations"]},
        )


def test_the_columns_of_a_file_are_read_by_name_only() -> None:
    declared = [{"name": "mass", "unit": "kg"}]
    assert files.metrics(declared, ["b", "mass", "a"]) == [
        {"name": "mass", "unit": "kg"},
        {"name": "a", "unit": None},
        {"name": "b", "unit": None},
    ]
    assert csv_files.name("out", declared[0]) == "out:mass [kg]"
