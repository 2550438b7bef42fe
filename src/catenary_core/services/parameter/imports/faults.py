"""The faults of a file, each with its place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

MOST = 100
"""Number of faults after which reading stops."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file."""

    line: int
    """The row's first line."""
    item: str
    """Place in a JSON file, such as `assets[3]`; empty for CSV."""
    cells: Mapping[str, Any]
    """Values by column, without blank ones."""

    @property
    def place(self) -> str:
        """The row's place in words."""
        return f"{self.item} in line {self.line}" if self.item else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class ImportFault:
    """A fault of a row or file."""

    line: int | None
    """None for a file that cannot be read at all."""
    item: str
    """Place in a JSON file; empty for CSV."""
    column: str
    """Empty if the whole row or file is at fault."""
    message: str
    denied: bool = False
    """True if the row is right, but the caller may not write it."""

    def __str__(self) -> str:
        place = ", ".join(part for part in (f"line {self.line}" if self.line else "", self.item, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class TooManyFaultsError(Exception):
    """The number of faults has reached `MOST`, so reading stops."""


class Faults:
    """The faults of a file, in the order in which they were found."""

    def __init__(self) -> None:
        self.found: list[ImportFault] = []
        self._rows: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self.found)

    def add(self, line: int | None, message: str, *, item: str = "", column: str = "", denied: bool = False) -> None:
        """Record a fault.

        Raises:
            TooManyFaultsError: The number of faults has reached `MOST`; the fault is recorded all the same.
        """
        self.found.append(ImportFault(line, item, column, message, denied))
        if len(self.found) >= MOST:
            raise TooManyFaultsError

    def of(self, row: Row, column: str, message: str, *, denied: bool = False) -> None:
        """Record a fault of a row.

        Raises:
            TooManyFaultsError: The number of faults has reached `MOST`; the fault is recorded all the same.
        """
        self._rows.add(row.place)
        self.add(row.line, message, item=row.item, column=column, denied=denied)

    def has(self, row: Row) -> bool:
        """Return whether the row has a fault."""
        return row.place in self._rows


def suggestion(name: str, known: Iterable[str]) -> str:
    """Suggest known names close to a wrong one, as the end of a sentence."""
    near = difflib.get_close_matches(name[:200], list(known), n=3)
    return f"; did you mean {' or '.join(near)}?" if near else "."
