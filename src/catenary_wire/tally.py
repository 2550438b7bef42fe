"""Counts of equal things, bounded in number: for what strangers cause, of which there may be any amount."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

Kind = TypeVar("Kind", bound=Hashable)
"""Common part of equal things."""


@dataclass(slots=True)
class Counted:
    """The count of equal things."""

    first: str
    """Id of the first of them."""
    count: int
    """Number of them."""


class Tally(Generic[Kind]):
    """Counts things by kind; beyond the largest number of kinds, further ones are counted under a coarser kind."""

    def __init__(self, most: int, coarser: Callable[[Kind], Kind]) -> None:
        """Begin without a count.

        Args:
            most: largest number of kinds beside the coarser ones.
            coarser: gives the coarser kind; there must be few of them.
        """
        self._most = most
        self._coarser = coarser
        self._counts: dict[Kind, Counted] = {}

    def add(self, kind: Kind, first: str, count: int = 1) -> None:
        """Add a number of things of a kind, of which `first` is the id of the first."""
        if kind not in self._counts and len(self._counts) >= self._most:
            kind = self._coarser(kind)
        self._counts.setdefault(kind, Counted(first, 0)).count += count

    def take(self) -> dict[Kind, Counted]:
        """Return all counts, and begin anew."""
        taken, self._counts = self._counts, {}
        return taken

    def put_back(self, taken: dict[Kind, Counted]) -> None:
        """Add counts that were taken and could not be used."""
        for kind, counted in taken.items():
            self.add(kind, counted.first, counted.count)
