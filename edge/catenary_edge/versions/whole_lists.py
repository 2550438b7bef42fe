"""Lists of version 0, which had no pages: every row up to a limit, in parts.

A paginated list is read page by page through its cursor, so that each remaining row occurs once and the edge never
holds more than a page.
"""

# ruff: noqa: ASYNC109 - the deadline travels to the core, which enforces it

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from google.protobuf.message import Message

from catenary_edge.transcoding.routes import Route
from catenary_edge.upstream import Parts, Upstream
from catenary_edge.versions.page_limits import FIELD, MOST_ROWS, PAGE


async def opened(
    upstream: Upstream, route: Route, request: Message, metadata: Mapping[str, str], timeout: float
) -> Parts:
    """Open the requested list, cut to its `page_limit` of rows.

    Raises:
        Problem: The core's refusal.
    """
    asked: Any = request
    most = asked.page_limit if asked.HasField(FIELD) else MOST_ROWS
    key = route.rpc.output.fields[0].name
    if route.rpc.server_streaming:
        asked.ClearField(FIELD)
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
    # The headers are sent before the other pages are read, and those may have rows of confidential projects.
    return Parts({**first.metadata, "cache-control": "no-store"}, pages())


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
