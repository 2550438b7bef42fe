"""Comments in the Studio by somebody with whom only a variant is shared, and the end of that share. Needs Chromium."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visit
from browser.studio_page import ends_clean, metric, sign_in
from catenary_edge.studio import files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
# Who has a variant alone gets neither the project nor its events.
REFUSED = ("WebSocket connection", "status of 404")


@pytest.fixture
def variant(demo: dict[str, Any], caller: httpx.Client) -> dict[str, Any]:
    body = {"name": "Thirty storeys", "parameters": {"storeys": 30}}
    made = caller.post(f"projects/{demo['project_id']}/variants", json=body).json()["data"]["variant"]
    evaluation = f"evaluations/{made['evaluation']['evaluation_id']}"
    assert caller.get(evaluation, headers={"Prefer": "wait=60"}).json()["data"]["evaluation"]["status"] == "completed"
    return dict(made)


def test_who_has_a_shared_variant_comments_until_the_share_ends(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, variant: dict[str, Any]
) -> None:
    made = caller.post("clients", json={"name": "Robin"}).json()["data"]
    person = made["client"]
    shares = f"projects/{demo['project_id']}/shares"
    given = {"kind": "user", "user_id": person["user_id"], "variant_id": variant["variant_id"], "role": "evaluator"}
    share = caller.post(shares, json=given).json()["data"]["share"]
    comments = f"projects/{demo['project_id']}/comments"
    on_variant = f"{comments}?variant_id={variant['variant_id']}"
    first = {"content": "Is this the corner?", "variant_id": variant["variant_id"]}
    assert caller.post(comments, json=first).status_code == 201

    visit = Visit(browser, demo, f"/studio#variant={variant['variant_id']}", **DESK)
    page = visit.page
    sign_in(page, person["client_id"], made["client_secret"])
    expect(page.get_by_text("Shared with you", exact=True)).to_be_visible()
    expect(metric(page, "height")).to_have_text("108 m")
    expect(page.get_by_text("You see this design alone.")).to_be_visible()
    expect(page.get_by_role("slider", name="Storeys")).to_be_disabled()
    page.get_by_role("tab", name="Comments").click()
    page.get_by_role("button", name="Open the thread").click()
    page.get_by_role("button", name="Reply").click()
    page.get_by_role("textbox", name="Reply").fill("It is.")
    page.locator("catenary-compose").get_by_role("button", name="Reply").click()
    expect(page.locator("catenary-thread li .text")).to_have_text("It is.")
    page.get_by_role("button", name="Comment", exact=True).click()
    page.get_by_role("textbox", name="Comment on").fill("Too sharp.")
    expect(page.get_by_text("Mention somebody")).to_have_count(0)
    page.locator("catenary-compose").get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("catenary-thread .text").first).to_have_text("Too sharp.")
    written = caller.get(on_variant).json()["data"]["comments"]
    assert [one["content"] for one in written] == ["Too sharp.", "It is.", "Is this the corner?"]

    page.get_by_role("button", name="Comment", exact=True).click()
    page.get_by_role("textbox", name="Comment on").fill("One more thing.")
    assert caller.delete(f"{shares}/{share['share_id']}").status_code == 200
    page.locator("catenary-compose").get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("catenary-compose").get_by_role("alert")).to_contain_text(
        "not comment on this variant any more"
    )
    page.get_by_role("tab", name="Results").click()
    expect(page.get_by_text("This variant is shared with you no more.")).to_be_visible()
    page.get_by_role("tab", name="Comments").click()
    expect(page.get_by_role("textbox", name="Comment on")).to_have_value("One more thing.")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Comment", exact=True)).to_have_count(0)
    assert len(caller.get(on_variant).json()["data"]["comments"]) == 3
    ends_clean(visit, *REFUSED)
