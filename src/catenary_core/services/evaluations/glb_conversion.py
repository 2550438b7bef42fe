"""A program of its own: reads a GLB from standard input and writes it as `stl` or `3mf`, its argument, to standard output.

A GLB comes from a model, which may be hostile: it is read in a process that can be killed and whose memory is bounded, never
in the core's. It imports nothing of the core. Exit status 3: the GLB has no triangles.
"""

from __future__ import annotations

import io
import resource
import sys
from typing import Any

MEMORY_BYTES = 4 * 1024**3
CPU_SECONDS = 60
NO_TRIANGLES = 3


def convert(glb: bytes, form: str) -> bytes | None:
    """The meshes of a GLB, Z up: STL (binary, the numbers in metres) or 3MF (millimetres, as it declares). None without any."""
    import numpy as np
    import trimesh

    scene = trimesh.load_scene(io.BytesIO(glb), file_type="glb")
    # glTF has Y up: (x, y, z) there is (x, -z, y) with Z up.
    upright = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    if form == "3mf":
        upright[:3] *= 1000.0
    made: Any = trimesh.Scene()
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        mesh = scene.geometry[name]
        if isinstance(mesh, trimesh.Trimesh):
            moved = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
            moved.apply_transform(upright @ matrix)
            made.add_geometry(moved, node_name=str(node), geom_name=str(node))
    if not made.geometry:
        return None
    data = made.export(file_type="3mf") if form == "3mf" else made.to_mesh().export(file_type="stl")
    return bytes(data)


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
