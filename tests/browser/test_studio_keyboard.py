"""The Studio by keys alone, what its results say of limits, and what is saved and kept. Needs Chromium and the built bundle."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visit
from browser.models_page import open_project
from browser.studio_page import ends_clean, metric
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

BOX = """
import trimesh

PARAMETERS = [{"name": "span", "type": "number", "min": 1, "max": 9, "step": 1, "default": 3, "unit": "m"}]
METRICS = [{"name": "sag", "unit": "mm"}]
CONSTRAINTS = [{"name": "stiff", "metric": "sag", "op": "<=", "value": "span / 300"}]


def evaluate(p):
    return {
        "metrics": {"sag": p["span"] ** 2},
        "geometry": {"box": trimesh.creation.box((p["span"], 1, 1))},
        "tables": {"ends": [{"at": 0}, {"at": p["span"]}]},
    }
"""
FOCUSED = """() => {
    let found = document.activeElement;
    while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
    const style = getComputedStyle(found);
    return { name: found.getAttribute("aria-label") ?? found.innerText ?? "", kind: found.tagName.toLowerCase(),
             role: found.getAttribute("role") ?? found.type ?? "", ring: style.outlineStyle !== "none" };
}"""
"""The element with the focus, and whether a ring shows it."""
SHOWN = "() => ({ local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie })"


def _tab_to(page: Page, kind: str, name: str, *, most: int = 80) -> None:
    """Press Tab until an element has the focus; each on the way shows that it has it."""
    seen = []
    for _ in range(most):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        seen.append(focused)
        assert focused["ring"] or focused["kind"] == "body", focused
        if focused["kind"] == kind and name in focused["name"]:
            return
    raise AssertionError(f"no {kind} {name} among {seen}")


def test_the_demo_is_changed_kept_and_undone_by_keys_alone(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page
    page.get_by_role("button", name="Open the demo").wait_for()
    _tab_to(page, "button", "Open the demo")
    page.keyboard.press("Enter")
    page.locator("catenary-viewer[data-triangles]").wait_for()
    height = metric(page, "height").inner_text()
    page.get_by_role("slider").first.wait_for()
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED)["role"] == "range":
            break
    page.keyboard.press("ArrowLeft")
    expect(metric(page, "height")).not_to_have_text(height)
    _tab_to(page, "button", "Keep this design")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="✓ Kept")).to_be_disabled()
    page.keyboard.press("Control+z")
    expect(metric(page, "height")).to_have_text(height)
    ends_clean(visit)


def test_a_limit_is_shown_as_a_number_passed_and_broken(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, deployed(caller, "Limits", BOX))
    stiff = visit.page.locator("[data-constraint=stiff]")
    expect(stiff.locator(".rule")).to_contain_text("Sag ≤ 10 mm")
    expect(stiff.locator(".value")).to_have_text("9 mm")
    expect(stiff.locator(".verdict")).to_have_text("✓ pass")
    slider = visit.page.get_by_role("slider", name="Span")
    slider.focus()
    slider.press("ArrowRight")
    expect(stiff.locator(".rule")).to_contain_text("Sag ≤ 13.333 mm")
    expect(stiff.locator(".verdict")).to_have_text("✕ fail")
    ends_clean(visit)


def test_a_design_is_saved_as_3mf_and_its_table_copied(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, tmp_path: Path
) -> None:
    visit = open_project(
        browser, demo, deployed(caller, "Saved", BOX), permissions=["clipboard-read", "clipboard-write"]
    )
    page = visit.page
    with page.expect_download() as download:
        page.get_by_role("button", name="Download box.3mf").click()
    download.value.save_as(tmp_path / "box.3mf")
    with zipfile.ZipFile(tmp_path / "box.3mf") as content:
        assert b"<triangle " in content.read("3D/3dmodel.model")
    page.locator("[data-table=ends]").get_by_role("button", name="Copy").click()
    assert page.evaluate("() => navigator.clipboard.readText()").split("\n")[:3] == ["at", "0", "3"]
    ends_clean(visit)


def test_no_secret_and_no_token_is_stored_in_the_browser(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, deployed(caller, "Secrets", BOX))
    visit.page.locator("[data-constraint=stiff]").wait_for()
    stored = json.dumps(visit.page.evaluate(SHOWN))
    assert demo["client_secret"] not in stored
    assert "eyJ" not in stored, "the beginning of each token"
    assert demo["client_secret"] not in visit.page.url
    visit.page.reload()
    visit.page.get_by_role("button", name="Open the demo").wait_for()
    ends_clean(visit)
