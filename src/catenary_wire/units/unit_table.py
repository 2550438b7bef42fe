"""The platform's table of units, and conversion between them.

`units.csv` has a row for each unit of a unit type: its systems, its symbol, the pint expression that defines it,
and what is computed from that expression: the exact `factor` and `offset` (`base = value * factor + offset`, with the
base units of the SI) and the `dimension` (`length:-1 mass:1 time:-2`). `units.expressions` writes these three. This
module does not import pint, so a caller's text can't reach pint's parser: a symbol is looked up, never parsed.

How the table decides the meaning of a symbol:

- One symbol has one meaning. `ft` may be in two systems and `kN/m` in two types (line load, stiffness), but always with
  one expression. Units that differ by country say which: `US gal` and `imp gal`, `US ton` and `imp ton`.
- `C` is the coulomb, `F` the farad, `t` the tonne, `h` the hour, `B` the byte; temperatures are `degC`, `degF`, `K`,
  `degR`. A difference of temperatures is a type of its own (`delta_K`, `delta_degC`, `delta_degF`).
- `lb` is a mass, `lbf` a force; so `pcf` is a density and `lbf/ft3` a weight per volume; `kip` is 1000 lbf.
- `Btu` is that of the International Table (1055.05585262 J), `therm` is 100,000 Btu, `TR` is 12,000 Btu an hour; `kcal`
  is thermochemical (4184 J); `hp` is 550 ft.lbf/s; `acre` is 43,560 international square feet.
- `mmHg`, `inHg` and `inH2O` are the conventional ones (NIST SP 811, B.8). `yr` is 365 days.
- Carbon (`kgCO2e`) is not a mass, and each currency is a type of its own: the table contains no exchange rates.
"""

from __future__ import annotations

import csv
import difflib
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources

TABLE = "units.csv"
"""File name of the table."""
COLUMNS = ("unit_type", "unit_systems", "symbol", "expression", "factor", "offset", "dimension")
"""Columns of the table, in order."""
LONGEST_SYMBOL = 64
"""Most characters of a symbol that a message shows."""
_NEAR = 3
_NAMES = {"feet": "foot", "tonne": "metric_ton", "tonnes": "metric_ton", "percent": "dimensionless/100"}
"""Names that the table's expressions write in another way."""
# Characters that people type for the characters of the table's symbols.
_SPELLINGS = str.maketrans(
    {"²": "2", "³": "3", "⁴": "4", "·": ".", "*": ".", "°": "deg", "µ": "u", "μ": "u", "^": "", " ": ""}
)


class UnknownUnitError(ValueError):
    """The table has no unit with that symbol; the message names the most similar ones."""


class IncompatibleUnitsError(ValueError):
    """The two units share no unit type, so they have no conversion."""


class UnconvertibleValueError(ValueError):
    """The value isn't finite, or its result is outside the range of a double."""


@dataclass(frozen=True, slots=True)
class UnitSystem:
    """A family of units."""

    name: str
    """Name in the catalogue."""
    short_name: str
    """Name for narrow columns."""


@dataclass(frozen=True, slots=True)
class UnitType:
    """A kind of quantity, such as "Length": its units convert into each other."""

    name: str
    """Name in the catalogue."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in one type and one system."""

    symbol: str
    """Symbol, unique in type and system."""
    unit_type: str
    """Name of the type."""
    unit_system: str
    """Name of the system."""
    expression: str
    """Definition, as a pint expression."""


# General has the units that belong to no single system: time, angles, ratios, money, data.
_SYSTEMS = (
    UnitSystem("SI", "SI"),
    UnitSystem("Imperial", "Imp"),
    UnitSystem("USC", "USC"),
    UnitSystem("General", "Gen"),
)


Dimension = tuple[tuple[str, Fraction], ...]
"""Exponents of the base quantities, sorted by name and without zeros: (("length", 1), ("time", -2)); () for a number."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The size and the dimension of a unit: `base = value * factor + offset`, in the base units of the SI."""

    factor: float
    """Size in base units."""
    offset: float
    """Base value of the zero point; not 0 for degC and degF only."""
    dimension: Dimension
    """Dimension; () for ratios, counts and angles."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scale:
    """The meaning of a symbol or an expression: `base = value * factor + offset`."""

    name: str
    unit_types: tuple[str, ...]
    factor: Fraction
    offset: Fraction
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class _Table:
    units: tuple[Unit, ...]
    unit_types: tuple[UnitType, ...]
    by_symbol: dict[str, _Scale]
    by_expression: dict[str, _Scale]


def unit_systems() -> tuple[UnitSystem, ...]:
    """Return the four unit systems."""
    return _SYSTEMS


def unit_types() -> tuple[UnitType, ...]:
    """Return the unit types, in the table's order."""
    return _table().unit_types


def units() -> tuple[Unit, ...]:
    """Return every unit once per type and system, in the table's order."""
    return _table().units


def check(symbol: str) -> None:
    """Check that the table has a unit with the symbol.

    Raises:
        UnknownUnitError: the table lacks the symbol.
    """
    _found(symbol, _table().by_symbol)


def convert(value: float, from_symbol: str, to_symbol: str) -> float:
    """Return the value in another unit of the same unit type: `convert(1.0, "kN/m2", "psf")` is 20.885….

    The shortest decimal number that reads as `value` is converted exactly and rounded once, so that equal values in
    different units become one double. All errors are ValueErrors with a sentence for people.

    Raises:
        UnknownUnitError: the table lacks a symbol.
        IncompatibleUnitsError: the units share no type.
        UnconvertibleValueError: the value or the result is not a finite double.
    """
    table = _table().by_symbol
    return _converted(value, _found(from_symbol, table), _found(to_symbol, table))


def measure(symbol: str) -> Measure | None:
    """Return the size and the dimension of a unit; None for a symbol that the table lacks."""
    scale = _table().by_symbol.get(symbol)
    return None if scale is None else Measure(float(scale.factor), float(scale.offset), scale.dimension)


def kind_of(dimension: Dimension) -> str | None:
    """Return the first unit type of a dimension, in small letters, such as "length"; None for one without a type."""
    scales = _table().by_symbol.values()
    return next((scale.unit_types[0].lower() for scale in scales if scale.dimension == dimension), None)


def fitting(symbol: str) -> str | None:
    """Return the units that convert into one, such as "Length (mm, cm or m)"; None for a unit that the table lacks."""
    scale = _table().by_symbol.get(symbol)
    return None if scale is None else _fitting(scale)


def convert_expressions(value: float, from_expression: str, to_expression: str) -> float:
    """Convert as `convert`, between units known by the expression in their row; their symbols may have been renamed.

    The caller compares the rows' unit types.

    Raises:
        UnknownUnitError: the table lacks an expression.
        IncompatibleUnitsError: the expressions share no type.
        UnconvertibleValueError: the value or the result is not a finite double.
    """
    table = _table().by_expression
    return _converted(value, _found(from_expression, table), _found(to_expression, table))


def _converted(value: float, source: _Scale, target: _Scale) -> float:
    factor, offset = _line(source, target)
    try:
        # The shortest decimal number is what the caller wrote: so 36 mm and 0.036 m are one value.
        result = float((Fraction(value) if isinstance(value, int) else Fraction(repr(float(value)))) * factor + offset)
    except (OverflowError, ValueError):
        result = math.nan
    if not math.isfinite(result):
        raise UnconvertibleValueError(
            f"The value has no finite number in {target.name}; give a finite number of smaller size."
        )
    return result


@lru_cache(maxsize=4096)
def _line(source: _Scale, target: _Scale) -> tuple[Fraction, Fraction]:
    """Return the factor and the offset between two units."""
    if not set(source.unit_types) & set(target.unit_types):
        raise IncompatibleUnitsError(
            f"{source.name} is a unit of {_listed(source.unit_types)}, {target.name} of {_listed(target.unit_types)}; "
            f"give a unit of {_fitting(target)}."
        )
    return source.factor / target.factor, (source.offset - target.offset) / target.factor


def _found(name: str, table: dict[str, _Scale]) -> _Scale:
    scale = table.get(name)
    if scale is None:
        similar = (_named(name) if table is _table().by_symbol else []) or near(name, list(table))
        shown = name if len(name) <= LONGEST_SYMBOL else name[:LONGEST_SYMBOL] + "…"
        way_out = f"did you mean {_listed(similar, 'or')}?" if similar else "give one of the unit table."
        raise UnknownUnitError(f'There is no unit "{shown}"; {way_out}')
    return scale


def _fitting(scale: _Scale) -> str:
    table = _table()
    own = table.by_symbol if table.by_symbol.get(scale.name) is scale else table.by_expression
    names = [name for name, other in own.items() if set(other.unit_types) & set(scale.unit_types)]
    return f"{_listed(scale.unit_types, 'or')} ({_listed(names, 'or')})"


def near(name: str, names: list[str]) -> list[str]:
    """Return the few most similar names; none for a text too long to be a name."""
    if len(name) > LONGEST_SYMBOL:
        return []
    spellings: dict[str, list[str]] = {}
    for known in names:
        spellings.setdefault(_spelling(known), []).append(known)
    close = difflib.get_close_matches(_spelling(name), spellings, n=_NEAR, cutoff=0.6)
    return [known for spelling in close for known in spellings[spelling]][:_NEAR]


def _named(name: str) -> list[str]:
    """Return the symbols of a unit whose name is written out, as British or American, singular or plural: metres."""
    word = name.strip().casefold()
    words = {word, word.removesuffix("s"), word.removesuffix("es"), _NAMES.get(word, word)}
    words |= {f"{one[:-2]}er" for one in words if one.endswith("re")}
    return list(dict.fromkeys(unit.symbol for unit in units() if unit.expression in words))[:_NEAR]


def _spelling(name: str) -> str:
    return name.translate(_SPELLINGS).casefold()


def _listed(names: Sequence[str], word: str = "and") -> str:
    """Return the names, of which there is at least one, as a phrase: "a, b or c"."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


@cache
def _table() -> _Table:
    text = resources.files("catenary_wire.units").joinpath(TABLE).read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    listed = tuple(
        Unit(row["symbol"], row["unit_type"], system, row["expression"])
        for row in rows
        for system in row["unit_systems"].split()
    )
    types = tuple(UnitType(name) for name in dict.fromkeys(row["unit_type"] for row in rows))
    return _Table(listed, types, _scales(rows, "symbol"), _scales(rows, "expression"))


def _scales(rows: list[dict[str, str]], column: str) -> dict[str, _Scale]:
    """Return the scale of each symbol (or expression), with all its types."""
    types: dict[str, list[str]] = {}
    for row in rows:
        types.setdefault(row[column], []).append(row["unit_type"])
    return {
        row[column]: _Scale(
            row[column],
            tuple(dict.fromkeys(types[row[column]])),
            Fraction(row["factor"]),
            Fraction(row["offset"] or 0),
            _dimension(row["dimension"]),
        )
        for row in rows
    }


def _dimension(text: str) -> Dimension:
    pairs = (entry.split(":") for entry in text.split())
    return tuple((name, Fraction(exponent)) for name, exponent in pairs)
