"""What tests of the Studio do with its page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from browser.conftest import Visit


def sign_in(page: Page, client_id: str, secret: str) -> None:
    """Sign in with a client."""
    if not page.get_by_label("Client id").is_visible():
        page.get_by_text("Sign in with a client").click()
    page.get_by_label("Client id").fill(client_id)
    page.get_by_label("Client secret").fill(secret)
    page.get_by_role("button", name="Sign in").click()


def open_demo(visit: Visit) -> None:
    """Open the demo and wait for its geometry."""
    visit.page.get_by_role("button", name="Open the demo").click()
    visit.page.locator("catenary-viewer[data-triangles]").wait_for()


def metric(page: Page, name: str) -> Locator:
    """Return the value of a metric."""
    return page.locator(f"[data-metric={name}] .value")


def ends_clean(visit: Visit, *expected: str) -> None:
    """Leave out what a driver says of the speed of screenshots, and the expected complaints."""
    known = ("GPU stall due to ReadPixels", *expected)
    visit.complaints = [text for text in visit.complaints if not any(one in text for one in known)]
    visit.ends_clean()
