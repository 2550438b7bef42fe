"""The common parts of the walks over the data services: references, and the way from page to page."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from factories.walks.recording import Walk

NOBODY = "00000000-0000-7000-8000-000000000000"
URL = "https://example.com/x"
REFERENCE = {"reference_id": NOBODY, "reference_table": "asset", "reference_url": URL}
# Refused by every list with pages.
BAD_PAGES: tuple[dict[str, Any], ...] = (
    {"page_limit": 0},
    {"page_limit": "many"},
    {"after": "damaged"},
    {"sort_by": "colour"},
    {"order": "up"},
    {"show_deleted": "yes"},
    {"limit": 1},
)


async def follow(call: Walk, url: str, **filters: str) -> Any:
    """Get the page at an address from an answer: absolute, with the filters of the list."""
    parts = urlsplit(url)
    assert f"{parts.scheme}://{parts.netloc}" == "https://catenary.example"
    query = parse_qs(parts.query)
    for name, value in filters.items():
        assert query[name] == [value]
    return await call("GET", parts.path, 200, params=query)


async def walk_pages(call: Walk, route: str, rows: str, **filters: str) -> list[Any]:
    """Read a list of two or more rows in every way and return the rows.

    It is read whole, by two pages of one row and back, with deleted rows, and with its refusals.
    """
    listed: list[Any] = (await call("GET", route, 200, params=filters))[rows]
    first = await call("GET", route, 200, params={"page_limit": 1, **filters})
    assert first[rows] == listed[:1]
    second = await follow(call, first["paging"]["next"], **filters)
    assert second[rows] == listed[1:2]
    assert (await follow(call, second["paging"]["previous"], **filters))[rows] == listed[:1]
    await call("GET", route, 200, params={"sort_by": "updated_at", "order": "desc", "page_limit": 2, **filters})
    await call("GET", route, 200, params={"show_deleted": "true", "show_active": "false", **filters})
    await call("HEAD", route, 200)
    for bad in BAD_PAGES:
        await call("GET", route, 400, params=bad)
    return listed
