from __future__ import annotations

import re
from datetime import datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from catenary_wire.timestamps import now_text, timestamp_text


@given(st.datetimes(), st.integers(0, 999))
def test_a_timestamp_is_the_text_of_its_moment_cut_to_microseconds(moment: datetime, nanos: int) -> None:
    value = Timestamp()
    value.FromDatetime(moment)
    value.nanos += nanos
    text = timestamp_text(value)
    assert datetime.fromisoformat(text).replace(tzinfo=None) == moment
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z", text)


@pytest.mark.parametrize(("precision", "digits"), [("milliseconds", 3), ("microseconds", 6)])
def test_the_present_time_has_all_of_its_digits(precision: str, digits: int) -> None:
    text = now_text(precision)  # type: ignore[arg-type]
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{{digits}}}Z", text)
