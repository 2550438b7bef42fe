"""What tests of the 3D view do with the Studio's page."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import Visit
from browser.studio_page import metric, open_demo

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "device_scale_factor": 2}
PRISM = "&p.storeys=8&p.sides=4&p.twist=0&p.taper=1&p.width=20"
"""A square tower that stands on its corner: its front edge goes from (0, -10, 0) to (0, -10, 28.8)."""


def prism(browser: Browser, demo: dict[str, Any], **options: Any) -> Visit:
    """Open the demo's model as a prism."""
    visit = Visit(browser, demo, f"/studio#project={demo['project_id']}{PRISM}", **(options or DESK))
    open_demo(visit)
    expect(metric(visit.page, "height")).to_have_text("28.8 m")
    rests(visit.page)
    return visit


def view(page: Page) -> Locator:
    return page.locator("catenary-viewer")


def rests(page: Page) -> None:
    """Wait until nothing in the view moves any more."""
    page.evaluate(
        """async () => {
          const view = document.querySelector("catenary-viewer");
          while (!view.stage?.isResting) await new Promise((done) => setTimeout(done, 30));
        }"""
    )


def spot(page: Page, place: Sequence[float]) -> tuple[float, float]:
    """Return where a place of the model is on the page."""
    rests(page)
    east, north, up = place
    x, y = page.evaluate(
        """(place) => {
          const view = document.querySelector("catenary-viewer"), box = view.getBoundingClientRect();
          const [spot] = view.stage.spots([place], false);
          return [box.x + spot.x * box.width, box.y + spot.y * box.height];
        }""",
        [east, up, -north],
    )
    return x, y


def pixel(page: Page, place: Sequence[float]) -> tuple[int, ...]:
    """Return red, green and blue of the picture at a place of the model."""
    x, y = spot(page, place)
    shot = base64.b64encode(page.screenshot()).decode()
    found: list[int] = page.evaluate(
        """async ([shot, x, y]) => {
          const bytes = Uint8Array.from(atob(shot), (one) => one.charCodeAt(0));
          const picture = await createImageBitmap(new Blob([bytes]));
          const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          context.drawImage(picture, 0, 0);
          return [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3);
        }""",
        [shot, x, y],
    )
    return tuple(found)


def choose_view(page: Page, name: str) -> None:
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("menu", name="View").get_by_text(name).click()
