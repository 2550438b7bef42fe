"""A worker's description of a model becomes the proto's shape, or is refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.platform.v1 import model_pb2
from catenary_core.call import messages
from catenary_core.services.models import declarations

SPAN: dict[str, Any] = {"name": "span", "type": "number", "default": 24, "min": 5, "max": 60, "step": 0.5}


def test_every_field_of_the_shapes_is_there() -> None:
    made = declarations.normalised(
        {
            "parameters": [
                SPAN,
                {"name": "deck", "type": "choice", "default": "steel", "choices": ["steel", 450, 450.5]},
            ],
            "metrics": [{"name": "mass", "label": "ignored"}],
            "constraints": [{"name": "light", "metric": "mass", "op": "<=", "value": 450, "description": "ignored"}],
        }
    )
    for descriptor, entries in (
        (model_pb2.ModelParameter.DESCRIPTOR, made.parameters),
        (model_pb2.ModelMetric.DESCRIPTOR, made.metrics),
        (model_pb2.ModelConstraint.DESCRIPTOR, made.constraints),
    ):
        for entry in entries:
            body: Any = entry
            assert list(body) == [field.name for field in descriptor.fields]
            messages.to_message(descriptor, body)
    span, deck = made.parameters
    assert (span["label"], span["positive"], span["choices"], span["unit"], span["description"]) == (
        "span",
        False,
        [],
        None,
        "",
    )
    assert repr(span["default"]) == "24"
    assert deck["choices"] == ["steel", 450, 450.5]
    assert declarations.normalised({}).parameters == []


@pytest.mark.parametrize(
    "description",
    [
        None,
        {"parameters": {}},
        {"parameters": ["span"]},
        {"parameters": [{"type": "number", "default": 1}]},
        {"parameters": [{**SPAN, "name": "a b"}]},
        {"parameters": [{**SPAN, "name": 1}]},
        {"parameters": [SPAN, SPAN]},
        {"parameters": [{**SPAN, "type": "colour"}]},
        {"parameters": [{**SPAN, "type": None}]},
        {"parameters": [{**SPAN, "type": ["number"]}]},
        {"parameters": [{**SPAN, "default": None}]},
        {"parameters": [{**SPAN, "default": 61}]},
        {"parameters": [{**SPAN, "default": 24.2}]},
        {"parameters": [{**SPAN, "min": "5"}]},
        {"parameters": [{**SPAN, "step": 0}]},
        {"parameters": [{**SPAN, "label": 1}]},
        {"parameters": [{"name": "deck", "type": "choice", "default": "a", "choices": [["a"]]}]},
        {"parameters": [{"name": "deck", "type": "choice", "default": "a"}]},
        {"metrics": [{"name": "mass", "unit": 1}]},
        {"constraints": [{"name": "light", "metric": "mass", "op": "!=", "value": 1}]},
        {"constraints": [{"name": "light", "metric": "mass", "op": "<=", "value": True}]},
        {"constraints": [{"name": "light", "op": "<=", "value": 1}]},
        {"constraints": [{"name": "light", "metric": "mass", "op": [], "value": 1}]},
    ],
)
def test_what_is_no_description_is_refused_with_a_sentence(description: Any) -> None:
    with pytest.raises(ValueError, match=r"^[A-Za-z].+\.$"):
        declarations.normalised(description)


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (
            "failed",
            {"code": "MODEL_FAILED", "message": "ValueError: x", "line": 3},
            ("MODEL_FAILED", "ValueError: x", 3),
        ),
        ("timed_out", None, ("EVALUATION_TIMEOUT", "The check of the model failed.", None)),
        (
            "failed",
            {"code": "ROOT", "message": 3, "line": "3"},
            ("MODEL_FAILED", "The check of the model failed.", None),
        ),
        ("failed", {"message": "x", "line": -1}, ("MODEL_FAILED", "x", None)),
    ],
)
def test_an_error_has_a_known_code_and_a_sane_line(
    status: str, error: dict[str, Any] | None, expected: tuple[str, str, int | None]
) -> None:
    assert tuple(declarations.failure(status, error).values()) == expected
