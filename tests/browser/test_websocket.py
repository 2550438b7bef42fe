"""`/ws` from a page in a real browser, whose token goes along as a subprotocol. Needs Chromium.

See guide/conventions.md, "WebSocket".
"""

from __future__ import annotations

import contextlib
import http.server
import json
import re
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import Visit
from catenary_edge.pages import guide_pages
from catenary_edge.studio import files
from factories.installations.installation import ANSWER_SECONDS, Installation
from factories.installations.started import started

pytestmark = [pytest.mark.slow, pytest.mark.sampled]

SECONDS = 60_000
"""In milliseconds, how long a page waits for what must come."""
# The page's own code: opens a WebSocket and keeps what happens to it in window.told.
OPEN = """([token, query]) => {
    const url = `${location.origin.replace("http", "ws")}/ws${query}`;
    const told = window.told = {opened: false, protocol: "", events: [], code: 0};
    const socket = window.socket = new WebSocket(url, ["catenary.v1", "bearer." + token]);
    socket.onopen = () => { told.opened = true; told.protocol = socket.protocol; };
    socket.onmessage = (message) => told.events.push(JSON.parse(message.data));
    socket.onclose = (event) => { told.code = event.code; };
}"""
# The same of a page that has a share link alone, on another origin: it reads a variant too.
READ_BY_LINK = """async ([address, token, variant_id]) => {
    const told = window.told = {opened: false, events: [], code: 0, variant: null, status: 0};
    const headers = {"X-Share-Token": token};
    const answer = await fetch(`${address}/v1/variants/${variant_id}`, {headers, cache: "no-store"});
    told.status = answer.status;
    told.variant = (await answer.json()).data.variant;
    const socket = window.socket = new WebSocket(`${address.replace("http", "ws")}/ws`, ["catenary.v1", "share." + token]);
    socket.onopen = () => { told.opened = true; };
    socket.onmessage = (message) => told.events.push(JSON.parse(message.data));
    socket.onclose = (event) => { told.code = event.code; };
}"""


class Caller:
    """The demo's own client, beside the browser."""

    def __init__(self, demo: dict[str, Any]) -> None:
        self.demo = demo
        given = {key: demo[key] for key in ("client_id", "client_secret")}
        body = {"grant_type": "client_credentials", **given}
        answer = httpx.post(f"{demo['base_url']}auth/token", json=body, timeout=ANSWER_SECONDS)
        self.token: str = answer.json()["access_token"]

    def rename(self, name: str) -> None:
        """Causes one event `project.updated`."""
        path = f"{self.demo['base_url']}projects/{self.demo['project_id']}"
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = httpx.patch(path, json={"name": name}, headers=headers, timeout=ANSWER_SECONDS)
        assert answer.status_code == 200, answer.text

    def call(self, method: str, path: str, **given: Any) -> Any:
        """Call a route of a project's resources and return the data."""
        headers = {"Authorization": f"Bearer {self.token}"}
        url = self.demo["base_url"] + path
        answer = httpx.request(method, url, headers=headers, timeout=ANSWER_SECONDS, **given)
        assert answer.is_success, answer.text
        return answer.json()["data"]


@pytest.fixture(scope="module")
def caller(demo: dict[str, Any]) -> Caller:
    return Caller(demo)


def _open(page: Page, token: str, query: str = "?types=project.updated") -> None:
    page.evaluate(OPEN, [token, query])


def _until(page: Page, condition: str) -> None:
    page.wait_for_function(f"() => {condition}", timeout=SECONDS)


@pytest.mark.gate
def test_a_page_gets_events_by_a_token_as_subprotocol_and_goes_on_after_the_last(
    browser: Browser, demo: dict[str, Any], caller: Caller
) -> None:
    visit = Visit(browser, demo, "/docs")
    page = visit.page
    _open(page, caller.token)
    _until(page, "told.opened")
    assert page.evaluate("told.protocol") == "catenary.v1", "not the one with the token"
    caller.rename("First")
    _until(page, "told.events.length === 1")
    (first,) = page.evaluate("told.events")
    assert list(first) == ["id", "type", "occurred_at", "project_id", "actor_id", "subject", "data"]
    assert (first["project_id"], first["data"]["project"]["name"]) == (demo["project_id"], "First")

    page.evaluate("socket.close()")
    _until(page, "told.code !== 0")
    for name in ("Second", "Third"):
        caller.rename(name)
    _open(page, caller.token, f"?types=project.updated&after={first['id']}")
    _until(page, "told.events.length === 2")
    caller.rename("Fourth")
    _until(page, "told.events.length === 3")
    names = [event["data"]["project"]["name"] for event in page.evaluate("told.events")]
    assert names == ["Second", "Third", "Fourth"], "what it missed, in order, and what comes"
    visit.ends_clean()


@pytest.mark.parametrize("token", ["nonsense", "eyJhbGciOiJub25lIn0.e30."])
def test_a_wrong_token_gets_no_socket(browser: Browser, demo: dict[str, Any], token: str) -> None:
    page = Visit(browser, demo, "/docs").page
    _open(page, token)
    _until(page, "told.code !== 0")
    assert page.evaluate("told") == {"opened": False, "protocol": "", "events": [], "code": 1006}
    page.close()


@contextlib.contextmanager
def _serving(page: str) -> Iterator[str]:
    """Serve one page at an origin of its own until the block ends."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: Any) -> None:
            """Nothing is logged."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def own_origin() -> Iterator[str]:
    """Yield the configured origin of the page that the guide has."""
    (source,) = re.findall(r"```html\n(<!doctype.*?)```", guide_pages.text_of("live_sessions"), re.DOTALL)
    with _serving(source) as origin:
        yield origin


@pytest.fixture(scope="module")
def demo(data_root: Path, own_origin: str) -> Iterator[dict[str, Any]]:
    installation = Installation(
        started(data_root / uuid.uuid4().hex[:12]), ["--nodes", "1", "--workers", "1", "--cors-origin", own_origin]
    )
    try:
        yield installation.wait()
    finally:
        installation.stop()


@pytest.fixture(scope="module")
def other_origin() -> Iterator[str]:
    """Yield the address of a page of an origin that nobody configured."""
    with _serving("<!doctype html><title>Elsewhere</title>") as origin:
        yield origin


def test_a_page_of_another_origin_gets_no_socket_though_it_has_a_token(
    browser: Browser, demo: dict[str, Any], caller: Caller, other_origin: str
) -> None:
    page = browser.new_page()
    page.goto(other_origin)
    address = demo["base_url"].removesuffix("/v1/")
    foreign = OPEN.replace("location.origin", repr(address))
    page.evaluate(foreign, [caller.token, "?types=project.updated"])
    _until(page, "told.opened || told.code !== 0")
    assert page.evaluate("told") == {"opened": False, "protocol": "", "events": [], "code": 1006}
    page.goto(f"{address}/docs")  # the very same from the edge's own page: it is the origin that was refused
    page.evaluate(foreign, [caller.token, "?types=project.updated"])
    _until(page, "told.opened")
    page.close()


@pytest.mark.skipif(not files.names(), reason="three comes with the packages of the Studio")
def test_the_guides_page_with_sliders_shows_the_design(
    browser: Browser, demo: dict[str, Any], caller: Caller, own_origin: str
) -> None:
    server = demo["base_url"].removesuffix("/v1/").replace("http", "ws")
    key = caller.call("POST", "api_keys", json={"name": "page", "scopes": ["platform:read", "platform:write"]})["key"]
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.route("https://cdn.jsdelivr.net/npm/three@*/**", _fulfill_three)
    page.goto(f"{own_origin}/#server={server}&project={demo['project_id']}&key={key}")
    _until(page, "numbers.textContent.includes('height')")
    drawn = page.locator("#view").screenshot()
    for storeys in range(10, 61, 5):  # one after the other, as a slider moves
        page.locator("[name=storeys]").fill(str(storeys))
    wanted = caller.call("POST", f"projects/{demo['project_id']}/evaluate", json={"parameters": {"storeys": 60}})
    height = wanted["evaluation"]["metrics"]["height"]["value"]
    page.wait_for_function(
        "height => JSON.parse(numbers.textContent).height.value === height", arg=height, timeout=SECONDS
    )
    expect(page.locator("#numbers")).not_to_contain_text("ended")
    while page.locator("#view").screenshot() == drawn:  # the files come after the numbers
        page.wait_for_timeout(100)
    assert complaints == []
    page.close()


def _fulfill_three(route: Route) -> None:
    """Answer with the file of the package that the Studio is built with."""
    package = Path(files.__file__).parent / "node_modules/three"
    version, _, path = route.request.url.partition("three@")[2].partition("/")
    assert version == json.loads((package / "package.json").read_text())["version"]
    route.fulfill(path=package / path, content_type="text/javascript", headers={"Access-Control-Allow-Origin": "*"})


@pytest.mark.gate
def test_a_page_elsewhere_reads_a_variant_by_its_link(
    browser: Browser, demo: dict[str, Any], caller: Caller, other_origin: str
) -> None:
    project = f"projects/{demo['project_id']}"
    made = caller.call("POST", f"{project}/variants", json={"name": "For others", "parameters": {"storeys": 21}})[
        "variant"
    ]
    fields = {"kind": "link", "variant_id": made["variant_id"]}
    share = caller.call("POST", f"{project}/shares", json=fields)
    token = share["url"].partition("#share=")[2]
    page = browser.new_page()
    page.goto(other_origin)
    page.evaluate(READ_BY_LINK, [demo["base_url"].removesuffix("/v1/"), token, made["variant_id"]])
    _until(page, "told.opened")
    assert page.evaluate("[told.status, told.variant.name, told.variant.created_by]") == [200, "For others", None]
    caller.call("PATCH", f"variants/{made['variant_id']}", json={"name": "For everybody"})
    _until(page, "told.events.some((event) => event.type === 'project.variant.updated')")
    told = page.evaluate("told.events")
    assert {event["actor_id"] for event in told} == {None}
    caller.call("DELETE", f"{project}/shares/{share['share']['share_id']}")
    _until(page, "told.code !== 0")
    assert page.evaluate("told.code") == 1008
    page.close()
