"""What is wrong in a file, each with its place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

MOST = 100
"""Faults that are gathered before the reading stops."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file: `line` is its first line, `item` its place in a JSON file (`assets[3]`), else empty.

    `cells` has the columns that aren't blank.
    """

    line: int
    item: str
    cells: Mapping[str, Any]

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"{self.item} in line {self.line}" if self.item else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class ImportFault:
    """Something wrong: `column` is empty when it is the whole row or file, `line` None for a file that can't be read at all."""

    line: int | None
    item: str
    column: str
    message: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (f"line {self.line}" if self.line else "", self.item, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class TooManyFaultsError(Exception):
    """There are so many faults that going on would help nobody."""


class Faults:
    """The faults of a file, in the order in which they were found."""

    def __init__(self) -> None:
        self.found: list[ImportFault] = []
        self._rows: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self.found)

    def add(self, line: int | None, message: str, *, item: str = "", column: str = "") -> None:
        """Notes a fault; TooManyFaultsError with the last one that is noted."""
        self.found.append(ImportFault(line, item, column, message))
        if len(self.found) >= MOST:
            raise TooManyFaultsError

    def of(self, row: Row, column: str, message: str) -> None:
        """Notes a fault of a row."""
        self._rows.add(row.place)
        self.add(row.line, message, item=row.item, column=column)

    def has(self, row: Row) -> bool:
        """Whether the row has a fault."""
        return row.place in self._rows


def meant(name: str, known: Iterable[str]) -> str:
    """What the writer of a wrong name may have meant, as the end of a sentence."""
    near = difflib.get_close_matches(name[:200], list(known), n=3)
    return f"; did you mean {' or '.join(near)}?" if near else "."
