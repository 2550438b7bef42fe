"""Other formats of a stored GLB, made on request: STL and 3MF. STEP comes from the model itself (see `brep`).

Both are in metres with Z up, as the model was. The bytes came out of a sandbox but are still a stranger's: run these
where a parser may fail, and expect `ValueError` for a file that holds no triangles.
"""

import io
import zipfile
from xml.sax.saxutils import quoteattr

import numpy as np
import numpy.typing as npt
import trimesh

_CONTENT_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="model" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)
"""Equal geometry gives equal bytes, so that artefacts can be addressed by content."""


def to_stl(glb: bytes) -> bytes:
    """One binary STL of all triangles."""
    meshes = [trimesh.Trimesh(vertices, faces, process=False) for _, vertices, faces in _meshes(glb)]
    whole = trimesh.util.concatenate(meshes)
    data: bytes = trimesh.exchange.stl.export_stl(whole)
    return data


def to_3mf(glb: bytes) -> bytes:
    """A 3MF package (3MF Core Specification 1.3) with one object a part.

    Own writing, since trimesh's needs lxml and networkx, writes millimetres only, and puts random ids into it.
    """
    objects, items = [], []
    for number, (name, vertices, faces) in enumerate(_meshes(glb), 1):
        points = "".join(f'<vertex x="{x!r}" y="{y!r}" z="{z!r}"/>' for x, y, z in vertices.tolist())
        triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces.tolist())
        objects.append(
            f'<object id="{number}" name={quoteattr(name)} type="model"><mesh><vertices>{points}</vertices>'
            f"<triangles>{triangles}</triangles></mesh></object>"
        )
        items.append(f'<item objectid="{number}"/>')
    model = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="meter" xml:lang="en-US" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
        f"<resources>{''.join(objects)}</resources><build>{''.join(items)}</build></model>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in (
            ("[Content_Types].xml", _CONTENT_TYPES),
            ("_rels/.rels", _RELATIONS),
            ("3D/3dmodel.model", model),
        ):
            archive.writestr(zipfile.ZipInfo(path, _FIXED_TIME), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _meshes(glb: bytes) -> list[tuple[str, npt.NDArray[np.float64], npt.NDArray[np.int64]]]:
    """The parts of a GLB that have triangles, as name, vertices (m, Z up) and faces."""
    scene = trimesh.load_scene(io.BytesIO(glb), file_type="glb", process=False)
    found = []
    for node in scene.graph.nodes_geometry:
        matrix, key = scene.graph[node]
        mesh = scene.geometry[key]
        if isinstance(mesh, trimesh.Trimesh):
            upright = np.asarray(mesh.vertices, dtype=np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
            vertices = np.column_stack([upright[:, 0], -upright[:, 2], upright[:, 1]])
            found.append((str(node), vertices, np.asarray(mesh.faces, dtype=np.int64)))
    if not found:
        raise ValueError("the geometry has no triangles")
    return found
