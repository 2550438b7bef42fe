"""A z-buffer: the nearest triangle or line of each pixel.

Each pixel holds one number of 64 bits, the depth above the id, so that one `minimum` keeps depth and id of what is nearest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

NOTHING = -1
"""Id of a pixel that shows nothing."""
_EMPTY = np.iinfo(np.int64).max
_DEPTHS = 2.0**31 - 1
_LOW = 0xFFFF_FFFF
_SHAPES = 65_536
"""Triangles or lines that are drawn at a time."""
_FRAGMENTS = 1_000_000
"""Rows of triangles, or pixels of rows, that are worked out at a time."""


@dataclass(frozen=True)
class Canvas:
    """A grid of pixels; x grows to the right, y downwards, depth from 0 (near) to 1 (far)."""

    width: int
    height: int
    pixels: Integers

    @classmethod
    def empty(cls, width: int, height: int) -> Canvas:
        """Return a canvas that shows nothing."""
        return cls(width, height, np.full(width * height, _EMPTY, np.int64))

    @property
    def ids(self) -> Integers:
        """Return the ids as rows of pixels; NOTHING where nothing is shown."""
        found = np.where(self.pixels == _EMPTY, NOTHING, self.pixels & _LOW)
        return found.reshape(self.height, self.width)

    @property
    def depths(self) -> Floats:
        """Return the depths as rows of pixels; 1 where nothing is shown."""
        found = np.where(self.pixels == _EMPTY, 1.0, (self.pixels >> 32) / _DEPTHS)
        return found.reshape(self.height, self.width)

    def draw_triangles(self, corners: Floats, first: int) -> None:
        """Draw triangles with the ids from `first`; `corners` are (n, 3, 3): x and y in pixels, and depth."""
        for start in range(0, len(corners), _SHAPES):
            self._triangles(corners[start : start + _SHAPES], first + start)

    def draw_lines(self, ends: Floats, first: int) -> None:
        """Draw lines two pixels wide with the ids from `first`; `ends` are (n, 2, 3)."""
        spans = np.abs(ends[:, 1, :2] - ends[:, 0, :2]).max(axis=1)
        counts = np.minimum(np.ceil(spans), self.width + self.height).astype(np.int64) + 1
        for chosen in _portions(counts):
            which, place = _spread(counts[chosen])
            along = place / np.maximum(counts[chosen] - 1, 1)[which]
            begin, end = ends[chosen, 0][which], ends[chosen, 1][which]
            x, y, depth = (begin + (end - begin) * along[:, None]).T
            ids = first + chosen.start + which
            for right, down in ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)):
                self._keep(np.floor(x + right), np.floor(y + down), depth, ids)

    def _triangles(self, corners: Floats, first: int) -> None:
        """Draw triangles row by row: the centres of pixels between the two edges that cross the row."""
        x, y, depth = corners[..., 0], corners[..., 1], corners[..., 2]
        slopes = _slopes(x, y, depth)
        top = np.clip(np.ceil(y.min(axis=1) - 0.5), 0, self.height).astype(np.int64)
        bottom = np.clip(np.ceil(y.max(axis=1) - 0.5), 0, self.height).astype(np.int64)
        rows = np.maximum(bottom - top, 0)
        drawn = np.zeros(len(corners), bool)
        for chosen in _portions(rows):
            which, place = _spread(rows[chosen])
            which += chosen.start
            line = top[which] + place
            left, right = _crossings(x[which], y[which], line + 0.5)
            begin = np.clip(np.ceil(left - 0.5), 0, self.width)
            end = np.clip(np.ceil(right - 0.5), 0, self.width)
            counts = np.maximum(end - begin, 0).astype(np.int64)
            drawn[which[counts > 0]] = True
            for part in _portions(counts):
                row, column = _spread(counts[part])
                row += part.start
                of = which[row]
                across = begin[row] + column
                at = (
                    depth[of, 0]
                    + slopes[of, 0] * (across + 0.5 - x[of, 0])
                    + slopes[of, 1] * (line[row] + 0.5 - y[of, 0])
                )
                at = np.clip(at, depth.min(axis=1)[of], depth.max(axis=1)[of])
                self._keep(across, line[row], at, first + of)
        # One without the centre of a pixel would vanish, and a thin bar with it.
        small = np.flatnonzero(~drawn)
        middle = corners[small].mean(axis=1)
        self._keep(np.floor(middle[:, 0]), np.floor(middle[:, 1]), middle[:, 2], first + small)

    def _keep(self, x: Any, y: Any, depth: Floats, ids: Integers) -> None:
        """Keep what is nearer than what the pixels show."""
        inside = (x >= 0) & (x < self.width) & (y >= 0) & (y < self.height)
        place = (y[inside] * self.width + x[inside]).astype(np.int64)
        whole = (np.clip(depth[inside], 0, 1) * _DEPTHS).astype(np.int64)
        np.minimum.at(self.pixels, place, whole << 32 | ids[inside])


def areas(corners: Floats) -> Floats:
    """Return the areas of triangles in pixels."""
    return np.abs(_doubled_areas(corners[..., 0], corners[..., 1])) / 2


def _doubled_areas(x: Floats, y: Floats) -> Floats:
    found: Floats = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    return found


def _slopes(x: Floats, y: Floats, depth: Floats) -> Floats:
    """Return the change of depth per pixel to the right and downwards; 0 for a triangle that is seen from its edge."""
    area = _doubled_areas(x, y)
    (x1, x2), (y1, y2), (d1, d2) = (
        (values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]) for values in (x, y, depth)
    )
    doubled = np.stack([d1 * y2 - d2 * y1, x1 * d2 - x2 * d1], axis=1)
    found: Floats = np.divide(doubled, area[:, None], out=np.zeros_like(doubled), where=np.abs(area[:, None]) > 1e-9)
    return found


def _crossings(x: Floats, y: Floats, line: Floats) -> tuple[Floats, Floats]:
    """Return where the edges of triangles cross horizontal lines, left and right; left is over right where none does."""
    left, right = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        crosses = (y[:, one] <= line) != (y[:, other] <= line)
        rise = np.where(crosses, y[:, other] - y[:, one], 1.0)
        at = x[:, one] + (line - y[:, one]) / rise * (x[:, other] - x[:, one])
        left = np.where(crosses, np.minimum(left, at), left)
        right = np.where(crosses, np.maximum(right, at), right)
    return left, right


def _portions(counts: Integers) -> Iterator[slice]:
    """Part items into runs that have some _FRAGMENTS each."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, before + _FRAGMENTS, "right")), start + 1)
        yield slice(start, stop)
        start = stop


def _spread(counts: Integers) -> tuple[Integers, Integers]:
    """Return for each of `counts` things of each item the item's index, and the thing's place in it from 0."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
