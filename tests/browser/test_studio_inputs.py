"""Inputs of the Studio for tables and files, and the charts of their numbers. Needs Chromium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visit
from browser.studio_page import ends_clean, metric, sign_in
from catenary_edge.studio import files
from factories.installations.installation import client_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
SOURCE = """
PARAMETERS = [
    {
        "name": "loads",
        "type": "table",
        "default": [{"at": 2.5, "force": 12, "note": "snow"}],
        "columns": [
            {"name": "at", "type": "number", "unit": "m"},
            {"name": "force", "type": "number", "unit": "kN"},
            {"name": "note", "type": "string"},
        ],
    },
    {"name": "profile", "type": "file", "accept": [".csv"], "max_bytes": 1000},
]
METRICS = [{"name": "force", "unit": "kN"}, {"name": "lines"}]


def evaluate(p):
    with open(p["profile"]) as file:
        lines = len(file.readlines())
    return {
        "metrics": {"force": sum(row["force"] for row in p["loads"]), "lines": lines},
        "tables": {"given": p["loads"]},
        "charts": {"forces": {"kind": "line", "table": "given", "x": "at", "y": ["force"]}},
    }
"""


OF_EACH_TYPE = """
import datetime

PARAMETERS = [
    {"name": "bolts", "type": "choice", "choices": [4, 6, 8], "default": 6},
    {"name": "steel", "type": "choice", "choices": ["S235", "S355"], "default": "S235"},
    {"name": "coated", "type": "boolean", "default": False},
    {"name": "mark", "type": "string", "default": "B1"},
    {"name": "note", "type": "string", "default": "first line\\nsecond line"},
    {"name": "begin", "type": "date", "default": "2026-02-28"},
    {"name": "shade", "type": "color", "default": "#b8b2a780"},
    {"name": "anchor", "type": "point", "unit": "m", "default": [1, 2, 3]},
]
METRICS = [{"name": "sum"}]


def evaluate(p):
    day = datetime.date.fromisoformat(p["begin"]).day
    green = int(p["shade"][3:5], 16)
    lines = len(p["note"].splitlines())
    values = [p["bolts"], p["steel"] == "S355", p["coated"], len(p["mark"]), lines, day, green, p["anchor"][1]]
    names = ("bolts", "steel", "coated", "mark", "note", "begin", "shade", "anchor")
    rows = [{"name": name, "number": float(value)} for name, value in zip(names, values)]
    return {"metrics": {"sum": sum(map(float, values))}, "tables": {"read": rows}}
"""
CONDITIONED = """
PARAMETERS = [
    {"name": "span", "type": "number", "unit": "m", "default": 20, "min": 1, "max": 60},
    {"name": "camber", "type": "number", "unit": "mm", "default": 30, "show_if": "max(span, 10 ft) > 25 m"},
]
METRICS = [{"name": "length", "unit": "m"}]


def evaluate(p):
    return {"metrics": {"length": p["span"]}}
"""


def _deployed(demo: dict[str, Any], name: str, source: str) -> str:
    """Make a project with a deployed model."""
    with client_of(demo) as http:
        project = http.post("projects", json={"name": name}).json()["data"]["project"]["project_id"]
        models = f"projects/{project}/models"
        model = http.post(models, json={"name": name}).json()["data"]["model"]["model_id"]
        sent = {"content": source, "headers": {"Content-Type": "text/x-python"}}
        made = http.post(f"{models}/{model}/versions", **sent).json()["data"]["model_version"]["model_version_id"]
        waited = http.get(f"{models}/{model}/versions/{made}", headers={"Prefer": "wait=60"})
        assert waited.json()["data"]["model_version"]["status"] == "ready", waited.text
        http.post(f"projects/{project}/deployments", json={"model_version_id": made}).raise_for_status()
    return str(project)


@pytest.fixture(scope="module")
def project_id(demo: dict[str, Any]) -> str:
    return _deployed(demo, "Loads", SOURCE)


def _paste(page: Page, label: str, text: str) -> None:
    page.get_by_label(label).evaluate(
        """(field, text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def test_tables_are_pasted_and_files_uploaded(
    browser: Browser, demo: dict[str, Any], project_id: str, tmp_path: Path
) -> None:
    visit = Visit(browser, demo, f"/studio#project={project_id}", **DESK)
    page = visit.page
    sign_in(page, demo["client_id"], demo["client_secret"])
    expect(page.get_by_role("alert").first).to_contain_text("profile")
    upload = page.get_by_label("Profile: upload a file")
    upload.set_input_files({"name": "wrong.txt", "mimeType": "text/plain", "buffer": b"x"})
    expect(page.get_by_text("The name must end with .csv.")).to_be_visible()
    upload.set_input_files({"name": "section.csv", "mimeType": "text/csv", "buffer": b"a\nb\nc\n"})
    expect(metric(page, "lines")).to_contain_text("3")
    expect(page.get_by_label("Profile", exact=True).locator("option:checked")).to_have_text("section.csv")

    page.get_by_role("button", name="Loads: edit the table").click()
    page.get_by_role("button", name="Add a row").click()
    page.get_by_role("button", name="Take the table").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Row 2: at must be a number, as in 3,5 m.")
    _paste(page, "At, row 1", "1\t10\tsnow\n2,5\t20\twind\n3 ft\t30\t")
    expect(page.get_by_label("Note, row 2")).to_have_value("wind")
    page.screenshot(path=tmp_path / "table.png")
    page.get_by_role("button", name="Take the table").click()
    expect(metric(page, "force")).to_contain_text("60")
    expect(page.get_by_role("button", name="Loads: edit the table")).to_contain_text("3 rows")
    chart = page.get_by_role("img", name="Line chart of Force by At")
    expect(chart).to_have_attribute("data-points", "3")
    before = chart.screenshot(path=tmp_path / "light.png")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(300)
    assert chart.screenshot(path=tmp_path / "dark.png") != before
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Undo").click()
    expect(metric(page, "force")).to_contain_text("12")
    page.get_by_role("button", name="Loads: edit the table").click()
    page.get_by_role("button", name="Remove row 1").click()
    page.get_by_role("button", name="Cancel").click()
    expect(metric(page, "force")).to_contain_text("12")
    assert [text for text in visit.complaints if "Content Security" in text] == []
    page.close()


def test_choices_switches_texts_days_colours_and_points_reach_the_model(browser: Browser, demo: dict[str, Any]) -> None:
    project = _deployed(demo, "Types", OF_EACH_TYPE)
    visit = Visit(browser, demo, f"/studio#project={project}", **DESK)
    page = visit.page
    sign_in(page, demo["client_id"], demo["client_secret"])
    total: float = 6 + 0 + 0 + 2 + 2 + 28 + 0xB2 + 2
    expect(metric(page, "sum")).to_have_text(f"{total:g}")
    inputs = page.get_by_role("region", name="Inputs")

    def entered(by: float) -> None:
        nonlocal total
        total += by
        expect(metric(page, "sum")).to_have_text(f"{total:g}")

    inputs.get_by_label("Bolts").select_option("8")
    entered(2)
    inputs.get_by_label("Steel").select_option("S355")
    entered(1)
    inputs.get_by_role("switch", name="Coated").check()
    entered(1)
    inputs.get_by_label("Mark").fill("Beam 1")
    inputs.get_by_label("Mark").press("Enter")
    entered(4)
    note = inputs.get_by_label("Note")
    expect(note).to_have_value("first line\nsecond line")
    note.fill("one\ntwo\nthree")
    note.press("Tab")
    entered(1)
    inputs.get_by_label("Begin").fill("2026-03-05")
    entered(5 - 28)
    inputs.get_by_label("Shade").fill("#b8ffa7")
    inputs.get_by_label("Shade").dispatch_event("change")
    entered(0xFF - 0xB2)
    expect(page).to_have_url(re.compile("p.shade=%22%23b8ffa780%22"))
    inputs.get_by_label("Anchor Y").fill("3,5")
    inputs.get_by_label("Anchor Y").press("Enter")
    entered(1.5)

    inputs.get_by_label("Mark").fill("x" * 10_001)
    inputs.get_by_label("Mark").press("Enter")
    alert = inputs.get_by_role("alert")
    expect(alert).to_contain_text("at most 10000 characters")
    expect(inputs.get_by_label("Mark")).to_have_attribute("aria-invalid", "true")
    expect(metric(page, "sum")).to_have_text(f"{total:g}")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(alert).to_have_count(0)
    expect(inputs.get_by_label("Mark")).to_have_value("Beam 1")
    expect(page).to_have_url(re.compile(r"p\.mark=%22Beam.*p\.anchor=[^&]*3\.5"))
    copied = page.url
    page.goto("about:blank")
    page.goto(copied)
    sign_in(page, demo["client_id"], demo["client_secret"])
    expect(metric(page, "sum")).to_have_text(f"{total:g}")
    expect(inputs.get_by_label("Bolts").locator("option:checked")).to_have_text("8")
    expect(inputs.get_by_role("switch", name="Coated")).to_be_checked()
    expect(note).to_have_value("one\ntwo\nthree")
    page.get_by_role("button", name="Reset").click()
    expect(inputs.get_by_label("Begin")).to_have_value("2026-02-28")
    expect(metric(page, "sum")).to_have_text("218")


def test_a_condition_with_units_and_a_function_hides_its_parameter(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, f"/studio#project={_deployed(demo, 'Camber', CONDITIONED)}", **DESK)
    page = visit.page
    sign_in(page, demo["client_id"], demo["client_secret"])
    expect(metric(page, "length")).to_have_text("20 m")
    span, camber = page.get_by_role("textbox", name="Span"), page.get_by_role("textbox", name="Camber")
    expect(camber).to_have_count(0)
    for typed, count in (("100 ft", 1), ("80 ft", 0), ("26", 1), ("25", 0)):
        span.fill(typed)
        span.press("Enter")
        expect(camber).to_have_count(count)
    ends_clean(visit)
