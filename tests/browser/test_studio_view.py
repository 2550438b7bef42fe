"""The tools of the Studio's 3D view: cameras, parts, sections and dimensions. Needs Chromium and the built bundle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.studio_page import ends_clean, metric
from browser.view_page import PHONE, choose_view, pixel, prism, rests, spot, view
from catenary_edge.studio import files
from factories.installations.installation import ANSWER_SECONDS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

ENVELOPE = (127, 178, 209)
"""The colour of its envelope."""
NEAR = 4
"""How far a channel of a pixel may be off, by the rounding of the graphics."""


def _picture(page: Page) -> bytes:
    page.mouse.move(1, 1)  # nothing of the toolbar is lit
    page.evaluate("document.activeElement?.blur()")
    rests(page)
    return view(page).screenshot()


def _darker(color: tuple[int, ...], share: float) -> tuple[int, ...]:
    """Return a colour with a share of its light."""

    def channel(value: int) -> int:
        linear = math.pow((value / 255 + 0.055) / 1.055, 2.4) * share
        return round((1.055 * math.pow(linear, 1 / 2.4) - 0.055) * 255)

    return tuple(channel(value) for value in color)


def _is_near(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return all(abs(one - other) <= NEAR for one, other in zip(found, wanted, strict=True))


def _click(page: Page, place: Sequence[float]) -> None:
    page.mouse.click(*spot(page, place))


def test_named_views_and_projections_change_the_picture(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    pictures = [_picture(page)]
    choose_view(page, "Front")
    pictures.append(_picture(page))
    left, right = spot(page, (-10, 0, 0)), spot(page, (10, 0, 28.8))
    assert left[0] < right[0], "X goes to the right"
    assert left[1] > right[1], "Z goes up"
    canvas = view(page).locator("canvas")
    canvas.focus()
    canvas.press("5")
    pictures.append(_picture(page))
    assert spot(page, (0, 10, 28.8))[1] < spot(page, (0, -10, 28.8))[1], "from the top Y goes up"
    canvas.press("7")
    pictures.append(_picture(page))
    before = spot(page, (0, 0, 0)), spot(page, (0, 0, 28.8))
    choose_view(page, "Orthographic")
    pictures.append(_picture(page))
    after = spot(page, (0, 0, 0)), spot(page, (0, 0, 28.8))
    sizes = [low[1] - high[1] for low, high in (before, after)]
    assert sizes[1] == pytest.approx(sizes[0], rel=0.05), "what is looked at keeps its size"
    canvas.focus()
    for key in ("ArrowLeft", "Shift+ArrowUp", "+"):
        canvas.press(key)
        pictures.append(_picture(page))
    canvas.press("f")
    pictures.append(_picture(page))
    page.mouse.dblclick(*spot(page, (0, -10, 20)))
    assert len(set(pictures)) == len(pictures)
    ends_clean(visit)


def test_parts_are_hidden_isolated_and_coloured(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    face = pixel(page, (5, -5, 14))
    tools = page.locator("catenary-view-tools")
    tools.get_by_role("button", name="Parts").click()
    parts = page.get_by_role("region", name="Parts")
    expect(parts.get_by_role("checkbox")).to_have_count(5)
    listed = _picture(page)
    parts.get_by_role("checkbox", name="Show Envelope").uncheck()
    expect(parts.get_by_role("checkbox", name="Envelope", exact=True)).not_to_be_checked()
    expect(tools.locator(".count")).to_have_text("1")
    assert _picture(page) != listed
    parts.get_by_role("button", name="Only Core").click()
    expect(tools.locator(".count")).to_have_text("2")
    alone = _picture(page)
    parts.get_by_role("button", name="Zoom to Core").click()
    assert _picture(page) != alone
    parts.get_by_label("Colour of Core").fill("#ff0000")
    parts.get_by_role("button", name="Core", exact=True).click()
    marked = pixel(page, (0, 0, 14))
    parts.get_by_role("button", name="Core", exact=True).click()
    red, green, blue = pixel(page, (0, 0, 14))
    assert red > 100
    assert green == blue == 0
    assert marked[2] > 100, "a marked part is blue"

    slider = page.get_by_role("slider", name="Storeys")
    slider.press("ArrowRight")
    expect(metric(page, "height")).to_have_text("32.4 m")
    expect(tools.locator(".count")).to_have_text("2")
    assert pixel(page, (0, 0, 14))[1:] == (0, 0), "colour and choice outlast the design"
    slider.press("ArrowLeft")
    expect(metric(page, "height")).to_have_text("28.8 m")
    parts.get_by_role("searchbox", name="Filter parts").fill("slab")
    expect(parts.get_by_role("button", name="Only Slabs")).to_be_visible()
    expect(parts.get_by_role("button", name="Only Core")).to_have_count(0)
    parts.get_by_role("searchbox", name="Filter parts").fill("chimney")
    expect(parts.get_by_role("status")).to_contain_text("No part has this text")
    parts.get_by_role("searchbox", name="Filter parts").fill("")
    parts.get_by_role("button", name="Reset the colour of Core").click()
    parts.get_by_role("button", name="Show all", exact=True).click()
    expect(tools.locator(".count")).to_have_count(0)
    parts.get_by_role("button", name="Close the list of parts").click()
    tools.get_by_role("button", name="Fit").click()
    assert _is_near(pixel(page, (5, -5, 14)), face), "all is shown in its own colours"
    ends_clean(visit)


def test_a_section_cuts_the_model_open_with_caps(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    page.get_by_role("button", name="Parts", exact=True).click()
    page.get_by_role("button", name="Only Envelope").click()
    page.get_by_role("button", name="Close the list of parts").click()
    choose_view(page, "Isometric")
    outside = pixel(page, (5, -5, 25))
    page.get_by_role("button", name="Section", exact=True).click()
    strip = page.get_by_role("region", name="Section")
    place = strip.get_by_role("textbox", name="Z")
    expect(place).to_have_value("14.4 m")
    assert not _is_near(pixel(page, (5, -5, 25)), outside)
    cap = _darker(ENVELOPE, 0.6)
    assert _is_near(pixel(page, (5, -1, 14.4)), cap)
    slider = strip.get_by_role("slider", name="Place of the section")
    slider.focus()
    slider.press("Home")
    expect(place).to_have_value("0 m")
    slider.press("End")
    expect(place).to_have_value("28.8 m")
    place.fill("halfway")
    place.press("Enter")
    expect(strip.get_by_role("alert")).to_contain_text("Must be a length")
    place.fill("14400 mm")
    place.press("Enter")
    expect(place).to_have_value("14.4 m")
    expect(strip.get_by_role("alert")).to_have_count(0)
    middle = _picture(page)
    strip.get_by_role("button", name="Flip").click()
    assert _picture(page) != middle
    strip.get_by_role("button", name="Y", exact=True).click()
    expect(strip.get_by_role("textbox", name="Y")).to_have_value("0 m")
    assert _is_near(pixel(page, (4, 0, 20)), cap)
    strip.get_by_role("button", name="As I look").click()
    expect(strip.get_by_role("textbox", name="Depth")).to_be_visible()
    assert _is_near(pixel(page, (0, 0, 14.4)), cap)

    strip.get_by_role("button", name="Z", exact=True).click()
    slider.fill("750")
    expect(place).to_have_value("21.6 m")
    page.get_by_role("slider", name="Storeys").press("ArrowRight")
    expect(metric(page, "height")).to_have_text("32.4 m")
    expect(place).to_have_value("21.6 m")
    assert _is_near(pixel(page, (5, -1, 21.6)), cap), "the section follows the design"
    page.get_by_role("button", name="Undo").click()
    expect(metric(page, "height")).to_have_text("28.8 m")
    page.get_by_role("button", name="End the section").click()
    expect(strip).to_have_count(0)
    assert _is_near(pixel(page, (5, -5, 25)), outside), "the model is whole again"
    ends_clean(visit)


def test_a_measured_edge_has_its_known_length(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    choose_view(page, "Front")
    page.get_by_role("button", name="Measure", exact=True).click()
    strip = page.get_by_role("region", name="Dimensions")
    expect(strip.get_by_role("status")).to_contain_text("first place")
    box = view(page).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 5, box["y"] + box["height"] / 2)
    expect(strip.get_by_role("status")).to_contain_text("beside the model")
    x, y = spot(page, (0, -10, 28.8))
    page.mouse.click(x + 4, y + 4)
    expect(strip.get_by_role("status")).to_contain_text("second place")
    x, y = spot(page, (0, -10, 0))
    page.mouse.click(x - 4, y - 4)
    row = strip.get_by_role("listitem")
    expect(row).to_contain_text("28.8 m")
    expect(row).to_contain_text("ΔX 0 m")
    expect(row).to_contain_text("ΔZ -28.8 m")
    label = view(page).locator(".length")
    expect(label).to_have_text("28.8 m")
    place = label.bounding_box()
    view(page).locator("canvas").press("ArrowLeft")
    rests(page)
    assert label.bounding_box() != place, "the label follows the camera"
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Measure", exact=True)).to_have_attribute("aria-pressed", "false")
    expect(label).to_be_visible()

    page.get_by_role("slider", name="Storeys").press("ArrowRight")
    expect(row).to_contain_text("of an earlier design")
    row.get_by_role("button", name="Remove 28.8 m").click()
    expect(strip).to_have_count(0)
    expect(label).to_have_count(0)
    ends_clean(visit)


def test_a_comments_orthographic_camera_comes_back(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo)
    page = visit.page
    choose_view(page, "Right")
    choose_view(page, "Orthographic")
    kept = [spot(page, place) for place in ((0, -10, 0), (0, 10, 28.8))]
    page.get_by_role("tab", name="Comments").click()
    page.get_by_role("button", name="Comment", exact=True).click()
    page.get_by_role("textbox", name="Comment on").fill("From the right")
    page.get_by_role("button", name="Pick a place").click()
    page.get_by_role("button", name="Middle of the view").click()
    expect(page.get_by_text("A place is picked")).to_be_visible()
    page.locator("catenary-compose").get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("catenary-thread .text")).to_have_text("From the right")
    with httpx.Client(base_url=demo["base_url"], timeout=ANSWER_SECONDS) as http:
        given = {name: demo[name] for name in ("client_id", "client_secret")}
        token = http.post("auth/token", json={"grant_type": "client_credentials", **given}).json()["access_token"]
        found = http.get(f"projects/{demo['project_id']}/comments", headers={"Authorization": f"Bearer {token}"})
    camera = next(one for one in found.json()["data"]["comments"] if one["content"] == "From the right")["camera"]
    assert camera["projection"] == "orthographic"
    assert 20 < camera["height"] < 200

    choose_view(page, "Perspective")
    choose_view(page, "Top")
    page.get_by_role("button", name="Comment 1:").click()
    expect(page.locator("catenary-thread .thread.chosen")).to_be_visible()
    page.evaluate(
        """async () => {
          const view = document.querySelector("catenary-viewer");
          while (view.projection !== "orthographic") await new Promise((done) => setTimeout(done, 30));
        }"""
    )
    again = [spot(page, place) for place in ((0, -10, 0), (0, 10, 28.8))]
    for before, after in zip(kept, again, strict=True):
        assert after == pytest.approx(before, abs=1)
    ends_clean(visit)


def test_the_tools_of_the_view_fit_a_phone(browser: Browser, demo: dict[str, Any]) -> None:
    visit = prism(browser, demo, **PHONE)
    page = visit.page
    box = view(page).bounding_box()
    assert box is not None
    for name in ("View", "Saved views", "Parts", "Section", "Measure", "Fit"):
        button = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert button is not None
        assert button["x"] >= 0
        assert button["x"] + button["width"] <= PHONE["viewport"]["width"]
        assert button["y"] - box["y"] < 60, "one slim row"
    for name in ("Parts", "Section", "Measure"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        page.get_by_role("button", name=name, exact=True).click()
    ends_clean(visit)
