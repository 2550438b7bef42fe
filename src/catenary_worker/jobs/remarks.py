"""Remarks of a check on the result of the defaults: what works, but looks mistaken."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from catenary_wire.model_limits import GEOMETRY_UNITS
from catenary_worker.models.description import UNIT_NAME
from catenary_worker.models.openscad import UNIT as OPENSCAD_UNIT
from catenary_worker.task import Description, Outcome

FARTHEST = 5_000.0
"""Metres: few designs are larger, and many are as large by a mistaken unit."""
_WARNING = "WARNING:"
"""Beginning of a line by which OpenSCAD warns."""
_THOUSAND = (300.0, 30_000.0)
"""Size of the geometry over the largest length among the parameters, or its inverse, that tells of a mistaken unit."""


def of(kind: str, description: Description, first: Outcome) -> list[str]:
    """Return the remarks on the result of the defaults.

    Args:
        kind: The kind of the model.
        description: What the model declares.
        first: The completed evaluation of its defaults.
    """
    found = [*_openscad(first.log)] if kind == "openscad" else []
    parts = [(item.name, part) for item in first.geometry if item.format == "glb" for part in item.parts]
    found += _open(parts)
    found += _sizes(kind, description, parts)
    return found


def _openscad(log: str) -> Iterator[str]:
    """Yield each warning of OpenSCAD once; OpenSCAD goes on after it, without what it warns of."""
    warnings = (line.strip() for line in log.splitlines())
    yield from dict.fromkeys(f"OpenSCAD: {line}" for line in warnings if line.startswith(_WARNING))


def _open(parts: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    for name, part in parts:
        if part["opening"] is not None and part["density"] is not None:
            yield (
                f"geometry {name}, part {part['name']}: {opening(part['opening'])}, so it has a density and no mass; close it,"
                " or leave the density out."
            )


def opening(found: Mapping[str, Any]) -> str:
    """Return the open edges of a part as words: `open by 0.3 mm at 12 edges`."""
    edges = "1 edge" if found["edges"] == 1 else f"{found['edges']} edges"
    return f"open at {edges}" if found["gap"] is None else f"open by {found['gap'] * 1000:.3g} mm at {edges}"


def _sizes(kind: str, description: Description, parts: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    """Yield a remark where the size tells that the coordinates are not in the unit in which they are read."""
    if not parts:
        return
    size = max(_diagonals(parts))
    unit = description["geometry_unit"] or (OPENSCAD_UNIT if kind == "openscad" else "m")
    if size > FARTHEST:
        yield (
            f"The geometry is {size / 1000:.4g} km large: its coordinates are read in {unit}. If they are in another unit,"
            f' name it: {UNIT_NAME} = "mm".'
        )
        return
    if (largest := _largest(description)) is None or not size:
        return
    metres, own = largest
    low, high = _THOUSAND
    units, sizes = GEOMETRY_UNITS[unit] / GEOMETRY_UNITS[own], size / metres
    if (units >= low and low <= sizes <= high) or (1 / units >= low and low <= 1 / sizes <= high):
        yield (
            f"The geometry is {size:.4g} m large and the largest length among the parameters is {metres:.4g} m: its"
            f" coordinates are read in {unit}, and the parameter is in {own}. If both are in {own}, write"
            f' {UNIT_NAME} = "{own}".'
        )


def _diagonals(parts: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[float]:
    """Yield the diagonal of each geometry: of the box around all its parts."""
    boxes: dict[str, list[Mapping[str, Sequence[float]]]] = {}
    for name, part in parts:
        boxes.setdefault(name, []).append(part["bounding_box"])
    for of_one in boxes.values():
        low = [min(values) for values in zip(*(box["min"] for box in of_one), strict=True)]
        high = [max(values) for values in zip(*(box["max"] for box in of_one), strict=True)]
        yield math.dist(low, high)


def _largest(description: Description) -> tuple[float, str] | None:
    """Return the largest length among the defaults, in metres, and its unit; None without one."""
    lengths = [
        (abs(one["default"]) * GEOMETRY_UNITS[one["unit"]], one["unit"])
        for one in description["parameters"]
        if one["unit"] in GEOMETRY_UNITS and isinstance(one["default"], int | float) and one["default"]
    ]
    return max(lengths, default=None)
