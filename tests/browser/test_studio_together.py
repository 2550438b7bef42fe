"""Working together in the Studio: comments at places of the model, pictures of variants, shares by link. Needs Chromium."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import MILLISECONDS, Visit
from browser.studio_page import ends_clean, metric, open_demo, sign_in
from catenary_edge.studio import files
from factories.installations.installation import ANSWER_SECONDS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sampled,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}
MARKUP = "This edge is <b>too sharp</b>.\n50 mm?"
ENDED = "This link shows nothing any more"
# A socket that a share link may not have, or that the end of the link refuses; and the refusal of the ended link itself.
OF_AN_ENDED_LINK = ("WebSocket connection", "status of 401")


@pytest.fixture
def variant(demo: dict[str, Any], caller: httpx.Client) -> dict[str, Any]:
    """Return a new variant that is evaluated."""
    body = {"name": f"Tower {uuid.uuid4().hex[:6]}", "parameters": {"storeys": 30}}
    made = caller.post(f"projects/{demo['project_id']}/variants", json=body, headers={"Prefer": "wait=60"})
    assert made.status_code in (201, 202), made.text
    found: dict[str, Any] = made.json()["data"]["variant"]
    evaluation = f"evaluations/{found['evaluation']['evaluation_id']}"
    assert caller.get(evaluation, headers={"Prefer": "wait=60"}).json()["data"]["evaluation"]["status"] == "completed"
    return found


def _open_variant(page: Page, name: str) -> None:
    page.get_by_role("tab", name="Variants").click()
    page.get_by_role("button", name=name, exact=True).click()
    expect(metric(page, "height")).to_have_text("108 m")
    page.get_by_role("tab", name="Comments").click()
    expect(page.get_by_label("Comments on")).to_have_value("variant")


def _comment_at_the_middle(page: Page, text: str) -> None:
    page.get_by_role("button", name="Comment", exact=True).click()
    page.get_by_role("textbox", name="Comment on").fill(text)
    page.get_by_role("button", name="Pick a place").click()
    box = page.locator("catenary-viewer canvas").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 10, box["y"] + box["height"] - 80)
    expect(page.get_by_text("That was beside the model")).to_be_visible()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_text("A place is picked")).to_be_visible()
    page.locator("catenary-compose").get_by_role("button", name="Comment", exact=True).click()


@pytest.mark.gate
def test_people_discuss_a_variant_and_share_it_by_link(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, variant: dict[str, Any]
) -> None:
    mine = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    open_demo(mine)
    theirs = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    open_demo(theirs)
    for page in (mine.page, theirs.page):
        _open_variant(page, variant["name"])
    expect(mine.page.locator(f"[data-variant='{variant['name']}'] img")).to_have_js_property("naturalWidth", 512)

    _comment_at_the_middle(mine.page, MARKUP)
    marker = theirs.page.get_by_role("button", name="Comment 1:")
    expect(marker).to_be_visible()
    (comment,) = caller.get(f"projects/{demo['project_id']}/comments?variant_id={variant['variant_id']}").json()[
        "data"
    ]["comments"]
    assert comment["content"] == MARKUP
    assert comment["anchor"]["geometry"] in ("tower", "envelope")
    assert 0 < comment["anchor"]["z"] < 108
    assert comment["camera"]["projection"] == "perspective"
    marker.click()
    thread = theirs.page.locator("catenary-thread")
    expect(thread.locator(".text")).to_have_text(MARKUP)
    theirs.page.get_by_role("button", name="Reply").click()
    theirs.page.get_by_role("textbox", name="Reply").fill("Yes.")
    theirs.page.locator("catenary-compose").get_by_role("button", name="Reply").click()
    expect(mine.page.locator("catenary-thread li .text")).to_have_text("Yes.")
    mine.page.get_by_role("button", name="Resolve", exact=True).click()
    expect(theirs.page.get_by_role("button", name="Resolved (1)")).to_be_visible()
    expect(theirs.page.get_by_role("button", name="Comment 1:")).to_have_count(0)
    ends_clean(theirs)

    page = mine.page
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_label("Everybody who has a link").check()
    page.get_by_role("combobox", name="What").select_option("variant")
    page.get_by_role("button", name="Make a link").click()
    url = page.get_by_label("Address of the link").input_value()
    context = browser.new_context(**DESK)
    shown = context.new_page()
    shown.set_default_timeout(MILLISECONDS)
    shown.goto(url)
    expect(metric(shown, "height")).to_have_text("108 m")
    assert (
        "share"
        not in shown.evaluate("location.href + JSON.stringify({...localStorage, ...sessionStorage})").split("/studio")[
            -1
        ]
    )
    shown.locator("catenary-viewer[data-triangles]").wait_for()
    expect(shown.get_by_role("slider", name="Storeys")).to_be_disabled()
    for name in ("Variants", "Projects"):
        expect(shown.get_by_text(name, exact=True)).to_have_count(0)
    shown.get_by_role("tab", name="Comments").click()
    shown.get_by_role("button", name="Resolved (1)").click()
    expect(shown.locator("catenary-thread .text").first).to_have_text(MARKUP)
    for name in ("Comment", "Reply", "Reopen"):
        expect(shown.get_by_role("button", name=name, exact=True)).to_have_count(0)

    page.get_by_role("button", name="End the share with").click()
    page.get_by_role("button", name="End it").click()
    expect(page.get_by_text("Nobody yet.")).to_be_visible()
    expect(shown.get_by_role("alert")).to_contain_text(ENDED)
    assert shown.locator("catenary-project").count() == 0
    context.close()
    ends_clean(mine)


def test_an_ended_link_says_so_at_once(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio/#share=cat_share_" + "a" * 43, **DESK)
    expect(visit.page.get_by_role("alert")).to_contain_text(ENDED)
    visit.page.get_by_role("button", name="Sign in instead").click()
    expect(visit.page.get_by_role("button", name="Open the demo")).to_be_visible()
    ends_clean(visit, *OF_AN_ENDED_LINK)


def test_a_projects_link_shows_all_of_it_and_changes_nothing(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, variant: dict[str, Any]
) -> None:
    made = caller.post(f"projects/{demo['project_id']}/shares", json={"kind": "link"}).json()["data"]
    visit = Visit(browser, demo, "/studio" + made["url"].partition("/studio")[2], **PHONE)
    page = visit.page
    page.locator("catenary-viewer[data-triangles]").wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    _open_variant(page, variant["name"])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    for name in ("Share", "Comment", "Save as variant", "Keep this design"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    page.get_by_role("link", name="Catenary").click()
    expect(metric(page, "height")).to_have_text("108 m")
    assert set(asked) == {"GET"}
    caller.delete(f"projects/{demo['project_id']}/shares/{made['share']['share_id']}")
    expect(page.get_by_role("alert")).to_contain_text(ENDED)
    ends_clean(visit, *OF_AN_ENDED_LINK)


def test_a_conflict_keeps_what_was_typed_and_shows_the_newer_text(
    browser: Browser, demo: dict[str, Any], variant: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    open_demo(visit)
    page = visit.page
    _open_variant(page, variant["name"])
    page.get_by_role("button", name="Comment", exact=True).click()
    page.get_by_role("textbox", name="Comment on").fill("First")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Edit").click()
    area = page.get_by_role("textbox", name="Your text")
    area.fill("Mine")

    theirs: list[int] = []

    def changed_meanwhile(route: Route) -> None:
        if route.request.method == "PATCH" and not theirs:
            own = {"Authorization": route.request.headers["authorization"]}
            body = {"content": "Theirs"}
            theirs.append(httpx.patch(route.request.url, json=body, headers=own, timeout=ANSWER_SECONDS).status_code)
        route.continue_()

    page.route("**/v1/comments/*", changed_meanwhile)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("catenary-thread").get_by_role("alert")).to_contain_text("Theirs")
    expect(area).to_have_value("Mine")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("catenary-thread .text")).to_have_text("Mine")
    page.get_by_role("button", name="Delete", exact=True).last.click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No open comments.")).to_be_visible()
    assert theirs == [200]
    ends_clean(visit, "status of 412")


def test_a_viewer_reads_comments_and_writes_none(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, variant: dict[str, Any]
) -> None:
    path = f"projects/{demo['project_id']}/comments"
    caller.post(path, json={"content": "To read", "variant_id": variant["variant_id"]})
    robot = caller.post("clients", json={"name": "Reader"}).json()["data"]
    member = {"user_id": robot["client"]["user_id"], "role": "viewer"}
    assert caller.post(f"projects/{demo['project_id']}/members", json=member).status_code == 201
    visit = Visit(browser, demo, "/studio", **DESK)
    page = visit.page
    sign_in(page, robot["client"]["client_id"], robot["client_secret"])
    page.locator("catenary-viewer[data-triangles]").wait_for()
    _open_variant(page, variant["name"])
    page.get_by_role("button", name="Open the thread of").click()
    expect(page.locator("catenary-thread .text")).to_have_text("To read")
    for name in ("Comment", "Reply", "Resolve", "Edit", "Delete", "Share"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    ends_clean(visit)


def test_who_becomes_a_viewer_or_nobody_is_told_and_changes_nothing(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    robot = caller.post("clients", json={"name": "Leaver"}).json()["data"]
    members = f"projects/{demo['project_id']}/members"
    member = {"user_id": robot["client"]["user_id"], "role": "evaluator"}
    assert caller.post(members, json=member).status_code == 201
    visit = Visit(browser, demo, "/studio", **DESK)
    page = visit.page
    sign_in(page, robot["client"]["client_id"], robot["client_secret"])
    page.locator("catenary-viewer[data-triangles]").wait_for()
    slider = page.get_by_role("slider", name="Storeys")
    slider.press("ArrowLeft")
    expect(metric(page, "height")).to_have_text("169.2 m")
    assert caller.put(f"{members}/{member['user_id']}", json={"role": "viewer"}).status_code == 200
    expect(page.get_by_text("You may look at this project")).to_be_visible()
    expect(slider).to_be_disabled()
    expect(page.get_by_role("button", name="Keep this design")).to_have_count(0)
    expect(metric(page, "height")).to_contain_text(" m")
    assert caller.delete(f"{members}/{member['user_id']}").status_code == 200
    expect(page.get_by_text("Your role in this project has ended.")).to_be_visible()
    ends_clean(visit)
