"""Geometry of a model: GLB files, properties of parts, refusals; STL and 3MF made of a GLB."""

import io
import json
import math
import struct
from typing import Any

import manifold3d
import numpy as np
import pytest
import trimesh

from catenary_core.services.evaluations import glb_conversion
from catenary_worker.geometry import files
from catenary_worker.task import ModelFaultError
from factories.services import geometry

BOX = trimesh.creation.box(extents=(2, 3, 4))


def document(glb: bytes) -> dict[str, Any]:
    magic, version, length, size, kind = struct.unpack("<4sII I4s", glb[:20])
    assert (magic, version, length, kind) == (b"glTF", 2, len(glb), b"JSON")
    found: dict[str, Any] = json.loads(glb[20 : 20 + size])
    return found


def only_part(value: object) -> dict[str, Any]:
    (file,) = geometry.written({"shape": value})
    (part,) = file.parts
    return part


SHAPES = {
    "trimesh": BOX,
    "arrays": (BOX.vertices, BOX.faces),
    "lists": (BOX.vertices.tolist(), BOX.faces.tolist()),
    "unmerged triangles": (BOX.vertices[BOX.faces.ravel()], np.arange(36).reshape(-1, 3)),
    "inside out": (BOX.vertices, BOX.faces[:, ::-1]),
    "dict": {"mesh": BOX, "density": np.float64(500), "color": "#ff0000"},
    "scene": trimesh.Scene([BOX]),
}


UNITS = {
    **SHAPES,
    "manifold": manifold3d.Manifold.cube((2, 3, 4), center=True),
    "parts": {"parts": {"box": {"mesh": BOX, "density": 500}}},
    "line": {"points": [[-1, -1.5, -2], [1, 1.5, 2]], "closed": False},
}


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize(("unit", "metres"), [(None, 1.0), ("m", 1.0), ("mm", 0.001), ("ft", 0.3048)])
def test_coordinates_of_every_shape_are_in_the_unit_of_the_model(name: str, unit: str | None, metres: float) -> None:
    (file,) = geometry.written({"shape": UNITS[name]}, unit)
    (part,) = file.parts
    assert part["bounding_box"]["max"] == pytest.approx([1 * metres, 1.5 * metres, 2 * metres])
    if part["volume"] is not None:
        assert part["volume"] == pytest.approx(24 * metres**3)
    if part["density"] is not None:
        assert part["mass"] == pytest.approx(500 * 24 * metres**3), "a density is in kg/m3 whatever the unit"
    (accessor,) = (one for one in document(file.data)["accessors"] if one["type"] == "VEC3")
    assert accessor["max"] == pytest.approx([1 * metres, 2 * metres, 1.5 * metres])


@pytest.mark.parametrize(("unit", "far"), [(None, 2e9), ("mm", 2e12), ("ft", 4e9)])
def test_the_distance_from_the_origin_is_limited_in_metres(unit: str | None, far: float) -> None:
    with pytest.raises(ModelFaultError, match="geometry s: points lie more than 1e\\+09 m from the origin"):
        geometry.written({"s": [[0, 0, 0], [far, 0, 0]]}, unit)
    geometry.written({"s": [[0, 0, 0], [far / 10, 0, 0]]}, unit)


CORNER = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
"""A tetrahedron whose sides all differ, and so its centres as a solid, as a surface and as points."""
SIDES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
MADE = {
    "as it is": lambda array: array,
    "by columns": np.asfortranarray,
    "backwards": lambda array: array[::-1].copy()[::-1],
    "read-only": lambda array: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("turned", [False, True])
def test_a_solids_centre_is_that_of_its_volume_and_a_surfaces_that_of_its_area(made: str, *, turned: bool) -> None:
    corners, sides = MADE[made](CORNER), MADE[made](SIDES[:, ::-1] if turned else SIDES)
    solid = only_part((corners, sides))
    assert (solid["kind"], solid["volume"]) == ("solid", pytest.approx(1))
    assert solid["centre_of_gravity"] == pytest.approx([0.25, 0.5, 0.75])
    surface = only_part((corners, sides[:3]))
    areas = np.array([1.0, 1.5, 3.0])
    middles = np.array([[1 / 3, 2 / 3, 0], [1 / 3, 0, 1], [0, 2 / 3, 1]])
    assert (surface["kind"], surface["area"]) == ("surface", pytest.approx(5.5))
    assert surface["centre_of_gravity"] == pytest.approx((areas @ middles / 5.5).tolist())


@pytest.mark.parametrize("form", [*SHAPES, "manifold"])
def test_a_box_has_the_same_properties_in_every_form(form: str) -> None:
    part = only_part(SHAPES[form] if form in SHAPES else manifold3d.Manifold.cube((2, 3, 4), True))
    assert part["kind"] == "solid"
    assert part["triangles"] == 12
    assert part["volume"] == pytest.approx(24, rel=1e-12)
    assert part["area"] == pytest.approx(52, rel=1e-12)
    assert part["centre_of_gravity"] == pytest.approx([0, 0, 0], abs=1e-12)
    assert part["bounding_box"] == {"min": [-1, -1.5, -2], "max": [1, 1.5, 2]}
    assert part["mass"] == (pytest.approx(12_000) if form == "dict" else None)


def test_an_open_surface_has_no_volume_and_no_mass() -> None:
    part = only_part({"mesh": (BOX.vertices, BOX.faces[:-1]), "density": 500})
    assert (part["kind"], part["volume"], part["mass"]) == ("surface", None, None)


def test_a_polyline_has_a_length_and_closes_on_request() -> None:
    corners = [[0, 0, 0], [3, 0, 0], [3, 4, 0]]
    part = only_part(corners)
    assert (part["kind"], part["length"], part["area"]) == ("lines", 7.0, None)
    assert only_part({"points": corners, "closed": True})["length"] == 12.0
    assert only_part(np.array(corners))["centre_of_gravity"] == pytest.approx([16.5 / 7, 8 / 7, 0])


def test_two_points_are_a_polyline_and_no_mesh() -> None:
    assert only_part([[0, 0, 0], [1, 0, 0]])["kind"] == "lines"


def test_the_glb_is_in_metres_with_y_up_and_has_a_primitive_for_each_named_part() -> None:
    tall = manifold3d.Manifold.cube((1, 2, 3))
    (file,) = geometry.written({"house": {"parts": {"walls": {"mesh": tall, "color": "#ff0000"}, "edge": np.eye(3)}}})
    found = document(file.data)
    assert [node["name"] for node in found["nodes"]] == ["walls", "edge"]
    assert all(len(mesh["primitives"]) == 1 for mesh in found["meshes"])
    scene = trimesh.load_scene(io.BytesIO(file.data), file_type="glb")
    matrix, key = scene.graph["walls"]
    assert trimesh.transform_points(scene.geometry[key].bounds, matrix) == pytest.approx(
        np.array([[0, 0, -2], [1, 3, 0]])
    )
    assert found["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] == [1, 0, 0, 1]
    assert found["materials"][0]["doubleSided"] is False


def test_colours_are_written_on_the_linear_scale() -> None:
    (file,) = geometry.written({"shape": {"mesh": BOX, "color": [0.5, 0.0, 1.0]}})
    color = document(file.data)["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"]
    assert color == pytest.approx([0.214, 0, 1, 1], abs=0.003)  # IEC 61966-2-1: 0.5 is 0.2140 linear


@pytest.mark.parametrize(
    ("color", "alpha"),
    [("#0000FF80", 128 / 255), ("#0000ffff", 1), ([0, 0, 1, 0.25], 0.25), ([0, 0, 1, 1], 1), ([0, 0, 1, 0], 0)],
)
def test_what_has_an_alpha_below_1_is_seen_through(color: Any, alpha: float) -> None:
    (file,) = geometry.written({"shape": {"mesh": BOX, "color": color}})
    (material,) = document(file.data)["materials"]
    assert material["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx([0, 0, 1, alpha])
    assert material.get("alphaMode") == (None if alpha == 1 else "BLEND")
    assert "alphaMode" not in document(geometry.written({"shape": BOX})[0].data)["materials"][0]


def test_the_alpha_of_a_mesh_of_trimesh_is_kept() -> None:
    glass = BOX.copy()
    glass.visual.face_colors = [0, 0, 255, 51]
    (material,) = document(geometry.written({"glass": glass})[0].data)["materials"]
    assert material["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx([0, 0, 1, 0.2])


def test_far_coordinates_keep_their_precision() -> None:
    moved = BOX.copy()
    moved.apply_translation([500_000.123, 5_000_000.456, 0])
    part = only_part(moved)
    assert part["volume"] == pytest.approx(24, rel=1e-6)
    (file,) = geometry.written({"shape": moved})
    (one,) = glb_conversion._primitives(file.data)
    vertices = one.points
    assert np.abs(np.sort(vertices, axis=0) - np.sort(moved.vertices, axis=0)).max() < 1e-6
    # Guard off: single precision steps by half a metre there.
    assert np.abs(moved.vertices.astype(np.float32) - moved.vertices).max() > 1e-2


def test_a_scene_places_its_nodes_and_cleans_their_names() -> None:
    scene = trimesh.Scene()
    scene.add_geometry(BOX, node_name="a.1", transform=trimesh.transformations.translation_matrix([10, 0, 0]))
    scene.add_geometry(BOX, node_name="a-1")
    scene.add_geometry(BOX, node_name="../1")
    (file,) = geometry.written({"scene": scene})
    assert [part["name"] for part in file.parts] == ["a_1", "a_1_", "part____1"]
    assert file.parts[0]["centre_of_gravity"] == pytest.approx([10, 0, 0])


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            ([[0, 0, 0], [1, 0, 0], [0, NAN, 0]], [[0, 1, 2]]),
            "geometry s: 1 of its vertices are not finite, the first at 2.",
        ),
        (([[0, 0, 0], [1, 0, 0], [0, INF, 0]], [[0, 1, 2]]), "geometry s: 1 of its vertices are not finite"),
        (
            ([[0, 0, 0], [1e10, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
            "geometry s: vertices lie more than 1e+09 m from the origin.",
        ),
        ((np.eye(3), [[0, 1, 3]]), "geometry s: face index 3 is out of range for 3 vertices."),
        ((np.eye(3), [[0, 1, -1]]), "geometry s: face index -1 is out of range for 3 vertices."),
        ((np.eye(3), [[0.0, 1.0, 2.0]]), "geometry s: faces must be rows of three whole numbers (triangles)"),
        ((np.eye(3), [[0, 1, 2, 2]]), "geometry s: faces must be rows of three whole numbers (triangles)"),
        ((np.eye(3), [[0, 1], [2]]), "geometry s: faces must be rows of three numbers."),
        ((np.eye(3)[:, :2], [[0, 1, 2]]), "geometry s: vertices must be rows of three numbers, not float64 of (3, 2)."),
        (([["a", "b", "c"]], [[0, 0, 0]]), "geometry s: vertices must be rows of three numbers"),
        ((np.eye(3), np.zeros((0, 3), int)), "geometry s is empty: it has no triangles."),
        (trimesh.Trimesh(), "geometry s is empty"),
        (trimesh.Scene(), "geometry s: the scene is empty."),
        ([[0, 0, 0]], "geometry s is empty: a polyline needs two points."),
        ([], "geometry s: [] is not a shape: give a trimesh mesh"),
        ("cube", "geometry s: 'cube' is not a shape"),
        (None, "geometry s: None is not a shape"),
        ({"vertices": 1}, 'geometry s: the dict must have one of "mesh", "points", "parts".'),
        ({"mesh": BOX, "points": []}, 'geometry s: the dict must have one of "mesh", "points", "parts".'),
        ({"mesh": BOX, "colour": "red"}, "geometry s: unknown key 'colour' beside mesh."),
        ({"mesh": BOX, "color": "red"}, "geometry s: color 'red' must be \"#rrggbb\""),
        ({"mesh": BOX, "color": "#gggggg"}, "geometry s: color '#gggggg' must be"),
        ({"mesh": BOX, "color": "#12345"}, "geometry s: color '#12345' must be"),
        ({"mesh": BOX, "color": "#123456789"}, "geometry s: color '#123456789' must be"),
        ({"mesh": BOX, "color": [1, 1, 2]}, "geometry s: color [1, 1, 2] must be"),
        ({"mesh": BOX, "color": [1, 1, 1, 1.5]}, "geometry s: color [1, 1, 1, 1.5] must be"),
        ({"mesh": BOX, "color": [1, 1, 1, -0.1]}, "geometry s: color [1, 1, 1, -0.1] must be"),
        ({"mesh": BOX, "color": [1, 1, 1, math.nan]}, "geometry s: color is nan, which is not a finite number."),
        ({"mesh": BOX, "color": [1, 1, 1, 1, 1]}, "geometry s: color [1, 1, 1, 1, 1] must be"),
        ({"mesh": BOX, "density": 0}, "geometry s: density 0 must be over 0 (kg/m3)."),
        ({"mesh": BOX, "density": "heavy"}, "geometry s: density must be a number, not 'heavy'."),
        ({"mesh": {"mesh": BOX}}, "geometry s: mesh must be a shape, not a dict."),
        ({"parts": {}}, "geometry s: parts must be a dict of shapes by name."),
        ({"parts": {"../p": BOX}}, "geometry s: part '../p' is not a name"),
        ({"parts": {"p": {"parts": {"q": BOX}}}}, "geometry s: parts cannot hold parts of their own."),
        ({"points": np.eye(3), "closed": 1}, "geometry s: closed must be True or False."),
    ],
)
def test_a_faulty_shape_is_refused_by_name(value: object, message: str) -> None:
    with pytest.raises(ModelFaultError) as caught:
        geometry.written({"s": value})
    assert caught.value.message.startswith(message), caught.value.message


def test_an_empty_manifold_is_refused() -> None:
    with pytest.raises(ModelFaultError, match="geometry s is empty"):
        geometry.written({"s": manifold3d.Manifold()})


def test_a_geometry_name_with_a_path_is_refused() -> None:
    with pytest.raises(ModelFaultError, match="is not a name"):
        geometry.written({"../x": BOX})


def test_limits_count_over_all_geometry(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelFaultError, match="has 65 parts; at most 64"):
        geometry.written({f"g{n}": BOX for n in range(65)})
    assert len(geometry.written({f"g{n}": BOX for n in range(64)})) == 64
    monkeypatch.setattr(files, "TRIANGLES", 23)
    with pytest.raises(ModelFaultError, match="has 24 triangles; at most 23"):
        geometry.written({"a": BOX, "b": BOX})
    monkeypatch.setattr(files, "GEOMETRY_BYTES", 100)
    with pytest.raises(ModelFaultError, match="its glb file is larger than"):
        geometry.written({"a": BOX})


def test_parts_of_one_name_are_refused() -> None:
    scene = trimesh.Scene()
    scene.add_geometry(BOX, node_name="a")
    with pytest.raises(ModelFaultError, match="two parts are named a"):
        geometry.written({"s": {"parts": {"a": BOX, "b": scene}}})
