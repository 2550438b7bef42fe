"""The bodies of a closed mesh: which of them are turned inside out, and which are cavities of another one."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import numpy.typing as npt

from catenary_worker.geometry import positions
from catenary_worker.geometry.part import Floats, Integers, Part

_SAMPLES = 3
"""Triangles of a body whose middles must lie inside another body, for the body to lie inside it."""
_MOST_PAIRS = 50_000_000
"""Most pairs of a ray and a triangle, or of two boxes: some seconds."""
_AT_ONCE = 1_000_000
"""Pairs of boxes that are compared at once, beside those of one body."""
_BLOCK = 1_024
_ANGLES = (0.6180339887, 1.3247179572, 0.7548776662)
"""A rotation after which the faces of no ordinary body are parallel to a ray."""

_MOST_REMEMBERED = 200
_REMEMBERED_TRIANGLES = 20_000
_Bools = npt.NDArray[np.bool_]
_Sets = npt.NDArray[np.int32]
_remembered: dict[tuple[str, bytes], _Sets | None] = {}
"""Results of `_sets` by the digest of the triangles: the next design has most often the same, with other coordinates."""


def turned(part: Part, faces: Integers, labels: positions.Labels, joined: Integers | None = None) -> _Bools | None:
    """Return which triangles of a closed mesh have to be turned, so that each body encloses a positive volume.

    A body that lies inside another one keeps its sides relative to the outermost body around it: a cavity stays a cavity.

    Args:
        part: The part.
        faces: (3, n) corners of its triangles; each directed edge has its opposite.
        labels: Numbers of the positions of its points.
        joined: the same with one number for vertices that are nearly one; without it equal positions are one.

    Returns:
        A mask of the triangles; None if there is nothing to turn.
    """
    body = _bodies(labels, faces) if joined is None else _sets(np.unique(joined, return_inverse=True)[1])
    if body is None:
        return None
    volumes = np.bincount(body, _volumes(part, faces))
    if volumes.min() >= 0:
        return None
    around = _around(part.points, faces, body, len(volumes))
    if around is None:  # too many to look at: as one body
        return np.full(faces.shape[1], volumes.sum() < 0)
    inner, outer = around
    outermost = np.ones(len(volumes), np.bool_)
    outermost[inner] = False
    wrong = outermost & (volumes < 0)
    # Of several bodies around one, exactly one is in none itself, unless bodies cross each other: then the largest counts.
    size = np.where(outermost, np.abs(volumes), -1.0)
    by_size = np.argsort(size[outer], kind="stable")
    root = np.arange(len(volumes))
    root[inner[by_size]] = outer[by_size]  # of several assignments the last one stays
    mask: _Bools = wrong[root][body]
    return mask if mask.any() else None


def _bodies(labels: positions.Labels, faces: Integers) -> _Sets | None:
    """Return the number of the body of each triangle, or None if all belong to one; bodies share no position."""
    sets = _remembered_sets(faces)
    if sets is None:
        return None
    # Vertices of one body may be there several times, as where each triangle has its own.
    return sets if len(np.unique(labels)) == len(labels) else _sets(positions.distinct(labels)[1][faces])


def _remembered_sets(faces: Integers) -> _Sets | None:
    """Return what `_sets` does, from memory where a mesh of the same triangles was seen lately."""
    digest = faces.dtype.str, hashlib.blake2b(np.ascontiguousarray(faces).data, digest_size=16).digest()
    if digest in _remembered:
        return _remembered[digest]
    sets = _sets(faces)
    if sets is None or len(sets) <= _REMEMBERED_TRIANGLES:
        _remembered[digest] = sets
        if len(_remembered) > _MOST_REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
    return sets


def _sets(corners: Integers) -> _Sets | None:
    """Return the number of the connected set of each triangle, or None if all are connected; every corner is of one.

    Each triangle has an edge to one triangle at each of its corners, always the same one of a corner: a graph of three
    edges a row, which is built without a look at its numbers.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    corners = corners.reshape(3, -1).astype(np.int32)
    count = corners.shape[1]
    at_corner = np.empty(int(corners.max()) + 1, np.int32)
    at_corner[corners] = np.arange(count, dtype=np.int32)
    edges = at_corner[corners.T].reshape(-1), np.arange(0, 3 * count + 1, 3, dtype=np.int32)
    # Not by strong connection, which needs no opposite edges: scipy runs for ever where two edges are equal.
    sets, label = connected_components(csr_array((np.ones(3 * count), *edges), shape=(count, count)), directed=False)
    return None if sets == 1 else label


def _volumes(part: Part, faces: Integers) -> Floats:
    """Return six times the signed volume of the tetrahedron of each triangle and the middle of the part."""
    local = part.points - part.middle[:, None]
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = local.take(faces.astype(np.intp), axis=1, mode="clip").swapaxes(0, 1)
    found: Floats = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return found


def _around(points: Floats, faces: Integers, body: _Sets, count: int) -> tuple[Integers, Integers] | None:
    """Return pairs, each an inner and the outer body around it; None if too much is to be looked at.

    A point is inside a body whose surface a ray from it crosses an odd number of times (Haines, "Point in Polygon
    Strategies", Graphics Gems IV, 1994). All bodies are turned first, so that no ray runs along an edge.
    """
    turned_points = _rotation() @ (points - points.mean(axis=1, keepdims=True))
    if (boxed := _boxed(turned_points, faces, body, count)) is None:
        return None
    inner, outer = boxed
    is_inner, is_outer = np.zeros((2, count), np.bool_)
    is_inner[inner], is_outer[outer] = True, True
    order = np.argsort(body, kind="stable")
    starts, sizes = np.searchsorted(body[order], np.arange(count)), np.bincount(body, minlength=count)
    samples = np.concatenate([order[starts + (sizes - 1) * step // (_SAMPLES - 1)] for step in range(_SAMPLES)])
    samples = samples[is_inner[body[samples]]]
    queries = turned_points[:, faces[:, samples]].mean(axis=1)
    by_y = np.argsort(queries[1])
    owner, queries = body[samples][by_y].astype(np.int64), queries[:, by_y]
    faces, body = faces[:, is_outer[body]], body[is_outer[body]]
    crossed: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
    pairs = 0
    for start in range(0, faces.shape[1], _BLOCK):
        corners = turned_points[:, faces[:, start : start + _BLOCK]]
        low, high = corners.min(axis=1), corners.max(axis=1)
        first, last = np.searchsorted(queries[1], low[1]), np.searchsorted(queries[1], high[1], "right")
        pairs += int((last - first).sum())
        if pairs > _MOST_PAIRS:
            return None
        triangle, query = _pairs(first, last)
        of = body[start : start + _BLOCK][triangle]
        near = (queries[2, query] >= low[2, triangle]) & (queries[2, query] <= high[2, triangle])
        near &= (queries[0, query] <= high[0, triangle]) & (of != owner[query])
        triangle, query, of = triangle[near], query[near], of[near]
        hit = _crosses(corners[:, :, triangle], queries[:, query])
        crossed.append(query[hit].astype(np.int64) * count + of[hit])
    keys, times = np.unique(np.concatenate(crossed), return_counts=True)
    odd = keys[times % 2 == 1]
    found, samples_inside = np.unique(owner[odd // count] * count + odd % count, return_counts=True)
    found = found[samples_inside == _SAMPLES]
    return found // count, found % count


def _boxed(points: Floats, faces: Integers, body: _Sets, count: int) -> tuple[Integers, Integers] | None:
    """Return pairs of bodies of which the first one's box lies in the second one's; None if too much is to be looked at."""
    of_point = np.full(points.shape[1], -1, body.dtype)
    of_point[faces] = body
    order = np.argsort(of_point, kind="stable")
    starts = np.searchsorted(of_point[order], np.arange(count))
    low, high = (reduced(points[:, order], starts, axis=1) for reduced in (np.minimum.reduceat, np.maximum.reduceat))
    by_x = np.argsort(low[0])
    first, last = np.searchsorted(low[0][by_x], low[0]), np.searchsorted(low[0][by_x], high[0], "right")
    until = np.cumsum(last - first)
    if until[-1] > _MOST_PAIRS:
        return None
    cuts = np.searchsorted(until, np.arange(_AT_ONCE, until[-1], _AT_ONCE))
    found: list[tuple[Integers, Integers]] = []
    for start, end in itertools.pairwise([0, *np.unique(cuts[cuts > 0]).tolist(), count]):
        outer, place = _pairs(first[start:end], last[start:end])
        outer, inner = outer + start, by_x[place]
        within = (inner != outer) & (high[0, inner] <= high[0, outer])
        for axis in (1, 2):
            within &= (low[axis, inner] >= low[axis, outer]) & (high[axis, inner] <= high[axis, outer])
        found.append((inner[within], outer[within]))
    inner, outer = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return inner, outer


def _pairs(first: Integers, last: Integers) -> tuple[Integers, Integers]:
    """Return each range's number with each place in it."""
    counts = last - first
    number = np.repeat(np.arange(len(first)), counts)
    return number, np.arange(len(number)) + np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)


def _crosses(corners: Floats, origins: Floats) -> _Bools:
    """Return whether the ray from each origin along x crosses the triangle of three corners."""
    a, b, c = (corners[:, number] - origins for number in range(3))
    sides = [u[1] * v[2] - u[2] * v[1] for u, v in ((b, c), (c, a), (a, b))]
    total = sides[0] + sides[1] + sides[2]
    sign = np.sign(total)
    inside = (sign != 0) & (sides[0] * sign >= 0) & (sides[1] * sign >= 0) & (sides[2] * sign >= 0)
    ahead: _Bools = (sides[0] * a[0] + sides[1] * b[0] + sides[2] * c[0]) * sign > 0
    crosses: _Bools = inside & ahead
    return crosses


def _rotation() -> Floats:
    (a, b, c), (d, e, f) = np.cos(_ANGLES), np.sin(_ANGLES)
    around_x = np.array([[1, 0, 0], [0, a, -d], [0, d, a]])
    around_y = np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
    around_z = np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]])
    rotation: Floats = around_x @ around_y @ around_z
    return rotation
