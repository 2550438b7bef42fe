"""The open edges of a mesh: those that rounding alone has opened, and how wide the others are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from catenary_worker.geometry import positions
from catenary_worker.geometry.part import Floats, Integers, Part

WELDED = 1e-9
"""Vertices nearer than this part of the diagonal of the bounding box are one."""
_SEAM = 0.01
"""Widest gap that is told, as a part of the diagonal: a wider one is an opening that somebody wanted."""
_MOST_ENDS = 200_000
"""Most ends of open edges that are looked at."""
_NEIGHBOURS = 4


@dataclass(frozen=True)
class Opening:
    """The open edges of a surface."""

    edges: int
    """Number of edges of one triangle only, or with two triangles of opposite sides."""
    gap: float | None
    """Widest distance in m between the two sides of a seam; None where the sides are farther apart."""


def joined(part: Part, faces: Integers, labels: positions.Labels) -> Integers | Opening:
    """Return the corners of the triangles with one number for vertices that are nearly one, or what stays open."""
    first, place = positions.distinct(labels)
    places, corners = part.points[:, first], place[faces]
    edges = _open_edges(corners)
    ends = np.unique(edges)
    low, high = part.bounds
    size = float(np.linalg.norm(high - low))
    if not len(ends):
        return corners
    if len(ends) > _MOST_ENDS:
        return Opening(edges.shape[1], None)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import KDTree

    pairs = KDTree(places[:, ends].T).query_pairs(WELDED * size, output_type="ndarray")
    if len(pairs):
        graph = coo_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(len(ends), len(ends)))
        label = connected_components(graph.tocsr(), directed=False)[1]
        one = np.empty(label.max() + 1, ends.dtype)
        one[label] = ends
        welded = np.arange(places.shape[1])
        welded[ends] = one[label]
        corners = welded[corners]
        edges = _open_edges(corners)
        if not edges.size:
            return corners
    return Opening(edges.shape[1], _gap(places, edges, _SEAM * size))


def _open_edges(corners: Integers) -> npt.NDArray[np.int64]:
    """Return the (2, n) ends of the edges whose directions do not cancel; edges of one vertex are none."""
    wide = corners.astype(np.int64)
    start, end = np.concatenate([wide, wide[[1, 2, 0]]]).reshape(2, -1)
    real = start != end
    start, end = start[real], end[real]
    low, high = np.minimum(start, end), np.maximum(start, end)
    keys, place = np.unique(low << 32 | high, return_inverse=True)
    balance = np.bincount(place.reshape(-1), np.where(start < end, 1, -1))
    uneven = keys[balance != 0]
    return np.stack([uneven >> 32, uneven & 0xFFFFFFFF])


def _gap(places: Floats, edges: npt.NDArray[np.int64], widest: float) -> float | None:
    """Return the widest distance of an end to the nearest end that it shares no open edge with; None for no seam."""
    from scipy.spatial import KDTree

    ends, place = np.unique(edges, return_inverse=True)
    place = place.reshape(2, -1)
    joined = np.unique(np.concatenate([place[0] * len(ends) + place[1], place[1] * len(ends) + place[0]]))
    distances, others = KDTree(places[:, ends].T).query(places[:, ends].T, k=min(_NEIGHBOURS, len(ends)))
    own = np.arange(len(ends))[:, None]
    excluded = (others == own) | np.isin(own * len(ends) + others, joined)
    nearest = np.where(excluded, np.inf, distances).min(axis=1)
    near = nearest <= widest
    # The tips of a seam have no other side: an edge is of a seam if one of its ends is near that.
    return float(nearest[near].max()) if near[place].any(axis=0).all() else None
