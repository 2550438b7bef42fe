"""The header Prefer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.call.prefer import DEFAULT_WAIT, parse


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", DEFAULT_WAIT),
        ("respond-async", 0),
        ("Respond-Async", 0),
        ("wait=5", 5),
        ('WAIT = "5"', 5),
        ("wait=0", 0),
        ("wait=60", 60),
        ("respond-async, wait=10", 10),
        ("wait=10; foo=bar, respond-async", 10),
        ("handling=lenient, wait=7", 7),
        ("wait=3, wait=9", 3),
        ('x="a, b", wait=2', 2),
        ("wait=61", DEFAULT_WAIT),
        ("wait=-1", DEFAULT_WAIT),
        ("wait=1.5", DEFAULT_WAIT),
        ("wait", DEFAULT_WAIT),
        ("wait=\u0661", DEFAULT_WAIT),
        ("respond-async=yes", DEFAULT_WAIT),
        (",,;;==", DEFAULT_WAIT),
        ('"', DEFAULT_WAIT),
    ],
)
def test_a_preference_is_read_or_ignored(header: str, seconds: int) -> None:
    assert parse(header).seconds() == seconds


def test_what_was_honoured_is_said() -> None:
    assert parse("respond-async").applied(final=False) == {"preference-applied": "respond-async"}
    assert parse("respond-async").applied(final=True) == {}
    assert parse("wait=5, respond-async").applied(final=False) == {"preference-applied": "respond-async, wait=5"}
    assert parse("wait=5").applied(final=True) == {"preference-applied": "wait=5"}
    assert parse("wait=99").applied(final=True) == {}


@given(st.text(max_size=200))
def test_no_header_is_an_error(header: str) -> None:
    assert 0 <= parse(header).seconds() <= 60
