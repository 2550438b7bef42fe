"""The arrays of a child's message: what its host refuses, and what it writes of the rest."""

from __future__ import annotations

import copy
import io
import json
import random
import struct
from typing import Any

import numpy as np
import pytest
import trimesh

from catenary_worker import received
from catenary_worker.geometry import bodies, files, measures, positions
from catenary_worker.task import Description, Geometry, ModelFaultError, Task

DESCRIPTION: Description = {"parameters": [], "metrics": [], "constraints": [], "geometry_unit": None}
TASK = Task("evaluate", "python", b"", description=DESCRIPTION)
CORNERS = np.array([[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3]], "<f8")
SIDES = np.array([[0, 0, 0, 1], [2, 1, 3, 2], [1, 3, 2, 3]], "<u4")
PART = {"name": "p", "lines": False, "density": 500, "color": [1, 0, 0]}
HEADER: dict[str, Any] = {
    "status": "completed",
    "metrics": {},
    "tables": {},
    "geometry": [{"name": "a", "parts": [PART], "step": False}],
}


def sent(header: dict[str, Any], *blobs: bytes, sizes: list[Any] | None = None) -> list[Geometry]:
    """Return the geometry of a message as its host takes it."""
    header = {**header, "blobs": [len(blob) for blob in blobs] if sizes is None else sizes}
    announced = received.announced(TASK, header)
    read = [bytearray(blob) for blob in blobs]
    return received.outcome(TASK, header, announced.geometry, read).geometry


def part(**changed: Any) -> dict[str, Any]:
    return {**HEADER, "geometry": [{"name": "a", "parts": [{**PART, **changed}], "step": False}]}


def opened(glb: bytes) -> tuple[dict[str, Any], bytes]:
    (size,) = struct.unpack("<I", glb[12:16])
    return json.loads(glb[20 : 20 + size]), glb[28 + size :]


def faults(glb: bytes) -> list[str]:
    """Return what a reader of a GLB could stumble over: each mesh has one node, each index a point, no file is named."""
    document, content = opened(glb)
    arrays = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        kind = {5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
        arrays.append(np.frombuffer(content[view["byteOffset"] : view["byteOffset"] + view["byteLength"]], kind))
    found = []
    if [node["mesh"] for node in document["nodes"]] != list(range(len(document["meshes"]))):
        found.append("nodes")
    if "uri" in json.dumps(document):
        found.append("uri")
    for mesh in document["meshes"]:
        (primitive,) = mesh["primitives"]
        points = arrays[primitive["attributes"]["POSITION"]]
        if not np.isfinite(points).all():
            found.append("numbers")
        if arrays[primitive["indices"]].max() >= len(points) / 3:
            found.append("indices")
    return found


def bomb(nodes: int) -> bytes:
    """Return a GLB of many nodes on one mesh: a small file with a large scene."""
    shape = trimesh.Trimesh(CORNERS.T, SIDES.T, process=False)
    document, content = opened(sent(HEADER, CORNERS.tobytes(), SIDES.tobytes())[0].data)
    assert len(shape.faces) == 4
    document["nodes"] = [{"name": f"n{number}", "mesh": 0} for number in range(nodes)]
    document["scenes"] = [{"nodes": list(range(nodes))}]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    size = 28 + len(text) + len(content)
    return b"".join([struct.pack("<4sII I4s", b"glTF", 2, size, len(text), b"JSON"), text,
                     struct.pack("<I4s", len(content), b"BIN\0"), content])  # fmt: skip


def test_the_host_measures_and_writes_what_the_child_sends() -> None:
    (file,) = sent(HEADER, CORNERS.tobytes(), SIDES.tobytes())
    assert (file.name, file.format) == ("a", "glb")
    (found,) = file.parts
    assert (found["kind"], found["volume"], found["mass"]) == ("solid", pytest.approx(1), pytest.approx(500))
    assert faults(file.data) == []


def test_a_file_of_the_model_is_no_geometry() -> None:
    """The attack: a reader that believes such a file draws a thousand times what was sent."""
    glb = bomb(1_000)
    believed: Any = trimesh.load_scene(io.BytesIO(glb), file_type="glb")
    assert len(believed.dump()) == 1_000
    assert faults(glb) == ["nodes"]
    with pytest.raises(received.DamagedError):
        sent({**HEADER, "geometry": [{"name": "a", "format": "glb", "parts": [PART]}]}, glb)
    with pytest.raises(ModelFaultError):  # as coordinates its bytes are numbers as others
        sent(part(), glb[: len(glb) // 24 * 24], SIDES.tobytes())


def test_a_step_file_is_bytes_that_nobody_reads() -> None:
    glb = bomb(10)
    header = {**HEADER, "geometry": [{"name": "a", "parts": [PART], "step": True}]}
    made = sent(header, CORNERS.tobytes(), SIDES.tobytes(), glb)
    assert [(file.format, file.content_type) for file in made] == [("glb", "model/gltf-binary"), ("step", "model/step")]
    assert made[1].data == glb
    assert faults(made[0].data) == []


def changed(array: np.ndarray[Any, Any], value: float) -> bytes:
    copied = array.copy()
    copied[1, 2] = value
    return copied.tobytes()


FAULTY = {
    "an index without a point": ((CORNERS.tobytes(), changed(SIDES, 4)), "face index 4 is out of range for 4 vertices."),
    "the index that means restart": (
        (CORNERS.tobytes(), changed(SIDES, 2**32 - 1)),
        "face index 4294967295 is out of range for 4 vertices.",
    ),
    "NaN": ((changed(CORNERS, np.nan), SIDES.tobytes()), "1 of its vertices are not finite, the first at 2."),
    "infinity": ((changed(CORNERS, -np.inf), SIDES.tobytes()), "1 of its vertices are not finite, the first at 2."),
    "another planet": ((changed(CORNERS, 1e300), SIDES.tobytes()), "vertices lie more than 1e+09 m from the origin."),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTY)
def test_faulty_numbers_are_refused_with_the_name_of_their_part(name: str) -> None:
    blobs, message = FAULTY[name]
    with pytest.raises(ModelFaultError) as caught:
        sent(HEADER, *blobs)
    assert caught.value.message == f"geometry p: {message}"


@pytest.mark.parametrize("name", FAULTY)
def test_without_the_check_faulty_numbers_reach_the_file_or_end_the_host(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "check", lambda _: None)
    blobs, _ = FAULTY[name]
    if "index" in name:
        (file,) = sent(HEADER, *blobs)
        assert faults(file.data) == ["indices"]
    else:
        with np.errstate(all="ignore"), pytest.raises((ValueError, ModelFaultError)) as caught:
            sent(HEADER, *blobs)
        assert "JSON compliant" in str(caught.value) or "not a finite number" in str(caught.value)


BILLION = 10**9
OVER = {
    "10^9 triangles": (
        part(),
        [24 * 4, 12 * BILLION],
        "The geometry has 1000000000 triangles; at most 5000000 are allowed.",
    ),
    "10^9 points": (part(), [24 * BILLION, 12], "geometry a: its glb file is larger than 64 MiB."),
    "10^9 points of a line": (
        part(lines=True),
        [24 * BILLION],
        "The geometry has 1000000000 triangles; at most 5000000 are allowed.",
    ),
    "65 parts": (
        {**HEADER, "geometry": [{"name": "a", "parts": [{**PART, "name": f"p{n}"} for n in range(65)], "step": False}]},
        [24, 12] * 65,
        "The geometry has 65 parts; at most 64 are allowed.",
    ),
    "two parts of a name": (
        {**HEADER, "geometry": [{"name": "a", "parts": [PART, PART], "step": False}]},
        [24, 12] * 2,
        "geometry a: two parts are named p.",
    ),
    "a large step file": (
        {**HEADER, "geometry": [{"name": "a", "parts": [PART], "step": True}]},
        [24, 12, 2**26 + 1],
        "geometry a: its step file is larger than 64 MiB.",
    ),
    "three step files": (
        {**HEADER, "geometry": [{"name": n, "parts": [PART], "step": True} for n in "abc"]},
        [24, 12, 2**26] * 3,
        "The geometry files have 201326646 bytes; at most 134217728 are allowed.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OVER)
def test_what_is_over_a_limit_is_refused_before_it_is_read(name: str) -> None:
    header, sizes, message = OVER[name]
    with pytest.raises(ModelFaultError) as caught:
        received.announced(TASK, {**header, "blobs": sizes})
    assert caught.value.message == message


def test_without_the_limits_a_host_reads_whatever_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "check_announced", lambda _: None)
    for header, sizes, _ in OVER.values():
        assert received.announced(TASK, {**header, "blobs": sizes}).sizes == sizes


DAMAGED: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "no sizes": (HEADER, []),
    "a size too many": (HEADER, [24, 12, 1]),
    "a negative size": (HEADER, [24, -12]),
    "a size of text": (HEADER, [24, "12"]),
    "a size that is true": (HEADER, [24, True]),
    "a size with a fraction": (HEADER, [24.0, 12]),
    "half a point": (HEADER, [25, 12]),
    "half a triangle": (HEADER, [24, 13]),
    "no points": (HEADER, [0, 12]),
    "no triangles": (HEADER, [24, 0]),
    "10,000 blobs": (HEADER, [12] * 10_000),
    "a geometry twice": ({**HEADER, "geometry": HEADER["geometry"] * 2}, [24, 12] * 2),
    "a geometry without parts": ({**HEADER, "geometry": [{"name": "a", "parts": [], "step": False}]}, []),
    "no list of geometry": ({**HEADER, "geometry": {}}, []),
    "no geometry": ({key: value for key, value in HEADER.items() if key != "geometry"}, []),
    "a name with a path": (part(name="../p"), [24, 12]),
    "a name of a number": (part(name=1), [24, 12]),
    "lines of text": (part(lines="no"), [24, 12]),
    "a density of nothing": (part(density=0), [24, 12]),
    "a density of text": (part(density="1"), [24, 12]),
    "a color of two": (part(color=[0, 0]), [24, 12]),
    "a color over 1": (part(color=[0, 0, 1.5]), [24, 12]),
    "an alpha over 1": (part(color=[0, 0, 1, 1.5]), [24, 12]),
    "a color of five": (part(color=[0, 0, 1, 1, 1]), [24, 12]),
    "a color of text": (part(color="#ff0000"), [24, 12]),
    "a step file that is a size": ({**HEADER, "geometry": [{**HEADER["geometry"][0], "step": 7}]}, [24, 12, 7]),
    "a failure with a file": ({"status": "failed", "error": {"message": "x", "line": None}}, [7]),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_message_of_another_shape_is_damaged(name: str) -> None:
    header, sizes = DAMAGED[name]
    with pytest.raises(received.DamagedError):
        received.announced(TASK, {**header, "blobs": sizes})


def test_a_mass_that_is_no_number_is_refused() -> None:
    with pytest.raises(ModelFaultError, match="geometry p: the mass is inf, which is not a finite number"):
        sent(part(density=1e308), (CORNERS * 1e8).tobytes(), SIDES.tobytes())


def test_solids_that_cancel_have_a_centre_that_is_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two large solids whose volumes cancel and whose moments do not, around one of almost no volume."""
    monkeypatch.setattr(bodies, "_MOST_PAIRS", 0)  # else each of the solids has a positive volume
    large = CORNERS * 1e8 + np.array([[5e8], [0], [0]])
    points = np.hstack([large, -large, CORNERS * 1e-95]).astype("<f8")
    faces = np.hstack([SIDES, SIDES + 4, SIDES + 8]).astype("<u4")
    (file,) = sent(HEADER, points.tobytes(), faces.tobytes())
    (part_,) = file.parts
    assert (part_["kind"], part_["volume"]) == ("surface", None)
    assert np.isfinite(part_["centre_of_gravity"]).all()


def _mutated(random_numbers: random.Random) -> tuple[dict[str, Any], list[bytes]]:
    """Return a true message after some changes of its header and blobs."""
    header = copy.deepcopy({**HEADER, "geometry": [{"name": n, "parts": [PART], "step": n == "b"} for n in "ab"]})
    blobs = [CORNERS.tobytes(), SIDES.tobytes()] * 2 + [b"step"]
    odd = [None, -1, 0, 1, 10**9, 10**400, 1e300, float("nan"), "", "../a", "p", [], {}, True, [1, 1, 1], "\0"]
    for _ in range(random_numbers.randint(1, 3)):
        if random_numbers.random() < 0.4:
            place: Any = header
            while True:
                keys = list(place) if isinstance(place, dict) else list(range(len(place)))
                key = random_numbers.choice(keys)
                if not isinstance(place[key], dict | list) or not place[key] or random_numbers.random() < 0.2:
                    break
                place = place[key]
            if isinstance(place, dict) and random_numbers.random() < 0.2:
                del place[key]
            else:
                place[key] = random_numbers.choice(odd)
        else:
            number = random_numbers.randrange(len(blobs))
            content = bytearray(blobs[number])
            for _ in range(random_numbers.randint(1, 8)):
                if content:
                    content[random_numbers.randrange(len(content))] = random_numbers.choice([0, 1, 127, 128, 240, 255])
            cut = random_numbers.choice([len(content), len(content), len(content), 0, 12, 13, 24])
            blobs[number] = bytes(content[:cut]) * random_numbers.choice([1, 1, 1, 2])
    return header, blobs


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_of_hostile_messages_none_crashes_the_host_and_none_makes_a_file_that_a_reader_could_stumble_over(
    count: int,
) -> None:
    ended = {"written": 0, "refused": 0, "damaged": 0}
    for seed in range(count):
        header, blobs = _mutated(random.Random(seed))
        try:
            made = sent(header, *blobs)
        except received.DamagedError:
            ended["damaged"] += 1
        except ModelFaultError:
            ended["refused"] += 1
        else:
            ended["written"] += 1
            assert all(faults(file.data) == [] for file in made if file.format == "glb"), seed
    assert min(ended.values()) > count / 50, ended


def test_labels_of_a_mesh_differ_for_different_points_and_agree_for_equal_ones() -> None:

    grid = np.stack(np.meshgrid(*[np.arange(-32.0, 32)] * 3), 0).reshape(3, -1)
    labels = positions.labels(grid)
    assert len(np.unique(labels)) == grid.shape[1], "whole numbers differ in their highest bits only"
    twice = np.array([[0.0, -0.0], [1, 1], [-0.0, 0.0]])
    assert len(set(positions.labels(twice).tolist())) == 1


@pytest.mark.parametrize("seed", range(20))
def test_a_mesh_is_closed_exactly_if_each_edge_has_as_many_opposite_ones(seed: int) -> None:

    numbers = np.random.default_rng(seed)
    for _ in range(20):
        points = numbers.integers(0, 2, (3, 6)).astype(float)
        faces = numbers.integers(0, 6, (3, numbers.integers(1, 9)))
        if numbers.random() < 0.5:
            faces = np.hstack([faces, faces[::-1]])
        where = [tuple(point) for point in points.T.tolist()]
        edges = [(where[a], where[b]) for f in faces.T.tolist() for a, b in zip(f, f[1:] + f[:1], strict=True)]
        paired = sorted(edges) == sorted((b, a) for a, b in edges)
        assert measures._is_closed(positions.labels(points), faces) == paired
