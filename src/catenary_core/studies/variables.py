"""The parameters that a study varies, each as one coordinate of a vector of doubles.

A coordinate is the value itself, the number of a step, or the index of a choice. Value and coordinate give each other
exactly, so that a study which is replayed from its stored values goes on bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, ClassVar

from catenary_wire.steps import nth

Value = float | int | bool | str
_HALF = 0.499
"""Half a step, but for a little: a coordinate rounds to a step of the range."""


@dataclass(frozen=True, slots=True)
class Range:
    """A number without steps."""

    name: str
    """Name of the parameter."""
    low: float
    """Smallest value."""
    high: float
    """Largest value."""
    kind: ClassVar[str] = "range"
    is_discrete: ClassVar[bool] = False
    """True where coordinates are whole numbers."""
    is_ordered: ClassVar[bool] = True
    """True where a coordinate between two others is a value between theirs."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the greatest coordinate."""
        return self.low, self.high

    def value(self, coordinate: float) -> Value:
        """Return the value at a coordinate."""
        return float(min(max(coordinate, self.low), self.high)) + 0.0

    def coordinate(self, value: Any) -> float:
        """Return the coordinate of a value, or of the value of the range that is nearest."""
        return min(max(float(value), self.low), self.high)


@dataclass(frozen=True, slots=True)
class StepRange:
    """A number on steps, or an integer."""

    name: str
    """Name of the parameter."""
    start: float
    """Number from which steps are counted."""
    step: float
    """Distance of two values."""
    first: int
    """Number of the first step of the range."""
    last: int
    """Number of the last step of the range."""
    whole: bool
    """True for integers."""
    kind: ClassVar[str] = "steps"
    is_discrete: ClassVar[bool] = True
    is_ordered: ClassVar[bool] = True

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the greatest coordinate that rounds to a step of the range."""
        return -_HALF, self.last - self.first + _HALF

    def value(self, coordinate: float) -> Value:
        """Return the value at a coordinate."""
        found = nth(self.start, self.step, self.first + _index(coordinate, self.last - self.first))
        return round(found) if self.whole else float(found) + 0.0

    def coordinate(self, value: Any) -> float:
        """Return the coordinate of a value, or of the step of the range that is nearest."""
        steps = (Fraction(value) - Fraction(repr(self.start))) / Fraction(repr(self.step))
        return float(min(max(round(steps), self.first), self.last) - self.first)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values; numbers stand in their order."""

    name: str
    """Name of the parameter."""
    choices: tuple[Value, ...]
    """Values."""
    is_ordered: bool
    kind: ClassVar[str] = "choice"
    is_discrete: ClassVar[bool] = True

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the greatest coordinate that rounds to an index."""
        return -_HALF, len(self.choices) - 1 + _HALF

    def value(self, coordinate: float) -> Value:
        """Return the value at a coordinate."""
        return self.choices[_index(coordinate, len(self.choices) - 1)]

    def coordinate(self, value: Any) -> float:
        """Return the coordinate of a value; of a number that is no choice, of the choice that is nearest."""
        for index, choice in enumerate(self.choices):
            if choice == value and isinstance(choice, bool) == isinstance(value, bool):
                return float(index)
        if self.is_ordered and isinstance(value, int | float):
            return float(min(range(len(self.choices)), key=lambda at: abs(float(self.choices[at]) - value)))
        return 0.0


Variable = Range | StepRange | Choice
_KINDS: Mapping[str, Callable[..., Variable]] = {"range": Range, "steps": StepRange, "choice": Choice}


def to_json(variable: Variable) -> dict[str, Any]:
    """Return a variable as plain values."""
    return {"kind": variable.kind, **asdict(variable)}


def from_json(given: Mapping[str, Any]) -> Variable:
    """Return the variable that `to_json` wrote."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items() if name != "kind"
    }
    return _KINDS[given["kind"]](**fields)


def values(variables: Sequence[Variable], vector: Sequence[float]) -> dict[str, Value]:
    """Return the value of each variable at a vector."""
    return {variable.name: variable.value(at) for variable, at in zip(variables, vector, strict=True)}


def vector(variables: Sequence[Variable], given: Mapping[str, Any]) -> list[float]:
    """Return the vector of values; a name without a value has the first coordinate."""
    return [
        variable.coordinate(given[variable.name]) if variable.name in given else math.ceil(variable.bounds[0])
        for variable in variables
    ]


def holds(variable: Variable, value: Any) -> bool:
    """Return whether a variable takes exactly this value."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number and not isinstance(variable, Choice):
        return False
    found = variable.value(variable.coordinate(value))
    return found == value and isinstance(found, bool) == isinstance(value, bool)


def of_shares(variables: Sequence[Variable], shares: Sequence[float]) -> list[float]:
    """Return the vector at the given shares, 0 to 1, of the variables' ranges; each step has an equal share."""
    found = []
    for variable, share in zip(variables, shares, strict=True):
        low, high = variable.bounds
        if variable.is_discrete:
            count = round(high - low - 2 * _HALF) + 1
            found.append(float(min(math.floor(share * count), count - 1)))
        else:
            found.append(min(max(low + share * (high - low), low), high))
    return found


def _index(coordinate: float, last: int) -> int:
    return min(max(round(coordinate), 0), last)
