"""The range in which a study varies a parameter: the declared one, or a part of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from catenary_core.call.errors import invalid
from catenary_core.studies import scores
from catenary_core.studies.variables import Choice, Range, StepRange, Variable
from catenary_wire.steps import counts, nth

Parameter = Mapping[str, Any]
"""A `catenary.platform.v1.ModelParameter` as a dict."""
_TRUTHS = (False, True)
_EXACT = 2**53
"""Most steps, and greatest integer, that every reader of a double has exactly."""
_OF_POSITIVE = 1e-9
"""Least value of a positive number whose range begins at 0, as a part of the greatest."""


def whole(parameter: Parameter) -> Variable | None:
    """Return the variable over the declared range; None for one value, no range, or a type that doesn't vary."""
    found: Variable | None = None
    match parameter["type"]:
        case "boolean":
            found = _of_choices(parameter, _TRUTHS)
        case "choice":
            found = _of_choices(parameter, parameter["choices"])
        case "number" | "integer" if parameter["min"] is not None and parameter["max"] is not None:
            found = _of_numbers(parameter, parameter["min"], parameter["max"])
    return found if found is not None and _varies(found) else None


def named(parameter: Parameter, given: Mapping[str, Any]) -> Variable:
    """Return the variable over a given range, within the declared one.

    Raises VALIDATION_ERROR: the range has fewer than two values, lacks an end, leaves the declared one, or doesn't fit the
    type.
    """
    match parameter["type"]:
        case "boolean" | "choice":
            for key in ("min", "max"):
                if given.get(key) is not None:
                    raise invalid(
                        _field(parameter, key),
                        "{field}: {name} is no number; give choices or fixed.",
                        value=given[key],
                        constraint="range",
                        name=parameter["name"],
                    )
            return _checked(
                parameter, "choices", _of_choices(parameter, _choices(parameter, given.get("choices") or []))
            )
        case "number" | "integer":
            if given.get("choices"):
                raise invalid(
                    _field(parameter, "choices"),
                    "{field}: {name} is a number; give min and max.",
                    value=given["choices"],
                    constraint="range",
                    name=parameter["name"],
                )
            return _checked(parameter, "min", _numbers(parameter, given))
    raise invalid(
        f"parameters.{parameter['name']}",
        "{field}: {name} is of a type that can't vary; give fixed, or leave it out.",
        value=None,
        constraint="range",
        name=parameter["name"],
    )


def _choices(parameter: Parameter, given: list[Any]) -> list[Any]:
    known = _TRUTHS if parameter["type"] == "boolean" else parameter["choices"]
    for at, value in enumerate(given):
        if value in given[:at]:
            raise invalid(
                _field(parameter, "choices"),
                "{field} has a value of {name} twice; give each once.",
                value=value,
                constraint="range",
                name=parameter["name"],
            )
        if not any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in known):
            raise invalid(
                _field(parameter, "choices"),
                "{field} has a value that {name} can't take; give some of those that the model declares.",
                value=value,
                constraint="range",
                name=parameter["name"],
            )
    return [one for one in known if not given or one in given]


def _of_choices(parameter: Parameter, choices: Sequence[Any]) -> Choice:
    is_ordered = all(isinstance(value, int | float) and not isinstance(value, bool) for value in choices)
    return Choice(parameter["name"], tuple(sorted(choices) if is_ordered else choices), is_ordered)


def _varies(variable: Variable) -> bool:
    """Return whether a variable has two values or more, at a distance that can be computed with."""
    match variable:
        case Range():
            return 0 < variable.high - variable.low <= scores.GREATEST
        case StepRange():
            return variable.first < variable.last and _is_exact(variable)
    return len(variable.choices) > 1


def _is_exact(variable: StepRange) -> bool:
    """Return whether the numbers of all steps are exact doubles, and of an integer all values."""
    ends = [variable.first, variable.last]
    if variable.whole:
        ends += [round(nth(variable.start, variable.step, end)) for end in ends]
    return all(abs(end) <= _EXACT for end in ends)


def _checked(parameter: Parameter, key: str, variable: Variable) -> Variable:
    if isinstance(variable, StepRange) and not _is_exact(variable):
        raise invalid(
            _field(parameter, key),
            "{field}: the range of {name} has integers or steps over 2^53; give a narrower one.",
            value=None,
            constraint="range",
            name=parameter["name"],
        )
    if not _varies(variable):
        raise invalid(
            _field(parameter, key),
            "{field}: the range of {name} has no two values, or no end; give another one, or the value as fixed.",
            value=None,
            constraint="range",
            name=parameter["name"],
        )
    return variable


def _numbers(parameter: Parameter, given: Mapping[str, Any]) -> Variable:
    ends = {}
    for key in ("min", "max"):
        declared, value = parameter[key], given.get(key)
        if value is not None and (not _is_finite(value)):
            raise invalid(
                _field(parameter, key),
                "{field} must be a finite number in the unit of {name}.",
                value=str(value),
                constraint="range",
                name=parameter["name"],
            )
        if value is None and declared is None:
            raise invalid(
                _field(parameter, key),
                "{field} is missing, and {name} declares none; give one.",
                value=None,
                constraint="range",
                name=parameter["name"],
            )
        if value is not None and declared is not None and (value < declared if key == "min" else value > declared):
            raise invalid(
                _field(parameter, key),
                "{field} leaves the range of {name}, which ends at {bound}.",
                value=value,
                constraint="range",
                name=parameter["name"],
                bound=str(declared),
            )
        ends[key] = declared if value is None else value
    if ends["min"] > ends["max"]:
        raise invalid(
            _field(parameter, "min"),
            "{field} is over max; a range goes from min to max.",
            value=ends["min"],
            constraint="range",
        )
    return _of_numbers(parameter, ends["min"], ends["max"])


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _of_numbers(parameter: Parameter, low: Any, high: Any) -> Variable:
    """Return the variable from `low` to `high`; its range may be empty."""
    start, step = parameter["min"], parameter["step"]
    is_whole = parameter["type"] == "integer"
    if is_whole and step is None:
        start, step = start if start is not None else 0, 1
    if step is None:
        floor = high * _OF_POSITIVE if parameter["positive"] and low <= 0 else low
        return Range(parameter["name"], float(floor), float(high))
    start = 0 if start is None else start
    first, last = counts(low, high, start, step)
    if parameter["positive"] and first <= last:
        above, _ = counts(0, high, start, step)
        first = max(first, above + (nth(start, step, above) == 0))
    return StepRange(parameter["name"], start, step, first, last, is_whole)


def _field(parameter: Parameter, key: str) -> str:
    return f"parameters.{parameter['name']}.{key}"
