"""The rules of narrowing: what fits a declaration, and what is left of a narrowing that doesn't."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary.platform.v1.model_shapes import ModelParameter
from catenary_core.services.models import rules
from catenary_wire.steps import on_step


def parameter(type_: str = "number", **fields: Any) -> ModelParameter:
    made: Any = {
        "name": "span",
        "label": "span",
        "type": type_,
        "default": 24.0,
        "min": 5.0,
        "max": 60.0,
        "step": 0.5,
        "positive": False,
        "choices": [],
        "unit": "m",
        "group": None,
        "description": "",
        "order": 0,
        "show_if": None,
        "columns": [],
    }
    return {**made, **fields}  # type: ignore[return-value]


COLUMNS = [{"name": "at", "type": "number", "unit": "m"}]
FREE = {"min": None, "max": None, "step": None}


@pytest.mark.parametrize(
    ("declared", "narrowing", "field", "constraint"),
    [
        (parameter(), {"min": 4.5}, "min", "range"),
        (parameter(), {"min": 60.5}, "min", "range"),
        (parameter(), {"max": 61}, "max", "range"),
        (parameter(), {"max": 4}, "max", "range"),
        (parameter(), {"min": 5.25}, "min", "step"),
        (parameter(), {"min": "5"}, "min", "type"),
        (parameter(), {"min": True}, "min", "type"),
        (parameter(), {"max": [50]}, "max", "type"),
        (parameter(), {"min": 30, "max": 20}, "min", "min"),
        (parameter(), {"max": 20}, "default", "range"),
        (parameter(), {"min": 30}, "default", "range"),
        (parameter(), {"min": 30, "max": 40, "default": 29.5}, "default", "range"),
        (parameter(), {"default": 24.25}, "default", "step"),
        (parameter(), {"default": "24"}, "default", "type"),
        (parameter(), {"default": False}, "default", "type"),
        (parameter("integer", default=4, min=1, max=9, step=None), {"default": 4.0}, "default", "type"),
        (parameter("integer", default=4, min=1, max=9, step=None), {"min": 2.0}, "min", "type"),
        (parameter("integer", default=4, **FREE), {"default": 2**63 + 1}, "default", "type"),
        (parameter(positive=True, **FREE), {"default": 0}, "default", "positive"),
        (parameter(positive=True, **FREE), {"default": -0.0}, "default", "positive"),
        (parameter(positive=True, **FREE), {"max": -1}, "default", "range"),
        (parameter("boolean", default=True, **FREE), {"min": 0}, "min", "type"),
        (parameter("color", default="#b8b2a7", **FREE), {"default": "red"}, "default", "type"),
        (parameter("color", default="#b8b2a7", **FREE), {"min": "#000000"}, "min", "type"),
        (parameter("date", default="2026-02-28", **FREE), {"default": "2026-02-30"}, "default", "type"),
        (parameter("point", default=[1, 2, 3], **FREE), {"default": [1, 2]}, "default", "type"),
        (parameter("point", default=[1, 2, 3], **FREE), {"max": [9, 9, 9]}, "max", "type"),
        (parameter("table", default=[], columns=COLUMNS, **FREE), {"default": [{"at": "1"}]}, "default", "type"),
        (parameter("table", default=[], columns=COLUMNS, **FREE), {"default": [{}]}, "default", "type"),
        (parameter("table", default=[], columns=COLUMNS, **FREE), {"default": [{"at": 1}] * 10_001}, "default", "type"),
        (parameter("boolean", default=True, **FREE), {"default": 1}, "default", "type"),
        (parameter("string", default="a", **FREE), {"default": "x" * 10_001}, "default", "type"),
        (parameter("string", default="a", **FREE), {"max": "b"}, "max", "type"),
        (parameter("choice", default="a", choices=["a", "b"], **FREE), {"default": "c"}, "default", "type"),
        (parameter("choice", default=1, choices=[1, 2], **FREE), {"default": True}, "default", "type"),
    ],
)
def test_what_does_not_fit_names_its_field_and_rule(
    declared: ModelParameter, narrowing: dict[str, Any], field: str, constraint: str
) -> None:
    found = rules.fault(declared, narrowing)
    assert found is not None
    assert (found.field, found.constraint) == (field, constraint)
    assert found.message.startswith(field)
    assert found.message.endswith(".")


@pytest.mark.parametrize(
    ("declared", "narrowing"),
    [
        (parameter(), {}),
        (parameter(), {"min": 5, "max": 60}),
        (parameter(), {"min": 24, "max": 24}),
        (parameter(), {"min": 10, "max": 59.9, "default": 10.5, "label": "Span"}),
        (parameter(step=0.1, min=0, default=0.3), {"default": 0.7}),
        (parameter(step=0.1, min=0, default=0.3), {"default": 0.1 + 0.2}),
        (parameter(default=450, **FREE), {"default": 2**60 + 1}),
        (parameter(default=3, step=2, min=1, max=None), {"min": 3}),
        (parameter("integer", default=4, **FREE), {"default": -(2**63)}),
        (parameter("boolean", default=True, **FREE), {"default": False}),
        (parameter("color", default="#b8b2a7", **FREE), {"default": "#FF000080"}),
        (parameter("date", default="2026-02-28", **FREE), {"default": "2028-02-29"}),
        (parameter("point", default=[1, 2, 3], **FREE), {"default": [0, 0.5, -1]}),
        (parameter("table", default=[], columns=COLUMNS, **FREE), {"default": [{"at": 1}] * 10_000}),
        (parameter("string", default="a", **FREE), {"default": ""}),
        (parameter("choice", default="a", choices=["a", "b"], **FREE), {"default": "b"}),
    ],
)
def test_what_fits_has_no_fault(declared: ModelParameter, narrowing: dict[str, Any]) -> None:
    assert rules.fault(declared, narrowing) is None
    assert rules.fitting(declared, narrowing) == narrowing


def test_narrowed_values_are_kept_as_they_were_given() -> None:
    (made,) = rules.effective([parameter(default=450.0, **FREE)], {"span": {"default": 450}})
    assert repr(made["default"]) == "450"
    assert list(made) == list(parameter())


def test_a_step_is_counted_from_the_narrowed_min_on_the_declared_grid() -> None:
    declared = parameter(min=1, max=10, step=2, default=5)
    assert rules.fault(declared, {"min": 3, "default": 7}) is None
    assert rules.fault(declared, {"min": 2, "default": 6}) is not None


def test_only_the_fields_that_no_longer_fit_are_left_out() -> None:
    narrowing = {"min": 10.0, "max": 40.0, "default": 30.0, "label": "Span"}
    assert rules.fitting(parameter(max=35), narrowing) == {"min": 10.0, "default": 30.0, "label": "Span"}
    assert rules.fitting(parameter(max=28), narrowing) == {"min": 10.0, "label": "Span"}
    assert rules.fitting(parameter(default=8.0, max=20.0), narrowing) == {"label": "Span"}
    assert rules.fitting(parameter("string", default="a", **FREE), narrowing) == {"label": "Span"}
    assert rules.effective([parameter(name="height")], {"span": narrowing}) == [parameter(name="height")]


_numbers = st.one_of(
    st.integers(-20, 20),
    st.integers(-40, 40).map(lambda number: number / 2),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(2**63), 2**63),
)
_values = st.one_of(_numbers, st.booleans(), st.text("ab", max_size=3), st.none(), st.just([]))
_narrowings = st.dictionaries(st.sampled_from(("min", "max", "default")), _values)


@st.composite
def _declared(draw: st.DrawFn) -> ModelParameter:
    """Draw a declaration whose own default fits it."""
    kind = draw(st.sampled_from(("number", "integer", "boolean", "string", "choice")))
    match kind:
        case "boolean":
            return parameter(kind, default=draw(st.booleans()), **FREE)
        case "string":
            return parameter(kind, default=draw(st.text("ab", max_size=3)), **FREE)
        case "choice":
            choices = draw(st.lists(st.one_of(st.text("ab", max_size=2), st.integers(-3, 3)), min_size=1, unique=True))
            return parameter(kind, default=choices[0], choices=choices, **FREE)
    low = draw(st.none() | st.integers(-20, 20))
    step = draw(st.none() | st.integers(1, 4) | st.sampled_from((0.1, 0.25) if kind == "number" else (3,)))
    default: Any = (low or 0) + draw(st.integers(0, 20)) * (step or 1)
    high = draw(st.none() | st.integers(0, 9).map(lambda more: default + more))
    positive = default > 0 and draw(st.booleans())
    return parameter(kind, default=default, min=low, max=high, step=step, positive=positive)


@given(_declared(), _narrowings)
def test_what_is_left_of_any_narrowing_fits_and_is_as_much_as_did(
    declared: ModelParameter, narrowing: dict[str, Any]
) -> None:
    kept = rules.fitting(declared, narrowing)
    assert rules.fault(declared, kept) is None
    assert kept.items() <= narrowing.items()
    assert rules.fitting(declared, kept) == kept
    if rules.fault(declared, narrowing) is None:
        assert kept == narrowing


@given(_declared(), _narrowings)
def test_a_narrowed_parameter_never_admits_a_value_that_the_model_does_not(
    declared: ModelParameter, narrowing: dict[str, Any]
) -> None:
    made: Any = rules.narrowed(declared, rules.fitting(declared, narrowing))
    was: Any = declared
    if was["min"] is not None:
        assert made["min"] >= was["min"]
    if was["max"] is not None:
        assert made["max"] <= was["max"]
    for bound in (made["min"], made["max"]):
        assert bound is None or was["min"] is None or bound >= was["min"]
        assert bound is None or was["max"] is None or bound <= was["max"]
    assert rules.is_of_type(was, made["default"])
    assert made["min"] is None or made["default"] >= made["min"]
    assert made["max"] is None or made["default"] <= made["max"]
    assert not was["positive"] or made["default"] > 0
    assert made["step"] is None or on_step(made["default"], made["min"] or 0, made["step"])
