"""The origin of a request, and the refusal of plain HTTP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from catenary_edge.errors.problem import Problem
from catenary_edge.http.origin import Gate, Origin, check_bind, parse_address, refuses_everything, tls_context
from catenary_edge.settings import EdgeSettings

_PUBLIC = "https://catenary.example"
PROXIED = EdgeSettings(trusted_proxies=("10.0.0.0/8", "fd00::/8"))


def request(peer: str, *headers: tuple[str, str], tls: bool = False) -> Any:
    transport = mock.Mock()
    extra = {"peername": (peer, 1234), "sslcontext": object() if tls else None}
    transport.get_extra_info = lambda name, default=None: extra.get(name, default)
    return make_mocked_request("GET", "/", CIMultiDict(headers), transport=transport)


@pytest.mark.parametrize(
    ("peer", "headers", "origin"),
    [
        ("203.0.113.7", [("X-Forwarded-Proto", "https")], Origin("http", "203.0.113.7")),
        ("203.0.113.7", [("X-Forwarded-For", "198.51.100.1")], Origin("http", "203.0.113.7")),
        ("10.1.2.3", [], Origin("http", "10.1.2.3")),
        ("10.1.2.3", [("X-Forwarded-Proto", "https")], Origin("https", "10.1.2.3")),
        ("10.1.2.3", [("X-Forwarded-Proto", "https, http")], Origin("http", "10.1.2.3")),
        ("10.1.2.3", [("X-Forwarded-Proto", "http"), ("X-Forwarded-Proto", "HTTPS")], Origin("https", "10.1.2.3")),
        ("10.1.2.3", [("X-Forwarded-Proto", "wss")], Origin("http", "10.1.2.3")),
        ("10.1.2.3", [("X-Forwarded-For", "6.6.6.6, 198.51.100.1")], Origin("http", "198.51.100.1")),
        ("10.1.2.3", [("X-Forwarded-For", "198.51.100.1, 10.9.9.9")], Origin("http", "198.51.100.1")),
        ("10.1.2.3", [("X-Forwarded-For", "198.51.100.1:8080")], Origin("http", "198.51.100.1")),
        ("10.1.2.3", [("X-Forwarded-For", "[2001:db8::1]:8080")], Origin("http", "2001:db8::1")),
        ("10.1.2.3", [("X-Forwarded-For", "6.6.6.6, junk")], Origin("http", "10.1.2.3")),
        ("::ffff:10.1.2.3", [("X-Forwarded-Proto", "https")], Origin("https", "::ffff:10.1.2.3")),
        ("fd00::1", [("X-Forwarded-Proto", "https")], Origin("https", "fd00::1")),
    ],
)
def test_only_a_trusted_proxy_is_believed(peer: str, headers: list[tuple[str, str]], origin: Origin) -> None:
    assert Gate(PROXIED).origin(request(peer, *headers)) == origin


def test_tls_of_our_own_is_https() -> None:
    gate = Gate(EdgeSettings())
    one = request("203.0.113.7", tls=True)
    assert gate.origin(one) == Origin("https", "203.0.113.7")
    gate.check(one, gate.origin(one))


@pytest.mark.parametrize(
    ("settings", "peer", "headers", "taken"),
    [
        (EdgeSettings(), "127.0.0.1", [], False),
        (EdgeSettings(dev=True), "127.0.0.1", [], True),
        (EdgeSettings(dev=True), "::1", [], True),
        (EdgeSettings(dev=True), "127.8.8.8", [], True),
        (EdgeSettings(dev=True), "203.0.113.7", [], False),
        (EdgeSettings(dev=True), "203.0.113.7", [("X-Forwarded-For", "127.0.0.1")], False),
        (EdgeSettings(), "203.0.113.7", [("X-Forwarded-Proto", "https")], False),
        (PROXIED, "10.1.2.3", [("X-Forwarded-Proto", "https")], True),
        (PROXIED, "10.1.2.3", [("X-Forwarded-Proto", "http")], False),
        (
            EdgeSettings(dev=True, trusted_proxies=("127.0.0.1",)),
            "127.0.0.1",
            [("X-Forwarded-For", "203.0.113.7"), ("X-Forwarded-Proto", "http")],
            False,
        ),
    ],
)
def test_plain_http_is_refused_but_on_loopback_in_development(
    settings: EdgeSettings, peer: str, headers: list[tuple[str, str]], taken: bool
) -> None:
    gate = Gate(settings)
    one = request(peer, *headers)
    if taken:
        gate.check(one, gate.origin(one))
        return
    with pytest.raises(Problem) as caught:
        gate.check(one, gate.origin(one))
    assert (caught.value.status, caught.value.reason) == (403, "HTTPS_REQUIRED")
    for flags in ("--tls-cert FILE --tls-key FILE", "--trusted-proxy NETWORK", "--dev"):
        assert flags in caught.value.message, "the way out"


@pytest.mark.parametrize(
    ("settings", "refused"),
    [
        (EdgeSettings(), True),
        (EdgeSettings(public_url="https://catenary.example"), True),
        (EdgeSettings(dev=True), False),
        (PROXIED, False),
        (EdgeSettings(tls_cert=Path("c"), tls_key=Path("k")), False),
    ],
)
def test_a_server_without_any_way_to_https_refuses_everything(settings: EdgeSettings, refused: bool) -> None:
    assert refuses_everything(settings) is refused


def test_without_tls_or_a_trusted_proxy_only_loopback_can_be_bound(tmp_path: Path) -> None:
    for host in ("127.0.0.1", "localhost", "::1", "127.1.1.1"):
        check_bind(EdgeSettings(), host)
    for host in ("0.0.0.0", "::", "", "192.0.2.1", "example.org", "localhost.example.org"):
        with pytest.raises(ValueError, match="loopback only"):
            check_bind(EdgeSettings(dev=True), host)
        check_bind(replace(PROXIED, public_url=_PUBLIC), host)
        check_bind(EdgeSettings(tls_cert=tmp_path / "c", tls_key=tmp_path / "k", public_url=_PUBLIC), host)


def test_off_loopback_the_public_url_is_required_in_development_too(tmp_path: Path) -> None:
    tls = EdgeSettings(tls_cert=tmp_path / "c", tls_key=tmp_path / "k")
    for settings in (PROXIED, tls, replace(tls, dev=True)):
        for host in ("0.0.0.0", "::", "", "192.0.2.1", "example.org"):
            with pytest.raises(ValueError, match="give --public-url with the address that they use"):
                check_bind(settings, host)
        for host in ("127.0.0.1", "localhost", "::1"):
            check_bind(settings, host)


def test_settings_that_cannot_be_meant_are_refused(tmp_path: Path) -> None:
    for arguments in (
        {"tls_cert": tmp_path / "c"},
        {"trusted_proxies": ("10.0.0.1/8",)},
        {"trusted_proxies": ("anyone",)},
        {"public_url": "catenary.example"},
        {"cors_origins": ("*",)},
        {"cors_origins": ("https://a.example/",)},
    ):
        with pytest.raises(ValueError, match=r"tls_|trusted_proxies|public_url|CORS"):
            EdgeSettings(**arguments)  # type: ignore[arg-type]


def test_files_that_are_no_certificate_are_refused_with_their_names(tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    with pytest.raises(ValueError, match=r"cert\.pem"):
        tls_context(EdgeSettings(tls_cert=certificate, tls_key=key))
    certificate.write_text("no certificate")
    key.write_text("no key")
    with pytest.raises(ValueError, match=r"cert\.pem"):
        tls_context(EdgeSettings(tls_cert=certificate, tls_key=key))
    assert tls_context(EdgeSettings()) is None


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "1.2.3.4.5", "[::1", "[]", "unknown", "_hidden", "1.2.3.4:x:y"])
def test_what_is_no_address_is_none(text: str) -> None:
    assert parse_address(text) is None or text == "[::1"
