"""Models in the Studio that take long, and that fail at one value. Needs Chromium and the built bundle."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visit
from browser.models_page import DESK, new_project, open_project, upload
from browser.studio_page import ends_clean, metric, sign_in
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]
SOURCE = """
import time

import catenary

PARAMETERS = [
    {"name": "span", "type": "number", "min": 5, "max": 60, "step": 1, "default": 24, "unit": "m"},
    {"name": "pause", "type": "number", "default": 0},
    {"name": "late", "type": "number", "default": 0},
]
METRICS = [{"name": "mass", "unit": "kg"}]


class Late(list):
    # Takes its time when its geometry is computed.
    def __len__(self):
        time.sleep(self.seconds)
        return list.__len__(self)


def evaluate(p):
    if p["span"] == 30:
        raise ValueError("thirty is not allowed")
    for part in range(int(p["pause"])):
        catenary.progress(part / p["pause"], "Meshing the deck")
        time.sleep(1)
    s = p["span"]
    corners = Late([[0, 0, 0], [s, 0, 0], [0, s, 0]])
    corners.seconds = p["late"] / 2 if p["late"] else 0
    return {"metrics": {"mass": 10 * s}, "geometry": {"plate": (corners, [[0, 1, 2]])}}
"""


def _deployed(caller: httpx.Client) -> str:
    project = new_project(caller)
    caller.post(f"projects/{project}/models", json={"name": "bridge"}).raise_for_status()
    assert upload(caller, project, SOURCE, deploys=True)["status"] == "ready"
    return project


def test_what_is_under_way_is_told_and_can_be_cancelled(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = _deployed(caller)
    visit = open_project(browser, demo, f"{project}&p.late=6")
    page = visit.page
    expect(metric(page, "mass")).to_contain_text("240")
    expect(page.locator("catenary-viewer .empty")).to_have_text("Computing the design…")
    page.locator("catenary-viewer[data-triangles]").wait_for()
    expect(page.locator("catenary-viewer .empty")).to_have_count(0)

    page.goto("about:blank")
    visit = open_project(browser, demo, f"{project}&p.pause=90")
    page = visit.page
    progress = page.locator(".notice.computing")
    expect(progress).to_contain_text("Meshing the deck")
    progress.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_contain_text("The evaluation was cancelled.")
    ends_clean(visit)


def test_who_becomes_a_viewer_of_a_slow_model_is_told(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    """The live session of a design that takes long is over, so that its end tells no role."""
    project = _deployed(caller)
    robot = caller.post("clients", json={"name": "Patient"}).json()["data"]
    member = f"projects/{project}/members/{robot['client']['user_id']}"
    assert caller.put(member, json={"role": "evaluator"}).status_code < 300
    visit = Visit(browser, demo, f"/studio#project={project}&p.pause=2", **DESK)
    page = visit.page
    sign_in(page, robot["client"]["client_id"], robot["client_secret"])
    expect(page.get_by_text("Computed on release")).to_be_visible()
    expect(metric(page, "mass")).to_contain_text("240")
    assert caller.put(member, json={"role": "viewer"}).status_code == 200
    expect(page.get_by_text("You may look at this project")).to_be_visible()
    expect(page.get_by_role("slider", name="Span")).to_be_disabled()
    ends_clean(visit)


def test_a_value_at_which_the_model_fails_is_told_at_its_input(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, f"{_deployed(caller)}&p.span=29")
    page = visit.page
    expect(metric(page, "mass")).to_contain_text("290")
    page.locator("catenary-viewer[data-triangles]").wait_for()
    span = page.get_by_role("slider", name="Span")
    span.press("ArrowRight")
    expect(page.locator("catenary-input", has=span)).to_contain_text("thirty is not allowed")
    expect(metric(page, "mass")).to_contain_text("290")
    assert page.locator("catenary-viewer").get_attribute("data-triangles") == "1", "the last good design stays"
    span.press("ArrowRight")
    expect(metric(page, "mass")).to_contain_text("310")
    expect(page.locator("catenary-input", has=span)).not_to_contain_text("not allowed")
    ends_clean(visit)


def test_what_is_typed_stays_while_an_earlier_value_is_computed(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, _deployed(caller))
    page = visit.page
    page.locator("catenary-viewer[data-triangles]").wait_for()
    pause, span = page.get_by_role("textbox", name="Pause"), page.get_by_role("textbox", name="Span")
    pause.fill("1")
    pause.press("Enter")
    span.fill("110 ft")
    span.press("Enter")
    span.fill("40")
    expect(metric(page, "mass")).to_contain_text("340")  # 110 ft on the step of a metre
    expect(span).to_have_value("40")
    span.press("Enter")
    expect(metric(page, "mass")).to_contain_text("400")
    ends_clean(visit)
