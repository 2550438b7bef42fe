"""A named part as plain arrays, and the checks that both the child and the host make of it.

The child checks a part to give a clear message; the host checks the arrays that arrive with the same functions, since
the model has controlled the child.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from catenary_worker.task import ModelFaultError

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer[Any]]

CHANNELS, CHANNELS_WITH_ALPHA = 3, 4
"""Numbers of a colour: red, green and blue, without and with alpha."""
FARTHEST = 1e9
"""Largest coordinate in metres."""


@dataclass
class Part:
    """A named part in metres, Z up.

    numpy is several times faster along long rows, so an array has a row per coordinate or corner.
    """

    name: str
    points: Floats
    """(3, n) coordinates."""
    faces: Integers | None
    """(3, m) indices of points; None for an open polyline through `points`."""
    density: float | None = None
    """kg/m3, if given."""
    color: Sequence[float] | None = None
    """Three sRGB channels from 0 to 1 and, for what is seen through, alpha; if given."""

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The lowest and the highest coordinates; NaN where a coordinate is NaN."""
        return self.points.min(axis=1), self.points.max(axis=1)

    @cached_property
    def middle(self) -> Floats:
        """The middle of the bounding box."""
        low, high = self.bounds
        middle: Floats = (low + high) / 2
        return middle


def check(part: Part) -> None:
    """Refuse a part without content, with coordinates that are not finite or too large, or with unknown indices.

    Raises:
        ModelFaultError: The text names the part.
    """
    what = "points" if part.faces is None else "vertices"
    count = part.points.shape[1]
    if part.faces is None and count < 2:
        raise ModelFaultError(f"geometry {part.name} is empty: a polyline needs two points.")
    if not count or (part.faces is not None and not part.faces.size):
        raise ModelFaultError(f"geometry {part.name} is empty: it has no triangles.")
    low, high = part.bounds
    if not (low.min() >= -FARTHEST and high.max() <= FARTHEST):  # also true for NaN
        bad = np.flatnonzero(~np.isfinite(part.points).all(axis=0))
        if bad.size:
            raise ModelFaultError(
                f"geometry {part.name}: {bad.size} of its {what} are not finite, the first at {bad[0]}."
            )
        raise ModelFaultError(f"geometry {part.name}: {what} lie more than {FARTHEST:g} m from the origin.")
    if part.faces is not None and (part.faces.min() < 0 or part.faces.max() >= count):
        worst = part.faces.min() if part.faces.min() < 0 else part.faces.max()
        raise ModelFaultError(f"geometry {part.name}: face index {worst} is out of range for {count} vertices.")


def used(part: Part) -> Part:
    """Return a checked part without the vertices that no triangle has: they belong to no measure and no bounding box."""
    if part.faces is None:
        return part
    has = np.zeros(part.points.shape[1], np.bool_)
    np.put(has, part.faces, True, mode="clip")
    if has.all():
        return part
    number = np.cumsum(has) - 1
    return replace(part, points=part.points[:, has], faces=number[part.faces].astype(part.faces.dtype))
