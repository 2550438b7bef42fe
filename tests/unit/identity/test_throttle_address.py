"""Which address a failure counts for."""

from __future__ import annotations

import pytest

from catenary_core.services.identity.tokens.throttle import address_of


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("ipv4:192.0.2.7:50123", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("ipv6:%5B2001:db8::1%5D:443", "2001:db8::/64"),
        ("ipv6:[2001:db8::2]:443", "2001:db8::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix:/run/x", "unix:/run/x"),
        ("", ""),
        ("not an address", "not an address"),
    ],
)
def test_a_port_doesn_t_count_and_a_network_of_ipv6_is_one_caller(given: str, address: str) -> None:
    assert address_of({"catenary-client-address": given}) == address
