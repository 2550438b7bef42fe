"""The design that a person changes by keys in a live session."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from catenary_cli.exploration.proportion import proportion
from catenary_cli.remote.use import parse_value
from catenary_wire.steps import neighbours

FAR = 10
"""Steps of a long move."""
_PARTS = 100
"""Steps over the range of a number without steps."""
_SMALLEST_STEP = 1e-300
"""Smallest step of such a number."""


class EditedDesign:
    """The values of a model's parameters, of which one is chosen; keys change no table and no file."""

    def __init__(self, declared: Sequence[Mapping[str, Any]], given: Mapping[str, Any]) -> None:
        """Begin with the given values, and the defaults of the other parameters.

        Raises:
            ValueError: A given value is for no parameter of the model.
        """
        names = [one["name"] for one in declared]
        if unknown := sorted(given.keys() - set(names)):
            raise ValueError(
                f"{unknown[0]} is no parameter of the model; its parameters are: {', '.join(names) or 'none'}"
            )
        self.declared = [one for one in declared if one["type"] not in ("table", "file")]
        self.values = {one["name"]: given.get(one["name"], one["default"]) for one in self.declared}
        self.kept = {name: value for name, value in given.items() if name not in self.values}
        """Given tables and files by name."""
        self.at = 0

    @property
    def chosen(self) -> Mapping[str, Any]:
        """Return the chosen parameter."""
        return self.declared[self.at]

    @property
    def all_values(self) -> dict[str, Any]:
        """Return the values by name, with given tables and files."""
        return self.values | self.kept

    def choose(self, by: int) -> None:
        """Choose the parameter that is some rows below, from the last to the first."""
        self.at = (self.at + by) % len(self.declared)

    def move(self, by: int) -> bool:
        """Move the chosen value by some steps within its range; return whether it changed."""
        one = self.chosen
        if (choices := _choices(one)) is not None:
            value = self.values[one["name"]]
            at = choices.index(value) if value in choices else 0
            return self._set(choices[min(len(choices) - 1, max(0, at + by))])
        if one["type"] not in ("number", "integer"):
            return False
        return self._set(_moved(one, self.values[one["name"]], by))

    def end(self, key: str) -> bool:
        """Move the chosen value to the bound `min` or `max`; return whether it changed."""
        one = self.chosen
        if (choices := _choices(one)) is not None:
            return self._set(choices[0 if key == "min" else -1])
        return one[key] is not None and self._set(one[key])

    def reset(self) -> bool:
        """Give the chosen parameter its default; return whether it changed."""
        return self._set(self.chosen["default"])

    def type_in(self, text: str) -> bool:
        """Give the chosen parameter a typed value, which the server checks; return whether it changed."""
        _, value = parse_value(f"{self.chosen['name']}={text}")
        return self._set(text if self.chosen["type"] in ("string", "color", "date") else value)

    def take(self, values: Mapping[str, Any]) -> None:
        """Take the values that the server used, in the declared units."""
        self.values |= {name: value for name, value in values.items() if name in self.values}

    def part(self, one: Mapping[str, Any]) -> float | None:
        """Return how far a value is between its bounds, from 0 to 1; None without two bounds."""
        value = self.values[one["name"]]
        low, high = one["min"], one["max"]
        if low is None or high is None or type(value) not in (int, float) or high <= low:
            return None
        return proportion(value, low, high)

    def _set(self, value: Any) -> bool:
        name = self.chosen["name"]
        changed = bool(self.values[name] != value)
        self.values[name] = value
        return changed


def _choices(one: Mapping[str, Any]) -> list[Any] | None:
    if one["type"] == "boolean":
        return [False, True]
    return list(one["choices"]) or None


def _moved(one: Mapping[str, Any], value: Any, by: int) -> Any:
    """Return a number some steps away, on the steps and between the bounds; an unfit value gives the default."""
    low, high, step = one["min"], one["max"], one["step"]
    if type(value) not in (int, float):
        return one["default"]
    if step is None:
        step = 1 if one["type"] == "integer" else _step_of(low, high, one["default"])
    start = low or 0
    if one["type"] == "integer":
        start, step, value = int(start), int(step), int(value)
    try:
        # Half a step more and then down is the nearest.
        found, _ = neighbours(value + (by + 0.5) * step, start, step)
        if high is not None and found > high:
            found = neighbours(high, start, step)[0]
    except OverflowError:  # The grid ends where the numbers do.
        return value
    if low is not None and found < low:
        found = low
    return value if one["positive"] and found <= 0 else found


def _step_of(low: float | None, high: float | None, default: float) -> float:
    """Return a round step for a number that declares none: about a hundredth of its range, or of its default."""
    span = high - low if low is not None and high is not None and high > low else abs(default) or 1.0
    span = min(sys.float_info.max, max(_PARTS * _SMALLEST_STEP, span))
    return float(10.0 ** math.floor(math.log10(span / _PARTS) + 0.5))
