"""Older and beta versions over HTTP, beside a real core: headers, ends, long lists, statements."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from catenary_cli.installation import clients
from catenary_edge import versions
from catenary_edge.settings import EdgeSettings
from catenary_edge.versions import stages
from factories.database.statement_counts import counted_statements
from factories.installations.serving import SECRET
from factories.walks import goldens
from factories.walks.conformance import Conformance
from factories.walks.pages import NOBODY, REFERENCE

pytestmark = pytest.mark.slow

COMMENTS = "/comments/v1/comments"


@cache
def _conformance() -> Conformance:
    return Conformance(versions.build("acme"))


async def _authorized(http: httpx.AsyncClient, made: dict[str, str]) -> None:
    given = {name: made[name] for name in ("client_id", "client_secret")}
    answer = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **given})
    http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["here", "remote"])
async def http(
    request: pytest.FixtureRequest, dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[httpx.AsyncClient]:
    """Yield an Admin's client of an edge that ends older versions, on a day before any ended."""
    monkeypatch.setattr(stages, "now", lambda: stages.midnight("2027-06-01"))
    made = await clients.create(dsn, SECRET, "Versions", admin=True)
    edge = EdgeSettings(dev=True, public_url=goldens.PUBLIC_URL, gone_after_sunset=True, org_slug="acme")
    async with goldens.conforming(dsn, tmp_path, _conformance(), remote=request.param, edge=edge) as client:
        await _authorized(client, made)
        yield client


async def test_slashes_that_part_nothing_do_not_change_the_successor(http: httpx.AsyncClient) -> None:
    for path in (COMMENTS, f"{COMMENTS}/", f"/{COMMENTS}//"):
        answer = await http.get(f"http://{http.base_url.netloc.decode()}{path}")
        assert answer.status_code == 200
        assert answer.headers["Link"] == '</comments/v2/comments>; rel="successor-version"', path


async def test_links_to_other_pages_have_no_empty_segments(http: httpx.AsyncClient) -> None:
    answer = await http.get("/parameter//v1/units/?page_limit=1")
    following = answer.json()["paging"]["next"]
    assert following.startswith(f"{goldens.PUBLIC_URL}/parameter/v1/units?page_limit=1&after=")


async def test_every_answer_of_an_older_route_tells_its_end_and_its_successor(http: httpx.AsyncClient) -> None:
    answers = [
        await http.get(COMMENTS),
        await http.post(COMMENTS, json={}),
        await http.post(COMMENTS, json=[]),
        await http.get(COMMENTS, headers={"Authorization": "Bearer nonsense"}),
        await http.head(COMMENTS),
    ]
    assert [answer.status_code for answer in answers] == [200, 400, 400, 401, 200]
    for answer in answers:
        since = answer.headers["Deprecation"]
        assert since[0] == "@"
        assert datetime.fromtimestamp(int(since[1:]), UTC) == stages.midnight("2026-11-21")
        assert parsedate_to_datetime(answer.headers["Sunset"]) == stages.midnight("2027-12-31")
        assert answer.headers["Link"] == '</comments/v2/comments>; rel="successor-version"'
    current = await http.get("/comments/v2/comments")
    assert not {"Deprecation", "Sunset", "Link"} & set(current.headers)


async def test_the_successor_of_a_path_that_moved_is_the_document_of_its_version(http: httpx.AsyncClient) -> None:
    moved = await http.get("/parameter/v0/parameter_sets")
    assert moved.headers["Link"] == '</openapi/parameter/v1.json>; rel="successor-version"'
    assert moved.headers["X-API-Stage"] == "alpha"
    kept = await http.get("/parameter/v0/assets/%3Cx%3E")
    assert kept.headers["Link"] == '</parameter/v1/assets/%3Cx%3E>; rel="successor-version"'


async def test_a_version_past_its_sunset_is_gone_and_its_successor_is_not(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "now", lambda: stages.midnight("2027-12-31"))
    gone = await http.get("/environment/v0/projects")
    assert gone.status_code == 410
    assert gone.json() == {
        "details": "This version ended on 2027-12-31; use /environment/v1 instead.",
        "msg": "Gone",
        "source": "environment",
    }
    assert (await http.get("/environment/v2/projects")).status_code == 200
    monkeypatch.setattr(stages, "now", lambda: stages.midnight("2027-12-30"))
    assert (await http.get("/environment/v0/projects")).status_code == 200


async def test_the_companys_slug_names_the_region_level(http: httpx.AsyncClient) -> None:
    (region,) = (await http.get("/environment/v0/regions", params={"page_limit": 1})).json()["regions"]
    assert region["acme_region_level"] == 1
    assert "org_region_level" not in region


async def test_the_beta_answers_like_the_stable_version_and_says_that_it_is_beta(http: httpx.AsyncClient) -> None:
    made = await http.post("/v2/projects", json={"name": "Bridge"})
    assert made.status_code == 201
    project = made.json()["data"]["project"]
    stable = (await http.get(f"/v1/projects/{project['project_id']}")).json()
    assert stable["data"]["project"] == project
    assert stable["metadata"]["version"] == "v1"
    answers = [
        made,
        await http.get("/v2/projects"),
        await http.get("/v2/projects/x"),
        await http.get("/v2/nothing"),
        await http.get("/v2/users/me", headers={"Authorization": "Bearer nonsense"}),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 400, 404, 401]
    for answer in answers:
        assert answer.headers["X-API-Stage"] == "beta"
        assert answer.json()["metadata"].get("version", "v2") == "v2"
    assert answers[1].json()["metadata"]["version"] == "v2"
    assert "X-API-Stage" not in (await http.get("/v1/projects")).headers
    assert (await http.get("/v0/projects")).status_code == 404


@pytest.mark.parametrize(
    "http", [pytest.param(False, marks=pytest.mark.slow), True], ids=["here", "remote"], indirect=True
)
async def test_a_whole_list_of_version_0_has_every_row_once_in_order_and_its_cap(http: httpx.AsyncClient) -> None:
    project, kind = await _asset_world(http)
    item = {"project_id": project, "asset_type_id": kind}
    ids: list[str] = []
    for start in (0, 1000, 2000):
        assets = [{**item, "name": f"asset {start + number}"} for number in range(1000 if start < 2000 else 300)]
        made = await http.post("/parameter/v1/assets", json={"assets": assets})
        ids += [row["id"] for row in made.json()["assets"]]
    whole = (await http.get("/parameter/v0/assets", params={"project_id": project})).json()
    assert set(whole) == {"assets"}
    assert [row["id"] for row in whole["assets"]] == ids
    for cap in (1, 999, 1000, 1001, 2000, 2300, 100_000):
        capped = (await http.get("/parameter/v0/assets", params={"page_limit": cap})).json()["assets"]
        assert [row["id"] for row in capped] == ids[:cap]
    assert (await http.head("/parameter/v0/assets")).status_code == 200


@pytest.mark.parametrize(
    "http", [pytest.param(False, marks=pytest.mark.slow), True], ids=["here", "remote"], indirect=True
)
async def test_offset_goes_on_over_pages(http: httpx.AsyncClient) -> None:
    project, kind = await _asset_world(http)
    item = {"project_id": project, "asset_type_id": kind}
    assets = await http.post("/parameter/v1/assets", json={"assets": [{**item, "name": "a"}] * 1000})
    given = {"name": "Slenderness", "data_type": "number"}
    (slenderness,) = (await http.post("/parameter/v1/parameter_types", json=given)).json()["parameter_types"]
    given["name"] = "Height"
    (height,) = (await http.post("/parameter/v1/parameter_types", json=given)).json()["parameter_types"]
    for parameter_type in (slenderness, height):
        items = [
            {"project_id": project, "parameter_type_id": parameter_type["id"], "parent_ids": [row["id"]]}
            for row in assets.json()["assets"]
        ]
        made = await http.post("/parameter/v1/parameters", json={"parameters": items})
        assert made.status_code == 201
    route = "/parameter/v0/parameters"
    ids = [row["id"] for row in (await http.get(route)).json()["parameters"]]
    assert len(ids) == len(set(ids)) == 2000
    for offset, cap in ((0, 2000), (1, 1500), (999, 1001), (1000, 1000), (1999, 5), (2000, 5)):
        found = (await http.get(route, params={"offset": offset, "page_limit": cap})).json()["parameters"]
        assert [row["id"] for row in found] == ids[offset : offset + cap]


async def test_a_page_of_version_0_costs_as_many_statements_as_one_row(http: httpx.AsyncClient) -> None:
    project, kind = await _asset_world(http)
    (text,) = (await http.post("/parameter/v1/parameter_types", json={"name": "Finish", "data_type": "string"})).json()[
        "parameter_types"
    ]
    source_type = (await http.post("/reference/v2/source_types", json={"name": "Walk"})).json()["source_type"]
    source = (
        await http.post("/reference/v2/sources", json={"source_type_id": source_type["id"], "title": "Report"})
    ).json()["source"]
    route = "/parameter/v0/parameters"

    async def add(count: int) -> None:
        item = {"project_id": project, "asset_type_id": kind, "name": "a"}
        assets = (await http.post("/parameter/v1/assets", json={"assets": [item] * count})).json()["assets"]
        revision = {"source_id": source["id"], "values": [{"value": "matt"}]}
        items = [
            {"project_id": project, "parameter_type_id": text["id"], "parent_ids": row["id"], "revision": revision}
            for row in assets
        ]
        assert (await http.post(route, json={"parameters": items})).status_code == 201

    async def statements() -> int:
        # Made anew, and not what the edge keeps; what limits and events run beside it doesn't count.
        fresh = {"Cache-Control": "no-cache"}
        await http.get(route, headers=fresh)
        with counted_statements() as seen:
            assert (await http.get(route, headers=fresh)).status_code == 200
        return sum("parameter." in statement for statement in seen)

    await add(1)
    one = await statements()
    await add(200)
    assert await statements() == one > 2


async def test_a_post_of_an_older_version_that_is_sent_again_gets_the_first_answer(http: httpx.AsyncClient) -> None:
    parameter, source = await _parameter_world(http)
    revision = f"/parameter/v0/parameters/{parameter}/revision"
    kind = (await http.post("/metadata/v1/tag_types", json={"name": "Stage"})).json()["tag_type"]["id"]
    tag = (await http.post("/metadata/v1/tags", json={"name": "New", "tag_type_id": kind})).json()["tag"]["id"]
    posts: list[tuple[str, dict[str, Any]]] = [
        (revision, {"source_id": source, "values": [{"value": "matt"}]}),
        (revision, {"source_id": source, "values": [{"value": "gloss"}]}),
        (f"/metadata/v0/tags/{tag}/links", REFERENCE),
        ("/comments/v1/comments", {**REFERENCE, "content": "x"}),
    ]
    for number, (path, body) in enumerate(posts):
        key = {"Idempotency-Key": f"key-{number}"}
        first = await http.post(path, json=body, headers=key)
        again = await http.post(path, json=body, headers=key)
        assert (first.status_code, again.status_code) == (201, 201), again.text
        assert again.json() == first.json()
        assert again.headers["Idempotency-Replayed"] == "true"
        other = await http.post(path, json={**body, "comment": "y", "content": "y"}, headers=key)
        assert other.status_code in (400, 422)
    assert (await http.post(posts[2][0], json=REFERENCE)).status_code == 409


async def test_the_tag_of_an_older_answer_moves_with_all_that_it_shows_and_serves_if_match(
    http: httpx.AsyncClient,
) -> None:
    parameter, source = await _parameter_world(http)
    given = {"source_id": source, "values": [{"value": "matt"}]}
    await http.post(f"/parameter/v0/parameters/{parameter}/revision", json=given)
    route = f"/parameter/v0/parameters/{parameter}"
    first = await http.get(route)
    tag = first.headers["ETag"]
    assert (await http.get(route, headers={"If-None-Match": tag})).status_code == 304
    # The current version doesn't show the scope of a source, version 0 does.
    current = (await http.get(route.replace("v0", "v1"))).headers["ETag"]
    await http.patch(f"/reference/v2/sources/{source}", json={"scope": "chapter 2"})
    moved = await http.get(route, headers={"If-None-Match": tag})
    assert moved.status_code == 200
    assert moved.json()["parameter"]["revision"]["source"]["scope"] == "chapter 2"
    unmoved = await http.get(route.replace("v0", "v1"), headers={"If-None-Match": current})
    assert unmoved.status_code == 304
    stale = await http.patch(route, json={"parent_ids": []}, headers={"If-Match": '"0-0"'})
    assert stale.status_code == 412
    done = await http.patch(route, json={"parent_ids": []}, headers={"If-Match": moved.headers["ETag"]})
    assert done.status_code == 200
    project = (await http.post("/environment/v1/projects", json={"project_code": "9-1"})).json()["project"][
        "project_id"
    ]
    older = f"/environment/v1/projects/{project}"
    match = {"If-Match": (await http.get(older)).headers["ETag"]}
    assert (await http.patch(older, json={"job_name_short": "x"}, headers=match)).status_code == 200
    assert (await http.patch(older, json={"job_name_short": "y"}, headers=match)).status_code == 412


async def _parameter_world(http: httpx.AsyncClient) -> tuple[str, str]:
    """Create a parameter without a value and a source; return their ids."""
    project, _ = await _asset_world(http)
    given = {"name": "Finish", "data_type": "string"}
    (text,) = (await http.post("/parameter/v1/parameter_types", json=given)).json()["parameter_types"]
    item = {"project_id": project, "parameter_type_id": text["id"]}
    (parameter,) = (await http.post("/parameter/v1/parameters", json=item)).json()["parameters"]
    kind = (await http.post("/reference/v2/source_types", json={"name": "Walk"})).json()["source_type"]["id"]
    source = await http.post("/reference/v2/sources", json={"source_type_id": kind, "title": "Report"})
    return parameter["id"], source.json()["source"]["id"]


async def _asset_world(http: httpx.AsyncClient) -> tuple[str, str]:
    """Create a project and an asset type; return their ids."""
    project = (await http.post("/environment/v2/projects", json={"number": "1"})).json()["project"]["project_id"]
    made: Any = await http.post("/parameter/v1/asset_type_groups", json={"name": "Structures"})
    group = made.json()["asset_type_groups"][0]["id"]
    made = await http.post("/parameter/v1/asset_types", json={"name": "Beam", "asset_type_group_id": group})
    return project, made.json()["asset_types"][0]["id"]


async def test_a_refusal_of_several_items_names_each_by_the_fields_of_the_version(http: httpx.AsyncClient) -> None:
    kind = (await http.post("/parameter/v1/unit_types", json={"name": "Loudness"})).json()["unit_types"][0]["id"]
    system = (await http.post("/parameter/v1/unit_systems", json={"name": "Ears"})).json()["unit_systems"][0]["id"]
    unit = {"name": "phon", "unit_type_id": kind, "unit_system_id": system}
    assert (await http.post("/parameter/v0/units", json=unit)).status_code == 201
    refused = await http.post("/parameter/v0/units", json={"units": [unit, {**unit, "name": "sone"}, unit]})
    told = "an active unit has this name and unit_type_id and unit_system_id already; give another."
    assert refused.status_code == 409
    assert refused.json()["details"].split("\n") == [f"units[{place}].name: {told}" for place in (0, 2)]
    refused = await http.post("/parameter/v0/units", json=unit)
    assert refused.json()["details"] == f"name: {told}"

    kind = (await http.post("/parameter/v1/parameter_types", json={"name": "Loud", "data_type": "number"})).json()
    project = (await http.post("/environment/v2/projects", json={"number": "1"})).json()["project"]["project_id"]
    revision = {"source_id": NOBODY, "values": [{"value": "loud"}]}
    item = {"parameter_type_id": kind["parameter_types"][0]["id"], "project_id": project, "revision": revision}
    refused = await http.post("/parameter/v0/parameters", json={"parameters": [item]})
    lines = refused.json()["details"].split("\n")
    assert [line.partition(" ")[0].rstrip(":") for line in lines] == [
        "parameters[0].revision.values[0].value",
        "parameters[0].revision.source_id",
    ]
    refused = await http.post("/parameter/v0/parameters", json=item)
    lines = refused.json()["details"].split("\n")
    assert [line.partition(" ")[0].rstrip(":") for line in lines] == ["revision.values[0].value", "revision.source_id"]
