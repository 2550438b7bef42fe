"""The table's factors against published ones, against pint, and the table's own rules."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from fractions import Fraction
from importlib import resources
from math import floor, log10
from typing import Any

import pytest

from catenary_wire.units import expressions as unit_expressions
from catenary_wire.units import unit_table

# Exact by definition. Metric and SI units: BIPM, SI Brochure, 9th edition (2019), tables 4, 7 and 8. Yard, pound and
# what follows from them: NIST SP 811 (2008), appendix B, whose exact factors stand in bold (B.8). Others: as noted.
EXACT = {
    # SI Brochure: prefixes, and units accepted for use with the SI
    "mm": "0.001", "cm": "0.01", "km": "1000", "um": "1e-6", "ha": "1e4", "l": "0.001", "ml": "1e-6", "t": "1000",
    "g": "0.001", "mg": "1e-6", "min": "60", "h": "3600", "day": "86400", "kPa": "1000", "MPa": "1e6", "GPa": "1e9",
    "N/mm2": "1e6", "kN/m2": "1000", "kN": "1000", "MN": "1e6", "N/mm": "1000", "kN.m": "1000", "N.mm": "0.001",
    "mm2": "1e-6", "mm3": "1e-9", "mm4": "1e-12", "cm4": "1e-8", "cm6": "1e-12", "g/cm3": "1000", "mg/l": "0.001",
    "kW": "1000", "MW": "1e6", "kWh": "3.6e6", "MWh": "3.6e9", "Wh": "3600", "MJ": "1e6", "GJ": "1e9", "klx": "1000",
    "m3/h": "1/3600", "l/s": "0.001", "km/h": "1/3.6", "mA": "0.001", "kV": "1000", "uF": "1e-6", "mH": "0.001",
    "Ah": "3600", "kohm": "1000", "kHz": "1000", "mrad": "0.001", "%": "0.01", "ppm": "1e-6", "degC": "1",
    "kJ/(kg.K)": "1000", "kWh/m2": "3.6e6", "mPa.s": "0.001",
    # IEC 80000-13: the byte is eight bits; decimal and binary prefixes
    "GB": "8e9", "GiB": "8589934592", "Mbit/s": "1e6",
    # SP 811
    "in": "0.0254", "ft": "0.3048", "yd": "0.9144", "mi": "1609.344", "ft2": "0.09290304", "in2": "6.4516e-4",
    "lb": "0.45359237", "gn": "9.80665", "kgf": "9.80665", "kgf/cm2": "98066.5", "bar": "1e5", "atm": "101325",
    "imp gal": "0.00454609", "mph": "0.44704", "ft/s": "0.3048", "ft/min": "0.00508", "kn": "1852/3600",
    "kcal": "4184", "Btu/lb": "2326", "Btu/(lb.degF)": "4186.8", "clo": "0.155", "yr": "3.1536e7", "degR": "5/9",
    "delta_degF": "5/9", "US survey ft": "1200/3937",
    # NIST Handbook 44, appendix C: 231 cubic inches, and 43,560 (international) square feet
    "US gal": "0.003785411784", "acre": "4046.8564224",
}  # fmt: skip

# NIST SP 811 (2008), B.8 and B.9: the factors that are given to the digits shown.
ROUNDED = {
    "oz": "2.834952E-02", "imp ton": "1.016047E+03", "US ton": "9.071847E+02", "lb/ft": "1.488164", "lb/ft2": "4.882428",
    "pcf": "1.601846E+01", "lb/yd3": "5.932764E-01", "in3": "1.638706E-05", "ft3": "2.831685E-02", "yd3": "7.645549E-01",
    "US fl oz": "2.957353E-05", "imp fl oz": "2.841306E-05", "bbl": "1.589873E-01", "mi2": "2.589988E+06",
    "yd2": "8.361274E-01", "lbf": "4.448222", "kip": "4.448222E+03", "US tonf": "8.896443E+03", "plf": "1.459390E+01",
    "lbf/in": "1.751268E+02", "psi": "6.894757E+03", "ksi": "6.894757E+06", "psf": "4.788026E+01", "inHg": "3.386389E+03",
    "inH2O": "2.490889E+02", "mmHg": "1.333224E+02", "lbf.ft": "1.355818", "lbf.in": "1.129848E-01",
    "lbf.in/in": "4.448222", "in4": "4.162314E-07", "Btu": "1.055056E+03", "therm": "1.05506E+08", "ft.lbf": "1.355818",
    "Btu/h": "2.930711E-01", "hp": "7.456999E+02", "TR": "3.516853E+03", "Btu/ft2": "1.135653E+04",
    "Btu/(h.ft2)": "3.154591", "Btu/(h.ft2.degF)": "5.678263", "Btu/(h.ft.degF)": "1.730735",
    "Btu.in/(h.ft2.degF)": "1.442279E-01", "h.ft2.degF/Btu": "1.761102E-01", "cfm": "4.719474E-04", "cfs": "2.831685E-02",
    "US gpm": "6.30902E-05", "US gpd": "4.381264E-08", "lb/h": "1.259979E-04", "fc": "1.076391E+01", "fL": "3.426259",
    "deg": "1.745329E-02", "gon": "1.570796E-02", "rev": "6.283185", "rpm": "1.047198E-01",
}  # fmt: skip


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table_text())))


def table_text() -> str:
    return resources.files("catenary_wire.units").joinpath(unit_table.TABLE).read_text(encoding="utf-8")


FACTORS = {row["symbol"]: Fraction(row["factor"]) for row in rows()}


def exact(text: str) -> Fraction:
    numerator, _, denominator = text.partition("/")
    return Fraction(numerator) / Fraction(denominator or 1)


def test_the_factors_that_are_exact_by_definition_are_exact() -> None:
    wrong = {symbol: FACTORS[symbol] for symbol, value in EXACT.items() if FACTORS[symbol] != exact(value)}
    assert wrong == {}


@pytest.mark.parametrize("symbol", ROUNDED)
def test_a_factor_rounds_to_the_published_one(symbol: str) -> None:
    published = ROUNDED[symbol]
    digits = len(published.split("E")[0].replace(".", "").lstrip("0"))
    last_place = 10.0 ** (floor(log10(float(published))) - digits + 1)
    assert abs(float(FACTORS[symbol] - Fraction(published))) <= last_place / 2 * (1 + 1e-6)


def test_the_published_factors_cover_enough_of_the_table() -> None:
    known = set(EXACT) | set(ROUNDED)
    assert known <= set(FACTORS)
    assert len(known) >= 120


def test_the_units_that_hold_pi_hold_it_to_thirty_digits() -> None:
    circle = Fraction("3.14159265358979323846264338327950288")  # OEIS A000796
    expected = {"deg": circle / 180, "gon": circle / 200, "rev": 2 * circle, "rpm": circle / 30}
    for symbol, factor in expected.items():
        assert abs(FACTORS[symbol] / factor - 1) < Fraction(1, 10**28)


def test_pint_gives_every_factor_and_offset_of_the_table_from_its_expressions() -> None:
    assert unit_expressions.filled(table_text()) == table_text()


def test_a_wrong_factor_in_the_table_would_be_found() -> None:
    spoilt = table_text().replace("psf,pound_force/foot**2,", "psf,pound_force/inch**2,")
    assert spoilt != table_text()
    assert unit_expressions.filled(spoilt) != spoilt


def test_the_units_of_a_type_have_one_dimension() -> None:
    registry = unit_expressions.registry()
    dimensions: dict[str, set[frozenset[tuple[str, Any]]]] = defaultdict(set)
    for row in rows():
        parsed: Any = registry.Quantity(registry.parse_expression(row["expression"]))
        dimensions[row["unit_type"]].add(frozenset(parsed.dimensionality.items()))
    assert {name: found for name, found in dimensions.items() if len(found) != 1} == {}
    assert dimensions["Carbon"] != dimensions["Mass"]
    assert not dimensions["Money (GBP)"] & dimensions["Money (EUR)"]
    assert not dimensions["Money (EUR)"] & dimensions["Money (USD)"]


def test_a_symbol_has_one_expression_wherever_it_stands() -> None:
    expressions: dict[str, set[str]] = defaultdict(set)
    for row in rows():
        expressions[row["symbol"]].add(row["expression"])
    assert {symbol: found for symbol, found in expressions.items() if len(found) > 1} == {}


def test_a_symbol_is_unique_in_its_type_and_system() -> None:
    keys = [(unit.unit_type, unit.unit_system, unit.symbol) for unit in unit_table.units()]
    assert len(keys) == len(set(keys))


def test_no_two_symbols_of_a_type_differ_only_by_what_a_reader_would_miss() -> None:
    seen: dict[tuple[str, str], str] = {}
    for row in rows():
        symbol = row["symbol"]
        assert symbol == symbol.strip()
        assert symbol.isascii()
        key = (row["unit_type"], symbol.casefold())
        assert seen.setdefault(key, symbol) == symbol


def test_every_unit_belongs_to_a_known_type_and_system() -> None:
    assert {unit.unit_system for unit in unit_table.units()} == {system.name for system in unit_table.unit_systems()}
    assert {unit.unit_type for unit in unit_table.units()} == {kind.name for kind in unit_table.unit_types()}
    assert [system.name for system in unit_table.unit_systems()] == ["SI", "Imperial", "USC", "General"]


def test_the_table_has_the_units_that_engineers_use() -> None:
    assert len(FACTORS) >= 300
    assert {"kN/m2", "psf", "m3/h", "kgCO2e/m2", "W/(m2.K)", "mm", "ft", "%", "degC", "dB"} <= set(FACTORS)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1, 1000), "0.001"),
        (Fraction(10000), "10000"),
        (Fraction(5, 9), "5/9"),
        (Fraction("3.14159265358979323846264338327950288419716939937510"), "3.14159265358979323846264338328"),
    ],
)
def test_a_number_is_written_exactly_unless_it_holds_pi(number: Fraction, text: str) -> None:
    assert unit_expressions.text_of(number) == text
