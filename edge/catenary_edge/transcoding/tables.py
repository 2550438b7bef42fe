"""Lists as tables: CSV (RFC 4180), one row an item, for spreadsheets.

A field of an object has a column of its own, such as `actor.staff_name`; lists, maps and free JSON are JSON in one cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any

import orjson

from catenary_wire.csv_cells import MARK, is_formula

Column = tuple[str, ...]
"""The keys that lead from an item to the value of a column; none where the item itself is the value, a list."""
_ITEM = "item"
"""Name of the only column of a list of lists."""
_Read = Callable[[Any], Any]
"""Reads the value of a column from an item; None where an object around it is null."""


class Table:
    """The table of a list, with the same columns on every page."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.names = tuple(".".join(column) or _ITEM for column in columns)
        """The names of the columns."""
        self._reads = tuple(_reader(column) for column in columns)

    def encode(self, body: dict[str, Any]) -> bytes:
        """Build the CSV of a response dict, whose first field is the list; the names of the columns first."""
        return _lines((self.names, *self._rows(body)))

    async def pieces(self, body: dict[str, Any], rest: AsyncIterator[dict[str, Any]]) -> AsyncGenerator[bytes, None]:
        """Yield the bytes of the table of a list in parts: the first part and then the later ones."""
        yield self.encode(body)
        async for part in rest:
            yield _lines(self._rows(part))

    def _rows(self, body: dict[str, Any]) -> Iterator[Sequence[str]]:
        for item in next(iter(body.values())):
            yield [_cell(read(item)) for read in self._reads]


def _lines(rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode()


def _reader(column: Column) -> _Read:
    def read(item: Any) -> Any:
        for key in column:
            if item is None:
                return None
            item = item.get(key)  # older versions leave keys out
        return item

    return read


def _cell(value: Any) -> str:
    """Return the text of a cell: a text that would be a formula stands after an apostrophe."""
    if isinstance(value, orjson.Fragment):  # free JSON from a core over gRPC; the core in this process gives its value
        text = orjson.dumps(value)
        value = orjson.loads(text) if text.startswith((b'"', b"null")) else value
    if value is None:
        return ""
    if isinstance(value, str):
        return f"{MARK}{value}" if is_formula(value) else value
    return orjson.dumps(value).decode()
