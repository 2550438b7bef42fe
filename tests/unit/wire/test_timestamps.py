from __future__ import annotations

import re
from datetime import datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from catenary_wire.timestamps import now_text, timestamp_text

SIX_DIGITS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def _timestamp(moment: datetime) -> Timestamp:
    value = Timestamp()
    value.FromDatetime(moment)
    return value


@given(st.datetimes(), st.integers(0, 999))
def test_a_timestamp_is_the_text_of_its_moment_cut_to_microseconds(moment: datetime, nanos: int) -> None:
    value = _timestamp(moment)
    value.nanos += nanos
    text = timestamp_text(value)
    assert datetime.fromisoformat(text).replace(tzinfo=None) == moment
    assert SIX_DIGITS.fullmatch(text)


@given(st.datetimes(), st.datetimes())
def test_timestamps_sort_as_text(one: datetime, other: datetime) -> None:
    texts = [timestamp_text(_timestamp(moment)) for moment in (one, other)]
    assert (texts[0] < texts[1]) is (one < other)


@pytest.mark.parametrize(
    ("seconds", "nanos"), [(0, -1), (0, 10**9), (0, 2**31 - 1), (-62135596801, 0), (253402300800, 0), (2**62, 0)]
)
def test_a_timestamp_out_of_its_range_has_no_text(seconds: int, nanos: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        timestamp_text(Timestamp(seconds=seconds, nanos=nanos))


def test_the_present_time_has_all_of_its_digits() -> None:
    assert SIX_DIGITS.fullmatch(now_text())
