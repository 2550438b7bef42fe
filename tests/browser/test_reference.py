"""The interactive reference in a real browser. Needs Chromium (`apt-get install chromium`)."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from browser.conftest import Visit
from catenary_edge.pages import guide_pages
from catenary_edge.studio import files

needs_bundle = pytest.mark.skipif(
    not files.names(), reason="the Studio is not built: the npm registry could not be reached"
)
pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "device_scale_factor": 2}
OPENED = ".opblock:has(.execute)"
"""An operation with its form; Swagger UI's own `is-open` is missing where an operation is deprecated."""


def _shown(visit: Visit, operation: str) -> Locator:
    """Return an operation whose form is drawn."""
    found = visit.page.locator(f"{OPENED}[id$='-{operation}']")
    found.get_by_role("button", name="Execute").wait_for()
    return found


def _open(visit: Visit, operation: str, document: str = "platform/v1") -> Locator:
    visit.page.evaluate("address => { location.hash = address }", f"{document}/{operation}")
    return _shown(visit, operation)


def _title(visit: Visit, title: str) -> None:
    expect(visit.page.locator("#reference .info .title")).to_contain_text(title)


def _documents(visit: Visit) -> list[dict[str, str]]:
    found = visit.page.evaluate("fetch('/openapi.json').then((answer) => answer.json())")
    documents: list[dict[str, str]] = found["documents"]
    return documents


def _send(operation: Locator, status: str) -> str:
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table")
    expect(answer.locator("tbody .response-col_status")).to_contain_text(status)
    return answer.locator(".highlight-code pre").first.inner_text()


def _sign_in_as_guest(visit: Visit) -> None:
    visit.page.get_by_role("button", name="As the demo's guest").click()
    visit.page.get_by_text("The first project stands").wait_for()


@needs_bundle
@pytest.mark.gate
def test_a_token_is_got_and_a_model_evaluated_without_a_request_elsewhere(
    browser: Browser, demo: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, "/docs")
    token = _open(visit, "IssueToken")
    client = {name: demo[name] for name in ("client_id", "client_secret")}
    token.get_by_label("Body of the request").fill(json.dumps({"grant_type": "client_credentials", **client}))
    found = _send(token, "200")
    visit.page.get_by_text("Sign in", exact=True).click()
    visit.page.locator("#kind").select_option("token")
    visit.page.locator("#credential").fill(found.split('"access_token": "')[1].split('"')[0])
    visit.page.locator("form").get_by_role("button", name="Sign in").click()
    visit.page.get_by_text("The first project stands").wait_for()

    evaluate = _open(visit, "Evaluate")
    evaluate.get_by_placeholder("project_id").fill(demo["project_id"])
    evaluate.get_by_placeholder("Prefer").fill("wait=30")
    evaluate.get_by_label("Body of the request").fill('{"parameters": {}}')
    assert '"status": "completed"' in _send(evaluate, "200")
    evaluate.get_by_label("Body of the request").fill('{"parameters": {"unheard_of": 1}}')
    assert "UNKNOWN_PARAMETER" in _send(evaluate, "400")
    # The browser itself notes an answer of 400.
    visit.complaints = [text for text in visit.complaints if "status of 400" not in text]
    visit.ends_clean()


@needs_bundle
@pytest.mark.parametrize(("document", "least"), [pytest.param("parameter/v1", 60, marks=pytest.mark.gate), ("", 500)])
def test_every_operation_of_every_document_opens(
    browser: Browser, demo: dict[str, Any], document: str, least: int
) -> None:
    visit = Visit(browser, demo, "/docs")
    visit.page.locator(".opblock-tag").first.wait_for()
    found = visit.page.evaluate("fetch('/docs/operations.json').then((answer) => answer.json())")
    addresses = [f"{one['surface']}/{one['version']}/{one['id']}" for one in found["operations"]]
    opened = visit.page.evaluate(
        """async (addresses) => {
            const ready = (id) => document.querySelector(`.opblock[id$="-${id}"] .execute`);
            let opened = 0;
            for (const address of addresses) {
                location.hash = address;
                const id = address.split("/")[2];
                const end = performance.now() + 60000;
                while (!ready(id) && performance.now() < end) await new Promise((done) => requestAnimationFrame(done));
                const found = ready(id);
                if (!found) throw new Error(`${address} does not open`);
                opened += 1;
                found.closest(".opblock").querySelector(".opblock-summary-control").click();
            }
            return opened;
        }""",
        [address for address in addresses if address.startswith(document)],
    )
    assert opened > least
    visit.ends_clean()


@needs_bundle
def test_the_document_chosen_last_is_shown_though_an_earlier_one_comes_later(
    browser: Browser, demo: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, "/docs")
    visit.page.locator(".opblock-tag").first.wait_for()
    _, late, last, *_ = _documents(visit)
    held: list[Route] = []
    slow = urlsplit(late["url"]).path
    visit.page.route(f"**{slow}", lambda route: held.append(route))
    with visit.page.expect_request(f"**{slow}"):
        visit.page.locator("#document").select_option(f"{late['surface']}/{late['version']}")
    visit.page.locator("#document").select_option(f"{last['surface']}/{last['version']}")
    _title(visit, last["title"])
    with visit.page.expect_response(f"**{slow}"):
        held.pop().continue_()
    visit.page.evaluate("new Promise((done) => setTimeout(done, 200))")
    _title(visit, last["title"])
    visit.ends_clean()


@needs_bundle
def test_an_operation_opened_in_a_document_being_replaced_has_no_address(
    browser: Browser, demo: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, "/docs#platform/v1/GetProject")
    page = visit.page
    _shown(visit, "GetProject")
    held: list[Route] = []
    slow = next(one for one in _documents(visit) if (one["surface"], one["version"]) == ("parameter", "v1"))
    page.route(f"**{urlsplit(slow['url']).path}", lambda route: held.append(route))
    with page.expect_request(f"**{urlsplit(slow['url']).path}"):
        page.locator("#document").select_option("parameter/v1")
    page.locator("[id$='-ListProjects'] .opblock-summary-control").click()
    _shown(visit, "ListProjects")
    expect(page).to_have_url(re.compile(r"#parameter/v1$"))
    held.pop().continue_()
    _title(visit, slow["title"])
    expect(page).to_have_url(re.compile(r"#parameter/v1$"))
    visit.ends_clean()


@needs_bundle
def test_integers_of_an_answer_and_of_a_request_stay_exact(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/docs#platform/v1/GetJwks")
    operation = _shown(visit, "GetJwks")
    body = '{"keys":[9007199254740993,{"a":"b, {c}: \\\\"d\\\\""},[],{}]}'
    visit.page.route(
        "**/.well-known/jwks.json", lambda route: route.fulfill(content_type="application/json", body=body)
    )
    shown = _send(operation, "200")
    assert "9007199254740993" in shown
    assert '"b, {c}: \\\\"d\\\\""' in shown

    token = _open(visit, "IssueToken")
    token.get_by_label("Body of the request").fill('{"client_id": 9007199254740993}')
    visit.page.route("**/v1/auth/token", lambda route: route.fulfill(content_type="application/json", body="{}"))
    with visit.page.expect_request("**/v1/auth/token") as asked:
        _send(token, "200")
    assert "9007199254740993" in (asked.value.post_data or "")
    visit.ends_clean()


@needs_bundle
def test_words_find_operations_of_all_documents(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/docs")
    visit.page.locator(".opblock-tag").first.wait_for()
    visit.page.locator("#find").fill("/geometry/ get platform")
    visit.page.get_by_text("Nothing is found for “/geometry/ get platform” in any document.").wait_for()
    visit.page.locator("#find").fill("get /parameter/v1/parameter_types")
    visit.page.locator("#found a", has_text="parameter v1").first.click()
    visit.page.locator(OPENED).get_by_role("button", name="Execute").wait_for()
    assert urlsplit(visit.page.url).fragment.startswith("parameter/v1/")
    visit.page.locator("#find").fill("no such words")
    visit.page.get_by_text("Nothing is found for “no such words” in any document.").wait_for()
    visit.ends_clean()


@needs_bundle
def test_an_opened_operation_has_an_address_and_back_leads_to_the_last(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/docs#platform/v1/GetProject")
    page = visit.page
    first = _shown(visit, "GetProject")
    page.locator("[id$='-ListProjects'] .opblock-summary-control").click()
    _shown(visit, "ListProjects")
    expect(page).to_have_url(re.compile(r"#platform/v1/ListProjects$"))
    page.locator("#document").select_option("parameter/v1")
    expect(page).to_have_url(re.compile(r"#parameter/v1$"))
    page.go_back()
    _shown(visit, "ListProjects")
    page.go_back()
    expect(first).to_be_in_viewport()
    assert urlsplit(page.url).fragment == "platform/v1/GetProject"
    visit.ends_clean()


@needs_bundle
def test_an_address_opens_its_operation_and_the_guest_tries_it(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/docs#platform/v1/ListProjectMembers")
    operation = _shown(visit, "ListProjectMembers")
    expect(operation).to_be_in_viewport()
    _sign_in_as_guest(visit)
    assert '"role": "owner"' in _send(operation, "200")
    evaluate = _open(visit, "Evaluate")
    assert '"status"' in _send(evaluate, "20"), "the example works on the demo as it stands"
    visit.page.get_by_role("button", name="Sign out").click()
    visit.page.get_by_text("Sign in", exact=True).click()
    visit.page.locator("#client").fill("x")
    visit.page.locator("#secret").fill("y")
    visit.page.get_by_role("button", name="Get a token").click()
    visit.page.get_by_text("Not signed in").wait_for()
    assert visit.page.evaluate("localStorage.length + sessionStorage.length") == 0
    visit.complaints = [text for text in visit.complaints if "status of 401" not in text]
    visit.ends_clean()


@needs_bundle
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reference_takes_the_theme_of_the_system(browser: Browser, demo: dict[str, Any], scheme: str) -> None:
    visit = Visit(browser, demo, "/docs", color_scheme=scheme)
    visit.page.locator(".opblock-tag").first.wait_for()
    assert visit.page.evaluate("document.documentElement.classList.contains('dark-mode')") == (scheme == "dark")
    visit.ends_clean()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/docs", marks=needs_bundle),
        *("/docs/errors", "/docs/errors/PARAMETER_OUT_OF_RANGE", "/docs/changes", guide_pages.PATH),
        *(f"{guide_pages.PATH}/{name}" for name in guide_pages.names()),
    ],
)
def test_a_page_fits_a_phone(browser: Browser, demo: dict[str, Any], path: str) -> None:
    visit = Visit(browser, demo, path, **PHONE)
    visit.page.locator("h1, #reference .info .title").first.wait_for()
    if path == "/docs":
        _open(visit, "UpdateProject")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    visit.ends_clean()
