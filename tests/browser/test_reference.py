"""The interactive reference in a real browser. Needs Chromium (`apt-get install chromium`)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Route

from browser.conftest import Visit
from catenary_edge.pages import guide_pages

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "device_scale_factor": 2}


def _open(visit: Visit, operation: str) -> Any:
    found = visit.page.locator(f"#{operation}")
    found.wait_for()
    found.locator("> summary").click()
    return found


def _path(option: Locator) -> str:
    url = option.get_attribute("value")
    assert url
    return urlsplit(url).path


def _choose(visit: Visit, option: Locator) -> None:
    visit.page.locator("#document").select_option(label=option.inner_text())
    visit.page.locator(f"#about a[href='{_path(option)}']").wait_for()


def _send(operation: Any, status: str) -> Any:
    operation.get_by_role("button", name="Send").click()
    told = operation.locator("[aria-live] strong")
    told.wait_for()
    assert told.inner_text() == status
    return operation.locator("[aria-live] pre").last.inner_text()


@pytest.mark.gate
def test_a_token_is_got_and_a_model_evaluated_without_a_request_elsewhere(
    browser: Browser, demo: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, "/docs")
    token = _open(visit, "IssueToken")
    client = {name: demo[name] for name in ("client_id", "client_secret")}
    token.get_by_label("body").fill(json.dumps({"grant_type": "client_credentials", **client}))
    found = _send(token, "200")
    visit.page.locator("#credential").fill(found.split('"access_token": "')[1].split('"')[0])

    evaluate = _open(visit, "Evaluate")
    evaluate.get_by_label("project_id").fill(demo["project_id"])
    evaluate.get_by_label("Prefer").fill("wait=30")
    evaluate.get_by_label("body").fill('{"parameters": {}}')
    assert '"status": "completed"' in _send(evaluate, "200")
    evaluate.get_by_label("body").fill('{"parameters": {"unheard_of": 1}}')
    evaluate.get_by_role("button", name="Send").click()
    evaluate.locator("[aria-live] strong", has_text="400").wait_for()
    assert "UNKNOWN_PARAMETER" in evaluate.locator("[aria-live] pre").last.inner_text()
    # The browser itself notes an answer of 400.
    visit.complaints = [text for text in visit.complaints if "status of 400" not in text]
    visit.ends_clean()


@pytest.mark.parametrize(("document", "least"), [pytest.param("parameter v1", 60, marks=pytest.mark.gate), ("", 500)])
def test_every_operation_of_every_document_opens(
    browser: Browser, demo: dict[str, Any], document: str, least: int
) -> None:
    visit = Visit(browser, demo, "/docs")
    visit.page.locator(".operation").first.wait_for()
    opened = 0
    for option in visit.page.locator("#document option").all():
        if document not in option.inner_text():
            continue
        _choose(visit, option)
        opened += visit.page.evaluate(
            """async () => {
                const all = [...document.querySelectorAll(".operation, .operation details")];
                for (const one of all) one.open = true;
                await new Promise((done) => setTimeout(done, 200));
                for (const one of document.querySelectorAll(".operation details")) one.open = true;
                await new Promise((done) => setTimeout(done, 200));
                return document.querySelectorAll(".operation[open] button").length;
            }"""
        )
    assert opened > least
    visit.ends_clean()


def test_an_operation_opened_as_another_document_replaces_it_stays_empty(
    browser: Browser, demo: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, "/docs")
    visit.page.locator(".operation").first.wait_for()
    # The toggle events of what opens here come after the new document's elements have replaced these.
    visit.page.evaluate(
        """() => {
            const read = Response.prototype.json;
            Response.prototype.json = async function () {
                const found = await read.call(this);
                for (const one of document.querySelectorAll(".operation")) one.open = true;
                return found;
            };
        }"""
    )
    _choose(visit, visit.page.locator("#document option").last)
    visit.page.evaluate("new Promise((done) => setTimeout(done, 200))")
    visit.ends_clean()


def test_the_document_chosen_last_is_shown_though_an_earlier_one_comes_later(
    browser: Browser, demo: dict[str, Any]
) -> None:
    visit = Visit(browser, demo, "/docs")
    visit.page.locator(".operation").first.wait_for()
    options = visit.page.locator("#document option").all()
    held: list[Route] = []
    slow = _path(options[1])
    visit.page.route(f"**{slow}", lambda route: held.append(route))
    with visit.page.expect_request(f"**{slow}"):
        visit.page.locator("#document").select_option(index=1)
    _choose(visit, options[2])
    with visit.page.expect_response(f"**{slow}"):
        held.pop().continue_()
    visit.page.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert visit.page.locator(f"#about a[href='{_path(options[2])}']").count() == 1
    visit.ends_clean()


def test_the_integers_of_an_answer_stay_exact(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/docs")
    operation = _open(visit, "GetJwks")
    body = '{"keys":[9007199254740993,{"a":"b, {c}: \\\\"d\\\\""},[],{}]}'
    visit.page.route(
        "**/.well-known/jwks.json", lambda route: route.fulfill(content_type="application/json", body=body)
    )
    shown = _send(operation, "200")
    assert "9007199254740993" in shown
    assert '"b, {c}: \\\\"d\\\\""' in shown
    visit.ends_clean()


def test_words_find_operations(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/docs")
    visit.page.locator(".operation").first.wait_for()
    visit.page.locator("#find").fill("patch geometry")
    assert visit.page.locator(".operation:visible").count() == 0
    visit.page.locator("#find").fill("/geometry/ get")
    assert visit.page.locator(".operation:visible").count() == 1
    visit.page.locator("#find").fill("get /parameter/v1/parameter_types")
    visit.page.locator("#elsewhere a", has_text="parameter v1: GET /parameter/v1/parameter_types").click()
    opened = visit.page.locator("details.operation[open]")
    opened.get_by_role("button", name="Send").wait_for()
    assert urlsplit(visit.page.url).fragment.startswith("parameter/v1/")
    visit.page.locator("#find").fill("no such words")
    visit.page.get_by_text("Nothing is found for “no such words” in any document.").wait_for()
    visit.ends_clean()


def test_an_address_opens_its_operation_and_the_guest_tries_it(browser: Browser, demo: dict[str, Any]) -> None:
    visit = Visit(browser, demo, "/docs#platform/v1/ListProjectMembers")
    operation = visit.page.locator("#ListProjectMembers[open]")
    operation.get_by_role("button", name="Send").wait_for()
    visit.page.get_by_text("Sign in", exact=True).click()
    visit.page.get_by_role("button", name="As the demo's guest").click()
    visit.page.get_by_text("The first project stands").wait_for()
    assert '"role": "owner"' in _send(operation, "200")
    visit.page.locator("#client").fill("x")
    visit.page.locator("#secret").fill("y")
    visit.page.get_by_role("button", name="Get a token").click()
    visit.page.get_by_text("Not signed in").wait_for()
    visit.complaints = [text for text in visit.complaints if "status of 401" not in text]
    visit.ends_clean()


@pytest.mark.parametrize(
    "path",
    [
        *("/docs", "/docs/errors", "/docs/errors/PARAMETER_OUT_OF_RANGE", "/docs/changes", guide_pages.PATH),
        *(f"{guide_pages.PATH}/{name}" for name in guide_pages.names()),
    ],
)
def test_a_page_fits_a_phone(browser: Browser, demo: dict[str, Any], path: str) -> None:
    visit = Visit(browser, demo, path, **PHONE)
    visit.page.locator("h1").wait_for()
    if path == "/docs":
        _open(visit, "UpdateProject")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    visit.ends_clean()
