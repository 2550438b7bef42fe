"""A transport that asks for each list of a walk as a table too, and compares the rows with those of its JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import orjson

from catenary_edge.transcoding.routes import Route, RouteTable
from factories.walks.conformance import Conformance
from factories.walks.preconditions import headers_of

TABLE_TYPE = "text/csv; charset=utf-8"
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
_OFTEN = 2
"""How many pages of a route are compared, with rows and without, those of the beta among them."""


class Tabled(httpx.AsyncBaseTransport):
    """A transport that repeats reads of lists with `Accept: text/csv`; the platform's stable lists in its beta as well.

    `compared` has the routes whose tables had the rows of their lists, `filled` those of them with a row.
    """

    def __init__(self, table: RouteTable, conforms: Conformance, inner: httpx.AsyncBaseTransport | None = None) -> None:
        self._inner = inner or httpx.AsyncHTTPTransport()
        self._plain = httpx.AsyncHTTPTransport()
        self._table = table
        self.conforms = conforms
        self._times: dict[tuple[Route, bool], int] = {}

    @property
    def compared(self) -> set[Route]:
        return {route for route, _ in self._times}

    @property
    def filled(self) -> set[Route]:
        return {route for route, has_rows in self._times if has_rows}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        found = await self._inner.handle_async_request(request)
        match = self._table.match(request.method, request.url.raw_path.decode().partition("?")[0])
        if request.method != "GET" or match is None or not match.route.has_table or found.status_code != 200:
            return found
        await found.aread()
        if found.headers["Content-Type"] == "application/json":
            await self._compare(request, match.route, request.url)
            if request.url.path.startswith("/v1/"):
                await self._compare(request, match.route, request.url.copy_with(path=f"/v2{request.url.path[3:]}"))
        return found

    async def aclose(self) -> None:
        await self._inner.aclose()
        await self._plain.aclose()

    async def _compare(self, request: httpx.Request, route: Route, url: httpx.URL) -> None:
        if self._times.get((route, True), 0) >= _OFTEN:
            return
        csv_wanted = {"Accept": "text/csv"}
        before = await self._send(request, url)
        table = await self._send(request, url, csv_wanted)
        tags = (before.headers["ETag"], table.headers["ETag"])
        known = await self._send(request, url, {**csv_wanted, "If-None-Match": tags[1]})
        other = await self._send(request, url, {**csv_wanted, "If-None-Match": tags[0]})
        head = await self._send(request, url, csv_wanted, method="HEAD")
        after = await self._send(request, url)
        listed = _listed(orjson.loads(before.content), route)
        kind = (route, bool(listed[0]))
        if self._times.get(kind, 0) >= _OFTEN or listed != _listed(orjson.loads(after.content), route):
            return  # what moves by itself is compared another time
        self._times[kind] = self._times.get(kind, 0) + 1
        shown = f"{url}: {table.text[:500]}"
        assert (table.status_code, table.headers["Content-Type"]) == (200, TABLE_TYPE), shown
        check_rows(listed[0], table.text)
        assert _next(table) == listed[1], shown
        assert tags[0] != tags[1], f"{url}: both forms have one entity tag"
        for answer in (before, table):
            assert "Accept" in [name.strip() for name in answer.headers["Vary"].split(",")], shown
        assert (known.status_code, known.content) == (304, b""), shown
        assert (other.status_code, other.content) == (200, table.content), shown
        assert (head.status_code, head.content, head.headers["Content-Type"]) == (200, b"", TABLE_TYPE), shown
        await self.conforms.check(table)

    async def _send(
        self, request: httpx.Request, url: httpx.URL, more: Mapping[str, str] | None = None, method: str = "GET"
    ) -> httpx.Response:
        headers = {name: value for name, value in headers_of(request).items() if name.lower() != "accept"}
        sent = httpx.Request(method, url, headers={**headers, **(more or {})}, extensions=request.extensions)
        found = await self._plain.handle_async_request(sent)
        found.request = sent
        await found.aread()
        return found


def _listed(body: Any, route: Route) -> tuple[list[Any], str | None]:
    """Return the rows of a list, and where its next page is: an address, or a cursor of the platform."""
    if "metadata" in body:
        return next(iter(body["data"].values())), body["metadata"].get("next_cursor")
    return next(iter(body.values())), (body.get("paging") or {}).get("next")


def _next(table: httpx.Response) -> str | None:
    """Return where the next page of a table is, in the form of `_listed`."""
    links = httpx.Response(200, headers=table.headers).links
    if "next" not in links:
        return None
    url = httpx.URL(links["next"]["url"])
    return url.params["cursor"] if "cursor" in url.params else str(url)


def check_rows(items: list[Any], text: str) -> None:
    """Compare the rows of a table with the items of its list: each value of an item stands in a column, and no other."""
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert len(set(header)) == len(header) > 0
    assert len(rows) == len(items)
    for item, row in zip(items, rows, strict=True):
        cells = dict(zip(header, row, strict=True))
        if header == ["item"]:
            item = {"item": item}
        for name, value in _values(item, "", cells.keys()):
            cell = cells.pop(name)
            assert _read(cell, value) == value, f"{name}: {cell!r} is not {value!r}"
        assert set(cells.values()) <= {""}, f"{cells} are in no item"


def _values(item: Any, before: str, columns: Any) -> Iterator[tuple[str, Any]]:
    """Yield each value of an item with the name of its column; an object without fields of its own has none."""
    for key, value in item.items():
        name = f"{before}{key}"
        if name in columns:
            yield name, value
        elif isinstance(value, dict):
            yield from _values(value, f"{name}.", columns)
        else:
            assert value is None, f"{name} is in no column"
            assert any(one.startswith(f"{name}.") for one in columns), f"{name} is in no column"


def _read(cell: str, value: Any) -> Any:
    """Return what a cell says, a text as text."""
    if value is None:
        return cell or None
    if not isinstance(value, str):
        return orjson.loads(cell)
    return cell[1:] if value.startswith(_FORMULAS) and cell.startswith("'") else cell
