"""The properties of a part, measured by the host."""

from dataclasses import asdict
from typing import Any

import numpy as np

from catenary_worker.geometry import bodies, positions, seams
from catenary_worker.geometry.part import Floats, Integers, Part
from catenary_worker.results import number

_BLOCK = 8_192
"""Triangles that are measured at a time: little memory, and their numbers stay in a processor's cache."""


def measure(part: Part) -> dict[str, Any]:
    """Return the properties of a part; see `task.Geometry.parts`.

    Bodies of a solid that are turned inside out are turned. Edges that only rounding has opened count as closed.

    Raises:
        ModelFaultError: The mass or the centre of gravity is too large for a number.
    """
    low, high = part.bounds
    found: dict[str, Any] = dict.fromkeys(("area", "length", "volume", "opening"))
    if part.faces is None:
        kind, triangles = "lines", 0
        found["length"], centre = _line(part)
    else:
        triangles = part.faces.shape[1]
        volume, found["area"], of_volume, of_area = _triangles(part, part.faces)
        joined = None if _is_closed(part, part.faces) else seams.joined(part, part.faces)
        if isinstance(joined, seams.Opening):
            found["opening"] = asdict(joined)
        elif (wrong := bodies.turned(part, part.faces, joined)) is not None:
            part.faces = np.where(wrong, part.faces[::-1], part.faces)
            volume, _, of_volume, _ = _triangles(part, part.faces)
        if volume and found["opening"] is None:
            if volume < 0:
                part.faces = part.faces[::-1]
            kind, found["volume"], centre = "solid", abs(volume), of_volume
        else:
            kind, centre = "surface", of_area
    mass = None if part.density is None or found["volume"] is None else part.density * found["volume"]
    return {
        "name": part.name,
        "kind": kind,
        "triangles": triangles,
        **found,
        "bounding_box": {"min": low.tolist(), "max": high.tolist()},
        "centre_of_gravity": [
            number(coordinate, f"geometry {part.name}: the centre of gravity") for coordinate in centre + part.middle
        ],
        "density": part.density,
        "mass": None if mass is None else number(mass, f"geometry {part.name}: the mass"),
    }


def _line(part: Part) -> tuple[float, Floats]:
    """Return the length of a polyline and the centre of its length around the middle of the part."""
    middle = part.middle[:, None]
    totals, moments = np.zeros(2), np.zeros((3, 2))
    for start in range(0, part.points.shape[1] - 1, _BLOCK):
        local = part.points[:, start : start + _BLOCK + 1] - middle
        steps = np.diff(local)
        weights = np.ones((2, steps.shape[1]))
        np.sqrt(np.einsum("ij,ij->j", steps, steps), out=weights[0])
        totals += weights.sum(axis=1)
        moments += np.einsum("ij,kj->ik", local[:, 1:] + local[:, :-1], weights)
    length, count = totals
    return float(length), (moments[:, 0] / length if length else moments[:, 1] / count) / 2


def _triangles(part: Part, faces: Integers) -> tuple[float, float, Floats, Floats]:
    """Return volume and area of a mesh, and the centres of both around the middle of the part.

    Volume and its centre come from the divergence theorem over the signed tetrahedra of the triangles (Zhang & Chen,
    "Efficient feature extraction for 2D/3D objects in mesh representation", ICIP 2001). They are taken around the
    part's middle, so that large coordinates cause no cancellation.
    """
    middle = part.middle[:, None]
    totals, moments = np.zeros(3), np.zeros((3, 3))
    for start in range(0, faces.shape[1], _BLOCK):
        corners = faces[:, start : start + _BLOCK].astype(np.intp)
        a, b, c = part.points.take(corners, axis=1, mode="clip").swapaxes(0, 1)
        b -= a
        c -= a
        a -= middle
        normals = _cross(b, c)
        weights = np.ones((3, a.shape[1]))
        np.einsum("ij,ij->j", a, normals, out=weights[0])
        np.sqrt(np.einsum("ij,ij->j", normals, normals), out=weights[1])
        totals += weights.sum(axis=1)
        moments += np.einsum("ij,kj->ik", 3 * a + b + c, weights)
    by_volume, by_area, by_count = totals
    volume, area = float(by_volume) / 6, float(by_area) / 2
    with np.errstate(over="ignore"):  # `measure` refuses what is no number
        centre = moments[:, 0] / (4 * by_volume) if by_volume else np.zeros(3)
    return volume, area, centre, (moments[:, 1] / by_area if by_area else moments[:, 2] / by_count) / 3


def _cross(u: Floats, v: Floats) -> Floats:
    """Return the cross products of (3, n) vectors."""
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def _is_closed(part: Part, faces: Integers) -> bool:
    """Return whether each directed edge has as many opposite edges; equal positions count as one vertex.

    Each position has a random label. Over the directed edges (p, q), the sum of p q (q - p) is a polynomial of the
    labels, which is zero exactly if opposite edges cancel; a polynomial that is not zero is almost never zero at a
    random place (Schwartz, "Fast probabilistic algorithms for verification of polynomial identities", J. ACM 27, 1980).
    Its three terms of one triangle are (p - q) (q - r) (r - p). Sorting the edges takes five times as long.
    """
    labels = positions.labels(part.points)
    total = 0
    for start in range(0, faces.shape[1], _BLOCK):
        p, q, r = labels.take(faces[:, start : start + _BLOCK].astype(np.intp), mode="clip")
        terms = p - q
        terms *= q - r
        terms *= r - p
        total += int(terms.sum())
    return total % 2**64 == 0
