"""Points of a batch in a JSON file, as the command line sends them."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from catenary_cli.exploration.batches import points_of


@pytest.mark.parametrize(
    "given",
    [
        b'[{"span": 4}, {"span": {"value": 30, "unit": "ft"}}]',
        b'[{"parameters": {"span": 4}}, {"parameters": {"span": {"value": 30, "unit": "ft"}}}]',
        b'{"evaluations": [{"parameters": {"span": 4}}, {"span": {"value": 30, "unit": "ft"}}]}',
    ],
)
def test_points_are_values_alone_or_as_in_a_request(tmp_path: Path, given: bytes) -> None:
    file = tmp_path / "points.json"
    file.write_bytes(given)
    assert points_of(file) == [{"parameters": {"span": 4}}, {"parameters": {"span": {"value": 30, "unit": "ft"}}}]


def test_a_parameter_may_be_called_parameters(tmp_path: Path) -> None:
    file = tmp_path / "points.json"
    file.write_bytes(b'[{"parameters": 3}]')
    assert points_of(file) == [{"parameters": {"parameters": 3}}]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b'[{"span": 4},\n {"span": }]', "points.json, line 2: "),
        (b"\xff\xfe[]", "save it as JSON in UTF-8"),
        (b'{"points": []}', r"must be a list of points, such as \[\{"),
        (b'{"evaluations": {"span": 4}}', "must be a list of points"),
        (b"[4, 5]", "must be a list of points"),
        (orjson.dumps([{"span": 4}] * 1001), "has 1,001 points; JSON takes 1,000, a CSV file 10,000"),
    ],
)
def test_a_file_that_gives_no_points_is_refused(tmp_path: Path, given: bytes, told: str) -> None:
    file = tmp_path / "points.json"
    file.write_bytes(given)
    with pytest.raises(ValueError, match=told):
        points_of(file)
