"""Lists of version 0, which had no pages: every row up to a number, in parts, whether the current list has pages or not.

A paginated list is walked by its cursor, so that each row that stays stands in it once and the edge never holds more than a page.
"""

# ruff: noqa: ASYNC109 - the deadline is not ours to hold: it travels to the core

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from google.protobuf.message import Message

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.routes import Route
from catenary_edge.upstream import Parts, Upstream

MOST_ROWS = 100_000
PAGE = 1000


async def opened(
    upstream: Upstream, route: Route, request: Message, metadata: Mapping[str, str], timeout: float
) -> Parts:
    """The list that a request asks for, at most its `page_limit` of rows. Raises Problem."""
    most = _cap(request)
    key = route.rpc.output.fields[0].name
    asked: Any = request
    if route.rpc.server_streaming:
        asked.ClearField("page_limit")
        found = await upstream.parts(route, request, metadata, timeout)
        return Parts(found.metadata, _cut(found.parts, key, most))
    asked.page_limit = min(PAGE, most)
    first = await upstream.call(route, request, metadata, timeout)

    async def pages() -> AsyncGenerator[dict[str, Any], None]:
        body, left = first.body, most
        while True:
            yield body
            left -= len(body[key])
            after = body["paging"]["next"]
            if after is None or left <= 0:
                return
            if "offset" in asked.DESCRIPTOR.fields_by_name:
                asked.ClearField("offset")
            asked.after = after
            asked.page_limit = min(PAGE, left)
            body = (await upstream.call(route, request, metadata, timeout)).body
            if not body[key]:
                return

    if first.body["paging"]["next"] is None or len(first.body[key]) >= most:
        return Parts(first.metadata, pages())
    # The head goes out before the other pages are read, which may have rows of confidential projects.
    return Parts({**first.metadata, "cache-control": "no-store"}, pages())


def _cap(request: Any) -> int:
    if not request.HasField("page_limit"):
        return MOST_ROWS
    given: int = request.page_limit
    if not 1 <= given <= MOST_ROWS:
        raise Fault(f"must be from 1 to {MOST_ROWS}", "range", given).inside("page_limit").problem()
    return given


async def _cut(
    parts: AsyncGenerator[dict[str, Any], None], key: str, most: int
) -> AsyncGenerator[dict[str, Any], None]:
    left = most
    try:
        async for part in parts:
            yield part if len(part[key]) <= left else {**part, key: part[key][:left]}
            left -= len(part[key])
            if left <= 0:
                return
    finally:
        await parts.aclose()
