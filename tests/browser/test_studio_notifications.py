"""Notifications in the Studio: mentions and shares are told at once, and a shared variant opens alone. Needs Chromium."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visit
from browser.studio_page import metric, open_demo, sign_in
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]
SECONDS = 30
"""Time within which an event is told on a busy machine; by itself the page looks every five minutes."""
COVERING = """(list) => {
    const all = list.getBoundingClientRect();
    return [...document.querySelectorAll(".tools button")].map((button) => {
        const own = button.getBoundingClientRect();
        const [left, right] = [Math.max(all.left, own.left), Math.min(all.right, own.right)];
        const [top, bottom] = [Math.max(all.top, own.top), Math.min(all.bottom, own.bottom)];
        const overlaps = left < right && top < bottom;
        return overlaps && list.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    });
}"""
"""Of each tool of the view, whether an element covers it."""
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def variant(demo: dict[str, Any], caller: httpx.Client) -> dict[str, Any]:
    body = {"name": "Thirty storeys", "parameters": {"storeys": 30}}
    made = caller.post(f"projects/{demo['project_id']}/variants", json=body).json()["data"]["variant"]
    evaluation = f"evaluations/{made['evaluation']['evaluation_id']}"
    assert caller.get(evaluation, headers={"Prefer": "wait=60"}).json()["data"]["evaluation"]["status"] == "completed"
    return dict(made)


def test_a_mention_is_told_and_leads_to_its_project(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, variant: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, "/studio", **DESK)
    page = visit.page
    open_demo(visit)
    bell = page.get_by_role("button", name="Notifications")
    bell.click()
    if page.get_by_role("button", name="Mark all as read").is_visible():
        page.get_by_role("button", name="Mark all as read").click()
    page.keyboard.press("Escape")
    expect(bell).to_have_accessible_name("Notifications")
    members = caller.get(f"projects/{demo['project_id']}/members").json()["data"]["members"]
    own = caller.get("users/me").json()["data"]["user"]["user_id"]
    (guest,) = [one["user_id"] for one in members if one["user_id"] not in (None, own)]
    comment = {"content": "Look at this one.", "variant_id": variant["variant_id"], "mentions": [guest]}
    assert caller.post(f"projects/{demo['project_id']}/comments", json=comment).status_code == 201
    expect(bell).to_have_accessible_name("Notifications, 1 unread", timeout=SECONDS * 1000)
    bell.click()
    listed = page.get_by_role("region", name="Notifications")
    listed.get_by_role("link").first.click()
    expect(bell).to_have_accessible_name("Notifications")
    expect(listed).to_have_count(0)
    bell.click()
    assert any(listed.evaluate(COVERING)), "the tools of the view lie below it"
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    page.close()


def test_a_share_of_another_project_is_told_at_once(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    made = caller.post("clients", json={"name": "Sam"}).json()["data"]
    client = made["client"]
    user_id = client.get("user_id") or client["client_id"]
    names = ("Harbour tower", "Footbridge")
    projects = [caller.post("projects", json={"name": name}).json()["data"]["project"]["project_id"] for name in names]
    share = {"role": "viewer"}
    assert caller.put(f"projects/{projects[0]}/members/{user_id}", json=share).is_success
    visit = Visit(browser, demo, "/studio", **DESK)
    page = visit.page
    with page.expect_websocket(lambda socket: "types=notification.created" in socket.url):
        sign_in(page, client["client_id"], made["client_secret"])
    page.get_by_role("button", name="Notifications, 1 unread").wait_for()
    assert caller.put(f"projects/{projects[1]}/members/{user_id}", json=share).is_success
    page.get_by_role("button", name="Notifications, 2 unread").wait_for(timeout=SECONDS * 1000)
    page.get_by_role("button", name="Notifications, 2 unread").click()
    listed = page.get_by_role("region", name="Notifications")
    expect(listed.get_by_role("link").first).to_have_text("Footbridge: You were given a role in the project.")
    page.close()


def test_a_variant_that_is_shared_opens_alone(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, variant: dict[str, Any]
) -> None:
    made = caller.post("clients", json={"name": "Robin"}).json()["data"]
    client = made["client"]
    user_id = client.get("user_id") or client["client_id"]
    share = {"kind": "user", "user_id": user_id, "role": "viewer", "variant_id": variant["variant_id"]}
    answer = caller.post(f"projects/{demo['project_id']}/shares", json=share)
    assert answer.status_code == 201, answer.text
    visit = Visit(browser, demo, "/studio", **DESK)
    page = visit.page
    sign_in(page, client["client_id"], made["client_secret"])
    page.get_by_role("button", name="Notifications, 1 unread").click()
    page.get_by_role("region", name="Notifications").get_by_role("link").first.click()
    expect(page.get_by_text("Shared with you")).to_be_visible()
    expect(metric(page, "height")).to_have_text("108 m")
    expect(page.get_by_role("tab", name="Variants")).to_have_count(0)
    page.reload()
    sign_in(page, client["client_id"], made["client_secret"])
    expect(page.get_by_text("Shared with you")).to_be_visible()
    page.get_by_role("link", name="Projects").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    page.goto(f"{visit.base}/studio#variant=00000000-0000-7000-8000-000000000000")
    expect(page.get_by_role("alert")).to_be_visible()
    page.close()
