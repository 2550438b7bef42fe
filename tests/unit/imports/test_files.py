"""Files into rows: what is read, and what each bad file is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from catenary_cli.imports import files
from catenary_core.services.parameter.imports import files as contents
from catenary_core.services.parameter.imports.faults import MOST, Faults, Row, TooManyFaultsError

HEADER = "project,parents,parameter_type,value\n"


def _read(tmp_path: Path, name: str, content: str | bytes, kind: str | None = None) -> tuple[dict[str, Any], list[str]]:
    path, faults = tmp_path / name, Faults()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        rows = files.read(path, kind, faults)
    except TooManyFaultsError:
        rows = {}
    return rows, [str(fault) for fault in faults.found]


def test_a_csv_file_is_read_with_the_line_of_each_row(tmp_path: Path) -> None:
    text = HEADER + '\nP-1, A/B ; C ,Use,"two\nlines, and "" a quote"\n,,,\nP-1,,Height,  4.5\n'
    for content in (text, "\ufeff" + text, text.replace("\n", "\r\n")):
        rows, faults = _read(tmp_path, "my-parameters.csv", content)
        assert faults == []
        first, second = rows["parameters"]
        assert (first.line, first.place) == (3, "line 3")
        assert first.cells["parents"] == ["A/B", "C"]
        assert first.cells["value"].splitlines() == ["two", 'lines, and " a quote']
        assert second == Row(6, "", {"project": "P-1", "parameter_type": "Height", "value": "  4.5"})


def test_a_json_file_is_read_with_the_line_of_each_item(tmp_path: Path) -> None:
    content = """{
      "entries": [],
      "assets": [
        {"project": "P-1", "name": "Tower", "asset_type": "Building", "parent": null},
        {"project": "P-1",
         "name": "Storey 1", "asset_type": "Storey", "parent": "Tower"}, {"name": " "}
      ],
      "parameters": [{"value": 450.0, "parents": ["Tower"]}, {"value": 9223372036854775807}, {"value": ""}]
    }"""
    rows, faults = _read(tmp_path, "tower.json", content)
    assert faults == []
    assert list(rows) == ["assets", "parameters", "entries"], "in the order in which they are imported"
    assert [row.place for row in rows["assets"]] == [
        "assets[0] in line 4",
        "assets[1] in line 5",
        "assets[2] in line 6",
    ]
    assert "parent" not in rows["assets"][0].cells, "null is blank"
    assert rows["assets"][2].cells == {}
    values = [row.cells["value"] for row in rows["parameters"]]
    assert values == [450.0, 2**63 - 1, ""]
    assert [type(value) for value in values] == [float, int, str]
    minified = json.dumps(json.loads(content), separators=(",", ":"))
    again, faults = _read(tmp_path, "tower.json", minified)
    assert faults == []
    assert [row.cells for row in again["assets"]] == [row.cells for row in rows["assets"]]
    assert len({row.place for row in again["assets"]}) == 3, "rows of one line are told apart"


def test_a_list_takes_its_kind_from_the_flag_or_the_files_name(tmp_path: Path) -> None:
    content = '[{"project": "P-1"}]'
    assert list(_read(tmp_path, "Tower Assets.json", content)[0]) == ["assets"]
    assert list(_read(tmp_path, "tower.json", content, "entries")[0]) == ["entries"]
    assert list(_read(tmp_path, "assets.csv", "project,value\nP-1,3\n", "entries")[0]) == ["entries"]
    for name in ("tower.json", "tower.csv"):
        with pytest.raises(files.FileError, match="give --kind"):
            _read(tmp_path, name, content)


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        ("", ["The file has no rows; it needs a header and a line for each row."]),
        (HEADER + "\n,,,\n", ["The file has no rows; it needs a header and a line for each row."]),
        (HEADER.encode() + b"P-1,,Caf\xe9,1\n", ["line 2: The byte 0xE9 is not UTF-8"]),
        (HEADER.encode("utf-16"), ["The file is in UTF-16; save it as UTF-8"]),
        (HEADER + "P-1,,Use,a\0b\n", ["line 2: The character U+0000 can't be kept"]),
        ("project;parents;value\nP-1;;3\n", ["line 1: The columns are not separated by commas"]),
        ("project\tvalue\nP-1\t3\n", ["line 1: The columns are not separated by commas"]),
        ("project,value,project\nP-1,3,P-1\n", ["line 1, project: The header has the column project twice."]),
        ("project,,value\nP-1,,3\n", ["line 1: Column 2 has no name in the header."]),
        (
            "project,parent,valeu\nP-1,,3\n",
            [
                "line 1, parent: Parameters have no column parent; did you mean parents",
                "line 1, valeu: Parameters have no column valeu; did you mean value",
            ],
        ),
        (
            "Project,Value\nP-1,3\n",
            ["line 1, Project: Parameters have no column Project; did you mean project", "Value"],
        ),
        (
            HEADER + "P-1,,Height\nP-1,,Height,1,2\nP-1,,Height,1\n",
            ["line 2: The line has 3 cells, and the header 4", "line 3: The line has 5 cells, and the header 4"],
        ),
        (HEADER + 'P-1,,Use,"open\nP-1,,Use,b\n', ["line 2: A quote that begins here is not closed"]),
        (HEADER + 'P-1,,Use,"a" b\n', ["line 2: The line is not valid CSV"]),
        (HEADER + f"P-1,,Use,{'a' * 140_000}\n", ["line 2: A cell has over 131,072 characters"]),
    ],
)
def test_a_bad_csv_file_is_told_its_lines(tmp_path: Path, content: str | bytes, faults: list[str]) -> None:
    _, found = _read(tmp_path, "parameters.csv", content)
    assert len(found) == len(faults), found
    for text, expected in zip(found, faults, strict=True):
        assert expected in text


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        ("", ["line 1: The file is not valid JSON: expected a list, or an object"]),
        ("{}", ["The file has no items."]),
        ('{"assets": []}', ["The file has no items."]),
        ('{"asset": []}', ["line 1: asset is none of assets, parameters, entries, or is given twice."]),
        (
            '{"assets": [],\n "assets": []}',
            ["line 2: assets is none of assets, parameters, entries, or is given twice."],
        ),
        ('{"assets": {}}', ["line 1: The file is not valid JSON: expected the list of assets here."]),
        ('{"assets": [{}]\n} x', ["line 2: The file is not valid JSON: there is more text after its end."]),
        ('{"assets": [{}\n {}]}', ["line 2: The file is not valid JSON: expected a comma or ] here."]),
        ('{"assets": [\n{"name": "a"},\n{"name": }]}', ["line 3: The file is not valid JSON: Expecting value."]),
        ('{"assets": [\n3, ["x"], null]}', ["line 2, assets[0]: An item is an object", "assets[1]", "assets[2]"]),
        ('{"assets": [{"name": "a", "name": "b"}]}', ["assets[0]: assets[0] is not an acceptable JSON value: a key"]),
        ('{"assets": [{"nam": "a"}]}', ["line 1, assets[0], nam: Assets have no key nam; did you mean name"]),
        ('{"assets": [{"name": 3}]}', ["line 1, assets[0], name: name must be a text."]),
        ('{"entries": [{"parents": "A"}]}', ["line 1, entries[0], parents: parents must be a list of texts."]),
        ('{"entries": [{"parents": ["A", 1]}]}', ["parents must be a list of texts."]),
        ('{"entries": [{"value": NaN}, {"value": 1e999}]}', ["NaN is not JSON", "a number is too large"]),
        ('{"entries": [{"value": 1e400}]}', ["a number is too large"]),
        ('{"entries": [{"value": "\\ud800"}, {"comment": "\\u0000"}]}', ["characters that can't be kept"] * 2),
        ('{"entries": [{"value": ' + "[" * 40 + "]" * 40 + "}]}", ["nested over 32 deep"]),
        ('{"entries": [{"value": ' + "[" * 100_000, ["The file is not valid JSON"]),
        ('{"entries": [{"value": 1' + "0" * 10_000 + "}]}", ["a number is too large"]),
    ],
)
def test_a_bad_json_file_is_told_its_items(tmp_path: Path, content: str, faults: list[str]) -> None:
    _, found = _read(tmp_path, "tower.json", content)
    assert len(found) == len(faults), found
    for text, expected in zip(found, faults, strict=True):
        assert expected in text


def test_reading_stops_after_a_hundred_faults(tmp_path: Path) -> None:
    _, found = _read(tmp_path, "parameters.csv", HEADER + "P-1\n" * 1000)
    assert len(found) == MOST


def test_files_of_another_type_or_size_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(files.FileError, match=r"neither \.csv nor \.json"):
        _read(tmp_path, "assets.xlsx", b"PK")
    monkeypatch.setattr(contents, "MAX_BYTES", 10)
    with pytest.raises(files.FileError, match="split it"):
        _read(tmp_path, "parameters.csv", HEADER)
    monkeypatch.setattr(contents, "MAX_BYTES", 10_000)
    monkeypatch.setattr(contents, "MAX_ROWS", 2)
    assert "over 2 rows" in _read(tmp_path, "parameters.csv", HEADER + "P-1,,A,1\n" * 3)[1][0]
    assert "over 2 items" in _read(tmp_path, "assets.json", "[{}, {}, {}]")[1][0]
