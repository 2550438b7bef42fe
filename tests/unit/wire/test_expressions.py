"""Expressions: what is read, which dimensions fit, what comes out."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_wire.expressions import arithmetic, quantities, syntax
from catenary_wire.expressions.arithmetic import Undefined
from catenary_wire.expressions.errors import ExpressionError
from catenary_wire.expressions.evaluation import evaluate, evaluate_all, in_unit
from catenary_wire.expressions.quantities import TEXT, TRUTH, Quantity, of_unit
from catenary_wire.units import expressions as unit_expressions
from catenary_wire.units import unit_table

NAMES = {
    "span": of_unit("m"),
    "width": of_unit("mm"),
    "load": of_unit("kN/m2"),
    "area": of_unit("m2"),
    "inside": of_unit("degC"),
    "outside": of_unit("degF"),
    "x": of_unit(None),
    "y": of_unit(""),
    "odd": of_unit("widgets"),
    "flag": TRUTH,
    "kind": TEXT,
}
VALUES: dict[str, Any] = {
    "span": 9.144,
    "width": 500.0,
    "load": 5.0,
    "area": 4.0,
    "inside": 20.0,
    "outside": 50.0,
    "x": 0.0,
    "y": 3.0,
    "odd": 2.0,
    "flag": True,
    "kind": "steel",
}


def checked(text: str) -> quantities.Checked:
    return quantities.check(syntax.parse(text), NAMES)


def computed(text: str, **values: Any) -> Any:
    return evaluate(checked(text), {**VALUES, **values})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("span <= 30 ft", True),
        ("span < 30 ft", False),
        ("span == 30ft", True),
        ("width <= 0.5 m and load <= 105 psf", True),
        ("width > 0", True),
        ("inside == 68 degF", True),
        ("inside - outside <= 10 K", True),
        ("inside + 5 delta_degC <= 25 degC", True),
        ("max(inside, outside) == 20 degC", True),
        ("not flag or kind != 'steel'", False),
        ('kind == "steel"', True),
        ("flag == (y > 2)", True),
        ("x != 0 and 1 / x > 2", False),
        ("x == 0 or 1 / x > 2", True),
        ("not y < 3 and not not flag", True),
        ("2 US gal > 1 imp gal", True),
        ("5 1/K * 2 K == 10", True),
        ("30 % == 0.3", True),
        ("odd == odd", True),
        ("kind == 'a and (b'", False),
    ],
)
def test_a_comparison_compares_in_any_unit(text: str, expected: bool) -> None:
    assert checked(text).result is TRUTH
    assert computed(text) is expected


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("load * area", "kN", 20.0),
        ("5 kN/m2 * area", "kN", 20.0),
        ("load * area / span", "kN/m", 20 / 9.144),
        ("sqrt(area) + width", "mm", 2500.0),
        ("area ** (1 / 2) + width", "mm", 2500.0),
        ("-span ** 2", "m2", -(9.144**2)),
        ("2 ** -1 ** 2", None, 0.5),
        ("2 ** 3 ** 2", None, 512.0),
        ("7 - 2 - 1", None, 4.0),
        ("8 / 2 / 2", None, 2.0),
        ("1 + 2 * y", None, 7.0),
        ("+y - -y", None, 6.0),
        ("sin(30 deg)", None, 0.5),
        ("exp(log(y))", None, 3.0),
        ("cos(x) + tan(x)", None, 1.0),
        ("abs(width - span)", "m", 8.644),
        ("min(span, width, 3 m)", "mm", 500.0),
        ("inside", "degF", 68.0),
        ("inside - outside", "K", 10.0),
        ("min(0, span)", "m", 0.0),
        ("span * 0 + 0", "m", 0.0),
        (".5e1 + 1.", None, 6.0),
    ],
)
def test_a_number_comes_in_the_unit_asked_for(text: str, unit: str | None, expected: float) -> None:
    quantities.need(checked(text), "number", unit)
    assert in_unit(computed(text), unit) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("", 1, "is empty"),
        (" \n", 1, "is empty"),
        ("x" * 501, 501, "over 500 characters"),
        ("(" * 33 + "x" + ")" * 33, 34, "over 32"),
        ("-" * 400 + "x", 34, "over 32"),
        ("not " * 100 + "flag", 133, "over 32"),
        ("2**" * 100 + "2", 100, "over 32"),
        ("abs(" * 100 + "x", 133, "over 32"),
        ("x +", 4, "The end stands where"),
        ("x y", 3, '"y" stands where an operator'),
        ("(x", 3, "bracket in column 1"),
        ("x)", 2, '")" stands where'),
        ("min()", 5, "stands where"),
        ("min(x,)", 7, "stands where"),
        ("sin(x, y)", 1, "2 arguments instead of 1"),
        ("min(x)", 1, "1 arguments instead of 2 or more"),
        ("max(span) > 1 m", 1, "instead of 2 or more"),
        ("open(x)", 1, 'no function "open"'),
        ("x = 1", 3, "write ==."),
        ("x ^ 2", 3, "write **."),
        ("x && y", 3, "write and."),
        ("x.real", 2, "character ."),
        ("().__class__", 3, "character ."),
        ("__class__", 1, 'called "__class__"'),
        ("x\x00", 2, "U+0000"),
        ("kind == 'steel", 9, "has no end"),
        ("1 < x < 2", 7, "join two with and, such as a < b and b < c."),
        ("30 feet", 4, "did you mean ft? To multiply"),
        ("5e", 2, "give one of the unit table. To multiply"),
        ("2x", 2, "write * between"),
        ("1e999", 1, "range of a double"),
        ("span + 1e308 km", 8, "range of a double in base units"),
        ("load / m2", 8, "in one piece: 5 kN/m2."),
        ("sapn + 1 m", 1, "did you mean span"),
        ("span + 3", 6, "a quantity of length and a number without a unit"),
        ("span > 3", 6, "give both in units of one kind"),
        ("span > area", 6, "a quantity of length and a quantity of area"),
        ("max(span, y)", 1, "can't join"),
        ("2 * inside", 3, "degC or degF"),
        ("inside + outside", 8, "degC or degF"),
        ("5 K + inside", 5, "degC or degF"),
        ("-inside", 1, "degC or degF"),
        ("inside > 0", 8, "write 0 degC."),
        ("min(inside, 0)", 1, "write 0 degC."),
        ("sqrt(inside)", 1, "degC or degF"),
        ("inside ** 2", 8, "degC or degF"),
        ("sin(span)", 1, "takes a number, not a quantity of length"),
        ("2 ** span", 3, "instead of a number"),
        ("span ** y", 6, "give a constant number"),
        ("y ** 65", 3, "between -64 and 64"),
        ("9**9**9", 2, "between -64 and 64"),
        ("(area ** 20) ** 20", 14, "exponent over 64"),
        ("1 / 0", 3, "Change the constants."),
        ("(0 - 8) ** (1 / 3)", 9, "Change the constants."),
        ("flag + 1", 6, "takes numbers, not true or false"),
        ("flag < flag", 6, "can't compare"),
        ("kind == 3", 6, "a text with a number"),
        ("kind < 'a'", 6, "can't compare"),
        ("y and flag", 3, "not a number without a unit"),
        ("odd + 1", 5, "can't join"),
        ("odd + span", 5, "can't join"),
    ],
)
def test_a_fault_has_its_column_and_a_way_out(text: str, column: int, part: str) -> None:
    with pytest.raises(ExpressionError) as fault:
        checked(text)
    assert part in fault.value.message
    assert fault.value.column == column


@pytest.mark.parametrize(
    ("text", "kind", "unit", "part"),
    [
        ("span", "number", None, "a quantity of length instead of a number without a unit"),
        ("span", "number", "kN", "a quantity of length instead of a quantity in kN"),
        ("span", "truth", None, "instead of true or false"),
        ("inside - outside", "number", "degC", "for a difference give delta_degC or K."),
        ("flag", "number", None, "true or false instead of a number"),
    ],
)
def test_a_result_of_another_kind_or_dimension_is_refused(text: str, kind: Any, unit: str | None, part: str) -> None:
    with pytest.raises(ExpressionError, match=part):
        quantities.need(checked(text), kind, unit)


@pytest.mark.parametrize(
    ("text", "values", "part", "column"),
    [
        ("1 / x", {}, "/ of 1, 0 in base units has no finite value.", 3),
        ("sqrt(x - 1)", {}, "sqrt of -1", 1),
        ("log(x)", {}, "log of 0", 1),
        ("odd * odd", {"odd": 1e300}, "no finite value", 5),
        ("exp(y)", {"y": 1e9}, "exp of 1e+09", 1),
        ("2 ** y", {"y": 65.0}, "** of 2, 65", 3),
        ("y ** 0.5", {"y": -2.0}, "** of -2, 0.5", 3),
        ("span + span", {"span": 1e308}, "+ of 1e+308, 1e+308", 6),
        ("load * area", {"load": 1e306}, "no finite number in base units", 1),
        ("span + width", {"width": None}, "width has no value here.", 8),
        ("not (1 / x > 2)", {}, "no finite value", 8),
        ("flag and 1 / x > 2", {}, "no finite value", 12),
        ("not flag or 1 / x > 2", {}, "no finite value", 15),
    ],
)
def test_a_result_without_a_finite_value_says_why(text: str, values: dict[str, Any], part: str, column: int) -> None:
    found = computed(text, **values)
    assert isinstance(found, Undefined)
    assert part in found.why
    assert found.column == column


def test_a_value_that_the_unit_asked_for_can_not_hold_is_undefined() -> None:
    found = in_unit(computed("span * 1e300"), "um")
    assert in_unit(computed("span * 1e300"), "km") == pytest.approx(9.144e297)
    assert isinstance(in_unit(computed("span * 1e304"), "um"), Undefined)
    assert found == pytest.approx(9.144e306)
    assert isinstance(in_unit(computed("1 / x"), "um"), Undefined)


def test_a_value_that_a_caller_lacks_leaves_what_does_not_need_it() -> None:
    assert computed("flag or span > 3 m", span=None) is True
    assert computed("not flag and span > 3 m", span=None) is False


@pytest.mark.parametrize("text", ["1 / x", "sqrt(y) * span", "flag and y < 2", "kind", "min(x, y) >= 3 mm / width"])
def test_each_point_of_an_array_has_its_own_value(text: str) -> None:
    changes = [{}, {"x": 2.0}, {"y": -1.0}, {"span": None}, {"flag": True}, {"kind": "oak"}]
    points = [{**VALUES, **change} for change in changes]
    found = checked(text)
    assert evaluate_all(found, points) == [evaluate(found, point) for point in points]
    assert len({str(value) for value in evaluate_all(found, points)}) > 1
    assert evaluate_all(found, []) == []


_OPERATORS = st.sampled_from(["+", "-", "*", "/", "**", "<", "<=", ">", ">=", "==", "!="])
_NUMBERS = st.one_of(
    st.sampled_from(["x", "y"]), st.integers(0, 99).map(str), st.floats(0, 9, allow_nan=False).map(lambda n: f"{n:.3f}")
)


def _branches(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.builds(lambda a, op, b: f"{a} {op} {b}", inner, st.sampled_from(["+", "-", "*", "/"]), inner)
    powers = st.builds(lambda a, n: f"({a}) ** {n}", inner, st.integers(-3, 3))
    calls = st.builds(
        lambda f, a: f"{f}({a})", st.sampled_from(["abs", "sqrt", "exp", "log", "sin", "cos", "tan"]), inner
    )
    two = st.builds(lambda f, a, b: f"{f}({a}, {b})", st.sampled_from(["min", "max"]), inner, inner)
    return joined | powers | calls | two | inner.map(lambda a: f"({a})") | inner.map(lambda a: f"-{a}")


@given(st.recursive(_NUMBERS, _branches, max_leaves=12), st.floats(-5, 5), st.floats(-5, 5))
def test_numbers_are_computed_as_python_computes_them(text: str, x: float, y: float) -> None:
    scope = {name: getattr(math, name) for name in ("sqrt", "exp", "log", "sin", "cos", "tan")}
    try:
        found = computed(text, x=x, y=y)
    except ExpressionError as fault:
        allowed = "constants" in fault.message or "over" in fault.message
        assert allowed, fault.message  # noqa: PT017 (some texts have a fault)
        return
    try:
        # The text is of this test's own grammar; the power of floats is that of C, which raises where Python is complex.
        expected = eval(text, {"__builtins__": {}, "abs": abs, "min": min, "max": max, **scope}, {"x": x, "y": y})
        expected = float(expected)
    except (ArithmeticError, ValueError, TypeError):
        expected = math.nan
    if math.isfinite(expected):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-300)
    else:
        assert isinstance(found, Undefined)


_SYMBOLS = sorted(
    {unit.symbol for unit in unit_table.units() if not unit.symbol.startswith("deg")} | {"degR"} - {"deg"}
)


@given(st.lists(st.tuples(st.sampled_from(_SYMBOLS), st.sampled_from("*/")), min_size=1, max_size=4))
def test_a_product_has_the_dimension_and_the_size_that_pint_gives(parts: list[tuple[str, str]]) -> None:
    text = "2 " + parts[0][0] + "".join(f" {operator} 2 {symbol}" for symbol, operator in parts[1:])
    expressions = {unit.symbol: unit.expression for unit in unit_table.units()}
    quantity = _REGISTRY.Quantity(2, _REGISTRY.parse_expression(expressions[parts[0][0]]).units)
    quantity = 2 * _REGISTRY.Quantity(_REGISTRY.parse_expression(expressions[parts[0][0]]))
    for symbol, operator in parts[1:]:
        other = 2 * _REGISTRY.Quantity(_REGISTRY.parse_expression(expressions[symbol]))
        quantity = quantity * other if operator == "*" else quantity / other
    found = checked(text).result
    expected = {name.strip("[]"): exponent for name, exponent in quantity.dimensionality.items() if exponent}
    assert dict(found.dimension) == expected
    assert found.constant == pytest.approx(float(quantity.to_base_units().magnitude), rel=1e-12)


_REGISTRY = unit_expressions.registry()


@given(st.text(max_size=60) | st.text("()+-*/<>=!., \"'0123456789xyspanlodkt_abs minort", max_size=80))
def test_any_text_ends_with_a_value_a_reason_or_a_fault_with_its_column(text: str) -> None:
    try:
        expression = syntax.parse(text)
        found = evaluate(quantities.check(expression, NAMES), VALUES)
    except ExpressionError as fault:
        assert 1 <= fault.column <= len(text) + 1  # noqa: PT017 (some texts have a fault)
        return
    assert len(expression.steps) <= len(text)
    assert isinstance(found, Undefined | bool | float | str)


def test_without_the_bound_an_exponent_of_names_would_cost_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(computed("y ** y ** y", y=9.0), Undefined)
    monkeypatch.setattr(arithmetic, "GREATEST_EXPONENT", math.inf)
    assert computed("y ** y", y=9.0) == 9.0**9
    assert computed("y ** 65", y=2.0) == 2.0**65


def test_every_unit_of_the_table_is_read_behind_a_number() -> None:
    for unit in unit_table.units():
        (step,) = syntax.parse(f"1 {unit.symbol}").steps
        assert step.text == unit.symbol
        assert isinstance(of_unit(unit.symbol), Quantity)
