"""The address of the Studio's page: it brings back what its reader saw. Needs Chromium and the built bundle."""

from __future__ import annotations

import re
import uuid
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visit
from browser.models_page import BEAM, open_project, upload
from browser.studio_page import ends_clean, metric, open_demo, sign_in
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

DESK: dict[str, Any] = {"viewport": {"width": 1600, "height": 1000}, "reduced_motion": "reduce"}
NOBODY = "01890000-0000-7000-8000-000000000009"


def _copied(page: Page, *wanted: str) -> str:
    """Return the address once it has all of some parts."""
    for part in wanted:
        expect(page).to_have_url(re.compile(part))
    return page.url


def test_tab_comments_variant_and_filters_come_back_with_an_address(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    body = {"name": f"Tall {uuid.uuid4().hex[:6]}", "parameters": {"storeys": 41}}
    made = caller.post(f"projects/{demo['project_id']}/variants", json=body, headers={"Prefer": "wait=60"})
    variant = made.json()["data"]["variant"]["variant_id"]
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    open_demo(visit)
    page = visit.page
    page.get_by_role("tab", name="Variants").click()
    page.get_by_role("button", name=body["name"], exact=True).click()
    page.get_by_role("tab", name="Comments").click()
    copied = _copied(page, "p.storeys=41", "tab=variants", "side=comments", f"open={variant}")
    page.goto("about:blank")
    page.goto(copied)
    open_demo(visit)
    expect(page.get_by_role("tab", name="Variants")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Comments")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_label("Comments on")).to_have_value("variant")
    expect(metric(page, "height")).to_have_text(re.compile("^14[78]"))
    expect(page).to_have_url(copied)

    page.get_by_role("tab", name="Designs").click()
    designs = page.get_by_role("region", name="Many designs")
    designs.get_by_label("Designs of").select_option("stored")
    designs.get_by_label("Storeys: at least").fill("41")
    designs.get_by_label("Storeys: at least").press("Enter")
    designs.get_by_label("Only those that meet all constraints").check()
    hits = str(designs.locator(".hits").text_content())
    copied = _copied(page, "designs=stored", "f.storeys=41..", "feasible=only")
    assert "tab=" not in copied
    page.goto("about:blank")
    page.goto(copied)
    open_demo(visit)
    expect(designs.get_by_label("Storeys: at least")).to_have_value("41")
    expect(designs.get_by_label("Only those that meet all constraints")).to_be_checked()
    expect(designs.locator(".hits")).to_have_text(hits)

    page.goto(f"{visit.base}/studio#project={demo['project_id']}&tab=nowhere&f.storeys=a..b&open={NOBODY}")
    expect(page.get_by_role("tab", name="Inputs")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("status").filter(has_text=re.compile("variant", re.IGNORECASE)).first).to_be_visible()
    ends_clean(visit, "status of 404")


def test_a_draft_runs_from_its_address_for_who_may_run_it(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, f"Address {uuid.uuid4().hex[:6]}", BEAM)
    draft = upload(caller, project, BEAM.replace("10 *", "40 *"))
    visit = open_project(browser, demo, project)
    page = visit.page
    expect(metric(page, "mass")).to_have_text("240 kg")
    page.get_by_role("tab", name="Models").click()
    page.get_by_role("button", name="Run version 2").click()
    expect(metric(page, "mass")).to_have_text("960 kg")
    copied = _copied(page, "tab=models", f"draft={draft['model_id']}.{draft['model_version_id']}")

    again = Visit(browser, demo, copied.removeprefix(visit.base), **DESK)
    sign_in(again.page, demo["client_id"], demo["client_secret"])
    expect(again.page.locator(".draft")).to_contain_text("version 2 runs here for you alone")
    expect(metric(again.page, "mass")).to_have_text("960 kg")
    again.page.goto(f"{visit.base}/studio#project={project}&draft={draft['model_id']}.{NOBODY}")
    expect(again.page.get_by_text("The draft of this address can't be run")).to_be_visible()
    expect(metric(again.page, "mass")).to_have_text("240 kg")
    ends_clean(again, "status of 404")

    robot = caller.post("clients", json={"name": f"robot {uuid.uuid4().hex[:6]}"}).json()["data"]
    member = {"user_id": robot["client"]["user_id"], "role": "evaluator"}
    assert caller.post(f"projects/{project}/members", json=member).status_code == 201
    theirs = Visit(browser, demo, copied.removeprefix(visit.base), **DESK)
    sign_in(theirs.page, robot["client"]["client_id"], robot["client_secret"])
    expect(theirs.page.get_by_text("The draft of this address can't be run")).to_be_visible()
    expect(metric(theirs.page, "mass")).to_have_text("240 kg")
    expect(theirs.page.locator(".draft")).to_have_count(0)

    page.get_by_role("button", name="Deploy it").click()
    expect(page.locator(".draft")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("draft="))
    ends_clean(visit)
