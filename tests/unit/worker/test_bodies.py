"""Meshes of several bodies, with seams and with vertices that nothing uses: volumes, masses and boxes worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from catenary_worker.geometry import bodies
from factories.services import geometry

Mesh = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


def box(size: float, centre: tuple[float, float, float] = (0, 0, 0), *, inside_out: bool = False) -> Mesh:
    """Return a cube; each of its faces is two triangles."""
    made = trimesh.creation.box(extents=(size, size, size))
    faces = made.faces[:, ::-1] if inside_out else made.faces
    return made.vertices + np.array(centre), np.asarray(faces)


def together(*meshes: Mesh) -> Mesh:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    faces = [faces + start for (_, faces), start in zip(meshes, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(faces)


def measured(mesh: Mesh, density: float | None = None) -> dict[str, Any]:
    (file,) = geometry.written({"shape": {"mesh": mesh, "density": density} if density else mesh})
    (part,) = file.parts
    return part


def test_each_body_is_turned_by_its_own_volume() -> None:
    """Two cubes of 2 m³ each, of side 2^⅓, one mirrored: 4 m³ of 1000 kg/m³ are 4000 kg, with the centre between them."""
    side = 2 ** (1 / 3)
    mesh = together(box(side), box(side, (4, 0, 0), inside_out=True))
    part = measured(mesh, 1000)
    assert (part["kind"], part["mass"]) == ("solid", pytest.approx(4000))
    assert part["centre_of_gravity"] == pytest.approx([2, 0, 0])


@pytest.mark.parametrize("inside_out", [False, True])
def test_a_cavity_stays_a_cavity_however_the_whole_is_turned(*, inside_out: bool) -> None:
    """A cube of side 3 with a cavity of side 1: 27 - 1 = 26 m³."""
    mesh = together(box(3, inside_out=inside_out), box(1, (0.5, 0.2, -0.3), inside_out=not inside_out))
    assert measured(mesh)["volume"] == pytest.approx(26)


def test_a_cavity_beside_a_body_that_is_turned_keeps_its_volume() -> None:
    """The cube with the cavity above (26 m³) and a mirrored cube of side 2 (8 m³) beside it: 34 m³."""
    mesh = together(box(3), box(1, inside_out=True), box(2, (9, 0, 0), inside_out=True))
    assert measured(mesh)["volume"] == pytest.approx(34)


def test_a_body_that_is_half_inside_another_one_is_no_cavity() -> None:
    """Cubes of side 2 that cross, one mirrored: 8 + 8 = 16 m³, with what they share twice."""
    assert measured(together(box(2), box(2, (1, 0.3, 0.2), inside_out=True)))["volume"] == pytest.approx(16)


def test_bodies_whose_triangles_have_their_own_vertices_are_found() -> None:
    # As an STL file gives them: the same 4 m³.
    vertices, faces = together(box(2 ** (1 / 3)), box(2 ** (1 / 3), (4, 0, 0), inside_out=True))
    loose = vertices[faces.reshape(-1)], np.arange(faces.size).reshape(-1, 3)
    assert measured(loose)["volume"] == pytest.approx(4)


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=12))
def test_connected_triangles_are_one_set_however_they_repeat(triangles: list[tuple[int, int, int]]) -> None:
    """A triangle may be there twice or turned, or have a corner twice: a search in scipy runs for ever at equal edges."""
    corners = np.unique(np.array(triangles).T, return_inverse=True)[1].reshape(3, -1)
    sets = bodies._sets(corners)
    found = [0] * len(triangles) if sets is None else sets.tolist()
    united: list[set[int]] = []
    for triangle in triangles:
        touched = [one for one in united if one & {*triangle}]
        united = [one for one in united if not one & {*triangle}] + [set().union(triangle, *touched)]
    wanted = [next(place for place, one in enumerate(united) if triangle[0] in one) for triangle in triangles]
    assert len({*zip(found, wanted, strict=True)}) == len({*found}) == len({*wanted})


@pytest.mark.parametrize("loose", [False, True])
def test_the_same_triangles_at_other_places_are_judged_anew(*, loose: bool) -> None:
    """Two cubes of 2 m³, one mirrored: 4 m³. Then with the same triangles the cube with the cavity: 27 - 1 = 26 m³."""
    side = 2 ** (1 / 3)
    for volume, mesh in (
        (4, together(box(side), box(side, (4, 0, 0), inside_out=True))),
        (26, together(box(3), box(1, inside_out=True))),
        (4, together(box(side), box(side, (4, 0, 0), inside_out=True))),
    ):
        vertices, faces = mesh
        given = (vertices[faces.reshape(-1)], np.arange(faces.size).reshape(-1, 3)) if loose else mesh
        assert measured(given)["volume"] == pytest.approx(volume)


def test_each_of_many_thousand_bodies_is_turned_with_its_cavity() -> None:
    """4,096 cubes of side 0.5, each with a cavity of side 0.25, every second one turned: 4096 · (1/8 - 1/64) = 448 m³."""
    grid = np.stack(np.meshgrid(*[np.arange(16.0)] * 3), axis=-1).reshape(-1, 3)
    whole = together(box(0.5), box(0.25, inside_out=True))
    turned = together(box(0.5, inside_out=True), box(0.25))
    vertices = np.concatenate([whole[0] + place for place in grid])
    faces = np.concatenate([(turned if i % 2 else whole)[1] + i * len(whole[0]) for i in range(len(grid))])
    part = measured((vertices, faces), 1000)
    assert (part["volume"], part["mass"]) == (pytest.approx(448), pytest.approx(448_000))


def test_of_too_many_bodies_the_whole_is_turned_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_MOST_PAIRS", 0)
    mesh = together(box(1), box(2, (9, 0, 0), inside_out=True))
    assert measured(mesh)["volume"] == pytest.approx(7), "8 - 1: what was before bodies were looked at one by one"


def lathe(gap: float) -> Mesh:
    """Return a cylinder of radius 1 and height 2; the last of its 12 sides ends `gap` beside the first."""
    angles = np.linspace(0, 2 * math.pi, 13)
    angles[-1] += gap
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    below, above = (np.column_stack([ring, np.full(13, z)]) for z in (-1.0, 1.0))
    vertices = np.concatenate([below, above, [[0, 0, -1], [0, 0, 1]]])
    sides = range(12)
    faces = [(i, i + 1, i + 14) for i in sides] + [(i, i + 14, i + 13) for i in sides]
    faces += [(26, i + 1, i) for i in sides] + [(27, i + 13, i + 14) for i in sides]
    return vertices, np.array(faces)


def test_a_lathe_that_rounding_left_open_is_a_solid() -> None:
    """Its last side ends at sin(2π) = -2.4e-16; the volume is 12 · ½ · sin(30°) · 2 = 6 m³."""
    part = measured(lathe(0), 1000)
    assert (part["kind"], part["opening"]) == ("solid", None)
    assert (part["volume"], part["mass"]) == (pytest.approx(6), pytest.approx(6000))


def test_a_wider_seam_is_told_with_its_edges_and_its_width() -> None:
    """A seam of 0.3 mm: open are its two sides, with a bottom, an upright and a top edge each."""
    part = measured(lathe(0.0003), 1000)
    assert (part["kind"], part["volume"], part["mass"]) == ("surface", None, None)
    assert part["opening"] == {"edges": 6, "gap": pytest.approx(0.0003, rel=1e-3)}


def test_an_opening_that_somebody_wanted_has_no_width() -> None:
    """A cube without one triangle: three open edges."""
    vertices, faces = box(1)
    assert measured((vertices, faces[:-1]))["opening"] == {"edges": 3, "gap": None}


def test_a_vertex_that_no_triangle_has_changes_nothing() -> None:
    vertices, faces = box(2)
    far = np.concatenate([[[155_000.0, 463_000.0, 0]], vertices]), faces + 1
    assert measured(far) == measured((vertices, faces))


def test_a_flat_closed_mesh_is_a_surface() -> None:
    """Both sides of a triangle: closed, and without a volume."""
    part = measured((np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float), np.array([[0, 1, 2], [0, 2, 1]])))
    assert (part["kind"], part["volume"], part["opening"]) == ("surface", None, None)


@pytest.mark.parametrize("angle", [0.1, 0.7, 2.0])
def test_a_flat_closed_mesh_stays_a_surface_when_it_is_turned(angle: float) -> None:
    """Both sides of a square of 1 m², whose tetrahedra cancel up to rounding."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    turn = trimesh.transformations.rotation_matrix(angle, [1, 2, 3])[:3, :3]
    part = measured((corners @ turn.T + 7, np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])), 7850)
    assert (part["kind"], part["volume"], part["mass"]) == ("surface", None, None)


def test_a_mesh_that_is_folded_through_itself_has_no_mass() -> None:
    """A torus folded at its middle plane: each half turns the other's volume inside out, and their sum is 0."""
    torus = trimesh.creation.torus(2, 0.5)
    part = measured((np.abs(torus.vertices * [1, 0, 0]) + torus.vertices * [0, 1, 1], torus.faces), 7850)
    assert (part["kind"], part["volume"], part["mass"]) == ("surface", None, None)


def test_a_foil_is_a_solid() -> None:
    """1 µm over 100 x 100 m: 0.01 m³."""
    foil = trimesh.creation.box(extents=(100, 100, 1e-6))
    assert measured((foil.vertices, foil.faces))["volume"] == pytest.approx(0.01)


def test_what_overlaps_counts_twice() -> None:
    """Two cubes of 2 m as one mesh, one half inside the other: 8 + 8, not the 15 of their union."""
    assert measured(together(box(2), box(2, (1, 1, 1))))["volume"] == pytest.approx(16)


def test_far_bodies_are_turned_as_near_ones() -> None:
    """At 10^8 m a coordinate has steps of 1.5e-8 m: two cubes of 8 m³ to seven digits."""
    mesh = together(box(2, (1e8, 1e8, 0)), box(2, (1e8 + 9, 1e8, 0), inside_out=True))
    assert measured(mesh)["volume"] == pytest.approx(16, rel=1e-6)
