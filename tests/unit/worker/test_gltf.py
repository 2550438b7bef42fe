"""The bytes of binary glTF: chunks, accessors, materials."""

import io
import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import trimesh

from catenary_worker.geometry.gltf import Glb
from catenary_worker.geometry.part import Part

BOX = trimesh.creation.box(extents=(2, 3, 4))
LINE = np.array([[0.0, 0, 0], [3, 0, 0], [3, 4, 0], [3, 4, 5]])


def written(*parts: tuple[str, npt.NDArray[np.float64], npt.NDArray[np.int64] | None], **given: Any) -> bytes:
    file = Glb()
    for name, vertices, faces in parts:
        part = Part(name, vertices.T, None if faces is None else faces.T, color=given.get("color"))
        file.add(part, double_sided=given.get("double_sided", False))
    return file.file()


def opened(file: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the document and the binary chunk, by sections 4.4.2 and 4.4.3 of glTF 2.0."""
    magic, version, size, text_size, kind = struct.unpack("<4sIII4s", file[:20])
    assert (magic, version, size, kind) == (b"glTF", 2, len(file), b"JSON")
    end = 20 + text_size
    binary_size, kind = struct.unpack("<I4s", file[end : end + 8])
    assert (kind, end + 8 + binary_size) == (b"BIN\0", len(file))
    assert text_size % 4 == binary_size % 4 == 0
    document: dict[str, Any] = json.loads(file[20:end])
    assert document["buffers"] == [{"byteLength": binary_size}]
    return document, file[end + 8 :]


def values(file: bytes, accessor: int) -> npt.NDArray[Any]:
    document, content = opened(file)
    told = document["accessors"][accessor]
    view = document["bufferViews"][told["bufferView"]]
    assert view["byteOffset"] % 4 == 0
    kind = {5123: "<u2", 5125: "<u4", 5126: "<f4"}[told["componentType"]]
    found = np.frombuffer(content[view["byteOffset"] : view["byteOffset"] + view["byteLength"]], kind)
    return found.reshape(told["count"], 3 if told["type"] == "VEC3" else 1)


def test_a_mesh_comes_back_as_it_was() -> None:
    scene = trimesh.load_scene(io.BytesIO(written(("box", BOX.vertices, BOX.faces))), file_type="glb")
    (mesh,) = scene.dump()
    assert mesh.is_watertight
    assert mesh.volume == pytest.approx(24)
    assert mesh.extents == pytest.approx([2, 4, 3]), "Y is up"


def test_the_bounds_of_positions_are_those_of_the_stored_numbers() -> None:
    file = written(("far", BOX.vertices / 3 + 1e6, BOX.faces))
    document, _ = opened(file)
    (positions,) = [one for one in document["accessors"] if one["type"] == "VEC3"]
    stored = values(file, document["accessors"].index(positions))
    assert positions["min"] == stored.min(axis=0).tolist()
    assert positions["max"] == stored.max(axis=0).tolist()


def test_a_polyline_is_lines_from_point_to_point() -> None:
    file = written(("edge", LINE, None))
    (primitive,) = opened(file)[0]["meshes"][0]["primitives"]
    assert primitive["mode"] == 1
    assert values(file, primitive["indices"]).reshape(-1, 2).tolist() == [[0, 1], [1, 2], [2, 3]]


@pytest.mark.parametrize(("count", "component"), [(65_535, 5123), (65_536, 5125)])
def test_indices_are_short_as_long_as_none_is_the_one_that_means_restart(count: int, component: int) -> None:
    vertices = np.random.default_rng(1).random((count, 3))
    faces = np.array([[0, 1, count - 1]])
    file = written(("points", vertices, faces))
    document, _ = opened(file)
    indices = document["meshes"][0]["primitives"][0]["indices"]
    assert document["accessors"][indices]["componentType"] == component
    assert values(file, indices).reshape(-1).tolist() == [0, 1, count - 1]


def test_parts_have_nodes_meshes_and_materials_of_their_own() -> None:
    file = written(("a", BOX.vertices, BOX.faces), ("b", LINE, None), color=(1.0, 0.0, 0.5), double_sided=True)
    document, _ = opened(file)
    assert [node["name"] for node in document["nodes"]] == ["a", "b"]
    assert [node["mesh"] for node in document["nodes"]] == document["scenes"][0]["nodes"] == [0, 1]
    assert [mesh["primitives"][0]["material"] for mesh in document["meshes"]] == [0, 1]
    for material in document["materials"]:
        assert material["doubleSided"] is True
        color = material["pbrMetallicRoughness"]["baseColorFactor"]
        assert color == pytest.approx([1, 0, 0.2140, 1], abs=1e-4)  # IEC 61966-2-1
    assert len(document["accessors"]) == len(document["bufferViews"]) == 4
