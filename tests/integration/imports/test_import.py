"""Importing files into a real database: names, rules, events, and all or nothing."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from pydantic import SecretStr

from catenary.parameter.v1 import parameter_type_pb2
from catenary_cli.imports.command import ImportRefusedError, import_file
from catenary_core.frame import Frame
from catenary_core.secrets import Roots, Secrets
from catenary_core.services.identity.clients.creation import create_client
from catenary_core.services.parameter.assets import rules
from catenary_core.services.parameter.imports import calls as calling
from catenary_core.services.parameter.units import catalogue
from catenary_core.settings import CoreSettings
from factories.services.calls import events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, parameter_world_of

pytestmark = pytest.mark.sampled

CSV = {
    "assets": ("id", "project", "parent", "name", "asset_type", "asset_sub_type"),
    "parameters": ("project", "parents", "parameter_type", "value", "unit", "source"),
    "entries": ("project", "parents", "parameter_type", "value", "unit", "source", "comment"),
}


class Importing:
    """A database with a project, types and a source, and a client that imports into it."""

    def __init__(self, world: ParameterWorld, dsn: str, folder: Path, client_id: str) -> None:
        self.world = world
        self._settings = CoreSettings(
            database_url=SecretStr(dsn), data_dir=folder / "data", secret_key=SecretStr("A" * 43 + "=")
        )
        self._folder = folder
        self.client_id = client_id
        self.number = ""
        self.project = ""

    async def file(self, name: str, content: str | bytes, **flags: Any) -> None:
        """Import a file of that content."""
        path = self._folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        flags = {"kind": None, "client_id": self.client_id, "dry_run": False, **flags}
        await import_file(self._settings, path, **flags)

    async def rows(self, kind: str, rows: Sequence[Mapping[str, str]], **flags: Any) -> None:
        """Import a CSV file of those rows, which are in the one project unless they name another."""
        path = self._folder / f"{kind}.csv"
        names = tuple(dict.fromkeys([*CSV[kind], *(name for row in rows for name in row)]))
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, names)
            writer.writeheader()
            addressed = {"project_id", "parameter_id"}
            writer.writerows({**({} if addressed & row.keys() else {"project": self.number}), **row} for row in rows)
        await self.file(path.name, path.read_bytes(), **flags)

    async def faults(self, kind: str, rows: Sequence[Mapping[str, str]]) -> list[str]:
        """Return the faults of a file of those rows, after which nothing has changed."""
        before = await self.everything()
        with pytest.raises(ImportRefusedError) as refused:
            await self.rows(kind, rows)
        head, *faults = str(refused.value).splitlines()
        assert "nothing of it was imported" in head
        assert await self.everything() == before
        return faults

    async def everything(self) -> tuple[Any, ...]:
        """Return the project's assets and parameters, with the number of events."""
        return (await self.assets(), await self.parameters(), len(await events_of(self.world.db)))

    async def assets(self) -> list[dict[str, Any]]:
        """Return the project's assets."""
        found = await self.world.ada.call("ListAssets", project_id=[self.project], page_limit=1000)
        return list(found["assets"])

    async def parameters(self) -> list[dict[str, Any]]:
        """Return the project's parameters."""
        found = await self.world.ada.call("ListParameters", project_id=[self.project], page_limit=1000)
        return list(found["parameters"])


@pytest.fixture
async def importing(frame: Frame, dsn: str, tmp_path: Path) -> Importing:
    """Return a project with the types Building, Storey and Opening (Door, Window), lengths, texts and a source."""
    world = await parameter_world_of(frame)
    async with frame.db.transaction() as tx:
        client, _ = await create_client(tx, frame.secrets, "Importer", admin=False)
    made = Importing(world, dsn, tmp_path, str(client["client_id"]))
    made.project = await world.project()
    (project,) = (await world.world.as_("ann", "environment").list("ListProjects"))["projects"]
    made.number = project["project_number"]
    await world.source("Report")
    for name in ("Building", "Storey"):
        await world.asset_type(name=name)
    opening = await world.asset_type(name="Opening", asset_sub_type=True)
    for name in ("Door", "Window"):
        await world.sub_type(opening["id"], name)
    length = await world.unit_type()
    for symbol in ("m", "ft"):
        await world.unit(length["id"], symbol)
    await world.parameter_type(name="Height", unit_type_id=length["id"])
    await world.parameter_type(parameter_type_pb2.DATA_TYPE_STRING, name="Use")
    await world.parameter_type(parameter_type_pb2.DATA_TYPE_INTEGER, name="People")
    return made


TOWER = (
    {"name": "Tower", "asset_type": "Building"},
    {"name": "Storey 1", "asset_type": "Storey", "parent": "Tower"},
    {"asset_sub_type": "Door", "parent": "Tower/Storey 1"},
    {"name": "Window", "asset_type": "Opening", "parent": " Tower / Storey 1 "},
)
HEIGHT = {"parents": "Tower", "parameter_type": "Height", "value": "40.5", "unit": "m", "source": "Report"}


async def test_assets_are_made_by_the_paths_of_their_parents_and_kept_when_they_are_there(importing: Importing) -> None:
    await importing.rows("assets", TOWER)
    made = {asset["name"]: asset for asset in await importing.assets()}
    assert set(made) == {"Tower", "Storey 1", "Door", "Window"}
    assert made["Tower"]["children"] == [made["Storey 1"]["id"]]
    assert made["Storey 1"]["children"] == [made["Door"]["id"], made["Window"]["id"]]
    assert made["Window"]["asset_sub_type"]["name"] == "Window", "rule 2 of POST /assets holds"
    types = [event["type"] for event in await events_of(importing.world.db)]
    assert types.count("parameter.asset.created") == 4
    before = await importing.everything()
    await importing.rows("assets", TOWER)
    assert await importing.everything() == before
    await importing.rows("assets", [*TOWER, {"name": "Storey 2", "asset_type": "Storey", "parent": "Tower"}])
    assert len(await importing.assets()) == 5


async def test_parameters_get_their_values_and_new_ones_when_the_file_has_changed(importing: Importing) -> None:
    await importing.rows("assets", TOWER)
    rows = [
        HEIGHT,
        {"parameter_type": "Use", "value": "Offices, mostly", "source": "Report"},
        {"parameter_type": "People"},
    ]
    await importing.rows("parameters", rows)
    made = {row["parameter_type"]["name"]: row for row in await importing.parameters()}
    assert [parent["name"] for parent in made["Height"]["parents"]] == ["Tower"]
    (value,) = made["Height"]["selected_entry"]["values"]
    assert (value["value"], value["unit"]["symbol"]) == (40.5, "m")
    assert made["Height"]["selected_entry"]["created_by"]["staff_name"] == "Importer"
    assert made["Use"]["selected_entry"]["values"][0]["value"] == "Offices, mostly"
    assert made["People"]["selected_entry"] is None
    before = await importing.everything()
    await importing.rows("parameters", rows)
    assert await importing.everything() == before, "the same again changes nothing"
    await importing.rows(
        "parameters", [HEIGHT | {"value": "41"}, {"parameter_type": "People", "value": "7", "source": "Report"}]
    )
    made = {row["parameter_type"]["name"]: row for row in await importing.parameters()}
    assert made["Height"]["selected_entry"]["values"][0]["value"] == 41
    assert made["Height"]["selected_entry"]["entry_id"] == before[1][0]["selected_entry"]["entry_id"]
    assert made["People"]["selected_entry"]["values"][0]["value"] == 7


async def test_entries_revise_the_parameter_that_they_name_by_id_or_by_its_place(importing: Importing) -> None:
    await importing.rows("assets", TOWER)
    await importing.rows("parameters", [HEIGHT, {"parameter_type": "People"}])
    height, people = sorted(await importing.parameters(), key=lambda row: str(row["parameter_type"]["name"]))
    entries = [
        {"parameter_id": height["id"].upper(), "value": "42", "unit": "m", "source": "Report", "comment": "As built"},
        {"parameter_type": "People", "value": "9", "source": "Report"},
    ]
    await importing.rows("entries", entries)
    now = {row["id"]: row["selected_entry"] for row in await importing.parameters()}
    assert now[height["id"]]["values"][0]["value"] == 42
    assert now[height["id"]]["entry_id"] == height["selected_entry"]["entry_id"]
    assert now[people["id"]]["values"][0]["value"] == 9
    listed = await importing.world.ada.list("ListRevisions", entry_id=now[height["id"]]["entry_id"])
    assert [row["comment"] for row in listed["revisions"]] == ["As built", None]
    faults = await importing.faults(
        "entries",
        [
            {"parameter_id": NOBODY, "value": "1", "source": "Report"},
            {"parameter_id": "Height", "value": "1", "source": "Report"},
            {"parameter_type": "Use", "value": "1", "source": "Report"},
            {"parameter_type": "People", "source": "Report"},
            {"parameter_type": "People", "value": "1"},
            {"parameter_id": height["id"], "project": importing.number, "value": "1", "source": "Report"},
            {"parameter_type": "People", "value": "1", "source": "Report"},
        ],
    )
    assert faults == [
        "line 2, parameter_id: There is no parameter of this id.",
        "line 3, parameter_id: Height is not a UUID.",
        "line 4: There is no parameter of this project, type and parents; import it as a parameter first.",
        "line 5, value: Give the value.",
        "line 6, source: Give the source.",
        "line 7, project: Give parameter_id or project, not both.",
        "line 8: Line 6 has the same parameter; give each parameter once.",
    ]


async def test_a_json_file_brings_all_kinds_at_once_and_ids_as_well_as_names(importing: Importing) -> None:
    tower = "01890000-0000-7000-8000-000000000001"
    value = {"value": 450.0, "unit": "m", "source": "Report"}
    content = {
        "entries": [{"project": importing.number, "parameter_type": "Height", "parents": ["Tower"], **value}],
        "parameters": [{"project_id": importing.project, "parameter_type": "Height", "parent_ids": [tower]}],
        "assets": [{"id": tower, "project": importing.number, "name": "Tower", "asset_type": "Building"}],
    }
    await importing.file("tower.json", orjson.dumps(content))
    (parameter,) = await importing.parameters()
    assert [parent["id"] for parent in parameter["parents"]] == [tower]
    (kept,) = parameter["selected_entry"]["values"]
    assert (kept["value"], type(kept["value"])) == (450.0, float)
    before = await importing.everything()
    await importing.file("tower.json", orjson.dumps(content))
    assert await importing.everything() == before


async def test_every_fault_of_a_file_is_told_with_its_line_and_field_and_nothing_is_imported(
    importing: Importing,
) -> None:
    await importing.rows("assets", TOWER)
    faults = await importing.faults(
        "parameters",
        [
            HEIGHT,
            HEIGHT | {"parents": "Tower/Storey 9"},
            HEIGHT | {"parents": "Tower/Storey 1", "parameter_type": "Heigth"},
            {"project": "none", "parameter_type": "Use"},
            HEIGHT | {"parents": "Tower/Storey 1", "unit": "psi"},
            HEIGHT | {"parents": "Tower;Tower/Storey 1", "unit": ""},
            HEIGHT | {"parents": "Tower/Storey 1/Door", "value": "high"},
            {"parents": "Tower", "parameter_type": "People", "value": "1.5", "source": "Report"},
            {"parents": "Tower", "parameter_type": "Use", "value": "x", "unit": "m", "source": "Nothing"},
            HEIGHT,
            {"parameter_type": "Use", "source": "Report"},
        ],
    )
    expected = [
        r"line 3, parents: Tower/Storey 9 names no asset of the project",
        r"line 4, parameter_type: There is no parameter type Heigth that you may see; did you mean Height",
        r"line 5, project: There is no project none that you may see",
        r"line 6, unit: psi is not a unit of Length .* \(such as ft, m\)",
        r"line 7, unit_id: The parameter's type needs an active unit of Length .*such as: ft, m",
        r"line 8, value: high is not a number",
        r"line 9, value: The parameter's type takes an integer",
        r"line 10, source: There is no source Nothing that you may see",
        r"line 10, unit: Use has no unit",
        r"line 11: Line 2 has the same parameter",
        r"line 12, source: A source is given without a value",
    ]
    assert len(faults) == len(expected), faults
    for fault, pattern in zip(faults, expected, strict=True):
        assert re.match(pattern, fault), fault


async def test_what_stands_on_a_faulty_row_has_no_fault_of_its_own(importing: Importing) -> None:
    faults = await importing.faults(
        "assets",
        [
            {"name": "x" * 201, "asset_type": "Building"},
            {"name": "Below", "asset_type": "Storey", "parent": "x" * 201},
            {"name": "Tower", "asset_type": "Bilding"},
            {"name": "Storey 1", "asset_type": "Storey", "parent": "Tower"},
            {"asset_sub_type": "Door", "parent": "Tower/Storey 1"},
            {"name": "Hatch", "asset_type": "Opening"},
            {"name": "Shed", "asset_type": "Building", "asset_sub_type": "Door"},
            {"asset_type": "Building"},
            {"name": "Annex"},
            {"name": "Late", "asset_type": "Storey", "parent": "Later"},
            {"name": "Later", "asset_type": "Building"},
            {"name": "Later", "asset_type": "Building"},
            {"name": "Odd", "asset_type": "Building", "id": "7"},
        ],
    )
    expected = [
        r"line 2, name: name must have at most 200 characters",
        r"line 4, asset_type: There is no asset type Bilding .*did you mean Building",
        r"line 7, name: name must be that of a sub type of the asset type, which are: Door, Window",
        r"line 8, asset_sub_type: There is no asset sub type Door",
        r"line 9, name: name is blank",
        r"line 10, asset_type: Give the asset type",
        r"line 11, parent: Later names no asset of the project; a row that makes it must come before",
        r"line 13, name: Line 12 makes an asset of this name, type and parent already",
        r"line 14, id: 7 is not a UUID",
    ]
    assert len(faults) == len(expected), faults
    for fault, pattern in zip(faults, expected, strict=True):
        assert re.match(pattern, fault), fault


async def test_names_that_several_rows_have_are_refused_and_ids_taken(importing: Importing) -> None:
    world = importing.world
    await importing.rows("assets", TOWER)
    towers = [row for row in await importing.assets() if row["name"] == "Tower"]
    twin = await world.asset(importing.project, towers[0]["asset_type"]["id"], "Tower")
    second = await world.source("Report")
    faults = await importing.faults("parameters", [HEIGHT])
    assert faults == [
        "line 2, parents: Tower names 2 assets; give parent_ids instead.",
    ]
    by_id = {"parent_ids": f"{twin['id']};{towers[0]['id']}", "parameter_type": "Height"}
    assert await importing.faults("parameters", [by_id | {"value": "3", "unit": "m", "source": "Report"}]) == [
        "line 2, source: 2 sources are called Report; give source_id instead."
    ]
    await importing.rows("parameters", [by_id | {"value": "3", "unit": "m", "source_id": second["id"]}])
    (made,) = await importing.parameters()
    assert len(made["parents"]) == 2
    both = by_id | {"value": "3", "unit": "m", "source": "Report", "source_id": second["id"], "parents": "Tower"}
    assert await importing.faults("parameters", [both]) == ["line 2, parent_ids: Give parents or parent_ids, not both."]


async def test_a_symbol_of_two_systems_is_taken_when_it_means_the_same_in_both(importing: Importing) -> None:
    world = importing.world
    await importing.rows("assets", TOWER)
    types = (await world.ann.call("ListParameterTypes", page_limit=100))["parameter_types"]
    own_length = next(row for row in types if row["name"] == "Height")["unit_type"]["id"]
    await world.unit(own_length, "ft")
    (fault,) = await importing.faults("parameters", [HEIGHT | {"unit": "ft"}])
    assert fault.startswith("line 2, unit: ft stands for several units")
    assert "give unit_id instead" in fault
    async with world.db.transaction() as tx:
        await catalogue.load_catalogue(tx, announce=False)
    unit_types = (await world.ann.call("ListUnitTypes", page_limit=1000))["unit_types"]
    length = next(row for row in unit_types if row["name"] == "Length")
    feet = [unit for system in length["unit_systems"] for unit in system["units"] if unit["symbol"] == "ft"]
    assert len(feet) == 2, "the foot stands in the imperial and in the US customary system"
    await world.parameter_type(name="Span", unit_type_id=length["id"])
    await importing.rows("parameters", [HEIGHT | {"parameter_type": "Span", "unit": "ft"}])
    (made,) = await importing.parameters()
    assert made["selected_entry"]["values"][0]["unit"]["symbol"] == "ft"


async def test_a_client_imports_with_its_own_rights_and_no_others(importing: Importing) -> None:
    environment = importing.world.world.as_("ann", "environment")
    hidden = (await environment.call("CreateProject", project_number="Secret", confidential=True))["project"]
    for row, column in (({"project": "Secret"}, "project"), ({"project_id": hidden["project_id"]}, "project_id")):
        (fault,) = await importing.faults("assets", [{**row, "name": "Vault", "asset_type": "Building"}])
        assert fault.startswith(f"line 2, {column}: There is no project")
    async with importing.world.db.transaction() as tx:
        admin, _ = await create_client(tx, Secrets(Roots.derived(bytes(32))), "Chief", admin=True)
    await importing.rows(
        "assets", [{"project": "Secret", "name": "Vault", "asset_type": "Building"}], client_id=admin["client_id"]
    )
    for client_id in (NOBODY, "nobody"):
        with pytest.raises(ValueError, match="names no active client"):
            await importing.rows("assets", TOWER, client_id=client_id)


async def test_a_dry_run_finds_faults_and_changes_nothing(importing: Importing) -> None:
    before = await importing.everything()
    await importing.rows("assets", TOWER, dry_run=True)
    assert await importing.everything() == before
    with pytest.raises(ImportRefusedError):
        await importing.rows("assets", [{"name": "x", "asset_type": "nothing"}], dry_run=True)


async def test_a_file_of_several_calls_is_imported_as_a_whole_or_not_at_all(
    importing: Importing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catenary_core.services.parameter.imports.writing.BATCH", 10)
    rows = [{"name": "Tower", "asset_type": "Building"}]
    rows += [{"name": f"Storey {n}", "asset_type": "Storey", "parent": "Tower"} for n in range(35)]
    taken = {"id": "01890000-0000-7000-8000-00000000000a"}
    other = await importing.world.project()
    types = (await importing.world.ann.call("ListAssetTypes"))["asset_types"]
    await importing.world.asset(other, types[0]["id"], "Elsewhere", **taken)
    # The id is taken by an asset of another project, which the service's refusal names without saying which item it was.
    faults = await importing.faults("assets", [*rows, {"name": "Last", "asset_type": "Building", **taken}])
    assert len(faults) == 1
    assert faults[0].startswith("line 38, id: The id 01890000-0000-7000-8000-00000000000a is taken")
    await importing.rows("assets", rows)
    assert len(await importing.assets()) == 36


async def test_a_fault_of_the_services_ends_the_import_and_blames_no_row(
    importing: Importing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("a bug")

    monkeypatch.setattr(rules, "new_asset", broken)
    before = await importing.everything()
    with pytest.raises(calling.FailedError, match="its log has the cause"):
        await importing.rows("assets", TOWER)
    assert await importing.everything() == before


async def test_rows_of_a_linked_project_need_the_role_of_the_client(importing: Importing) -> None:
    """An import has the rights of the client that it is made as."""
    platform = importing.world.world.as_("ann", "platform")
    link = {"name": "Linked", "environment_project_id": importing.project}
    await platform.call("CreateProject", **link)
    rows = [{"name": name, "asset_type": "Building"} for name in ("A", "B", "C")]
    faults = await importing.faults("assets", rows)
    assert len(faults) == 3
    assert all("the role editor" in fault for fault in faults)
