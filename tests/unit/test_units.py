"""Conversion between the units of the table."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections import defaultdict

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from catenary_wire.units import unit_table
from catenary_wire.units.unit_table import (
    IncompatibleUnitsError,
    UnconvertibleValueError,
    UnknownUnitError,
    convert,
    convert_expressions,
)

TYPES_OF: dict[str, set[str]] = defaultdict(set)
SYMBOLS_OF: dict[str, list[str]] = defaultdict(list)
for _unit in unit_table.units():
    if _unit.symbol not in SYMBOLS_OF[_unit.unit_type]:
        SYMBOLS_OF[_unit.unit_type].append(_unit.symbol)
    TYPES_OF[_unit.symbol].add(_unit.unit_type)
# The sizes of the table's factors lie within 1e-20 and 1e15, so no result of these leaves the range of normal doubles.
VALUES = st.floats(min_value=-1e150, max_value=1e150).filter(lambda value: value == 0 or abs(value) > 1e-150)
TYPES = st.sampled_from(sorted(SYMBOLS_OF))


@st.composite
def symbols_of_a_type(draw: st.DrawFn, count: int) -> list[str]:
    known = SYMBOLS_OF[draw(TYPES)]
    return [draw(st.sampled_from(known)) for _ in range(count)]


def close(found: float, expected: float, symbol: str) -> bool:
    """Within 1e-12 of the value; on a scale with a zero point of its own, of the distance from absolute zero."""
    room = 500.0 if "Temperature" in TYPES_OF[symbol] else 0.0
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12 * room)


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (32.0, "degF", "degC", 0.0),
        (212.0, "degF", "degC", 100.0),
        (-40.0, "degC", "degF", -40.0),
        (37.0, "degC", "degF", 98.6),
        (0.0, "K", "degC", -273.15),
        (0.0, "degF", "degR", 459.67),
        (9.0, "delta_degF", "delta_degC", 5.0),
        (1.0, "ft", "in", 12.0),
        (1.0, "mi", "ft", 5280.0),
        (1.0, "ksi", "psi", 1000.0),
        (1.0, "acre", "ft2", 43560.0),
        (1.0, "US gal", "in3", 231.0),
        (1.0, "rev", "deg", 360.0),
        (1.0, "kWh", "MJ", 3.6),
        (1.0, "US ton", "lb", 2000.0),
        (5.0, "tCO2e", "kgCO2e", 5000.0),
        (2.0, "MGBP", "kGBP", 2000.0),
        (7.5, "m", "m", 7.5),
        (-3, "m", "mm", -3000.0),
    ],
)
def test_a_known_conversion_is_exact(value: float, source: str, target: str, expected: float) -> None:
    assert convert(value, source, target) == expected


def test_an_area_load_converts_between_metric_and_customary() -> None:
    assert convert(1.0, "kN/m2", "psf") == pytest.approx(20.8854342331501, rel=1e-14)


def test_every_pair_within_a_type_converts() -> None:
    for symbols in SYMBOLS_OF.values():
        for source in symbols:
            for target in symbols:
                assert math.isfinite(convert(1.0, source, target))


def test_no_pair_across_types_converts() -> None:
    first_of = [symbols[0] for symbols in SYMBOLS_OF.values()]
    pairs = [(a, b) for a in first_of for b in first_of if not TYPES_OF[a] & TYPES_OF[b]]
    assert len(pairs) > 5000
    for source, target in pairs:
        with pytest.raises(IncompatibleUnitsError):
            convert(1.0, source, target)


@given(st.sampled_from(sorted(TYPES_OF)), st.sampled_from(sorted(TYPES_OF)))
def test_a_pair_converts_exactly_when_it_shares_a_type(source: str, target: str) -> None:
    if TYPES_OF[source] & TYPES_OF[target]:
        assert math.isfinite(convert(1.0, source, target))
    else:
        with pytest.raises(IncompatibleUnitsError):
            convert(1.0, source, target)


@given(VALUES, symbols_of_a_type(2))
def test_there_and_back_is_the_same_value(value: float, symbols: list[str]) -> None:
    source, target = symbols
    assert close(convert(convert(value, source, target), target, source), value, source)


@given(VALUES, symbols_of_a_type(3))
def test_by_way_of_a_third_unit_is_the_same_as_straight(value: float, symbols: list[str]) -> None:
    source, middle, target = symbols
    assert close(convert(convert(value, source, middle), middle, target), convert(value, source, target), target)


@given(VALUES, VALUES, symbols_of_a_type(2))
def test_a_conversion_keeps_the_order_of_values(low: float, high: float, symbols: list[str]) -> None:
    assume(low <= high)
    assert convert(low, *symbols) <= convert(high, *symbols)


@settings(max_examples=50)
@given(st.text(max_size=200))
def test_any_other_text_is_an_unknown_unit(text: str) -> None:
    assume(text not in TYPES_OF)
    with pytest.raises(UnknownUnitError):
        convert(1.0, text, "m")
    with pytest.raises(UnknownUnitError):
        convert(1.0, "m", text)


@pytest.mark.parametrize(
    ("symbol", "near"),
    [
        ("kN/m²", "kN/m2"),
        ("°F", "degF"),
        ("MPA", "MPa"),
        ("gal", "US gal"),
        ("kn/M2", "kN/m2"),
        ("kgCO2/m2", "kgCO2e/m2"),
        ("metre", "did you mean m?"),
        ("Millimetres", "did you mean mm?"),
        ("kilonewtons", "did you mean kN?"),
        ("inches", "did you mean in?"),
        ("feet", "did you mean ft?"),
        ("degrees", "did you mean deg?"),
        ("tonnes", "did you mean t?"),
        ("percent", "did you mean %?"),
    ],
)
def test_an_unknown_unit_is_refused_with_the_nearest_symbols(symbol: str, near: str) -> None:
    with pytest.raises(UnknownUnitError) as refused:
        convert(1.0, symbol, "m")
    assert f'There is no unit "{symbol}"; did you mean ' in str(refused.value)
    assert near in str(refused.value)


def test_a_huge_symbol_is_refused_at_once_and_shown_short() -> None:
    huge = "kN/m2" * 4_000_000
    begun = time.process_time()
    with pytest.raises(UnknownUnitError) as refused:
        convert(1.0, huge, "m")
    assert time.process_time() - begun < 0.3  # looking for its neighbours would take seconds
    assert len(str(refused.value)) < 150


def test_incompatible_units_are_refused_with_their_types_and_a_way_out() -> None:
    with pytest.raises(IncompatibleUnitsError) as refused:
        convert(20.0, "C", "F")
    assert (
        str(refused.value) == "C is a unit of Electric charge, F of Capacitance; give a unit of Capacitance (uF or F)."
    )


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("kg", "kgCO2e"),
        ("GBP", "EUR"),
        ("degC", "delta_degC"),
        ("lb", "lbf"),
        ("N.m", "J"),
        ("Hz", "rpm"),
        ("dB", "dBA"),
        ("kVA", "kvar"),
        ("mm/m", "ppm"),
    ],
)
def test_what_only_looks_alike_does_not_convert(source: str, target: str) -> None:
    with pytest.raises(IncompatibleUnitsError):
        convert(1.0, source, target)


def test_a_symbol_of_two_types_converts_within_each() -> None:
    assert convert(1.0, "kN/m", "plf") == pytest.approx(68.5217659, rel=1e-8)
    assert convert(1.0, "kN/m", "lbf/ft") == pytest.approx(68.5217659, rel=1e-8)
    with pytest.raises(IncompatibleUnitsError):
        convert(1.0, "plf", "lbf/ft")


@pytest.mark.parametrize(
    ("value", "source", "target"),
    [
        (math.nan, "m", "ft"),
        (math.inf, "m", "ft"),
        (math.nan, "degC", "degF"),
        (-math.inf, "degC", "degF"),
        (1e308, "km", "mm"),
        (1e308, "degC", "degF"),
        (10**400, "m", "ft"),
        (10**400, "degC", "degF"),
    ],
)
def test_a_value_without_a_finite_result_is_refused(value: float, source: str, target: str) -> None:
    with pytest.raises(UnconvertibleValueError):
        convert(value, source, target)


def test_every_refusal_is_a_value_error() -> None:
    for kind in (UnknownUnitError, IncompatibleUnitsError, UnconvertibleValueError):
        assert issubclass(kind, ValueError)


def test_a_unit_converts_by_its_rows_expression_after_its_symbol_was_renamed() -> None:
    expression_of = {unit.symbol: unit.expression for unit in unit_table.units()}
    assert convert_expressions(1.0, expression_of["ft"], expression_of["in"]) == 12.0
    assert convert_expressions(212.0, expression_of["degF"], expression_of["degC"]) == 100.0
    with pytest.raises(UnknownUnitError):
        convert_expressions(1.0, "9**9**9**9", "meter")
    with pytest.raises(IncompatibleUnitsError):
        convert_expressions(1.0, "meter", "kilogram")


def started(code: str) -> subprocess.Popen[str]:
    """Start the code in a process of its own."""
    path = f"import sys; sys.path[:0] = {sys.path!r}\n"
    return subprocess.Popen([sys.executable, "-c", path + code], stdout=subprocess.PIPE, text=True)


def test_a_callers_text_never_reaches_pints_parser() -> None:
    code = """
from catenary_wire.units import unit_table
try:
    unit_table.convert(1.0, "9**9**9**9", "m")
except unit_table.UnknownUnitError as refused:
    print(refused, "pint" in sys.modules)
"""
    with started(code) as process:
        out, _ = process.communicate(timeout=60)
    assert out.strip() == 'There is no unit "9**9**9**9"; give one of the unit table. False'


@pytest.mark.slow
def test_pints_parser_would_hang_on_such_a_text() -> None:
    code = """
import pint
registry = pint.UnitRegistry()
registry.parse_expression("9**2")
print("ready", flush=True)
registry.parse_expression("9**9**9**9")
"""
    with started(code) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=2)
        finally:
            process.kill()
