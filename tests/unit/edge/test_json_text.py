"""Strict JSON, and that each part of the strictness is needed."""

from __future__ import annotations

import contextlib
import json
import time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_edge import json_text
from catenary_edge.errors.fault import Fault

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(JSON_VALUES)
def test_what_is_written_is_read_back(value: object) -> None:
    assert json_text.parse(orjson.dumps(value)) == value
    assert json_text.parse(json.dumps(value, indent=1).encode()) == value


REFUSED = [
    (b"", "body", "json"),
    (b"{", "body", "json"),
    (b"{} x", "body", "json"),
    (b"{}{}", "body", "json"),
    (b"\xef\xbb\xbf{}", "body", "json"),
    ("{}".encode("utf-16"), "body", "utf8"),
    (b'{"a":"\xc0\x80"}', "body", "utf8"),
    (b'{"a":"\xff"}', "body", "utf8"),
    (b'{"a":"\xed\xa0\x80"}', "body", "utf8"),
    (b'{"a":1,"b":{"c":1,"c":1}}', "b.c", "duplicate"),
    (b'[{"a":1},{"a":1,"\\u0061":2}]', "[1].a", "duplicate"),
    (b'{"a":[0,' + b"1" * 400 + b"]}", "a[1]", "finite"),
    (b'{"a":-' + b"1" * 400 + b"}", "a", "finite"),
    (b'{"a":' + b"1" * 5000 + b"}", "a", "finite"),
    (b'{"a":1e400}', "a", "finite"),
    (b'{"a":-1e400}', "a", "finite"),
    (b'{"a":NaN}', "a", "finite"),
    (b'{"a":[Infinity]}', "a[0]", "finite"),
    (b'{"a":{"b c":-Infinity}}', 'a["b c"]', "finite"),
    (b'{"a":"x\\u0000y"}', "a", "characters"),
    (b'{"\\u0000":1}', '["\\x00"]', "characters"),
    (b'{"a":"\\ud800"}', "a", "characters"),
    (b'{"a":"\\udc00x"}', "a", "characters"),
    (b'{"a":' * 32 + b"[1]" + b"}" * 32, ".".join("a" * 32), "nesting"),
    (b"[" * 100 + b"]" * 100, "[0]" * 32, "nesting"),
    (b"[" * 100_000, "body", "nesting"),
    (b"[" * 100_000 + b"]" * 100_000, "body", "nesting"),
    (b'{"a":' * 100_000, "body", "nesting"),
]


@pytest.mark.parametrize(("data", "parameter", "constraint"), REFUSED)
def test_a_text_that_is_not_strict_json_is_refused_by_place(data: bytes, parameter: str, constraint: str) -> None:
    with pytest.raises(Fault) as caught:
        json_text.parse(data)
    problem = caught.value.problem()
    assert (problem.status, problem.reason) == (400, "VALIDATION_ERROR")
    assert (problem.details["parameter"], problem.details["constraint"]) == (parameter, constraint)
    assert problem.message.startswith(parameter)
    assert len(orjson.dumps(problem.details)) < 1000


@pytest.mark.parametrize(
    ("data", "silently"),
    [
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'{"a":"\\u0000"}', {"a": "\0"}),
        (b"[" * 100 + b"]" * 100, None),
    ],
)
def test_without_the_check_orjson_takes_it_silently(data: bytes, silently: object) -> None:
    value = orjson.loads(data)
    assert silently is None or value == silently
    with pytest.raises(Fault):
        json_text.parse(data)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"9007199254740993", 2**53 + 1),
        (b"9223372036854775807", 2**63 - 1),
        (b"9223372036854775808", 2.0**63),
        (b"18446744073709551615", 2.0**64),
        (b"18446744073709551616", 2.0**64),
        (b"100000000000000000000", 1e20),
        (b"-9223372036854775809", -(2.0**63)),
        (
            b'{"a":[1,{"b":[9223372036854775808,"9223372036854775808"]}]}',
            {"a": [1, {"b": [2.0**63, "9223372036854775808"]}]},
        ),
        (b"-9223372036854775808", -(2**63)),
        (b"-0", 0),
        (b"450.0", 450.0),
        (b"1e-400", 0.0),
        (b'"\\\\u0000"', "\\u0000"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'{"a:\\"b":":","c":[1,{"d":2}]}', {'a:"b': ":", "c": [1, {"d": 2}]}),
        (b"0.12345678901234567890123", 0.12345678901234567890123),
        (b" \n[1]\t", [1]),
        (b"[" * 32 + b"]" * 32, json.loads("[" * 32 + "]" * 32)),
    ],
)
def test_what_is_strict_json_is_taken(data: bytes, value: object) -> None:
    parsed = json_text.parse(data)
    assert parsed == value
    assert type(parsed) is type(value)


@given(st.integers(-(10**308), 10**308) | st.integers(-(2**70), 2**70))
def test_an_integer_in_2_63_is_exact_and_any_other_the_nearest_double(value: int) -> None:
    # JavaScript writes 1e20 as 100000000000000000000. Python rounds the text of a number correctly.
    parsed = json_text.parse(f'{{"a":[{value}]}}'.encode())["a"][0]
    expected: float = value if -(2**63) <= value < 2**63 else float(str(value))
    assert (parsed, type(parsed)) == (expected, type(expected))


def test_an_integer_past_2_63_stays_one_without_the_rule() -> None:
    assert type(orjson.loads(b"9223372036854775808")) is int


@given(st.binary(max_size=200))
def test_arbitrary_bytes_raise_nothing_but_a_fault(data: bytes) -> None:
    try:
        value = json_text.parse(data)
    except Fault:
        return
    assert value == json.loads(data, parse_int=lambda text: int(text) if -(2**63) <= int(text) < 2**63 else float(text))


@pytest.mark.parametrize(
    "data",
    [
        b'{"' + b"\\\\" * 500_000 + b'":1}',
        b"[" + b"1," * 500_000 + b"1]",
        b"[" + b"[]," * 300_000 + b"[]]",
        b'{"a":1,' * 1 + b",".join(b'"k%d":1' % index for index in range(80_000)) + b',"a":2}',
        b'{"a":"' + b"\\u0000" * 160_000 + b'"}',
        b"[" + b"1234567890123456789," * 50_000 + b"1]",
        b'"' * 1_000_001,
    ],
)
def test_a_body_of_one_mebibyte_takes_no_longer_than_its_length_asks(data: bytes) -> None:
    started = time.process_time()
    with contextlib.suppress(Fault):
        json_text.parse(data)
    assert time.process_time() - started < 2.0
