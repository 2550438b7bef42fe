"""Earlier designs in the Studio: stored evaluations opened again, and changes against another design. Needs Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visit
from browser.studio_page import ends_clean, metric, open_demo
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]


def test_changes_are_shown_against_the_first_or_the_pinned_design(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/", viewport={"width": 1280, "height": 800})
    page = visit.page
    open_demo(visit)
    change = page.locator("[data-metric=height] .change")
    expect(metric(page, "height")).to_have_text("172.8 m")
    expect(change).to_have_count(0)
    slider = page.get_by_role("slider", name="Storeys")
    slider.press("ArrowLeft")
    expect(change).to_have_text("-3.6 (-2.1 %)")
    expect(page.get_by_text("Changes are against the first design.")).to_be_visible()
    page.get_by_role("button", name="Pin this design").click()
    expect(change).to_have_count(0)
    expect(page.get_by_text("This is the design pinned last.")).to_be_visible()
    slider.press("ArrowRight")
    expect(change).to_have_text("+3.6 (+2.1 %)")
    page.get_by_role("button", name="Unpin").click()
    expect(change).to_have_count(0)
    ends_clean(visit)


def test_three_designs_are_pinned_and_compared_with_the_present_one(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/", viewport={"width": 1280, "height": 800})
    page = visit.page
    open_demo(visit)
    slider, pin = page.get_by_role("slider", name="Storeys"), page.get_by_role("button", name="Pin this design")
    for height in ("172.8 m", "169.2 m", "165.6 m"):
        expect(metric(page, "height")).to_have_text(height)
        pin.click()
        slider.press("ArrowLeft")
    expect(metric(page, "height")).to_have_text("162 m")
    expect(pin).to_have_count(0)
    expect(page.locator("[data-pin='2']")).to_contain_text("Storeys 47")
    page.get_by_role("button", name="Unpin Pinned 2").click()
    expect(page.locator("[data-pin]")).to_have_count(2)
    page.get_by_role("button", name="Compare", exact=True).click()
    table = page.get_by_role("dialog", name="Comparison")
    expect(table.get_by_role("columnheader")).to_have_text(["Pinned 1", "Pinned 2", "Now"])
    expect(table.locator("[data-compared]").first).to_have_attribute("data-compared", "storeys")
    expect(table.locator("[data-compared=height] .value")).to_contain_text(["172.8 m", "165.6 m -7.2", "162 m -10.8"])
    page.get_by_role("button", name="Close").click()
    expect(table).to_have_count(0)
    ends_clean(visit)


def test_a_stored_evaluation_is_opened_from_the_history(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/", viewport={"width": 1280, "height": 800})
    page = visit.page
    open_demo(visit)
    slider = page.get_by_role("slider", name="Storeys")
    for _ in range(2):
        slider.press("ArrowLeft")
    expect(metric(page, "height")).to_have_text("165.6 m")
    page.get_by_role("tab", name="History").click()
    rows = page.locator("[data-evaluation]")
    expect(rows).not_to_have_count(0)
    page.get_by_role("button", name="Keep this design").click()
    kept = rows.filter(has_text="shown")
    expect(kept).to_contain_text("Storeys 46")
    expect(kept).to_contain_text("✓ pass")
    evaluation = kept.get_attribute("data-evaluation")
    page.get_by_role("tab", name="Inputs").click()
    page.get_by_role("button", name="Reset").click()
    expect(metric(page, "height")).to_have_text("172.8 m")
    page.get_by_role("tab", name="History").click()
    page.locator(f"[data-evaluation='{evaluation}']").get_by_role("button").click()
    expect(metric(page, "height")).to_have_text("165.6 m")
    ends_clean(visit)
