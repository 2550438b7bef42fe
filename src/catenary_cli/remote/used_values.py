"""The values that an evaluation used, and how they came about from those that were given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_cli import show
from catenary_wire.units import unit_table


def rows(
    declared: Sequence[Mapping[str, Any]], given: Mapping[str, Any], used: Mapping[str, Any]
) -> list[tuple[str, str, str, str]]:
    """Return name, value, unit and origin of each parameter, in the order of the declarations.

    Args:
        declared: The parameters of the model.
        given: The values that were sent.
        used: The values of the evaluation.
    """
    units = {parameter["name"]: parameter["unit"] or "" for parameter in declared}
    names = [*(name for name in units if name in used), *(name for name in used if name not in units)]
    return [(name, _shown(used[name]), units.get(name, ""), _origin(name, given, used, units)) for name in names]


def _origin(name: str, given: Mapping[str, Any], used: Mapping[str, Any], units: Mapping[str, str]) -> str:
    """Return the origin of a value: `default`, or what was given where that was another unit or moved to a step."""
    if name not in given:
        return "default"
    value = given[name]
    if not isinstance(value, Mapping) or not isinstance(value.get("value"), int | float):
        return ""
    number, unit = value["value"], str(value.get("unit") or "")
    if unit == units.get(name, ""):
        return ""
    told = f"{show.number(number)} {unit}"
    try:
        exact = unit_table.convert(number, unit, units[name])
    except (KeyError, ValueError):  # a unit that this release does not know
        return told
    return told if exact == used[name] else f"{told} is {exact:.6g} {units[name]}, off the steps"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} rows" if value and isinstance(value[0], Mapping) else ", ".join(map(show.number, value))
    return show.number(value)
