"""The table of addresses that no webhook reaches, and how a Retry-After is read."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.webhooks.deliveries.responses import retry_after
from catenary_core.services.webhooks.targets import addresses, guard
from factories.webhooks.targets import PUBLIC

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(("network", "source"), addresses.FORBIDDEN, ids=lambda value: str(value)[:24])
def test_every_network_is_refused_from_its_first_to_its_last_address(
    network: ipaddress.IPv4Network | ipaddress.IPv6Network, source: str
) -> None:
    assert not addresses.is_public(str(network[0]))
    assert not addresses.is_public(str(network[-1]))
    assert source.split(":")[0]


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_internet_pass(address: str) -> None:
    assert addresses.is_public(address)
    assert not addresses.is_public("2001:4860:4860::8888%1")


def test_what_python_takes_for_global_is_refused_here() -> None:
    """Without the table, `ipaddress.is_global` would let these through (Python 3.11.7)."""
    named = ("64:ff9b::7f00:1", "2002:7f00:1::1", "fec0::1", "::127.0.0.1", "192.0.0.8")
    assert not any(addresses.is_public(address) for address in named)
    assert sum(ipaddress.ip_address(address).is_global for address in named) >= 1


@pytest.mark.parametrize(
    "url",
    [
        "https://8.8.8.8/hook",
        "https://8.8.8.8:8443/a%20b?token=x&y=%C3%A9",
        "https://[2606:4700:4700::1111]:443/",
        "HTTPS://[2606:4700:4700::1111]",
        "https://8.8.8.8?x",
        f"https://8.8.8.8/{'a' * 2032}",
    ],
    ids=lambda url: url[:40],
)
async def test_a_public_address_is_taken(url: str) -> None:
    await guard.check(url, allow_private=False)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com./x",
        "https://xn--mller-kva.example/",
        "https://a_b.example/",
        "https://1password.example",
        "https://0x7f.example",
    ],
)
async def test_a_public_name_is_taken(url: str) -> None:
    async def found(host: str) -> list[str]:
        return [PUBLIC[0]]

    await guard.check(url, allow_private=False, look_up=found)


@pytest.mark.parametrize(
    "url",
    [
        "https://-a.example/",
        "https://a..example/",
        "https://.example/",
        "https://./",
        f"https://{'a' * 64}.example/",
        "https://" + ".".join(["a" * 60] * 5),
        "https://example.1/",
        "https://1.2.3.4.5/",
        "https://01.2.3.4/",
        "https://[::1",
        "https://[v1.a]/",
        "https://a:80:80/",
        "https://a:/",
        "https://a:+80/",
        "https://a,b/",
        "https://a\\b/",
    ],
)
async def test_what_names_no_host_is_refused_even_where_private_addresses_are_allowed(url: str) -> None:
    with pytest.raises(DomainError, match="url must name a host"):
        await guard.check(url, allow_private=True)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("\u0661\u0662", None),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("86401", 86400.0),
        ("9" * 5000, 86400.0),
        ("Sat, 21 Nov 2026 12:01:00 GMT", 60.0),
        ("Sat, 21 Nov 2026 12:01:00 -0000", 60.0),
        ("Sat, 21 Nov 2026 13:01:00 +0100", 60.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("Sat, 21 Nov 2099 11:00:00 GMT", 86400.0),
        ("Sat, 21 Nov 99999 11:00:00 GMT", None),
        ("Sat, 31 Feb 2026 11:00:00 GMT", None),
        ("Sat, 21 Nov 2026 11:00:00 +9999999999", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_up_to_a_day(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds
