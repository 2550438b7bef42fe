"""The points of a front that are shown first, all objectives to be made small; without any library of a study."""

from __future__ import annotations

import math
from collections.abc import Sequence

Rows = Sequence[Sequence[float]]
"""Objectives of the points of a front."""


def knee(front: Rows) -> int | None:
    """Return the index of the point that gives up least of every objective; None of an empty front.

    Each objective is measured as a part of the front's own range; the knee has the least sum.
    """
    sums = [math.fsum(row) for row in _measured(front)]
    return sums.index(min(sums)) if sums else None


def representatives(front: Rows, count: int) -> list[int]:
    """Return the indices of points that stand for a front, at most `count`.

    The first is the knee. Each further one is the point that is farthest from those before.
    """
    first = knee(front)
    if first is None or count < 1:
        return []
    measured = _measured(front)
    found = [first]
    distances = [math.dist(row, measured[first]) for row in measured]
    while len(found) < count and max(distances) > 0:
        found.append(distances.index(max(distances)))
        distances = [
            min(old, math.dist(row, measured[found[-1]])) for old, row in zip(distances, measured, strict=True)
        ]
    return found


def _measured(front: Rows) -> list[list[float]]:
    columns = [(min(column), max(column)) for column in zip(*front, strict=True)]
    return [
        [(value - low) / ((high - low) or 1.0) for value, (low, high) in zip(row, columns, strict=True)]
        for row in front
    ]
