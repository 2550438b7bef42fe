"""A separate program that converts a GLB from standard input to `stl` or `3mf`, its argument, on standard output.

A GLB comes from a model and may be hostile: a process with bounded memory, which can be killed, reads it, never the
core. The program imports nothing of the core. Exit status 3: the GLB has no triangles.
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
"""Exit status for a GLB without triangles."""

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
    """Return a GLB's meshes as binary STL or as 3MF, in metres with Z up; None without triangles.

    Equal geometry gives equal bytes.
    """
    import trimesh

    parts = _parts(glb)
    if not parts:
        return None
    if form == "3mf":
        return _package(parts)
    whole = trimesh.util.concatenate([trimesh.Trimesh(vertices, faces, process=False) for _, vertices, faces in parts])
    data: bytes = trimesh.exchange.stl.export_stl(whole)
    return data


def _parts(glb: bytes) -> list[tuple[str, Any, Any]]:
    """Return name, vertices and faces of each part with triangles, placed, in double precision.

    glTF has Y up: its (x, y, z) is (x, -z, y) with Z up.
    """
    import numpy as np
    import trimesh

    scene: Any = trimesh.load_scene(io.BytesIO(glb), file_type="glb", process=False)
    found = []
    for node in scene.graph.nodes_geometry:
        matrix, key = scene.graph[node]
        mesh = scene.geometry[key]
        if isinstance(mesh, trimesh.Trimesh) and len(mesh.faces):
            placed = np.asarray(mesh.vertices, dtype=np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
            found.append((str(node), np.column_stack([placed[:, 0], -placed[:, 2], placed[:, 1]]), mesh.faces))
    return found


def _package(parts: list[tuple[str, Any, Any]]) -> bytes:
    """Build a 3MF package with an object for each part."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(_entry("[Content_Types].xml"), _TYPES)
        package.writestr(_entry("_rels/.rels"), _RELATIONSHIPS)
        with package.open(_entry("3D/3dmodel.model"), "w", force_zip64=True) as model:
            for text in _model(parts):
                model.write(text.encode())
    return made.getvalue()


def _entry(path: str) -> zipfile.ZipInfo:
    """Build an entry of the package, always with the same time."""
    entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _model(parts: list[tuple[str, Any, Any]]) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?><model unit="meter" xml:lang="en-US" xmlns="{_CORE}"><resources>'
    for number, (name, vertices, faces) in enumerate(parts, 1):
        yield f'<object id="{number}" type="model" name={quoteattr(name)}><mesh><vertices>'
        yield "".join(f'<vertex x="{x!r}" y="{y!r}" z="{z!r}"/>' for x, y, z in vertices.tolist())
        yield "</vertices><triangles>"
        yield "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces.tolist())
        yield "</triangles></mesh></object>"
    yield "</resources><build>"
    yield "".join(f'<item objectid="{number}"/>' for number in range(1, len(parts) + 1))
    yield "</build></model>"


def main() -> int:
    """Limit the process's resources, then convert."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    data = convert(sys.stdin.buffer.read(), sys.argv[1])
    if data is None:
        return NO_TRIANGLES
    sys.stdout.buffer.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
