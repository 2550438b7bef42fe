from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary.platform.v1 import project_service_pb2 as pb
from catenary_core.call.errors import DomainError
from catenary_core.resources import platform_pages

_ID = "0199aaaa-0000-7000-8000-000000000000"


def _rows(count: int) -> list[dict[str, str]]:
    return [
        {"created_at": f"2026-01-01T00:00:{i // 60:02}.{i:06}Z", "project_id": f"0199aaaa-0000-7000-8000-{i:012x}"}
        for i in range(count)
    ]


def _cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


@given(st.integers(0, 300), st.integers(1, 200))
def test_pages_follow_each_other_without_gap_or_repeat(count: int, limit: int) -> None:
    rows = _rows(count)
    seen: list[dict[str, str]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = platform_pages.page_of(pb.ListProjectsRequest(limit=limit, cursor=cursor))
        key = (page.created_at or "", page.id or "")
        rest = [row for row in rows if (row["created_at"], row["project_id"]) > key]
        shown, cursor = page.cut(list(rest[: page.parameters["page_rows"]]), "project_id")
        seen += shown
    assert seen == rows


def test_the_default_is_fifty_rows_from_the_first() -> None:
    page = platform_pages.page_of(pb.ListProjectsRequest())
    assert page.parameters == {"page_rows": 51}


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "====",
        "\u20ac",
        _cursor("2026-01-01T00:00:00Z nope"),
        _cursor(f"'; DROP TABLE x; -- {_ID}"),
        _cursor(f"\u0662\u0660\u0662\u0666-01-01T00:00:00Z {_ID}"),
        _cursor(f"2026-01-01T00:00:00Z {_ID.upper()}"),
        _cursor(f"2026-99-99T00:00:00Z {_ID}"),
    ],
)
def test_a_damaged_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(DomainError) as refused:
        platform_pages.page_of(pb.ListProjectsRequest(cursor=cursor))
    assert refused.value.details["constraint"] == "cursor"


@given(st.integers(0, 60), st.integers(1, 200))
def test_parts_of_a_whole_list_follow_each_other(count: int, limit: int) -> None:
    keys = [f"p{i}" for i in range(count)]
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        part, cursor = platform_pages.part_of(pb.ListProjectsRequest(limit=limit, cursor=cursor), keys)
        seen += keys[part]
    assert seen == keys


def test_a_cursor_whose_item_is_gone_is_refused() -> None:
    _, cursor = platform_pages.part_of(pb.ListProjectsRequest(limit=1), ["a", "b"])
    with pytest.raises(DomainError) as refused:
        platform_pages.part_of(pb.ListProjectsRequest(cursor=cursor or ""), ["b", "c"])
    assert refused.value.details["constraint"] == "cursor"
