"""Pages of the data services' lists: by keyset in both directions, or all rows in parts.

See guide/conventions.md, "Pages". A page costs at most four statements, whatever its size: its rows, and up to three
for the number of rows (the planner's estimate if there are over 10,000).
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Protocol, cast
from weakref import WeakKeyDictionary

from catenary.type.v1 import paging_pb2
from catenary.type.v1.paging_shapes import Paging, Summary
from catenary_core.access import visibility
from catenary_core.call.errors import invalid
from catenary_core.database.statements import VIEWER, Row, ShapeT
from catenary_core.database.transactions import Database, Transaction
from catenary_core.resources import cursors
from catenary_core.resources.cursors import Key
from catenary_core.resources.listing import (
    BEHIND,
    EXACT_COUNT,
    Listing,
    Shape,
    count_statements,
    full_count_statement,
    probe_of,
    rows_statement,
)
from catenary_wire.sentences import Fields

DEFAULT_LIMIT = 100
"""Rows of a page if the request sets no limit."""
PART = 500
"""Rows of a part of a list that isn't a page; a part must fit into a gRPC message of 4 MB."""
_FEW = 3_000
"""Number of rows up to which a page is gathered from keys.

Of m matching rows in n, gathering reads about m keys and walking reads 100 n / m rows.
"""
# The estimate of a larger list is reused for some seconds: counting up to the exact limit costs as much as reading the page.
_LARGE = 2 * EXACT_COUNT
_LARGE_SECONDS = 5.0
_MAX_CACHED = 1000
_large: WeakKeyDictionary[Database, dict[tuple[Any, ...], tuple[float, int]]] = WeakKeyDictionary()
"""Estimates of large lists, each with the time (`time.monotonic()`) until which it is used."""
_ORDERS: dict[int, bool] = {paging_pb2.ORDER_ASC: False, paging_pb2.ORDER_DESC: True}
"""The orders, each with True if it is descending."""


class ListRequest(Protocol):
    """A list request of a data service."""

    page_limit: int
    before: str
    after: str
    sort_by: str
    show_active: bool
    show_deleted: bool

    @property
    def order(self) -> int:
        """A number of catenary.type.v1.Order."""
        ...

    def HasField(self, name: Any) -> bool:  # noqa: N802 (protobuf's name)
        """Return whether a field is set."""
        ...


async def page(
    db: Database, listing: Listing[ShapeT], request: ListRequest, given: Mapping[str, Mapping[str, Any]], **context: Any
) -> ShapeT:
    """Return the requested page, as the response's dict.

    Args:
        db: database to read.
        listing: the list.
        request: the list request.
        given: the parameters of each filter's condition, by name of the filter; only for filters that apply.
        context: parameters of the conditions `always`.

    Raises VALIDATION_ERROR: `before` and `after` are both set, or a cursor is damaged, of another list or of another
    sort.
    """
    shape = _shape(listing, request, given)
    limit = request.page_limit if request.HasField("page_limit") else DEFAULT_LIMIT
    backward = request.HasField("before")
    start = _start(listing, shape, request)
    skipped = _offset(request, start)
    if not (shape.active or shape.deleted):
        return _answer(listing, shape, [], first=True, last=True, count=0)
    parameters = _parameters(given, context)
    async with db.read() as tx:
        count = None
        if probe_of(listing, shape) is not None:
            # The number of rows decides how they are read; large numbers are cached, to avoid counting each time.
            count = await _count(db, tx, listing, shape, parameters)
            shape = replace(shape, few=count <= _FEW)
        rows = await _rows(
            tx, listing, shape, parameters, start, limit + 1, backward=backward, skipped=skipped, paged=True
        )
        more, rows = len(rows) > limit, rows[:limit]
        if backward:
            rows.reverse()
        behind = skipped > 0 and bool(rows)
        if start is not None:
            for row in rows:
                behind = row.pop(BEHIND)  # the same in each row
        if count is None:
            count = await _count(db, tx, listing, shape, parameters)
    first, last = (not more, not behind) if backward else (not behind, not more)
    return _answer(listing, shape, rows, first=first, last=last, count=count)


async def parts(
    db: Database, listing: Listing[ShapeT], request: ListRequest, given: Mapping[str, Mapping[str, Any]], **context: Any
) -> AsyncIterator[ShapeT]:
    """Return the responses of an unpaginated list: one page if requested, else all rows in parts.

    No connection is held while the caller takes a part. Parameters and errors are those of `page`.
    """
    if any(request.HasField(name) for name in ("page_limit", "before", "after")):
        return _once(await page(db, listing, request, given, **context))
    shape, parameters = _shape(listing, request, given), _parameters(given, context)
    rows: list[Row] = []
    if shape.active or shape.deleted:
        async with db.read() as tx:
            if probe_of(listing, shape) is not None:
                shape = replace(shape, few=await _count(db, tx, listing, shape, parameters) <= _FEW)
            rows = await _rows(tx, listing, shape, parameters, None, PART, backward=False)
            if len(rows) == PART and VIEWER in context:
                # The head of the response is sent before the other parts are read.
                await visibility.note_any(tx, context)
    return _every(db, listing, shape, parameters, rows)


def filters_of(request: Any, *names: str) -> dict[str, dict[str, Any]]:
    """Return the filters of a request: those of `names` that it gives, each with its list or text as parameter."""
    given = {name: getattr(request, name) for name in names}
    return {name: {name: value if isinstance(value, str) else list(value)} for name, value in given.items() if value}


async def _once(body: ShapeT) -> AsyncIterator[ShapeT]:
    yield body


async def _every(
    db: Database, listing: Listing[ShapeT], shape: Shape, parameters: dict[str, Any], rows: list[Row]
) -> AsyncIterator[ShapeT]:
    """Yield the responses, starting with the given first rows."""
    while True:
        start = _key(listing, shape, rows[-1]) if len(rows) == PART else None
        yield _response(listing, rows, None, None)
        if start is None:
            return
        async with db.read() as tx:
            rows = await _rows(tx, listing, shape, parameters, start, PART, backward=False)
        if not rows:
            return


def _parameters(given: Mapping[str, Mapping[str, Any]], context: Mapping[str, Any]) -> dict[str, Any]:
    return {**context, **{name: value for values in given.values() for name, value in values.items()}}


def _shape(listing: Listing[Any], request: ListRequest, given: Mapping[str, Any]) -> Shape:
    show_active = request.show_active if request.HasField("show_active") else True
    return Shape(
        filters=frozenset(given),
        active=show_active,
        deleted=request.show_deleted,
        sort_by=request.sort_by if request.HasField("sort_by") else "created_at",
        descending=_ORDERS.get(request.order, listing.descending),
    )


async def _rows(
    tx: Transaction,
    listing: Listing[Any],
    shape: Shape,
    parameters: Mapping[str, Any],
    start: Key | None,
    limit: int,
    *,
    backward: bool,
    skipped: int = 0,
    paged: bool = False,
) -> list[Row]:
    """Return the next rows after `start`, or before it and nearest first if `backward`.

    Args:
        tx: connection.
        listing: the list.
        shape: shape of the request.
        parameters: parameters of the conditions.
        start: key next to which the rows are; None: from the beginning of the list.
        limit: largest number of rows.
        backward: whether rows before the key are read.
        skipped: number of first rows to skip.
        paged: whether rows after a key tell by the column `BEHIND` whether rows exist on its other side.
    """
    statement = rows_statement(listing, shape, start is not None, backward, skipped > 0, paged)
    if skipped:
        parameters = {**parameters, "skipped_rows": skipped}
    key = {} if start is None else {"page_start": start.value, "page_start_id": start.id}
    if start is not None and shape.sort_by == "id":
        del key["page_start"]
    return await tx.all(statement, page_rows=limit, **parameters, **key)


async def _count(
    db: Database, tx: Transaction, listing: Listing[Any], shape: Shape, parameters: Mapping[str, Any]
) -> int:
    kept = _large.setdefault(db, {})
    key = (listing, shape, repr(sorted((name, value) for name, value in parameters.items() if name != VIEWER)))
    until, estimate = kept.get(key, (0.0, 0))
    if time.monotonic() < until:
        return estimate
    exact, guess = count_statements(listing, shape)
    counted = await tx.one(exact, **parameters)
    if counted["n"] <= EXACT_COUNT and not counted["complete"]:
        counted = await tx.one(full_count_statement(listing, shape), **parameters)
    count: int = counted["n"]
    if count <= EXACT_COUNT:
        return count
    (plan,) = (await tx.one(guess, **parameters))["QUERY PLAN"]
    estimate = max(count, int(plan["Plan"]["Plan Rows"]))
    if estimate > _LARGE:
        if len(kept) >= _MAX_CACHED:
            kept.clear()
        kept[key] = (time.monotonic() + _LARGE_SECONDS, estimate)
    return estimate


def _key(listing: Listing[Any], shape: Shape, row: Row) -> Key:
    id_ = row[listing.id_field]
    return Key(id_ if shape.sort_by == "id" else row[shape.sort_by], id_)


def _answer(listing: Listing[ShapeT], shape: Shape, rows: list[Row], *, first: bool, last: bool, count: int) -> ShapeT:
    before = _cursor(listing, shape, rows[0]) if rows else None
    after = _cursor(listing, shape, rows[-1]) if rows else None
    paging: Paging = {
        "cursors": {"before": before, "after": after},
        "previous": None if first else before,
        "next": None if last else after,
    }
    return _response(listing, rows, paging, {"estimate_count": count})


def _response(listing: Listing[ShapeT], rows: list[Row], paging: Paging | None, summary: Summary | None) -> ShapeT:
    # The list's key is a value, which mypy can't compare with the shape; as for `statements.shaped`, contract tests do.
    response = {listing.key: [listing.message(row) for row in rows], "paging": paging, "summary": summary}
    return cast("ShapeT", response)


def _cursor(listing: Listing[Any], shape: Shape, row: Row) -> str:
    return cursors.encoded(_sort(listing, shape), _key(listing, shape, row))


def _sort(listing: Listing[Any], shape: Shape) -> cursors.Sort:
    return listing.key, shape.sort_by, shape.descending


def _start(listing: Listing[Any], shape: Shape, request: ListRequest) -> Key | None:
    """Return the key in the request's cursor; None without a cursor."""
    if request.HasField("before") and request.HasField("after"):
        raise invalid(
            "before",
            "{field} and {after} can't stand together; send one of them.",
            value=request.before,
            constraint="oneof",
            after=Fields("after"),
        )
    for name in ("before", "after"):
        if request.HasField(name):
            text = getattr(request, name)
            key = cursors.decoded(text, _sort(listing, shape))
            if key is None:
                raise invalid(
                    name,
                    "{field} is not a cursor that this list gave with this {order: and }; start without a cursor.",
                    value=text,
                    constraint="cursor",
                    order=Fields("sort_by", "order"),
                )
            return key
    return None


def _offset(request: Any, start: Key | None) -> int:
    """Return the number of rows to skip, for older versions of lists with offsets instead of cursors."""
    if "offset" not in request.DESCRIPTOR.fields_by_name or not request.HasField("offset"):
        return 0
    if start is not None:
        raise invalid(
            "offset", "{field} can't stand beside a cursor; send one of them.", value=request.offset, constraint="oneof"
        )
    return int(request.offset)
