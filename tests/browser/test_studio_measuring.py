"""Dimensions of parts with very many triangles in the Studio's 3D view. Needs Chromium and the built bundle."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.models_page import open_project
from browser.studio_page import ends_clean
from browser.view_page import choose_view, rests, spot, view
from catenary_edge.studio import files
from factories.installations.installation import client_of
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]
BOX = """
import trimesh

PARAMETERS = [{"name": "width", "type": "number", "default": 4, "min": 1, "max": 9, "unit": "m"}]


def evaluate(p):
    box = trimesh.creation.box((p["width"], 2, 3))
    for _ in range(6):
        box = box.subdivide()
    return {"geometry": {"box": box}}
"""
"""A box of 49,152 triangles around the origin."""
ROUGH = """
import numpy as np
import trimesh

PARAMETERS = []


def evaluate(p):
    ball = trimesh.creation.icosphere(subdivisions=7)
    ball.vertices *= np.random.default_rng(1).uniform(0.8, 1, (len(ball.vertices), 1))
    return {"geometry": {"rock": ball}}
"""
"""A surface of 327,680 triangles, nearly all of whose edges are creases."""


def _project(demo: dict[str, Any], source: str) -> str:
    with client_of(demo) as caller:
        return deployed(caller, f"Measured {uuid.uuid4().hex[:6]}", source)


def test_ends_of_edges_of_a_large_part_are_measured(browser: Browser, demo: dict[str, Any]) -> None:
    visit = open_project(browser, demo, _project(demo, BOX))
    page = visit.page
    page.locator("catenary-viewer[data-triangles='49152']").wait_for()
    choose_view(page, "Front")
    view(page).locator("canvas").press("-")  # the corners are beside the view cube then
    rests(page)
    page.get_by_role("button", name="Measure", exact=True).click()
    strip = page.get_by_role("region", name="Dimensions")
    expect(strip.get_by_role("status")).to_have_text("Click the first place.")
    ring = view(page).locator(".snap")
    x, y = spot(page, (-2, -1, 1.5))
    page.mouse.move(x + 5, y + 5)
    expect(ring).to_be_visible()
    page.mouse.click(x + 5, y + 5)
    x, y = spot(page, (2, -1, 1.5))
    page.mouse.click(x - 5, y + 5)
    row = strip.get_by_role("listitem")
    expect(row.first).to_contain_text("4 m")
    expect(row.first).to_contain_text("ΔZ 0 m")

    x, y = spot(page, (0.5, -1, 1.5))
    page.mouse.move(x, y + 4)
    page.wait_for_timeout(500)
    expect(ring).to_be_hidden()  # a place where the mesh is cut is no end

    entry = page.get_by_label("Width", exact=True).first
    entry.fill("5")
    entry.press("Enter")
    expect(row.first).to_contain_text("of an earlier design")
    rests(page)
    expect(strip.get_by_role("status")).to_have_text("Click the first place.")
    x, y = spot(page, (2.5, -1, -1.5))
    page.mouse.move(x - 5, y - 5)
    expect(ring).to_be_visible()
    ends_clean(visit)


def test_a_part_with_too_many_edges_says_so_and_is_measured(browser: Browser, demo: dict[str, Any]) -> None:
    visit = open_project(browser, demo, _project(demo, ROUGH))
    page = visit.page
    page.locator("catenary-viewer[data-triangles='327680']").wait_for()
    rests(page)
    page.get_by_role("button", name="Measure", exact=True).click()
    strip = page.get_by_role("region", name="Dimensions")
    expect(strip.get_by_role("status")).to_contain_text("too many edges")
    strip.get_by_role("button", name="Middle of the view").click()
    expect(strip.get_by_role("status")).to_contain_text("second place")
    ends_clean(visit)
