"""Sign-in to the Studio by an identity provider on another origin: authorization code with PKCE. Needs Chromium."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visit
from catenary_edge.studio import files
from factories.installations.installation import Installation
from factories.installations.started import started
from factories.services.sign_in_provider import SignInProvider, sign_in_provider

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached"),
]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def provider() -> Iterator[SignInProvider]:
    with sign_in_provider() as found:
        yield found


@pytest.fixture(scope="module")
def place(data_root: Any, provider: SignInProvider) -> Iterator[dict[str, Any]]:
    issuers = json.dumps([provider.setting])
    installation = Installation(
        started(data_root / uuid.uuid4().hex[:12]), ["--nodes", "1"], CATENARY_OIDC_ISSUERS=issuers
    )
    try:
        yield installation.wait()
    finally:
        installation.stop()


def test_a_person_signs_in_by_an_identity_provider(
    browser: Browser, place: dict[str, Any], provider: SignInProvider
) -> None:
    visit = Visit(browser, place, "/studio#project=00000000-0000-7000-8000-000000000000&p.storeys=42", **DESK)
    page = visit.page
    page.get_by_role("button", name="Sign in with Example AG").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    assert "code=" not in page.url
    assert page.url.endswith("&p.storeys=42"), "the address of before is there again"
    assert page.evaluate("JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie") == "{}"
    page.get_by_role("link", name="Catenary").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert provider.grants == ["authorization_code"]
    assert [text for text in visit.complaints if "Content Security" in text] == []

    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("status")).to_contain_text("signed out here and come back from Example AG")
    expect(page.get_by_role("button", name="Sign in with Example AG")).to_be_visible()
    assert "state=" not in page.url
    assert page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})") == "{}"
    (left,) = provider.left
    assert left.keys() == {"client_id", "post_logout_redirect_uri", "state"}
    assert left["post_logout_redirect_uri"] == f"{visit.base}/studio"
    page.goto(f"{visit.base}/studio?state=forged")
    expect(page.get_by_role("button", name="Sign in with Example AG")).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(0)
    page.close()


def test_a_refused_and_a_forged_sign_in_are_told(
    browser: Browser, place: dict[str, Any], provider: SignInProvider
) -> None:
    visit = Visit(browser, place, "/studio", **DESK)
    page = visit.page
    provider.denies = True
    page.get_by_role("button", name="Sign in with Example AG").click()
    expect(page.get_by_role("alert")).to_contain_text("refused or cancelled")
    provider.denies = False
    granted = len(provider.grants)
    page.goto(f"{visit.base}/studio?code=stolen&state=forged")
    expect(page.get_by_role("alert")).to_contain_text("no sign-in of this tab")
    assert page.url.endswith("/studio")
    assert len(provider.grants) == granted
    page.get_by_role("button", name="Sign in with Example AG").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.close()


def test_a_token_that_ends_is_renewed_by_the_page(
    browser: Browser, place: dict[str, Any], provider: SignInProvider
) -> None:
    provider.seconds = 6
    try:
        visit = Visit(browser, place, "/studio", **DESK)
        with visit.page.expect_request(lambda one: "grant_type=refresh_token" in (one.post_data or "")):
            visit.page.get_by_role("button", name="Sign in with Example AG").click()
        expect(visit.page.get_by_role("button", name="Sign out")).to_be_visible()
        visit.page.close()
    finally:
        provider.seconds = 600
