"""The demo's tower adds up."""

from __future__ import annotations

from collections import Counter

import pytest

from catenary.environment.v2 import project_service_pb2
from catenary_cli.demo import tower
from catenary_core.services.parameter.imports import columns
from catenary_core.services.reference.catalogue import SOURCE_TYPES
from catenary_wire.units import unit_table


def test_the_project_has_every_field_that_a_new_one_may_have() -> None:
    fields = {field.name for field in project_service_pb2.CreateProjectRequest.DESCRIPTOR.fields}
    # `number` is another name of `project_number`; a demo that is confidential would hide itself.
    assert set(tower.PROJECT) == fields - {"number", "confidential"}
    assert all(tower.PROJECT.values())


def test_the_tower_is_the_same_each_time_and_names_only_what_it_declares() -> None:
    rows, assets = list(tower.parameters()), list(tower.assets())
    assert rows == list(tower.parameters())
    assert (len(rows), len(assets)) == (500, 97)
    paths = {"/".join(part for part in (row.get("parent"), row["name"]) if part) for row in assets}
    keys = Counter((row["parameter_type"], *row.get("parents", ())) for row in rows)
    assert max(keys.values()) == 1, "each parameter is there once"
    assert {row["parameter_type"] for row in rows} == set(tower.PARAMETER_TYPES)
    assert {row["source"] for row in rows if "source" in row} == set(tower.SOURCES)
    assert {path for row in rows for path in row.get("parents", ())} == paths
    assert all(row.keys() <= set(columns.names("parameters")) for row in rows)
    assert {name for row in rows for name in tower.tags(row)} == {*tower.DISCIPLINES, *tower.PACKAGES}
    known = {(unit.unit_type, unit.symbol) for unit in unit_table.units()}
    assert {(kind, symbol) for _, kind, symbol in tower.PARAMETER_TYPES.values() if kind} <= known
    assert {kind for kind, _, _ in tower.SOURCES.values()} <= set(SOURCE_TYPES)


def test_the_sets_of_the_tower_ask_for_what_its_assets_have() -> None:
    paths = {path for row in tower.parameters() for path in row.get("parents", ())}
    made = set(tower.item_types())
    assert {kind for kind, _ in made} == set(tower.ASSET_TYPES)
    for kind, names in tower.SET_TYPES.values():
        assert {(kind, name) for name in names} <= made
        assert set(tower.paths_of_sets(kind)) <= paths
    cores = {row["name"] for row in tower.assets() if row["asset_type"] == "Core"}
    assert cores == set(tower.SUB_TYPES["Core"])


def test_a_core_carries_more_at_each_storey_further_down() -> None:
    forces = [tower.axial_force(number) for number in range(1, tower.STOREYS + 1)]
    assert forces == sorted(forces, reverse=True)
    storey = tower.storeys()[-1]
    floor = 1272 * (0.34 * 25 + 1.5 + 7.5)
    walls = 36 * 0.35 * 4.8 * 25
    assert forces[-1] == pytest.approx(0.25 * floor + walls)
    assert storey.top == pytest.approx(5.4 + 2 * 4.8 + 21 * 3.9)
    # Stress at the foot, without factors: high and possible for C60.
    assert 3 < forces[0] / 1000 / (36 * 0.6) < 20


def test_the_wind_pressure_is_that_of_the_standard() -> None:
    # EN 1991-1-4, figure 4.2: exposure factor of terrain III at 100 m is 3.4; basic pressure at 24 m/s is 0.36 kN/m2.
    assert tower.wind_pressure(100) == pytest.approx(3.4 * 0.36, rel=0.03)
    assert tower.wind_pressure(1) == tower.wind_pressure(5)


def test_every_rejection_says_why() -> None:
    judged = [tower.qa_state(place, "Wall length") for place in range(500)]
    assert {status for status, _ in judged} == {"answered", "checked", "approved", "rejected"}
    assert all((comment is not None) == (status == "rejected") for status, comment in judged)
