"""The child's conversion of a model's geometry to plain arrays, in metres with Z up; `files` writes the files of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import manifold3d
import numpy as np
import numpy.typing as npt
import trimesh

from catenary_wire import value_forms
from catenary_wire.model_limits import GEOMETRY_UNITS, MOST_PARTS, is_name
from catenary_worker.geometry.files import FACES, POINTS
from catenary_worker.geometry.part import CHANNELS, CHANNELS_WITH_ALPHA, Part, check
from catenary_worker.models.brep import BREP_UNIT, is_brep, measures, step_file, tessellate
from catenary_worker.models.entries import check_name, format_value
from catenary_worker.results import number
from catenary_worker.task import TRIANGLES, ModelFaultError

_FORMS = (
    "a trimesh mesh or scene, a manifold3d Manifold, (vertices, faces), a list of points, or a dict with one of "
    '"mesh", "points", "parts"'
)


@dataclass
class ShapePart(Part):
    """A part in the unit of its shape, then in metres (`_in_metres`)."""

    source: object = None
    """The build123d shape that the part was made from, if any."""


def message(
    values: Mapping[Any, Any], unit: str | None = None
) -> tuple[list[dict[str, Any]], list[memoryview | bytes]]:
    """Return the geometry of an evaluation as `files` reads it: the header's list, and the arrays and bytes after it.

    A value is a shape (see `_parts`). A name whose parts are all build123d shapes gets a STEP file too.

    Args:
        values: Shapes by name.
        unit: Unit of all coordinates, a key of GEOMETRY_UNITS; None: BREP_UNIT for build123d shapes, else metres.

    Raises:
        ModelFaultError: A value is no shape; the text names the geometry and part.
    """
    header: list[dict[str, Any]] = []
    blobs: list[memoryview | bytes] = []
    for name, value in values.items():
        group = [_in_metres(part, unit) for part in _parts(value, check_name(name, "geometry"))]
        parts = []
        for part in group:
            check(part)
            lines = part.faces is None
            factor = GEOMETRY_UNITS[unit or BREP_UNIT]
            exact = measures(part.source, factor) if is_brep(part.source) else None
            parts.append(
                {"name": part.name, "lines": lines, "density": part.density, "color": part.color, "exact": exact}
            )
            blobs.append(_bytes(part.points, POINTS))
            if part.faces is not None:
                blobs.append(_bytes(part.faces, FACES))
        breps = [part.source for part in group if is_brep(part.source)]
        step = len(breps) == len(group)
        if step:
            blobs.append(step_file(breps, unit or BREP_UNIT))
        header.append({"name": name, "parts": parts, "step": step})
    return header, blobs


def names(values: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Return the names of an evaluation's geometry, each with whether a STEP file would belong to it.

    Nothing is made. What is no name is left out, as are those beyond MOST_PARTS: faults of a geometry are found when it is made.
    """
    found = [name for name in values if is_name(name)][:MOST_PARTS]
    return [{"name": str(name), "step": _is_all_brep(values[name])} for name in found]


def _is_all_brep(value: object) -> bool:
    """Return whether all parts of a value are build123d shapes."""
    if not isinstance(value, Mapping):
        return is_brep(value)
    parts = value.get("parts")
    if isinstance(parts, Mapping):
        return bool(parts) and all(map(_is_all_brep, parts.values()))
    return "mesh" in value and _is_all_brep(value["mesh"])


def _bytes(array: npt.NDArray[Any], kind: str) -> memoryview:
    return np.ascontiguousarray(array, kind).data.cast("B")


def _in_metres(part: ShapePart, unit: str | None) -> ShapePart:
    """Convert the coordinates of a part to metres, and return the part."""
    factor = GEOMETRY_UNITS[unit or ("m" if part.source is None else BREP_UNIT)]
    if factor != 1:
        part.points = part.points * factor
    return part


def _parts(value: object, name: str) -> Iterator[ShapePart]:
    """Yield the parts of one shape.

    Shapes: trimesh.Trimesh, trimesh.Scene (one part per node), manifold3d.Manifold, a build123d shape, (vertices,
    faces), a polyline as a list of points, {"points": ..., "closed": bool}, {"mesh": shape, "density": kg/m3, "color":
    "#rrggbb" or "#rrggbbaa", or three or four numbers from 0 to 1}, or {"parts": {name: shape}}.
    """
    if isinstance(value, Mapping):
        yield from _dict_parts(value, name)
    elif isinstance(value, trimesh.Scene):
        yield from _scene_parts(value, name)
    elif isinstance(value, trimesh.Trimesh):
        visual: Any = value.visual
        defined = visual is not None and visual.defined
        color = _without_full_alpha((visual.main_color / 255.0).tolist()) if defined else None
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


def _dict_parts(value: Mapping[Any, Any], name: str) -> Iterator[ShapePart]:
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


def _scene_parts(scene: trimesh.Scene, name: str) -> Iterator[ShapePart]:
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
        part.points = (part.points.T @ matrix[:3, :3].T + matrix[:3, 3]).T
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
    """Return an (n, 3) array of doubles (`kind` "f") or of whole numbers ("i")."""
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


def _mesh(name: str, vertices: object, faces: object, color: Sequence[float] | None = None) -> ShapePart:
    points = _array(vertices, name, "vertices", "f")
    if isinstance(faces, np.ndarray) and len(faces) == 0:  # of any shape; `check` refuses it
        faces = np.empty((0, 3), np.int64)
    return ShapePart(name, points.T.copy(), _array(faces, name, "faces", "i").T, color=color)


def _polyline(name: str, points: object, *, closed: bool) -> ShapePart:
    line = _array(points, name, "points", "f")
    if closed and len(line) > 1:
        line = np.vstack([line, line[:1]])
    return ShapePart(name, line.T.copy(), None)


def _color(value: object, name: str) -> Sequence[float] | None:
    if value is None:
        return None
    if isinstance(value, str):
        if text := value_forms.color(value):
            return value_forms.channels(text)
    elif isinstance(value, Sequence) and len(value) in (CHANNELS, CHANNELS_WITH_ALPHA):
        channels = [number(channel, f"geometry {name}: color") for channel in value]
        if all(0 <= channel <= 1 for channel in channels):
            return _without_full_alpha(channels)
    raise ModelFaultError(
        f'geometry {name}: color {format_value(value)} must be "#rrggbb" or "#rrggbbaa", or three or four numbers from 0'
        " to 1."
    )


def _without_full_alpha(channels: Sequence[float]) -> Sequence[float]:
    return channels[:CHANNELS] if channels[CHANNELS:] == [1] else channels
