"""Designs that are computed from the Studio: a sample, a search, a sensitivity. Needs Chromium and the built bundle."""

from __future__ import annotations

import re
import time
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, expect

from browser.conftest import Visit
from browser.models_page import BEAM, open_project
from browser.studio_page import ends_clean
from browser.test_studio_access import faults
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}
MODEL = """
PARAMETERS = [
    {"name": "span", "type": "number", "min": 5, "max": 60, "default": 24, "unit": "m"},
    {"name": "depth", "type": "number", "min": 0.2, "max": 2, "default": 1, "unit": "m"},
    {"name": "grade", "type": "choice", "choices": ["S235", "S355"], "default": "S235"},
    {"name": "load", "type": "number", "default": 4},
    {"name": "title", "type": "string", "default": "Deck"},
]
METRICS = [{"name": "mass", "unit": "kg"}, {"name": "sag", "unit": "mm"}]


def evaluate(p):
    sag = p["load"] * p["span"] ** 3 / p["depth"] ** 3 / 1000
    return {"metrics": {"mass": 10 * p["span"] * p["depth"], "sag": sag}}
"""
SLOW = BEAM.replace("    return", "    import time\n    time.sleep(0.4)\n    return")


def _open(visit: Visit) -> tuple[Locator, Locator]:
    """Open the form, and return the charts and it."""
    visit.page.get_by_role("tab", name="Designs").click()
    designs = visit.page.get_by_role("region", name="Many designs")
    designs.get_by_role("button", name="Compute designs").click()
    return designs, designs.get_by_role("form", name="Compute designs")


@pytest.mark.gate
def test_a_search_is_begun_followed_and_leads_to_its_front(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, "Deck", MODEL)
    visit = open_project(browser, demo, f"{project}&p.load=7")
    designs, form = _open(visit)
    form.get_by_role("radio", name="Find the best").check()
    form.get_by_role("button", name="Start").click()
    expect(form.get_by_role("alert")).to_have_text("Choose what is to be low or high.")
    form.get_by_label("Mass").select_option("minimize")
    form.get_by_label("Sag").select_option("minimize")
    expect(form.locator("[data-range=load]")).to_contain_text("stays at 7")
    expect(form.locator("[data-range=grade]")).to_contain_text("all of its values")
    form.get_by_role("checkbox", name="Grade").uncheck()
    form.get_by_label("Span: from").fill("40")
    form.get_by_label("Span: to").fill("30")
    form.get_by_role("button", name="Start").click()
    expect(form.get_by_role("alert")).to_contain_text("The range of Span must go from a lower to a higher number.")
    form.get_by_label("Span: to").fill("61")
    form.get_by_role("button", name="Start").click()
    expect(form.get_by_role("alert")).to_contain_text("60")  # the platform's refusal
    form.get_by_label("Span: to").fill("50,5")
    conditions = form.get_by_role("textbox", name="Conditions")
    conditions.fill("mass > 0\nsag <= 30 kg")
    form.get_by_role("button", name="Start").click()
    expect(form.get_by_role("alert")).to_contain_text("Condition 2, column 5: <=")
    conditions.fill("mass > 0\nspan >= 41 m")
    form.get_by_label("Number of designs").fill("60")
    form.get_by_label("Name").fill("Light decks")
    form.get_by_role("button", name="Start").click()
    expect(form).to_be_hidden()
    expect(designs.locator(".hits")).to_have_text("60 of 60 designs")
    (study,) = caller.get(f"projects/{project}/studies").json()["data"]["studies"]
    assert (study["name"], study["budget"]) == ("Light decks", 60)
    asked = {name: (one["min"], one["max"], one["fixed"]) for name, one in study["parameters"].items()}
    assert asked == {
        "span": (40.0, 50.5, None),
        "depth": (None, None, None),
        "grade": (None, None, "S235"),
        "load": (None, None, 7),
    }
    assert {one["metric"]: one["direction"] for one in study["objectives"]} == dict.fromkeys(
        ("mass", "sag"), "minimize"
    )
    assert [one["expression"] for one in study["constraints"]] == ["mass > 0", "span >= 41 m"]
    expect(visit.page).to_have_url(re.compile(f"designs=study%3A{study['study_id']}"))
    designs.get_by_role("button", name="that no other surpasses").click()
    expect(designs.get_by_label("Designs of")).to_have_value(f"front:{study['study_id']}")
    expect(designs.locator(".hits")).to_have_text(re.compile(rf"^{study['front_size']} of "))
    ends_clean(visit, "status of 400")


def test_a_sample_is_followed_and_cancelled(browser: Browser, demo: dict[str, Any], caller: httpx.Client) -> None:
    project = deployed(caller, "Slow sample", SLOW)
    visit = open_project(browser, demo, project)
    designs, form = _open(visit)
    form.get_by_label("Number of designs").fill("400")
    form.get_by_role("button", name="Start").click()
    expect(designs.get_by_text(re.compile("of 400 designs computed"))).to_be_visible()
    (batch,) = caller.get(f"projects/{project}/batches").json()["data"]["batches"]
    end = time.monotonic() + 30
    while caller.get(f"batches/{batch['batch_id']}").json()["data"]["batch"]["counts"]["completed"] == 0:
        assert time.monotonic() < end
        time.sleep(0.2)
    designs.get_by_role("button", name="Cancel").click()
    expect(designs.get_by_text(re.compile("of 400 designs computed"))).to_be_hidden()
    batch = caller.get(f"batches/{batch['batch_id']}").json()["data"]["batch"]
    assert batch["status"] == "cancelled"
    expect(designs.locator(".hits")).to_have_text(re.compile(f"^{batch['counts']['completed']} of "))
    assert caller.get(f"projects/{project}/plans").json()["data"]["plans"] == []
    ends_clean(visit)


def test_what_inputs_count_for_is_shown_once_a_sensitivity_has_ended(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, "Matters", MODEL)
    visit = open_project(browser, demo, project, **PHONE)
    designs, form = _open(visit)
    form.get_by_role("radio", name="See what matters").check()
    form.get_by_role("checkbox", name="Sag").uncheck()
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert faults(visit.page) == []
    assert not visit.page.evaluate(wide)
    form.get_by_role("button", name="Start").click()
    table = designs.get_by_role("region", name="What counts for Mass")
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.last).to_have_attribute("data-index", "grade")  # of which the mass knows nothing
    expect(rows.last.locator("td").first).to_contain_text(re.compile(r"^\s*0\b"))
    expect(designs.get_by_role("region", name="What counts for Sag")).to_be_hidden()
    assert faults(visit.page) == []
    assert not visit.page.evaluate(wide)
    ends_clean(visit)


def test_a_viewer_sees_no_form_but_how_far_a_batch_is(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, "Watched", SLOW)
    points = [{"parameters": {"span": 5 + at % 50}} for at in range(200)]
    batch = caller.post(f"projects/{project}/evaluate/batch", json={"evaluations": points}).json()["data"]["batch"]
    made = caller.post(f"projects/{project}/shares", json={"kind": "link", "role": "viewer"})
    assert made.status_code == 201, made.text
    token = made.json()["data"]["url"].split("#")[1]
    visit = Visit(browser, demo, f"/studio#{token}")
    visit.page.get_by_role("tab", name="Designs").click()
    designs = visit.page.get_by_role("region", name="Many designs")
    expect(designs.get_by_text(re.compile("of 200 designs computed"))).to_be_visible()
    expect(designs.get_by_role("button", name="Compute designs")).to_be_hidden()
    expect(designs.get_by_role("button", name="Cancel")).to_be_hidden()
    assert caller.delete(f"batches/{batch['batch_id']}").status_code == 200
    ends_clean(visit, "WebSocket connection")
