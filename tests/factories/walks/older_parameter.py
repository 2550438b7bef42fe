"""A walk over every route of version 0 of the parameter service, good and bad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from factories.walks.goldens import Recorder
from factories.walks.pages import NOBODY

ROOT = "/parameter/v0"
GIVEN_ID = "00000000-0000-7000-8000-0000000000a0"
_LISTS = (
    "assets",
    "asset_types",
    "asset_type_groups",
    "parameters",
    "parameter_types",
    "item_types",
    "unit_types",
    "units",
    "unit_systems",
    "parameter_set_types",
    "parameter_sets",
)


@dataclass
class _Made:
    project: str = ""
    source: str = ""
    group: str = ""
    building: str = ""
    storey: str = ""
    sub_type: str = ""
    unit: str = ""
    number: str = ""
    text: str = ""
    item_type: str = ""
    asset: str = ""
    parameter: str = ""


async def walk_parameter_v0(call: Recorder) -> None:
    """Call the routes of the parameter service, version 0."""
    made = _Made()
    project = await call.unseen("POST", "/environment/v2/projects", json={"number": "1"})
    made.project = project["project"]["project_id"]
    kind = await call.unseen("POST", "/reference/v2/source_types", json={"name": "Walk", "visible": False})
    source = {"source_type_id": kind["source_type"]["id"], "title": "Report", "scope": "chapter 1", "time": "12:00"}
    made.source = (await call.unseen("POST", "/reference/v2/sources", json=source))["source"]["id"]
    me = (await call.unseen("GET", "/v1/users/me"))["data"]["user"]
    await call.unseen("PATCH", "/v1/users/me", json={"company_centre_unit": "CC 1"})
    await _units(call, made)
    await _types(call, made)
    await _assets(call, made)
    await _parameters(call, made, me["user_id"])
    await _revisions(call, made)
    await _sets(call, made)
    await _deletions(call, made)
    for path in _LISTS:
        for bad in ({"show_active": "true"}, {"show_deleted": "true"}, {"after": "x"}, {"order": "asc"}):
            await call("GET", f"{ROOT}/{path}", 400, params=bad)
    for method, path in (
        ("GET", "entries"),
        ("PUT", "entries"),
        ("GET", f"entries/{NOBODY}/revisions"),
        ("PATCH", "revisions"),
        ("GET", "asset_tree"),
        ("GET", "asset_type_tree"),
        ("GET", "parameter_set_categories"),
        ("GET", "nothing"),
    ):
        await call(method, f"{ROOT}/{path}", 404)


async def _units(call: Recorder, made: _Made) -> None:
    systems, kinds, units = (f"{ROOT}/{name}" for name in ("unit_systems", "unit_types", "units"))
    system = (await call("POST", systems, 201, json={"name": "Ells", "short_name": "El"}))["unit_systems"][0]["id"]
    await call("POST", systems, 409, json={"name": "Ells"})
    await call("GET", systems, 200, params={"show_deleted_unit_systems": "true", "page_limit": 1})
    await call("PATCH", f"{systems}/{system}", 200, json={"short_name": "Elle"})
    await call("PATCH", f"{systems}/{system}", 400, json={"name": None})
    kind = (await call("POST", kinds, 201, json={"name": "Patience"}))["unit_types"][0]
    assert set(kind) == {"id", "name"}
    await call("POST", kinds, 400, json={"name": ""})
    await call("GET", kinds, 200, params={"page_limit": 2})
    await call("GET", kinds, 400, params={"page_limit": 0})
    await call("GET", f"{kinds}/{kind['id']}", 200)
    await call("GET", f"{kinds}/{NOBODY}", 404)
    await call("PATCH", f"{kinds}/{kind['id']}", 200, json={"name": "Geduld"})
    await call("PATCH", f"{kinds}/{kind['id']}", 400, json={"unit_systems": []})
    item = {"name": "pt", "unit_type_id": kind["id"], "unit_system_id": system}
    unit = (await call("POST", units, 201, json=item))["units"][0]
    assert unit["name"] == "pt"
    await call("POST", units, 201, json={"units": [{**item, "name": "kpt"}]})
    await call("POST", units, 409, json=item)
    for bad in (
        {**item, "symbol": "pt"},
        {"units": [{**item, "symbol": "pt"}]},
        {**item, "name": 5},
        {**item, "name": " "},
        {"units": [{**item, "name": "x" * 201}]},
        {"units": []},
        {**item, "unit_type_id": NOBODY},
    ):
        await call("POST", units, 400, json=bad)
    await call("GET", units, 200, params={"unit_type_id": kind["id"]})
    await call("GET", units, 200, params={"unit_type_id": kind["id"], "page_limit": 1})
    await call("PATCH", f"{units}/{unit['id']}", 200, json={"name": "µpt"})
    await call("PATCH", f"{units}/{unit['id']}", 409, json={"name": "kpt"})
    await call("PATCH", f"{units}/{unit['id']}", 400, json={"symbol": "x"})
    whole = (await call.unseen("GET", units, params={"page_limit": 100_000}))["units"]
    found = {one["name"]: one for one in whole}
    pair = {"from_unit_id": found["m"]["id"], "to_unit_id": found["mm"]["id"]}
    await call("GET", f"{units}/convert", 200, params={"value": "1.5", **pair})
    await call("GET", f"{units}/convert", 400, params={"value": "NaN", **pair})
    # Of a type of its own: units of the catalogue that have one symbol stand in no order.
    own = (await call.unseen("POST", kinds, json={"name": "Weight of words"}))["unit_types"][0]["id"]
    own_item = {"name": "w", "unit_type_id": own, "unit_system_id": found["m"]["unit_system_id"]}
    made.unit = (await call.unseen("POST", units, json=own_item))["units"][0]["id"]
    await call.unseen("POST", units, json={**own_item, "name": "kw"})
    for path in (f"{units}/{unit['id']}", f"{systems}/{system}", f"{kinds}/{kind['id']}"):
        await call("DELETE", path, 200)
        await call("DELETE", path, 404)
    await call("GET", f"{kinds}/{kind['id']}", 200, params={"show_deleted_unit_types": "true"})
    await call("GET", units, 200, params={"unit_type_id": kind["id"], "show_deleted_units": "true"})


async def _types(call: Recorder, made: _Made) -> None:
    groups, kinds = f"{ROOT}/asset_type_groups", f"{ROOT}/asset_types"
    made.group = (await call("POST", groups, 201, json={"name": "Structures"}))["asset_type_groups"][0]["id"]
    await call("POST", groups, 409, json={"name": "Structures"})
    await call("GET", groups, 200)
    await call("PATCH", f"{groups}/{made.group}", 200, json={"name": "Bauwerke"})
    await call("PATCH", f"{groups}/{made.group}", 400, json={"name": ""})
    spare = (await call.unseen("POST", groups, json={"name": "Ground"}))["asset_type_groups"][0]["id"]
    await call("DELETE", f"{groups}/{spare}", 200)
    await call("DELETE", f"{groups}/{spare}", 404)
    item = {"name": "Building", "asset_type_group_id": made.group}
    made.building = (await call("POST", kinds, 201, json=item))["asset_types"][0]["id"]
    storey = {"name": "Storey", "asset_type_group_id": made.group, "asset_sub_type": True}
    made.storey = (await call("POST", kinds, 201, json={"asset_types": [storey]}))["asset_types"][0]["id"]
    loose = (await call("POST", kinds, 201, json={"name": "Building"}))["asset_types"][0]
    assert loose["asset_type_group"] is None
    await call("POST", kinds, 409, json={"name": "Building"})
    await call("POST", kinds, 400, json={"name": " "})
    await call("GET", kinds, 200, params={"asset_type_group_id": made.group})
    await call("PATCH", f"{kinds}/{made.storey}", 200, json={"name": "Geschoss"})
    await call("PATCH", f"{kinds}/{NOBODY}", 404, json={"name": "x"})
    subs = f"{kinds}/{made.storey}/asset_sub_types"
    sub = (await call("POST", subs, 201, json={"name": "Basement"}))["asset_sub_types"][0]
    assert "asset_type_id" not in sub
    made.sub_type = sub["id"]
    await call("POST", subs, 409, json={"name": "Basement"})
    await call("GET", subs, 200)
    await call("GET", subs, 400, params={"show_deleted": "true"})
    await call("PATCH", f"{subs}/{made.sub_type}", 200, json={"name": "Keller"})
    await call("PATCH", f"{subs}/{made.sub_type}", 400, json={"name": 5})

    types, items = f"{ROOT}/parameter_types", f"{ROOT}/item_types"
    height = {"name": "Height", "data_type": "number"}
    unit = (await call.unseen("GET", f"{ROOT}/units", params={"unit_id": made.unit}))["units"][0]
    height |= {"unit_type_id": unit["unit_type_id"], "default_unit_id": made.unit}
    number = (await call("POST", types, 201, json=height))["parameter_types"][0]
    assert number["default_unit"]["name"] == "w"
    made.number = number["id"]
    made.text = (await call("POST", types, 201, json={"name": "Finish", "data_type": "string"}))["parameter_types"][0][
        "id"
    ]
    await call("POST", types, 400, json={**height, "name": "x", "default_unit_id": NOBODY})
    await call("GET", types, 200, params={"parameter_type_id": made.text})
    await call("PATCH", f"{types}/{made.text}", 200, json={"global_parameter": True})
    await call("POST", types, 201, json={"name": "Height", "data_type": "bool"})
    await call("PATCH", f"{types}/{made.text}", 409, json={"name": "Height"})
    alone = {"name": "Depth", "data_type": "float", "default_unit_id": made.unit}
    depth = (await call("POST", types, 201, json={"parameter_types": [alone]}))["parameter_types"][0]
    assert (depth["data_type"], depth["unit_type"]["id"]) == ("float", unit["unit_type_id"])
    for bad in ({"data_type": "double"}, {"default_unit_id": "x"}, {"default_unit_id": NOBODY}):
        await call("POST", types, 400, json={**alone, "name": "x", **bad})
    one = {"parameter_type_id": made.number, "asset_type_id": made.building}
    item_type = (await call("POST", items, 201, json=one))["item_types"][0]
    assert item_type["created_by"] == item_type["updated_by"]
    assert item_type["created_by"]["company_centre_org_unit"] == "CC 1"
    made.item_type = item_type["id"]
    second = (await call("POST", items, 201, json={**one, "parameter_type_id": made.text}))["item_types"][0]["id"]
    await call("POST", items, 409, json=one)
    await call("GET", items, 200)
    skipped = await call("GET", items, 200, params={"offset": 1})
    assert [row["id"] for row in skipped["item_types"]] == [second]
    await call("GET", items, 400, params={"offset": -1})
    await call("PATCH", f"{items}/{second}", 200, json={"asset_sub_type_id": None})
    await call("PATCH", f"{items}/{second}", 400, json={"asset_type_id": NOBODY})
    await call("DELETE", f"{items}/{second}", 200)
    await call("DELETE", f"{items}/{second}", 404)


async def _assets(call: Recorder, made: _Made) -> None:
    route = f"{ROOT}/assets"
    top = {"project_id": made.project, "asset_type_id": made.building, "name": "Tower"}
    made.asset = (await call("POST", route, 201, json={**top, "asset_id": GIVEN_ID}))["assets"][0]["id"]
    assert made.asset == GIVEN_ID
    below = {"project_id": made.project, "asset_sub_type_id": made.sub_type, "parent_id": made.asset}
    storey = (await call("POST", route, 201, json={"assets": [below]}))["assets"][0]
    assert "asset_type_id" not in storey["asset_sub_type"]
    await call("POST", route, 422, json={**top, "asset_id": GIVEN_ID})
    await call("POST", route, 422, json=top)
    await call("POST", route, 422, json={"assets": [{**top, "name": "Twin"}] * 2})
    for bad in (
        {**top, "id": GIVEN_ID},
        {"assets": [{**top, "id": GIVEN_ID}]},
        {**top, "asset_id": "x"},
        {**top, "name": " "},
    ):
        await call("POST", route, 400, json=bad)
    await call("GET", route, 200, params={"project_id": made.project})
    await call("GET", route, 200, params={"project_id": made.project, "page_limit": 1})
    for filters in ({"asset_type": made.building}, {"descendants_of": made.asset}, {"search": "TOW"}):
        assert len((await call("GET", route, 200, params=filters))["assets"]) == 1
    await call("GET", route, 400, params={"asset_type": "x"})
    await call("GET", f"{route}/{made.asset}", 200)
    await call("GET", f"{route}/{NOBODY}", 404)
    await call("PATCH", f"{route}/{made.asset}", 200, json={"name": "Turm"})
    await call("PATCH", f"{route}/{made.asset}", 400, json={"parent_id": storey["id"]})
    hierarchy = await call("GET", f"{route}/{storey['id']}/hierarchy", 200)
    assert [set(element) for element in hierarchy["hierarchies"][0]] == [{"id", "name"}] * 2
    await call("GET", f"{route}/{NOBODY}/hierarchy", 404)
    await call("DELETE", f"{route}/{storey['id']}", 200)
    await call("DELETE", f"{route}/{storey['id']}", 404)
    await call("GET", route, 200, params={"show_deleted_assets": "true"})
    await call("GET", f"{route}/{storey['id']}", 200, params={"show_deleted_assets": "true"})


async def _parameters(call: Recorder, made: _Made, me: str) -> None:
    route = f"{ROOT}/parameters"
    item = {"project_id": made.project, "parameter_type_id": made.number, "parent_ids": made.asset}
    parameter = (await call("POST", route, 201, json=item))["parameters"][0]
    assert parameter["created_by"] == me
    assert parameter["revision"] is None
    made.parameter = parameter["id"]
    revision = {
        "source_id": made.source,
        "values": [{"value": "matt"}],
        "comment": "Seen",
        "location_in_source": "p. 1",
    }
    wide = {"project_id": made.project, "parameter_type_id": made.text, "revision": revision}
    other = (await call("POST", route, 201, json={"parameters": [wide]}))["parameters"][0]
    assert other["revision"]["created_by"]["company_centre_org_unit"] == "CC 1"
    await call("POST", route, 409, json=wide)
    for bad in (
        {**item, "parent_ids": "x"},
        {**item, "parent_ids": [NOBODY]},
        {**wide, "revision": [revision]},
        {**wide, "revision": {**revision, "entry_id": GIVEN_ID}},
        {**wide, "revision": {**revision, "values": []}},
        {**item, "revision": {**revision, "values": [{"value": "matt", "unit_id": made.unit}]}},
        {**item, "revision": {**revision, "values": [{"value": 5, "unit_id": made.unit}], "source_id": NOBODY}},
        {"project_id": made.project, "parameter_type_id": made.text, "entries": [revision]},
        {**wide, "colour": "red"},
    ):
        await call("POST", route, 400, json=bad)
    listed = (await call("GET", route, 200, params={"project_id": made.project}))["parameters"]
    skipped = await call("GET", route, 200, params={"project_id": made.project, "offset": 1})
    assert skipped["parameters"] == listed[1:]
    assert (await call("GET", route, 200, params={"offset": 2}))["parameters"] == []
    await call("GET", route, 200, params={"page_limit": 1, "qa_status": "answered"})
    await call("GET", route, 200, params={"page_limit": 100_001, "project_parameter": "true"})
    for use in ("category_id", "report_id", "discipline_id"):
        await call("GET", route, 200, params={use: NOBODY})
    for bad_query in (
        {"offset": 100_001},
        {"offset": "x"},
        {"page_limit": 0},
        {"category_id": "x"},
        {"qa_status": "dubious"},
    ):
        await call("GET", route, 400, params=bad_query)
    await call("GET", f"{route}/{made.parameter}", 200)
    await call("GET", f"{route}/{NOBODY}", 404)
    await call("PATCH", f"{route}/{made.parameter}", 200, json={"parent_ids": [made.asset]})
    await call("PATCH", f"{route}/{made.parameter}", 400, json={"parent_ids": [NOBODY]})


async def _revisions(call: Recorder, made: _Made) -> None:
    route = f"{ROOT}/parameters/{made.parameter}/revision"
    await call("GET", route, 404)
    await call("PATCH", route, 404, json={"status": "checked"})
    given: dict[str, Any] = {"source_id": made.source, "values": [{"value": "24.5", "unit_id": made.unit}]}
    first = (await call("POST", route, 201, json=given))["revision"]
    second = (await call("POST", route, 201, json={**given, "comment": "Again", "location_in_source": "p. 2"}))[
        "revision"
    ]
    assert first["id"] != second["id"]
    assert second["values"][0]["value"] == 24.5
    assert second["values"][0]["unit"]["deleted_at"] is None
    assert second["values"][0]["unit"]["name"] == "w"
    for bad in (
        {},
        [given],
        {**given, "values": []},
        {**given, "values": [{"value": "24 m", "unit_id": made.unit}]},
        {**given, "values": [{"value": 24, "unit_id": NOBODY}]},
        {**given, "source_id": NOBODY},
        {**given, "entry_id": GIVEN_ID},
        {**given, "parameter_id": made.parameter},
        {"entries": [given]},
    ):
        await call("POST", route, 400, json=bad)
    assert (await call("GET", route, 200))["revision"] == second
    checked = (await call("PATCH", route, 200, json={"status": "checked"}))["revision"]
    assert (checked["id"], checked["status"], checked["comment"]) == (second["id"], "checked", "Again")
    await call("PATCH", route, 200, json={"status": "rejected", "comment": "No"})
    for bad in ({}, {"status": "rejected"}, {"status": "lost"}, {"status": "checked", "revision_id": NOBODY}, []):
        await call("PATCH", route, 400, json=bad)
    nobodys = f"{ROOT}/parameters/{NOBODY}/revision"
    await call("GET", nobodys, 404)
    await call("POST", nobodys, 404, json=given)
    await call("PATCH", nobodys, 404, json={"status": "checked"})
    await call("GET", f"{ROOT}/parameters/x/revision", 400)
    await call("POST", f"{ROOT}/parameters/x/revision", 400, json=given)
    await call("PATCH", f"{ROOT}/parameters/x/revision", 400, json={"status": "checked"})
    await call("PUT", route, 405)


async def _sets(call: Recorder, made: _Made) -> None:
    kinds, sets = f"{ROOT}/parameter_set_types", f"{ROOT}/parameter_sets"
    kind = (await call("POST", kinds, 201, json={"name": "Briefs"}))["parameter_set_type"]["id"]
    await call("POST", kinds, 400, json={"name": ""})
    await call("GET", kinds, 200)
    item = {"name": "Brief", "parameter_set_type_id": kind, "item_type_ids": [made.item_type]}
    one = (await call("POST", sets, 201, json=item))["parameter_set"]
    assert one["items"][0]["created_by"] is not None
    second = (await call("POST", sets, 201, json={**item, "item_type_ids": []}))["parameter_set"]["id"]
    for bad in (
        {**item, "parameter_set_category_id": kind},
        {**item, "parameter_set_type_id": NOBODY},
        {**item, "item_type_ids": [NOBODY]},
    ):
        await call("POST", sets, 400, json=bad)
    await call("GET", sets, 200)
    items = f"{sets}/{second}/items"
    await call("POST", items, 201, json={"item_type_ids": [made.item_type]})
    await call("POST", items, 409, json={"item_type_ids": [made.item_type]})
    await call("POST", f"{sets}/{NOBODY}/items", 404, json={"item_type_ids": [made.item_type]})
    await call("DELETE", f"{items}/{made.item_type}", 200)
    await call("DELETE", f"{items}/{made.item_type}", 404)

    instances = f"{sets}/{one['id']}/instances"
    given = {"name": "Tower", "project_id": made.project, "asset_id": made.asset}
    instance = (await call("POST", instances, 201, json=given))["parameter_set_instance"]
    assert instance["parameter_set_id"] == one["id"]
    await call("POST", f"{sets}/{NOBODY}/instances", 404, json=given)
    for bad in ({**given, "asset_id": NOBODY}, {**given, "parameter_set_id": one["id"]}, {**given, "name": ""}, []):
        await call("POST", instances, 400, json=bad)
    await call("GET", instances, 200)
    await call("GET", f"{sets}/{second}/instances", 200)
    await call("GET", f"{sets}/x/instances", 400)
    await call("GET", instances, 400, params={"parameter_set_type_id": kind})
    path = f"{instances}/{instance['id']}"
    await call("GET", path, 200)
    shown = (await call("GET", f"{path}/parameters", 200))["parameter_set_instance_parameters"]
    assert [row["id"] for row in shown] == [made.parameter]
    assert shown[0]["parameter_type"]["unit_type_id"] is not None
    await call("GET", f"{path}/parameters", 400, params={"show_deleted": "true"})
    elsewhere = f"{sets}/{second}/instances/{instance['id']}"
    await call("GET", elsewhere, 404)
    await call("GET", f"{elsewhere}/parameters", 404)
    await call("DELETE", elsewhere, 404)
    await call("GET", f"{instances}/{NOBODY}", 404)
    for gone in (path, f"{sets}/{second}", f"{kinds}/{kind}"):
        await call("DELETE", gone, 200)
        await call("DELETE", gone, 404)
    await call("GET", path, 200, params={"show_deleted_parameter_set_instances": "true"})
    await call("GET", sets, 200, params={"show_deleted_parameter_sets": "true"})
    await call("GET", kinds, 200, params={"show_deleted_parameter_set_types": "true"})


async def _deletions(call: Recorder, made: _Made) -> None:
    parameter = f"{ROOT}/parameters/{made.parameter}"
    await call("DELETE", parameter, 200)
    await call("DELETE", parameter, 404)
    await call("GET", parameter, 200, params={"show_deleted_parameters": "true"})
    await call("GET", f"{parameter}/revision", 404)
    await call("GET", f"{parameter}/revision", 200, params={"show_deleted_parameters": "true"})
    await call("GET", f"{ROOT}/parameters", 200, params={"show_deleted_parameters": "true"})
    for path in (
        f"parameter_types/{made.text}",
        f"asset_types/{made.storey}/asset_sub_types/{made.sub_type}",
        f"asset_types/{made.building}",
    ):
        await call("DELETE", f"{ROOT}/{path}", 200)
        await call("DELETE", f"{ROOT}/{path}", 404)
