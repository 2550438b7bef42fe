from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.call import byte_range
from catenary_core.call.errors import DomainError


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


def replied(range_: str, if_range: str = "", size: int = 100) -> tuple[int, int, dict[str, str]]:
    return byte_range.reply_headers(range_, if_range, size=size, sha256="5ab3", content_type="text/plain")


@pytest.mark.parametrize("if_range", ["", '"5ab3"', ' "5ab3" '])
def test_a_range_of_the_bytes_that_the_caller_knows_is_given(if_range: str) -> None:
    first, length, headers = replied("bytes=10-19", if_range)
    assert (first, length, headers["catenary-status"]) == (10, 10, "206")
    assert headers["etag"] == '"5ab3"'


@pytest.mark.parametrize(
    "if_range",
    [
        '"5ab4"',
        'W/"5ab3"',
        "5ab3",
        '"5ab3-gzip"',
        '"5ab3", "5ab4"',
        "*",
        "Sat, 31 Jan 2026 12:00:00 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ],
)
def test_other_bytes_a_weak_tag_and_a_date_give_the_whole_content(if_range: str) -> None:
    for range_ in ("bytes=10-19", "bytes=100-"):
        first, length, headers = replied(range_, if_range)
        assert (first, length) == (0, 100)
        assert headers == {
            "content-type": "text/plain",
            "accept-ranges": "bytes",
            "content-length": "100",
            "etag": '"5ab3"',
        }


def test_a_condition_without_a_range_is_ignored() -> None:
    assert replied("", '"5ab3"') == replied("", '"5ab4"') == replied("")


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(1, 1000))
def test_headers_describe_exactly_the_bytes_that_follow(first: int, last: int, size: int) -> None:
    content = bytes(i % 251 for i in range(size))
    try:
        start, length, headers = replied(f"bytes={first}-{last}", size=size)
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
