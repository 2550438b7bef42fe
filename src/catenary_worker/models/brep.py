"""build123d shapes, where that optional package is installed: triangles for the GLB file, and STEP files."""

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

RELATIVE_DEFLECTION = 0.002
"""Chord error relative to the diagonal of the bounding box. A fixed error gave a file of 69 MB, this one 6.5 MB."""
ANGLE = 0.35
"""Largest angle between neighbouring chords, in radians."""
BREP_UNIT = "mm"
"""The unit of a shape where the model names none: build123d counts in millimetres."""
_UNITS = {"um": "MC", "mm": "MM", "cm": "CM", "m": "M", "in": "IN", "ft": "FT"}
"""build123d's names of the units of geometry."""
_TIME = re.compile(rb"'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d'")
"""The time of writing in a STEP file's header, replaced so that equal shapes give equal bytes."""


def is_brep(value: object) -> bool:
    """Return whether a value is a build123d shape; a model that returns one has imported the package already."""
    package = sys.modules.get("build123d")
    return package is not None and isinstance(value, package.Shape | package.Builder)


def tessellate(value: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the (n, 3) vertices and (m, 3) triangles of a shape, in its own unit."""
    shape = _shape(value)
    diagonal = shape.bounding_box().diagonal
    vertices, triangles = shape.tessellate(RELATIVE_DEFLECTION * diagonal, ANGLE)
    points = np.array([tuple(vertex) for vertex in vertices], dtype=np.float64).reshape(-1, 3)
    return points, np.array(triangles, dtype=np.int64).reshape(-1, 3)


def measures(value: Any, factor: float) -> dict[str, Any] | None:
    """Return volume, area and centre of gravity of a solid, by its surfaces; None for a shape without a volume.

    The host takes them only if they agree with the triangles.

    Args:
        value: The shape.
        factor: Metres of its unit.
    """
    shape = _shape(value)
    if not (volume := abs(shape.volume)):
        return None
    centre = shape.center(sys.modules["build123d"].CenterOf.MASS)
    return {
        "volume": volume * factor**3,
        "area": shape.area * factor**2,
        "centre": [coordinate * factor for coordinate in tuple(centre)],
    }


def step_file(values: Sequence[Any], unit: str) -> bytes:
    """Return a STEP file (ISO 10303-214) of shapes in a unit; the file names its own, so that readers see true sizes."""
    package = sys.modules["build123d"]
    shapes = [_shape(value) for value in values]
    whole = shapes[0] if len(shapes) == 1 else package.Compound(children=shapes)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        path = Path(folder) / "model.step"
        package.export_step(whole, path, unit=package.Unit[_UNITS[unit]])
        return _TIME.sub(b"'1970-01-01T00:00:00'", path.read_bytes(), count=1)


def _shape(value: Any) -> Any:
    builder = sys.modules["build123d"].Builder
    return value._obj if isinstance(value, builder) else value
