"""The picture of a design: shaded parts in a frame, with outlines, creases and darker hollows, on nothing.

The view is parallel, from the right of the front and from above, with Z up. Parts keep their colours. Of transparent ones the
nearest layer is shown over what is behind them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from catenary_core.services.evaluations.drawing import png
from catenary_core.services.evaluations.drawing.raster import NOTHING, Canvas, Floats, areas

WIDTH, HEIGHT = 512, 384
_SAMPLES = 2
"""Pixels of the canvas for one of the picture, to each side."""
_MARGIN = 24
"""Pixels of the canvas around the design."""
_AZIMUTH, _ELEVATION = math.radians(36), math.radians(26)
_MOST_FRAGMENTS = 48_000_000
"""Pixels of triangles, hidden ones too, above which only every n-th triangle is drawn."""
_CREASE = math.cos(math.radians(30))
_OUTLINE = 0.28
"""Share of its light that a pixel on an outline keeps."""
_HOLLOW_RADIUS, _HOLLOW_SHADE = 20, 0.45


@dataclass(frozen=True)
class DrawnPart:
    """A part: triangles or lines between points, in metres with Z up."""

    points: Floats
    corners: npt.NDArray[np.unsignedinteger]
    """(n, 3) for triangles, (n, 2) for lines."""
    color: Sequence[float]
    """Red, green, blue (linear) and alpha, 0 to 1."""


@dataclass(frozen=True)
class _View:
    """Axes of the picture in the space of the fitted design, and where the design lies on them."""

    axes: Floats
    """Rows: to the right, downwards, away from the viewer."""
    scale: float
    """Pixels per unit."""
    origin: Floats
    """The corner of the canvas: right, down, away."""
    deep: float
    """Extent of the design away from the viewer."""

    @classmethod
    def of(cls, shapes: Sequence[DrawnPart], width: int, height: int) -> _View:
        """Return the view that frames the shapes."""
        sine, cosine = math.sin(_AZIMUTH), math.cos(_AZIMUTH)
        away = -np.array(
            [sine * math.cos(_ELEVATION), -cosine * math.cos(_ELEVATION), math.sin(_ELEVATION)], np.float64
        )
        right = np.array([cosine, sine, 0.0])
        axes = np.stack([right, -np.cross(right, away), away])
        bounds = [(seen.min(axis=0), seen.max(axis=0)) for seen in (shape.points @ axes.T for shape in shapes)]
        low = np.min([one for one, _ in bounds], axis=0)
        extent = np.max([other for _, other in bounds], axis=0) - low
        room = np.array([width, height]) - 2 * _MARGIN
        scale = float(np.min(room / np.maximum(extent[:2], 1e-9)))
        offset = (np.array([width, height]) / scale - extent[:2]) / 2
        return cls(axes, scale, low - np.append(offset, 0.0), max(float(extent[2]), 1 / scale))

    def seen(self, points: Floats) -> Floats:
        """Return x and y in pixels, and depth from 0 to 1."""
        found: Floats = (points @ self.axes.T - self.origin) * [self.scale, self.scale, 1 / self.deep]
        return found


def draw(shapes: Sequence[DrawnPart]) -> bytes:
    """Return the PNG of a design, WIDTH by HEIGHT pixels."""
    width, height = WIDTH * _SAMPLES, HEIGHT * _SAMPLES
    shapes = _fitted(shapes)
    view = _View.of(shapes, width, height)
    image = np.zeros((height, width, 4))
    nearest = np.full((height, width), np.inf)
    for solid in (True, False):
        chosen = [shape for shape in shapes if (shape.color[3] >= 1) == solid]
        if not chosen:
            continue
        layer, depths = _layer(chosen, view, width, height)
        layer[depths > nearest] = 0
        image = layer + image * (1 - layer[..., 3:])
        nearest = np.minimum(nearest, depths)
    small = image.reshape(HEIGHT, _SAMPLES, WIDTH, _SAMPLES, 4).mean(axis=(1, 3))
    return png.encode(_bytes(small))


def _fitted(shapes: Sequence[DrawnPart]) -> list[DrawnPart]:
    """Move a design to the origin, with an extent of 1.

    No later step is then out of range or imprecise.
    """
    reach = max(float(np.abs(shape.points).max()) for shape in shapes) or 1.0
    near = [shape.points / reach for shape in shapes]
    low = np.min([points.min(axis=0) for points in near], axis=0)
    extent = float((np.max([points.max(axis=0) for points in near], axis=0) - low).max()) or 1.0
    return [
        DrawnPart((points - low) / extent, shape.corners, shape.color)
        for points, shape in zip(near, shapes, strict=True)
    ]


def _layer(shapes: Sequence[DrawnPart], view: _View, width: int, height: int) -> tuple[Floats, Floats]:
    """Draw shapes; return linear colours times alpha with the alpha, and depths with infinity where nothing is."""
    canvas = Canvas.empty(width, height)
    normals, colors, parts = [], [], []
    count = 0
    for number, shape in enumerate(shapes):
        seen = view.seen(shape.points)[shape.corners]
        corners = shape.corners
        if corners.shape[1] == 2:
            canvas.draw_lines(
                seen - [0, 0, 2 / (view.scale * view.deep)], count
            )  # in front of the surface that it lies on
            normals.append(np.repeat(-view.axes[2:], len(corners), axis=0))
        else:
            if (every := math.ceil(float(areas(seen).sum()) / _MOST_FRAGMENTS)) > 1:
                seen, corners = seen[::every], corners[::every]
            canvas.draw_triangles(seen, count)
            normals.append(_normals(shape.points, corners, view))
        colors.append(np.repeat(np.asarray(shape.color, np.float64)[None], len(corners), axis=0))
        parts.append(np.full(len(corners), number))
        count += len(corners)
    ids, depths = canvas.ids, canvas.depths
    shown = ids != NOTHING
    lit = np.concatenate(colors)
    normal = np.concatenate(normals)
    lit[:, :3] *= _light(normal, view)[:, None]
    lit[:, :3] *= lit[:, 3:]
    layer = np.where(shown[..., None], lit[ids], 0.0)
    pixels = depths * view.deep * view.scale
    shade = np.where(_outlines(ids, pixels, normal @ view.axes.T, np.concatenate(parts)), _OUTLINE, 1.0)
    layer[..., :3] *= (shade * _hollows(pixels, shown))[..., None]
    return layer, np.where(shown, depths, np.inf)


def _normals(points: Floats, corners: npt.NDArray[np.unsignedinteger], view: _View) -> Floats:
    """Return the unit normals of triangles, turned to the viewer."""
    one, two, three = (points[corners[:, column]] for column in range(3))
    found = np.cross(two - one, three - one)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    found = np.divide(found, lengths, out=np.zeros_like(found), where=lengths > 0)
    found[found @ view.axes[2] > 0] *= -1
    normals: Floats = found
    return normals


def _light(normals: Floats, view: _View) -> Floats:
    """Return the light of surfaces: a sky, and a lamp at the left above the viewer."""
    lamp = -0.55 * view.axes[0] - 0.65 * view.axes[1] - 0.6 * view.axes[2]
    lamp /= np.linalg.norm(lamp)
    found: Floats = 0.28 + 0.17 * (normals[:, 2] + 1) / 2 + 0.62 * np.maximum(normals @ lamp, 0)
    return found


def _outlines(ids: npt.NDArray[np.int64], depths: Floats, normals: Floats, parts: npt.NDArray[np.int64]) -> np.ndarray:
    """Return the pixels at which another part, a crease or a step in depth begins.

    Args:
        ids: Rows of shapes' ids.
        depths: Rows of depths in pixels.
        normals: Of each shape, on the axes of the view.
        parts: Of each shape, the number of its part.
    """
    marked = np.zeros(ids.shape, bool)
    for here, there, axis in (
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None)), 0),
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None)), 1),
    ):
        one, other = ids[here], ids[there]
        differ = np.nonzero(one != other)
        first, second = one[differ], other[differ]
        outside = (first == NOTHING) != (second == NOTHING)
        normal, next_normal = normals[first], normals[second]
        step = depths[there][differ] - depths[here][differ]
        expected = [_slope(unit, axis) for unit in (normal, next_normal)]
        jump = np.minimum(np.abs(step - expected[0]), np.abs(step - expected[1])) > 2.5
        crease = (normal * next_normal).sum(axis=1) < _CREASE
        found = outside | (parts[first] != parts[second]) | (crease & ~_flat(normal, next_normal)) | jump
        lines = np.zeros(one.shape, bool)
        lines[differ] = found
        # The nearer side carries the line, so that an outline lies on what it outlines.
        nearer = np.zeros(one.shape, bool)
        nearer[differ] = (second == NOTHING) | ((step >= 0) & (first != NOTHING))
        marked[here] |= lines & nearer
        marked[there] |= lines & ~nearer
    return marked


def _slope(normals: Floats, axis: int) -> Floats:
    """Return the change of depth over one pixel of surfaces with these normals."""
    toward = np.where(np.abs(normals[:, 2]) < 0.05, -0.05, normals[:, 2])
    found: Floats = -normals[:, axis] / toward
    return found


def _flat(one: Floats, other: Floats) -> npt.NDArray[np.bool_]:
    """Return where a triangle without an area has no normal."""
    found: npt.NDArray[np.bool_] = (np.abs(one).sum(axis=1) == 0) | (np.abs(other).sum(axis=1) == 0)
    return found


def _hollows(depths: Floats, shown: npt.NDArray[np.bool_]) -> Floats:
    """Return the share of light that reaches each pixel: less where the surface around it is nearer to the viewer.

    The difference to a blurred depth buffer: T. Luft, C. Colditz, O. Deussen, "Image Enhancement by Unsharp Masking the
    Depth Buffer", ACM Transactions on Graphics 25 (3), 2006.
    """
    weights = _blurred(shown.astype(np.float64))
    around = np.divide(_blurred(np.where(shown, depths, 0.0)), weights, out=np.zeros_like(depths), where=weights > 1e-9)
    behind = np.clip((depths - around) / (2 * _HOLLOW_RADIUS), 0, 1)
    return np.where(shown, 1 - _HOLLOW_SHADE * behind, 1.0)


def _blurred(values: Floats) -> Floats:
    """Return the means of squares around each pixel; outside is 0."""
    for axis in (0, 1):
        padded = np.pad(values, [(_HOLLOW_RADIUS + 1, _HOLLOW_RADIUS) if one == axis else (0, 0) for one in (0, 1)])
        sums = np.cumsum(padded, axis=axis)
        size = 2 * _HOLLOW_RADIUS + 1
        upper = sums.take(range(size, sums.shape[axis]), axis=axis)
        values = (upper - sums.take(range(sums.shape[axis] - size), axis=axis)) / size
    return values


def _bytes(image: Floats) -> npt.NDArray[np.uint8]:
    """Return linear colours times alpha as sRGB (IEC 61966-2-1) with a separate alpha."""
    alpha = image[..., 3:]
    linear = np.clip(np.divide(image[..., :3], alpha, out=np.zeros_like(image[..., :3]), where=alpha > 0), 0, 1)
    encoded = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.power(linear, 1 / 2.4) - 0.055)
    return np.round(np.concatenate([encoded, alpha], axis=-1) * 255).astype(np.uint8)
