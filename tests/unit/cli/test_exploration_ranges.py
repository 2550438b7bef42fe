"""Ranges on the command line, and the header of a file of points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from catenary_cli.exploration import batches
from catenary_cli.exploration.ranges import VariedRange


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("span", {}),
        ("span=4..12", {"min": 4, "max": 12}),
        ("span=-0.5..1e3", {"min": -0.5, "max": 1000.0}),
        ("span=4..", {"min": 4}),
        ("span=..12", {"max": 12}),
        ("span=4..12:5", {"min": 4, "max": 12, "count": 5}),
        ("span=4..12:5 ft", {"min": {"value": 4, "unit": "ft"}, "max": {"value": 12, "unit": "ft"}, "count": 5}),
        ("span=4,6,8", {"values": [4, 6, 8]}),
        ("span=4 ft,6 m", {"values": [{"value": 4, "unit": "ft"}, {"value": 6, "unit": "m"}]}),
        ("grade=S235, S355", {"values": ["S235", "S355"]}),
        ("at=[0,0,1],[0,0,2]", {"values": [[0, 0, 1], [0, 0, 2]]}),
        ("lit=true", {"values": [True]}),
    ],
)
def test_a_range_has_bounds_a_count_and_a_unit_or_values(text: str, planned: dict[str, Any]) -> None:
    found = VariedRange.parse(text)
    assert (found.name, found.planned()) == (text.partition("=")[0], planned)


def test_a_study_takes_bounds_and_choices_without_units_and_counts() -> None:
    assert VariedRange.parse("span=4..12").searched() == {"min": 4, "max": 12}
    assert VariedRange.parse("span").searched() == {}
    assert VariedRange.parse("grade=a,b").searched() == {"choices": ["a", "b"]}
    for text in ("span=4..12 ft", "span=4..12:5"):
        with pytest.raises(ValueError, match="span: a study takes bounds in the parameter's own unit"):
            VariedRange.parse(text).searched()


@pytest.mark.parametrize(
    ("text", "told"),
    [("=4..12", "names no parameter"), ("span=four..12", "'four' is no number"), ("span=true..2", "is no number")],
)
def test_a_wrong_range_is_told_with_the_way_out(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        VariedRange.parse(text)


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("span,width [ft]\n4,5\n", "in:span,in:width [ft]\n4,5\n"),
        ("\ufeffin:span;out:mass [kg]\r\n4;5\r\n", "in:span;out:mass [kg]\n4;5\r\n"),
        ("point,status,in:span,out:mass [kg],broken,error\n0,completed,4,5,,\n",
         "out:point,out:status,in:span,out:mass [kg],out:broken,out:error\n0,completed,4,5,,\n"),
        ('"in:span"\tin:note\n4\t"two\nlines"\n', 'in:span\tin:note\n4\t"two\nlines"\n'),
        ("status,img\n1,\n", "in:status,img\n1,\n"),
    ],
)  # fmt: skip
def test_the_columns_of_a_file_get_the_names_that_the_server_takes(given: str, sent: str, tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_bytes(given.encode())
    assert batches.table_of(file).decode() == sent


@pytest.mark.parametrize(
    ("data", "told"), [(b"span\n\xff\n", "not in UTF-8"), (b'"span\n4\n', "line 1"), (b"x" * 100, "limit of")]
)
def test_a_file_that_is_none_is_refused_with_its_name(
    data: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "FILE_BYTES", 50)
    file = tmp_path / "points.csv"
    file.write_bytes(data)
    with pytest.raises(ValueError, match=told) as refused:
        batches.table_of(file)
    assert str(refused.value).startswith(str(file))
