"""The properties of a part, measured by the host."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from catenary_worker.geometry import bodies, positions, seams
from catenary_worker.geometry.part import Floats, Integers, Part
from catenary_worker.models.brep import RELATIVE_DEFLECTION
from catenary_worker.results import number

_AREA_SHARE = 0.05
"""Largest share of the area of a solid that its triangles lack, or have too much: chords over 0.35 rad lack 1 %."""
_FLAT = 1e-12
"""Share of area times diagonal up to which a volume is rounding: a foil of 1 µm over 100 m has 3e-9."""
_BLOCK = 8_192
"""Triangles that are measured at a time: little memory, and their numbers stay in a processor's cache."""


@dataclass(frozen=True)
class Exact:
    """Measures of a solid as the child gives them, in metres."""

    volume: float
    area: float
    centre: Floats
    """(3,)."""


def measure(part: Part, exact: Exact | None = None) -> dict[str, Any]:
    """Return the properties of a part; see `task.Geometry.parts`.

    The triangles of a solid judge what the child says of it: a model may have changed that.

    Bodies of a solid that are turned inside out are turned. Edges that only rounding has opened count as closed.

    Raises:
        ModelFaultError: The mass is too large for a number.
    """
    low, high = part.bounds
    found: dict[str, Any] = dict.fromkeys(("area", "length", "volume", "opening", "measured"))
    if part.faces is None:
        kind, triangles = "lines", 0
        found["length"], centre = _line(part)
    else:
        triangles, found["measured"] = part.faces.shape[1], "mesh"
        volume, found["area"], of_volume, of_area = _triangles(part, part.faces)
        labels = positions.labels(part.points)
        joined = None if _is_closed(labels, part.faces) else seams.joined(part, part.faces, labels)
        if isinstance(joined, seams.Opening):
            found["opening"] = asdict(joined)
        elif (wrong := bodies.turned(part, part.faces, labels, joined)) is not None:
            part.faces = np.where(wrong, part.faces[::-1], part.faces)
            volume, _, of_volume, _ = _triangles(part, part.faces)
        is_flat = abs(volume) <= _FLAT * found["area"] * float(np.linalg.norm(high - low))
        if not is_flat and found["opening"] is None:
            if volume < 0:
                part.faces = part.faces[::-1]
            kind, found["volume"], centre = "solid", abs(volume), of_volume
        else:
            kind, centre = "surface", of_area
        if kind == "solid" and exact is not None and _agrees(exact, part, found, centre):
            found |= {"volume": exact.volume, "area": exact.area, "measured": "exact"}
            centre = exact.centre - part.middle
    mass = None if part.density is None or found["volume"] is None else part.density * found["volume"]
    return {
        "name": part.name,
        "kind": kind,
        "triangles": triangles,
        **found,
        "bounding_box": {"min": low.tolist(), "max": high.tolist()},
        "centre_of_gravity": (centre + part.middle).tolist(),
        "density": part.density,
        "mass": None if mass is None else number(mass, f"geometry {part.name}: the mass"),
    }


def _agrees(exact: Exact, part: Part, mesh: Mapping[str, Any], centre: Floats) -> bool:
    """Return whether a solid's measures are those of its triangles, as far as their distance allows.

    A surface that moves by at most d changes the volume by at most d times the area, to the first order, and the centre of
    gravity by at most that share of the diagonal.
    """
    low, high = part.bounds
    diagonal = float(np.linalg.norm(high - low))
    layer = 2 * RELATIVE_DEFLECTION * diagonal * float(mesh["area"])
    moved = float(np.linalg.norm(exact.centre - part.middle - centre))
    agrees: bool = (
        abs(exact.volume - mesh["volume"]) <= layer
        and abs(exact.area - mesh["area"]) <= _AREA_SHARE * mesh["area"]
        and moved * mesh["volume"] <= layer * diagonal
    )
    return agrees


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
    with np.errstate(over="ignore"):  # `measure` takes no centre of next to no volume
        centre = moments[:, 0] / (4 * by_volume) if by_volume else np.zeros(3)
    return volume, area, centre, (moments[:, 1] / by_area if by_area else moments[:, 2] / by_count) / 3


def _cross(u: Floats, v: Floats) -> Floats:
    """Return the cross products of (3, n) vectors."""
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def _is_closed(labels: positions.Labels, faces: Integers) -> bool:
    """Return whether each directed edge has as many opposite edges; equal positions count as one vertex.

    Each position has a random label. Over the directed edges (p, q), the sum of p q (q - p) is a polynomial of the
    labels, which is zero exactly if opposite edges cancel; a polynomial that is not zero is almost never zero at a
    random place (Schwartz, "Fast probabilistic algorithms for verification of polynomial identities", J. ACM 27, 1980).
    Its three terms of one triangle are (p - q) (q - r) (r - p). Sorting the edges takes five times as long.
    """
    total = 0
    for start in range(0, faces.shape[1], _BLOCK):
        p, q, r = labels.take(faces[:, start : start + _BLOCK].astype(np.intp), mode="clip")
        terms = p - q
        terms *= q - r
        terms *= r - p
        total += int(terms.sum())
    return total % 2**64 == 0
