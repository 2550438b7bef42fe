"""Ranges of parameters as the command line takes them: `span=4..12`, `span=4..12:5`, `span='4..12 ft'`, `kind=a,b`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import orjson

from catenary_cli.remote.use import parse_value

_RANGE = re.compile(r"\s*(?P<low>\S*?)\.\.(?P<high>[^\s:]*)(?::(?P<count>[0-9]+))?(?:\s+(?P<unit>\S.*))?")


@dataclass(frozen=True, slots=True)
class VariedRange:
    """The values that a parameter may have: numbers between two bounds, some values, or all that it declares."""

    name: str
    """Name of the parameter."""
    low: float | None = None
    """Smallest number; None for the declared one."""
    high: float | None = None
    """Largest number; None for the declared one."""
    count: int | None = None
    """Number of values between the bounds; None where it was not given."""
    unit: str | None = None
    """Unit of the bounds; None for the declared one."""
    values: tuple[Any, ...] = ()
    """The values themselves; empty for a range."""

    @classmethod
    def parse(cls, text: str) -> VariedRange:
        """Parse the text of an option.

        Raises:
            ValueError: The text names no parameter, or has a bound that is no number.
        """
        name, separator, value = text.partition("=")
        if not name.strip():
            raise ValueError(f"{text!r} names no parameter; write name=4..12, name=4,6,8 or name")
        if not separator:
            return cls(name)
        if found := _RANGE.fullmatch(value):
            low, high = (_number(text, found[bound]) for bound in ("low", "high"))
            return cls(name, low, high, None if found["count"] is None else int(found["count"]), found["unit"])
        try:
            return cls(name, values=tuple(orjson.loads(f"[{value}]")))
        except orjson.JSONDecodeError:
            return cls(name, values=tuple(parse_value(f"{name}={one.strip()}")[1] for one in value.split(",")))

    def planned(self) -> dict[str, Any]:
        """Return the range of a plan."""
        if self.values:
            return {"values": list(self.values)}
        bounds = {"min": self.low, "max": self.high}
        made: dict[str, Any] = {
            name: bound if self.unit is None else {"value": bound, "unit": self.unit}
            for name, bound in bounds.items()
            if bound is not None
        }
        return made if self.count is None else {**made, "count": self.count}

    def searched(self) -> dict[str, Any]:
        """Return the range of a study.

        Raises:
            ValueError: The range has a unit or a count, which a study doesn't take.
        """
        if self.unit is not None or self.count is not None:
            raise ValueError(
                f"{self.name}: a study takes bounds in the parameter's own unit and without a count; write {self.name}=4..12"
            )
        if self.values:
            return {"choices": list(self.values)}
        return {name: bound for name, bound in (("min", self.low), ("max", self.high)) if bound is not None}


def _number(text: str, bound: str) -> float | None:
    """Return a bound; None for an empty one.

    Raises:
        ValueError: It is no number.
    """
    if not bound:
        return None
    try:
        found = orjson.loads(bound)
    except orjson.JSONDecodeError:
        found = None
    if type(found) not in (int, float):
        raise ValueError(f"{text!r}: {bound!r} is no number; write name=4..12, or name='4..12 ft'")
    return found  # type: ignore[no-any-return]  # one of the two types
