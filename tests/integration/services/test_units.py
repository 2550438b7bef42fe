"""Unit systems, unit types and units over the dispatcher: shapes, unique names, catalogue, conversion, bad input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.services.parameter.units import catalogue, servicer
from catenary_wire.units import unit_table
from factories.checks.timestamps import moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, check_refusals, parameter_world_of


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


async def _load(db: Database) -> dict[str, tuple[int, int, int]]:
    async with db.transaction() as tx:
        loaded = await catalogue.load_catalogue(tx, announce=True)
    return {item.kind: (item.added, item.kept, item.deleted) for item in loaded}


async def _catalogue_unit(world: ParameterWorld, symbol: str) -> dict[str, Any]:
    listed = await world.ann.call("ListUnits", page_limit=1000, sort_by="symbol")
    return dict(next(row for row in listed["units"] if row["symbol"] == symbol))


async def test_a_unit_type_shows_its_systems_with_their_active_units(world: ParameterWorld) -> None:
    kind = await world.unit_type()
    assert kind["unit_systems"] == []
    unit = await world.unit(kind["id"], "m")
    gone = await world.unit(kind["id"], "ell")
    await world.ada.call("DeleteUnit", unit_id=gone["id"])
    found = (await world.ann.call("GetUnitType", unit_type_id=kind["id"]))["unit_type"]
    (system,) = found["unit_systems"]
    assert list(system) == ["id", "name", "short_name", "units"]
    assert (system["id"], system["units"]) == (unit["unit_system_id"], [{"id": unit["id"], "symbol": "m"}])
    assert found["created_at"].endswith("Z")
    assert found["deleted_at"] is None
    listed = (await world.ann.call("ListUnitTypes"))["unit_types"]
    assert listed == [found]


async def test_a_unit_type_shows_the_units_of_no_other_type(world: ParameterWorld) -> None:
    length, area = await world.unit_type(), await world.unit_type()
    metre = await world.unit(length["id"], "m")
    # A second type in the same system, and a system that only the second type has.
    both = {"unit_type_id": area["id"], "unit_system_id": metre["unit_system_id"]}
    square = await world.one("CreateUnits", "units", symbol="m2", **both)
    acre = await world.unit(area["id"], "acre")
    listed = {row["id"]: row["unit_systems"] for row in (await world.ann.call("ListUnitTypes"))["unit_types"]}
    shown = {id_: [[unit["id"] for unit in system["units"]] for system in found] for id_, found in listed.items()}
    assert shown == {length["id"]: [[metre["id"]]], area["id"]: [[square["id"]], [acre["id"]]]}


async def test_a_unit_has_its_symbol_once_in_its_type_and_system(world: ParameterWorld) -> None:
    kind = await world.unit_type()
    unit = await world.unit(kind["id"])
    item = {"symbol": "m", "unit_type_id": kind["id"], "unit_system_id": unit["unit_system_id"]}
    refusal = await world.ann.refused("CreateUnits", units=[item])
    assert (refusal.reason, refusal.details["constraint"]) == ("CONFLICT", "unique")
    await world.ada.call("DeleteUnit", unit_id=unit["id"])
    again = await world.one("CreateUnits", "units", world.ann, **item)
    assert again["id"] != unit["id"]
    shown = await world.ann.call("ListUnits", show_deleted=True, show_active=False)
    assert [row["id"] for row in shown["units"]] == [unit["id"]]
    assert (await world.ann.call("ListUnits", unit_type_id=[kind["id"]], unit_id=[again["id"]]))["units"] == [again]


async def test_a_chosen_id_is_kept_and_a_taken_one_refused(world: ParameterWorld) -> None:
    made = await world.one(
        "CreateUnitTypes", "unit_types", world.ann, id=NOBODY.upper().replace("8000", "800A"), name="X"
    )
    assert made["id"] == NOBODY.replace("8000", "800a")
    refusal = await world.ann.refused("CreateUnitTypes", unit_types=[{"id": made["id"], "name": "Y"}])
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "unit_types[0].id")
    twice = [{"id": NOBODY, "name": "Z1"}, {"id": NOBODY, "name": "Z2"}]
    refusal = await world.ann.refused("CreateUnitTypes", unit_types=twice)
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "unit_types[1].id")
    names = [row["name"] for row in (await world.ann.call("ListUnitTypes"))["unit_types"]]
    assert names == ["X"], "all or nothing"


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("CreateUnits", {"units": []}, "units"),
    ("CreateUnits", {"units": [{"symbol": " ", "unit_type_id": NOBODY, "unit_system_id": NOBODY}]}, "units[0].symbol"),
    (
        "CreateUnits",
        {"units": [{"symbol": "m", "unit_type_id": NOBODY, "unit_system_id": NOBODY}]},
        "units[0].unit_type_id",
    ),
    ("CreateUnitTypes", {"unit_types": [{"name": ""}]}, "unit_types[0].name"),
    ("CreateUnitTypes", {"unit_types": [{"name": "a\0"}]}, "unit_types[0].name"),
    ("ListUnits", {"page_limit": 1001}, "page_limit"),
    ("ListUnits", {"sort_by": "name"}, "sort_by"),
    ("ListUnits", {"after": "x"}, "after"),
    ("ListUnits", {"unit_id": ["x"]}, "unit_id[0]"),
    ("ListUnitTypes", {"page_limit": 0}, "page_limit"),
    ("ListUnitSystems", {"before": "x", "after": "y"}, "before"),
    ("GetUnitType", {"unit_type_id": "x"}, "unit_type_id"),
    ("ConvertUnits", {"from_unit_id": NOBODY, "to_unit_id": NOBODY}, "value"),
    ("ConvertUnits", {"value": float("inf"), "from_unit_id": NOBODY, "to_unit_id": NOBODY}, "value"),
    ("ConvertUnits", {"value": 1.0, "from_unit_id": NOBODY, "to_unit_id": NOBODY}, "from_unit_id"),
]


async def test_bad_input_names_its_field(world: ParameterWorld) -> None:
    await check_refusals(world.ann, BAD)


async def test_only_admins_change_units_and_systems(world: ParameterWorld) -> None:
    kind = await world.unit_type()
    unit = await world.unit(kind["id"])
    for method, fields in {
        "CreateUnitSystems": {"unit_systems": [{"name": "Mine"}]},
        "UpdateUnitSystem": {"unit_system_id": unit["unit_system_id"], "name": "Mine"},
        "DeleteUnitSystem": {"unit_system_id": unit["unit_system_id"]},
        "UpdateUnitType": {"unit_type_id": kind["id"], "name": "Mine"},
        "DeleteUnitType": {"unit_type_id": kind["id"]},
        "UpdateUnit": {"unit_id": unit["id"], "symbol": "y"},
        "DeleteUnit": {"unit_id": unit["id"]},
    }.items():
        assert (await world.ann.refused(method, **fields)).reason == "PERMISSION_DENIED"
    other = await world.unit_system()
    changed = (await world.ada.call("UpdateUnit", unit_id=unit["id"], symbol="y", unit_system_id=other["id"]))["unit"]
    assert (changed["symbol"], changed["unit_system_id"]) == ("y", other["id"])
    assert moment(changed["updated_at"]) > moment(unit["updated_at"])
    system = (await world.ada.call("UpdateUnitSystem", unit_system_id=other["id"], short_name="S"))["unit_system"]
    assert (system["name"], system["short_name"]) == (other["name"], "S")
    await world.ada.call("DeleteUnitSystem", unit_system_id=unit["unit_system_id"])
    refusal = await world.ada.refused("UpdateUnit", unit_id=unit["id"], unit_system_id=unit["unit_system_id"])
    assert refusal.details["constraint"] == "unknown"
    renamed = (await world.ada.call("UpdateUnitType", unit_type_id=kind["id"], name="New"))["unit_type"]
    assert renamed["name"] == "New"
    deleted = (await world.ada.call("DeleteUnitType", unit_type_id=kind["id"]))["unit_type"]
    assert deleted["deleted_at"] is not None
    assert (await world.ann.refused("GetUnitType", unit_type_id=kind["id"])).reason == "NOT_FOUND"
    shown = await world.ann.call("GetUnitType", unit_type_id=kind["id"], show_deleted=True)
    assert shown["unit_type"] == deleted
    assert (await world.ada.refused("DeleteUnitType", unit_type_id=kind["id"])).reason == "NOT_FOUND"
    types = [row["type"] for row in await events_of(world.db) if row["subject"].endswith(kind["id"])]
    assert types == ["parameter.unit_type.created", "parameter.unit_type.updated", "parameter.unit_type.deleted"]


SYSTEMS, TYPES, UNITS = len(unit_table.unit_systems()), len(unit_table.unit_types()), len(unit_table.units())


async def test_the_catalogue_is_loaded_once_and_never_doubled(world: ParameterWorld) -> None:
    everything = {"unit_system": (SYSTEMS, 0, 0), "unit_type": (TYPES, 0, 0), "unit": (UNITS, 0, 0)}
    assert await _load(world.db) == everything
    assert await _load(world.db) == {kind: (0, added, 0) for kind, (added, _, _) in everything.items()}
    async with world.db.transaction() as tx:
        await catalogue.load_at_first_start(tx)
    assert (await world.ann.call("ListUnits", page_limit=1))["summary"]["estimate_count"] == UNITS


async def test_rows_are_listed_in_the_order_of_the_catalogue_and_look_unchanged(world: ParameterWorld) -> None:
    await _load(world.db)
    rows = (await world.ann.call("ListUnits", page_limit=1000))["units"]
    assert [row["symbol"] for row in rows] == [unit.symbol for unit in unit_table.units()]
    assert [row["id"] for row in rows] != sorted(row["id"] for row in rows)
    assert all(row["created_at"] == row["updated_at"] for row in rows)


async def test_what_somebody_renamed_or_deleted_stays_so_when_the_catalogue_is_loaded_again(
    world: ParameterWorld,
) -> None:
    await _load(world.db)
    pressure, psf = await _catalogue_unit(world, "kN/m2"), await _catalogue_unit(world, "psf")
    types = (await world.ann.call("ListUnitTypes", page_limit=1000))["unit_types"]
    length = next(row for row in types if row["name"] == "Length")
    in_it = (await world.ann.call("ListUnits", page_limit=1000, unit_type_id=[length["id"]]))["units"]
    await world.ada.call("DeleteUnit", unit_id=pressure["id"])
    await world.ada.call("UpdateUnit", unit_id=psf["id"], symbol="lbf per ft2")
    await world.ada.call("DeleteUnitType", unit_type_id=length["id"])
    assert await _load(world.db) == {
        "unit_system": (0, SYSTEMS, 0),
        "unit_type": (0, TYPES - 1, 1),
        "unit": (0, UNITS - 1 - len(in_it), 1 + len(in_it)),
    }
    assert (await world.ann.call("ListUnits", unit_id=[pressure["id"]]))["units"] == []
    symbols = [row["symbol"] for row in (await world.ann.call("ListUnits", page_limit=1000))["units"]]
    assert "lbf per ft2" in symbols
    assert symbols.count("psf") == sum(unit.symbol == "psf" for unit in unit_table.units()) - 1


async def test_a_row_that_somebody_made_under_a_name_of_the_catalogue_is_taken_for_it(world: ParameterWorld) -> None:
    (kind,) = (await world.ada.call("CreateUnitTypes", unit_types=[{"name": "Length"}]))["unit_types"]
    assert (await _load(world.db))["unit_type"] == (TYPES - 1, 1, 0)
    metre = next(
        row for row in (await world.ann.call("ListUnits", unit_type_id=[kind["id"]], page_limit=1000))["units"]
    )
    assert metre["unit_type_id"] == kind["id"]


async def test_units_convert_by_the_expressions_of_their_rows(world: ParameterWorld) -> None:
    await _load(world.db)
    kilo, psf, degree, kelvin = [await _catalogue_unit(world, symbol) for symbol in ("kN/m2", "psf", "degC", "K")]
    answer = await world.ann.call("ConvertUnits", value=1.0, from_unit_id=kilo["id"], to_unit_id=psf["id"])
    assert answer["value"] == unit_table.convert(1.0, "kN/m2", "psf")
    assert answer["unit"] == {key: psf[key] for key in ("id", "symbol", "unit_type_id", "unit_system_id")}
    answer = await world.ann.call("ConvertUnits", value=0.0, from_unit_id=degree["id"], to_unit_id=kelvin["id"])
    assert answer["value"] == 273.15
    await world.ada.call("UpdateUnit", unit_id=psf["id"], symbol="lbf per ft2")
    answer = await world.ann.call("ConvertUnits", value=1.0, from_unit_id=kilo["id"], to_unit_id=psf["id"])
    assert (answer["value"], answer["unit"]["symbol"]) == (unit_table.convert(1.0, "kN/m2", "psf"), "lbf per ft2")
    own = await world.one(
        "CreateUnits",
        "units",
        world.ann,
        symbol="9**9**9**9",
        unit_type_id=kilo["unit_type_id"],
        unit_system_id=kilo["unit_system_id"],
    )
    for fields, constraint in (
        ({"value": 1.0, "from_unit_id": kilo["id"], "to_unit_id": kelvin["id"]}, "unit_type"),
        ({"value": 1.0, "from_unit_id": kilo["id"], "to_unit_id": own["id"]}, "conversion"),
        ({"value": 1e308, "from_unit_id": kilo["id"], "to_unit_id": psf["id"]}, "range"),
    ):
        refusal = await world.ann.refused("ConvertUnits", **fields)
        assert (refusal.reason, refusal.details["constraint"]) == ("VALIDATION_ERROR", constraint)


async def test_fifty_writers_make_one_unit_of_a_symbol(world: ParameterWorld) -> None:
    kind, system = await world.unit_type(), await world.unit_system()
    item = {"symbol": "m", "unit_type_id": kind["id"], "unit_system_id": system["id"]}

    async def make() -> str:
        try:
            return str((await world.one("CreateUnits", "units", world.ann, **item))["id"])
        except Exception as error:  # noqa: BLE001
            return type(error).__name__

    made = await asyncio.gather(*(make() for _ in range(50)))
    assert sorted(set(made) - {"CallError"}) == [row["id"] for row in (await world.ann.call("ListUnits"))["units"]]
    assert made.count("CallError") == 49


async def test_a_page_of_unit_types_costs_the_same_statements_whatever_its_size(world: ParameterWorld) -> None:
    await _load(world.db)
    counts = []
    for limit in (1, 50):
        for method in ("ListUnitTypes", "ListUnits", "ListUnitSystems"):
            with counted_statements() as seen:
                await world.ann.call(method, page_limit=limit)
            counts.append(len(seen))
    assert set(counts) == {2}


async def test_a_unit_type_takes_no_more_units_than_its_answers_hold_however_many_add_at_once(
    world: ParameterWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = await world.unit_type()
    system = (await world.unit(kind["id"], "one"))["unit_system_id"]
    monkeypatch.setattr(servicer, "MOST_UNITS", 3)

    async def add(*symbols: str) -> list[dict[str, Any]]:
        units = [{"symbol": one, "unit_type_id": kind["id"], "unit_system_id": system} for one in symbols]
        return list((await world.ann.call("CreateUnits", units=units))["units"])

    results = await asyncio.gather(*(add(f"u{number}") for number in range(6)), return_exceptions=True)
    assert sum(isinstance(one, list) for one in results) == 2, results
    units = [{"symbol": "x", "unit_type_id": kind["id"], "unit_system_id": system}]
    refusal = await world.ann.refused("CreateUnits", units=units)
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "units[0].unit_type_id")
    assert "at most 3 units" in refusal.message
    await world.ada.call("DeleteUnit", unit_id=next(one for one in results if isinstance(one, list))[0]["id"])
    assert len(await add("again")) == 1
    monkeypatch.setattr(servicer, "MOST_UNITS", 500)
    assert len(await add("more", "and more")) == 2
