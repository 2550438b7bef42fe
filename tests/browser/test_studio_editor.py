"""The editor of models in the Studio: a draft that is checked, run and deployed. Needs Chromium and the built bundle."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.models_page import BEAM, open_models, open_project, upload, version
from browser.studio_page import ends_clean, metric
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

SCAD = """$fn = 64;
label = "M6"; // thin
module plate(w) {
    #cube([w, w, 1]);
}
plate(4);
"""


def _write(page: Page, text: str) -> None:
    """Write a text in place of the one that is there."""
    page.get_by_role("textbox", name="Source of the model").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


def test_a_draft_is_checked_run_with_the_pages_inputs_and_deployed(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, f"Draft {uuid.uuid4().hex[:6]}", BEAM)
    visit = open_project(browser, demo, project)
    page = visit.page
    expect(metric(page, "mass")).to_have_text("240 kg")
    entry = page.get_by_label("Span", exact=True).first
    entry.fill("30")
    entry.press("Enter")
    expect(metric(page, "mass")).to_have_text("300 kg")
    open_models(page)
    page.get_by_role("button", name="Edit version 1").click()
    state = page.locator("catenary-editor .told")
    expect(state).to_have_text("Version 1, ready, deployed")

    _write(page, BEAM.replace("10 *", "10 @@"))
    page.keyboard.press("Control+S")
    expect(state).to_have_text("Version 2 failed its check")
    expect(page.locator("catenary-editor").get_by_role("alert")).to_contain_text("line 9")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(metric(page, "mass")).to_have_text("300 kg")

    _write(page, BEAM.replace("10 *", "40 *"))
    expect(state).to_have_text("Changed since version 2")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(metric(page, "mass")).to_have_text("1 200 kg")
    expect(page.locator(".draft")).to_contain_text("version 3 runs here for you alone")
    page.keyboard.press("Control+Z")
    body = caller.get(f"projects/{project}").json()["data"]["project"]
    assert (
        body["deployed_model_version_id"]
        != caller.get(f"projects/{project}/models").json()["data"]["models"][0]["latest_model_version_id"]
    )
    page.get_by_role("button", name="Deploy it").click()
    expect(page.locator(".draft")).to_have_count(0)
    expect(metric(page, "mass")).to_have_text("1 200 kg")
    ends_clean(visit)


def test_a_text_that_is_in_no_version_is_not_lost_unasked(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, f"Kept {uuid.uuid4().hex[:6]}", BEAM)
    visit = open_project(browser, demo, project)
    page = visit.page
    open_models(page)
    page.get_by_role("button", name="Edit version 1").click()
    _write(page, BEAM.replace("10 *", "50 *"))
    asks = "dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert page.evaluate(asks) is False, "the browser asks before a reload"
    upload(caller, project, BEAM)
    newer = page.locator("catenary-editor").get_by_role("alert")
    expect(newer).to_contain_text("Version 2 was uploaded meanwhile")
    page.get_by_role("button", name="Check as draft").click()
    expect(page.get_by_text("say that you go on from your text")).to_be_visible()
    page.get_by_role("button", name="Go on from my text").click()
    page.route("**/versions", lambda route: route.abort())
    page.get_by_role("button", name="Check as draft").click()
    expect(page.get_by_text("The server can't be reached")).to_be_visible()
    page.unroute("**/versions")

    page.get_by_role("link", name="Catenary", exact=True).click()
    page.locator("catenary-projects .cards").wait_for()
    page.go_back()
    open_models(page)
    version(page, 1).locator("summary").click()
    page.get_by_role("button", name="Edit version 1").click()
    expect(page.get_by_role("textbox", name="Source of the model")).to_contain_text("50 *")
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Keep writing").click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Throw away").click()
    page.get_by_role("button", name="Edit version 1").click()
    expect(page.get_by_role("textbox", name="Source of the model")).to_contain_text("10 *")
    ends_clean(visit, "net::ERR_FAILED")


def test_openscad_has_colours_and_completes_names(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    project = deployed(caller, f"Scad {uuid.uuid4().hex[:6]}", BEAM)
    model = caller.post(f"projects/{project}/models", json={"name": "bracket"}).json()["data"]["model"]["model_id"]
    given = {"Content-Type": "application/x-openscad"}
    assert caller.post(f"projects/{project}/models/{model}/versions", content=SCAD, headers=given).status_code == 201
    visit = open_project(browser, demo, project)
    page = visit.page
    open_models(page)
    page.locator("catenary-model-version").nth(1).wait_for()
    source = page.get_by_role("textbox", name="Source of the model")
    for button in page.get_by_role("button", name="Edit version 1").all():
        button.click()
        source.wait_for()
        if "cube" in source.inner_text():
            break
        page.get_by_role("button", name="Close", exact=True).click()
    words = ("module", "plate", "$fn", "64", "// thin", '"M6"', "#")
    colours = [
        source.locator("span", has_text=word).first.evaluate("one => getComputedStyle(one).color") for word in words
    ]
    assert len(set(colours)) == len(words)
    source.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("cyl")
    expect(page.get_by_role("option").first).to_have_text("cylinder")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Throw away").click()
    ends_clean(visit)


def test_every_fault_of_the_lists_is_marked_at_its_line(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, deployed(caller, f"Faults {uuid.uuid4().hex[:6]}", BEAM))
    page = visit.page
    open_models(page)
    page.get_by_role("button", name="Edit version 1").click()
    entries = "".join(f'    {{"name": "{name}", "type": "number"}},\n' for name in ("span", "depth", "width"))
    _write(page, f"PARAMETERS = [\n{entries}]\n\n\ndef evaluate(p):\n    return {{}}\n")
    page.keyboard.press("Control+S")
    expect(page.locator("catenary-editor .told")).to_have_text("Version 2 failed its check")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(3)
    told = page.locator("catenary-editor").get_by_role("alert")
    expect(told.get_by_role("listitem")).to_have_text(
        ["line 3 PARAMETERS: depth: has no default.", "line 4 PARAMETERS: width: has no default."]
    )
    told.get_by_role("button", name="line 4").click()
    expect(page.locator(".cm-activeLine")).to_contain_text("width")
    ends_clean(visit)
