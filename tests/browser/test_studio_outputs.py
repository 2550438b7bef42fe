"""What a model gives beside its geometry, in the Studio: tables, files and its log. Needs Chromium and the built bundle."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.models_page import open_project
from browser.studio_page import ends_clean, metric
from catenary_edge.studio import files
from factories.installations.models import deployed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]

MODEL = """
PARAMETERS = [{"name": "span", "type": "number", "min": 1, "max": 9, "default": 3, "unit": "m"}]
METRICS = [{"name": "members"}]

def evaluate(p):
    print("span is", p["span"])
    rows = [{"member": f"b{n}", "force": (7 * n) % 60 - 30.5, "note": "=1+1" if n == 0 else None} for n in range(60)]
    return {
        "metrics": {"members": len(rows)},
        "tables": {"member_forces": rows, "supports": []},
        "files": {"note.txt": b"as built"},
    }
"""

PLATE = """
PARAMETERS = [{"name": "width", "type": "number", "min": 10, "max": 90, "default": 30, "unit": "mm"}]
METRICS = [{"name": "volume", "unit": "mm3"}]

def evaluate(p):
    import build123d
    import trimesh
    plate = build123d.Box(p["width"], 20, 2)
    net = trimesh.creation.box(extents=(10, 10, 10))
    return {"metrics": {"volume": plate.volume}, "geometry": {"plate": plate, "net": net}}
"""


def _column(page: Page, number: int) -> list[str]:
    return page.locator(f"[data-table=member_forces] tbody td:nth-child({number})").all_inner_texts()


def _saved(page: Page, button: str, target: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    download.value.save_as(target / download.value.suggested_filename)
    return (target / download.value.suggested_filename).read_bytes()


def test_tables_are_sorted_and_saved_beside_files_and_the_log(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, tmp_path: Path
) -> None:
    visit = open_project(browser, demo, deployed(caller, "Tables", MODEL))
    page = visit.page
    table = page.locator("[data-table=member_forces]")
    expect(table.locator("tbody tr")).to_have_count(50)
    expect(page.locator("[data-table=supports]")).to_contain_text("The table has no rows.")
    table.get_by_role("button", name="Show all 60 rows").click()
    expect(table.locator("tbody tr")).to_have_count(60)
    force = table.get_by_role("button", name="Force", exact=True)
    force.click()
    expect(table.get_by_role("columnheader", name="Force")).to_have_attribute("aria-sort", "ascending")
    assert _column(page, 2)[:2] == ["-30.5", "-29.5"]
    force.click()
    assert _column(page, 2)[:2] == ["28.5", "27.5"]
    lines = _saved(page, "Save Member forces as CSV", tmp_path).decode().split("\r\n")
    assert (lines[0], len(lines)) == ("member,force,note", 62)
    assert lines[1].endswith(",28.5,"), "in the order that is shown"
    assert "b0,-30.5,'=1+1" in lines
    expect(page.get_by_text("The model's log")).to_have_count(0)
    assert _saved(page, "Download note.txt", tmp_path) == b"as built"
    page.get_by_text("The model's log").click()
    expect(page.locator(".log pre")).to_have_text("span is 3.0\n")
    ends_clean(visit)


@pytest.mark.skipif(find_spec("build123d") is None, reason="build123d is not installed (pip install -e '.[brep]')")
def test_an_exact_geometry_of_a_live_design_is_saved_as_step(
    browser: Browser, demo: dict[str, Any], caller: httpx.Client, tmp_path: Path
) -> None:
    visit = open_project(browser, demo, deployed(caller, "Plate", PLATE))
    page = visit.page
    expect(metric(page, "volume")).to_have_text("1 200 mm³")
    page.locator("catenary-viewer[data-triangles]").wait_for()
    expect(page.get_by_role("button", name="Keep this design")).to_be_enabled()
    assert _saved(page, "Download plate.step", tmp_path).startswith(b"ISO-10303-21;")
    expect(page.get_by_role("button", name="Download net.step")).to_have_count(0)
    ends_clean(visit)
