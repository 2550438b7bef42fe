"""Ranks, fronts and hypervolumes of points, all objectives to be made small."""

from __future__ import annotations

from typing import Any

import moocore
import numpy as np

Array = Any
"""A numpy array; of objectives one row a point."""
_MOST_OF_MANY = 2_000
"""Most points of a front whose hypervolume is computed over more than three objectives."""
_FEW = 3


def ranks(objectives: Array) -> list[int]:
    """Return the rank of each point: 1 where no other dominates it, 2 where only those of rank 1 do, and so on."""
    if not len(objectives):
        return []
    if objectives.shape[1] == 1:
        _, found = np.unique(objectives[:, 0], return_inverse=True)
        return [int(rank) + 1 for rank in found]
    return [int(rank) + 1 for rank in moocore.pareto_rank(objectives)]


def non_dominated(objectives: Array) -> Array:
    """Return the indices of the points that no other dominates, equal ones included."""
    if not len(objectives):
        return np.zeros(0, dtype=int)
    if objectives.shape[1] == 1:
        return np.flatnonzero(objectives[:, 0] == objectives[:, 0].min())
    return np.flatnonzero(moocore.is_nondominated(objectives, keep_weakly=True))


def hypervolume(front: Array, reference: Array) -> float | None:
    """Return the volume between a front and a reference point; None where its computation would take too long."""
    inside = front[(front < reference).all(axis=1)]
    if not len(inside):
        return 0.0
    if inside.shape[1] == 1:
        return float(reference[0] - inside.min())
    if inside.shape[1] > _FEW and len(inside := np.unique(inside, axis=0)) > _MOST_OF_MANY:
        return None
    found = float(moocore.hypervolume(inside, ref=reference))
    return found if np.isfinite(found) else None
