"""The Studio in headless Chromium with its software renderer, at 800 by 600: its first view, a slider, and turning.

Run it with `.venv/bin/python tests/bench/studio.py`; it needs Chromium. It prints

- the seconds from the click on "Open the demo", with an empty cache, to the tower's first picture (to hold: 2 s), and how long
  the page before it took;
- the milliseconds from a step of a slider to the picture of its design (p95 to hold: 100), what of it passes in the browser, that
  is up to the message and from the last byte of the geometry on (to hold: 60), and the bare call of the model beside it;
- the pictures a second while a model of 20,480 triangles is turned (to hold: 30);
- the seconds from the page's first message to the picture of a model of 1,310,720 triangles (to hold: 3), and what of it comes
  after the geometry's last byte.

The times in the page are those of its own measure "slider to picture". Steps are some 150 ms apart: each has its picture, and the
view doesn't rest between, after which it would glide to a tower of another size.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from browser.conftest import CHROMIUM
from browser.studio_page import sign_in
from catenary_cli.demo.models import twisted_tower
from catenary_worker.geometry import shapes
from factories.installations.installation import client_of, measured
from factories.installations.models import deployed

VISITS = few(5)
STEPS = few(100, 5)
PAUSE_MS = 120
TURNING_SECONDS = few(5)
SIZE: Any = {"width": 800, "height": 600}
SPHERE = """
import trimesh
PARAMETERS = [{"name": "radius", "type": "number", "default": 5, "min": 1, "max": 9, "unit": "m"}]
def evaluate(p):
    return {"geometry": {"sphere": trimesh.creation.icosphere(subdivisions=5, radius=p["radius"])}}
"""
LARGE = SPHERE.replace("subdivisions=5", "subdivisions=8")
FIRST = """() => {
  const [came] = window.came;
  const drawn = [...window.drawn].find((time) => time > came);
  return drawn && { whole: drawn - window.sent[0], browser: drawn - came };
}"""
"""The times of the first picture that has geometry; undefined until there is one."""
NOTES = """
window.sent = [];
window.came = [];
window.drawn = new Set();
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
  if (!this.isNoted) {
    this.isNoted = true;
    this.addEventListener("message", ({ data }) => typeof data !== "string" && window.came.push(performance.now()));
  }
  window.sent.push(performance.now());
  return send.call(this, data);
};
const clear = WebGL2RenderingContext.prototype.clear;
WebGL2RenderingContext.prototype.clear = function (bits) {
  window.drawn.add(document.timeline.currentTime);
  return clear.call(this, bits);
};
"""
"""Notes when messages leave, when geometry comes, and at which frames something is drawn."""
TIMES = """() => performance.getEntriesByName("slider to picture").map(({ startTime, duration }) => {
  const end = startTime + duration;
  const sent = window.sent.find((time) => time >= startTime);
  const came = window.came.filter((time) => time <= end).at(-1);
  return { whole: duration, browser: sent - startTime + end - came };
})"""


def _page(browser: Browser) -> Page:
    page = browser.new_context(viewport=SIZE).new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(NOTES)
    return page


def _first_view(browser: Browser, base: str) -> tuple[float, float]:
    """Return the seconds until the page can be used, and from the click to the first picture."""
    page = _page(browser)
    began = time.perf_counter()
    page.goto(base)
    button = page.get_by_role("button", name="Open the demo")
    button.wait_for()
    clicked = time.perf_counter()
    button.click()
    page.wait_for_function("() => document.querySelector('catenary-viewer[data-triangles]') && window.drawn.size > 0")
    pictured = time.perf_counter()
    page.context.close()
    return clicked - began, pictured - clicked


def _slide(browser: Browser, base: str) -> tuple[list[dict[str, float]], list[float]]:
    """Return the times of the steps of a slider, and of bare calls of the model with the same values."""
    page, bare = _page(browser), []
    page.goto(base)
    page.get_by_role("button", name="Open the demo").click()
    page.locator("[data-connection=open]").wait_for()
    slider = page.get_by_role("slider", name="Storeys")
    slider.focus()
    values = {parameter["name"]: parameter["default"] for parameter in twisted_tower.PARAMETERS}
    for step in range(STEPS):
        slider.press("ArrowRight" if step // 10 % 2 else "ArrowLeft")
        page.wait_for_timeout(PAUSE_MS)
    times: list[dict[str, float]] = page.evaluate(TIMES)
    page.context.close()
    for step in range(STEPS):
        began = time.perf_counter()
        shapes.message(twisted_tower.evaluate({**values, "storeys": 38 + step % 10})["geometry"], None)
        bare.append((time.perf_counter() - began) * 1e3)
    return times[1:], bare  # the first is the design with which the page opens


def _project(browser: Browser, base: str, demo: dict[str, Any], source: str) -> Page:
    """Open a new project with a deployed model."""
    with client_of(demo) as http:
        project_id = deployed(http, "Measured", source)
    page = _page(browser)
    page.goto(f"{base}/studio#project={project_id}")
    sign_in(page, demo["client_id"], demo["client_secret"])
    return page


def _turn(browser: Browser, base: str, demo: dict[str, Any]) -> tuple[str, float]:
    """Return the triangles and pixels that are shown, and the pictures a second while they are turned."""
    page = _project(browser, base, demo, SPHERE)
    viewer = page.locator("catenary-viewer[data-triangles]")
    viewer.wait_for()
    box = viewer.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate("window.drawn.clear()")
    began = time.perf_counter()
    step = 0
    while (seconds := time.perf_counter() - began) < TURNING_SECONDS:
        step += 1
        page.mouse.move(x + step % 200 - 100, y)
    pictures: int = page.evaluate("window.drawn.size")
    page.mouse.up()
    shown = f"{viewer.get_attribute('data-triangles')} triangles on {box['width']:.0f} x {box['height']:.0f} pixels"
    page.context.close()
    return shown, pictures / seconds


def _show_large(browser: Browser, base: str, demo: dict[str, Any]) -> dict[str, float]:
    """Return the times of the first picture of a large model."""
    page = _project(browser, base, demo, LARGE)
    times: dict[str, float] = page.wait_for_function(FIRST).json_value()
    page.context.close()
    return times


def _line(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    p50, p95 = statistics.median(ordered), ordered[max(0, int(len(ordered) * 0.95) - 1)]
    print(f"{name:38} p50 {p50:8.1f} ms   p95 {p95:8.1f} ms   n {len(ordered)}", flush=True)


def main() -> None:
    """Measures and prints."""
    with measured() as installation, sync_playwright() as playwright:
        demo = installation.wait()
        base = demo["base_url"].removesuffix("/v1/")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        visits = [_first_view(browser, base) for _ in range(VISITS)]
        _line("page with the button", [one * 1e3 for one, _ in visits])
        _line("click to the first picture", [one * 1e3 for _, one in visits])
        times, bare = _slide(browser, base)
        _line("slider to picture", [one["whole"] for one in times])
        _line("of it in the browser", [one["browser"] for one in times])
        _line("bare call with its geometry", bare)
        shown, rate = _turn(browser, base, demo)
        print(f"turning {shown}: {rate:.0f} pictures a second")
        large = [_show_large(browser, base, demo) for _ in range(VISITS)]
        _line("first picture of a million triangles", [one["whole"] for one in large])
        _line("of it in the browser", [one["browser"] for one in large])
        browser.close()


if __name__ == "__main__":
    main()
