"""The Studio's pages by axe: no fault that is serious or critical, in both themes, wide and narrow. Needs Chromium."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visit
from browser.models_page import open_models, open_project
from browser.studio_page import metric, open_demo, sign_in
from catenary_edge.studio import files
from factories.installations.models import deployed

AXE = Path(__file__).resolve().parents[2] / "edge/catenary_edge/studio/node_modules/axe-core/axe.min.js"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (files.names() and AXE.exists()), reason="the Studio is not built: the npm registry could not be reached"
    ),
]
WEIGHTY = {"serious", "critical"}
TABLES = """
PARAMETERS = [
    {"name": "span", "type": "number", "min": 5, "max": 60, "default": 24, "unit": "m"},
    {"name": "loads", "type": "table", "columns": [{"name": "at", "type": "number", "unit": "m"}], "default": [{"at": 6}]},
]
METRICS = [{"name": "mass", "unit": "kg"}]

def evaluate(p):
    import trimesh
    beam = trimesh.creation.box(extents=(p["span"], 1, 1))
    return {"metrics": {"mass": 10 * p["span"]}, "geometry": {"beam": beam}, "tables": {"loads": p["loads"]}}
"""
NOTHING: dict[str, Any] = {"data": {"projects": []}, "metadata": {"next_cursor": None}}


def faults(page: Page) -> list[str]:
    """Return the weighty faults of what a page shows, by rule and element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # by the browser's tools, which the page's policy does not hold
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {node['html'][:150]}"
        for fault in found["violations"]
        if fault["impact"] in WEIGHTY
        for node in fault["nodes"]
    ]


in_each_theme = pytest.mark.parametrize("theme", ["light", "dark"])
in_each_width = pytest.mark.parametrize("width", [1280, 360])


@in_each_theme
@in_each_width
def test_no_page_of_the_studio_has_a_weighty_fault(
    browser: Browser, demo: dict[str, Any], theme: Any, width: int
) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": width, "height": 800}, color_scheme=theme)
    page = visit.page
    found: dict[str, list[str]] = {}
    page.get_by_role("button", name="Open the demo").wait_for()
    page.get_by_text("Sign in with a client").click()
    found["sign in"] = faults(page)
    open_demo(visit)
    found["design"] = faults(page)
    for tab in page.get_by_role("tab").all():
        tab.click()
        page.wait_for_timeout(300)
        found[tab.inner_text()] = faults(page)
    for window in ("Share", "Members"):
        page.get_by_role("button", name=window, exact=True).click()
        page.get_by_role("dialog").wait_for()
        found[window] = faults(page)
        page.get_by_role("button", name="Close").click()
    page.goto(f"{visit.base}/studio#")
    assert [f"{name}: {fault}" for name, faulty in found.items() for fault in faulty] == []
    page.close()


@in_each_theme
@in_each_width
def test_no_tool_window_or_error_of_the_studio_has_a_weighty_fault(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, theme: Any, width: int
) -> None:
    project = deployed(caller, f"Access {uuid.uuid4().hex[:6]}", TABLES)
    visit = open_project(browser, demo, project, viewport={"width": width, "height": 800}, color_scheme=theme)
    page = visit.page
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        found[name] = faults(page)

    page.locator("catenary-viewer[data-triangles]").wait_for()
    page.get_by_role("button", name="Loads: edit the table").click()
    page.get_by_role("dialog").wait_for()
    look("table")
    page.get_by_role("button", name="Cancel").click()
    for tool in ("View", "Section", "Measure", "Parts"):
        page.get_by_role("button", name=tool, exact=True).click()
        look(tool)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Pin this design").click()
    page.get_by_role("slider", name="Span").press("ArrowLeft")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("dialog", name="Comparison").wait_for()
    look("comparison")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Notifications").click()
    look("notifications")
    page.keyboard.press("Escape")
    open_models(page)
    page.get_by_role("button", name="Edit version 1").click()
    page.get_by_role("textbox", name="Source of the model").wait_for()
    look("editor")
    page.goto(f"{visit.base}/studio#")
    page.locator("catenary-projects .cards").wait_for()
    look("projects")
    page.goto(f"{visit.base}/studio#project=00000000-0000-7000-8000-000000000000")
    page.get_by_role("alert").first.wait_for()
    look("no such project")
    for path, shown in (
        ("/studio#invite=none", "h1"),
        ("/docs#platform/v1/Evaluate", ".opblock.is-open .execute"),
        ("/docs/guide/models", "h1"),
    ):
        page.goto("about:blank")
        page.goto(visit.base + path)
        page.locator(shown).first.wait_for()
        look(path)
    page.route("**/v1/projects?*", lambda route: route.fulfill(json=NOTHING))
    page.goto(f"{visit.base}/studio#")
    sign_in(page, demo["client_id"], demo["client_secret"])
    page.get_by_text("catenary model push").wait_for()
    look("first run")
    weighty = [f"{name}: {fault}" for name, faulty in found.items() for fault in faulty]
    assert weighty == [], "\n".join(weighty)
    page.close()


def test_at_twice_the_size_nothing_is_cut_off(browser: Browser, demo: dict[str, Any]) -> None:
    """A browser that shows 1280 x 800 at 200 % gives the page 640 x 400 (WCAG 1.4.4, 1.4.10)."""
    size = {"width": 640, "height": 400}
    visit = Visit(browser, demo, "/studio", viewport=size, device_scale_factor=2)
    page = visit.page
    open_demo(visit)
    wide: list[str] = []
    for tab in page.get_by_role("tab").all():
        tab.click()
        if page.evaluate("document.documentElement.scrollWidth") > size["width"]:
            wide.append(tab.inner_text())
    assert wide == []
    expect(page.locator("catenary-viewer")).to_be_in_viewport(ratio=0.2)
    for tab, part in (("Inputs", page.get_by_role("slider", name="Storeys")), ("Results", metric(page, "height"))):
        page.get_by_role("tab", name=tab).click()
        part.scroll_into_view_if_needed()
        expect(part).to_be_in_viewport(ratio=0.9)
    page.close()


def test_axe_finds_a_button_without_a_name(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio")
    visit.page.get_by_role("button", name="Open the demo").wait_for()
    visit.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any(one.startswith("button-name") for one in faults(visit.page))
    visit.page.close()
