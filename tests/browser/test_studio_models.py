"""Models in the Studio: from an empty project to a moving slider, faults at their lines, deployments, drafts. Needs Chromium."""

from __future__ import annotations

import re
import uuid
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from browser.conftest import Visit
from browser.models_page import (
    BEAM,
    DESK,
    drop,
    has_status,
    new_project,
    open_models,
    open_project,
    upload,
    version,
)
from browser.studio_page import ends_clean, metric, sign_in
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sampled,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}
HEAVY_BEAM = BEAM.replace("10 *", "20 *").replace(
    "]\nMETRICS", '    {"name": "load", "type": "number", "min": 1, "max": 9, "default": 2, "unit": "kN"},\n]\nMETRICS'
)
WITHOUT_COMMA = BEAM.replace('"step": 1, ', '"step": 1 ')
RAISING = BEAM.replace('    return {"metrics"', '    raise ValueError("no load path")\n    return {"metrics"')


@pytest.mark.gate
def test_a_newcomer_drops_a_file_and_moves_its_slider(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/studio", **DESK)
    page = visit.page
    sign_in(page, demo["client_id"], demo["client_secret"])
    # A socket that is left while it opens is a complaint.
    page.locator("[data-connection=open], .cards").first.wait_for()
    page.get_by_role("link", name="Catenary", exact=True).click()
    page.get_by_role("button", name="New project").click()
    name = f"<script>alert(1)</script> {uuid.uuid4().hex[:6]}"
    page.get_by_label("Name of the project").fill(name)
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page.get_by_role("button", name="Start with an example: a beam")).to_be_visible()

    drop(page, "foot_bridge.py", BEAM)
    expect(metric(page, "mass")).to_have_text("240 kg")
    slider = page.get_by_role("slider", name="Span")
    slider.focus()
    slider.press("ArrowRight")
    expect(metric(page, "mass")).to_have_text("250 kg")
    open_models(page)
    expect(page.get_by_role("heading", name="Foot bridge")).to_be_visible()
    has_status(page, 1, "ready")
    expect(version(page, 1).get_by_text("deployed", exact=True)).to_be_visible()
    ends_clean(visit)


def test_the_example_is_checked_deployed_and_shown(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, new_project(caller))
    visit.page.get_by_role("button", name="Start with an example: a beam").click()
    visit.page.locator("catenary-viewer[data-triangles]").wait_for()
    expect(visit.page.get_by_role("slider", name="Depth")).to_be_enabled()
    ends_clean(visit)


def test_a_faulty_file_shows_its_fault_at_its_line(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, new_project(caller))
    page = visit.page
    drop(page, "beam.py", WITHOUT_COMMA)
    has_status(page, 1, "failed")
    finding = version(page, 1).locator(".finding")
    expect(finding).to_contain_text("MODEL_FAILED, line 3")
    expect(finding.locator("pre")).to_contain_text('3    {"name": "span"')
    held: list[Route] = []
    page.route(
        "**/deployments", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    drop(page, "beam.py", RAISING)
    has_status(page, 2, "failed")
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.status == 409):
        held[0].continue_()  # what fails before it is deployed can't be deployed, which its finding tells alone
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(version(page, 2).locator(".finding")).to_contain_text("no load path")
    expect(version(page, 2).locator("pre")).to_contain_text("raise ValueError")
    page.get_by_role("button", name="Log of version 2").click()
    expect(version(page, 2).locator("pre.printed")).to_contain_text("ValueError")
    expect(page.get_by_role("button", name=re.compile("^(Deploy|Run) version"))).to_have_count(0)
    version(page, 1).locator("summary").click()
    page.get_by_role("button", name="Delete version 1").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(version(page, 1)).to_have_count(0)
    ends_clean(visit, "status of 409")  # of each file whose check was faster than its deployment


def test_a_file_that_can_be_no_model_is_refused_in_words(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    visit = open_project(browser, demo, new_project(caller))
    page = visit.page
    alert = page.get_by_role("alert")
    drop(page, "beam.txt", BEAM)
    expect(alert).to_contain_text("“beam.txt” can't be a model")
    drop(page, "beam.py", "")
    expect(alert).to_contain_text("is empty")
    drop(page, "beam.zip", 64 * 1024 * 1024 + 1)
    expect(alert).to_contain_text("at most 64 MiB")
    drop(page, "beam.zip", "no zip")
    expect(alert).to_contain_text("zip")
    page.route("**/versions", lambda route: route.abort())
    drop(page, "beam.py", BEAM)
    expect(alert).to_contain_text("The server can't be reached")
    page.unroute("**/versions")
    page.get_by_role("button", name="Send “beam.py” again").click()
    expect(metric(page, "mass")).to_have_text("240 kg")
    open_models(page)
    has_status(page, 1, "ready")
    ends_clean(visit, "net::ERR_FAILED", "status of 400")


def test_models_are_named_renamed_and_deleted(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    project = deployed(caller, f"Names {uuid.uuid4().hex[:6]}", BEAM)
    (model,) = caller.get(f"projects/{project}/models").json()["data"]["models"]
    visit = open_project(browser, demo, project)
    page = visit.page
    open_models(page)
    page.get_by_role("button", name="New model by name").click()
    page.get_by_label("Name of the model").fill(model["name"])
    page.get_by_role("button", name="Create the model").click()
    expect(page.get_by_role("alert")).to_contain_text("take another name")
    name = f"<script>{'x' * 190}"
    page.get_by_label("Name of the model").fill(name)
    page.get_by_role("button", name="Create the model").click()
    made = page.get_by_role("region", name=name)
    expect(made).to_contain_text("It has no version yet")
    assert page.evaluate("document.documentElement.scrollWidth") <= DESK["viewport"]["width"]
    made.get_by_role("button", name="Rename").click()
    page.get_by_label("Name of the model").fill("Roof")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Delete Roof").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="Roof")).to_have_count(0)
    page.get_by_role("button", name="Delete version 1").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("deployed")
    ends_clean(visit, "status of 409")


def test_a_roll_back_keeps_the_values_that_fit(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    project = deployed(caller, f"Back {uuid.uuid4().hex[:6]}", BEAM)
    upload(caller, project, HEAVY_BEAM, deploys=True)
    visit = open_project(browser, demo, project)
    page = visit.page
    expect(metric(page, "mass")).to_have_text("480 kg")
    page.get_by_label("Span", exact=True).first.fill("30")
    page.get_by_label("Span", exact=True).first.press("Enter")
    expect(metric(page, "mass")).to_have_text("600 kg")
    open_models(page)
    version(page, 1).locator("summary").click()
    page.get_by_role("button", name="Roll back to version 1").click()
    expect(metric(page, "mass")).to_have_text("300 kg")
    expect(version(page, 1).get_by_text("deployed", exact=True)).to_be_visible()
    page.get_by_text("Deployments", exact=True).click()
    expect(page.locator("[data-deployment=active]")).to_contain_text("version 1")
    expect(page.locator("[data-deployment=retired]")).to_have_count(2)
    page.get_by_role("tab", name="Inputs").click()
    expect(page.get_by_role("slider", name="Load")).to_have_count(0)
    upload(caller, project, HEAVY_BEAM, deploys=True)
    expect(page.get_by_role("slider", name="Load")).to_be_visible()
    expect(metric(page, "mass")).to_have_text("600 kg")
    open_models(page)
    page.get_by_role("button", name="Undeploy version 3").click()
    page.get_by_role("button", name="Undeploy", exact=True).click()
    expect(version(page, 3).get_by_text("deployed", exact=True)).to_have_count(0)
    expect(page.get_by_role("slider")).to_have_count(0)
    expect(page.get_by_role("heading", name="Back", level=1)).to_be_visible()
    assert caller.get(f"projects/{project}").json()["data"]["project"]["deployed_model_version_id"] is None
    ends_clean(visit)


def test_a_viewer_reads_models_and_changes_none(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    project = deployed(caller, f"Viewed {uuid.uuid4().hex[:6]}", BEAM)
    robot = caller.post("clients", json={"name": "Reader of models"}).json()["data"]
    member = {"user_id": robot["client"]["user_id"], "role": "viewer"}
    assert caller.post(f"projects/{project}/members", json=member).status_code == 201
    visit = Visit(browser, demo, f"/studio#project={project}", **DESK)
    page = visit.page
    sign_in(page, robot["client"]["client_id"], robot["client_secret"])
    open_models(page)
    has_status(page, 1, "ready")
    expect(page.locator("catenary-models").get_by_role("button")).to_have_count(0)
    expect(page.locator("catenary-upload")).to_have_count(0)
    ends_clean(visit)


def test_a_role_that_ends_takes_its_buttons_along(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    project = deployed(caller, f"Lost {uuid.uuid4().hex[:6]}", BEAM)
    robot = caller.post("clients", json={"name": "Editor of models"}).json()["data"]
    member = {"user_id": robot["client"]["user_id"], "role": "editor"}
    assert caller.post(f"projects/{project}/members", json=member).status_code == 201
    visit = Visit(browser, demo, f"/studio#project={project}", **DESK)
    page = visit.page
    sign_in(page, robot["client"]["client_id"], robot["client_secret"])
    open_models(page)
    page.get_by_role("button", name="Delete version 1").wait_for()
    caller.put(f"projects/{project}/members/{member['user_id']}", json={"role": "evaluator"})
    expect(page.locator("catenary-upload")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete version 1")).to_have_count(0)
    ends_clean(visit)


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["desk", "phone"])
def test_the_models_fit_the_page(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, options: dict[str, Any]
) -> None:
    visit = open_project(browser, demo, new_project(caller), **options)
    page = visit.page
    page.locator("catenary-upload .drop").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]
    drop(page, "beam.py", BEAM)
    expect(metric(page, "mass")).to_be_visible()
    open_models(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]
    ends_clean(visit)
