"""Plans of a project: over the dispatcher, and over HTTP as JSON and as a file."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
import sqlalchemy as sa

from catenary_cli.installation import clients
from catenary_core.database.retention import remove
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.services.evaluations.plans import planning, queries, servicer
from catenary_edge.settings import EdgeSettings
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, SECRET, Serving, serving
from factories.services.calls import Refusal
from factories.services.evaluations import deploy
from factories.services.models import NOBODY, World

_AGE = Statement(sa.text("UPDATE evaluations.plan SET created_at = created_at - CAST(:age AS interval)"))
_ROWS = Statement(sa.text("SELECT count(*) AS n FROM evaluations.plan"))
GRID: dict[str, Any] = {
    "kind": "PLAN_KIND_GRID",
    "parameters": {"span": {"values": [{"text": "10"}, {"text": "12.5"}]}},
}
SAMPLE: dict[str, Any] = {"kind": "PLAN_KIND_SOBOL", "parameters": {"span": {}}, "size": 8}


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "ed", "eva", "vic", "stranger")
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    made = await world.project_with_roles()
    model = await world.model("ed", made)
    await world.deploy("ed", made, await world.ready("ed", made, model))
    return made


async def _made(world: World, project_id: str, who: str = "eva", **fields: Any) -> Any:
    return (await world.as_(who).call("CreatePlan", project_id=project_id, **(fields or GRID)))["plan"]


async def _refused(world: World, project_id: str, who: str = "eva", **fields: Any) -> Refusal:
    return await world.as_(who).refused("CreatePlan", project_id=project_id, **(fields or GRID))


async def _rows(world: World) -> int:
    async with world.db.read() as tx:
        return int((await tx.one(_ROWS))["n"])


async def _aged(world: World, age: str) -> None:
    async with world.db.transaction() as tx:
        await tx.execute(_AGE, age=age)


async def test_a_plan_is_made_read_and_listed(world: World, project_id: str) -> None:
    plan = await _made(world, project_id)
    deployed = (await world.as_("vic").call("ListDeployments", project_id=project_id))["deployments"][0]
    assert plan == {
        "plan_id": plan["plan_id"],
        "project_id": project_id,
        "model_version_id": deployed["model_version_id"],
        "kind": "grid",
        "seed": None,
        "count": 2,
        "size": 2,
        "evaluations": [{"parameters": {"span": 10.0}}, {"parameters": {"span": 12.5}}],
        "created_by": {"user_id": world.id("eva"), "staff_name": "eva"},
        "created_at": plan["created_at"],
        "expires_at": plan["expires_at"],
    }
    assert (await world.as_("vic").call("GetPlan", plan_id=plan["plan_id"]))["plan"] == plan
    other = await _made(world, project_id, **SAMPLE)
    first = await world.as_("vic").call("ListPlans", project_id=project_id, limit=1)
    assert first["plans"] == [other | {"evaluations": []}]
    rest = await world.as_("vic").call("ListPlans", project_id=project_id, cursor=first["next_cursor"])
    assert rest == {"plans": [plan | {"evaluations": []}], "next_cursor": None}


async def test_the_evaluations_of_a_plan_are_read_page_by_page(world: World, project_id: str) -> None:
    plan = await _made(world, project_id, **SAMPLE)
    reader, found, cursor = world.as_("vic"), [], ""
    while cursor is not None:
        page = await reader.call("ListPlanPoints", plan_id=plan["plan_id"], limit=3, cursor=cursor)
        assert 0 < len(page["points"]) <= 3
        found += page["points"]
        cursor = page["next_cursor"]
    assert [one["index"] for one in found] == list(range(plan["size"]))
    assert [one["parameters"] for one in found] == [one["parameters"] for one in plan["evaluations"]]


async def test_a_sample_without_a_seed_shows_the_one_that_repeats_it(world: World, project_id: str) -> None:
    plan = await _made(world, project_id, **SAMPLE)
    again = await _made(world, project_id, **SAMPLE, seed=plan["seed"])
    other = await _made(world, project_id, **SAMPLE)
    assert plan["evaluations"] == again["evaluations"] != other["evaluations"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": 0}, "kind"),
        ({**SAMPLE, "size": 0}, "size"),
        ({**SAMPLE, "size": 10**9}, "size"),
        ({**SAMPLE, "seed": -1}, "seed"),
        ({**SAMPLE, "parameters": {"span": {"count": 0}}}, "parameters.span.count"),
        ({**SAMPLE, "parameters": {"span": {"count": 10**9}}}, "parameters.span.count"),
        ({**SAMPLE, "parameters": {"span": {"min": {"text": "x"}}}}, "parameters.span.min"),
        ({"kind": "PLAN_KIND_CSV", "csv": "in:span\n\x006\n"}, "csv"),
        ({"kind": "PLAN_KIND_CSV", "csv": "in:span\n6\r7\n"}, "csv"),
        ({"kind": "PLAN_KIND_CSV", "csv": "x" * 1_000_001}, "csv"),
    ],
)
async def test_a_field_out_of_its_bounds_is_refused(
    world: World, project_id: str, fields: dict[str, Any], field: str
) -> None:
    refusal = await _refused(world, project_id, **fields)
    assert (refusal.reason, refusal.fields) == ("VALIDATION_ERROR", [field])
    assert await _rows(world) == 0


async def test_faults_of_values_name_the_parameter_as_an_evaluation_does(world: World, project_id: str) -> None:
    far = await _refused(world, project_id, kind="PLAN_KIND_GRID", parameters={"span": {"max": {"text": "61"}}})
    assert (far.reason, far.details["parameter"]) == ("PARAMETER_OUT_OF_RANGE", "span")
    unknown = await _refused(world, project_id, kind="PLAN_KIND_GRID", parameters={"sapn": {}})
    assert (unknown.reason, unknown.fields) == ("UNKNOWN_PARAMETER", ["sapn"])
    line = await _refused(world, project_id, kind="PLAN_KIND_CSV", csv="in:span\n6\n61\n")
    assert (line.reason, line.message) == (
        "PARAMETER_OUT_OF_RANGE",
        "Line 3: span must be at most 60 m; it is 61.0.",
    )


async def test_a_project_without_a_deployed_version_has_no_plan(world: World) -> None:
    empty = await world.project_with_roles()
    assert (await _refused(world, empty)).reason == "MODEL_NOT_DEPLOYED"


async def test_a_plan_is_computed_off_the_event_loop(
    world: World, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    reached = asyncio.Event()
    compute = planning.plan

    def held(*given: Any) -> Any:
        # The loop must run while this waits for it.
        asyncio.run_coroutine_threadsafe(_set(reached), loop).result(60)
        return compute(*given)

    monkeypatch.setattr(planning, "plan", held)
    assert (await _made(world, project_id))["count"] == 2
    assert reached.is_set()


async def _set(event: asyncio.Event) -> None:
    event.set()


async def test_who_may(world: World, project_id: str) -> None:
    assert (await _refused(world, project_id, "vic")).reason == "PERMISSION_DENIED"
    assert (await _refused(world, project_id, "stranger")).reason == "NOT_FOUND"
    mine, of_ed = await _made(world, project_id), await _made(world, project_id, "ed")
    for who, plan, reason in (
        ("stranger", mine, "NOT_FOUND"),
        ("vic", mine, "PERMISSION_DENIED"),
        ("eva", of_ed, "PERMISSION_DENIED"),
    ):
        assert (await world.as_(who).refused("DeletePlan", plan_id=plan["plan_id"])).reason == reason
    for method in ("GetPlan", "DeletePlan"):
        assert (await world.as_("eva").refused(method, plan_id=NOBODY)).reason == "NOT_FOUND"
    assert (await world.as_("stranger").open_refused("DownloadPlan", plan_id=mine["plan_id"])).reason == "NOT_FOUND"
    assert (await world.as_("eva").call("DeletePlan", plan_id=mine["plan_id"]))["plan"] == mine
    assert (await world.as_("olga").call("DeletePlan", plan_id=of_ed["plan_id"]))["plan"] == of_ed
    assert await _rows(world) == 0


async def test_a_stale_condition_keeps_the_plan(world: World, project_id: str) -> None:
    plan = await _made(world, project_id)
    stale = world.as_("eva").sending("if-match", '"' + "0" * 32 + '"')
    assert (await stale.refused("DeletePlan", plan_id=plan["plan_id"])).reason == "PRECONDITION_FAILED"
    tag = (await world.as_("eva").metadata("GetPlan", plan_id=plan["plan_id"]))["etag"]
    await world.as_("eva").sending("if-match", tag).call("DeletePlan", plan_id=plan["plan_id"])


async def test_a_plan_is_gone_after_a_day_and_then_removed(world: World, project_id: str) -> None:
    plan = await _made(world, project_id)
    await _aged(world, "23 hours 59 minutes")
    assert await remove(world.db, queries.REMOVE_OLD) == 0
    assert (await world.as_("vic").call("GetPlan", plan_id=plan["plan_id"]))["plan"]["count"] == 2
    await _aged(world, "1 minute")
    assert (await world.as_("vic").refused("GetPlan", plan_id=plan["plan_id"])).reason == "NOT_FOUND"
    assert (await world.as_("vic").call("ListPlans", project_id=project_id))["plans"] == []
    await _made(world, project_id)
    assert await remove(world.db, queries.REMOVE_OLD) == 1
    assert await _rows(world) == 1


async def test_a_project_has_a_limited_number_of_plans(
    world: World, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer, "MAX_PLANS", 2)
    plan, _ = await _made(world, project_id), await _made(world, project_id)
    assert (await _refused(world, project_id)).reason == "CONFLICT"
    await world.as_("eva").call("DeletePlan", plan_id=plan["plan_id"])
    await _made(world, project_id)
    await _aged(world, "1 day")
    await _made(world, project_id)
    monkeypatch.setattr(servicer, "MAX_PLANS", 10)  # without the limit there is no end
    await _made(world, project_id)


async def test_the_same_key_makes_one_plan(world: World, project_id: str) -> None:
    caller = world.as_("eva").sending("idempotency-key", "k").sending("catenary-route", "POST plan")
    first, again = [await caller.call("CreatePlan", project_id=project_id, **SAMPLE) for _ in range(2)]
    assert first == again
    assert await _rows(world) == 1


@dataclass
class Over:
    """A node with a project, and its maker's client."""

    http: httpx.AsyncClient
    project_id: str

    async def plan(self, **body: Any) -> Any:
        answer = await self.http.post(f"/v1/projects/{self.project_id}/evaluate/plan", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()["data"]["plan"]


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "over gRPC"])
async def over(started_dsn: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Over]:
    secret = await clients.create(started_dsn, SECRET, "maker", admin=False)
    edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
    async with (
        serving(started_dsn, tmp_path, remote=request.param, edge=edge, public_url=PUBLIC_URL) as node,
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http,
    ):
        grant = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **secret})
        http.headers["Authorization"] = f"Bearer {grant.json()['access_token']}"
        yield Over(http, await _project(node, http))


async def _project(node: Serving, http: httpx.AsyncClient) -> str:
    made = (await http.post("/v1/projects", json={"name": "Bridge"})).json()["data"]["project"]["project_id"]
    await deploy(node.core.frame.db, node.core.frame.objects, project_id=made)
    return str(made)


def _read(answer: httpx.Response) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(answer.text, newline=""), strict=True))


async def test_a_plan_comes_as_a_file_and_goes_back_edited(over: Over) -> None:
    texts = ["=cmd|' /C calc'!A0", "plain", ""]
    plan = await over.plan(
        kind="grid", parameters={"title": {"values": texts}, "span": {"min": 6, "max": 7, "count": 2}}
    )
    path = f"/v1/plans/{plan['plan_id']}"
    answer = await over.http.get(path, headers={"Accept": "text/csv"})
    header, *rows = _read(answer)
    assert header == ["in:span [m]", "in:title"]
    assert rows[:3] == [["6.0", "'=cmd|' /C calc'!A0"], ["6.0", "plain"], ["6.0", "'"]]
    assert answer.text.endswith("\r\n")
    again = await over.plan(kind="csv", csv=answer.text)
    assert again["evaluations"] == plan["evaluations"]
    edited = answer.text.replace(",", ";").replace("6.0;", "650,5;").replace("7.0;", "701;").replace("[m]", "[cm]")
    spans = [one["parameters"]["span"] for one in (await over.plan(kind="csv", csv=f"\ufeff{edited}"))["evaluations"]]
    assert spans == [6.5] * 3 + [7.0] * 3


async def test_the_file_and_the_object_have_tags_of_their_own(over: Over) -> None:
    plan = await over.plan(kind="sobol", parameters={"span": {}}, size=4, seed=1)
    path, table = f"/v1/plans/{plan['plan_id']}", {"Accept": "text/csv"}
    as_json, as_file = await over.http.get(path), await over.http.get(path, headers=table)
    named = await over.http.get(f"{path}/evaluations.csv")
    assert as_file.content == named.content
    assert as_json.headers["ETag"] != as_file.headers["ETag"] == named.headers["ETag"]
    for answer in (as_json, as_file):
        assert "Accept" in [name.strip() for name in answer.headers["Vary"].split(",")]
        assert answer.headers["Cache-Control"] == "no-cache"
    again = await over.http.get(path, headers={**table, "If-None-Match": as_file.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = await over.http.head(path, headers=table)
    assert (head.status_code, head.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    beta = await over.http.get(f"/v2/plans/{plan['plan_id']}", headers=table)
    assert beta.content == as_file.content
    missing = await over.http.get(f"/v1/plans/{NOBODY}", headers=table)
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "NOT_FOUND")


async def test_a_seed_that_is_no_integer_is_refused_by_its_name(over: Over) -> None:
    for seed in (1.5, "x", True, [1], 2**53):
        body = {"kind": "sobol", "parameters": {"span": {}}, "size": 4, "seed": seed}
        answer = await over.http.post(f"/v1/projects/{over.project_id}/evaluate/plan", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "VALIDATION_ERROR"), answer.text
        assert "seed" in answer.json()["error"]["message"]


@pytest.mark.slow
async def test_the_largest_plan_is_made_and_read(over: Over) -> None:
    ranges = {"span": {}, "bays": {}, "braced": {}, "steel": {}, "title": {"values": ["a"]}}
    plan = await over.plan(kind="latin_hypercube", parameters=ranges, size=10_000, seed=1)
    assert plan["count"] == 10_000
    assert len(plan["evaluations"]) == 50, "its first page"
    answer = await over.http.get(f"/v1/plans/{plan['plan_id']}")
    assert orjson.loads(answer.content)["data"]["plan"] == plan
    rows = _read(await over.http.get(f"/v1/plans/{plan['plan_id']}/evaluations.csv"))
    assert len(rows) == plan["count"] + 1


@pytest.mark.slow
async def test_a_file_of_a_million_rows_is_too_large(over: Over) -> None:
    body = {"kind": "csv", "csv": "in:span\n" + "6\n" * 1_000_000}
    answer = await over.http.post(f"/v1/projects/{over.project_id}/evaluate/plan", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "PAYLOAD_TOO_LARGE")
