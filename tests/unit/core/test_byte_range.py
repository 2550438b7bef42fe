from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core import byte_range
from catenary_core.errors import DomainError


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("bytes=0-0", (0, 1)),
        ("bytes=0-", (0, 100)),
        ("bytes=10-19", (10, 10)),
        ("bytes=90-200", (90, 10)),
        ("bytes=-1", (99, 1)),
        ("bytes=-200", (0, 100)),
        ("BYTES=99-", (99, 1)),
    ],
)
def test_a_range_inside_the_content_is_cut_to_it(header: str, expected: tuple[int, int]) -> None:
    assert byte_range.parse(header, 100) == expected


@pytest.mark.parametrize(
    "header", ["", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "items=0-1", "bytes=\u0663-"]
)
def test_a_range_that_may_be_ignored_is(header: str) -> None:
    assert byte_range.parse(header, 100) is None


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_a_range_outside_the_content_is_refused_with_its_size(header: str) -> None:
    with pytest.raises(DomainError) as refused:
        byte_range.parse(header, 100)
    assert refused.value.reason == "RANGE_NOT_SATISFIABLE"
    assert refused.value.details == {"size": 100}


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(1, 1000))
def test_headers_describe_exactly_the_bytes_that_follow(first: int, last: int, size: int) -> None:
    content = bytes(i % 251 for i in range(size))
    try:
        start, length, headers = byte_range.reply_headers(f"bytes={first}-{last}", size, "text/plain")
    except DomainError:
        assert first >= size
        return
    assert headers["content-length"] == str(length)
    if first <= last:
        assert content[start : start + length] == content[first : last + 1]
        assert headers["content-range"] == f"bytes {start}-{start + length - 1}/{size}"
        assert headers["catenary-status"] == "206"
    else:
        assert (start, length) == (0, size)
        assert "catenary-status" not in headers
