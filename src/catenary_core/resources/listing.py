"""Lists of the data services: declared rows, sorts and filters, and the SQL for them.

A service declares each of its lists once, as a `Listing`; statements are compiled once per shape of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.database.statements import Row, ShapeT, Statement
from catenary_core.resources.resource import same

EXACT_COUNT = 10_000
"""Number of rows up to which rows are counted exactly."""
BEHIND = "rows_behind"
"""Label of a column: whether rows lie on the other side of the key, the key's own row included."""
_MOST_KEYS = 2 * EXACT_COUNT
"""Number of a probe's keys that a count looks up at first."""


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """The way to find the rows of a filter by other tables: their `column` is one of the `keys`.

    The planner doesn't know the filter's values, and by itself reads whole tables for such a filter. So rows are
    counted from the keys; and if they are few, a page is gathered from the keys too. If they are many, the rows are
    read in the order of the page's sort and filtered.
    """

    column: ColumnElement[Any]
    """Column of the list's rows."""
    keys: sa.Select[Any]
    """SELECT of one column: the values that match the filter."""
    walked: ColumnElement[bool] | None = None
    """The same condition in a form with which the planner reads in sort order; None: the filter itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing(Generic[ShapeT]):
    """A list of a data service, and the shape of its response."""

    key: str
    """Key of the list in the response."""
    rows: sa.Select[Any]
    """Query for the rows, without order.

    Columns are labelled as the message's fields, the sorts' names and `id_field`.
    """
    sorts: Mapping[str, ColumnElement[Any]]
    """Column of each `sort_by`, never NULL; text has the collation "C"."""
    deleted_at: ColumnElement[Any]
    """Column with the time of the deletion, NULL for an active row."""
    filters: Mapping[str, ColumnElement[bool]] = field(default_factory=dict)
    """Condition of each filter; the filter's value gives the condition's parameters."""
    always: tuple[ColumnElement[bool], ...] = ()
    """Conditions of every request, such as visibility to the caller."""
    id_field: str = "id"
    """Label of the id."""
    descending: bool = False
    """True if a list without an order in its request is descending."""
    message: Callable[[Row], Any] = same
    """Makes the message's dict of a row."""
    counted: sa.FromClause | None = None
    """Table with as many rows as `rows`, if the conditions need no other table.

    An index of this table may then be enough to count.
    """
    probes: Mapping[str, Probe] = field(default_factory=dict)
    """Probes of filters by other tables."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The part of a request that decides the text of the statements."""

    filters: frozenset[str]
    """Names of the filters that apply."""
    active: bool
    """True if active rows are shown."""
    deleted: bool
    """True if deleted rows are shown."""
    sort_by: str
    """Name of the sort."""
    descending: bool
    """True if the sort is descending."""
    few: bool = False
    """True if the rows of the probe's filter are known to be few."""


def by_index(table: sa.Table, *names: str) -> dict[str, Probe]:
    """Return probes for filters by values of the table's own columns, each the first column of an index.

    For a value of few rows, the planner would otherwise walk the whole table in the order of the page's sort.
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


@cache
def rows_statement(
    listing: Listing[Any], shape: Shape, from_key: bool, backward: bool, skipping: bool, looking_behind: bool
) -> Statement:
    """Return a statement for the next `page_rows` rows.

    Args:
        listing: the list.
        shape: shape of the request.
        from_key: whether rows start after the parameters `page_start` and `page_start_id`.
        backward: whether rows come in the opposite order.
        skipping: whether the first `skipped_rows` rows are skipped.
        looking_behind: whether rows after a key have the column `BEHIND`.
    """
    id_ = listing.sorts["id"]
    columns = [id_] if shape.sort_by == "id" else [listing.sorts[shape.sort_by], id_]
    falling = shape.descending != backward
    beyond: list[ColumnElement[bool]] = []
    rows = listing.rows
    if from_key:
        start = [sa.bindparam("page_start_id", type_=id_.type)]
        if len(columns) == 2:
            start.insert(0, sa.bindparam("page_start", type_=columns[0].type))
        left, right = sa.tuple_(*columns), sa.tuple_(*start)
        beyond = [left < right if falling else left > right]
    if from_key and looking_behind:
        # Ordered, so that the nearest row is found by the index of the sort.
        behind = _ids(listing, shape, columns, [left >= right if falling else left <= right], falling=not falling)
        rows = rows.add_columns(behind.limit(sa.literal_column("1")).scalar_subquery().is_not(None).label(BEHIND))
    order = [column.desc() if falling else column.asc() for column in columns]
    if _gathers(listing, shape):
        # The ids first: joined columns are needed only for the rows on the page.
        ids = _cut(_ids(listing, shape, columns, beyond, falling=falling), skipping)
        select = rows.where(id_ == sa.any_(sa.func.array(ids.scalar_subquery()))).order_by(*order)
    else:
        select = _cut(rows.where(*_walked(listing, shape), *beyond).order_by(*order), skipping)
    return Statement(select)


def _gathers(listing: Listing[Any], shape: Shape) -> bool:
    return shape.few and listing.counted is not None and probe_of(listing, shape) is not None


def _walked(listing: Listing[Any], shape: Shape) -> list[ColumnElement[bool]]:
    """Return the conditions in the form with which rows are read in sort order."""
    probe = probe_of(listing, shape)
    return _conditions(listing, shape, None if probe is None or listing.counted is None else probe.walked)


def _ids(
    listing: Listing[Any],
    shape: Shape,
    columns: list[ColumnElement[Any]],
    beyond: list[ColumnElement[bool]],
    *,
    falling: bool,
) -> sa.Select[Any]:
    """Return a query for the ids of a request's rows beyond a key, in order."""
    if not _gathers(listing, shape):
        # Without the other columns, the planner omits their joins.
        select = listing.rows.with_only_columns(columns[-1], maintain_column_froms=True)
        select = select.where(*_walked(listing, shape), *beyond)
        return select.order_by(*(key.desc() if falling else key.asc() for key in columns)).correlate(None)
    probe = probe_of(listing, shape)
    assert probe is not None
    assert listing.counted is not None
    found = sa.select(*(column.label(f"key_{place}") for place, column in enumerate(columns)))
    # OFFSET 0 keeps the planner from reading in sort order.
    gathered = (
        found.select_from(listing.counted)
        .where(*_conditions(listing, shape, _is_key(probe, probe.keys)), *beyond)
        .offset(sa.literal_column("0"))
        .correlate(None)
        .subquery("gathered")
    )
    keys = [gathered.c[f"key_{place}"] for place in range(len(columns))]
    return sa.select(keys[-1]).order_by(*(key.desc() if falling else key.asc() for key in keys))


def _cut(select: sa.Select[Any], skipping: bool) -> sa.Select[Any]:
    select = select.limit(sa.bindparam("page_rows", type_=sa.Integer))
    return select.offset(sa.bindparam("skipped_rows", type_=sa.Integer)) if skipping else select


@cache
def count_statements(listing: Listing[Any], shape: Shape) -> tuple[Statement, Statement]:
    """Return two statements: a count, and the planner's estimate.

    The count stops one row above EXACT_COUNT, and says in `complete` whether it looked up all keys.
    """
    some = _counted(listing).where(*_conditions(listing, shape))
    return _count_statement(listing, shape, _MOST_KEYS), Statement(some).explain()


@cache
def full_count_statement(listing: Listing[Any], shape: Shape) -> Statement:
    """Return a count from all keys of a probe, needed if many of the first keys have no matching row."""
    return _count_statement(listing, shape, None)


def _count_statement(listing: Listing[Any], shape: Shape, most_keys: int | None) -> Statement:
    probe = probe_of(listing, shape)
    complete: ColumnElement[Any] = sa.true()
    if probe is None:
        conditions = _conditions(listing, shape)
    else:
        keys = probe.keys if most_keys is None else probe.keys.limit(sa.literal_column(str(most_keys)))
        # An optimization fence: the keys are read once, for both uses.
        key = keys.cte("key").prefix_with("MATERIALIZED")
        conditions = _conditions(listing, shape, _is_key(probe, sa.select(key)))
        if most_keys is not None:
            number = sa.select(sa.func.count()).select_from(key).scalar_subquery()
            complete = number < sa.literal_column(str(most_keys))
    some = _counted(listing).where(*conditions)
    limited = some.limit(sa.literal_column(str(EXACT_COUNT + 1))).subquery("some")
    return Statement(sa.select(sa.func.count().label("n"), complete.label("complete")).select_from(limited))


def _counted(listing: Listing[Any]) -> sa.Select[Any]:
    one: ColumnElement[Any] = sa.literal_column("1").label("one")
    if listing.counted is not None:
        return sa.select(one).select_from(listing.counted)
    return listing.rows.with_only_columns(one, maintain_column_froms=True)


def probe_of(listing: Listing[Any], shape: Shape) -> Probe | None:
    """Return the probe for a request's rows: that of its first filter with one."""
    return next((listing.probes[name] for name in sorted(shape.filters) if name in listing.probes), None)


def _is_key(probe: Probe, keys: sa.Select[Any]) -> ColumnElement[bool]:
    # As an array, the keys are looked up in an index; the planner would rather join a subquery.
    return probe.column == sa.any_(sa.func.array(keys.scalar_subquery()))


def _conditions(
    listing: Listing[Any], shape: Shape, by_key: ColumnElement[bool] | None = None
) -> list[ColumnElement[bool]]:
    """Return the conditions of a request's rows; `by_key`, unless None, replaces the filter that has the probe."""
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
