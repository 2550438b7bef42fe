"""The Studio's pages by axe: no fault that is serious or critical, in both themes, wide and narrow. Needs Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from browser.conftest import Visit
from browser.studio_page import open_demo
from catenary_edge.studio import files

AXE = Path(__file__).resolve().parents[2] / "edge/catenary_edge/studio/node_modules/axe-core/axe.min.js"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (files.names() and AXE.exists()), reason="the Studio is not built: the npm registry could not be reached"
    ),
]
WEIGHTY = {"serious", "critical"}


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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
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


def test_axe_finds_a_button_without_a_name(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio")
    visit.page.get_by_role("button", name="Open the demo").wait_for()
    visit.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any(one.startswith("button-name") for one in faults(visit.page))
    visit.page.close()
