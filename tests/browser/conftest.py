"""An installation, and a real browser. Needs Chromium (`apt-get install chromium`)."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from factories.installations.installation import Installation, client_of
from factories.installations.started import started

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MILLISECONDS = 120_000
"""How long a page waits for what must come: it only guards against a hang."""


# Not of the package, which ends with the whole run: an installation would go on beside other tests, and the loop of Playwright
# would forbid them one of their own.
@pytest.fixture(scope="module")
def demo(data_root: Any) -> Iterator[dict[str, Any]]:
    installation = Installation(started(data_root / uuid.uuid4().hex[:12]), ["--nodes", "1", "--workers", "1"])
    try:
        yield installation.wait()
    finally:
        installation.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:  # each run names what it skipped, with this way out
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def caller(demo: dict[str, Any]) -> Iterator[httpx.Client]:
    """Yield a client with a token of the demo's own client, another person than the guest."""
    with client_of(demo) as http:
        yield http


@pytest.fixture(autouse=True)
def _patience() -> None:
    expect.set_options(timeout=MILLISECONDS)


class Visit:
    """A page on the installation, with every address that it asked for and every complaint of the browser."""

    def __init__(self, browser: Browser, demo: dict[str, Any], path: str, **options: Any) -> None:
        self.base = demo["base_url"].removesuffix("/v1/")
        self.page: Page = browser.new_page(**options)
        self.page.set_default_timeout(MILLISECONDS)
        self.hosts: set[str] = set()
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self._note_host(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._note)
        self.page.goto(self.base + path)

    def _note_host(self, url: str) -> None:
        if not url.startswith("blob:"):  # the page's own memory
            self.hosts.add(urlsplit(url).netloc)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def ends_clean(self) -> None:
        """Nothing was asked of another origin, and nothing broke, the page's policy included."""
        assert self.hosts == {urlsplit(self.base).netloc}
        assert self.complaints == []
        self.page.close()
