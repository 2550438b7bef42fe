"""The interface between a study and the algorithm that proposes its points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]
"""One coordinate for each variable."""


class SampleChangedError(Exception):
    """The stored points are none of the sample, which another release of a library drew."""


class Search(Protocol):
    """An algorithm that proposes a generation of points at a time, by a seed.

    Equal answers give equal proposals. A generation is answered whole before the next one is asked for.
    """

    def ask(self) -> list[list[float]]:
        """Return the vectors of the next generation; none when there are no more."""
        ...

    def tell(self, vectors: Sequence[Vector], objectives: Sequence[Vector], violations: Sequence[Vector]) -> None:
        """Take the results of the generation.

        Args:
            vectors: the vectors that were asked for, in their order.
            objectives: objectives of each, less being better.
            violations: distance of each from each condition, 0 where met.

        Raises:
            SampleChangedError: the algorithm has one sample, and the vectors are others.
        """
        ...
