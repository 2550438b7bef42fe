"""The writer of binary glTF 2.0 files: one node and one primitive for each named part.

The format is that of Khronos, "glTF 2.0 Specification" (ISO/IEC 12113:2022).

Models are in metres with Z up; glTF (section 3.4) wants metres with Y up, so (x, y, z) is written as (x, z, -y). A part
is written around its own middle, with the offset in the node's matrix: glTF stores 32-bit floats, which at 500 km from
the origin have steps of 3 cm.

trimesh can write the same through a scene, but takes longer than most models do: its graph, caches and checks serve
files that are changed.
"""

import json
import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from catenary_worker.geometry.part import CHANNELS_WITH_ALPHA, Integers, Part

GREY = (0.8, 0.8, 0.8)
_HEADER, _CHUNK = struct.Struct("<4sII"), struct.Struct("<I4s")
_ALIGNMENT = 4  # section 4.4.2: a chunk's length; section 3.6.2.4: an accessor's offset
# Numbers of section 5: component types of accessors, targets of buffer views, modes of primitives.
_UNSIGNED_SHORT, _UNSIGNED_INT, _FLOAT = 5123, 5125, 5126
_VERTICES, _INDICES = 34962, 34963
_LINES, _TRIANGLES = 1, 4
_JSON = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)
_MOST_SHORT = 65_535
"""Most vertices with 16-bit indices: the largest unsigned short is not allowed as an index (section 3.7.2.1)."""


def content_size(points: int, indices: int) -> int:
    """Return the bytes of a part's numbers in a file."""
    return points * 3 * 4 + indices * np.dtype(_index_type(points)[0]).itemsize


def _index_type(points: int) -> tuple[str, int]:
    """Return the type of the indices of so many points, for numpy and for an accessor."""
    return ("<u2", _UNSIGNED_SHORT) if points <= _MOST_SHORT else ("<u4", _UNSIGNED_INT)


class Glb:
    """A GLB file under construction."""

    def __init__(self) -> None:
        self._content: list[memoryview | bytes] = []
        self._length = 0
        self._lists: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("nodes", "meshes", "materials", "accessors", "bufferViews")
        }

    def add(self, part: Part, *, double_sided: bool) -> None:
        """Add a checked part; `double_sided` tells whether the back of its triangles is visible."""
        middle = part.middle
        (west, south, bottom), (east_end, north_end, top) = (
            (bound - middle).astype("<f4").tolist() for bound in part.bounds
        )
        x, y, z = part.points
        count = len(x)
        upright = np.empty((count, 3), "<f4")
        for column, (row, centre) in enumerate(((x, middle[0]), (z, middle[2]), (y, middle[1]))):
            np.subtract(row, centre, out=upright[:, column], casting="same_kind")
        np.negative(upright[:, 2], out=upright[:, 2])
        bounds = {"min": [west, bottom, -north_end], "max": [east_end, top, -south]}
        if part.faces is None:  # many readers cannot read strips: each line is written with both its ends
            corners: Integers = np.stack([np.arange(count - 1), np.arange(1, count)])
        else:
            corners = part.faces
        kind, component = _index_type(count)
        indices = np.empty(corners.shape[::-1], kind)
        indices[:] = corners.T
        color = GREY if part.color is None else part.color
        primitive = {
            "attributes": {"POSITION": self._accessor(upright, "VEC3", _FLOAT, _VERTICES, **bounds)},
            "indices": self._accessor(indices.reshape(-1), "SCALAR", component, _INDICES),
            "mode": _LINES if part.faces is None else _TRIANGLES,
            "material": self._append("materials", _material(color, double_sided)),
        }
        mesh = self._append("meshes", {"name": part.name, "primitives": [primitive]})
        east, north, up = middle.tolist()
        matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, east, up, -north, 1]
        self._append("nodes", {"name": part.name, "mesh": mesh, "matrix": matrix})

    def file(self) -> bytes:
        """Return the bytes of the file: header, JSON chunk, binary chunk (section 4.4)."""
        document = {
            "asset": {"version": "2.0", "generator": "Catenary"},
            "scene": 0,
            "scenes": [{"nodes": list(range(len(self._lists["nodes"])))}],
            **self._lists,
            "buffers": [{"byteLength": self._length}],
        }
        text = _JSON.encode(document).encode()
        text += b" " * (-len(text) % _ALIGNMENT)
        size = _HEADER.size + 2 * _CHUNK.size + len(text) + self._length
        header = _HEADER.pack(b"glTF", 2, size)
        binary = _CHUNK.pack(self._length, b"BIN\0")
        return b"".join([header, _CHUNK.pack(len(text), b"JSON"), text, binary, *self._content])

    def _accessor(self, values: npt.NDArray[Any], kind: str, component: int, target: int, **bounds: list[float]) -> int:
        """Add values to the binary chunk; return the index of their accessor."""
        content = values.data.cast("B")
        padding = bytes(-len(content) % _ALIGNMENT)
        view = {"buffer": 0, "byteOffset": self._length, "byteLength": len(content), "target": target}
        self._content += [content, padding]
        self._length += len(content) + len(padding)
        view_number = self._append("bufferViews", view)
        accessor = {"bufferView": view_number, "componentType": component, "count": len(values), "type": kind, **bounds}
        return self._append("accessors", accessor)

    def _append(self, name: str, value: dict[str, Any]) -> int:
        """Append to one of the document's lists; return the index of the value."""
        self._lists[name].append(value)
        return len(self._lists[name]) - 1


def _material(color: Sequence[float], double_sided: bool) -> dict[str, Any]:
    alpha = color[3] if len(color) == CHANNELS_WITH_ALPHA else 1.0
    rough = {
        "baseColorFactor": [*map(_linear, color[:3]), alpha],  # alpha is linear already (section 3.9.2)
        "metallicFactor": 0.0,
        "roughnessFactor": 0.8,
    }
    material = {"pbrMetallicRoughness": rough, "doubleSided": double_sided}
    return material if alpha == 1 else {**material, "alphaMode": "BLEND"}  # section 3.9.4


def _linear(channel: float) -> float:
    """Convert a colour channel from sRGB to the linear scale that glTF stores (section 3.9.2; IEC 61966-2-1)."""
    return channel / 12.92 if channel <= 0.04045 else math.pow((channel + 0.055) / 1.055, 2.4)
