"""The order of a mesh of OpenSCAD, which is one for equal meshes."""

import numpy as np
import pytest
import trimesh

from catenary_worker.models import openscad


def test_the_order_of_a_mesh_does_not_depend_on_the_order_in_which_it_was_written() -> None:
    box = trimesh.creation.box((2, 3, 4))
    vertices, faces = openscad._ordered(box.vertices, box.faces)
    chance = np.random.default_rng(7)
    for _ in range(10):
        places = chance.permutation(len(box.vertices))
        written = np.empty_like(box.vertices)
        written[places] = box.vertices
        turned = np.array([np.roll(face, chance.integers(3)) for face in places[chance.permutation(box.faces)]])
        again = openscad._ordered(np.where(written == 0, -0.0, written), turned)
        assert again[0].tobytes() == vertices.tobytes()
        assert again[1].tobytes() == faces.tobytes()
    assert trimesh.Trimesh(vertices, faces, process=False).volume == pytest.approx(24), "no face is turned over"
