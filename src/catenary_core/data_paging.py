"""Lists of the data services: pages by keyset in both directions, or every row in parts (contract, section 2, "Pages").

A service declares each of its lists once, as a `Listing`; statements are compiled once for each shape of a request. A page costs
at most four statements, whatever its size: its rows, whether rows lie on the side it came from, and the number of rows (the
planner's estimate, when there are over 10,000).
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary.type.v1 import paging_pb2
from catenary_core import data_cursors, visibility
from catenary_core.data_cursors import Key
from catenary_core.db import Database, Transaction
from catenary_core.errors import invalid
from catenary_core.statements import VIEWER, Row, Statement

DEFAULT_LIMIT = 100
PART = 500
"""Rows of a part of a list that isn't a page; so that a part fits into a gRPC message of 4 MB."""
EXACT_COUNT = 10_000
_MOST_KEYS = 2 * EXACT_COUNT
"""Keys of a probe that a count looks up at first."""
_FEW = 3_000
"""Up to so many rows a page is gathered from keys: of m rows in n that reads about m keys, and walking 100 n / m rows."""
# A list of more rows is taken to have about as many for some seconds: counting to the exact limit costs as much as its page.
_LARGE = 2 * EXACT_COUNT
_LARGE_SECONDS = 5.0
_MOST_KEPT = 1000
_large: WeakKeyDictionary[Database, dict[tuple[Any, ...], tuple[float, int]]] = WeakKeyDictionary()
"""The estimates of large lists, with the moment (`time.monotonic()`) until which they hold."""
_ORDERS: dict[int, bool] = {paging_pb2.ORDER_ASC: False, paging_pb2.ORDER_DESC: True}


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
        """Whether a field is set."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """How the rows of a filter that goes by other tables are found: `column` has one of the `keys`, a SELECT of one column.

    Left to itself the planner, which doesn't see the filter's values, reads whole tables for it. So the rows are counted from
    the keys; and when they are few, a page is gathered from the keys too. When they are many, the page's sort is walked along
    with the filter, or with `walked`, the same condition where the planner wouldn't walk with the filter.
    """

    column: ColumnElement[Any]
    keys: sa.Select[Any]
    walked: ColumnElement[bool] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """A list of a data service.

    `key` is the list's key in the answer; `rows` selects the rows, with columns labelled as the message's fields, without order;
    `sorts` has the column of each `sort_by`, never NULL, text in the collation "C"; the rows have each of them under its
    name, and the id under `id_field`. `filters` has the condition of each filter, with parameters that the filter's value gives;
    `always` are conditions of every request, such as what the caller may see. `message` makes the message's dict of a row.
    `counted` is the table that has as many rows as `rows`, where the conditions need no other: an index of it may then suffice.
    `probes` has, for filters by other tables, how their rows are found.
    """

    key: str
    rows: sa.Select[Any]
    sorts: Mapping[str, ColumnElement[Any]]
    deleted_at: ColumnElement[Any]
    filters: Mapping[str, ColumnElement[bool]] = field(default_factory=dict)
    always: tuple[ColumnElement[bool], ...] = ()
    id_field: str = "id"
    descending: bool = False
    message: Callable[[Row], Any] = lambda row: row
    counted: sa.FromClause | None = None
    probes: Mapping[str, Probe] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What decides the text of the statements: filters, deletion, the sort, and whether a filter's rows are known to be few."""

    filters: frozenset[str]
    active: bool
    deleted: bool
    sort_by: str
    descending: bool
    few: bool = False


async def page(
    db: Database, listing: Listing, request: ListRequest, given: Mapping[str, Mapping[str, Any]], **context: Any
) -> dict[str, Any]:
    """The page that a request asks for, as the answer's dict.

    `given` has, for each filter that applies, the values of its condition's parameters; `context` those of the conditions
    `always`. VALIDATION_ERROR for `before` beside `after`, and for a cursor that is damaged, of another list or of another sort.
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
        if _probe_of(listing, shape) is not None:
            # The number of rows decides how they are read; that of many is kept, so that they are not counted each time.
            count = await _count(db, tx, listing, shape, parameters)
            shape = replace(shape, few=count <= _FEW)
        rows = await _rows(tx, listing, shape, parameters, start, limit + 1, backward=backward, skipped=skipped)
        more, rows = len(rows) > limit, rows[:limit]
        if backward:
            rows.reverse()
        behind = skipped > 0 and bool(rows)
        if start is not None and rows:
            edge = _key(listing, shape, rows[-1] if backward else rows[0])
            behind = bool(await _rows(tx, listing, shape, parameters, edge, 1, backward=not backward, alone=True))
        if count is None:
            count = await _count(db, tx, listing, shape, parameters)
    first, last = (not more, not behind) if backward else (not behind, not more)
    return _answer(listing, shape, rows, first=first, last=last, count=count)


async def parts(
    db: Database, listing: Listing, request: ListRequest, given: Mapping[str, Mapping[str, Any]], **context: Any
) -> AsyncIterator[dict[str, Any]]:
    """The answers of a list that isn't paginated: one page when the request asks for it, else every row in parts.

    No connection is held while the caller takes a part. Arguments and errors are those of `page`.
    """
    if any(request.HasField(name) for name in ("page_limit", "before", "after")):
        return _once(await page(db, listing, request, given, **context))
    shape, parameters = _shape(listing, request, given), _parameters(given, context)
    rows: list[Row] = []
    if shape.active or shape.deleted:
        async with db.read() as tx:
            if _probe_of(listing, shape) is not None:
                shape = replace(shape, few=await _count(db, tx, listing, shape, parameters) <= _FEW)
            rows = await _rows(tx, listing, shape, parameters, None, PART, backward=False)
            if len(rows) == PART and VIEWER in context:
                # The head of the answer goes out before the other parts are read.
                await visibility.note_any(tx, context)
    return _every(db, listing, shape, parameters, rows)


def by_index(table: sa.Table, *names: str) -> dict[str, Probe]:
    """The probes of filters by one or several values of the table's own columns, each of which an index of its own leads with.

    For a value that few rows have, the planner would else walk along the page's sort through the whole table.
    """
    id_ = table.primary_key.columns[0]
    keyed = table.alias("keyed")
    return {
        name: Probe(
            id_,
            sa.select(keyed.c[id_.name]).where(
                keyed.c[name] == sa.any_(sa.bindparam(name, type_=sa.ARRAY(table.c[name].type)))
            ),
        )
        for name in names
    }


def filters_of(request: Any, *names: str) -> dict[str, dict[str, Any]]:
    """The filters that a request gives: of `names`, those whose repeated field isn't empty, with the list as parameter."""
    return {name: {name: list(values)} for name in names if (values := getattr(request, name))}


async def _once(body: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    yield body


async def _every(
    db: Database, listing: Listing, shape: _Shape, parameters: dict[str, Any], rows: list[Row]
) -> AsyncIterator[dict[str, Any]]:
    """The answers from the one with the first rows on."""
    while True:
        start = _key(listing, shape, rows[-1]) if len(rows) == PART else None
        yield {listing.key: [listing.message(row) for row in rows], "paging": None, "summary": None}
        if start is None:
            return
        async with db.read() as tx:
            rows = await _rows(tx, listing, shape, parameters, start, PART, backward=False)
        if not rows:
            return


def _parameters(given: Mapping[str, Mapping[str, Any]], context: Mapping[str, Any]) -> dict[str, Any]:
    return {**context, **{name: value for values in given.values() for name, value in values.items()}}


def _shape(listing: Listing, request: ListRequest, given: Mapping[str, Any]) -> _Shape:
    show_active = request.show_active if request.HasField("show_active") else True
    return _Shape(
        filters=frozenset(given),
        active=show_active,
        deleted=request.show_deleted,
        sort_by=request.sort_by if request.HasField("sort_by") else "created_at",
        descending=_ORDERS.get(request.order, listing.descending),
    )


async def _rows(
    tx: Transaction,
    listing: Listing,
    shape: _Shape,
    parameters: Mapping[str, Any],
    start: Key | None,
    limit: int,
    *,
    backward: bool,
    skipped: int = 0,
    alone: bool = False,
) -> list[Row]:
    """The next rows after `start` (before it, nearest first, with `backward`), but for the first `skipped` ones.

    Of each there is its id `alone`, where that is asked for.
    """
    statement = _rows_statement(listing, shape, start is not None, backward, skipped > 0, alone)
    if skipped:
        parameters = {**parameters, "skipped_rows": skipped}
    key = {} if start is None else {"page_start": start.value, "page_start_id": start.id}
    if start is not None and shape.sort_by == "id":
        del key["page_start"]
    return await tx.all(statement, page_rows=limit, **parameters, **key)


async def _count(db: Database, tx: Transaction, listing: Listing, shape: _Shape, parameters: Mapping[str, Any]) -> int:
    kept = _large.setdefault(db, {})
    key = (listing, shape, repr(sorted((name, value) for name, value in parameters.items() if name != VIEWER)))
    until, estimate = kept.get(key, (0.0, 0))
    if time.monotonic() < until:
        return estimate
    exact, guess = _count_statements(listing, shape)
    counted = await tx.one(exact, **parameters)
    if counted["n"] <= EXACT_COUNT and not counted["complete"]:
        counted = await tx.one(_full_count_statement(listing, shape), **parameters)
    count: int = counted["n"]
    if count <= EXACT_COUNT:
        return count
    (plan,) = (await tx.one(guess, **parameters))["QUERY PLAN"]
    estimate = max(count, int(plan["Plan"]["Plan Rows"]))
    if estimate > _LARGE:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        kept[key] = (time.monotonic() + _LARGE_SECONDS, estimate)
    return estimate


@cache
def _rows_statement(
    listing: Listing, shape: _Shape, from_key: bool, backward: bool, skipping: bool, alone: bool
) -> Statement:
    id_ = listing.sorts["id"]
    columns = [id_] if shape.sort_by == "id" else [listing.sorts[shape.sort_by], id_]
    falling = shape.descending != backward
    order = [column.desc() if falling else column.asc() for column in columns]
    beyond: list[ColumnElement[bool]] = []
    if from_key:
        start = [sa.bindparam("page_start_id", type_=id_.type)]
        if len(columns) == 2:
            start.insert(0, sa.bindparam("page_start", type_=columns[0].type))
        left, right = sa.tuple_(*columns), sa.tuple_(*start)
        beyond = [left < right if falling else left > right]
    probe = _probe_of(listing, shape)
    if probe is not None and listing.counted is not None and shape.few:
        # The ids first, since what belongs to a row is only wanted of those on the page. OFFSET 0 keeps the planner from walking.
        found = sa.select(*(column.label(f"key_{place}") for place, column in enumerate(columns)))
        by_key = _conditions(listing, shape, _is_key(probe, probe.keys))
        gathered = (
            found.select_from(listing.counted)
            .where(*by_key, *beyond)
            .offset(sa.literal_column("0"))
            .correlate(None)
            .subquery("gathered")
        )
        keys = [gathered.c[f"key_{place}"] for place in range(len(columns))]
        first = sa.select(keys[-1]).order_by(*(key.desc() if falling else key.asc() for key in keys))
        first = _cut(first, skipping)
        select = listing.rows.where(id_ == sa.any_(sa.func.array(first.scalar_subquery()))).order_by(*order)
    else:
        walked = None if probe is None or listing.counted is None else probe.walked
        select = _cut(listing.rows.where(*_conditions(listing, shape, walked), *beyond).order_by(*order), skipping)
    if alone:  # What the other columns would be joined for is left out by the planner.
        select = select.with_only_columns(id_, maintain_column_froms=True)
    return Statement(select)


def _cut(select: sa.Select[Any], skipping: bool) -> sa.Select[Any]:
    select = select.limit(sa.bindparam("page_rows", type_=sa.Integer))
    return select.offset(sa.bindparam("skipped_rows", type_=sa.Integer)) if skipping else select


@cache
def _count_statements(listing: Listing, shape: _Shape) -> tuple[Statement, Statement]:
    """How many rows there are up to one over the exact limit, and whether that is `complete`; and the planner's guess."""
    some = _counted(listing).where(*_conditions(listing, shape))
    return _count_statement(listing, shape, _MOST_KEYS), Statement(some).explained()


@cache
def _full_count_statement(listing: Listing, shape: _Shape) -> Statement:
    """The count from all keys of a probe, for when many of the first ones have no row that counts."""
    return _count_statement(listing, shape, None)


def _count_statement(listing: Listing, shape: _Shape, most_keys: int | None) -> Statement:
    probe = _probe_of(listing, shape)
    complete: ColumnElement[Any] = sa.true()
    if probe is None:
        conditions = _conditions(listing, shape)
    else:
        keys = probe.keys if most_keys is None else probe.keys.limit(sa.literal_column(str(most_keys)))
        # The optimizer's fence: the keys are read once, for both uses.
        key = keys.cte("key").prefix_with("MATERIALIZED")
        conditions = _conditions(listing, shape, _is_key(probe, sa.select(key)))
        if most_keys is not None:
            number = sa.select(sa.func.count()).select_from(key).scalar_subquery()
            complete = number < sa.literal_column(str(most_keys))
    some = _counted(listing).where(*conditions)
    limited = some.limit(sa.literal_column(str(EXACT_COUNT + 1))).subquery("some")
    return Statement(sa.select(sa.func.count().label("n"), complete.label("complete")).select_from(limited))


def _counted(listing: Listing) -> sa.Select[Any]:
    one: ColumnElement[Any] = sa.literal_column("1").label("one")
    if listing.counted is not None:
        return sa.select(one).select_from(listing.counted)
    return listing.rows.with_only_columns(one, maintain_column_froms=True)


def _probe_of(listing: Listing, shape: _Shape) -> Probe | None:
    """The probe that a request's rows are found by: of its filters' the first."""
    return next((listing.probes[name] for name in sorted(shape.filters) if name in listing.probes), None)


def _is_key(probe: Probe, keys: sa.Select[Any]) -> ColumnElement[bool]:
    # As an array the keys are looked up in an index; what stands in a subquery the planner would rather join.
    return probe.column == sa.any_(sa.func.array(keys.scalar_subquery()))


def _conditions(
    listing: Listing, shape: _Shape, by_key: ColumnElement[bool] | None = None
) -> list[ColumnElement[bool]]:
    """What the rows of a request fulfil; `by_key` stands for the filter that has a probe, unless it is None."""
    names = sorted(shape.filters)
    if by_key is not None:
        names.remove(next(name for name in names if name in listing.probes))
    conditions = [*listing.always, *(listing.filters[name] for name in names)]
    if by_key is not None:
        conditions.append(by_key)
    if not shape.deleted:
        conditions.append(listing.deleted_at.is_(None))
    elif not shape.active:
        conditions.append(listing.deleted_at.is_not(None))
    return conditions


def _key(listing: Listing, shape: _Shape, row: Row) -> Key:
    id_ = row[listing.id_field]
    return Key(id_ if shape.sort_by == "id" else row[shape.sort_by], id_)


def _answer(listing: Listing, shape: _Shape, rows: list[Row], *, first: bool, last: bool, count: int) -> dict[str, Any]:
    before = _cursor(listing, shape, rows[0]) if rows else None
    after = _cursor(listing, shape, rows[-1]) if rows else None
    return {
        listing.key: [listing.message(row) for row in rows],
        "paging": {
            "cursors": {"before": before, "after": after},
            "previous": None if first else before,
            "next": None if last else after,
        },
        "summary": {"estimate_count": count},
    }


def _cursor(listing: Listing, shape: _Shape, row: Row) -> str:
    return data_cursors.encoded(_sort(listing, shape), _key(listing, shape, row))


def _sort(listing: Listing, shape: _Shape) -> data_cursors.Sort:
    return listing.key, shape.sort_by, shape.descending


def _start(listing: Listing, shape: _Shape, request: ListRequest) -> Key | None:
    """The row that the request's cursor names; None without a cursor."""
    if request.HasField("before") and request.HasField("after"):
        raise invalid("before", "before and after can't stand together; send one of them.", constraint="oneof")
    for name in ("before", "after"):
        if request.HasField(name):
            text = getattr(request, name)
            key = data_cursors.decoded(text, _sort(listing, shape))
            if key is None:
                why = f"{name} is not a cursor that this list gave with this sort_by and order; start without a cursor."
                raise invalid(name, why, value=text, constraint="cursor")
            return key
    return None


def _offset(request: Any, start: Key | None) -> int:
    """The rows to leave out, for the older version of some lists that is asked by number and not by cursor."""
    if "offset" not in request.DESCRIPTOR.fields_by_name or not request.HasField("offset"):
        return 0
    if start is not None:
        raise invalid("offset", "offset can't stand beside a cursor; send one of them.", constraint="oneof")
    return int(request.offset)
