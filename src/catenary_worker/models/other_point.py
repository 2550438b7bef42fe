"""The second point of a version's check: legal values other than the defaults, chosen from the description alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from catenary_wire.steps import neighbours, on_step

_PART = 10
"""A number goes this part of the way from its default to the farther bound."""


def other_point(parameters: Sequence[Mapping[str, Any]]) -> dict[str, object] | None:
    """Return values of which each has another value than its default where the declaration allows one.

    Numbers stay on their steps and in their range, near the default: a value far off may be one that takes a model
    minutes.

    Returns:
        The values by name; None if no parameter allows another value.
    """
    point = {parameter["name"]: _other(parameter) for parameter in parameters}
    return None if all(point[parameter["name"]] == parameter["default"] for parameter in parameters) else point


def _other(parameter: Mapping[str, Any]) -> object:
    default = parameter["default"]
    if parameter["type"] == "boolean":
        return not default
    if parameter["type"] == "choice":
        return next((choice for choice in parameter["choices"] if choice != default), default)
    if parameter["type"] in ("number", "integer"):
        return next((value for value in _candidates(parameter) if _is_legal(parameter, value)), default)
    if parameter["type"] == "color":
        return "#000000" if default != "#000000" else "#ffffff"
    if parameter["type"] == "date":
        day = date.fromisoformat(default)
        return (day - timedelta(1) if day == date.max else day + timedelta(1)).isoformat()
    if parameter["type"] == "point":
        length = max(map(abs, default)) / _PART or 1.0
        moved = [coordinate + length for coordinate in default]
        return moved if all(map(math.isfinite, moved)) else default
    return default


def _candidates(parameter: Mapping[str, Any]) -> list[int | float]:
    """Return other values of a number, the preferred first: towards the farther bound, then towards the nearer one."""
    default, low, high, step = (parameter[key] for key in ("default", "min", "max", "step"))
    if low is None and parameter["positive"]:
        low = 0
    up, down = (math.inf if high is None else high - default), (math.inf if low is None else default - low)
    found: list[int | float] = []
    for sign, room in sorted(((1, up), (-1, down)), key=lambda way: -way[1]):
        length = room / _PART if math.isfinite(room) else max(abs(default) / _PART, 1)
        for distance in (length, step or length, 1):
            aim = default + sign * distance
            if step is not None:
                try:
                    found += neighbours(aim, low or 0, step)[::-sign]
                except OverflowError:
                    continue
            elif parameter["type"] == "integer":
                found.append(default + sign * max(1, int(distance)))
            else:
                found.append(aim)
    return found


def _is_legal(parameter: Mapping[str, Any], value: float) -> bool:
    """Return whether a number may stand for the parameter, and is not its default."""
    low, high, step = (parameter[key] for key in ("min", "max", "step"))
    return (
        value != parameter["default"]
        and math.isfinite(value)
        and (low is None or value >= low)
        and (high is None or value <= high)
        and (step is None or on_step(value, low or 0, step))
        and (value > 0 or not parameter["positive"])
        and (parameter["type"] != "integer" or -(2**63) <= value < 2**63)
    )
