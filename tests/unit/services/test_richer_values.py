"""Values of colours, dates, points and tables against the declared parameters, and their keys."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.call.errors import DomainError
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.rules import cache_key, resolve
from catenary_wire.units import unit_table
from factories.services.evaluations import parameter

COLUMNS = [
    {"name": "at", "type": "number", "unit": "m"},
    {"name": "count", "type": "integer", "unit": None},
    {"name": "on", "type": "boolean", "unit": None},
    {"name": "note", "type": "string", "unit": None},
]
ROW = {"at": 1.5, "count": 2, "on": True, "note": "a"}
PARAMETERS = [
    parameter("shade", "color", "#b8b2a7"),
    parameter("begin", "date", "2026-02-28"),
    parameter("corner", "point", [1.0, 2.0, 3.0], unit="m"),
    parameter("bare", "point", [0.0, 0.0, 0.0]),
    parameter("loads", "table", [ROW], columns=COLUMNS),
]


def _one(name: str, value: Any) -> Any:
    return resolve(PARAMETERS, {name: value})[name]


def _refused(name: str, value: Any) -> DomainError:
    with pytest.raises(DomainError) as caught:
        resolve(PARAMETERS, {name: value})
    assert caught.value.reason == "VALIDATION_ERROR"
    assert caught.value.details["parameter"] == name
    return caught.value


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("shade", "#B8B2A7", "#b8b2a7"),
        ("shade", "#B8B2A7ff", "#b8b2a7"),
        ("shade", "#b8b2a780", "#b8b2a780"),
        ("begin", "2028-02-29", "2028-02-29"),
        ("corner", [1, -0.0, 3], [1.0, 0.0, 3.0]),
        ("corner", {"value": [10, 0, -10], "unit": "ft"}, [3.048, 0.0, -3.048]),
        ("corner", {"value": [1, 2, 3], "unit": None}, [1.0, 2.0, 3.0]),
        ("corner", {"value": [1, 2, 3], "unit": "m"}, [1.0, 2.0, 3.0]),
        ("loads", [], []),
        ("loads", [{**ROW, "at": 1, "count": 2.0}], [{**ROW, "at": 1.0}]),
        ("loads", [{**ROW, "at": {"value": 10, "unit": "ft"}}], [{**ROW, "at": 3.048}]),
        ("loads", [dict(reversed(ROW.items()))], [ROW]),
    ],
)
def test_values_come_out_in_the_declared_type_and_unit(name: str, value: Any, found: Any) -> None:
    assert repr(_one(name, value)) == repr(found)


@pytest.mark.parametrize(
    ("name", "value", "constraint", "message"),
    [
        ("shade", "red", "type", 'shade must be a colour such as "#b8b2a7", or "#b8b2a780" with alpha.'),
        ("shade", "#12345", "type", "shade must be a colour"),
        ("shade", "#b8b2a7100", "type", "shade must be a colour"),
        ("shade", [1, 0, 0], "type", "shade must be a colour"),
        ("shade", None, "type", "shade must be a colour"),
        ("begin", "2026-02-30", "type", 'begin must be a day of the calendar such as "2026-02-28".'),
        ("begin", 20260228, "type", "begin must be a day"),
        ("corner", [1, 2], "type", "corner must be a point: three finite numbers such as [1.5, 0, 3] m."),
        ("corner", [1, 2, None], "type", "corner must be a point"),
        ("corner", [1, 2, float("nan")], "type", "corner must be a point"),
        ("corner", "1,2,3", "type", "corner must be a point"),
        (
            "corner",
            {"x": 1, "y": 2, "z": 3},
            "type",
            "corner must be a point, or an object with exactly these two keys",
        ),
        ("corner", {"value": [1, 2], "unit": "m"}, "type", "corner must be a point"),
        ("corner", {"value": [1, 2, 3], "unit": "kg"}, "unit", "corner: "),
        ("corner", {"value": [1, 2, 1e308], "unit": "km"}, "finite", "corner: "),
        ("bare", {"value": [1, 2, 3], "unit": "m"}, "unit", "bare has no unit; give the point alone."),
        ("loads", {}, "type", "loads must be a list of rows, objects with exactly at, count, on, note."),
        ("loads", [[1]], "columns", "loads, row 1 must be an object with exactly at, count, on, note."),
        ("loads", [ROW, {**ROW, "weight": 1}], "columns", "loads, row 2 must be an object with exactly"),
        ("loads", [{"at": 1}], "columns", "loads, row 1 must be an object with exactly"),
        ("loads", [{**ROW, "at": "1"}], "type", "loads, row 1, at must be a number."),
        ("loads", [ROW, {**ROW, "count": 2.5}], "type", "loads, row 2, count must be a whole number."),
        ("loads", [{**ROW, "on": 1}], "type", "loads, row 1, on must be true or false."),
        ("loads", [{**ROW, "note": 1}], "type", "loads, row 1, note must be text."),
        ("loads", [{**ROW, "at": {"value": 1, "unit": "kg"}}], "unit", "loads, row 1, at: "),
    ],
)
def test_what_is_none_is_refused_with_the_way_out(name: str, value: Any, constraint: str, message: str) -> None:
    error = _refused(name, value)
    assert error.details["constraint"] == constraint
    assert error.message.startswith(message)


def test_the_units_that_fit_are_listed_for_a_refusal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[str] = []
    monkeypatch.setattr(unit_table, "fitting", lambda symbol: listed.append(symbol) or "Length (m)")
    row = {**ROW, "at": {"value": 10, "unit": "ft"}}
    assert len(_one("loads", [row] * 2_500)) == 2_500
    assert listed == []
    _refused("loads", [{**ROW, "at": {"value": 10, "unit": "words"}}])
    assert listed == ["m"]


def test_unknown_names_are_told_up_to_a_bound() -> None:
    with pytest.raises(DomainError) as caught:
        resolve(PARAMETERS, {f"unknown{n}": 1 for n in range(1_000)})
    assert len(caught.value.violations) == rules.MAX_VIOLATIONS


def test_a_table_of_a_million_rows_is_refused_by_its_number_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    million: list[Any] = [None] * 1_000_000
    error = _refused("loads", million)
    assert error.details["constraint"] == "max_cells"
    assert error.message == "loads must have at most 10,000 cells: 2,500 rows of its 4 columns, not 1,000,000."
    assert len(str(error.details["value"])) < 1_000
    assert len(_one("loads", [ROW] * 2_500)) == 2_500
    assert _refused("loads", [ROW] * 2_501).details["constraint"] == "max_cells"
    monkeypatch.setattr(rules, "MOST_CELLS", 10**9)
    assert len(_one("loads", [ROW] * 2_501)) == 2_501


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("shade", "#B8B2A7", "#b8b2a7ff"),
        ("corner", [1, 2, 3], {"value": [1000, 2000, 3000], "unit": "mm"}),
        ("loads", [{**ROW, "at": 1, "count": 2.0}], [dict(reversed({**ROW, "at": 1.0}.items()))]),
    ],
)
def test_equal_values_in_any_spelling_have_one_key(name: str, one: Any, other: Any) -> None:
    keys = {cache_key("p", "v", "r", resolve(PARAMETERS, {name: value})) for value in (one, other)}
    assert len(keys) == 1


def test_other_values_have_other_keys_and_so_have_wide_integers_in_cells() -> None:
    given_values: list[dict[str, Any]] = [
        {},
        {"shade": "#b8b2a6"},
        {"shade": "#b8b2a7fe"},
        {"begin": "2026-03-01"},
        {"corner": [1, 2, 4]},
        {"loads": []},
        {"loads": [ROW, ROW]},
        *({"loads": [{**ROW, "count": 2**53 + more}]} for more in range(4)),
    ]
    assert len({cache_key("p", "v", "r", resolve(PARAMETERS, values)) for values in given_values}) == len(given_values)


_finite = st.floats(allow_nan=False, allow_infinity=False)
_scalar = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | _finite | st.text(max_size=12)
_value = st.recursive(
    _scalar,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["at", "count", "on", "note", "value", "unit"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([declared["name"] for declared in PARAMETERS]), _value))
def test_whatever_comes_is_canonical_or_refused_with_a_reason(values: dict[str, Any]) -> None:
    try:
        found = resolve(PARAMETERS, values)
    except DomainError as error:
        found, faulty = {}, error.details["parameter"]
    else:
        faulty = None
        cache_key("p", "v", "r", found)
    assert faulty is None or faulty in values
    assert repr(resolve(PARAMETERS, found)) == repr(found or resolve(PARAMETERS, {}))
