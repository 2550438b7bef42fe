"""Walks over every route of the older versions of comments, reference data, QA and environment context, good and bad."""

from __future__ import annotations

from typing import Any

from factories.walks.goldens import Recorder
from factories.walks.pages import NOBODY, REFERENCE

COMMENT = {**REFERENCE, "content": "Looks fine."}


async def walk_comments_v1(call: Recorder) -> None:
    """Call the routes of comments, version 1."""
    route = "/comments/v1/comments"
    made = (await call("POST", route, 201, json=COMMENT))["comment"]
    await call("POST", route, 201, json={**COMMENT, "content": "Looks better."})
    await call("POST", route, 400, json=[COMMENT])
    await call("POST", route, 400, json="text")
    await call("POST", route, 400, json={**COMMENT, "content": " "})
    await call("POST", route, 400, json={**COMMENT, "colour": "red"})
    await call("POST", route, 400, json={**COMMENT, "reference_id": 5})
    await call("GET", route, 200)
    await call("GET", route, 200, params={"comment_id": made["id"]})
    await call("GET", route, 400, params={"comment_id": [made["id"], NOBODY]})
    await call("GET", route, 400, params={"comment_id": f"{made['id']},{NOBODY}"})
    await call("GET", route, 400, params={"comment_id": "x"})
    await call("GET", route, 400, params={"show_active": "true"})
    await call("GET", route, 400, params={"colour": "red"})
    page = await call("GET", route, 200, params={"page_limit": 1, "show_deleted": "true"})
    assert page["paging"]["next"].startswith(f"https://catenary.example{route}?page_limit=1&show_deleted=true&after=")
    await call("PATCH", f"{route}/{made['id']}", 200, json={"content": "Looks good."})
    await call("PATCH", f"{route}/{made['id']}", 400, json={"content": None})
    await call("PATCH", f"{route}/{NOBODY}", 404, json={"content": "Nobody's"})
    assert (await call("GET", f"{route}/{made['id']}", 200))["comment"]["content"] == "Looks good."
    await call("DELETE", f"{route}/{made['id']}", 200)
    await call("DELETE", f"{route}/{made['id']}", 404)
    await call("GET", f"{route}/{made['id']}", 404)
    await call("GET", f"{route}/{made['id']}", 200, params={"show_deleted": "true"})
    both = await call("GET", route, 200, params={"show_deleted": "true"})
    assert [row["deleted_at"] is None for row in both["comments"]] == [False, True]
    await call("PUT", route, 405)
    await call("GET", "/comments/v1/nothing", 404)
    await call("GET", "/comments/v0/comments", 404)


async def walk_reference_v1(call: Recorder) -> None:
    """Call the routes of reference data, version 1."""
    types, sources = "/reference/v1/source_types", "/reference/v1/sources"
    kind = (await call("POST", types, 201, json={"name": "Walk"}))["source_type"]["id"]
    await call("POST", types, 400, json={"name": ""})
    await call("POST", types, 409, json={"name": "Walk"})
    await call("GET", types, 200, params={"page_limit": 1, "sort_by": "name", "order": "desc"})
    await call("GET", types, 400, params={"show_active": "false"})
    await call("GET", f"{types}/{kind}", 200)
    await call("GET", f"{types}/{NOBODY}", 404)
    await call("PATCH", f"{types}/{kind}", 200, json={"visible": False})
    await call("PATCH", f"{types}/{kind}", 400, json={"name": None})
    made = (await call("POST", sources, 201, json={"source_type_id": kind, "title": "Report"}))["source"]["id"]
    await call("POST", sources, 201, json={"source_type_id": kind, "title": "Report, second"})
    await call("POST", sources, 400, json={"source_type_id": NOBODY, "title": "Report"})
    await call("POST", sources, 400, json={"source_type_id": kind})
    await call("GET", sources, 200)
    await call("GET", sources, 200, params={"source_id": made, "title": "Report"})
    await call("GET", sources, 400, params={"show_active": "true", "show_deleted": "true"})
    await call("GET", f"{sources}/{made}", 200)
    await call("GET", f"{sources}/{NOBODY}", 404)
    await call("PATCH", f"{sources}/{made}", 200, json={"date_year": "2030"})
    await call("PATCH", f"{sources}/{made}", 400, json={"date_year": "30"})
    await call("DELETE", f"{sources}/{made}", 200)
    await call("DELETE", f"{sources}/{made}", 404)
    await call("GET", sources, 200, params={"show_deleted": "true"})
    await call("DELETE", f"{types}/{kind}", 200)
    await call("DELETE", f"{types}/{kind}", 404)
    await call("GET", f"{types}/{kind}", 200, params={"show_deleted": "true"})


async def walk_qa_v1(call: Recorder) -> None:
    """Call the routes of QA, version 1."""
    types, records = "/qa/v1/record_types", "/qa/v1/records"
    kind = (await call("POST", types, 201, json={"name": "Inspected"}))["record_type"]["id"]
    await call("POST", types, 409, json={"name": "Checked"})
    await call("GET", types, 200)
    await call("GET", types, 400, params={"show_active": "true"})
    record = {"type_id": kind, **REFERENCE}
    made = (await call("POST", records, 201, json=record))["record"]["id"]
    await call("GET", f"{records}/{made}", 200)
    await call("DELETE", f"{records}/{made}", 200)
    await call("DELETE", f"{records}/{made}", 404)
    await call("POST", records, 400, json=[record])
    await call("POST", records, 400, json={"records": [record]})
    await call("POST", records, 400, json={**record, "type_id": NOBODY})
    await call("POST", records, 400, json={**record, "reference_url": "ftp://example.com"})
    await call("GET", records, 200, params={"type_id": [kind, NOBODY]})
    await call("GET", records, 200, params={"show_deleted": "true"})
    await call("GET", records, 400, params={"show_active": "false", "show_deleted": "true"})


async def walk_environment_v1(call: Recorder) -> None:
    """Call the routes of environment context, version 1."""
    await _projects(call, "v1", {"show_deleted": "true"})
    await _countries_and_regions(call, "v1")
    for path in ("projects", "ads/projects", "countries", "regions"):
        await call("GET", f"/environment/v1/{path}", 400, params={"show_active": "true"})
    await call("GET", "/environment/v1/projects", 200, params={"page_limit": 1001})
    await call("GET", "/environment/v1/projects", 400, params={"page_limit": 0})
    page = await call("GET", "/environment/v1/projects", 200, params={"page_limit": 1})
    assert set(page) == {"projects", "paging", "summary"}
    await call("GET", "/environment/v1/nothing", 404)


async def walk_environment_v0(call: Recorder) -> None:
    """Call the routes of environment context, version 0.

    It is version 1 without pages, with its own deletion queries and the source in errors.
    """
    await _projects(call, "v0", {"show_deleted_projects": "true"})
    await _countries_and_regions(call, "v0")
    for path, rows in (("projects", "projects"), ("ads/projects", "projects"), ("regions", "regions")):
        route = f"/environment/v0/{path}"
        capped = await call("GET", route, 200, params={"page_limit": 2})
        assert set(capped) == {rows}
        assert len(capped[rows]) == 2
        await call("GET", route, 200, params={"page_limit": 100_001, "show_deleted_" + rows: "true"})
        for bad in (
            {"show_active": "true"},
            {"show_deleted": "true"},
            {"before": "x"},
            {"after": "x"},
            {"sort_by": "id"},
            {"order": "asc"},
            {"page_limit": 0},
        ):
            await call("GET", route, 400, params=bad)
    await call("GET", "/environment/v0/countries", 400, params={"show_deleted": "true"})
    await call("GET", "/environment/v0/nothing", 404)


async def _projects(call: Recorder, version: str, deleted: dict[str, str]) -> None:
    route = f"/environment/{version}/projects"
    full: dict[str, Any] = {
        "job_number": "123456",
        "job_suffix": "00",
        "job_name_short": "Bridge",
        "organisation_name": "City",
        "confidential": True,
        "project_director_name": "Robin Example",
    }
    made = (await call("POST", route, 201, json=full))["project"]["project_id"]
    await call("POST", route, 201, json={"project_code": "300-20-1"})
    await call("POST", route, 201, json={"number": "77"})
    await call("POST", route, 409, json={"project_code": "123456-00"})
    for bad in (
        {},
        {"project_number": "1"},
        {"project_code": "1", "short_title": "x"},
        {"project_code": "1", "client_organisation_name": "x"},
        {"project_code": "1", "colour": "red"},
        {"project_code": 5},
        {"project_code": " "},
        {"job_suffix": "00"},
        {"job_number": "1", "job_suffix": "00", "project_code": "2"},
        {"project_code": "1", "number": "2"},
        {"project_code": "1", "job_name_short": "x " * 251},
        [full],
    ):
        await call("POST", route, 400, json=bad)
    await call("GET", route, 200)
    await call("GET", f"/environment/{version}/ads/projects", 200)
    await call("GET", route, 200, params={"number": "300-20-1"})
    one = f"{route}/{made}"
    await call("GET", one, 200)
    await call("GET", f"{route}/{NOBODY}", 404)
    await call("GET", f"{route}/x", 400)
    await call("PATCH", one, 200, json={"job_name_short": None, "job_number": "123457"})
    await call("PATCH", one, 409, json={"project_code": "77"})
    await call("PATCH", one, 400, json={"project_code": None})
    await call("PATCH", one, 400, json={"short_title": "x"})
    await call("DELETE", one, 200)
    await call("DELETE", one, 404)
    await call("GET", one, 404)
    await call("GET", one, 200, params=deleted)
    listed = await call("GET", route, 200, params=deleted)
    assert len(listed["projects"]) == 3


async def _countries_and_regions(call: Recorder, version: str) -> None:
    regions, countries = f"/environment/{version}/regions", f"/environment/{version}/countries"
    region = {"region_code": "A1", "region_name": "Alps", "org_region_level": 2, "company_code": "CH"}
    made = (await call("POST", regions, 201, json=region))["region"]
    assert made["org_region_level"] == 2
    await call("POST", regions, 409, json=region)
    for bad in ({**region, "region_level": 1}, {**region, "org_region_level": 0}, {**region, "company_code": 5}):
        await call("POST", regions, 400, json=bad)
    await call("GET", regions, 200, params={"page_limit": 3})
    one = f"{regions}/{made['region_id']}"
    await call("GET", one, 200)
    await call("GET", f"{regions}/{NOBODY}", 404)
    await call("PATCH", one, 200, json={"company_code": None, "org_region_level": 1})
    await call("PATCH", one, 400, json={"region_name": None})
    country = {"country_code": "ZZ", "country_name": "Nowhere", "region_id": made["region_id"]}
    await call("POST", countries, 201, json={**country, "iso_formal_country_name": "The Nowhere"})
    await call("POST", countries, 409, json=country)
    await call("POST", countries, 400, json={**country, "iso_formal_name": "The Nowhere"})
    await call("POST", countries, 400, json={**country, "iso_formal_country_name": "x " * 101})
    found = (await call("GET", countries, 200, params={"page_limit": 3}))["countries"][0]["country_id"]
    await call("GET", f"{countries}/{found}", 200)
    await call("GET", f"{countries}/{NOBODY}", 404)
    await call("PATCH", f"{countries}/{found}", 200, json={"iso_formal_country_name": None})
    await call("PATCH", f"{countries}/{found}", 400, json={"iso_formal_name": None})
    whole = await call.unseen("GET", countries)
    assert len(whole["countries"]) > 240
