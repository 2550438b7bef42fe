"""A program of its own: reads a GLB from standard input and writes it as `stl` or `3mf`, its argument, to standard output.

A GLB comes from a model, which may be hostile: it is read in a process that can be killed and whose memory is bounded, never
in the core's. It imports nothing of the core. Exit status 3: the GLB has no triangles.
"""

from __future__ import annotations

import io
import resource
import sys
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

MEMORY_BYTES = 4 * 1024**3
CPU_SECONDS = 60
NO_TRIANGLES = 3

# 3MF Core Specification 1.3, sections 2.1 (package), 3.4 (model) and 4.1 (mesh).
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = (
    f'<?xml version="1.0" encoding="UTF-8"?><Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
_RELATIONSHIPS = (
    f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{_PACKAGE}/relationships">'
    '<Relationship Id="model" Target="/3D/3dmodel.model"'
    ' Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)


def convert(glb: bytes, form: str) -> bytes | None:
    """The meshes of a GLB in metres, Z up, as binary STL or as 3MF. None when it has no triangles."""
    import trimesh

    meshes = list(_meshes(glb))
    if not meshes:
        return None
    if form == "3mf":
        return _package(meshes)
    return bytes(trimesh.util.concatenate([mesh for _, mesh in meshes]).export(file_type="stl"))


def _meshes(glb: bytes) -> Iterator[tuple[str, Any]]:
    """The named meshes at their places. glTF has Y up: (x, y, z) there is (x, -z, y) with Z up."""
    import numpy as np
    import trimesh

    upright = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    scene: Any = trimesh.load_scene(io.BytesIO(glb), file_type="glb")
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        mesh = scene.geometry[name]
        if isinstance(mesh, trimesh.Trimesh) and len(mesh.faces):
            moved = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
            moved.apply_transform(upright @ matrix)
            yield str(node), moved


def _package(meshes: list[tuple[str, Any]]) -> bytes:
    """A 3MF package with an object for each mesh."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", _TYPES)
        package.writestr("_rels/.rels", _RELATIONSHIPS)
        with package.open("3D/3dmodel.model", "w", force_zip64=True) as model:
            for text in _model(meshes):
                model.write(text.encode())
    return made.getvalue()


def _model(meshes: list[tuple[str, Any]]) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?><model unit="meter" xml:lang="en-US" xmlns="{_CORE}"><resources>'
    for number, (name, mesh) in enumerate(meshes, 1):
        yield f'<object id="{number}" type="model" name={quoteattr(name)}><mesh><vertices>'
        yield "".join(f'<vertex x="{x:.9g}" y="{y:.9g}" z="{z:.9g}"/>' for x, y, z in mesh.vertices.tolist())
        yield "</vertices><triangles>"
        yield "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces.tolist())
        yield "</triangles></mesh></object>"
    yield "</resources><build>"
    yield "".join(f'<item objectid="{number}"/>' for number in range(1, len(meshes) + 1))
    yield "</build></model>"


def main() -> int:
    """Bounds the process, then converts."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    data = convert(sys.stdin.buffer.read(), sys.argv[1])
    if data is None:
        return NO_TRIANGLES
    sys.stdout.buffer.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
