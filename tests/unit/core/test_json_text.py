from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.call import json_text
from catenary_core.call.errors import DomainError

_text = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _text,
    lambda child: st.lists(child) | st.dictionaries(_text, child),
    max_leaves=20,
)


@given(_values)
def test_a_value_comes_back_exactly(value: object) -> None:
    back = json_text.parse(orjson.dumps(value).decode(), "x")
    assert back == value
    assert repr(back) == repr(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nul",
        "{",
        "1 2",
        '{"a": 1, "a": 2}',
        '[{"a": {"b": 1, "b": 1}}]',
        "NaN",
        "-Infinity",
        "1e400",
        "9" * 5000,
        "-" + "9" * 5000,
        '"\\u0000"',
        '{"\\u0000": 1}',
        '"\\ud800"',
        "[" * 33 + "]" * 33,
        "[" * 100_000,
        "\ufeff1",
    ],
)
def test_what_the_rest_bodies_refuse_is_refused_with_the_field(text: str) -> None:
    with pytest.raises(DomainError) as refused:
        json_text.parse(text, "parameters.span")
    assert refused.value.reason == "VALIDATION_ERROR"
    assert refused.value.details["parameter"] == "parameters.span"


def test_the_plain_parser_would_take_a_doubled_key_and_nan() -> None:
    assert json.loads('{"a": 1, "a": 2}') == {"a": 2}
    assert json.loads("NaN") != json.loads("NaN")


@pytest.mark.parametrize("text", ["[" * 32 + "]" * 32, '"\\\\u0000"', '"\\u00e9"', "-0.0", str(2**63 - 1), "1e-400"])
def test_the_edge_of_what_is_allowed_is_allowed(text: str) -> None:
    assert json_text.parse(text, "x") == json.loads(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nul", "Expecting value: line 1 column 1 (char 0)"),
        ('{"a": 1, "a": 2}', "a key stands twice"),
        ("-Infinity", "-Infinity is not JSON"),
        ("1e400", "a number is too large"),
        ("9" * 400, "a number is too large"),
        ('"\\u0000"', "it has characters that can't be kept"),
        ('"\\ud800"', "it has characters that can't be kept"),
        ("[" * 33 + "]" * 33, "it is nested over 32 deep"),
        ("[" * 100_000, "it is nested over 32 deep"),
    ],
)
def test_a_refusal_tells_why(text: str, why: str) -> None:
    with pytest.raises(DomainError) as refused:
        json_text.parse(text, "x")
    assert refused.value.message == f"x is not an acceptable JSON value: {why}."


@pytest.mark.parametrize("text", [str(2**63), str(2**64 - 1), str(2**64), "100000000000000000000", str(-(2**63) - 1)])
def test_an_integer_outside_2_63_is_the_nearest_double(text: str) -> None:
    back = json_text.parse(f'{{"a": [{text}]}}', "x")["a"][0]
    assert (back, type(back)) == (float(text), float)
