"""What tests do with models on the Studio's page."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import Visit
from browser.studio_page import sign_in

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
BEAM = """
PARAMETERS = [
    {"name": "span", "type": "number", "min": 5, "max": 60, "step": 1, "default": 24, "unit": "m"},
]
METRICS = [{"name": "mass", "unit": "kg"}]


def evaluate(p):
    return {"metrics": {"mass": 10 * p["span"]}, "geometry": {}, "tables": {}}
"""
DROP = """([name, parts]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(parts.map((one) => typeof one === "number" ? new Uint8Array(one) : one), name));
    return transfer;
}"""


def new_project(caller: httpx.Client) -> str:
    """Make a project without a model; return its id."""
    found = caller.post("projects", json={"name": f"Bridge {uuid.uuid4().hex[:6]}"})
    assert found.status_code == 201, found.text
    return str(found.json()["data"]["project"]["project_id"])


def upload(caller: httpx.Client, project: str, source: str, *, deploys: bool = False) -> dict[str, Any]:
    """Upload another version of the project's only model; return it when its check is done."""
    (model,) = caller.get(f"projects/{project}/models").json()["data"]["models"]
    path = f"projects/{project}/models/{model['model_id']}/versions"
    made = caller.post(path, content=source.encode(), headers={"Content-Type": "text/x-python"})
    assert made.status_code == 201, made.text
    version_id = made.json()["data"]["model_version"]["model_version_id"]
    path += f"/{version_id}"
    found: dict[str, Any] = caller.get(path, headers={"Prefer": "wait=60"}).json()["data"]["model_version"]
    assert found["status"] in ("ready", "failed")
    if deploys:
        body = {"model_version_id": version_id}
        assert caller.post(f"projects/{project}/deployments", json=body).status_code == 201
    return found


def open_project(browser: Browser, demo: dict[str, Any], project: str, **options: Any) -> Visit:
    """Open a project as the demo's own client."""
    visit = Visit(browser, demo, f"/studio#project={project}", **{**DESK, **options})
    sign_in(visit.page, demo["client_id"], demo["client_secret"])
    return visit


def open_models(page: Page) -> None:
    """Open the list of models and wait for a version."""
    page.get_by_role("tab", name="Models").click()
    page.locator("catenary-model-version").first.wait_for()


def drop(page: Page, name: str, *parts: str | int, at: str = "catenary-upload .drop") -> None:
    """Drop a file of some texts, or of numbers of zero bytes, onto the page."""
    page.locator("catenary-upload .drop").wait_for()
    transfer = page.evaluate_handle(DROP, [name, list(parts)])
    for kind in ("dragover", "drop"):
        page.dispatch_event(at, kind, {"dataTransfer": transfer})


def version(page: Page, number: int) -> Locator:
    """Return a version of the only model."""
    return page.locator(f"[data-version='{number}']")


def has_status(page: Page, number: int, status: str) -> None:
    """Wait for the status of a version."""
    expect(version(page, number).locator("[data-status]")).to_have_attribute("data-status", status)
