"""Stored GLBs as STL and 3MF."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import manifold3d
import numpy as np
import pytest
import trimesh

from catenary_core.services.evaluations import glb_conversion
from factories.services import geometry

BOX = trimesh.creation.box(extents=(2, 3, 4))


def _converted(glb: bytes, form: str) -> bytes:
    data = glb_conversion.convert(glb, form)
    assert data is not None
    return data


def test_a_stl_is_in_metres_with_z_up() -> None:
    tall = manifold3d.Manifold.cube((1, 2, 3)).translate((10, 20, 30))
    (file,) = geometry.written({"s": tall})
    back = trimesh.load_mesh(io.BytesIO(_converted(file.data, "stl")), file_type="stl")
    assert back.bounds == pytest.approx(np.array([[10, 20, 30], [11, 22, 33]]))
    assert back.volume == pytest.approx(6)


def test_a_3mf_holds_each_part_in_metres_and_equal_geometry_gives_equal_bytes() -> None:
    (file,) = geometry.written({"s": {"parts": {"low": BOX, "high": manifold3d.Manifold.cube((1, 2, 3))}}})
    data = _converted(file.data, "3mf")
    assert data == _converted(file.data, "3mf")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"]
        model = ElementTree.fromstring(archive.read("3D/3dmodel.model"))
    space = {"c": "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"}
    assert model.get("unit") == "meter"
    found = {}
    for item in model.findall("c:resources/c:object", space):
        points = [[float(point.get(axis, "")) for axis in "xyz"] for point in item.findall(".//c:vertex", space)]
        faces = [[int(face.get(f"v{n}", "")) for n in (1, 2, 3)] for face in item.findall(".//c:triangle", space)]
        found[item.get("name")] = trimesh.Trimesh(points, faces).volume
    assert found == {"low": pytest.approx(24), "high": pytest.approx(6)}
    assert len(model.findall("c:build/c:item", space)) == 2


@pytest.mark.parametrize("form", ["stl", "3mf"])
def test_lines_alone_cannot_be_converted(form: str) -> None:
    (file,) = geometry.written({"s": [[0, 0, 0], [1, 0, 0]]})
    assert glb_conversion.convert(file.data, form) is None
