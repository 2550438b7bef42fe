"""`catenary import` and `catenary catalogue load` beside a running server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factories.installations.installation import Running, catenary

pytestmark = pytest.mark.slow

ROWS = 20_000


def _get(running: Running, route: str, **query: Any) -> dict[str, Any]:
    root = running.demo["base_url"].removesuffix("v1/")
    answer = running.http.get(f"{root}{route}", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def _new_project(running: Running, number: str) -> str:
    root = running.demo["base_url"].removesuffix("v1/")
    made = running.http.post(f"{root}environment/v2/projects", json={"project_number": number})
    assert made.status_code == 201, made.text
    return str(made.json()["project"]["project_id"])


def _import(running: Running, file: Path, *flags: str, **variables: str) -> tuple[int, str, str]:
    done = catenary(
        "import", str(file), "--data-dir", str(running.installation.data_dir), *flags, timeout=300, **variables
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_files_are_imported_beside_a_running_server_which_shows_them_at_once(running: Running, tmp_path: Path) -> None:
    project_id = _new_project(running, "IMPORT-1")
    assets, parameters = tmp_path / "assets.csv", tmp_path / "parameters.csv"
    assets.write_text(
        "project,parent,name,asset_type\nIMPORT-1,,Tower,Building\nIMPORT-1,Tower,Storey 1,Storey\n",
        encoding="utf-8-sig",
    )
    parameters.write_text(
        "project,parents,parameter_type,value,unit,source\n"
        "IMPORT-1,Tower/Storey 1,Storey height,4.2,m,Concept design report\n"
        'IMPORT-1,Tower,Use,"Offices, mostly",,Architect\'s brief\n'
    )
    code, out, _ = _import(running, assets, "--dry-run")
    assert (code, "nothing was changed" in out) == (0, True)
    assert _get(running, "parameter/v1/assets", project_id=project_id)["assets"] == []
    for file in (assets, parameters):
        code, out, problem = _import(running, file)
        assert code == 0, problem
        assert f"{file.name} is imported" in out
    listed = _get(running, "parameter/v1/parameters", project_id=project_id)["parameters"]
    assert {row["parameter_type"]["name"]: row["selected_entry"]["values"][0]["value"] for row in listed} == {
        "Storey height": 4.2,
        "Use": "Offices, mostly",
    }
    assert {row["selected_entry"]["created_by"]["staff_name"] for row in listed} == {"Demo"}


def test_a_bad_file_is_told_line_by_line_and_ends_with_1(running: Running, tmp_path: Path) -> None:
    project_id = _new_project(running, "IMPORT-2")
    file = tmp_path / "assets.csv"
    file.write_text(
        "project,name,asset_type\nIMPORT-2,Tower,Building\nIMPORT-2,Annex,Bilding\nIMPORT-2,Shed\nIMPORT-3,Hut,Building\n"
    )
    code, out, problem = _import(running, file)
    assert (code, out) == (1, "")
    head, *faults = problem.strip().splitlines()
    assert head == "Error: assets.csv has 3 faults, and nothing of it was imported."
    assert faults[0].startswith("line 3, asset_type: There is no asset type Bilding")
    assert faults[1].startswith("line 4: The line has 2 cells, and the header 3")
    assert faults[2].startswith("line 5, project: There is no project IMPORT-3")
    assert _get(running, "parameter/v1/assets", project_id=project_id)["assets"] == []


def test_a_file_is_imported_by_a_server_at_an_address(running: Running, tmp_path: Path) -> None:
    project_id = _new_project(running, "IMPORT-4")
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    access = {name: running.demo[key] for name, key in names.items()}
    file, faulty = tmp_path / "assets.csv", tmp_path / "assets.json"
    file.write_text("project,parent,name,asset_type\nIMPORT-4,,Tower,Building\nIMPORT-4,Tower,Storey 1,Storey\n")
    tried = catenary("import", str(file), "--dry-run", **access)
    assert (tried.returncode, "nothing was changed" in tried.stdout) == (0, True), tried.stderr
    assert _get(running, "parameter/v1/assets", project_id=project_id)["assets"] == []
    for added, kept in ((2, 0), (0, 2)):
        done = catenary("import", str(file), **access)
        assert done.returncode == 0, done.stderr
        assert "assets.csv is imported" in done.stdout
        (row,) = [line for line in done.stdout.splitlines() if line.startswith("│ assets")]
        assert [int(cell) for cell in row.split("│")[2:5]] == [added, 0, kept]
    assert {one["name"] for one in _get(running, "parameter/v1/assets", project_id=project_id)["assets"]} == {
        "Tower",
        "Storey 1",
    }
    faulty.write_text(
        '{"assets": [{"project": "IMPORT-4", "name": "a", "asset_type": "Bilding"},\n {"project": "IMPORT-5", "name": "b"}]}'
    )
    refused = catenary("import", str(faulty), **access)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Nothing of the file was imported." in refused.stderr
    assert "There is no asset type Bilding" in refused.stderr
    assert "There is no project IMPORT-5" in refused.stderr
    nobody = catenary("import", str(file), **access | {"CATENARY_CLIENT_SECRET": "wrong"})
    assert (nobody.returncode, nobody.stdout, "Traceback" in nobody.stderr) == (1, "", False)
    unnamed = tmp_path / "tower.csv"
    unnamed.write_text("project,name\n")
    assert "give --kind" in catenary("import", str(unnamed), **access).stderr


def test_what_keeps_an_import_from_beginning_is_one_sentence(running: Running, tmp_path: Path) -> None:
    csv, other, empty = tmp_path / "tower.csv", tmp_path / "assets.xlsx", tmp_path / "assets.csv"
    csv.write_text("project,name\n")
    other.write_bytes(b"PK")
    empty.write_text("")
    for file, said in ((csv, "give --kind"), (other, "neither .csv nor .json"), (empty, "has no rows")):
        code, _, problem = _import(running, file)
        assert code == 1
        assert said in problem
    empty.write_text("project,name,asset_type\nDEMO-001,x,Building\n")
    code, _, problem = _import(running, empty, "--client-id", "nobody")
    assert (code, "names no active client" in problem) == (1, True)
    nowhere = catenary("import", str(empty), "--data-dir", str(tmp_path / "none"))
    assert (nowhere.returncode, "--client-id" in nowhere.stderr) == (2, True)
    lost = catenary(
        "import",
        str(empty),
        "--data-dir",
        str(running.installation.data_dir),
        CATENARY_DATABASE_URL="postgresql://nobody@127.0.0.1:1/none",
    )
    assert (lost.returncode, "Traceback" in lost.stderr) == (1, False)
    assert "Connection refused" in lost.stderr


def test_the_catalogues_load_again_beside_a_running_server(running: Running) -> None:
    root = running.demo["base_url"].removesuffix("v1/")
    units = _get(running, "parameter/v1/units", page_limit=1000)
    gone = next(unit for unit in units["units"] if unit["symbol"] == "clo")
    assert running.http.delete(f"{root}parameter/v1/units/{gone['id']}").status_code == 200
    done = catenary("catalogue", "load", "--data-dir", str(running.installation.data_dir))
    assert done.returncode == 0, done.stderr
    rows = {
        cells[0]: cells[1:]
        for line in done.stdout.splitlines()
        if "│" in line
        for cells in [[cell.strip() for cell in line.strip("│").split("│")]]
    }
    total = units["summary"]["estimate_count"]
    assert rows["unit"] == ["0", str(total - 1), "1"]
    assert rows["country"] == ["0", "249", "0"]
    assert set(rows) == {"unit", "unit type", "unit system", "source type", "record type", "region", "country"}
    again = _get(running, "parameter/v1/units", page_limit=1000)
    assert gone["id"] not in {unit["id"] for unit in again["units"]}


def test_twenty_thousand_rows_are_imported_as_a_whole_or_not_at_all(running: Running, tmp_path: Path) -> None:
    project_id = _new_project(running, "IMPORT-6")
    assets, parameters = tmp_path / "assets.csv", tmp_path / "parameters.csv"
    storeys = "".join(f"IMPORT-6,Tower,Storey {n},Storey\n" for n in range(ROWS // 4))
    assets.write_text(f"project,parent,name,asset_type\nIMPORT-6,,Tower,Building\n{storeys}")
    code, _, problem = _import(running, assets)
    assert code == 0, problem
    types = (("Storey height", "m"), ("Floor area", "m2"), ("Imposed load", "kN/m2"), ("Occupancy", "person"))
    rows = [
        f"IMPORT-6,Tower/Storey {n},{name},{n},{unit},Concept design report\n"
        for n in range(ROWS // 4)
        for name, unit in types
    ]
    header = "project,parents,parameter_type,value,unit,source\n"
    parameters.write_text(header + "".join(rows[:-1]) + "IMPORT-6,Tower,Occupancy,half,person,Concept design report\n")
    code, _, problem = _import(running, parameters)
    assert code == 1
    assert problem.splitlines()[1].startswith(f"line {ROWS + 1}, value: half is not a number")
    assert _get(running, "parameter/v1/parameters", project_id=project_id)["parameters"] == []
    parameters.write_text(header + "".join(rows))
    code, out, problem = _import(running, parameters)
    assert code == 0, problem
    assert "20,000" in out
    (last,) = _get(running, "parameter/v1/parameters", project_id=project_id, page_limit=1, order="desc")["parameters"]
    assert last["selected_entry"]["values"][0]["value"] > 0
    entries = _get(running, "parameter/v1/parameters", project_id=project_id, qa_status="unanswered")
    assert entries["parameters"] == []
