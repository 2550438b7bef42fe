"""A walk over every route of the parameter metadata service, good and bad."""

from __future__ import annotations

from factories.walks.pages import NOBODY, URL, walk_pages
from factories.walks.recording import Walk

TYPES, TAGS, LINKS = "/metadata/v1/tag_types", "/metadata/v1/tags", "/metadata/v1/tag_links"


async def walk_metadata(call: Walk) -> None:
    """Call every route of tag types, tags and tag links as an Admin, with their refusals."""
    open_type, closed_type = await _tag_types(call)
    tag = await _tags(call, open_type, closed_type)
    await _tag_links(call, tag)
    await call("DELETE", f"{TAGS}/{tag}", 200)
    await call("DELETE", f"{TAGS}/{tag}", 404)
    await call("GET", f"{TAGS}/{tag}", 404)
    await call("GET", f"{TAGS}/{tag}", 200, params={"show_deleted": "true"})
    await call("GET", f"{TAGS}/{tag}/links", 404)
    await call("DELETE", f"{TYPES}/{closed_type}", 200)
    await call("DELETE", f"{TYPES}/{closed_type}", 404)
    await call("GET", f"{TYPES}/{closed_type}", 200, params={"show_deleted": "true"})
    await call("POST", TAGS, 400, json={"name": "Late", "tag_type_id": closed_type})


async def _tag_types(call: Walk) -> tuple[str, str]:
    made = (await call("POST", TYPES, 201, json={"name": "Discipline", "allow_custom": True}))["tag_type"]["id"]
    closed = (await call("POST", TYPES, 201, json={"name": "Stage"}))["tag_type"]["id"]
    await call("POST", TYPES, 409, json={"name": "Stage"})
    for bad in (
        {},
        {"name": ""},
        {"name": " "},
        {"name": 5},
        {"name": "x", "allow_custom": "no"},
        {"name": "x", "id": "y"},
    ):
        await call("POST", TYPES, 400, json=bad)
    await walk_pages(call, TYPES, "tag_types", tag_type_id=f"{made},{closed}")
    await call("GET", TYPES, 200, params={"tag_type_id": NOBODY})
    await call("GET", f"{TYPES}/{made}", 200)
    await call("GET", f"{TYPES}/{NOBODY}", 404)
    await call("GET", f"{TYPES}/x", 400)
    await call("PATCH", f"{TYPES}/{made}", 200, json={"name": "Disziplin"})
    await call("PATCH", f"{TYPES}/{made}", 409, json={"name": "Stage"})
    await call("PATCH", f"{TYPES}/{made}", 400, json={"name": None})
    await call("PATCH", f"{TYPES}/{NOBODY}", 404, json={"name": "Nobody's"})
    return str(made), str(closed)


async def _tags(call: Walk, open_type: str, closed_type: str) -> str:
    project = (await call("POST", "/environment/v2/projects", 201, json={"number": "200-1"}))["project"]["project_id"]
    made = (await call("POST", TAGS, 201, json={"name": "Bridge", "tag_type_id": open_type}))["tag"]["id"]
    scoped = {"name": "Bridge", "tag_type_id": open_type, "tag_scope": project}
    await call("POST", TAGS, 201, json=scoped)
    await call("POST", TAGS, 409, json=scoped)
    await call("POST", TAGS, 201, json={"name": "Tunnel", "tag_type_id": open_type, "tag_scope": None})
    for bad in (
        {"name": "x"},
        {"name": "x", "tag_type_id": NOBODY},
        {"name": "x", "tag_type_id": "x"},
        {**scoped, "tag_scope": NOBODY},
        {**scoped, "tag_type_id": closed_type},
        {**scoped, "colour": "red"},
    ):
        await call("POST", TAGS, 400, json=bad)
    await walk_pages(call, TAGS, "tags", tag_type_id=open_type)
    await call("GET", TAGS, 200, params={"tag_scope": ""})
    await call("GET", TAGS, 200, params={"tag_scope": project, "omit_global": "true"})
    await call("GET", TAGS, 200, params={"tag_id": [made, NOBODY]})
    await call("GET", TAGS, 400, params={"tag_scope": "x"})
    await call("GET", f"{TAGS}/{made}", 200)
    await call("GET", f"{TAGS}/{NOBODY}", 404)
    await call("PATCH", f"{TAGS}/{made}", 200, json={"name": "Brücke"})
    await call("PATCH", f"{TAGS}/{made}", 409, json={"name": "Tunnel"})
    await call("PATCH", f"{TAGS}/{made}", 400, json={"tag_type_id": closed_type})
    await call("PATCH", f"{TAGS}/{NOBODY}", 404, json={"name": "Nobody's"})
    return str(made)


async def _tag_links(call: Walk, tag: str) -> None:
    things = ["00000000-0000-7000-8000-00000000000a", "00000000-0000-7000-8000-00000000000b"]
    links = [
        {"tag_id": tag, "reference_id": thing, "reference_table": "asset", "reference_url": URL} for thing in things
    ]
    first = (await call("PUT", LINKS, 200, json={"tag_links": links}))["tag_links"]
    assert [link["reference_id"] for link in first] == things
    await call("PUT", LINKS, 200, json={"tag_links": [{**links[0], "reference_table": "slab"}]})
    for bad in (
        [],
        [links[0], links[0]],
        [{**links[0], "tag_id": NOBODY}],
        [{**links[0], "reference_url": "javascript:alert(1)"}],
        [{**links[0], "reference_table": ""}],
        [{**links[0], "reference_id": None}],
        [5],
    ):
        await call("PUT", LINKS, 400, json={"tag_links": bad})
    await call("PUT", LINKS, 400, json=links)
    route = f"{TAGS}/{tag}/links"
    await walk_pages(call, route, "tag_links")
    await call("GET", f"{TAGS}/{NOBODY}/links", 404)
    one = f"{route}/{things[0]}"
    await call("GET", one, 200)
    await call("GET", f"{route}/{NOBODY}", 404)
    await call("PATCH", one, 200, json={"reference_table": "beam"})
    await call("PATCH", one, 400, json={})
    await call("PATCH", one, 400, json={"reference_url": "ftp://example.com/"})
    await call("PATCH", f"{route}/{NOBODY}", 404, json={"reference_table": "beam"})
    await call("DELETE", one, 200)
    await call("DELETE", one, 404)
    await call("GET", one, 200, params={"show_deleted": "true"})
    assert (await call("PUT", LINKS, 200, json={"tag_links": links[:1]}))["tag_links"][0]["deleted_at"] is None
