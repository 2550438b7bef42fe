"""Colours, dates, points and tables in the cells of a CSV file of values."""

from __future__ import annotations

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.plans import csv_files, layout
from factories.services.evaluations import parameter

PARAMETERS = [
    parameter("shade", "color", "#b8b2a7"),
    parameter("begin", "date", "2026-02-28"),
    parameter("corner", "point", [1.0, 2.0, 3.0], unit="m"),
    parameter("loads", "table", [{"at": 1.0}], columns=[{"name": "at", "type": "number", "unit": "m"}]),
]


def test_values_of_every_type_are_read_as_they_were_written() -> None:
    made = layout.layout(PARAMETERS, [rules.resolve(PARAMETERS, {"corner": [x, 0, 0]}) for x in range(3)])
    assert csv_files.read(PARAMETERS, csv_files.write(made).decode(), 10) == made


def test_a_point_takes_the_unit_of_its_column() -> None:
    found = csv_files.read(PARAMETERS, 'in:corner [ft]\n"[10, 0, -10]"\n', 10)
    assert found.rows == [[[3.048, 0.0, -3.048]]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("in:shade\nred\n", "Line 2: shade must be a colour"),
        ("in:begin\n2026-02-30\n", "Line 2: begin must be a day"),
        ('in:corner\n"[1, 2]"\n', "Line 2: corner must be a point"),
        ("in:corner [ft]\n12\n", "Line 2: corner must be a point"),
        ('in:loads\n"[{""to"": 1}]"\n', "Line 2: loads, row 1 must be an object with exactly at."),
        ("in:shade\n=1+1\n", "csv, line 2: the cell of shade begins as a formula"),
    ],
)
def test_a_cell_that_is_none_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(DomainError) as caught:
        csv_files.read(PARAMETERS, text, 10)
    assert caught.value.message.startswith(message)
