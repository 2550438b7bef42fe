"""The Studio in a real browser: a newcomer's path from sign-in to a download. Needs Chromium and the built bundle."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import MILLISECONDS, Visit
from catenary_edge.studio import files
from factories.installations.installation import ANSWER_SECONDS

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


def test_a_viewer_sees_the_newest_design_and_changes_nothing(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page

    def as_viewer(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["data"]["project"]["role"] = "viewer"
        route.fulfill(response=answer, json=body)

    page.route(f"**/v1/projects/{demo['project_id']}", as_viewer)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    _open(visit, demo)
    expect(page.get_by_role("slider", name="Storeys")).to_be_disabled()
    expect(page.get_by_text("You may look at this project")).to_be_visible()
    expect(_metric(page, "height")).to_contain_text(" m")
    assert not [one for one in asked if "/evaluate" in one and one.startswith("POST")]
    _ends_clean(visit)


def test_an_empty_list_says_how_to_begin_and_a_failure_is_tried_again(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page
    empty = {"data": {"projects": []}, "metadata": {"next_cursor": None}}
    page.route("**/v1/projects?*", lambda route: route.abort())
    _sign_in(page, demo["client_id"], demo["client_secret"])
    expect(page.get_by_role("alert")).to_contain_text("The server can't be reached")
    page.unroute("**/v1/projects?*")
    page.route("**/v1/projects?*", lambda route: route.fulfill(json=empty))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("catenary model push")).to_be_visible()
    _ends_clean(visit, "net::ERR_FAILED")


def test_an_api_key_signs_in_and_a_geometry_is_saved_as_stl(
    browser: Browser, demo: dict[str, Any], tmp_path: Path
) -> None:
    given = {name: demo[name] for name in ("client_id", "client_secret")}
    with httpx.Client(base_url=demo["base_url"], timeout=ANSWER_SECONDS) as caller:
        token = caller.post("auth/token", json={"grant_type": "client_credentials", **given}).json()["access_token"]
        body = {"name": "Studio", "scopes": ["platform:read", "platform:write"]}
        made = caller.post("api_keys", json=body, headers={"Authorization": f"Bearer {token}"})
    assert made.status_code == 201, made.text
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", viewport={"width": 1280, "height": 800})
    page = visit.page
    page.get_by_label("API key").first.check()
    page.get_by_role("textbox", name="API key").fill(made.json()["data"]["key"])
    page.get_by_role("button", name="Sign in").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download envelope.stl").click()
    download.value.save_as(tmp_path / "envelope.stl")
    content = (tmp_path / "envelope.stl").read_bytes()
    assert len(content) == 84 + 50 * struct.unpack("<I", content[80:84])[0]
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    _ends_clean(visit)


def test_the_workspace_fits_a_phone(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", **PHONE)
    _open(visit, demo)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    _ends_clean(visit)
