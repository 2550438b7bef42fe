"""The Studio of an installation in which nobody has made anything. Needs Chromium."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visit
from browser.models_page import DESK
from browser.studio_page import ends_clean, metric, sign_in
from catenary_edge.studio import files
from factories.installations.installation import Installation, catenary

# Slow: an installation of its own.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.sampled,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]


def test_the_first_person_of_an_installation_comes_to_a_design(browser: Browser, data_root: Path) -> None:
    data_dir = data_root / "nobody"
    installation = Installation(data_dir, ["--nodes", "1", "--workers", "1", "--dev"], empty=True)
    try:
        served = {"base_url": installation.base_url()}
        made = catenary("client", "create", "First", "--json", "--data-dir", str(data_dir))
        client = json.loads(made.stdout)
        visit = Visit(browser, served, "/studio", **DESK)
        page = visit.page
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        expect(page.get_by_role("button", name="Open the demo")).to_have_count(0)
        sign_in(page, client["client_id"], client["client_secret"])
        expect(page.get_by_text("catenary model push")).to_be_visible()
        page.get_by_label("Name of the project").fill("First bridge")
        page.get_by_role("button", name="Create the project").click()
        page.get_by_role("button", name="Start with an example: a beam").click()
        page.locator("catenary-viewer[data-triangles]").wait_for()
        before = metric(page, "mass").inner_text()
        page.get_by_role("slider", name="Depth").press("ArrowRight")
        expect(metric(page, "mass")).not_to_have_text(before)
        ends_clean(visit)
    finally:
        installation.stop()
