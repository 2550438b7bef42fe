"""Which values fit which data type, and that they keep their number through the column's JSON."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary.type.v1 import json_pb2, value_pb2
from catenary_core.call.errors import DomainError
from catenary_core.services.parameter.entries import values
from catenary_core.services.parameter.tables import DATA_TYPES

INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | INTEGERS
    | FLOATS
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=8,
)


def _fitting(value: Any) -> set[str]:
    return {name for name in DATA_TYPES if values.fits(value, name)}


@given(INTEGERS)
def test_an_integer_fits_numbers_and_integers_and_stays_exact(value: int) -> None:
    assert _fitting(value) == {"number", "integer", "json"}
    back = orjson.loads(orjson.dumps(value))
    assert (back, type(back)) == (value, int)


@given(st.integers(2**63, 2**64 - 1))
def test_an_integer_beyond_63_bits_fits_nothing(value: int) -> None:
    assert _fitting(value) == set()


@given(FLOATS)
def test_another_number_fits_numbers_alone_and_stays_the_same_double(value: float) -> None:
    assert _fitting(value) == {"number", "json"}
    back = orjson.loads(orjson.dumps(value))
    assert type(back) is float
    assert math.copysign(1, back) == math.copysign(1, value)
    assert back == value


@given(st.dates())
def test_a_date_fits_dates_and_texts(value: date) -> None:
    assert _fitting(value.isoformat()) == {"string", "date", "json"}


@given(st.text())
def test_a_text_that_is_no_date_fits_texts_alone(value: str) -> None:
    assert _fitting(f"x{value}") == {"string", "json"}


@pytest.mark.parametrize(
    "text", ["2027-02-29", "2027-2-1", "20270201", "0000-01-01", "2027-02-01T00:00", "\uff12\uff10\uff12\uff17-02-01"]
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert not values.fits(text, "date")


@given(JSON)
def test_any_json_but_null_fits_json_and_is_read_as_it_was_written(value: Any) -> None:
    message = value_pb2.Value(json_value=json_pb2.Json(text=orjson.dumps(value).decode()))
    read = values.plain(message, "value")
    assert orjson.dumps(read) == orjson.dumps(value)
    assert values.fits(read, "json") == (value is not None)


def test_a_text_over_the_limit_fits_nothing() -> None:
    assert values.fits("x" * 100_000, "string")
    assert _fitting("x" * 100_001) == set()


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", "1e400", '{"a":1,"a":2}', "[" * 40 + "]" * 40, '"\\ud800"', "1" * 400]
)
def test_json_text_that_is_not_acceptable_names_its_field(text: str) -> None:
    message = value_pb2.Value(json_value=json_pb2.Json(text=text))
    with pytest.raises(DomainError) as caught:
        values.plain(message, "entries[0].values[0].value")
    assert caught.value.details["parameter"] == "entries[0].values[0].value"


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        (value_pb2.Value(string_value="a"), "a"),
        (value_pb2.Value(integer_value=-(2**63)), -(2**63)),
        (value_pb2.Value(double_value=450), 450.0),
        (value_pb2.Value(bool_value=False), False),
    ],
)
def test_each_kind_of_value_is_its_plain_one(message: value_pb2.Value, plain: Any) -> None:
    read = values.plain(message, "value")
    assert (read, type(read)) == (plain, type(plain))
