"""A walk over every route of the data services, good and bad, recorded like that over the platform."""

from __future__ import annotations

from typing import Any

from factories.walks.metadata import walk_metadata
from factories.walks.pages import NOBODY, REFERENCE, follow
from factories.walks.parameter import walk_parameter
from factories.walks.recording import Walk
from factories.walks.units import walk_units


async def walk_data(call: Walk) -> None:
    """Call the routes of every data service as an Admin."""
    await _comments(call)
    await _reference(call)
    await _qa(call)
    await _environment(call)
    await walk_metadata(call)
    await walk_units(call)
    await walk_parameter(call)
    for path in ("/parameter/v1/nothing", "/metadata/v1/nothing", "/qa/v3/records"):
        assert (await call("GET", path, 404))["msg"] == "Unknown route"


async def _comments(call: Walk) -> None:
    route = "/comments/v2/comments"
    assert await call("GET", route, 200) == {"comments": []}
    many = [{**REFERENCE, "content": f"comment {number}"} for number in range(620)]
    made = (await call("POST", route, 201, json=many))["comments"]
    assert len(made) == 620
    # More than one part: sent as it comes, and the same JSON.
    assert await call("GET", route, 200) == {"comments": made}
    assert (await call("HEAD", route, 200)) == b""
    one = made[0]["id"]
    await call("GET", route, 200, params={"comment_id": f"{one},{made[1]['id'].upper()}"})
    await call("GET", route, 200, params={"comment_id": [one, NOBODY], "show_deleted": "true"})
    await call("GET", route, 200, params={"reference_table": "asset,slab"})
    page = await call("GET", route, 200, params={"page_limit": 2, "reference_table": "asset"})
    assert page["comments"] == made[:2]
    following = await follow(call, page["paging"]["next"], reference_table="asset")
    assert following["comments"] == made[2:4]
    assert (await follow(call, following["paging"]["previous"], reference_table="asset"))["comments"] == made[:2]
    last = await call("GET", route, 200, params={"page_limit": 1, "order": "desc"})
    assert last["comments"] == made[-1:]
    for bad in (
        {"page_limit": 0},
        {"after": "damaged"},
        {"before": page["paging"]["next"], "after": page["paging"]["next"]},
        {"sort_by": "content"},
        {"order": "up"},
        {"show_deleted": "yes"},
        {"comment_id": "x"},
        {"limit": 1},
    ):
        await call("GET", route, 400, params=bad)
    await call("POST", route, 400, json=many[0])
    await call("POST", route, 400, json=[])
    await call("POST", route, 400, json=[{**many[0], "author": "me"}])
    await call("POST", route, 400, json=[{**many[0], "content": None}])
    await call("PATCH", f"{route}/{one}", 200, json={"content": "ä"})
    await call("PATCH", f"{route}/{one}", 400, json={"content": None})
    assert (await call("GET", f"{route}/{one}", 200))["comment"]["content"] == "ä"
    await call("DELETE", f"{route}/{one}", 200)
    await call("GET", f"{route}/{one}", 404)
    await call("GET", f"{route}/{one}", 200, params={"show_deleted": "true"})
    await call("DELETE", f"{route}/{one}", 404)
    await call("PUT", f"{route}/{one}", 405)


async def _reference(call: Walk) -> None:
    route = "/reference/v2/source_types"
    kinds = (await call("GET", route, 200))["source_types"]
    assert len(kinds) == 9
    kind = (await call("POST", route, 201, json={"name": "Drawing", "visible": False}))["source_type"]["id"]
    await call("POST", route, 409, json={"name": "Drawing"})
    await call("GET", f"{route}/{kind}", 200)
    await call("PATCH", f"{route}/{kind}", 200, json={"visible": True})
    await call("GET", route, 200, params={"sort_by": "name", "page_limit": 3})
    sources = "/reference/v2/sources"
    made = (
        await call(
            "POST", sources, 201, json={"source_type_id": kind, "title": "Plan", "date_year": "2028", **REFERENCE}
        )
    )["source"]["id"]
    await call("POST", sources, 400, json={"source_type_id": NOBODY, "title": "Plan"})
    await call("GET", sources, 200, params={"title": "Plan", "source_type_id": kind})
    await call("GET", sources, 200, params={"title": "Plan,Plan"})
    await call("GET", f"{sources}/{made}", 200)
    await call("PATCH", f"{sources}/{made}", 200, json={"scope": "all", "date_year": None})
    await call("DELETE", f"{sources}/{made}", 200)
    await call("GET", f"{sources}/{made}", 404)
    await call("GET", f"{sources}/{made}", 200, params={"show_deleted": "true"})
    await call("GET", sources, 200, params={"show_deleted": "true", "show_active": "false"})
    await call("DELETE", f"{route}/{kind}", 200)


async def _qa(call: Walk) -> None:
    kind = (await call("POST", "/qa/v2/record_types", 201, json={"name": "Inspected"}))["record_type"]["id"]
    types = (await call("GET", "/qa/v2/record_types", 200))["record_types"]
    assert {one["name"] for one in types} >= {"Answered", "Checked", "Approved", "Rejected", "Review", "Inspected"}
    made = (await call("POST", "/qa/v2/records", 201, json=[{"type_id": kind, **REFERENCE}]))["records"][0]["id"]
    await call("GET", f"/qa/v2/records/{made}", 200)
    await call("GET", f"/qa/v2/records/{NOBODY}", 404)
    await call("GET", "/qa/v2/records/x", 400)
    await call("DELETE", f"/qa/v2/records/{made}", 200)
    await call("DELETE", f"/qa/v2/records/{made}", 404)
    await call("GET", f"/qa/v2/records/{made}", 200, params={"show_deleted": "true"})
    await call("POST", "/qa/v2/records", 400, json=[{"type_id": NOBODY, **REFERENCE}])
    await call("GET", "/qa/v2/records", 200, params={"type_id": kind, "page_limit": 5})


async def _environment(call: Walk) -> None:
    route = "/environment/v2/projects"
    body: dict[str, Any] = {"number": "100-1", "confidential": True, "project_manager_email": "max@example.com"}
    made = (await call("POST", route, 201, json=body))["project"]["project_id"]
    await call("POST", route, 409, json=body)
    await call("POST", route, 400, json={**body, "project_number": "2"})
    await call("POST", route, 400, json={**body, "number": "3", "project_manager_email": "max"})
    assert await call("GET", route, 200) == await call("GET", "/environment/v2/ads/projects", 200)
    await call("GET", route, 200, params={"number": "100-1", "project_id": made, "page_limit": 1})
    await call("GET", f"{route}/{made}", 200)
    await call("PATCH", f"{route}/{made}", 200, json={"short_title": "Bridge", "project_manager_email": None})
    await call("DELETE", f"{route}/{made}", 200)
    await call("GET", f"{route}/{made}", 404)
    region = (await call("POST", "/environment/v2/regions", 201, json={"region_code": "x", "region_name": "X"}))[
        "region"
    ]
    await call("GET", "/environment/v2/regions", 200)
    await call("GET", f"/environment/v2/regions/{region['region_id']}", 200)
    await call("PATCH", f"/environment/v2/regions/{region['region_id']}", 200, json={"region_name": "Y"})
    given = {"country_code": "XX", "country_name": "X", "region_id": region["region_id"]}
    country = (await call("POST", "/environment/v2/countries", 201, json=given))["country"]["country_id"]
    assert len((await call("GET", "/environment/v2/countries", 200))["countries"]) == 250
    await call("GET", f"/environment/v2/countries/{country}", 200)
    await call("PATCH", f"/environment/v2/countries/{country}", 200, json={"region_id": None})
