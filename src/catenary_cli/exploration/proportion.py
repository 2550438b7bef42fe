"""The place of a number between two others, for bars and marks."""

from __future__ import annotations


def proportion(value: float, low: float, high: float) -> float:
    """Return how far a number is between two others, from 0 to 1; 0 where nothing is between them.

    Numbers are halved first: the difference of two great ones may be none that a float can hold.
    """
    span = high / 2 - low / 2
    return min(1.0, max(0.0, (value / 2 - low / 2) / span)) if span > 0 else 0.0
