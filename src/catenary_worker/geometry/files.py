"""The geometry files of an evaluation, which the host makes of the arrays that the child sent.

A model has controlled the child, so the host checks every array, measures each part and writes the GLB file itself: no
byte of a file format that anybody parses is a model's own. Other files, such as STEP, are bytes that nobody parses.

In the result's header, a geometry is `{"name", "parts": [{"name", "lines", "density", "color", "exact"}], "step": whether a
STEP file follows}`; `exact` is null or `{"volume", "area", "centre"}` of a solid in metres, which the triangles must confirm.
The arrays follow the header: for each part its coordinates (`POINTS`, three rows) and, unless it is a polyline, the corners
of its triangles (`FACES`, three rows), then the STEP file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from catenary_wire.model_limits import GEOMETRY_BYTES, GEOMETRY_TOTAL_BYTES, MOST_PARTS
from catenary_worker.geometry import gltf, measures
from catenary_worker.geometry.part import Part, check, used
from catenary_worker.models.brep import BREP_UNIT
from catenary_worker.task import CONTENT_TYPES, MEBIBYTE, TRIANGLES, Geometry, ModelFaultError

POINTS, FACES = "<f8", "<u4"
POINT_BYTES, TRIANGLE_BYTES = 3 * 8, 3 * 4
"""Bytes of a point and of a triangle in the message."""


@dataclass(frozen=True)
class AnnouncedPart:
    """A part whose arrays follow."""

    name: str
    points: int
    """Number of points."""
    triangles: int | None
    """Number of triangles; None for a polyline."""
    density: float | None
    color: list[float] | None
    exact: measures.Exact | None = None
    """Measures of a solid, as the child gives them."""

    @property
    def count(self) -> int:
        """The number of triangles, or of a polyline's points."""
        return self.points if self.triangles is None else self.triangles

    @property
    def written(self) -> int:
        """Bytes of the numbers in the GLB file."""
        return gltf.content_size(self.points, 2 * (self.points - 1) if self.triangles is None else 3 * self.triangles)


@dataclass(frozen=True)
class AnnouncedGeometry:
    """A geometry whose arrays and bytes follow."""

    name: str
    parts: list[AnnouncedPart]
    step: int | None
    """Bytes of the STEP file; None if there is none."""


def check_announced(geometry: Sequence[AnnouncedGeometry]) -> None:
    """Check the limits of an evaluation's geometry before any of its arrays is read.

    Raises:
        ModelFaultError: A limit is exceeded, or two parts of a geometry have one name.
    """
    parts = [part for item in geometry for part in item.parts]
    if len(parts) > MOST_PARTS:
        raise ModelFaultError(f"The geometry has {len(parts)} parts; at most {MOST_PARTS} are allowed.")
    triangles = sum(part.count for part in parts)
    if triangles > TRIANGLES:
        raise ModelFaultError(f"The geometry has {triangles} triangles; at most {TRIANGLES} are allowed.")
    for item in geometry:
        names = [part.name for part in item.parts]
        for name in names:
            if names.count(name) > 1:
                raise ModelFaultError(f"geometry {item.name}: two parts are named {name}.")
    sizes = [(item.name, "glb", sum(part.written for part in item.parts)) for item in geometry]
    _check_sizes(sizes + [(item.name, "step", item.step) for item in geometry if item.step is not None])


def write(geometry: Sequence[AnnouncedGeometry], blobs: Sequence[bytearray], unit: str | None = None) -> list[Geometry]:
    """Check the arrays, measure the parts and write the files.

    Args:
        geometry: What the child announced.
        blobs: The arrays and files.
        unit: Unit in which the model gives its coordinates; None for the default of each kind of shape.

    Raises:
        ModelFaultError: An array is faulty, or a limit is exceeded; the text names the geometry and part.
    """
    made = []
    waiting = iter(blobs)
    for item in geometry:
        glb, properties = gltf.Glb(), []
        for announced in item.parts:
            part = _part(announced, waiting)
            check(part)
            part = used(part)
            properties.append(measures.measure(part, announced.exact))
            glb.add(part, double_sided=properties[-1]["kind"] != "solid")
        own = unit or (None if item.step is None else BREP_UNIT)
        made.append(Geometry(item.name, "glb", CONTENT_TYPES["glb"], glb.file(), own, properties))
        if item.step is not None:
            made.append(Geometry(item.name, "step", CONTENT_TYPES["step"], bytes(next(waiting)), own, properties))
    _check_sizes([(file.name, file.format, len(file.data)) for file in made])
    return made


def _part(announced: AnnouncedPart, blobs: Any) -> Part:
    points = np.frombuffer(next(blobs), POINTS).reshape(3, -1)
    faces = None if announced.triangles is None else np.frombuffer(next(blobs), FACES).reshape(3, -1)
    return Part(announced.name, points, faces, announced.density, announced.color)


def _check_sizes(sizes: Sequence[tuple[str, str, int]]) -> None:
    """Refuse files over the limits; `sizes` holds name, format and bytes of each."""
    for name, form, size in sizes:
        if size > GEOMETRY_BYTES:
            limit = GEOMETRY_BYTES // MEBIBYTE
            raise ModelFaultError(f"geometry {name}: its {form} file is larger than {limit} MiB.")
    total = sum(size for _, _, size in sizes)
    if total > GEOMETRY_TOTAL_BYTES:
        raise ModelFaultError(f"The geometry files have {total} bytes; at most {GEOMETRY_TOTAL_BYTES} are allowed.")
