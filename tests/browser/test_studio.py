"""The Studio in a real browser: a newcomer's path from sign-in to a download. Needs Chromium and the built bundle."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import MILLISECONDS, Visit
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture(autouse=True)
def _patience() -> None:
    expect.set_options(timeout=MILLISECONDS)


def _sign_in(page: Page, client_id: str, secret: str) -> None:
    page.get_by_label("Client id").fill(client_id)
    page.get_by_label("Client secret").fill(secret)
    page.get_by_role("button", name="Sign in").click()


def _open(visit: Visit, demo: dict[str, Any]) -> None:
    _sign_in(visit.page, demo["client_id"], demo["client_secret"])
    visit.page.get_by_role("link", name="Demo").click()
    visit.page.locator("catenary-viewer[data-triangles]").wait_for()


def _metric(page: Page, name: str) -> Any:
    return page.locator(f"[data-metric={name}] .value")


def _ends_clean(visit: Visit, *expected: str) -> None:
    """Leave out what a driver says of the speed of screenshots, and the expected complaints."""
    known = ("GPU stall due to ReadPixels", *expected)
    visit.complaints = [text for text in visit.complaints if not any(one in text for one in known)]
    visit.ends_clean()


@pytest.mark.gate
def test_a_newcomer_moves_a_slider_undoes_and_downloads(browser: Browser, demo: dict[str, Any], tmp_path: Path) -> None:
    visit = Visit(browser, demo, "/", viewport={"width": 1280, "height": 800})
    page = visit.page
    _open(visit, demo)
    viewer = page.locator("catenary-viewer")
    expect(_metric(page, "height")).to_have_text("172.8 m")
    triangles = viewer.get_attribute("data-triangles")
    assert triangles
    before = viewer.screenshot()

    slider = page.get_by_role("slider", name="Storeys")
    slider.focus()
    for _ in range(4):
        slider.press("ArrowLeft")
    expect(_metric(page, "height")).to_have_text("158.4 m")
    expect(viewer).not_to_have_attribute("data-triangles", triangles)
    assert viewer.screenshot() != before, "the view shows another tower"
    assert "p.storeys=44" in page.url

    for _ in range(4):
        page.get_by_role("button", name="Undo").click()
    expect(_metric(page, "height")).to_have_text("172.8 m")
    expect(viewer).to_have_attribute("data-triangles", triangles)
    assert "p.storeys" not in page.url

    with page.expect_download() as download:
        page.get_by_role("button", name="Download tower.glb").click()
    assert download.value.suggested_filename == "tower.glb"
    download.value.save_as(tmp_path / "tower.glb")
    content = (tmp_path / "tower.glb").read_bytes()
    assert struct.unpack("<4sII", content[:12]) == (b"glTF", 2, len(content))
    assert json.loads(content[20 : 20 + struct.unpack("<I", content[12:16])[0]])["asset"]["generator"] == "Catenary"
    _ends_clean(visit)


@pytest.mark.gate
def test_a_refusal_stands_at_its_input_and_the_last_design_stays(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(
        browser, demo, f"/studio#project={demo['project_id']}&p.storeys=50", viewport={"width": 1280, "height": 800}
    )
    page = visit.page
    _sign_in(page, demo["client_id"], "wrong")
    expect(page.get_by_role("alert")).to_contain_text("The client's id or secret is wrong")
    _sign_in(page, demo["client_id"], demo["client_secret"])
    expect(_metric(page, "height")).to_have_text("180 m")

    entry = page.get_by_label("Width", exact=True).first
    entry.fill("15,2")
    entry.press("Enter")
    message = page.locator("#input-width-message")
    expect(message).to_contain_text("give 15.0 or 15.5")
    expect(_metric(page, "height")).to_have_text("180 m")
    entry.fill("wide")
    entry.press("Enter")
    expect(message).to_contain_text("Must be a number")
    entry.fill("60 ft")
    entry.press("Enter")
    expect(entry).to_have_value("18.5")
    expect(message).to_have_count(0)
    _ends_clean(visit, "status of 400", "status of 401")


def test_the_workspace_fits_a_phone(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", **PHONE)
    _open(visit, demo)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    _ends_clean(visit)
