"""Values of an evaluation against the declared parameters, and the key of what they give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catenary_core.call.errors import DomainError
from catenary_core.services.evaluations.rules import MAX_VIOLATIONS, cache_key, resolve
from catenary_wire.units import unit_table
from factories.services.evaluations import PARAMETERS, parameter

PROJECT, VERSION = "0199aaaa-0000-7000-8000-00000000000a", "0199aaaa-0000-7000-8000-00000000000b"
DEFAULTS = {"bays": 6, "braced": True, "span": 24.0, "steel": "S355", "title": "bridge"}


def _refused(declared: list[dict[str, Any]], values: Mapping[str, Any]) -> DomainError:
    with pytest.raises(DomainError) as caught:
        resolve(declared, values)
    return caught.value


def _one(declared: dict[str, Any], value: Any) -> Any:
    return resolve([declared], {declared["name"]: value})[declared["name"]]


def test_without_values_every_parameter_has_its_default_sorted_by_name() -> None:
    assert list(resolve(PARAMETERS, {}).items()) == list(DEFAULTS.items())


def test_an_unknown_name_is_told_with_the_nearest_names() -> None:
    error = _refused(PARAMETERS, {"spam": 3, "span": 10})
    assert error.reason == "UNKNOWN_PARAMETER"
    assert error.details["parameter"] == "spam"
    assert error.details["nearest"] == ["span"]
    assert "span" in error.message


def test_every_fault_is_told_and_the_first_fills_the_details() -> None:
    error = _refused(PARAMETERS, {"nope": 1, "span": 61, "bays": 2.5, "braced": 1, "steel": "x", "title": 3})
    assert [(v.field, v.constraint) for v in error.violations] == [
        ("nope", "unknown"),
        ("span", "max"),
        ("bays", "type"),
        ("braced", "type"),
        ("steel", "choice"),
        ("title", "type"),
    ]
    assert (error.reason, error.details["parameter"]) == ("UNKNOWN_PARAMETER", "nope")


def test_a_thousand_unknown_names_are_refused_fast_and_in_a_small_answer() -> None:
    error = _refused(PARAMETERS, {f"{'x' * 1000}{index}": index for index in range(1000)})
    assert len(error.violations) == MAX_VIOLATIONS
    assert sum(len(v.field) + len(v.message) for v in error.violations) < 20_000


@pytest.mark.parametrize(
    ("name", "value", "reason", "constraint"),
    [
        ("span", "10", "VALIDATION_ERROR", "type"),
        ("span", True, "VALIDATION_ERROR", "type"),
        ("span", None, "VALIDATION_ERROR", "type"),
        ("span", [10], "VALIDATION_ERROR", "type"),
        ("span", {"value": 10}, "VALIDATION_ERROR", "type"),
        ("span", {"value": 10, "unit": "m", "x": 1}, "VALIDATION_ERROR", "type"),
        ("span", {"value": 10, "unit": 3}, "VALIDATION_ERROR", "type"),
        ("span", {"value": "10", "unit": "m"}, "VALIDATION_ERROR", "type"),
        ("span", {"value": 10, "unit": "kg"}, "VALIDATION_ERROR", "unit"),
        ("span", {"value": 10, "unit": "9**9**9**9"}, "VALIDATION_ERROR", "unit"),
        ("span", {"value": 1e308, "unit": "km"}, "VALIDATION_ERROR", "finite"),
        ("span", 0, "VALIDATION_ERROR", "positive"),
        ("span", -10, "VALIDATION_ERROR", "positive"),
        ("span", 4.5, "PARAMETER_OUT_OF_RANGE", "min"),
        ("span", 60.5, "PARAMETER_OUT_OF_RANGE", "max"),
        ("span", 1e300, "PARAMETER_OUT_OF_RANGE", "max"),
        ("span", 10.25, "VALIDATION_ERROR", "step"),
        ("span", 10.5 + 1e-6, "VALIDATION_ERROR", "step"),
        ("bays", 3.5, "VALIDATION_ERROR", "type"),
        ("bays", True, "VALIDATION_ERROR", "type"),
        ("bays", {"value": 3, "unit": "m"}, "VALIDATION_ERROR", "unit"),
        ("bays", 2**63, "VALIDATION_ERROR", "type"),
        ("bays", 21, "PARAMETER_OUT_OF_RANGE", "max"),
        ("braced", 1, "VALIDATION_ERROR", "type"),
        ("braced", "true", "VALIDATION_ERROR", "type"),
        ("steel", "s355", "VALIDATION_ERROR", "choice"),
        ("steel", ["S355"], "VALIDATION_ERROR", "choice"),
        ("title", "x" * 10_001, "VALIDATION_ERROR", "max_len"),
        ("title", {"value": "x", "unit": "m"}, "VALIDATION_ERROR", "type"),
    ],
)
def test_a_bad_value_names_its_parameter_and_rule(name: str, value: Any, reason: str, constraint: str) -> None:
    error = _refused(PARAMETERS, {name: value})
    assert (error.reason, error.details["parameter"], error.details["constraint"]) == (reason, name, constraint)
    assert len(orjson.dumps(error.details)) < 1000


def test_out_of_range_shows_value_and_bounds_in_the_declared_unit() -> None:
    error = _refused(PARAMETERS, {"span": {"value": 100_000, "unit": "mm"}})
    assert error.reason == "PARAMETER_OUT_OF_RANGE"
    assert error.details == {"parameter": "span", "value": 100.0, "constraint": "max", "min": 5.0, "max": 60.0}
    assert "60.0 m" in error.message


def test_a_value_in_another_unit_is_converted_to_the_declared_one() -> None:
    assert _one(parameter("d", "number", 1.0, unit="m"), {"value": 3, "unit": "ft"}) == pytest.approx(0.9144, rel=1e-15)
    assert _one(parameter("n", "integer", 1, unit="mm"), {"value": 1.1, "unit": "m"}) == 1100
    assert _one(parameter("d", "number", 1.0, unit="m"), {"value": 3, "unit": None}) == 3.0


def test_a_value_in_another_unit_goes_to_the_nearest_step() -> None:
    inch = parameter("d", "number", 1.0, unit="in", step=0.25, min=0.0)
    assert _one(inch, {"value": 25.4 * 7.25, "unit": "mm"}) == 7.25
    assert _one(inch, {"value": 25.4 * 7.3, "unit": "mm"}) == 7.25
    metres = parameter("d", "number", 24.0, unit="m", step=0.1, min=5.0, max=60.0)
    assert _one(metres, {"value": 79, "unit": "ft"}) == 24.1  # 24.0792 m
    assert (
        _one(metres, {"value": 30, "unit": "ft"}) == 9.1
    )  # 9.144 m, as a person would write it, not 9.100000000000001
    count = parameter("n", "integer", 1000, unit="mm", min=0, step=5)
    assert _one(count, {"value": 1.0, "unit": "in"}) == 25
    assert _one(parameter("n", "integer", 1, unit="mm"), {"value": 1, "unit": "in"}) == 25


def test_a_value_in_the_declared_unit_is_never_rounded_and_the_two_nearest_steps_are_told() -> None:
    metres = parameter("d", "number", 24.0, unit="m", step=0.1, min=5.0, max=60.0)
    for off in (24.07, {"value": 24.07, "unit": "m"}, {"value": 24.07, "unit": None}):
        error = _refused([metres], {"d": off})
        assert (error.details["constraint"], error.details["nearest"]) == ("step", [24.0, 24.1])
        assert "give 24.0 or 24.1." in error.message
    short = parameter("d", "number", 0.0, unit="m", step=0.3, min=0.0, max=1.0)
    assert _refused([short], {"d": 0.95}).details["nearest"] == [0.9]


@pytest.mark.parametrize(
    ("rules", "given", "value"),
    [
        ({"min": 5.0, "max": 60.0, "step": 0.1}, 60_040, 60.0),
        ({"min": 5.0, "max": 60.0, "step": 0.1}, 4_960, 5.0),
        ({"min": 0.0, "max": 1.0, "step": 0.3}, 990, 0.9),
        ({"step": 0.5, "positive": True}, 30, 0.5),
    ],
)
def test_the_nearest_step_is_one_of_the_range(rules: dict[str, Any], given: float, value: float) -> None:
    assert _one(parameter("d", "number", 24.0, unit="m", **rules), {"value": given, "unit": "mm"}) == value


@pytest.mark.parametrize("given", [60_060, 61_000, 4_900, 0])
def test_a_value_outside_of_the_range_is_not_rounded_into_it(given: float) -> None:
    metres = parameter("d", "number", 24.0, unit="m", step=0.1, min=5.0, max=60.0)
    error = _refused([metres], {"d": {"value": given, "unit": "mm"}})
    assert error.reason == "PARAMETER_OUT_OF_RANGE"
    assert error.details["value"] == given / 1000


def test_a_unit_of_another_kind_is_refused_with_the_kind_and_the_units_that_fit() -> None:
    error = _refused(PARAMETERS, {"span": {"value": 10, "unit": "kg"}})
    assert error.message == (
        "span: kg is a unit of Mass, m of Length; "
        "give a unit of Length (mm, cm, m, km, um, in, ft, yd, mi or US survey ft)."
    )
    unknown = _refused(PARAMETERS, {"span": {"value": 10, "unit": "furlong"}}).message
    assert unknown.startswith('span: There is no unit "furlong"; ')
    assert unknown.endswith("The parameter takes a unit of Length (mm, cm, m, km, um, in, ft, yd, mi or US survey ft).")
    words = parameter("w", "number", 1.0, unit="words")
    message = _refused([words], {"w": {"value": 1, "unit": "m"}}).message
    assert message == "w is in words, which converts into no other unit; give the number alone."


def test_an_unknown_name_is_refused_with_the_models_parameters() -> None:
    message = _refused(PARAMETERS, {"colour": 3}).message
    assert message == "The model has no parameter colour. Its parameters are: span, bays, braced, steel, title."
    assert _refused([], {"colour": 3}).message.endswith("It has no parameters; give none.")
    many = [parameter(f"p{number}", "number", 1.0) for number in range(30)]
    assert _refused(many, {"colour": 3}).message.endswith(", p9, ….")


def test_a_choice_is_the_declared_value_and_never_a_boolean_for_a_number() -> None:
    mixed = parameter("c", "choice", 1, choices=[1, "1", False])
    assert type(_one(mixed, 1.0)) is int
    assert _one(mixed, "1") == "1"
    assert _one(mixed, False) is False
    assert _refused([mixed], {"c": True}).details["constraint"] == "choice"
    assert _refused([mixed], {"c": 0}).details["constraint"] == "choice"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"span": 24}, {}),
        ({"span": 24.0}, {"span": {"value": 24, "unit": "m"}}),
        ({"span": {"value": 24_000, "unit": "mm"}}, {"span": 2.4e1}),
        ({"bays": 6.0, "braced": True}, {"braced": True, "bays": 6}),
        ({"steel": 460}, {"steel": 460.0}),
    ],
)
def test_equal_values_in_any_spelling_have_one_key(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = (resolve(PARAMETERS, values) for values in (one, other))
    assert orjson.dumps(first) == orjson.dumps(second)
    assert cache_key(PROJECT, VERSION, "r", first) == cache_key(PROJECT, VERSION, "r", second)


def test_the_key_depends_on_project_version_runtime_and_every_value() -> None:
    values = resolve(PARAMETERS, {})
    keys = {
        cache_key(PROJECT, VERSION, "r", values),
        cache_key(VERSION, PROJECT, "r", values),
        cache_key(PROJECT, VERSION, "r2", values),
        *(cache_key(PROJECT, VERSION, "r", resolve(PARAMETERS, {name: value})) for name, value in
          {"span": 24.5, "bays": 7, "braced": False, "steel": "S235", "title": ""}.items()),
    }  # fmt: skip
    assert len(keys) == 8


def test_integers_that_a_double_merges_have_keys_of_their_own() -> None:
    wide = [parameter("n", "integer", 0)]
    keys = {cache_key(PROJECT, VERSION, "r", resolve(wide, {"n": 2**53 + offset})) for offset in range(4)}
    assert len(keys) == 4


def test_minus_zero_is_zero() -> None:
    assert math.copysign(1, _one(parameter("x", "number", 1.0), -0.0)) == 1


@given(
    st.floats(5, 60), st.integers(2, 20), st.booleans(), st.sampled_from(["S235", "S355", 460]), st.text(max_size=50)
)
def test_canonical_values_are_canonical_again(span: float, bays: int, braced: bool, steel: Any, title: str) -> None:
    declared = [{**PARAMETERS[0], "step": None}, *PARAMETERS[1:]]
    title = title.encode(errors="ignore").decode()
    values = resolve(declared, {"span": span, "bays": bays, "braced": braced, "steel": steel, "title": title})
    again = resolve(declared, values)
    assert orjson.dumps(again) == orjson.dumps(values)
    assert [type(value) for value in again.values()] == [type(value) for value in values.values()]


@given(
    start=st.sampled_from([None, 0.0, -7.3, 5.0, 1e6]),
    step=st.sampled_from([0.5, 0.1, 1e-6, 3.0, 0.3]),
    count=st.integers(0, 10**6),
)
def test_every_step_of_the_grid_is_accepted_and_the_middle_between_two_refused(
    start: float | None, step: float, count: int
) -> None:
    declared = parameter("x", "number", 0.0, min=start, step=step)
    on = (start or 0.0) + count * step
    assert _one(declared, on) == on
    error = _refused([declared], {"x": on + step / 2})
    assert error.details["constraint"] == "step"


@given(
    start=st.sampled_from([None, 0.0, -7.3, 5.0]),
    step=st.sampled_from([0.5, 0.1, 3.0, 0.3, 1e-3]),
    feet=st.floats(-1e4, 1e4),
)
def test_what_comes_of_another_unit_is_a_step_and_no_other_is_nearer(
    start: float | None, step: float, feet: float
) -> None:
    declared = parameter("x", "number", 0.0, unit="m", min=start, step=step)
    metres = unit_table.convert(feet, "ft", "m")
    assume(start is None or metres >= start)
    value = _one(declared, {"value": feet, "unit": "ft"})
    assert abs(value - metres) <= step / 2 * (1 + 1e-9)
    assert _one(declared, value) == value


@given(st.floats(1e-3, 1e6), st.sampled_from(["mm", "cm", "m", "km", "ft", "in"]))
def test_a_unit_is_worth_what_the_table_says(value: float, unit: str) -> None:
    declared = parameter("x", "number", 1.0, unit="m")
    assert _one(declared, {"value": value, "unit": unit}) == unit_table.convert(value, unit, "m")


_scalar = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
_plain = _scalar | st.text()
_value = _plain | st.lists(_plain) | st.dictionaries(st.text(), _plain)


@given(st.dictionaries(st.sampled_from([declared["name"] for declared in PARAMETERS]), _value))
def test_whatever_comes_is_resolved_or_refused_with_a_reason(values: dict[str, Any]) -> None:
    try:
        found = set(resolve(PARAMETERS, values))
    except DomainError as error:
        found = set(DEFAULTS) if error.details["parameter"] in values else set()
    assert found == set(DEFAULTS)
