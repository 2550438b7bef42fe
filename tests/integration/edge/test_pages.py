"""The pages and documents that the edge serves without credentials."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from catenary_edge.errors import reasons
from catenary_edge.errors.problem import Problem
from catenary_edge.pages import guide_pages
from catenary_edge.surfaces import Context
from catenary_edge.surfaces.platform import Platform
from factories.checks.documents import table_of_guide
from integration.edge.conftest import Running, Start

NO_CREDENTIALS: dict[str, str] = {}
GUIDE = [f"{guide_pages.PATH}/{name}" for name in guide_pages.names()]
PAGES = [
    *("/docs", "/docs/guide", "/docs/errors", "/docs/changes"),
    *GUIDE,
    *(f"/docs/errors/{code}" for code in reasons.CATALOGUE),
]


class Markup(HTMLParser):
    """Reads a page: its elements, its text, and the addresses that it names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    @property
    def anchors(self) -> set[str]:
        return {value or "" for _, given in self.elements for name, value in given.items() if name == "id"}

    @property
    def links_elsewhere(self) -> list[str]:
        found = [given.get("href") or "" for tag, given in self.elements if tag == "a"]
        return [address for address in found if address.startswith("https://")]

    @property
    def addresses(self) -> list[str]:
        return [value or "" for _, given in self.elements for name, value in given.items() if name in ("href", "src")]


async def _page(edge: Running, path: str) -> Markup:
    status, headers, body = await edge.send("GET", path, headers=NO_CREDENTIALS)
    assert status == 200, path
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    return Markup(body.decode())


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_needs_no_credentials_and_loads_nothing_from_elsewhere(edge: Running, path: str) -> None:
    page = await _page(edge, path)
    policy = (await edge.send("GET", path, headers=NO_CREDENTIALS))[1]["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    for address in page.addresses:
        if path in GUIDE and address in page.links_elsewhere:  # a link is followed by a person, not by the page
            continue
        target, _, anchor = address.partition("#")
        assert not target or target.startswith(("/docs", "/openapi/", "/studio/reference-")), address
        assert (await edge.send("GET", target or path, headers=NO_CREDENTIALS))[0] == 200, address
        assert not anchor or anchor in (await _page(edge, target or path)).anchors, address
    for tag, given in page.elements:
        assert tag != "style", "the policy lets no style through"
        assert not {name for name in given if name.startswith("on") or name == "style"}, tag
        assert tag != "script" or given.get("src"), "the policy lets no script in a page through"
    assert any(tag == "meta" and given.get("name") == "viewport" for tag, given in page.elements)
    assert not edge.core.calls, "a page asks the core for nothing"


@pytest.mark.parametrize("code", reasons.CATALOGUE)
async def test_every_reason_has_a_page_that_says_what_it_means_and_what_to_do(edge: Running, code: str) -> None:
    reason = reasons.CATALOGUE[code]
    page = await _page(edge, f"/docs/errors/{code}")
    assert reason.title in page.text
    assert f"HTTP status {reason.http}".replace(" ", "") in page.text.replace(" ", "")
    assert reason.help.replace("`", "") in page.text
    assert f'"code": "{code}"' in page.text
    assert f'"documentation_url": "{edge.url}/docs/errors/{code}"' in page.text
    assert f'"msg": "{reason.title}"' in page.text


async def test_the_page_about_limits_names_the_setting_of_each(edge: Running) -> None:
    page = await _page(edge, "/docs/errors/RATE_LIMIT_EXCEEDED")
    settings = [setting.strip("`") for _, _, setting in table_of_guide("conventions", "limit")]
    assert len(settings) == 4
    for setting in settings:
        assert setting in page.text


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("GET", "/v1/nothing", {}),
        ("PUT", "/v1/projects", {}),
        ("GET", "/v1/projects", {"headers": NO_CREDENTIALS}),
        ("POST", "/v1/projects", {"data": b"{"}),
    ],
)
async def test_the_address_that_a_refusal_gives_is_a_page(
    edge: Running, method: str, path: str, options: dict[str, Any]
) -> None:
    status, _, body = await edge.send(method, path, **options)
    assert status >= 400
    address = body["error"]["documentation_url"]
    assert address.startswith(edge.url)
    await _page(edge, address.removeprefix(edge.url))


async def test_a_reason_that_has_no_page_gets_no_address(edge: Running) -> None:
    body = Platform("v1").error(Problem(400, "NEW_REASON", "New."), Context("id", edge.url)).decode()
    assert "documentation_url" not in body
    assert (await edge.send("GET", "/docs/errors/NEW_REASON"))[0] == 404


async def test_the_index_leads_to_documents_with_the_address_of_the_request(edge: Running) -> None:
    status, headers, index = await edge.send("GET", "/openapi.json", headers=NO_CREDENTIALS)
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert next((one["surface"], one["version"]) for one in index["documents"]) == ("platform", "v1")
    for one in index["documents"]:
        assert one["url"] == f"{edge.url}/openapi/{one['surface']}/{one['version']}.json"
        status, headers, content = await edge.send("GET", one["url"].removeprefix(edge.url), headers=NO_CREDENTIALS)
        assert (status, headers["Content-Type"]) == (200, "application/json")
        assert content["openapi"] == "3.1.0"
        assert content["info"]["title"] == one["title"]
        assert content["servers"] == [{"url": edge.url}]
        assert content["info"]["license"]["identifier"] == "Apache-2.0"


async def test_the_public_address_stands_in_the_documents(start_edge: Start) -> None:
    async with start_edge(public_url="https://catenary.example") as edge:
        _, _, content = await edge.send("GET", "/openapi/platform/v1.json")
        assert content["servers"] == [{"url": "https://catenary.example"}]


async def test_a_page_is_read_only(edge: Running) -> None:
    for path in (
        "/docs",
        "/openapi.json",
        "/openapi/platform/v1.json",
        "/docs/errors/NOT_FOUND",
        "/docs/static/style.css",
        "/docs/descriptors.binpb",
        "/docs/operations.json",
    ):
        status, headers, _ = await edge.send("POST", path, data=b"{}")
        assert (status, headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
        status, headers, _ = await edge.send("OPTIONS", path)
        assert (status, headers["Allow"]) == (204, "GET, HEAD, OPTIONS")
        status, headers, body = await edge.send("HEAD", path)
        assert (status, body) == (200, b"")
        assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "path",
    [
        "/docs/errors/NOTHING",
        "/docs/errors/not_found",
        "/docs/guide/nothing/",
        "/docs/guide/nothing",
        "/docs/guide/models.md",
        "/docs/guide/../site",
        "/docs/guide/%2e%2e/site",
        "/docs/static/../site.py",
        "/docs/static/%2e%2e/site.py",
        "/docs/static/",
        "/docs/internal_descriptors.binpb",
        "/docs/static/site.py",
        "/openapi/platform/v9.json",
        "/openapi/worker/v1.json",
        "/openapi/platform/v1",
    ],
)
async def test_what_is_no_page_is_not_found(edge: Running, path: str) -> None:
    assert (
        b" 404 "
        in (await edge.raw(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()))[:20]
    )


async def test_pages_are_refused_over_plain_http_too(start_edge: Start) -> None:
    async with start_edge(dev=False) as edge:
        status, _, body = await edge.send("GET", "/docs")
        assert (status, body["error"]["code"]) == (403, "HTTPS_REQUIRED")


async def test_a_document_is_compressed(edge: Running) -> None:
    answer = await edge.raw(
        b"GET /openapi/platform/v1.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    )
    found = re.search(rb"Content-Length: ([0-9]+)", answer)
    assert found is not None
    assert b"Content-Encoding: gzip" in answer
    assert int(found[1]) < 90_000


async def test_the_guide_lists_its_pages_with_what_they_are_about(edge: Running) -> None:
    page = await _page(edge, "/docs/guide")
    assert [address for address in page.addresses if address in GUIDE] == GUIDE
    assert "From an empty machine to a first evaluation over HTTP." in page.text
    assert "/docs/guide" in (await _page(edge, "/docs")).addresses


@pytest.mark.parametrize("path", GUIDE)
async def test_a_page_of_the_guide_is_one_article_with_scrolling_tables(edge: Running, path: str) -> None:
    page = await _page(edge, path)
    tags = [tag for tag, _ in page.elements]
    assert (tags.count("article"), tags.count("h1")) == (1, 1)
    wide = sum(1 for tag, given in page.elements if tag == "div" and given.get("class") == "wide")
    assert tags.count("table") == wide


async def test_the_changes_name_the_rules_of_deprecation(edge: Running) -> None:
    page = await _page(edge, "/docs/changes")
    assert "6 months" in page.text
    assert "12 months" in page.text
    assert "No operation is deprecated." in page.text
