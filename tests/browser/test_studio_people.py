"""People without an identity provider in the Studio: an invitation by a click, a session over a reload. Needs Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import MILLISECONDS, Visit
from browser.studio_page import ends_clean, open_demo
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sampled,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@pytest.mark.gate
def test_an_invited_person_stays_signed_in_until_the_sign_out(browser: Browser, demo: dict[str, Any]) -> None:
    owner = Visit(browser, demo, "/studio", **DESK)
    open_demo(owner)
    owner.page.get_by_role("button", name="Members").click()
    owner.page.get_by_role("button", name="Invite somebody").click()
    owner.page.get_by_label("E-mail address").fill("robin@example.com")
    owner.page.get_by_role("textbox", name="Name").fill("Robin Example")
    owner.page.get_by_role("combobox", name="Role", exact=True).select_option("evaluator")
    owner.page.get_by_role("button", name="Invite", exact=True).click()
    url = owner.page.get_by_label("Address of the invitation").input_value()

    context = browser.new_context(**DESK)
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method) if "/v1/auth/session" in request.url else None)
    page.goto(url)
    expect(page.get_by_role("heading", name="You are invited")).to_be_visible()
    assert asked == [], "a preview of the link uses nothing up"
    assert "invite" not in page.url
    page.get_by_role("button", name="Take the invitation").click()
    page.locator("catenary-viewer[data-triangles]").wait_for()
    stored = page.evaluate("JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie")
    assert stored == '{"catenary-session":"1"}'
    page.reload()
    page.locator("catenary-viewer[data-triangles]").wait_for()
    expect(page.get_by_role("button", name="Members")).to_have_count(0)

    page.get_by_role("button", name="Another device").click()
    page.get_by_role("button", name="Make the address").click()
    device = browser.new_context(**DESK)
    phone = device.new_page()
    phone.set_default_timeout(MILLISECONDS)
    phone.goto(page.get_by_label("Address for your other device").input_value())
    phone.get_by_role("button", name="Sign in").click()
    phone.locator("catenary-viewer[data-triangles]").wait_for()
    device.close()
    page.get_by_role("button", name="Close").click()

    page.get_by_role("button", name="Sign out").click()
    page.reload()
    expect(page.get_by_role("button", name="Open the demo")).to_be_visible()
    page.goto("about:blank")
    page.goto(url)
    page.get_by_role("button", name="Take the invitation").click()
    expect(page.get_by_role("alert")).to_contain_text("works once")
    context.close()

    owner.page.get_by_role("button", name="Close").click()
    owner.page.get_by_role("button", name="Members").click()
    owner.page.get_by_role("button", name="Remove Robin Example").click()
    owner.page.get_by_role("button", name="Remove", exact=True).click()
    expect(owner.page.get_by_text("Robin Example")).to_have_count(0)
    ends_clean(owner)
