"""The second point of a version's check is one that the platform would take, and another than the defaults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.services.evaluations import rules
from catenary_core.services.models import declarations
from catenary_worker.models.description import Entry, validate
from catenary_worker.models.other_point import other_point
from catenary_worker.task import ModelFaultError


def declared(*parameters: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parameters as the description of a model has them."""
    return validate([Entry({"name": f"p{number}", **one}) for number, one in enumerate(parameters)], [], [])[
        "parameters"
    ]


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ({"type": "number", "default": 24, "min": 5, "max": 60, "step": 0.5}, 28.0),
        ({"type": "number", "default": 60, "min": 5, "max": 60, "step": 0.5}, 54.5),
        ({"type": "number", "default": 1, "min": 0, "max": 1, "step": 1}, 0.0),
        ({"type": "number", "default": 3}, 4.0),
        ({"type": "number", "default": 0, "positive": False}, 1.0),
        ({"type": "integer", "default": 1, "min": 1, "max": 1_000_000}, 100_000),
        ({"type": "integer", "default": 4, "min": 4, "max": 5}, 5),
        ({"type": "integer", "default": 2**63 - 1}, 2**63 - 1 - (2**63 - 1) // 10),
        ({"type": "number", "default": 0.5, "positive": True, "max": 0.5}, 0.45),
        ({"type": "boolean", "default": True}, False),
        ({"type": "choice", "default": "a", "choices": ["a", "b"]}, "b"),
    ],
)
def test_a_parameter_goes_a_little_off_its_default(parameter: dict[str, Any], expected: object) -> None:
    point = other_point(declared(parameter))
    assert point is not None
    assert point["p0"] == pytest.approx(expected)
    assert type(point["p0"]) is type(declared(parameter)[0]["default"])


@pytest.mark.parametrize(
    "parameter",
    [
        {"type": "number", "default": 3, "min": 3, "max": 3},
        {"type": "integer", "default": 1, "min": 1, "max": 3, "step": 5},
        {"type": "choice", "default": "a", "choices": ["a"]},
        {"type": "string", "default": "text"},
    ],
)
def test_where_no_other_value_is_allowed_there_is_no_other_point(parameter: dict[str, Any]) -> None:
    assert other_point(declared(parameter)) is None
    assert other_point([]) is None


numbers = st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False))
options = st.fixed_dictionaries(
    {"type": st.sampled_from(["number", "integer"]), "default": numbers},
    optional={"min": numbers, "max": numbers, "step": numbers, "positive": st.booleans()},
)


@given(options)
def test_what_is_chosen_is_taken_by_the_platform(parameter: dict[str, Any]) -> None:
    try:
        described = declared(parameter)
    except ModelFaultError:
        return
    if (point := other_point(described)) is not None:
        taken = declarations.normalised({"parameters": described, "metrics": [], "constraints": []}).parameters
        assert rules.resolve(taken, point)["p0"] == point["p0"]
