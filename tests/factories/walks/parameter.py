"""A walk over every route of the parameter service but its units, good and bad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from factories.walks.pages import BAD_PAGES, NOBODY, walk_pages
from factories.walks.recording import Walk

ROOT = "/parameter/v1"
ENTRY, SECOND_ENTRY = "00000000-0000-7000-8000-00000000002a", "00000000-0000-7000-8000-00000000002b"


@dataclass
class _Made:
    """The ids that later steps need."""

    project: str
    source: str
    asset_type: str = ""
    sub_type: str = ""
    building: str = ""
    storey: str = ""
    number: str = ""
    text: str = ""
    item_type: str = ""
    parameter: str = ""


async def walk_parameter(call: Walk) -> None:
    """Call every route of types, assets, parameters, entries and parameter sets as an Admin, with their refusals."""
    project = (await call("POST", "/environment/v2/projects", 201, json={"number": "300-1"}))["project"]["project_id"]
    kind = (await call("GET", "/reference/v2/source_types", 200))["source_types"][0]["id"]
    source = {"source_type_id": kind, "title": "Survey", "reference": "S-1", "date_year": "2028"}
    made = _Made(project, (await call("POST", "/reference/v2/sources", 201, json=source))["source"]["id"])
    await _asset_types(call, made)
    await _assets(call, made)
    await _parameter_types(call, made)
    await _parameters(call, made)
    await _entries(call, made)
    await _sets(call, made)
    await _deletions(call, made)


async def _new(call: Walk, route: str, rows: str, **item: Any) -> str:
    return str((await call("POST", f"{ROOT}/{route}", 201, json=item))[rows][0]["id"])


async def _asset_types(call: Walk, made: _Made) -> None:
    group = await _new(call, "asset_type_groups", "asset_type_groups", name="Structures")
    groups = f"{ROOT}/asset_type_groups"
    second = await _new(call, "asset_type_groups", "asset_type_groups", name="Ground")
    await call("POST", groups, 409, json={"name": "Ground"})
    await call("POST", groups, 400, json={"asset_type_groups": [{"name": ""}]})
    await walk_pages(call, groups, "asset_type_groups", asset_type_group_id=f"{group},{second}")
    await call("PATCH", f"{groups}/{group}", 200, json={"name": "Bauwerke"})
    await call("PATCH", f"{groups}/{group}", 409, json={"name": "Ground"})
    await call("DELETE", f"{groups}/{second}", 200)
    await call("DELETE", f"{groups}/{second}", 404)

    route = f"{ROOT}/asset_types"
    made.asset_type = await _new(call, "asset_types", "asset_types", name="Building", asset_type_group_id=group)
    item = {"name": "Storey", "asset_type_group_id": group, "parent_id": made.asset_type, "asset_sub_type": True}
    storey = (await call("POST", route, 201, json={"asset_types": [item]}))["asset_types"][0]["id"]
    await call("POST", route, 409, json=item)
    for bad in ({}, {**item, "name": "x", "asset_type_group_id": second}, {**item, "name": "x", "parent_id": NOBODY}):
        await call("POST", route, 400, json=bad)
    await walk_pages(call, route, "asset_types", asset_type_group_id=group)
    await call("GET", route, 200, params={"project_id": made.project})
    await call("PATCH", f"{route}/{storey}", 200, json={"name": "Geschoss"})
    await call("PATCH", f"{route}/{made.asset_type}", 400, json={"parent_id": storey})
    await call("PATCH", f"{route}/{NOBODY}", 404, json={"name": "Nobody's"})
    tree = f"{ROOT}/asset_type_tree"
    await call("GET", tree, 200, params={"asset_type_id": made.asset_type})
    await call("GET", tree, 404, params={"asset_type_id": NOBODY})
    await call("GET", tree, 400)

    subs = f"{route}/{storey}/asset_sub_types"
    many = {"asset_sub_types": [{"name": "Basement"}, {"name": "Roof"}]}
    basement, roof = (row["id"] for row in (await call("POST", subs, 201, json=many))["asset_sub_types"])
    await call("POST", subs, 409, json={"name": "Roof"})
    await call("POST", subs, 400, json={"name": "Attic", "parent_asset_sub_type_id": NOBODY})
    await call("POST", f"{route}/{NOBODY}/asset_sub_types", 404, json={"name": "Attic"})
    await walk_pages(call, subs, "asset_sub_types")
    await call("PATCH", f"{subs}/{roof}", 200, json={"name": "Dach", "parent_asset_sub_type_id": basement})
    await call("PATCH", f"{subs}/{roof}", 400, json={"parent_asset_sub_type_id": roof})
    await call("PATCH", f"{subs}/{NOBODY}", 404, json={"name": "Nobody's"})
    await call("DELETE", f"{subs}/{roof}", 200)
    await call("DELETE", f"{subs}/{roof}", 404)
    made.sub_type = basement


async def _assets(call: Walk, made: _Made) -> None:
    route = f"{ROOT}/assets"
    top = {"project_id": made.project, "asset_type_id": made.asset_type, "name": "Tower"}
    made.building = await _new(call, "assets", "assets", **top)
    below = {"project_id": made.project, "asset_sub_type_id": made.sub_type, "parent_id": made.building, "name": None}
    made.storey = (await call("POST", route, 201, json={"assets": [below]}))["assets"][0]["id"]
    await call("POST", route, 409, json={**top, "id": made.storey})
    for bad in (
        {"name": "Tower"},
        {**top, "name": " "},
        {**top, "project_id": NOBODY},
        {**top, "asset_type_id": NOBODY},
        {**top, "parent_id": NOBODY},
        {**top, "asset_sub_type_id": made.sub_type},
        {"assets": []},
    ):
        await call("POST", route, 400, json=bad)
    await walk_pages(call, route, "assets", project_id=made.project)
    await call("GET", route, 200, params={"parent_id": made.building, "asset_id": made.storey})
    await call("GET", route, 200, params={"asset_type_id": made.asset_type})
    await call("GET", f"{route}/{made.building}", 200)
    await call("GET", f"{route}/{NOBODY}", 404)
    await call("PATCH", f"{route}/{made.building}", 200, json={"name": "Turm"})
    await call("PATCH", f"{route}/{made.building}", 400, json={"parent_id": made.storey})
    await call("PATCH", f"{route}/{NOBODY}", 404, json={"name": "Nobody's"})
    await call("GET", f"{route}/{made.storey},{made.building}/hierarchy", 200)
    await call("GET", f"{route}/{made.storey},{NOBODY}/hierarchy", 404)
    await call("GET", f"{route}/x/hierarchy", 400)
    await call("GET", f"{ROOT}/asset_tree", 200, params={"asset_id": made.building})
    await call("GET", f"{ROOT}/asset_tree", 404, params={"asset_id": NOBODY})


async def _parameter_types(call: Walk, made: _Made) -> None:
    route = f"{ROOT}/parameter_types"
    made.number = await _new(call, "parameter_types", "parameter_types", name="Slenderness", data_type="number")
    made.text = await _new(call, "parameter_types", "parameter_types", name="Finish", data_type="string")
    units = (await call("GET", f"{ROOT}/units", 200, params={"page_limit": 1000}))["units"]
    metre = next(unit for unit in units if unit["symbol"] == "m")
    length = {
        "name": "Height",
        "data_type": "number",
        "unit_type_id": metre["unit_type_id"],
        "default_unit_id": metre["id"],
    }
    height = await _new(call, "parameter_types", "parameter_types", **length)
    await call("POST", route, 409, json={"parameter_types": [length]})
    for bad in (
        {"name": "x"},
        {"name": "x", "data_type": "colour"},
        {**length, "name": "x", "default_unit_id": NOBODY},
        {**length, "name": "x", "unit_type_id": NOBODY},
    ):
        await call("POST", route, 400, json=bad)
    await walk_pages(call, route, "parameter_types", parameter_type_id=f"{made.number},{made.text}")
    await call("PATCH", f"{route}/{made.number}", 200, json={"name": "Schlankheit", "global_parameter": True})
    await call("PATCH", f"{route}/{made.number}", 409, json={"name": "Finish"})
    await call("PATCH", f"{route}/{made.number}", 400, json={"data_type": "string"})
    await call("PATCH", f"{route}/{NOBODY}", 404, json={"name": "Nobody's"})
    await call("DELETE", f"{route}/{height}", 200)
    await call("DELETE", f"{route}/{height}", 404)

    items = f"{ROOT}/item_types"
    item = {"parameter_type_id": made.number, "asset_type_id": made.asset_type}
    made.item_type = await _new(call, "item_types", "item_types", **item)
    second = await _new(call, "item_types", "item_types", **{**item, "parameter_type_id": made.text})
    await call("POST", items, 409, json={"item_types": [item]})
    await call("POST", items, 400, json={**item, "parameter_type_id": height})
    await call("POST", items, 400, json={**item, "asset_sub_type_id": made.sub_type})
    await walk_pages(call, items, "item_types", asset_type_id=made.asset_type)
    await call("GET", items, 200, params={"parameter_type_id": made.number, "item_type_id": made.item_type})
    await call("GET", route, 200, params={"asset_type_id": made.asset_type})
    await call("PATCH", f"{items}/{second}", 409, json={"parameter_type_id": made.number})
    await call("PATCH", f"{items}/{second}", 200, json={"asset_sub_type_id": None})
    await call("PATCH", f"{items}/{NOBODY}", 404, json={"asset_type_id": made.asset_type})
    await call("DELETE", f"{items}/{second}", 200)
    await call("DELETE", f"{items}/{second}", 404)


async def _parameters(call: Walk, made: _Made) -> None:
    route = f"{ROOT}/parameters"
    item = {"project_id": made.project, "parameter_type_id": made.number, "parent_ids": [made.building]}
    made.parameter = await _new(call, "parameters", "parameters", **item)
    wide = {"project_id": made.project, "parameter_type_id": made.text}
    entry = {"source_id": made.source, "values": [{"value": "é"}], "comment": "Seen", "location_in_source": "p. 1"}
    answered = await call("POST", route, 201, json={"parameters": [{**wide, "entries": [entry]}]})
    revised = {**entry, "entry_id": answered["parameters"][0]["selected_entry"]["entry_id"]}
    for value in ("è", "è"):
        await call("POST", route, 200, json={**wide, "entries": [{**revised, "values": [{"value": value}]}]})
    await call("POST", route, 409, json={**wide, "entries": [{**entry, "entry_id": ENTRY}]})
    for bad in (
        {**item, "parent_ids": [NOBODY]},
        {**item, "parent_ids": [made.building, made.building]},
        {**item, "project_id": NOBODY},
        {**item, "entries": [{**entry, "values": [{"value": "thick"}]}]},
        {**item, "entries": [{**entry, "values": []}]},
        {**item, "entries": [{**entry, "source_id": NOBODY}]},
        {**item, "entries": [entry, entry]},
    ):
        await call("POST", route, 400, json=bad)
    await walk_pages(call, route, "parameters", project_id=made.project)
    for filters in (
        {"asset_id": made.building, "asset_type_id": made.asset_type},
        {"parameter_type_id": made.text, "source_id": made.source},
        {"source_type_id": NOBODY},
        {"tag_id": NOBODY, "unit_id": NOBODY},
        {"qa_status": "answered,unanswered"},
    ):
        await call("GET", route, 200, params=filters)
    await call("GET", route, 400, params={"qa_status": "dubious"})
    await call("GET", f"{route}/{made.parameter}", 200)
    await call("GET", f"{route}/{NOBODY}", 404)
    await call("PATCH", f"{route}/{made.parameter}", 200, json={"parent_ids": [made.storey, made.building]})
    await call("PATCH", f"{route}/{made.parameter}", 400, json={"parent_ids": [NOBODY]})
    await call("PATCH", f"{route}/{made.parameter}", 200, json={"parent_ids": [made.building]})
    await call("PATCH", f"{route}/{NOBODY}", 404, json={"parent_ids": []})


async def _entries(call: Walk, made: _Made) -> None:
    route = f"{ROOT}/entries"
    entry: dict[str, Any] = {"entry_id": ENTRY, "parameter_id": made.parameter, "source_id": made.source}
    await call("PUT", route, 200, json={"entries": [{**entry, "values": [{"value": 24.5}], "comment": "Ü"}]})
    await call("PUT", route, 200, json={"entries": [{**entry, "values": [{"value": 1e300}]}]})
    for bad in (
        [],
        [{**entry, "values": [{"value": "24"}]}],
        [{**entry, "values": [{"value": 1, "unit_id": NOBODY}]}],
        [{**entry, "values": [{"value": 1}], "parameter_id": NOBODY}],
        [{**entry, "values": [{"value": 1}]}, {**entry, "values": [{"value": 2}]}],
    ):
        await call("PUT", route, 400, json={"entries": bad})
    await call("PUT", route, 409, json={"entries": [{**entry, "entry_id": SECOND_ENTRY, "values": [{"value": 1}]}]})
    await call("GET", route, 200)
    await call("GET", route, 200, params={"parameter_id": made.parameter, "page_limit": 1})
    revisions = f"{route}/{ENTRY}/revisions"
    listed = (await call("GET", revisions, 200))["revisions"]
    assert len(listed) == 2
    await walk_pages(call, revisions, "revisions")
    await call("GET", f"{route}/{NOBODY}/revisions", 404)
    for bad_page in BAD_PAGES:
        await call("GET", route, 400, params=bad_page)
    latest, old = (row["revision_id"] for row in listed)
    change = f"{ROOT}/revisions"
    await call("PATCH", change, 200, json={"revisions": [{"revision_id": latest, "status": "checked"}]})
    await call("PATCH", change, 409, json={"revisions": [{"revision_id": old, "status": "checked"}]})
    for bad_change in (
        [],
        [{"revision_id": latest, "status": "rejected"}],
        [{"revision_id": latest, "status": "lost"}],
        [{"revision_id": NOBODY, "status": "checked"}],
    ):
        await call("PATCH", change, 400, json={"revisions": bad_change})
    await call("GET", f"{ROOT}/parameters", 200, params={"qa_status": "checked"})


async def _sets(call: Walk, made: _Made) -> None:
    route = f"{ROOT}/parameter_set_categories"
    category = (await call("POST", route, 201, json={"name": "Briefs"}))["parameter_set_category"]["id"]
    await call("POST", route, 201, json={"name": "Briefs"})
    await call("POST", route, 400, json={"name": ""})
    await walk_pages(call, route, "parameter_set_categories")
    types = f"{ROOT}/parameter_set_types"
    item = {"name": "Brief", "parameter_set_category_id": category, "item_type_ids": [made.item_type]}
    kind = (await call("POST", types, 201, json=item))["parameter_set_type"]["id"]
    second = (await call("POST", types, 201, json={**item, "item_type_ids": []}))["parameter_set_type"]["id"]
    await call("POST", types, 400, json={**item, "parameter_set_category_id": NOBODY})
    await call("POST", types, 400, json={**item, "item_type_ids": [NOBODY]})
    await walk_pages(call, types, "parameter_set_types")
    items = f"{types}/{second}/items"
    await call("POST", items, 201, json={"item_type_ids": [made.item_type]})
    await call("POST", items, 409, json={"item_type_ids": [made.item_type]})
    await call("POST", items, 400, json={"item_type_ids": []})
    await call("DELETE", f"{items}/{made.item_type}", 200)
    await call("DELETE", f"{items}/{made.item_type}", 404)

    sets = f"{ROOT}/parameter_sets"
    given = {"name": "Tower", "parameter_set_type_id": kind, "project_id": made.project, "asset_id": made.building}
    one = (await call("POST", sets, 201, json=given))["parameter_set"]["id"]
    await call("POST", sets, 201, json={**given, "name": "Again"})
    await call("POST", sets, 400, json={**given, "asset_id": NOBODY})
    await call("POST", sets, 400, json={**given, "parameter_set_type_id": NOBODY})
    await walk_pages(call, sets, "parameter_sets", parameter_set_type_id=kind)
    await call("GET", f"{sets}/{one}", 200)
    await call("GET", f"{sets}/{NOBODY}", 404)
    shown = await call("GET", f"{sets}/{one}/parameters", 200)
    assert [row["id"] for row in shown["parameter_set_parameters"]] == [made.parameter]
    await call("GET", f"{sets}/{NOBODY}/parameters", 404)
    for path in (f"{sets}/{one}", f"{types}/{second}", f"{route}/{category}"):
        await call("DELETE", path, 200)
        await call("DELETE", path, 404)


async def _deletions(call: Walk, made: _Made) -> None:
    await call("DELETE", f"{ROOT}/entries/{ENTRY}", 200)
    await call("DELETE", f"{ROOT}/entries/{ENTRY}", 404)
    await call("GET", f"{ROOT}/entries", 200, params={"show_deleted": "true"})
    await call("DELETE", f"{ROOT}/parameters/{made.parameter}", 200)
    await call("DELETE", f"{ROOT}/parameters/{made.parameter}", 404)
    await call("GET", f"{ROOT}/parameters/{made.parameter}", 200, params={"show_deleted": "true"})
    await call("DELETE", f"{ROOT}/assets/{made.building}", 200)
    await call("GET", f"{ROOT}/assets/{made.storey}", 404)
    await call("GET", f"{ROOT}/assets/{made.storey}", 200, params={"show_deleted": "true"})
    await call("DELETE", f"{ROOT}/asset_types/{made.asset_type}", 200)
    await call("DELETE", f"{ROOT}/asset_types/{made.asset_type}", 404)
