"""A worker's description of a model becomes the proto's shape, or is refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.platform.v1 import model_pb2
from catenary_core.call import messages
from catenary_core.services.models import declaration_warnings, declarations
from catenary_wire import model_limits
from catenary_wire.units import unit_table

LOADS: dict[str, Any] = {
    "name": "loads",
    "type": "table",
    "default": [{"at": 1.0}],
    "columns": [{"name": "at", "type": "number", "unit": "m"}],
}
SPAN: dict[str, Any] = {"name": "span", "type": "number", "default": 24, "min": 5, "max": 60, "step": 0.5}


def _limited(value: str, unit: str | None = None) -> dict[str, Any]:
    return {
        "parameters": [SPAN],
        "metrics": [{"name": "sag", "unit": unit}],
        "constraints": [{"name": "stiff", "metric": "sag", "op": "<=", "value": value}],
    }


def test_a_limit_that_is_an_expression_stays_a_text() -> None:
    (made,) = declarations.normalised(_limited("span / 300")).constraints
    assert made["value"] == "span / 300"
    with pytest.raises(ValueError, match=r"^CONSTRAINTS: stiff: value, column 8: No parameter or metric is called"):
        declarations.normalised(_limited("300 * (spam)"))


def test_every_field_of_the_shapes_is_there() -> None:
    made = declarations.normalised(
        {
            "parameters": [
                SPAN,
                {"name": "deck", "type": "choice", "default": "steel", "choices": ["steel", 450, 450.5]},
                LOADS,
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
    span, deck, loads = made.parameters
    assert loads["columns"] == LOADS["columns"]
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
        {"parameters": [{**SPAN, "order": 1.5}]},
        {"parameters": [{**SPAN, "order": True}]},
        {"parameters": [{**SPAN, "order": 1_000_001}]},
        {"parameters": [{**SPAN, "show_if": 1}]},
        {"parameters": [{**SPAN, "columns": [{"name": "a", "type": "number"}]}]},
        {"parameters": [{"name": "shade", "type": "color", "default": "red"}]},
        {"parameters": [{"name": "begin", "type": "date", "default": "2026-02-30"}]},
        {"parameters": [{"name": "corner", "type": "point", "default": [1, 2]}]},
        {"parameters": [LOADS | {"columns": []}]},
        {"parameters": [LOADS | {"columns": {"at": "number"}}]},
        {"parameters": [LOADS | {"columns": [{"name": "../at", "type": "number"}]}]},
        {"parameters": [LOADS | {"columns": [{"name": "at", "type": "number"}] * 2}]},
        {"parameters": [LOADS | {"columns": [{"name": "at", "type": "color"}]}]},
        {"parameters": [LOADS | {"columns": [{"name": "at", "type": "number", "unit": "a\nb"}]}]},
        {"parameters": [LOADS | {"columns": [{"name": f"c{number}", "type": "number"} for number in range(65)]}]},
        {"parameters": [LOADS | {"default": [{"at": "1"}]}]},
        {"parameters": [LOADS | {"default": [{"at": 1, "to": 2}]}]},
        {"parameters": [LOADS | {"default": [{"at": 1}] * 10_001}]},
        {"parameters": [{"name": "deck", "type": "choice", "default": "a", "choices": [["a"]]}]},
        {"parameters": [{"name": "deck", "type": "choice", "default": "a"}]},
        {"metrics": [{"name": "mass", "unit": 1}]},
        {"constraints": [{"name": "light", "metric": "mass", "op": "!=", "value": 1}]},
        {"constraints": [{"name": "light", "metric": "mass", "op": "<=", "value": True}]},
        {"constraints": [{"name": "light", "op": "<=", "value": 1}]},
        {"constraints": [{"name": "light", "metric": "mass", "op": [], "value": 1}]},
        {"constraints": [{"name": "light", "metric": "../mass", "op": "<=", "value": 1}]},
        _limited("7 * true"),
        _limited("span < 3"),
        _limited("span / 300", unit="m"),
        _limited("span " * 101),
        _limited("1\n"),
        {"parameters": [{**SPAN, "name": f"p{number}"} for number in range(201)]},
        {"metrics": [{"name": f"m{number}"} for number in range(501)]},
        {"parameters": [{"name": "a", "type": "choice", "default": 1, "choices": list(range(1_001))}]},
        {"parameters": [{**SPAN, "label": "x" * 201}]},
        {"parameters": [{**SPAN, "description": "x" * 2_001}]},
        {"parameters": [{**SPAN, "group": "a\nb"}]},
        {"metrics": [{"name": "mass", "unit": "x" * 65}]},
        {"metrics": [{"name": "mass", "unit": "\x1b[2J"}]},
    ],
)
def test_what_is_no_description_is_refused_with_a_sentence(description: Any) -> None:
    with pytest.raises(ValueError, match=r"^[A-Za-z].+\.$"):
        declarations.normalised(description)


def test_parameters_are_listed_by_their_order_and_then_as_declared() -> None:
    places = {"a": None, "b": 2, "c": -1, "d": 0, "e": 2}
    given = [{**SPAN, "name": name, "order": order} for name, order in places.items()]
    made = declarations.normalised({"parameters": given}).parameters
    assert [(one["name"], one["order"]) for one in made] == [("c", -1), ("a", 0), ("d", 0), ("b", 2), ("e", 2)]


@pytest.mark.parametrize(
    "condition",
    [
        "braced",
        "not braced and span > 20 ft",
        "deck == 'steel'",
        "shade != '#b8b2a7'",
        "begin == '2026-02-28'",
    ],
)
def test_a_condition_may_have_the_names_of_all_other_parameters(condition: str) -> None:
    made = declarations.normalised({"parameters": [*_named(), {**SPAN, "name": "depth", "show_if": condition}]})
    assert made.parameters[-1]["show_if"] == condition


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("brased", 'column 1: No parameter or metric is called "brased"; did you mean braced?'),
        ("braced or mass > 3", 'column 11: No parameter or metric is called "mass"'),
        ("span", "column 1: The expression gives"),
        ("span > 3 kg", "column "),
        ("span >", "column 7: "),
        ("corner == corner", 'column 1: No parameter or metric is called "corner"'),
        ("loads", 'column 1: No parameter or metric is called "loads"'),
        ("depth > 3", " has the parameter itself, which then could never be shown again; name others."),
        ("().__class__", "column "),
        ("9**9**9 > 1", "column "),
        ("", "column 1: "),
    ],
)
def test_a_condition_that_fits_no_parameter_is_refused_with_its_column(condition: str, message: str) -> None:
    given = {
        "parameters": [*_named(), {**SPAN, "name": "depth", "show_if": condition}],
        "metrics": [{"name": "mass", "unit": "kg"}],
    }
    with pytest.raises(ValueError, match=r"^PARAMETERS: depth: show_if.*\.$|\?$") as caught:
        declarations.normalised(given)
    separator = "" if message.startswith(" ") else ", "
    assert str(caught.value).startswith(f"PARAMETERS: depth: show_if{separator}{message}")


def _named() -> list[dict[str, Any]]:
    return [
        {**SPAN, "unit": "m"},
        {"name": "braced", "type": "boolean", "default": True},
        {"name": "deck", "type": "choice", "default": "steel", "choices": ["steel", "timber"]},
        {"name": "shade", "type": "color", "default": "#b8b2a7"},
        {"name": "begin", "type": "date", "default": "2026-02-28"},
        {"name": "corner", "type": "point", "default": [1, 2, 3], "unit": "m"},
        LOADS,
    ]


def test_a_unit_of_a_column_that_the_table_lacks_is_remarked_on() -> None:
    odd = LOADS | {"columns": [{"name": "at", "type": "number", "unit": "words"}]}
    (remark,) = declaration_warnings.of(declarations.normalised({"parameters": [odd]}), [])
    assert remark.startswith("PARAMETERS: loads: columns: at: ")


def test_only_the_remarks_that_are_kept_look_for_similar_units(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    near = unit_table.near
    monkeypatch.setattr(unit_table, "near", lambda name, names: asked.append(name) or near(name, names))
    odd = [
        LOADS | {"columns": [{"name": f"c{n}", "type": "number", "unit": f"w{n}"} for n in range(64)], "default": []}
    ]
    parameters = [entry | {"name": f"loads{n}"} for entry in odd for n in range(3)]
    found = declaration_warnings.of(declarations.normalised({"parameters": parameters}), ["undeclared"])
    assert len(found) == declaration_warnings.MAX_WARNINGS
    assert found[-1] == "94 more remarks are left out."
    assert len(asked) == declaration_warnings.MAX_WARNINGS - 1


def test_the_defaults_of_all_tables_together_have_a_bound() -> None:
    half = LOADS | {"default": [{"at": 1.0}] * (model_limits.MOST_CELLS // 2)}
    fit = [half, half | {"name": "more"}]
    assert len(declarations.normalised({"parameters": fit}).parameters) == 2
    with pytest.raises(ValueError, match="The defaults of all tables have more than 10,000 cells together"):
        declarations.normalised({"parameters": [*fit, LOADS | {"name": "last"}]})


def test_a_condition_has_the_length_of_an_expression() -> None:
    text = "span > 1" + " " * (model_limits.EXPRESSION - 8)
    parameters = [SPAN, {"name": "deck", "type": "boolean", "default": True, "show_if": text}]
    assert declarations.normalised({"parameters": parameters}).parameters[1]["show_if"] == text
    parameters[1]["show_if"] = text + " "
    with pytest.raises(ValueError, match="show_if has more than 500 characters"):
        declarations.normalised({"parameters": parameters})


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
