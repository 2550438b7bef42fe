"""The conversion of a model's geometry to GLB files and the properties of their parts, in metres with Z up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import manifold3d
import numpy as np
import numpy.typing as npt
import trimesh

from catenary_worker.geometry import gltf
from catenary_worker.models.brep import BREP_UNIT, is_brep, step_file, tessellate
from catenary_worker.models.description import GEOMETRY_UNITS, check_name, format_value
from catenary_worker.results import number
from catenary_worker.task import (
    CONTENT_TYPES,
    GEOMETRY_BYTES,
    GEOMETRY_TOTAL_BYTES,
    MEBIBYTE,
    PARTS,
    TRIANGLES,
    Geometry,
    ModelFaultError,
)

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FARTHEST = 1e9
"""Largest coordinate in metres."""
_FORMS = (
    "a trimesh mesh or scene, a manifold3d Manifold, (vertices, faces), a list of points, or a dict with one of "
    '"mesh", "points", "parts"'
)


@dataclass
class Part:
    """A named part, Z up: in the unit of its shape, then in metres (`_in_metres`)."""

    name: str
    vertices: Floats
    """(n, 3) coordinates."""
    faces: Integers | None
    """(m, 3) indices of vertices; None for an open polyline through `vertices`."""
    density: float | None = None
    """kg/m3, if given."""
    color: Sequence[float] | None = None
    """Three sRGB channels from 0 to 1, if given."""
    source: object = None
    """The build123d shape that the part was made from, if any."""


def files(values: Mapping[Any, Any], unit: str | None = None) -> list[Geometry]:
    """Return the geometry files of an evaluation: one GLB for each name of its dict `geometry`.

    A value is a shape (see `_parts`). A name whose parts are all build123d shapes gets a STEP file too.

    Args:
        values: Shapes by name.
        unit: Unit of all coordinates, a key of GEOMETRY_UNITS; None: BREP_UNIT for build123d shapes, else metres.

    Raises:
        ModelFaultError: A value is no shape, or a limit is exceeded; the text names the geometry and part.
    """
    found = [
        (name, [_in_metres(part, unit) for part in _parts(value, check_name(name, "geometry"))])
        for name, value in values.items()
    ]
    parts = [part for _, group in found for part in group]
    if len(parts) > PARTS:
        raise ModelFaultError(f"The geometry has {len(parts)} parts; at most {PARTS} are allowed.")
    triangles = sum(len(part.vertices if part.faces is None else part.faces) for part in parts)
    if triangles > TRIANGLES:
        raise ModelFaultError(f"The geometry has {triangles} triangles; at most {TRIANGLES} are allowed.")
    made = []
    for name, group in found:
        names = [part.name for part in group]
        for part_name in names:
            if names.count(part_name) > 1:
                raise ModelFaultError(f"geometry {name}: two parts are named {part_name}.")
        properties = [measure(part) for part in group]
        glb = gltf.Glb()
        for part, known in zip(group, properties, strict=True):
            glb.add(part.name, part.vertices, part.faces, color=part.color, double_sided=known["kind"] != "solid")
        made.append(_file(name, "glb", glb.file(), properties))
        breps = [part.source for part in group if is_brep(part.source)]
        if breps and len(breps) == len(group):
            made.append(_file(name, "step", step_file(breps, unit or BREP_UNIT), properties))
    total = sum(len(file.data) for file in made)
    if total > GEOMETRY_TOTAL_BYTES:
        raise ModelFaultError(f"The geometry files have {total} bytes; at most {GEOMETRY_TOTAL_BYTES} are allowed.")
    return made


def _in_metres(part: Part, unit: str | None) -> Part:
    """Convert the coordinates of a part to metres, and return the part."""
    factor = GEOMETRY_UNITS[unit or ("m" if part.source is None else BREP_UNIT)]
    if factor != 1:
        part.vertices = part.vertices * factor
    if not np.abs(part.vertices).max() <= FARTHEST:  # also true for NaN
        what = "points" if part.faces is None else "vertices"
        raise ModelFaultError(f"geometry {part.name}: {what} lie more than {FARTHEST:g} m from the origin.")
    return part


def _file(name: str, form: str, data: bytes, properties: list[dict[str, Any]]) -> Geometry:
    if len(data) > GEOMETRY_BYTES:
        limit = GEOMETRY_BYTES // MEBIBYTE
        raise ModelFaultError(f"geometry {name}: its {form} file is larger than {limit} MiB.")
    return Geometry(name, form, CONTENT_TYPES[form], data, properties)


def _parts(value: object, name: str) -> Iterator[Part]:
    """Yield the parts of one shape.

    Shapes: trimesh.Trimesh, trimesh.Scene (one part per node), manifold3d.Manifold, a build123d shape, (vertices,
    faces), a polyline as a list of points, {"points": ..., "closed": bool}, {"mesh": shape, "density": kg/m3, "color":
    "#rrggbb" or three numbers from 0 to 1}, or {"parts": {name: shape}}.
    """
    if isinstance(value, Mapping):
        yield from _dict_parts(value, name)
    elif isinstance(value, trimesh.Scene):
        yield from _scene_parts(value, name)
    elif isinstance(value, trimesh.Trimesh):
        visual: Any = value.visual
        color = visual.main_color[:3] / 255.0 if visual is not None and visual.defined else None
        yield _mesh(name, value.vertices, value.faces, color)
    elif isinstance(value, manifold3d.Manifold):
        if value.status() != manifold3d.Error.NoError:
            raise ModelFaultError(f"geometry {name}: the Manifold is invalid ({value.status().name}).")
        mesh = value.to_mesh64()
        yield _mesh(name, mesh.vert_properties[:, :3], mesh.tri_verts)
    elif is_brep(value):
        part = _mesh(name, *tessellate(value))
        part.source = value
        yield part
    elif isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes) and len(value):
        if isinstance(value, Sequence) and len(value) == 2 and _depth(value[0]) == 2:
            yield _mesh(name, value[0], value[1])
        else:
            yield _polyline(name, value, closed=False)
    else:
        raise ModelFaultError(f"geometry {name}: {format_value(value)} is not a shape: give {_FORMS}.")


def _dict_parts(value: Mapping[Any, Any], name: str) -> Iterator[Part]:
    forms = {"mesh", "points", "parts"} & value.keys()
    if len(forms) != 1:
        raise ModelFaultError(f'geometry {name}: the dict must have one of "mesh", "points", "parts".')
    form = forms.pop()
    known = {"mesh": {"mesh", "density", "color"}, "points": {"points", "closed", "color"}, "parts": {"parts"}}[form]
    for key in value:
        if key not in known:
            raise ModelFaultError(f"geometry {name}: unknown key {format_value(key)} beside {form}.")
    if form == "parts":
        if not isinstance(value["parts"], Mapping) or not value["parts"]:
            raise ModelFaultError(f"geometry {name}: parts must be a dict of shapes by name.")
        for part_name, shape in value["parts"].items():
            if isinstance(shape, Mapping) and "parts" in shape:
                raise ModelFaultError(f"geometry {name}: parts cannot hold parts of their own.")
            yield from _parts(shape, check_name(part_name, f"geometry {name}: part"))
        return
    color = _color(value.get("color"), name)
    if form == "points":
        if not isinstance(value.get("closed", False), bool):
            raise ModelFaultError(f"geometry {name}: closed must be True or False.")
        part = _polyline(name, value["points"], closed=value.get("closed", False))
        part.color = color
        yield part
        return
    if isinstance(value["mesh"], Mapping):
        raise ModelFaultError(f"geometry {name}: mesh must be a shape, not a dict.")
    density = value.get("density")
    if density is not None and (density := number(density, f"geometry {name}: density")) <= 0:
        raise ModelFaultError(f"geometry {name}: density {density} must be over 0 (kg/m3).")
    for part in _parts(value["mesh"], name):
        part.density = density
        part.color = part.color if color is None else color
        yield part


def _scene_parts(scene: trimesh.Scene, name: str) -> Iterator[Part]:
    if not scene.graph.nodes_geometry:
        raise ModelFaultError(f"geometry {name}: the scene is empty.")
    taken: set[str] = set()
    for node in scene.graph.nodes_geometry:
        matrix, key = scene.graph[node]
        mesh = scene.geometry[key]
        if not isinstance(mesh, trimesh.Trimesh):
            raise ModelFaultError(f"geometry {name}: the scene holds a {type(mesh).__name__}, not a mesh.")
        safe = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in str(node))[:56]
        part_name = safe if safe[:1].isalpha() else f"part_{safe}"
        while part_name in taken:
            part_name += "_"
        taken.add(part_name)
        (part,) = _parts(mesh, check_name(part_name, f"geometry {name}: part"))
        part.vertices = part.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        yield part


def _depth(value: object) -> int:
    """Return the nesting depth of a sequence, judged by first items only."""
    depth = 0
    while isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes):
        depth += 1
        if not len(value):
            break
        value = value[0]
    return depth


def _array(value: object, name: str, what: str, kind: str) -> npt.NDArray[Any]:
    """Return an (n, 3) array of finite doubles (`kind` "f") or of whole numbers ("i")."""
    most = 3 * TRIANGLES
    if isinstance(value, Sequence | np.ndarray) and len(value) > most:
        raise ModelFaultError(f"geometry {name}: {len(value)} {what} are too many; at most {most} are allowed.")
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        raise ModelFaultError(f"geometry {name}: {what} must be rows of three numbers.") from None
    if array.dtype.kind not in ("iu" if kind == "i" else "iuf") or array.ndim != 2 or array.shape[1] != 3:
        wanted = "three whole numbers (triangles)" if kind == "i" else "three numbers"
        raise ModelFaultError(f"geometry {name}: {what} must be rows of {wanted}, not {array.dtype} of {array.shape}.")
    return array.astype(np.float64 if kind == "f" else np.int64)


def _vertices(value: object, name: str, what: str) -> Floats:
    vertices: Floats = _array(value, name, what, "f")
    if vertices.size and not np.abs(vertices).max() < np.inf:  # also true for NaN
        bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
        raise ModelFaultError(f"geometry {name}: {bad.size} of its {what} are not finite, the first at {bad[0]}.")
    return vertices


def _mesh(name: str, vertices: object, faces: object, color: Sequence[float] | None = None) -> Part:
    points = _vertices(vertices, name, "vertices")
    triangles = faces if isinstance(faces, np.ndarray) and len(faces) == 0 else _array(faces, name, "faces", "i")
    if not len(triangles) or not len(points):
        raise ModelFaultError(f"geometry {name} is empty: it has no triangles.")
    if triangles.min() < 0 or triangles.max() >= len(points):
        worst = triangles.min() if triangles.min() < 0 else triangles.max()
        raise ModelFaultError(f"geometry {name}: face index {worst} is out of range for {len(points)} vertices.")
    return Part(name, points, triangles, color=color)


def _polyline(name: str, points: object, *, closed: bool) -> Part:
    line = _vertices(points, name, "points")
    if len(line) < 2:
        raise ModelFaultError(f"geometry {name} is empty: a polyline needs two points.")
    return Part(name, np.vstack([line, line[:1]]) if closed else line, None)


def _color(value: object, name: str) -> Sequence[float] | None:
    if value is None:
        return None
    if isinstance(value, str) and len(value) == 7 and value[0] == "#":
        try:
            return [byte / 255 for byte in bytes.fromhex(value[1:])]
        except ValueError:
            pass
    elif isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 3:
        channels = [number(channel, f"geometry {name}: color") for channel in value]
        if all(0 <= channel <= 1 for channel in channels):
            return channels
    raise ModelFaultError(
        f'geometry {name}: color {format_value(value)} must be "#rrggbb" or three numbers from 0 to 1.'
    )


def measure(part: Part) -> dict[str, Any]:
    """Return the properties of a part; see `task.Geometry.parts`.

    Volume and its centre come from the divergence theorem over the signed tetrahedra of the triangles (Zhang & Chen,
    "Efficient feature extraction for 2D/3D objects in mesh representation", ICIP 2001). They are taken around the
    part's middle, so that large coordinates cause no cancellation. The faces of a part that is turned inside out are
    flipped.
    """
    local = np.array(part.vertices.T, order="C")  # a row per coordinate: numpy is several times faster along long rows
    low, high = local.min(axis=1), local.max(axis=1)
    middle = (low + high) / 2
    local -= middle[:, None]
    found: dict[str, Any] = dict.fromkeys(("area", "length", "volume"))
    if part.faces is None:
        kind, triangles = "lines", 0
        steps = _lengths(np.diff(local))
        found["length"] = float(steps.sum())
        centre = _weighted((local[:, 1:] + local[:, :-1]) / 2, steps)
    else:
        a, b, c = local.take(part.faces.T, axis=1).swapaxes(0, 1)
        normals = _cross(b - a, c - a)
        areas = _lengths(normals) / 2
        found["area"] = float(areas.sum())
        triangles = len(part.faces)
        tetrahedra = np.einsum("ij,ij->j", a, normals) / 6
        volume = float(tetrahedra.sum())
        if volume and _is_closed(part):
            kind, found["volume"] = "solid", abs(volume)
            centre = _weighted((a + b + c) / 4, tetrahedra)
            if volume < 0:
                part.faces = part.faces[:, ::-1]
        else:
            kind, centre = "surface", _weighted((a + b + c) / 3, areas)
    mass = None if part.density is None or found["volume"] is None else part.density * found["volume"]
    return {
        "name": part.name,
        "kind": kind,
        "triangles": triangles,
        **found,
        "bounding_box": {"min": low.tolist(), "max": high.tolist()},
        "centre_of_gravity": (centre + middle).tolist(),
        "density": part.density,
        "mass": mass,
    }


def _cross(u: Floats, v: Floats) -> Floats:
    """Return the cross products of (3, n) vectors."""
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->j", vectors, vectors))
    return lengths


def _weighted(points: Floats, weights: Floats) -> Floats:
    total = weights.sum()
    centre: Floats = points @ weights / total if total else points.mean(axis=1)
    return centre


def _is_closed(part: Part) -> bool:
    """Return whether each directed edge has as many opposite edges; equal positions count as one vertex."""
    faces = part.faces
    if faces is None:
        return False
    if _edges_pair(faces, len(part.vertices)):
        return True
    _, merged = np.unique(part.vertices, axis=0, return_inverse=True)
    return _edges_pair(merged.reshape(-1)[faces], len(part.vertices))


def _edges_pair(faces: Integers, count: int) -> bool:
    start, end = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    return bool(np.array_equal(np.sort(start * count + end), np.sort(end * count + start)))
