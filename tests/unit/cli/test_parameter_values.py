"""Values of parameters as they are written on the command line."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_cli.remote.use import parse_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("3 ft", {"value": 3, "unit": "ft"}),
        ("3 US survey ft", {"value": 3, "unit": "US survey ft"}),
        ("true", True),
        ("S355", "S355"),
        ("#b8b2a780", "#b8b2a780"),
        ("2026-02-28", "2026-02-28"),
        ("[1, 2, 3]", [1, 2, 3]),
        ("[1, 2, 3] ft", {"value": [1, 2, 3], "unit": "ft"}),
        (" [1,2,3]  ft ", {"value": [1, 2, 3], "unit": "ft"}),
        ("[1, 2 ft", "[1, 2 ft"),
        ("[draft] plan", "[draft] plan"),
        ('[{"at": 1}]', [{"at": 1}]),
        ("", ""),
    ],
)
def test_a_value_is_json_a_value_with_a_unit_or_text(text: str, value: Any) -> None:
    assert parse_value(f"name={text}") == ("name", value)
