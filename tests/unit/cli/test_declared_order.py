"""The order of metrics and constraints at the command line."""

from __future__ import annotations

from catenary_cli.remote.declared_order import arranged


def test_declared_names_come_first_and_others_after_them() -> None:
    given = {"area": 1, "cost_per_m": 2, "mass": 3, "volume": 4}
    assert list(arranged(given, ["volume", "mass", "area"])) == ["volume", "mass", "area", "cost_per_m"]


def test_a_declared_name_without_a_value_is_left_out() -> None:
    assert arranged({"mass": 3}, ["volume", "mass"]) == {"mass": 3}
