"""What a model gives beside its geometry, in the Studio: tables, files and its log. Needs Chromium and the built bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Visit
from browser.studio_page import ends_clean, sign_in
from catenary_edge.studio import files
from factories.installations.installation import ANSWER_SECONDS
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


def _column(page: Page, number: int) -> list[str]:
    return page.locator(f"[data-table=member_forces] tbody td:nth-child({number})").all_inner_texts()


def _saved(page: Page, button: str, target: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    download.value.save_as(target / download.value.suggested_filename)
    return (target / download.value.suggested_filename).read_bytes()


def test_tables_are_sorted_and_saved_beside_files_and_the_log(
    browser: Browser, demo: dict[str, Any], tmp_path: Path
) -> None:
    given = {name: demo[name] for name in ("client_id", "client_secret")}
    with httpx.Client(base_url=demo["base_url"], timeout=ANSWER_SECONDS) as http:
        token = http.post("auth/token", json={"grant_type": "client_credentials", **given}).json()["access_token"]
        http.headers["Authorization"] = f"Bearer {token}"
        project = deployed(http, "Tables", MODEL)
    visit = Visit(browser, demo, f"/studio#project={project}", viewport={"width": 1280, "height": 800})
    page = visit.page
    sign_in(page, given["client_id"], given["client_secret"])
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
