"""Cursor pages of the platform's lists: keyset on (time, id), never OFFSET; the time is that of creation in most lists.

A cursor is opaque to callers: base64url of the last row's key. It decides where a page starts, not which rows are
visible.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import sqlalchemy as sa

from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction

DEFAULT_LIMIT = 50
"""Rows of a page if the request sets no limit."""
_TIME = r"(?P<created_at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)"
_KEY = re.compile(rf"{_TIME} (?P<id>[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})", re.ASCII)
_NUMBERED_KEY = re.compile(rf"{_TIME} (?P<id>[1-9][0-9]{{0,17}})", re.ASCII)


class PageRequest(Protocol):
    """A list request of the platform."""

    limit: int
    cursor: str

    def HasField(self, name: Any) -> bool:  # noqa: N802 (protobuf's name)
        """Return whether a field is set."""
        ...


@dataclass(frozen=True, slots=True)
class PlatformPage:
    """The rows that a list shows: the first `limit` rows after a key.

    A query takes the parameters `after_created_at`, `after_id` and `page_rows`. It reads one row more than the limit,
    by which `cut` knows that another page follows.
    """

    limit: int
    """Largest number of rows."""
    created_at: str | None
    """First part of the key; None: from the first row."""
    id: str | None
    """Second part of the key; None: from the first row."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the query; without a key only `page_rows`, for the query without a start."""
        if self.id is None:
            return {"page_rows": self.limit + 1}
        return {"page_rows": self.limit + 1, "after_created_at": self.created_at, "after_id": self.id}

    def cut(self, rows: list[Row], id_key: str, time_key: str = "created_at") -> tuple[list[Row], str | None]:
        """Return the page's rows and the cursor of the next page (None on the last page)."""
        if len(rows) <= self.limit:
            return rows, None
        page = rows[: self.limit]
        key = f"{page[-1][time_key]} {page[-1][id_key]}"
        return page, _cursor(key)


@dataclass(frozen=True, slots=True, eq=False)
class PlatformList:
    """A list in the order of time and id: statements for its first page and for those after a key."""

    first: Statement
    following: Statement
    id_key: str
    """Label of the id in the rows."""

    async def read(self, tx: Transaction, page: PlatformPage, **given: Any) -> tuple[list[Row], str | None]:
        """Read a page with the parameters of the rows; return it with the cursor of the next one (None on the last)."""
        rows = await tx.all(self.first if page.id is None else self.following, **given, **page.parameters)
        return page.cut(rows, self.id_key)


def listed(
    rows: sa.Select[Any],
    created_at: sa.ColumnElement[Any],
    id_: sa.ColumnElement[Any],
    *,
    newest_first: bool = False,
    id_key: str | None = None,
) -> PlatformList:
    """Declare a list.

    Args:
        rows: its rows without an order, with both columns.
        created_at: their time, never NULL.
        id_: their id.
        newest_first: whether the newest come first.
        id_key: label of the id in the rows; None for its own name.
    """
    key = sa.tuple_(created_at, id_)
    start = sa.tuple_(
        sa.bindparam("after_created_at", type_=sa.DateTime(timezone=True)), sa.bindparam("after_id", type_=id_.type)
    )
    order = (created_at.desc(), id_.desc()) if newest_first else (created_at, id_)
    ordered = rows.order_by(*order).limit(sa.bindparam("page_rows", type_=sa.Integer))
    following = ordered.where(key < start if newest_first else key > start)
    return PlatformList(Statement(ordered), Statement(following), id_key or id_.name)


def page_of(request: PageRequest, *, numbered: bool = False) -> PlatformPage:
    """Return the requested page; the ids of a `numbered` list are numbers from 1 on, of others UUIDs.

    Raises VALIDATION_ERROR: the cursor is damaged.
    """
    limit = request.limit if request.HasField("limit") else DEFAULT_LIMIT
    if not request.cursor:
        return PlatformPage(limit, None, None)
    padded = request.cursor + "=" * (-len(request.cursor) % 4)
    try:
        key = _NUMBERED_KEY if numbered else _KEY
        match = key.fullmatch(base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii"))
        if match is not None:
            datetime.fromisoformat(match["created_at"])
    except (binascii.Error, ValueError):
        match = None
    if match is None:
        raise _damaged(request.cursor)
    return PlatformPage(limit, match["created_at"], match["id"])


def part_of(request: PageRequest, keys: Sequence[str]) -> tuple[slice, str | None]:
    """Return the requested part of a whole list, and the cursor of the next part (None on the last part).

    For lists that are stored as one value.

    Args:
        request: the list request.
        keys: unique key of each item, in order.

    Raises VALIDATION_ERROR: the cursor's item no longer exists.
    """
    limit = request.limit if request.HasField("limit") else DEFAULT_LIMIT
    start = 0
    if request.cursor:
        cursors = [_cursor(key) for key in keys]
        if request.cursor not in cursors:
            raise _damaged(request.cursor)
        start = cursors.index(request.cursor) + 1
    end = start + limit
    return slice(start, end), _cursor(keys[end - 1]) if end < len(keys) else None


def _cursor(key: str) -> str:
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def _damaged(cursor: str) -> DomainError:
    return invalid(
        "cursor", "{field} is not one that this list gave; start without a cursor.", value=cursor, constraint="cursor"
    )
