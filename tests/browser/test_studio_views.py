"""Saved views in the Studio: saved, opened, the default, changed by two, shown by links. Needs Chromium and the built bundle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import Visit
from browser.studio_page import ends_clean, metric, open_demo
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}
CAMERA = {"position": [120, -160, 90], "target": [0, 0, 60], "projection": "orthographic", "height": 150}
WHOLE: dict[str, Any] = {
    "name": "Roof",
    "is_default": True,
    "viewer": {"camera": CAMERA, "background": "#102030", "hidden_parts": ["chimney"], "length_unit": "mm"},
    "charts": [{"kind": "bar", "axes": ["storeys", "height"]}],
    "controls": [
        {"parameter": "twist", "label": "Turn of the roof", "group": "Roof", "widget": "number"},
        {"parameter": "sides", "hidden": True},
    ],
    "metrics": ["height"],
}
IN_CONFLICT = "status of 412"


@pytest.fixture(autouse=True)
def _nothing_stays(demo: dict[str, Any], caller: httpx.Client) -> Iterator[None]:
    yield
    for view in _views(caller, demo):
        assert caller.delete(f"views/{view['view_id']}").status_code == 200


def _views(caller: httpx.Client, demo: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.get(f"projects/{demo['project_id']}/views").json()["data"]["views"]
    return found


def _save(caller: httpx.Client, demo: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
    made = caller.post(f"projects/{demo['project_id']}/views", json=view)
    assert made.status_code == 201, made.text
    saved: dict[str, Any] = made.json()["data"]["view"]
    return saved


def _list(page: Page) -> Locator:
    """Open the list of saved views."""
    page.get_by_role("button", name="Saved views", exact=True).click()
    return page.get_by_role("region", name="Saved views")


def _choose_view(page: Page, name: str) -> None:
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("menu", name="View").get_by_text(name).click()


def _camera(page: Page) -> dict[str, Any]:
    """Return the camera once nothing moves any more."""
    found: dict[str, Any] = page.evaluate(
        """async () => {
          const view = document.querySelector("catenary-viewer");
          while (!view.stage?.isResting) await new Promise((done) => setTimeout(done, 30));
          return view.stage.cameras.look();
        }"""
    )
    return found


def _is_at(found: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(found[name] == pytest.approx(wanted[name], abs=0.1) for name in ("position", "target"))


def test_a_saved_view_comes_back_and_opens_as_default(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    address = f"/studio#project={demo['project_id']}"
    visit = Visit(browser, demo, address, **DESK)
    open_demo(visit)
    page = visit.page
    page.get_by_role("button", name="Parts", exact=True).click()
    page.get_by_role("checkbox", name="Show Envelope").uncheck()
    page.get_by_label("Colour of Core").fill("#ff0000")
    page.get_by_role("button", name="Section", exact=True).click()
    strip = page.get_by_role("region", name="Section")
    place = strip.get_by_role("textbox", name="Y")
    strip.get_by_role("button", name="Y", exact=True).click()
    place.fill("2 m")
    place.press("Enter")
    _choose_view(page, "Right")
    saved = _camera(page)
    views = _list(page)
    expect(page.get_by_role("region", name="Parts")).to_have_count(0)
    views.get_by_role("button", name="Save view").click()
    views.get_by_label("Name").fill("Cut open")
    views.get_by_role("button", name="Save", exact=True).click()
    row = views.get_by_role("button", name="Cut open", exact=True)
    expect(row).to_have_attribute("aria-current", "true")
    (view,) = _views(caller, demo)
    assert view["viewer"]["hidden_parts"] == ["envelope"]
    assert view["viewer"]["colors"] == {"core": "#ff0000"}
    assert view["viewer"]["section"]["point"][1] == pytest.approx(2)

    strip.get_by_role("button", name="End the section").click()
    page.get_by_role("button", name="Parts", exact=True).click()
    page.get_by_role("button", name="Show all", exact=True).click()
    _choose_view(page, "Top")
    assert not _is_at(_camera(page), saved)
    _list(page).get_by_role("button", name="Cut open", exact=True).click()
    count = page.locator("catenary-view-tools .count")
    expect(place).to_have_value("2 m")
    expect(count).to_have_text("1")
    assert _is_at(_camera(page), saved)
    _choose_view(page, "Top")
    page.get_by_role("button", name="Home view").click()
    assert _is_at(_camera(page), saved), "home is the view that was opened"
    views.get_by_role("button", name="Change Cut open").click()
    views.get_by_role("button", name="Make default: Cut open").click()
    expect(views.locator(".tag")).to_have_text("Default")
    page.goto("about:blank")
    page.goto(visit.base + address)
    open_demo(visit)
    expect(place).to_have_value("2 m")
    expect(count).to_have_text("1")
    assert _is_at(_camera(page), saved)

    views = _list(page)
    views.get_by_role("button", name="Change Cut open").click()
    views.get_by_role("button", name="Delete: Cut open").click()
    views.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(views.get_by_text("No view is saved yet")).to_be_visible()
    ends_clean(visit)


def test_a_view_shapes_inputs_and_results(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    _save(caller, demo, WHOLE)
    design = Visit(browser, demo, f"/studio#project={demo['project_id']}&p.storeys=40", **DESK)
    open_demo(design)
    expect(design.page.get_by_label("Turn of the roof")).to_be_visible()
    expect(design.page.locator("catenary-viewer")).not_to_have_css("background-color", "rgb(16, 32, 48)")
    ends_clean(design)
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    open_demo(visit)
    page = visit.page
    inputs = page.get_by_role("region", name="Inputs")
    expect(inputs.locator("legend").first).to_have_text("Roof")
    expect(inputs.get_by_label("Turn of the roof")).to_have_count(1)
    expect(inputs.get_by_label("Sides")).to_have_count(0)
    expect(inputs.get_by_role("slider", name="Storeys")).to_be_visible()
    expect(page.locator("[data-metric]")).to_have_count(1)
    expect(metric(page, "height")).to_be_visible()
    viewer = page.locator("catenary-viewer")
    expect(viewer).to_have_css("background-color", "rgb(16, 32, 48)")
    camera = _camera(page)
    assert camera["projection"] == "orthographic"
    assert camera["height"] == pytest.approx(150)
    page.get_by_role("button", name="View", exact=True).click()
    expect(page.get_by_role("menuitemcheckbox", name="Edges")).to_have_attribute("aria-checked", "false")
    page.get_by_role("menuitemradio", name="Page ground").click()
    expect(viewer).not_to_have_css("background-color", "rgb(16, 32, 48)")

    _choose_view(page, "Front")
    views = _list(page)
    views.get_by_role("button", name="Change Roof").click()
    views.get_by_role("button", name="Replace: Roof").click()
    views.get_by_role("alertdialog").get_by_role("button", name="Replace").click()
    expect(views.get_by_role("alertdialog")).to_have_count(0)
    (view,) = _views(caller, demo)
    assert view["viewer"]["background"] == "light"
    assert view["viewer"]["hidden_parts"] == ["chimney"], "a part that the design lacks"
    assert view["viewer"]["length_unit"] == "mm"
    assert [one["parameter"] for one in view["controls"]] == ["twist", "sides"]
    assert (view["is_default"], view["metrics"], len(view["charts"])) == (True, ["height"], 1)
    ends_clean(visit)


def test_a_conflict_is_told_and_a_link_has_no_buttons(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    view = _save(caller, demo, {"name": "Facade", "viewer": {"camera": CAMERA, "edges": True}})
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK, color_scheme="dark")
    open_demo(visit)
    page = visit.page
    views = _list(page)
    views.get_by_role("button", name="Change Facade").click()
    views.get_by_role("button", name="Rename: Facade").click()
    views.get_by_label("Name").fill("My facade")
    caller.put(f"views/{view['view_id']}", json={"name": "Their facade"})
    views.get_by_role("button", name="Save", exact=True).click()
    expect(views.get_by_role("alert")).to_contain_text("Somebody else changed “Facade” meanwhile")
    expect(views.get_by_role("button", name="Their facade", exact=True)).to_be_visible()
    expect(views.get_by_label("Name")).to_have_value("My facade")
    views.get_by_role("button", name="Save", exact=True).click()
    expect(views.get_by_role("button", name="My facade", exact=True)).to_be_visible()
    views.get_by_role("button", name="My facade", exact=True).focus()
    page.keyboard.press("Escape")
    expect(views).to_have_count(0)
    expect(page.get_by_role("button", name="Saved views", exact=True)).to_be_focused()
    ends_clean(visit, IN_CONFLICT)

    made = caller.post(f"projects/{demo['project_id']}/shares", json={"kind": "link"}).json()["data"]
    link = Visit(browser, demo, "/studio" + made["url"].partition("/studio")[2], **PHONE)
    shown = link.page
    shown.locator("catenary-viewer[data-triangles]").wait_for()
    views = _list(shown)
    views.get_by_role("button", name="My facade", exact=True).click()
    expect(views.get_by_role("button", name="My facade", exact=True)).to_have_attribute("aria-current", "true")
    for name in ("Save view", "Change My facade"):
        expect(views.get_by_role("button", name=name)).to_have_count(0)
    box = views.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["viewport"]["width"]
    assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    caller.delete(f"projects/{demo['project_id']}/shares/{made['share']['share_id']}")
    link.page.close()


def test_views_of_others_come_and_go_without_a_reload(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    open_demo(visit)
    page = visit.page
    views = _list(page)
    expect(views.get_by_text("No view is saved yet")).to_be_visible()
    camera = _camera(page)
    view = _save(caller, demo, WHOLE)
    expect(views.get_by_role("button", name="Roof", exact=True)).to_be_visible()
    expect(page.locator("[data-metric]")).to_have_count(1)
    assert _is_at(_camera(page), camera), "nobody else moves the camera"
    caller.put(f"views/{view['view_id']}", json={"name": "Plain"})
    expect(views.get_by_role("button", name="Plain", exact=True)).to_be_visible()
    expect(page.locator("[data-metric]")).not_to_have_count(1)
    caller.delete(f"views/{view['view_id']}")
    expect(views.get_by_text("No view is saved yet")).to_be_visible()
    ends_clean(visit)


def test_an_address_opens_the_view_that_it_was_copied_from(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    _save(caller, demo, WHOLE)  # the default view, which the address overrides
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    open_demo(visit)
    page = visit.page
    assert _camera(page)["projection"] == "orthographic"
    page.get_by_role("button", name="Parts", exact=True).click()
    page.get_by_role("checkbox", name="Show Envelope").uncheck()
    page.get_by_role("button", name="Section", exact=True).click()
    place = page.get_by_role("region", name="Section").get_by_role("textbox", name="Z")
    place.fill("20 m")
    place.press("Enter")
    _choose_view(page, "Right")
    _choose_view(page, "Perspective")
    page.locator("catenary-viewer canvas").hover()
    page.mouse.wheel(0, -400)
    seen = _camera(page)
    assert seen["projection"] == "perspective"
    # The address has the camera of each rest on the way, and the last one a moment after it was reached.
    last = f"{int(seen['position'][0])}[.][^&]*"
    expect(page).to_have_url(
        re.compile(f"&v.camera={last}&v.section=[^&]*_20_0_0_1&.*v.hidden=envelope.*v.background=102030")
    )
    copied, cut = page.url, place.input_value()

    page.goto("about:blank")
    page.goto(copied)
    open_demo(visit)
    expect(place).to_have_value(cut)
    expect(page.locator("catenary-view-tools .count")).to_have_text("1")
    again = _camera(page)
    assert _is_at(again, seen)
    assert again["projection"] == "perspective"
    expect(page).to_have_url(copied)

    page.goto(
        f"{visit.base}/studio#project={demo['project_id']}&v.camera=1_1_1_1_1_1&v.hidden=core&v.hidden=envelope&v.background=url(x)"
    )
    expect(page.locator("catenary-view-tools .count")).to_have_text("2")
    ends_clean(visit)
