"""New points of a batch: stored results complete them at once, and of equal points one is computed for all."""

from __future__ import annotations

from collections.abc import Sequence

from catenary_core.database.transactions import Transaction
from catenary_core.services.evaluations.batches import queries
from catenary_core.services.evaluations.batches.encoding import EncodedPoint

AT_ONCE = 100
"""Points that one statement adds."""
MOST_CACHED = 64 * 1024
"""Bytes of the tables of a result up to which other points are completed by it; each has a copy of them."""


class Additions:
    """The points that one transaction adds to a batch."""

    def __init__(self, batch_id: str, ended: int) -> None:
        """Begin without a point.

        Args:
            batch_id: Id of the batch, which is new or locked.
            ended: Number of its points that have ended before.
        """
        self._batch_id = batch_id
        self._ended = ended
        self._first: dict[bytes, int] = {}
        self.added = 0
        """Number of points that were added."""
        self.cached = 0
        """Number of those that a stored result completed."""
        self.repeated = 0
        """Number of those that get the result of an equal one when that has ended."""

    @property
    def computed(self) -> int:
        """Return the number of added points that are computed."""
        return self.added - self.cached - self.repeated

    async def add(
        self, tx: Transaction, indexes: Sequence[int], points: Sequence[EncodedPoint], *, alone: bool = False
    ) -> None:
        """Add AT_ONCE points at most.

        Args:
            tx: Transaction that holds the batch.
            indexes: Their places in the batch.
            points: Their values and keys.
            alone: Whether each is computed, though an equal one is stored.
        """
        first = dict(self._first)
        repeats = [
            None if alone else _earlier(first, one.key, index) for index, one in zip(indexes, points, strict=True)
        ]
        rows = await tx.all(
            queries.ADD_POINTS,
            batch_id=self._batch_id,
            indexes=list(indexes),
            parameters=[one.text for one in points],
            keys=[None if alone else one.key for one in points],
            repeats=repeats,
            ended=self._ended + self.cached,
            most_cached=MOST_CACHED,
        )
        self.added += len(rows)
        self.cached += sum(row["cached"] for row in rows)
        self.repeated += sum(row["repeats"] is not None for row in rows)
        # A point that a stored result has completed answers none: that result may be gone at the next statement.
        waiting = {row["index"] for row in rows if not row["cached"]}
        self._first |= {key: index for key, index in first.items() if index in waiting}


def _earlier(first: dict[bytes, int], key: bytes, index: int) -> int | None:
    """Return the place of an earlier point with the key; None for the first one, which is noted."""
    found = first.setdefault(key, index)
    return None if found == index else found
