"""The cube of the Studio's 3D view: it turns with the camera, and turns it. Needs Chromium and the built bundle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.studio_page import ends_clean
from browser.view_page import DESK, PHONE, choose_view, prism, rests, spot, view
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]


def _cube(page: Page) -> Locator:
    return page.get_by_role("group", name="View cube")


def _side(page: Page, name: str) -> Locator:
    return _cube(page).get_by_role("button", name=name, exact=True)


def _look(page: Page) -> tuple[tuple[float, ...], float]:
    """Return the direction from what is looked at to the camera, and their distance."""
    rests(page)
    camera = page.evaluate("document.querySelector('catenary-viewer').stage.cameras.look()")
    away = [one - other for one, other in zip(camera["position"], camera["target"], strict=True)]
    distance = math.hypot(*away)
    return tuple(one / distance for one in away), distance


def _is_seen_from(page: Page, sides: Sequence[float]) -> None:
    length = math.hypot(*sides)
    found, _ = _look(page)
    assert found == pytest.approx([one / length for one in sides], abs=1e-3)


def _drag(page: Page, by: tuple[float, float]) -> None:
    """Drag the cube from its middle."""
    box = _cube(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0] / 2, y + by[1] / 2)
    page.mouse.move(x + by[0], y + by[1])
    page.mouse.up()


def test_the_cube_turns_the_camera_by_clicks_and_drags(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    _side(page, "Front").click()
    _is_seen_from(page, (0, -1, 0))
    left, right = spot(page, (-10, 0, 0)), spot(page, (10, 0, 28.8))
    assert left[0] < right[0], "X goes to the right"
    assert left[1] > right[1], "Z goes up"
    _side(page, "Front right").click()
    _is_seen_from(page, (1, -1, 0))
    _side(page, "Top front right").click()
    _is_seen_from(page, (1, -1, 1))
    _side(page, "Top").hover()
    expect(page.locator("catenary-view-cube .told")).to_have_text("Top")
    _drag(page, (-40, 0))
    (east, north, up), _ = _look(page)
    assert (east > 0, north > 0) == (True, True), "what was at the right comes to the front"
    assert up == pytest.approx(1 / math.sqrt(3), abs=1e-3)
    _drag(page, (0, 200))
    _is_seen_from(page, (0, 0, 1))
    _drag(page, (1, 1))
    _is_seen_from(page, (0, 0, 1))
    ends_clean(visit)


def test_a_click_on_the_cube_keeps_what_is_looked_at(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    for projection in ("Perspective", "Orthographic"):
        choose_view(page, projection)
        view(page).locator("canvas").press("+")
        _, before = _look(page)
        _side(page, "Right").click()
        _is_seen_from(page, (1, 0, 0))
        assert _look(page)[1] == pytest.approx(before, rel=1e-3)
        page.get_by_role("button", name="Home view").click()
        direction, distance = _look(page)
        assert direction[1] < 0 < direction[2]
        if projection == "Perspective":
            assert distance > before * 1.1, "home shows all"
    ends_clean(visit)


def test_the_cube_works_by_keys(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    view(page).locator("canvas").press("1")
    _is_seen_from(page, (0, -1, 0))
    stops = _cube(page).locator("[tabindex='0']")
    expect(stops).to_have_count(1)
    expect(stops).to_have_attribute("aria-label", "Front")
    stops.focus()
    for key, name in {"ArrowRight": "Front right", "ArrowUp": "Top front right"}.items():
        page.keyboard.press(key)
        expect(_side(page, name)).to_be_focused()
        expect(page.locator("catenary-view-cube .told")).to_have_text(name)
    page.keyboard.press("Enter")
    _is_seen_from(page, (1, -1, 1))
    page.keyboard.press("5")
    _is_seen_from(page, (0, 0, 1))
    page.keyboard.press("Home")
    (east, north, up), _ = _look(page)
    assert min(east, -north, up) > 0.2
    ends_clean(visit)


def test_the_camera_glides_unless_the_system_asks_for_calm(browser: Browser, demo: dict[str, Any]) -> None:
    steps = {}
    for motion in ("no-preference", "reduce"):
        visit = prism(browser, demo, **{**DESK, "reduced_motion": motion})
        page = visit.page
        _side(page, "Top").wait_for()
        page.evaluate(
            """() => {
              window.turns = new Set();
              const cube = document.querySelector("catenary-view-cube"), place = cube.place;
              cube.place = (axes, isResting) => (window.turns.add(axes[0][0].toFixed(4)), place.call(cube, axes, isResting));
            }"""
        )
        _side(page, "Top").click()
        rests(page)
        steps[motion] = page.evaluate("window.turns.size")
        ends_clean(visit)
    assert steps["no-preference"] > 2
    assert steps["reduce"] <= 2


def test_the_cube_can_be_clicked_after_pictures_that_come_late(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo, **{**DESK, "reduced_motion": "reduce"})
    page = visit.page
    choose_view(page, "Top")
    rests(page)
    expect(_side(page, "Right")).to_be_hidden()
    # A picture after the rest that it should come before, as on a machine that is busy.
    page.evaluate("() => { window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 1000); }")
    choose_view(page, "Right")
    _side(page, "Right").click()
    _is_seen_from(page, [1, 0, 0])
    ends_clean(visit)


def test_the_cube_leaves_room_on_a_phone(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo, **PHONE)
    page = visit.page
    box, cube = view(page).bounding_box(), _cube(page).bounding_box()
    assert box is not None
    assert cube is not None
    assert cube["width"] * cube["height"] < box["width"] * box["height"] / 8
    page.mouse.move(cube["x"] + 2, cube["y"] + cube["height"] - 2)
    under = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).localName", [cube["x"] + 2, cube["y"] + cube["height"] - 2]
    )
    assert under == "canvas", "beside the cube the view is dragged"
    assert cube["x"] + cube["width"] <= PHONE["viewport"]["width"]
    _side(page, "Front").click()
    _is_seen_from(page, (0, -1, 0))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    ends_clean(visit)
