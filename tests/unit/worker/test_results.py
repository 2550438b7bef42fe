"""The allowed results of `evaluate`."""

import contextlib
from typing import Any

import numpy as np
import pytest

from catenary_worker import execution, received, results
from catenary_worker.models import faults
from catenary_worker.task import Description, ModelFaultError, Task

DESCRIBED: Description = {
    "parameters": [],
    "metrics": [{"name": "mass", "unit": "kg"}],
    "constraints": [
        {"name": "light", "metric": "mass", "op": "<=", "value": 5},
        {"name": "exact", "metric": "mass", "op": "==", "value": 0.3},
    ],
    "geometry_unit": None,
}


def test_declared_metrics_come_first_with_their_unit_and_others_have_none() -> None:
    found = results.metrics(results.numbers({"extra": np.int64(3), "mass": np.float32(0.5)}), DESCRIBED)
    assert list(found.items()) == [("mass", {"value": 0.5, "unit": "kg"}), ("extra", {"value": 3, "unit": None})]
    assert type(found["mass"]["value"]) is float
    assert type(found["extra"]["value"]) is int


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (True, "metric mass must be a number, not True."),
        (np.bool_(True), "metric mass must be a number, not"),
        ("1", "metric mass must be a number, not '1'."),
        (None, "metric mass must be a number, not None."),
        (1j, "metric mass must be a number, not 1j."),
        (np.array([1.0]), "metric mass must be a number, not array([1.])."),
        (float("nan"), "metric mass is nan, which is not a finite number."),
        (np.float64("-inf"), "metric mass is -inf, which is not a finite number."),
        (10**400, "metric mass is too large for a number."),
    ],
)
def test_a_metric_of_another_type_is_refused_by_name(value: object, message: str) -> None:
    with pytest.raises(ModelFaultError) as caught:
        results.numbers({"mass": value})
    assert caught.value.message.startswith(message)


def test_a_declared_metric_that_is_missing_fails() -> None:
    with pytest.raises(ModelFaultError, match="did not return the metric mass, which METRICS declares"):
        results.metrics({}, DESCRIBED)


def test_constraints_say_whether_they_hold() -> None:
    found = results.constraints({"mass": {"value": 0.1 + 0.2, "unit": "kg"}}, DESCRIBED, {})
    assert found["light"]["satisfied"]
    assert found["exact"]["satisfied"]
    found = results.constraints({"mass": {"value": 6, "unit": "kg"}}, DESCRIBED, {})
    told = {"value": 6, "satisfied": False, "metric": "mass", "unit": "kg"}
    assert found == {"light": {**told, "op": "<=", "limit": 5}, "exact": {**told, "op": "==", "limit": 0.3}}


SAGGING: Description = {
    "parameters": [
        {"name": "span", "type": "number", "unit": "m"},
        {"name": "bays", "type": "integer", "unit": None},
        {"name": "mass", "type": "number", "unit": "kg"},
    ],
    "metrics": [{"name": "sag", "unit": "mm"}, {"name": "mass", "unit": "kg"}],
    "constraints": [
        {"name": "stiff", "metric": "sag", "op": "<=", "value": "span / 300"},
        {"name": "below", "metric": "sag", "op": "<", "value": "span / bays"},
        {"name": "light", "metric": "mass", "op": "<=", "value": 450},
        {"name": "even", "metric": "sag", "op": ">=", "value": "mass * 1 mm / 20 kg"},
    ],
    "geometry_unit": None,
}


def sagging(sag: float, *, bays: int = 300, **other: float) -> dict[str, dict[str, Any]]:
    """Return the constraints of a span of 9 m and a mass of 400 kg; 9 m / 300 are 30 mm."""
    values = {"sag": {"value": sag, "unit": "mm"}, "mass": {"value": 400, "unit": "kg"}}
    extra = {name: {"value": value, "unit": None} for name, value in other.items()}
    return results.constraints(values | extra, SAGGING, {"span": 9.0, "bays": bays, "mass": 1.0})


def test_a_limit_by_an_expression_has_the_unit_of_its_metric() -> None:
    found = sagging(29.5)
    told = {"value": 29.5, "satisfied": True, "metric": "sag", "op": "<=", "unit": "mm"}
    assert found["stiff"] == {**told, "limit": pytest.approx(30)}
    assert type(found["stiff"]["limit"]) is float
    assert found["light"]["limit"] == 450, "a number stays as it is"
    assert found["even"]["limit"] == pytest.approx(20), "the metric goes before the parameter of its name"
    assert not sagging(30.5)["stiff"]["satisfied"]
    assert sagging(30.5, bays=250)["below"] == {**told, "value": 30.5, "op": "<", "limit": pytest.approx(36)}


def test_the_rounding_of_a_conversion_decides_no_constraint() -> None:
    for sag in (30.0, 30.000000000000004, 29.999999999999996):
        found = sagging(sag)
        assert (found["stiff"]["satisfied"], found["below"]["satisfied"]) == (True, False)
        assert found["stiff"]["limit"] == sag


def test_a_limit_that_cannot_be_computed_fails_the_design() -> None:
    with pytest.raises(ModelFaultError) as caught:
        sagging(1.0, bays=0)
    assert caught.value.message == (
        "CONSTRAINTS: below: value has no number for this design, column 6: / of 9, 0 in base units has no finite value."
        " Change the expression, or the range of what it names."
    )


def test_an_undeclared_metric_takes_no_parameter_s_place_in_a_limit() -> None:
    assert sagging(29.5, span=1e9)["stiff"]["limit"] == pytest.approx(30)


def test_tables_hold_flat_rows_of_plain_values() -> None:
    rows = [{"a": np.float64(1.5), "b": None, "c": "x", "d": np.bool_(True), "e": False}]
    assert results.tables({"t": rows}) == {"t": [{"a": 1.5, "b": None, "c": "x", "d": True, "e": False}]}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"../t": []}, "table '../t' is not a name"),
        ({"t": "text"}, "table t must be a list of dicts, not 'text'."),
        ({"t": [1]}, "table t, row 1 must be a dict, not 1."),
        ({"t": [{"a": 1}, {"a": [1]}]}, "table t, row 2, a: [1] is not text, a number, a boolean or None."),
        ({"t": [{"a": float("nan")}]}, "table t, row 1, a is nan, which is not a finite number."),
        ({"t": [{1: 1}]}, "table t, row 1: a column's name must be text, not 1."),
        ({f"t{n}": [] for n in range(65)}, "evaluate returned more than 64 tables."),
        ({"t": [{}] * 60_000, "u": [{}] * 60_000}, "evaluate returned tables with more than 100,000 rows."),
    ],
)
def test_a_table_of_another_shape_is_refused(tables: dict[Any, Any], message: str) -> None:
    with pytest.raises(ModelFaultError) as caught:
        results.tables(tables)
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize("answer", [None, [], 3, {"metric": {}}, {"metrics": []}])
def test_an_answer_of_another_shape_is_refused(answer: object) -> None:
    with pytest.raises(ModelFaultError, match="evaluate"):
        results.returned(answer)


def test_an_exception_s_text_is_shown_with_escapes_and_one_that_is_not_is_no_result_of_ours() -> None:
    message = execution._failed("a\x1b[31m\r\nb\x9b\u202e\0", None)["error"]["message"]
    assert message == "a\\x1b[31m\nb\\x9b\\u202e\\x00"
    for text, damaged in ((message, False), ("a\x1b[31m", True), ("a\x9b", True)):
        header = {"status": "failed", "error": {"message": text, "line": None}}
        with pytest.raises(received.DamagedError) if damaged else contextlib.nullcontext():
            received.outcome(Task("evaluate", "python", b""), header, [], [])


def test_further_faults_are_texts_that_no_code_of_a_model_tells() -> None:
    header = {"status": "failed", "error": {"message": "x", "line": None}, "further": ["line 2: y"]}
    described, evaluated = Task("describe", "python", b""), Task("evaluate", "python", b"")
    assert received.outcome(described, header, [], []).remarks == ["line 2: y"]
    assert received.outcome(evaluated, header, [], []).remarks == []
    for forged in ("line 2: y", [3], ["a\x1b[31m"], ["x"] * (faults.MOST_FURTHER + 1)):
        with pytest.raises(received.DamagedError):
            received.outcome(described, {**header, "further": forged}, [], [])


def test_a_column_is_one_line_and_a_cell_has_lines_without_other_control_characters() -> None:
    assert results.tables({"t": [{"a": "b\nc"}]}) == {"t": [{"a": "b\nc"}]}
    for row in ({"a\n": "b"}, {"a": "b\x1b"}, {"a\u202e": 1}):
        with pytest.raises(ModelFaultError, match="has the character U"):
            results.tables({"t": [row]})
