"""What a list of the data services is: its rows, sorts and filters, and the SQL that they make.

A service declares each of its lists once, as a `Listing`; statements are compiled once for each shape of a request.
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
_MOST_KEYS = 2 * EXACT_COUNT
"""Keys of a probe that a count looks up at first."""


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
class Listing(Generic[ShapeT]):
    """A list of a data service, and the shape of its response.

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
    message: Callable[[Row], Any] = same
    counted: sa.FromClause | None = None
    probes: Mapping[str, Probe] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides the text of the statements: filters, deletion, the sort, and whether a filter's rows are known to be few."""

    filters: frozenset[str]
    active: bool
    deleted: bool
    sort_by: str
    descending: bool
    few: bool = False


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


@cache
def rows_statement(
    listing: Listing[Any], shape: Shape, from_key: bool, backward: bool, skipping: bool, alone: bool
) -> Statement:
    """The next `page_rows` rows, after the parameters `page_start` and `page_start_id` where they are read `from_key`.

    `backward` they come in the opposite order, `skipping` without the first `skipped_rows`, `alone` as their ids only.
    """
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
    probe = probe_of(listing, shape)
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
def count_statements(listing: Listing[Any], shape: Shape) -> tuple[Statement, Statement]:
    """How many rows there are up to one over the exact limit, and whether that is `complete`; and the planner's guess."""
    some = _counted(listing).where(*_conditions(listing, shape))
    return _count_statement(listing, shape, _MOST_KEYS), Statement(some).explained()


@cache
def full_count_statement(listing: Listing[Any], shape: Shape) -> Statement:
    """The count from all keys of a probe, for when many of the first ones have no row that counts."""
    return _count_statement(listing, shape, None)


def _count_statement(listing: Listing[Any], shape: Shape, most_keys: int | None) -> Statement:
    probe = probe_of(listing, shape)
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


def _counted(listing: Listing[Any]) -> sa.Select[Any]:
    one: ColumnElement[Any] = sa.literal_column("1").label("one")
    if listing.counted is not None:
        return sa.select(one).select_from(listing.counted)
    return listing.rows.with_only_columns(one, maintain_column_froms=True)


def probe_of(listing: Listing[Any], shape: Shape) -> Probe | None:
    """The probe that a request's rows are found by: of its filters' the first."""
    return next((listing.probes[name] for name in sorted(shape.filters) if name in listing.probes), None)


def _is_key(probe: Probe, keys: sa.Select[Any]) -> ColumnElement[bool]:
    # As an array the keys are looked up in an index; what stands in a subquery the planner would rather join.
    return probe.column == sa.any_(sa.func.array(keys.scalar_subquery()))


def _conditions(
    listing: Listing[Any], shape: Shape, by_key: ColumnElement[bool] | None = None
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
