"""Pictures of geometry: what is in front, what is marked, and what no picture can show."""

from __future__ import annotations

import io
import struct
import zlib

import manifold3d
import numpy as np
import numpy.typing as npt
import pytest
import trimesh

from catenary_core.services.evaluations import glb_conversion
from catenary_core.services.evaluations.drawing import picture, png
from catenary_core.services.evaluations.drawing.picture import HEIGHT, WIDTH, DrawnPart
from catenary_core.services.evaluations.drawing.raster import NOTHING, Canvas, Floats
from factories.services import geometry

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
SQUARE = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)


def pixels(file: bytes) -> npt.NDArray[np.uint8]:
    """Read a PNG as `png.encode` writes it."""
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    found, place = {}, 8
    while place < len(file):
        size, kind = struct.unpack_from(">I4s", file, place)
        content = file[place + 8 : place + 8 + size]
        assert struct.unpack_from(">I", file, place + 8 + size)[0] == zlib.crc32(kind + content)
        found[kind], place = content, place + 12 + size
    width, height = struct.unpack_from(">II", found[b"IHDR"])
    rows = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(height, -1)
    return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, 4)


def level(height: float, color: tuple[float, ...] = RED, half: float = 1.0) -> DrawnPart:
    """Return a square that lies flat at a height."""
    corners = [[-half, -half, height], [half, -half, height], [half, half, height], [-half, half, height]]
    return DrawnPart(np.array(corners), SQUARE, color)


def middle(parts: list[DrawnPart]) -> list[int]:
    """Return red, green, blue and alpha at the middle of a picture."""
    return [int(one) for one in pixels(picture.draw(parts))[HEIGHT // 2, WIDTH // 2]]


def seen(*triangles: list[list[float]], width: int = 8, height: int = 6) -> Canvas:
    canvas = Canvas.empty(width, height)
    canvas.draw_triangles(np.array(triangles, np.float64), 0)
    return canvas


def test_what_is_nearer_hides_what_is_behind_it_in_either_order() -> None:
    low, high = level(0.0, RED, half=1.0), level(0.1, BLUE, half=1.0)
    for order in ([low, high], [high, low]):
        red, _, blue, alpha = middle(order)
        assert (red < 20, blue > 100, alpha) == (True, True, 255)


def test_a_part_behind_a_transparent_one_shows_through() -> None:
    glass = level(0.1, (0.0, 0.0, 1.0, 0.5))
    red, _, blue, alpha = middle([level(0.0, RED), glass])
    assert (red > 60, blue > 60, alpha) == (True, True, 255)
    assert middle([glass])[3] == pytest.approx(128, abs=1)
    assert middle([level(0.2, RED), glass])[2] < 20, "glass behind a wall is not seen"


def test_the_design_fills_the_frame_and_leaves_a_margin() -> None:
    for part in (level(0, half=1e-6), level(1e7, half=1e6)):
        shown = pixels(picture.draw([part]))[..., 3] > 0
        columns = np.flatnonzero(shown.any(axis=0))
        assert (columns[0], columns[-1]) == (pytest.approx(12, abs=1), pytest.approx(WIDTH - 13, abs=1))
        assert 0.2 < shown.mean() < 0.6


def test_up_is_up_and_the_right_of_the_front_is_right() -> None:
    """A red box at the front right and a blue one above and behind it."""
    front = trimesh.creation.box(extents=(1, 1, 1)).apply_translation((2, -2, 0))
    above = trimesh.creation.box(extents=(1, 1, 1)).apply_translation((-2, 2, 4))
    parts = [
        DrawnPart(np.asarray(one.vertices), np.asarray(one.faces, np.uint32), color)
        for one, color in ((front, RED), (above, BLUE))
    ]
    image = pixels(picture.draw(parts)).astype(int)
    red, blue = (np.argwhere(image[..., one] - image[..., other] > 60) for one, other in ((0, 2), (2, 0)))
    assert red[:, 0].min() > blue[:, 0].max(), "the blue one is higher"
    assert red[:, 1].mean() > blue[:, 1].mean(), "the red one is on the right"


def test_edges_are_dark_and_flat_faces_of_two_triangles_have_none() -> None:
    """Between the two triangles of a square there is no line; along the edges of a box there is one."""
    image = pixels(picture.draw([level(0)])).astype(int)
    inside = image[HEIGHT // 2 - 20 : HEIGHT // 2 + 20, WIDTH // 2 - 20 : WIDTH // 2 + 20]
    assert np.ptp(inside[..., 0]) <= 2
    box = trimesh.creation.box(extents=(1, 1, 1))
    drawn = pixels(picture.draw([DrawnPart(np.asarray(box.vertices), np.asarray(box.faces, np.uint32), RED)]))
    row = drawn[HEIGHT // 2, :, 0].astype(int)[drawn[HEIGHT // 2, :, 3] == 255]
    inner = row[20:-20]
    assert inner.min() < 0.8 * np.median(inner), "the edge between the two faces in front"


def test_a_triangle_covers_the_centres_inside_it_and_neighbours_leave_no_gap() -> None:
    both = seen([[0, 0, 0.5], [8, 0, 0.5], [0, 6, 0.5]], [[8, 0, 0.5], [8, 6, 0.5], [0, 6, 0.5]])
    assert NOTHING not in both.ids
    assert np.bincount(both.ids.ravel()).sum() == 48
    assert both.depths == pytest.approx(np.full((6, 8), 0.5), abs=1e-6)


def test_depth_runs_over_a_slanted_triangle() -> None:
    """Depth is x / 8: at the centre of column 3 it is 3.5 / 8."""
    depths = seen([[0, 0, 0], [8, 0, 1], [0, 12, 0]]).depths
    assert depths[0, 3] == pytest.approx(3.5 / 8)
    assert depths[4, 1] == pytest.approx(1.5 / 8)


def test_a_triangle_without_the_centre_of_a_pixel_is_still_seen() -> None:
    ids = seen([[3.1, 2.1, 0], [3.3, 2.1, 0], [3.2, 2.3, 0]]).ids
    assert [tuple(place) for place in np.argwhere(ids == 0)] == [(2, 3)]


def test_what_is_outside_of_the_canvas_is_left_out() -> None:
    ids = seen([[-100, -100, 0], [-90, -100, 0], [-90, -90, 0]], [[-50, 2, 0.2], [60, 2, 0.2], [5, 60, 0.2]]).ids
    assert set(np.unique(ids)) == {NOTHING, 1}


def test_lines_are_drawn_over_the_surface_they_lie_on() -> None:
    line = DrawnPart(np.array([[-1.0, 0, 0], [1.0, 0, 0]]), np.array([[0, 1]], np.uint32), BLUE)
    image = pixels(picture.draw([level(0), line])).astype(int)
    assert np.count_nonzero(image[..., 2] > image[..., 0]) > 100


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((4, 3)),
        np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]], np.float64),
        np.array([[0, 0, 0], [1e-300, 0, 0], [0, 1e-300, 0], [0, 0, 1e-300]]),
        np.array([[-1e300, 0, 0], [1e300, 0, 0], [0, 1e300, 0], [0, 0, 1e300]]),
    ],
    ids=["a point", "a needle", "tiny", "huge"],
)
def test_degenerate_triangles_give_a_picture(points: Floats) -> None:
    assert pixels(picture.draw([DrawnPart(points, SQUARE, RED)])).shape == (HEIGHT, WIDTH, 4)


def test_triangles_far_too_many_over_each_other_are_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    draw = Canvas.draw_triangles

    def noted(self: Canvas, corners: Floats, first: int) -> None:
        drawn.append(len(corners))
        draw(self, corners, first)

    monkeypatch.setattr(Canvas, "draw_triangles", noted)
    monkeypatch.setattr(picture, "_MOST_FRAGMENTS", picture._MOST_FRAGMENTS // 10)  # which takes a tenth of the time
    one = level(0)
    many = DrawnPart(one.points, np.repeat(SQUARE, 40, axis=0), RED)
    assert middle([many])[3] == 255
    assert 10 < drawn[0] <= 40, "80 triangles of half the square each"


def test_a_png_gives_back_its_pixels() -> None:
    image = np.random.default_rng(1).integers(0, 256, (5, 7, 4), dtype=np.uint8)
    assert np.array_equal(pixels(png.encode(image)), image)


def test_a_glb_is_drawn_with_its_colours_and_lines() -> None:
    given = {
        "parts": {
            "box": {"mesh": trimesh.creation.box(extents=(2, 2, 2)), "color": "#ff0000"},
            "ball": {"mesh": manifold3d.Manifold.sphere(1, 32).translate((0, 0, 3)), "color": "#0000ff"},
        }
    }
    out = io.BytesIO()
    assert glb_conversion.write(geometry.written({"s": given})[0].data, "png", out)
    image = pixels(out.getvalue()).astype(int)
    red, blue = (np.argwhere(image[..., one] - image[..., other] > 60)[:, 0] for one, other in ((0, 2), (2, 0)))
    assert blue.mean() < red.mean()
    (lines,) = geometry.written({"s": [[0, 0, 0], [1, 0, 0]]})
    assert glb_conversion.write(lines.data, "png", io.BytesIO()), "lines alone make a picture too"
