"""The Studio's page and files over HTTP; and an edge for which no Studio is built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from catenary_edge.pages import site
from catenary_edge.studio import files
from fixtures.edge.stand_in import Refusal
from integration.edge.conftest import Running

NO_CREDENTIALS: dict[str, str] = {}
SCRIPT = b"export const built = true;\n" * 100


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the folder of a bundle, where none is built yet."""
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    _forget()
    yield tmp_path
    _forget()


def _forget() -> None:
    files.names.cache_clear()
    files.read.cache_clear()


def _build(folder: Path) -> None:
    (folder / "index.html").write_text("<!doctype html><title>Studio</title>")
    (folder / "studio-ABCD.js").write_bytes(SCRIPT)
    (folder / "reference-EFGH.js").write_bytes(SCRIPT)
    (folder / "reference-IJKL.css").write_text("p { margin: 0; }")
    (folder / "licences.txt").write_text("three (MIT)")
    (folder / "stamp").write_text("0")
    _forget()


async def test_the_page_has_a_policy_of_its_own(edge: Running, built: Path) -> None:
    _build(built)
    assert site.home() == "/studio"
    for path in ("/studio", "/studio/", "/"):
        status, headers, body = await edge.send("GET", path, headers=NO_CREDENTIALS)
        assert status == 200, path
        assert b"<title>Studio" in body
        assert headers["Content-Type"] == "text/html; charset=utf-8"
        assert headers["Cache-Control"] == "no-cache"
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert "require-trusted-types-for 'script'" in policy


@pytest.mark.parametrize(
    ("endpoint", "origin"),
    [
        ("https://login.example.com:8443/token?x=1", " https://login.example.com:8443"),
        (None, ""),
        ("https://a.example;script-src *", ""),
        ("https://user@a.example/token", ""),
    ],
)
async def test_the_page_may_speak_to_providers_alone(
    edge: Running, built: Path, endpoint: str | None, origin: str
) -> None:
    _build(built)
    config = {"issuers": [{"token_endpoint": endpoint}], "demo": False, "version": "1.0.0"}
    edge.core.on("StudioService/GetStudioConfig", {"config": config})
    _, headers, _ = await edge.send("GET", "/studio", headers=NO_CREDENTIALS)
    assert f"; connect-src 'self'{origin}; base-uri" in headers["Content-Security-Policy"]


async def test_the_page_is_there_while_the_core_is_away(edge: Running, built: Path) -> None:
    _build(built)
    edge.core.on("StudioService/GetStudioConfig", Refusal(grpc.StatusCode.UNAVAILABLE, "away"))
    status, headers, _ = await edge.send("GET", "/studio", headers=NO_CREDENTIALS)
    assert status == 200
    assert "connect-src 'self'; " in headers["Content-Security-Policy"]


async def test_a_file_with_a_hash_is_kept_for_good(edge: Running, built: Path) -> None:
    _build(built)
    status, headers, body = await edge.send("GET", "/studio/studio-ABCD.js", headers={"Accept-Encoding": "gzip"})
    assert (status, body) == (200, SCRIPT)
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert headers["Content-Encoding"] == "gzip"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert (await edge.send("GET", "/studio/licences.txt"))[1]["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "name", ["stamp", "index.html", "studio-OLD.js", "..%2Ffiles.py", "../files.py", "%2e%2e/files.py"]
)
async def test_nothing_else_is_served(edge: Running, built: Path, name: str) -> None:
    _build(built)
    assert (await edge.send("GET", f"/studio/{name}", headers=NO_CREDENTIALS))[0] == 404


async def test_without_a_bundle_the_reference_is_the_home(edge: Running, built: Path) -> None:
    assert site.home() == "/docs"
    status, headers, _ = await edge.send("GET", "/", headers=NO_CREDENTIALS, allow_redirects=False)
    assert (status, headers["Location"]) == (302, "/docs")
    status, headers, body = await edge.send("GET", "/studio", headers=NO_CREDENTIALS)
    assert status == 200
    assert b"<code>catenary studio build</code>" in body
    assert "Content-Security-Policy" in headers
    assert (await edge.send("GET", "/studio/studio-ABCD.js", headers=NO_CREDENTIALS))[0] == 404


async def test_the_reference_of_a_bundle_may_make_markup_of_cleaned_text_alone(edge: Running, built: Path) -> None:
    _build(built)
    status, headers, body = await edge.send("GET", "/docs", headers=NO_CREDENTIALS)
    assert status == 200
    assert headers["Cache-Control"] == "no-cache", "it names files that another bundle does not have"
    assert b"<catenary-reference>" in body
    for name in ("reference-EFGH.js", "reference-IJKL.css"):
        assert f"/studio/{name}".encode() in body
        assert (await edge.send("GET", f"/studio/{name}"))[1]["Cache-Control"].endswith("immutable")
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["trusted-types"] == "lit-html default dompurify 'allow-duplicates'"


async def test_without_a_bundle_the_reference_lists_the_documents(edge: Running, built: Path) -> None:
    status, headers, body = await edge.send("GET", "/docs", headers=NO_CREDENTIALS)
    assert status == 200
    assert b"<code>catenary studio build</code>" in body
    assert b"<script" not in body
    index = (await edge.send("GET", "/openapi.json"))[2]
    assert len(index["documents"]) > 5
    for one in index["documents"]:
        assert f'<a href="/openapi/{one["surface"]}/{one["version"]}.json">{one["title"]}</a>'.encode() in body
    assert "unsafe" not in headers["Content-Security-Policy"]
