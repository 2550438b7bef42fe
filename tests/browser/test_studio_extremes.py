"""Geometry at the ends of what a view can show: a grain, a country, and no numbers. Needs Chromium."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.models_page import open_project
from browser.studio_page import ends_clean, metric
from browser.view_page import DESK, pixel, rests, view
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sampled,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

MODEL = """
PARAMETERS = [
    {"name": "size", "type": "number", "min": 0.001, "max": 1000000, "default": 1, "unit": "m"},
    {"name": "broken", "type": "boolean", "default": False},
]
METRICS = [{"name": "width", "unit": "m"}]

def evaluate(p):
    h = p["size"] / 2
    corners = [[x, y, z] for x in (-h, h) for y in (-h, h) for z in (-h, h)]
    if p["broken"]:
        corners[0][0] = float("nan")
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    triangles = [[a, b, c] for a, b, c, _ in sides] + [[a, c, d] for a, _, c, d in sides]
    return {"metrics": {"width": p["size"]}, "geometry": {"cube": {"mesh": (corners, triangles), "color": "#c03020"}}}
"""


def _is_shown(page: Page) -> None:
    """Wait until the cube is in the middle of the picture, and nothing of it at the edge."""
    page.evaluate("document.activeElement?.blur()")
    rests(page)
    red, green, blue = pixel(page, (0, 0, 0))
    assert red > 1.5 * green > 1.2 * blue, (red, green, blue)


def test_a_grain_and_a_country_are_both_seen(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    project = deployed(caller, "Extremes", MODEL)
    visit = open_project(browser, demo, f"{project}&p.size=0.001", **DESK)
    page = visit.page
    page.locator("catenary-viewer[data-triangles='12']").wait_for()
    _is_shown(page)
    for size in ("1000000", "0.001", "1"):
        box = page.get_by_role("textbox", name="Size")
        box.fill(size)
        box.press("Enter")
        expect(metric(page, "width")).to_have_attribute("title", size)
        view(page).locator("canvas").press("f")
        _is_shown(page)
    ends_clean(visit)


def test_geometry_without_numbers_is_told_and_the_last_one_stays(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, "Extremes", MODEL)
    visit = open_project(browser, demo, project, **DESK)
    page = visit.page
    page.locator("catenary-viewer[data-triangles='12']").wait_for()
    page.get_by_role("switch", name="Broken").check()
    expect(page.get_by_text("is not finite").or_(page.get_by_text("are not finite")).first).to_be_visible()
    _is_shown(page)
    page.get_by_role("switch", name="Broken").uncheck()
    expect(page.get_by_text("not finite")).to_have_count(0)
    _is_shown(page)
    ends_clean(visit)
