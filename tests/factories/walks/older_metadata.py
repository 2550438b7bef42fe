"""A walk over every route of version 0 of the parameter metadata service, good and bad."""

from __future__ import annotations

from factories.walks.goldens import Recorder
from factories.walks.pages import NOBODY, URL

TYPES, TAGS = "/metadata/v0/tag_types", "/metadata/v0/tags"
THING = "00000000-0000-7000-8000-00000000000a"


async def walk_metadata_v0(call: Recorder) -> None:
    """Call the routes of parameter metadata, version 0."""
    made = await call.unseen("POST", "/metadata/v1/tag_types", json={"name": "Discipline", "allow_custom": True})
    kind = made["tag_type"]["id"]
    project = (await call.unseen("POST", "/environment/v2/projects", json={"number": "1"}))["project"]["project_id"]
    await _tag_types(call, kind)
    tag = await _tags(call, kind, project)
    await _links(call, tag)
    await call.unseen("DELETE", f"/metadata/v1/tags/{tag}")
    await call("GET", f"{TAGS}/{tag}", 404)
    await call("GET", f"{TAGS}/{tag}", 200, params={"show_deleted_tags": "true"})
    await call("GET", TAGS, 200, params={"show_deleted_tags": "true"})
    for method, path in (
        ("PATCH", f"{TAGS}/{tag}"),
        ("DELETE", f"{TAGS}/{tag}"),
        ("POST", TYPES),
        ("PATCH", f"{TYPES}/{kind}"),
        ("DELETE", f"{TYPES}/{kind}"),
    ):
        await call(method, path, 405)
    for method, path in (
        ("PUT", "/metadata/v0/tag_links"),
        ("GET", f"{TAGS}/{tag}/links/{THING}"),
        ("PATCH", f"{TAGS}/{tag}/links/{THING}"),
        ("GET", "/metadata/v0/nothing"),
    ):
        await call(method, path, 404)


async def _tag_types(call: Recorder, kind: str) -> None:
    await call("GET", TYPES, 200)
    await call("GET", TYPES, 200, params={"tag_type_id": kind, "show_deleted_tag_types": "true"})
    await call("GET", f"{TYPES}/{kind}", 200)
    await call("GET", f"{TYPES}/{NOBODY}", 404)
    await call("GET", f"{TYPES}/x", 400)
    for bad in ({"item_limit": 1}, {"show_deleted": "true"}, {"page_limit": "many"}, {"sort_by": "name"}):
        await call("GET", TYPES, 400, params=bad)


async def _tags(call: Recorder, kind: str, project: str) -> str:
    made = (await call("POST", TAGS, 201, json={"name": "Bridge", "tag_type_id": kind}))["tag"]
    assert made["global_tag"] is True
    scoped = {"name": "Bridge", "tag_type_id": kind, "tag_scope": project}
    await call("POST", TAGS, 201, json={**scoped, "global_tag": False})
    await call("POST", TAGS, 201, json={"name": "Tunnel", "tag_type_id": kind, "global_tag": True, "tag_scope": None})
    await call("POST", TAGS, 409, json=scoped)
    for bad in (
        {**scoped, "global_tag": True},
        {"name": "x", "tag_type_id": kind, "global_tag": False},
        {"name": "x", "tag_type_id": kind, "global_tag": "no"},
        {"name": "x", "tag_type_id": kind, "colour": "red"},
        {"name": "x", "tag_type_id": NOBODY},
        {"name": "", "tag_type_id": kind},
        [],
    ):
        await call("POST", TAGS, 400, json=bad)
    await call("GET", TAGS, 200)
    capped = await call("GET", TAGS, 200, params={"item_limit": 2})
    assert len(capped["tags"]) == 2
    assert await call("GET", TAGS, 200, params={"page_limit": 2}) == capped
    await call("GET", TAGS, 200, params={"item_limit": 100_001})
    await call("GET", TAGS, 200, params={"tag_id": made["id"]})
    for bad_query in (
        {"item_limit": 0},
        {"item_limit": "1.5"},
        {"page_limit": 0},
        {"item_limit": 1, "page_limit": 1},
        {"tag_scope": ""},
        {"omit_global": "true"},
        {"after": "x"},
        {"show_active": "true"},
    ):
        await call("GET", TAGS, 400, params=bad_query)
    await call("GET", f"{TAGS}/{made['id']}", 200)
    await call("GET", f"{TAGS}/{NOBODY}", 404)
    return str(made["id"])


async def _links(call: Recorder, tag: str) -> None:
    route = f"{TAGS}/{tag}/links"
    link = {"reference_id": THING, "reference_table": "asset", "reference_url": URL}
    await call("POST", route, 201, json=link)
    await call("POST", route, 409, json=link)
    await call("POST", f"{TAGS}/{NOBODY}/links", 404, json=link)
    await call("POST", f"{TAGS}/x/links", 400, json=link)
    for bad in (
        {},
        [link],
        {"tag_links": [link]},
        {**link, "tag_id": tag},
        {**link, "reference_id": NOBODY, "reference_url": "ftp://example.com"},
        {**link, "reference_id": "x"},
    ):
        await call("POST", route, 400, json=bad)
    await call("GET", route, 200)
    await call("GET", route, 200, params={"show_deleted_tag_links": "true", "page_limit": 1})
    await call("GET", route, 400, params={"order": "desc"})
    await call("GET", f"{TAGS}/{NOBODY}/links", 404)
