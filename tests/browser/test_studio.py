"""The Studio in a real browser: a newcomer's path from one click to a download. Needs Chromium and the built bundle."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from browser.conftest import Visit
from browser.studio_page import ends_clean, metric, open_demo, sign_in
from catenary_edge.studio import files
from factories.installations.installation import ANSWER_SECONDS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}


def _is_live(page: Page) -> None:
    expect(page.locator("[data-connection=open]")).to_have_text("Live")


class Sockets:
    """The live sessions of a page, which go to the server through the test's hands."""

    def __init__(self, page: Page) -> None:
        self.opened: list[WebSocketRoute] = []
        self.designs: list[dict[str, Any]] = []
        self.files = 0
        page.route_web_socket("**/ws/explore?*", self._take)

    def _take(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self.opened.append(socket)

        def sent(message: str | bytes) -> None:
            self.designs.append(json.loads(message))
            server.send(message)

        def came(message: str | bytes) -> None:
            self.files += isinstance(message, bytes)
            socket.send(message)

        socket.on_message(sent)
        server.on_message(came)


def _asked(page: Page) -> list[str]:
    """Return the list to which each request of the page is added."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    return asked


def _evaluations(asked: list[str]) -> int:
    return len([one for one in asked if one.startswith("POST") and one.endswith("/evaluate")])


@pytest.mark.gate
def test_a_newcomer_moves_a_slider_keeps_saves_and_downloads(
    browser: Browser, demo: dict[str, Any], tmp_path: Path
) -> None:
    visit = Visit(browser, demo, "/", viewport={"width": 1280, "height": 800})
    page = visit.page
    sockets, asked = Sockets(page), _asked(page)
    open_demo(visit)
    _is_live(page)
    assert f"#project={demo['project_id']}" in page.url
    viewer = page.locator("catenary-viewer")
    expect(metric(page, "height")).to_have_text("172.8 m")
    declared = ["height", "floor_area", "facade_area", "volume", "slenderness", "wall_to_floor", "twist_per_storey"]
    assert page.locator("[data-metric]").evaluate_all("rows => rows.map(({ dataset }) => dataset.metric)") == declared
    triangles = viewer.get_attribute("data-triangles")
    assert triangles
    before = viewer.screenshot()

    slider = page.get_by_role("slider", name="Storeys")
    slider.focus()
    for _ in range(4):
        slider.press("ArrowLeft")
    expect(metric(page, "height")).to_have_text("158.4 m")
    expect(viewer).not_to_have_attribute("data-triangles", triangles)
    assert viewer.screenshot() != before, "the view shows another tower"
    expect(page).to_have_url(re.compile(r"p\.storeys=44"))
    first, *moved = [one["parameters"] for one in sockets.designs]
    # A position that a newer one replaces before the answer to an earlier design is whole is never sent.
    assert (first, moved[-1]) == ({}, {"storeys": 44})
    assert moved == [{"storeys": number} for number in (47, 46, 45, 44) if {"storeys": number} in moved]
    assert sockets.files > 2
    assert _evaluations(asked) == 0, "moves are not stored"

    sockets.opened[-1].close(code=1012, reason="UNAVAILABLE")
    for _ in range(4):
        page.get_by_role("button", name="Undo").click()
    expect(metric(page, "height")).to_have_text("172.8 m")
    expect(viewer).to_have_attribute("data-triangles", triangles)
    _is_live(page)
    assert len(sockets.opened) == 2, "the page went on by itself"
    expect(page).not_to_have_url(re.compile(r"p\.storeys"))

    page.get_by_role("button", name="Redo").click()
    expect(metric(page, "height")).to_have_text("169.2 m")
    page.get_by_role("button", name="Keep this design").click()
    expect(page.get_by_role("button", name="✓ Kept")).to_be_disabled()
    assert _evaluations(asked) == 1

    page.get_by_role("tab", name="Variants").click()
    page.get_by_role("button", name="Save as variant").click()
    page.get_by_role("textbox", name="Name").fill("One storey less")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="One storey less", exact=True)).to_be_visible()
    expect(page.locator("[data-variant='One storey less'] img")).to_have_js_property("naturalWidth", 512)

    with page.expect_download() as download:
        page.get_by_role("button", name="Download tower.glb").click()
    assert download.value.suggested_filename == "tower.glb"
    download.value.save_as(tmp_path / "tower.glb")
    content = (tmp_path / "tower.glb").read_bytes()
    assert struct.unpack("<4sII", content[:12]) == (b"glTF", 2, len(content))
    assert json.loads(content[20 : 20 + struct.unpack("<I", content[12:16])[0]])["asset"]["generator"] == "Catenary"
    assert _evaluations(asked) == 1, "the kept design is the one that is saved and downloaded"
    ends_clean(visit)


def test_variants_are_opened_compared_renamed_and_deleted(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", viewport={"width": 1280, "height": 800})
    page = visit.page
    open_demo(visit)
    page.get_by_role("tab", name="Variants").click()
    for name, storeys in (("Low", "20"), ("High", "60")):
        page.get_by_role("tab", name="Inputs").click()
        entry = page.get_by_role("textbox", name="Storeys")
        entry.fill(storeys)
        entry.press("Enter")
        page.get_by_role("tab", name="Variants").click()
        page.get_by_role("button", name="Save as variant").click()
        page.get_by_role("textbox", name="Name").fill(name)
        page.get_by_role("textbox", name="Note").fill(f"{storeys} storeys")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.get_by_role("button", name="Low", exact=True).click()
    expect(metric(page, "height")).to_have_text("72 m")

    page.get_by_label("Compare Low").check()
    expect(page.get_by_role("button", name="Compare 2 to 4 of them")).to_be_disabled()
    page.get_by_label("Compare High").check()
    page.get_by_role("button", name="Compare 2", exact=True).click()
    row = page.get_by_role("dialog").locator("[data-compared=height]")
    expect(row).to_contain_text("216 m")
    expect(row).to_contain_text("+144")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name="Rename Low").click()
    page.get_by_role("textbox", name="Name").fill("Lower")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Delete Lower").click()
    page.get_by_role("button", name="Keep it").click()
    for name in ("Lower", "High"):
        page.get_by_role("button", name=f"Delete {name}").click()
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    ends_clean(visit)


def test_an_ended_sign_in_is_asked_for_again_and_loses_no_input(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page
    given = {name: demo[name] for name in ("client_id", "client_secret")}
    sign_in(page, demo["client_id"], demo["client_secret"])
    slider = page.get_by_role("slider", name="Storeys")
    slider.focus()
    slider.press("ArrowLeft")
    expect(metric(page, "height")).to_have_text("169.2 m")
    with httpx.Client(base_url=demo["base_url"], timeout=ANSWER_SECONDS) as caller:
        token = caller.post("auth/token", json={"grant_type": "client_credentials", **given}).json()["access_token"]
        path = f"clients/{demo['client_id']}/revoke_tokens"
        assert caller.post(path, json={}, headers={"Authorization": f"Bearer {token}"}).status_code == 200
    expect(page.get_by_role("status").filter(has_text="Your sign-in has ended")).to_be_visible()
    expect(slider).to_be_hidden()
    sign_in(page, demo["client_id"], demo["client_secret"])
    _is_live(page)
    expect(page.get_by_role("textbox", name="Storeys")).to_have_value("47")
    page.get_by_role("button", name="Undo").click()
    expect(metric(page, "height")).to_have_text("172.8 m")
    ends_clean(visit)


def test_back_and_forward_lead_through_pages_with_their_values(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page
    open_demo(visit)
    _is_live(page)
    slider = page.get_by_role("slider", name="Storeys")
    slider.focus()
    slider.press("ArrowLeft")
    expect(page).to_have_url(re.compile("p.storeys=47$"))
    page.get_by_role("link", name="Projects").click()
    expect(page.get_by_role("heading", level=1, name="Projects")).to_be_visible()
    page.go_back()
    _is_live(page)
    expect(page.get_by_role("textbox", name="Storeys")).to_have_value("47")
    expect(metric(page, "height")).to_have_text("169.2 m")
    page.go_forward()
    expect(page.get_by_role("heading", level=1, name="Projects")).to_be_visible()
    page.go_back()
    _is_live(page)
    ends_clean(visit)


def test_two_tabs_keep_their_own_values(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page
    open_demo(visit)
    slider = page.get_by_role("slider", name="Storeys")
    slider.focus()
    slider.press("ArrowLeft")
    expect(page).to_have_url(re.compile("p.storeys=47$"))
    second = Visit(browser, demo, page.url.removeprefix(visit.base), viewport={"width": 1280, "height": 800})
    open_demo(second)
    expect(metric(second.page, "height")).to_have_text("169.2 m")
    slider.press("ArrowLeft")
    expect(metric(page, "height")).to_have_text("165.6 m")
    expect(metric(second.page, "height")).to_have_text("169.2 m")
    ends_clean(second)
    ends_clean(visit)


def test_without_a_socket_each_design_is_evaluated(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page
    page.add_init_script(
        "const Real = WebSocket; window.WebSocket = class extends Real {"
        " constructor(url, protocols) { super(String(url).replace('/ws/explore', '/ws/nowhere'), protocols); } };"
    )
    page.reload()
    asked = _asked(page)
    open_demo(visit)
    expect(page.locator("[data-connection=unavailable]")).to_contain_text("Not live")
    slider = page.get_by_role("slider", name="Storeys")
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    expect(metric(page, "height")).to_have_text("183.6 m")
    expect(page.get_by_role("button", name="✓ Kept")).to_be_visible()
    assert _evaluations(asked) >= 2
    ends_clean(visit, "WebSocket connection")


@pytest.mark.gate
def test_a_refusal_stands_at_its_input_and_the_last_design_stays(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(
        browser, demo, f"/studio#project={demo['project_id']}&p.storeys=50", viewport={"width": 1280, "height": 800}
    )
    page = visit.page
    sign_in(page, demo["client_id"], "wrong")
    expect(page.get_by_role("alert")).to_contain_text("The client's id or secret is wrong")
    sign_in(page, demo["client_id"], demo["client_secret"])
    expect(metric(page, "height")).to_have_text("180 m")

    entry = page.get_by_label("Width", exact=True).first
    entry.fill("15,2")
    entry.press("Enter")
    message = page.locator("#input-width-message")
    expect(message).to_contain_text("give 15.0 or 15.5")
    expect(metric(page, "height")).to_have_text("180 m")
    entry.fill("wide")
    entry.press("Enter")
    expect(message).to_contain_text("Must be a number")
    entry.fill("60 ft")
    entry.press("Enter")
    expect(entry).to_have_value("18.5")
    expect(message).to_have_count(0)
    ends_clean(visit, "status of 401")


def test_a_viewer_sees_the_newest_design_and_changes_nothing(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page

    def as_viewer(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["data"]["project"]["role"] = "viewer"
        route.fulfill(response=answer, json=body)

    page.route(f"**/v1/projects/{demo['project_id']}", as_viewer)
    asked = _asked(page)
    sockets = Sockets(page)
    open_demo(visit)
    expect(page.get_by_role("slider", name="Storeys")).to_be_disabled()
    expect(page.get_by_text("You may look at this project")).to_be_visible()
    expect(metric(page, "height")).to_contain_text(" m")
    page.get_by_role("tab", name="Variants").click()
    expect(
        page.get_by_role("button", name="Compare 2 to 4 of them").or_(page.get_by_text("Nobody has saved"))
    ).to_be_visible()
    for name in ("Save as variant", "Keep this design"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^(Rename|Delete) "))).to_have_count(0)
    assert _evaluations(asked) == len(sockets.opened) == 0
    ends_clean(visit)


def test_an_empty_or_failed_list_says_what_to_do(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", viewport={"width": 1280, "height": 800})
    page = visit.page
    empty = {"data": {"projects": []}, "metadata": {"next_cursor": None}}
    page.route("**/v1/projects?*", lambda route: route.abort())
    sign_in(page, demo["client_id"], demo["client_secret"])
    expect(page.get_by_role("alert")).to_contain_text("The server can't be reached")
    page.unroute("**/v1/projects?*")
    page.route("**/v1/projects?*", lambda route: route.fulfill(json=empty))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("catenary model push")).to_be_visible()
    ends_clean(visit, "net::ERR_FAILED")


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
    page.get_by_text("Sign in with a client").click()
    page.get_by_label("API key").first.check()
    page.get_by_role("textbox", name="API key").fill(made.json()["data"]["key"])
    page.get_by_role("button", name="Sign in").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download envelope.stl").click()
    download.value.save_as(tmp_path / "envelope.stl")
    content = (tmp_path / "envelope.stl").read_bytes()
    assert len(content) == 84 + 50 * struct.unpack("<I", content[80:84])[0]
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Open the demo")).to_be_visible()
    ends_clean(visit)


def test_the_workspace_fits_a_phone(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", **PHONE)
    open_demo(visit)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    ends_clean(visit)
