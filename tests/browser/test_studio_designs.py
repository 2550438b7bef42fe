"""Charts of many designs in the Studio: brushed, opened, saved with a view. Needs Chromium and the built bundle."""

from __future__ import annotations

import math
import re
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import Visit
from browser.models_page import BEAM, open_project
from browser.studio_page import ends_clean, metric, open_demo
from browser.test_studio_access import faults
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

DESK: dict[str, Any] = {"viewport": {"width": 1600, "height": 1000}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}
STOREYS = range(20, 50)
SECONDS = 60
SLOW = BEAM.replace("    return", "    import time\n    time.sleep(0.4)\n    return")
NOTHING: dict[str, Any] = {"data": {"evaluations": []}, "metadata": {"next_cursor": None}}


def _ended(caller: httpx.Client, path: str, name: str) -> dict[str, Any]:
    """Wait for the end of a batch or a study."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found: dict[str, Any] = caller.get(path).json()["data"][name]
        if found["status"] == "completed":
            return found
        time.sleep(0.2)
    raise AssertionError(f"the {name} has not ended")


@pytest.fixture(scope="module")
def batch(caller: httpx.Client, demo: dict[str, Any]) -> str:
    values = [{"storeys": count, "twist": 3 * (count - 20), "sides": 3 + count % 6} for count in STOREYS]
    path = f"projects/{demo['project_id']}/evaluate/batch"
    made = caller.post(path, json={"evaluations": [{"parameters": one} for one in values]})
    assert made.status_code == 202, made.text
    batch_id: str = made.json()["data"]["batch"]["batch_id"]
    _ended(caller, f"batches/{batch_id}", "batch")
    return batch_id


def _open(visit: Visit) -> Locator:
    """Open the charts, and wait for their designs."""
    open_demo(visit)
    visit.page.get_by_role("tab", name="Designs").click()
    visit.page.locator("catenary-parallel[data-lines]").first.wait_for()
    return visit.page.get_by_role("region", name="Many designs")


def _axis(designs: Locator, name: str) -> Locator:
    return designs.locator(f"[data-axis={name}]")


def _brush(page: Page, axis: Locator, start: float, end: float) -> None:
    """Drag along an axis, between two parts of its height from the bottom."""
    box = axis.locator(".line-of").bounding_box()
    assert box is not None
    x, bottom, height = box["x"] + box["width"] / 2, box["y"] + box["height"] - 8, box["height"] - 16
    page.mouse.move(x, bottom - height * start)
    page.mouse.down()
    page.mouse.move(x, bottom - height * (start + end) / 2, steps=3)
    page.mouse.move(x, bottom - height * end, steps=3)
    page.mouse.up()


def test_brushed_designs_are_counted_opened_and_saved_with_a_view(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, batch: str
) -> None:
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    page = visit.page
    designs = _open(visit)
    hits = designs.locator(".hits")
    expect(designs.get_by_label("Designs of")).to_have_value(f"batch:{batch}")
    expect(hits).to_have_text("30 of 30 designs")
    _brush(page, _axis(designs, "storeys"), 1.0, 0.5)
    at_least = designs.get_by_label("Storeys: at least")
    expect(at_least).to_have_value(re.compile(r"^3[45]"))
    least = float(at_least.input_value())
    wanted = len([one for one in STOREYS if one >= least])
    expect(hits).to_have_text(f"{wanted} of 30 designs")
    designs.get_by_label("Storeys: at most").fill("45")
    designs.get_by_label("Storeys: at most").press("Enter")
    expect(hits).to_have_text(f"{45 - math.ceil(least) + 1} of 30 designs")
    chip = designs.get_by_role("group", name="Filters").get_by_role("button")
    expect(chip).to_have_text(re.compile(rf"Storeys {at_least.input_value()} to 45.*"))
    designs.get_by_label("Colour by").select_option("height")

    rows = designs.locator("tr[data-design]")
    designs.get_by_role("button", name="Storeys", exact=True).last.click()
    designs.get_by_role("button", name="Storeys", exact=True).last.click()
    rows.first.get_by_role("button").click()
    expect(rows.first.get_by_role("button")).to_have_attribute("aria-current", "true")
    expect(metric(page, "height")).to_have_text("162 m")
    chosen = designs.get_by_role("region", name="Chosen design")
    expect(chosen).to_contain_text("45")
    expect(page).to_have_url(re.compile(f"p.storeys=45.*&designs=batch%3A{batch}&f.storeys="))

    page.get_by_role("button", name="Saved views", exact=True).click()
    views = page.get_by_role("region", name="Saved views")
    views.get_by_role("button", name="Save view").click()
    views.get_by_label("Name").fill("Tall ones")
    views.get_by_role("button", name="Save", exact=True).click()
    expect(views.locator("[data-view='Tall ones']")).to_contain_text("1 chart")
    (view,) = caller.get(f"projects/{demo['project_id']}/views").json()["data"]["views"]
    (chart,) = view["charts"]
    assert (chart["kind"], chart["color_by"]) == ("parallel", "height")
    assert chart["filters"] == {"storeys": {"min": least, "max": 45.0, "values": []}}

    page.goto("about:blank")
    page.goto(f"{visit.base}/studio#project={demo['project_id']}")
    designs = _open(visit)
    expect(designs.locator(".hits")).to_have_text("30 of 30 designs")
    page.get_by_role("button", name="Saved views", exact=True).click()
    page.get_by_role("button", name="Tall ones", exact=True).click()
    expect(designs.get_by_label("Storeys: at most")).to_have_value("45")
    expect(designs.locator(".hits")).to_have_text(f"{45 - math.ceil(least) + 1} of 30 designs")
    expect(designs.get_by_label("Colour by")).to_have_value("height")
    assert caller.delete(f"views/{view['view_id']}").status_code == 200
    ends_clean(visit)


def test_a_running_batch_grows_in_its_charts_without_a_click(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    project = deployed(caller, "Slow beam", SLOW)
    path = f"projects/{project}/evaluate/batch"
    points = [{"parameters": {"span": span}} for span in range(5, 45)]
    batch = caller.post(path, json={"evaluations": points}).json()["data"]["batch"]["batch_id"]
    visit = open_project(browser, demo, f"{project}&designs=batch%3A{batch}")
    designs = visit.page.get_by_role("region", name="Many designs")
    expect(designs.get_by_text("so far…")).to_be_visible()
    expect(designs.locator(".hits")).to_have_text("40 of 40 designs")
    options = designs.get_by_label("Designs of").locator("option")
    expect(options).to_have_count(2)
    assert caller.post(path, json={"evaluations": [{"parameters": {"span": 50}}]}).status_code == 202
    expect(options).to_have_count(3)
    expect(designs.get_by_label("Designs of")).to_have_value(f"batch:{batch}")
    ends_clean(visit)


def test_a_click_on_a_line_opens_its_design(browser: Browser, demo: dict[str, Any], batch: str) -> None:
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK, color_scheme="dark")
    page = visit.page
    designs = _open(visit)
    box = _axis(designs, "storeys").locator(".line-of").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + 12)
    expect(designs.get_by_role("region", name="Chosen design")).to_be_visible()
    title = _axis(designs, "storeys").get_by_role("button", name=re.compile("moved by the arrow keys"))
    title.focus()
    title.press("ArrowRight")
    expect(designs.locator("[data-axis]").nth(1)).to_have_attribute("data-axis", "storeys")
    expect(_axis(designs, "storeys").get_by_role("button").first).to_be_focused()
    _brush(page, _axis(designs, "height"), 0.2, 0.8)
    expect(designs.locator(".hits")).not_to_have_text("30 of 30 designs")
    hits = designs.locator(".hits").inner_text()
    box = _axis(designs, "height").locator(".brush").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2 - 40, steps=4)
    page.mouse.up()
    expect(designs.locator(".hits")).not_to_have_text(hits)
    page.mouse.click(box["x"] + 9, box["y"] + box["height"] / 2)
    expect(designs.locator(".hits")).to_have_text("30 of 30 designs")
    ends_clean(visit)


def test_every_kind_of_chart_is_drawn_and_a_point_opens(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, batch: str, tmp_path: Path
) -> None:
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", **DESK)
    page = visit.page
    designs = _open(visit)
    for kind in ("scatter", "scatter_matrix", "line", "bar"):
        designs.get_by_label("Add a chart").select_option(kind)
        chart = designs.locator(f"section[data-chart={kind}]")
        expect(chart.locator("canvas").first).to_be_visible()
    expect(designs.locator("section[data-chart]")).to_have_count(5)
    scatter = designs.locator("section[data-chart=scatter]")
    scatter.get_by_label("Across").select_option("storeys")
    scatter.get_by_label("Up").select_option("height")
    scatter.get_by_label("Colour by").select_option("sides")
    expect(scatter.locator(".legend")).to_contain_text("Sides")
    scatter.locator("canvas").scroll_into_view_if_needed()
    found = page.evaluate(
        """async () => {
          const element = document.querySelector("section[data-chart=scatter]").closest("catenary-design-chart");
          const explore = element.explore;
          const names = () => [element.plot.chart.getOption().xAxis[0].name, element.plot.chart.getOption().yAxis[0].name];
          while (names().join() !== "Storeys,Height (m)") await new Promise((done) => setTimeout(done, 30));
          const at = explore.candidates.findIndex((one) => one.parameters.storeys === 33);
          return element.plot.chart.convertToPixel({gridIndex: 0}, [33, explore.candidates[at].metrics.height]);
        }"""
    )
    box = scatter.locator("canvas").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + found[0], box["y"] + found[1])
    expect(designs.get_by_role("region", name="Chosen design")).to_contain_text("33")
    expect(metric(page, "height")).to_have_text("118.8 m")
    with page.expect_download() as download:
        designs.get_by_role("button", name="Save the designs as CSV").click()
    download.value.save_as(tmp_path / "designs.csv")
    lines = (tmp_path / "designs.csv").read_text().splitlines()
    assert len(lines) == 31
    assert lines[0].startswith("in:storeys,")
    path = f"projects/{demo['project_id']}/evaluations.csv"
    taken = caller.post(path, content=(tmp_path / "designs.csv").read_bytes(), headers={"Content-Type": "text/csv"})
    assert taken.status_code == 202, taken.text
    again = taken.json()["data"]["batch"]["batch_id"]
    assert _ended(caller, f"batches/{again}", "batch")["counts"]["completed"] == 30
    assert caller.delete(f"batches/{again}?remove=true").status_code == 200
    designs.get_by_role("button", name="Remove the chart: Bars").click()
    expect(designs.locator("section[data-chart]")).to_have_count(4)
    ends_clean(visit)


def test_the_front_of_a_study_is_a_source_of_its_own(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, batch: str
) -> None:
    asked = {
        "kind": "optimization",
        "objectives": [{"metric": "facade_area"}, {"metric": "floor_area", "direction": "maximize"}],
        "parameters": {"storeys": {}, "width": {}},
        "population": 8,
        "budget": 24,
        "seed": 1,
    }
    made = caller.post(f"projects/{demo['project_id']}/studies", json=asked)
    assert made.status_code == 202, made.text
    study_id = made.json()["data"]["study"]["study_id"]
    try:
        study = _ended(caller, f"studies/{study_id}", "study")
        visit = Visit(browser, demo, f"/studio#project={demo['project_id']}&designs=study:{study_id}", **DESK)
        open_demo(visit)
        designs = visit.page.get_by_role("region", name="Many designs")
        hits = designs.locator(".hits")
        expect(hits).to_have_text("24 of 24 designs")
        designs.get_by_label("Designs of").select_option(f"front:{study_id}")
        expect(hits).to_have_text(re.compile(rf"^{study['front_size']} of {study['front_size']} designs?$"))
        designs.get_by_label("Only those that meet all constraints").check()
        expect(hits).to_have_text(re.compile(rf"^{study['front_size']} of "))
        ends_clean(visit)
    finally:
        assert caller.delete(f"studies/{study_id}?remove=true").status_code == 200


def test_a_project_without_designs_says_how_to_make_them(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client
) -> None:
    source = (Path(__file__).parents[2] / "edge/catenary_edge/studio/src/examples/beam.txt").read_bytes()
    project_id = caller.post("projects", json={"name": "Beams"}).json()["data"]["project"]["project_id"]
    path = f"projects/{project_id}/models"
    model_id = caller.post(path, json={"name": "Beam"}).json()["data"]["model"]["model_id"]
    version = caller.post(
        f"{path}/{model_id}/versions", content=source, headers={"Content-Type": "text/x-python", "Prefer": "wait=30"}
    ).json()["data"]["model_version"]
    end = time.monotonic() + SECONDS
    while version["status"] not in ("ready", "failed") and time.monotonic() < end:
        time.sleep(0.2)
        version = caller.get(f"{path}/{model_id}/versions/{version['model_version_id']}").json()["data"][
            "model_version"
        ]
    deployed = caller.post(f"projects/{project_id}/deployments", json={"model_version_id": version["model_version_id"]})
    assert deployed.status_code in (201, 202), deployed.text
    made = caller.post(f"projects/{project_id}/shares", json={"kind": "link"}).json()["data"]
    evaluated = caller.post(f"projects/{project_id}/evaluate", json={"parameters": {}})
    assert evaluated.status_code == 200, evaluated.text
    link = Visit(browser, demo, "/studio" + made["url"].partition("/studio")[2], **PHONE)
    page = link.page
    page.get_by_role("tab", name="Designs").click()
    designs = page.get_by_role("region", name="Many designs")
    expect(designs.locator(".hits")).to_have_text("1 of 1 design")
    page.route("**/evaluations?**", lambda route: route.fulfill(json=NOTHING))
    designs.get_by_role("button", name="Read again").click()
    expect(designs).to_contain_text("Nobody has evaluated a design of this version yet")
    page.unroute("**/evaluations?**")
    page.route("**/studies?**", lambda route: route.abort())
    designs.get_by_role("button", name="Read again").click()
    expect(designs.get_by_role("alert")).to_contain_text("can't be reached")
    page.unroute("**/studies?**")
    designs.get_by_role("button", name="Try again").click()
    expect(designs.locator(".hits")).to_have_text("1 of 1 design")
    link.page.close()


def test_numbers_of_the_last_axis_stand_beside_it_unscrolled(
    browser: Browser, demo: dict[str, Any], batch: str
) -> None:
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}", viewport={"width": 1280, "height": 900})
    designs = _open(visit)
    last = designs.locator(".upright").last
    axis, number = last.locator("line.rule").first.bounding_box(), last.locator("text").first.bounding_box()
    chart = designs.locator(".plot.parallel").bounding_box()
    assert axis is not None
    assert number is not None
    assert chart is not None
    assert axis["x"] < number["x"]
    assert number["x"] + number["width"] <= chart["x"] + chart["width"]
    ends_clean(visit)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1920, 360])
def test_the_charts_fit_the_page_without_a_weighty_fault(
    browser: Browser, demo: dict[str, Any], batch: str, theme: Any, width: int
) -> None:
    visit = Visit(
        browser,
        demo,
        f"/studio#project={demo['project_id']}",
        viewport={"width": width, "height": 900},
        color_scheme=theme,
    )
    page = visit.page
    designs = _open(visit)
    for kind in ("scatter", "scatter_matrix", "line", "bar"):
        designs.get_by_label("Add a chart").select_option(kind)
    designs.locator("tr[data-design] button").first.click()
    expect(designs.get_by_role("region", name="Chosen design")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults(page) == []
    ends_clean(visit)
