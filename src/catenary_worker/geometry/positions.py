"""Numbers of the positions of points, by which equal ones are found without comparing coordinates."""

import secrets

import numpy as np
import numpy.typing as npt

from catenary_worker.geometry.part import Floats

_BLOCK = 8_192
"""Points at a time: their numbers stay in a processor's cache."""

Labels = npt.NDArray[np.uint64]


def labels(points: Floats) -> Labels:
    """Return a number for each position, by a key that no model can know; equal positions have equal numbers."""
    key = np.uint64(secrets.randbits(64) | 1)
    found = np.empty(points.shape[1], np.uint64)
    for start in range(0, len(found), _BLOCK):
        mixed = found[start : start + _BLOCK]
        mixed[:] = key
        for row in points:
            mixed ^= (row[start : start + _BLOCK] + 0.0).view(np.uint64)  # + 0.0 makes -0.0 to 0.0
            mixed ^= mixed >> np.uint64(32)
            mixed *= key
            mixed ^= mixed >> np.uint64(29)
    return found


def distinct(labels: Labels) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the index of one point of each position, and the place of each point's position among them."""
    _, first, place = np.unique(labels, return_index=True, return_inverse=True)
    return first, place.reshape(-1)
