"""Exact measures of solids, which the child gives and the triangles confirm."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
import trimesh

from catenary_worker import received
from catenary_worker.geometry import files, shapes
from catenary_worker.sandbox import pipe
from factories.services.geometry import TASK, written

needs_build123d = pytest.mark.skipif(
    find_spec("build123d") is None, reason="the optional package build123d is not installed (pip install -e '.[brep]')"
)
# A sphere of 10 mm: volume 4/3 pi r3 = 4188.79 mm3, area 4 pi r2 = 1256.64 mm2, mass of 7,850 kg/m3 = 0.0328820 kg.
VOLUME, AREA = 4 / 3 * math.pi * 1e-6, 4 * math.pi * 1e-4
BALL = trimesh.creation.icosphere(3, 0.01)
"""Its volume is 1.6 % below that of the sphere."""


def part_of(exact: Mapping[str, Any] | None, mesh: trimesh.Trimesh = BALL) -> dict[str, Any]:
    """Return the part of a mesh for which a child claims exact measures."""
    geometry, blobs = shapes.message({"s": {"mesh": mesh, "density": 7850}})
    geometry[0]["parts"][0]["exact"] = exact
    head = bytes(pipe.pack({"status": "completed", "geometry": geometry}, blobs)[0])
    header = json.loads(head[pipe.LENGTH.size :])
    (file,) = files.write(received.announced(TASK, header).geometry, [bytearray(blob) for blob in blobs])
    (found,) = file.parts
    return found


def test_measures_that_the_triangles_confirm_are_taken() -> None:
    found = part_of({"volume": VOLUME, "area": AREA, "centre": [1e-6, 0, 0]})
    assert (found["measured"], found["volume"], found["area"]) == ("exact", VOLUME, AREA)
    assert found["mass"] == pytest.approx(0.0328820, rel=1e-5)
    assert found["centre_of_gravity"] == pytest.approx([1e-6, 0, 0])


@pytest.mark.parametrize(
    "exact",
    [
        {"volume": 1.2 * VOLUME, "area": AREA, "centre": [0, 0, 0]},
        {"volume": -VOLUME, "area": AREA, "centre": [0, 0, 0]},
        {"volume": VOLUME, "area": 1.1 * AREA, "centre": [0, 0, 0]},
        {"volume": VOLUME, "area": AREA, "centre": [0.005, 0, 0]},
        None,
    ],
    ids=["volume", "sign", "area", "centre", "none"],
)
def test_measures_that_contradict_the_triangles_are_not_believed(exact: Mapping[str, Any] | None) -> None:
    found = part_of(exact)
    assert found["measured"] == "mesh"
    assert found["volume"] == pytest.approx(BALL.volume)
    assert found["mass"] == pytest.approx(7850 * BALL.volume)


def test_an_open_surface_has_no_volume_whatever_is_claimed() -> None:
    half = trimesh.Trimesh(BALL.vertices, BALL.faces[BALL.triangles_center[:, 2] > 0])
    found = part_of({"volume": VOLUME / 2, "area": AREA / 2, "centre": [0, 0, 0.004]}, half)
    assert (found["kind"], found["volume"], found["measured"]) == ("surface", None, "mesh")


def test_lines_are_measured_along_themselves() -> None:
    (file,) = written({"s": [[0, 0, 0], [3, 4, 0]]})
    assert (file.parts[0]["length"], file.parts[0]["measured"]) == (5, None)


@pytest.mark.parametrize(
    "exact",
    [
        {"volume": "1", "area": AREA, "centre": [0, 0, 0]},
        {"volume": VOLUME, "area": AREA, "centre": [0, 0]},
        {"volume": VOLUME, "area": AREA},
        {"volume": math.inf, "area": AREA, "centre": [0, 0, 0]},
        [],
    ],
    ids=["text", "two coordinates", "no centre", "infinite", "a list"],
)
def test_a_claim_of_another_form_is_a_damaged_message(exact: Any) -> None:
    geometry, blobs = shapes.message({"s": BALL})
    geometry[0]["parts"][0]["exact"] = exact
    header = {"status": "completed", "geometry": geometry, "blobs": [memoryview(blob).nbytes for blob in blobs]}
    with pytest.raises(received.DamagedError):
        received.announced(TASK, header)


@needs_build123d
def test_solids_of_build123d_have_the_measures_of_their_surfaces() -> None:
    """A sphere of 10 mm, and a tube of 20 and 15 mm at x = 1 m."""
    import build123d as b3d

    ball = {"mesh": b3d.Sphere(10), "density": 7850}
    tube = {"mesh": b3d.Pos(1000, 0, 0) * (b3d.Cylinder(20, 100) - b3d.Cylinder(15, 100)), "density": 1000}
    parts = {one["name"]: one for one in written({"s": {"parts": {"ball": ball, "tube": tube}}})[0].parts}
    assert parts["ball"]["mass"] == pytest.approx(7850 * VOLUME, rel=1e-6)
    assert parts["ball"]["area"] == pytest.approx(AREA, rel=1e-6)
    assert parts["tube"]["mass"] == pytest.approx(math.pi * (0.02**2 - 0.015**2) * 0.1 * 1000, rel=1e-6)
    assert parts["tube"]["centre_of_gravity"] == pytest.approx([1, 0, 0], abs=1e-9)
    assert {one["measured"] for one in parts.values()} == {"exact"}
    metres = written({"s": {"mesh": b3d.Sphere(1), "density": 1}}, unit="m")[0].parts[0]
    assert metres["mass"] == pytest.approx(4 / 3 * math.pi, rel=1e-6)


@needs_build123d
def test_a_face_of_build123d_has_no_exact_volume() -> None:
    import build123d as b3d

    found = written({"s": b3d.Rectangle(10, 20)})[0].parts[0]
    assert (found["kind"], found["measured"]) == ("surface", "mesh")
    assert np.isclose(found["area"], 200e-6)
