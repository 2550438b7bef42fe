"""The values that a plan may take for one parameter: a list of them, or an interval without steps.

Everything is in the declared unit, in the declared range and on the declared steps, as `evaluations.rules` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import orjson

from catenary_core.call.errors import invalid
from catenary_core.services.evaluations import rules
from catenary_wire.sentences import Fields
from catenary_wire.steps import between

_NUMBERS = ("number", "integer")
_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Given:
    """A range as a request gives it, with plain JSON values; None for what is absent."""

    low: Any = None
    high: Any = None
    count: int | None = None
    values: Sequence[Any] = ()

    @property
    def spans(self) -> bool:
        """True with a bound or a count."""
        return self.low is not None or self.high is not None or self.count is not None


@dataclass(frozen=True, slots=True)
class Levels:
    """A number of values."""

    number: int
    at: Callable[[int], Any]
    """Returns the value at an index from 0 on."""

    def share(self, part: float) -> Any:
        """Return the value in whose equal share of [0, 1) the part lies."""
        place = part * self.number if self.number < _EXACT else Fraction(part) * self.number
        return self.at(min(int(place), self.number - 1))


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers between two bounds."""

    low: float
    high: float

    def share(self, part: float) -> float:
        """Return the number at a part of the way."""
        return min(max(self.low * (1 - part) + self.high * part, self.low), self.high)


def values_of(parameter: Mapping[str, Any], given: Given) -> Levels | Interval:
    """Return the values that a plan may take for a parameter.

    Args:
        parameter: A catenary.platform.v1.ModelParameter.
        given: Its range in the request.

    Raises:
        DomainError: VALIDATION_ERROR or PARAMETER_OUT_OF_RANGE for the first fault.
    """
    name, path = parameter["name"], f"parameters.{parameter['name']}"
    if given.values:
        if given.spans:
            raise invalid(
                f"{path}.values",
                "{field} takes no {others} beside it; give one or the other.",
                value=given.values,
                constraint="excludes",
                others=Fields("min", "max", "count"),
            )
        return _listed([rules.resolve([parameter], {name: value})[name] for value in given.values])
    if parameter["type"] in _NUMBERS:
        return _numbers(parameter, given, path)
    if given.spans:
        raise invalid(
            path,
            "{field} is of a parameter of the type {type}, which has no range; give {values} alone.",
            value=None,
            constraint="range",
            type=parameter["type"],
            values=Fields("values"),
        )
    known = {"boolean": [False, True], "choice": parameter["choices"]}.get(parameter["type"])
    if not known:
        raise invalid(
            path,
            "{field} is of a parameter of the type {type}; give its {values}.",
            value=None,
            constraint="required",
            type=parameter["type"],
            values=Fields("values"),
        )
    return _listed(known)


def _listed(values: Sequence[Any]) -> Levels:
    different = list({orjson.dumps(value): value for value in values}.values())
    return Levels(len(different), different.__getitem__)


def _numbers(parameter: Mapping[str, Any], given: Given, path: str) -> Levels | Interval:
    low, high = (_bound(parameter, end, value, path) for end, value in (("min", given.low), ("max", given.high)))
    if high < low:
        raise invalid(
            f"{path}.max",
            "{field} is {high} and under {start}, which is {low}; exchange them.",
            value=high,
            constraint="range",
            start=Fields(f"{path}.min"),
            low=low,
            high=high,
        )
    step = parameter["step"]
    if step is None and parameter["type"] == "integer":
        step = 1
    if step is None:
        return _interval(parameter, low, high, given.count, path)
    start = parameter["min"] if parameter["min"] is not None and parameter["step"] is not None else 0
    whole = parameter["type"] == "integer" and float(start).is_integer() and float(step).is_integer()
    if whole:
        start, step = int(start), int(step)
    steps = between(low, high, start, step, whole=whole)
    if parameter["positive"]:
        steps = steps.above_zero()
    if not steps.number:
        raise invalid(
            path,
            "{field} holds no step of the parameter, whose steps are {step} wide and counted from {start}; widen it.",
            value=None,
            constraint="step",
            step=step,
            start=start,
        )
    if given.count is None or given.count >= steps.number:
        return Levels(steps.number, steps.at)
    return _listed([steps.at(index) for index in _spread(steps.number, given.count)])


def _interval(parameter: Mapping[str, Any], low: float, high: float, count: int | None, path: str) -> Levels | Interval:
    if parameter["positive"] and low <= 0:
        raise invalid(
            f"{path}.min",
            "{field} is needed, and over 0, since the parameter must be over 0.",
            value=None,
            constraint="positive",
        )
    interval = Interval(float(low), float(high))
    if count is None:
        return interval
    return _listed([interval.share(place / (count - 1) if count > 1 else 0.5) for place in range(count)])


def _spread(number: int, count: int) -> list[int]:
    """Return `count` indices below `number`, evenly from the first to the last; of one the middle."""
    if count == 1:
        return [(number - 1) // 2]
    return [(2 * place * (number - 1) + count - 1) // (2 * (count - 1)) for place in range(count)]


def _bound(parameter: Mapping[str, Any], end: str, given: Any, path: str) -> float:
    """Return a bound in the declared unit; it need not be on a step."""
    if given is None:
        declared: float | None = parameter[end]
        if declared is None:
            raise invalid(
                f"{path}.{end}",
                "{field} is missing, and the parameter declares none; give {field}, or {values}.",
                value=None,
                constraint="required",
                values=Fields(f"{path}.values"),
            )
        return declared
    kind = parameter["type"] if isinstance(given, int) else "number"
    name = parameter["name"]
    bound: float = rules.resolve([{**parameter, "type": kind, "step": None}], {name: given})[name]
    return bound
