"""A walk over every route of the parameter service's units, good and bad."""

from __future__ import annotations

from typing import Any

from factories.walks.pages import NOBODY, walk_pages
from factories.walks.recording import Walk

SYSTEMS, TYPES, UNITS = "/parameter/v1/unit_systems", "/parameter/v1/unit_types", "/parameter/v1/units"
GIVEN_ID = "00000000-0000-7000-8000-00000000001a"


async def walk_units(call: Walk) -> None:
    """Call every route of unit systems, unit types and units as an Admin, with their refusals."""
    system, kind = await _systems(call), await _types(call)
    await _units(call, system, kind)
    await _conversion(call)
    for one in (f"{SYSTEMS}/{system}", f"{TYPES}/{kind}"):
        await call("DELETE", one, 200)
        await call("DELETE", one, 404)
    await call("GET", f"{TYPES}/{kind}", 404)
    await call("GET", f"{TYPES}/{kind}", 200, params={"show_deleted": "true"})


async def _systems(call: Walk) -> str:
    made = (await call("POST", SYSTEMS, 201, json={"name": "Ells", "short_name": "El"}))["unit_systems"][0]["id"]
    many = {"unit_systems": [{"name": "Feet of Rome", "id": GIVEN_ID}, {"name": "Feet of Paris"}]}
    await call("POST", SYSTEMS, 201, json=many)
    await call("POST", SYSTEMS, 409, json=many)
    await call("POST", SYSTEMS, 409, json={"name": "Others", "id": GIVEN_ID})
    for bad in (
        {},
        {"name": ""},
        {"unit_systems": []},
        {"name": "x", "unit_systems": []},
        {"unit_systems": [{"nam": 1}]},
    ):
        await call("POST", SYSTEMS, 400, json=bad)
    await walk_pages(call, SYSTEMS, "unit_systems")
    await call("PATCH", f"{SYSTEMS}/{made}", 200, json={"short_name": "Elle"})
    await call("PATCH", f"{SYSTEMS}/{made}", 409, json={"name": "Feet of Paris"})
    await call("PATCH", f"{SYSTEMS}/{made}", 400, json={"name": None})
    await call("PATCH", f"{SYSTEMS}/{NOBODY}", 404, json={"name": "Nobody's"})
    return str(made)


async def _types(call: Walk) -> str:
    made = (await call("POST", TYPES, 201, json={"unit_types": [{"name": "Patience"}]}))["unit_types"][0]["id"]
    await call("POST", TYPES, 409, json={"name": "Patience"})
    await call("POST", TYPES, 400, json={"unit_types": [{"name": "x"}, {"name": " "}]})
    await walk_pages(call, TYPES, "unit_types")
    await call("GET", f"{TYPES}/{made}", 200)
    await call("GET", f"{TYPES}/{NOBODY}", 404)
    await call("PATCH", f"{TYPES}/{made}", 200, json={"name": "Geduld"})
    await call("PATCH", f"{TYPES}/{made}", 400, json={"unit_systems": []})
    await call("PATCH", f"{TYPES}/{NOBODY}", 404, json={"name": "Nobody's"})
    return str(made)


async def _units(call: Walk, system: str, kind: str) -> None:
    item: dict[str, Any] = {"symbol": "pt", "unit_type_id": kind, "unit_system_id": system}
    made = (await call("POST", UNITS, 201, json=item))["units"][0]["id"]
    await call("POST", UNITS, 201, json={"units": [{**item, "symbol": "kpt"}]})
    await call("POST", UNITS, 409, json=item)
    for bad in (
        {**item, "symbol": ""},
        {**item, "unit_type_id": NOBODY},
        {**item, "unit_system_id": NOBODY},
        {"units": [{**item, "symbol": "mpt"}, {**item, "expression": "m"}]},
    ):
        await call("POST", UNITS, 400, json=bad)
    await walk_pages(call, UNITS, "units", unit_type_id=kind)
    await call("GET", UNITS, 200, params={"unit_system_id": system, "unit_id": made})
    await call("GET", UNITS, 200, params={"parameter_type_id": NOBODY})
    await call("GET", f"{TYPES}/{kind}", 200)
    await call("PATCH", f"{UNITS}/{made}", 200, json={"symbol": "µpt"})
    await call("PATCH", f"{UNITS}/{made}", 409, json={"symbol": "kpt"})
    await call("PATCH", f"{UNITS}/{made}", 400, json={"unit_system_id": NOBODY})
    await call("PATCH", f"{UNITS}/{NOBODY}", 404, json={"symbol": "x"})
    metre = await _unit_of(call, "m")
    await call("GET", f"{UNITS}/convert", 400, params={"value": 1, "from_unit_id": made, "to_unit_id": metre})
    await call("DELETE", f"{UNITS}/{made}", 200)
    await call("DELETE", f"{UNITS}/{made}", 404)


async def _conversion(call: Walk) -> None:
    route = f"{UNITS}/convert"
    pair = {"from_unit_id": await _unit_of(call, "m"), "to_unit_id": await _unit_of(call, "mm")}
    assert (await call("GET", route, 200, params={"value": "1.5", **pair}))["value"] == 1500
    await call("GET", route, 200, params={"value": "1e-300", **pair})
    await call("GET", route, 200, params={"value": "-0", **pair})
    for bad in ({}, {"value": "NaN"}, {"value": "1e400"}, {"value": "1.5", "to_unit_id": NOBODY}, {"value": "1,5"}):
        await call("GET", route, 400, params={**pair, **bad})
    other = {**pair, "to_unit_id": await _unit_of(call, "kg")}
    await call("GET", route, 400, params={"value": 1, **other})


async def _unit_of(call: Walk, symbol: str) -> str:
    """Return the id of a unit of the catalogue."""
    units = (await call("GET", UNITS, 200, params={"page_limit": 1000}))["units"]
    return str(next(unit["id"] for unit in units if unit["symbol"] == symbol))
