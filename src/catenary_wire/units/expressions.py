"""The pint side of the unit table: `python -m catenary_wire.units.expressions` fills the computed columns.

Importing pint and building a registry takes a third of a second, so a running core does neither: the table contains the
exact numbers, and a test computes them again from the expressions. Only the table's own expressions reach pint's
parser, and only here.
"""

from __future__ import annotations

import csv
import io
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pint

from catenary_wire.units import unit_table

# Dimensions that pint lacks. Each currency has its own, since a table contains no exchange rates. Carbon is not a mass,
# so that a footprint can't be converted into a part's weight. A level in dB is a number of decibels.
_DEFINITIONS = (
    "gram_of_co2e = [carbon_dioxide_equivalent]",
    "pound_sterling = [money_gbp]",
    "euro = [money_eur]",
    "us_dollar = [money_usd]",
    "person = [person]",
    "decibel_of_sound = [sound_pressure_level]",
    "decibel_a_of_sound = [a_weighted_sound_pressure_level]",
)
_DIGITS = 30


def registry() -> pint.UnitRegistry[Any]:
    """Return a new registry that counts in exact fractions; never pint's application registry."""
    made: pint.UnitRegistry[Any] = pint.UnitRegistry(non_int_type=Fraction)
    for definition in _DEFINITIONS:
        made.define(definition)
    return made


def line_of(expression: str, using: pint.UnitRegistry[Any]) -> tuple[Fraction, Fraction]:
    """Return the exact (factor, offset) of a unit.

    `base = value * factor + offset`, in pint's base units (m, kg, s, A, K, cd …).
    """
    parsed: pint.Quantity[Any] = using.Quantity(using.parse_expression(expression))
    size = Fraction(parsed.magnitude)

    def base(value: Fraction) -> Fraction:
        return Fraction(using.Quantity(value, parsed.units).to_base_units().magnitude)

    offset = base(Fraction(0))
    return base(size) - offset, offset


def dimension_of(expression: str, using: pint.UnitRegistry[Any]) -> str:
    """Return the dimension of a unit, as the table writes it: `length:-1 mass:1 time:-2`."""
    parsed: pint.Quantity[Any] = using.Quantity(using.parse_expression(expression))
    exponents = {name.strip("[]"): Fraction(str(exponent)) for name, exponent in parsed.dimensionality.items()}
    return " ".join(f"{name}:{exponents[name]}" for name in sorted(exponents) if exponents[name])


def text_of(number: Fraction) -> str:
    """Return the number as an exact decimal or fraction, or to 30 digits.

    A number that contains pi has no exact form.
    """
    with localcontext() as context:
        context.prec = _DIGITS
        decimal = Decimal(number.numerator) / Decimal(number.denominator)
        if Fraction(decimal) == number or number.denominator > 10**_DIGITS or number.numerator > 10**_DIGITS:
            return f"{decimal.normalize():f}"
    return str(number)


def filled(text: str) -> str:
    """Return the table's CSV with `factor`, `offset` and `dimension` computed from each row's expression."""
    using = registry()
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=unit_table.COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        factor, offset = line_of(row["expression"], using)
        computed = {
            "factor": text_of(factor),
            "offset": text_of(offset) if offset else "",
            "dimension": dimension_of(row["expression"], using),
        }
        writer.writerow({**row, **computed})
    return out.getvalue()


if __name__ == "__main__":
    table = Path(__file__).with_name(unit_table.TABLE)
    table.write_text(filled(table.read_text(encoding="utf-8")), encoding="utf-8")
