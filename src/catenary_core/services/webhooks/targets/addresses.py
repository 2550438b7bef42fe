"""Addresses that a webhook may never reach.

Python's `ipaddress.is_global` isn't used: on 3.11 it classifies NAT64, 6to4, fec0::/10, ::127.0.0.1 and 192.0.0.8 as
global.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_ANY_PORT = 9

FORBIDDEN = tuple(
    (ip_network(network), source)
    for network, source in (
        # IANA IPv4 Special-Purpose Address Registry: every block that is not globally reachable, and relays.
        ("0.0.0.0/8", "RFC 791, section 3.2: this network; RFC 1122, section 3.2.1.3: this host"),
        ("10.0.0.0/8", "RFC 1918: private use"),
        ("100.64.0.0/10", "RFC 6598: shared address space of carriers"),
        ("127.0.0.0/8", "RFC 1122, section 3.2.1.3: loopback"),
        ("169.254.0.0/16", "RFC 3927: link local, where clouds serve their metadata"),
        ("172.16.0.0/12", "RFC 1918: private use"),
        ("192.0.0.0/24", "RFC 6890, section 2.1: IETF protocol assignments; RFC 7335: IPv4 service continuity"),
        ("192.0.2.0/24", "RFC 5737: documentation, TEST-NET-1"),
        ("192.88.99.0/24", "RFC 7526: anycast of 6to4 relays, deprecated"),
        ("192.168.0.0/16", "RFC 1918: private use"),
        ("198.18.0.0/15", "RFC 2544: benchmarks"),
        ("198.51.100.0/24", "RFC 5737: documentation, TEST-NET-2"),
        ("203.0.113.0/24", "RFC 5737: documentation, TEST-NET-3"),
        ("224.0.0.0/4", "RFC 1112, section 4: multicast"),
        ("240.0.0.0/4", "RFC 1112, section 4: reserved; RFC 8190: limited broadcast"),
        ("168.63.129.16/32", "Azure's documentation, 'What is IP address 168.63.129.16': services of the host"),
        # IANA IPv6 Address Space (RFC 4291, section 2.4): 2000::/3 alone is global unicast. Of what lies below are ::, ::1,
        # mapped and compatible IPv4 (RFC 4291, section 2.5.5), NAT64 (64:ff9b::/96 of RFC 6052, 64:ff9b:1::/48 of RFC 8215)
        # and 100::/64 (RFC 6666); above are fc00::/7 (RFC 4193), fe80::/10, fec0::/10 (RFC 3879) and ff00::/8 (RFC 4291).
        ("::/3", "RFC 4291, section 2.4: not global unicast"),
        ("4000::/2", "RFC 4291, section 2.4: not global unicast"),
        ("8000::/1", "RFC 4291, section 2.4: not global unicast"),
        # IANA IPv6 Special-Purpose Address Registry, within 2000::/3.
        ("2001::/23", "RFC 2928: IETF protocol assignments, with Teredo (2001::/32, RFC 4380) and ORCHID (RFC 7343)"),
        ("2001:db8::/32", "RFC 3849: documentation"),
        ("2002::/16", "RFC 3056: 6to4, which carries an IPv4 address"),
        ("3fff::/20", "RFC 9637: documentation"),
    )
)
"""The refused networks, each with its source."""


def is_public(address: str) -> bool:
    """Return whether an address is public; one with a zone (RFC 4007, section 11) never is."""
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address) and parsed.scope_id is not None:
        return False
    return not any(parsed in network for network, _ in FORBIDDEN)


def is_local(address: str) -> bool:
    """Return whether an interface of this machine has the address at this moment.

    The kernel answers: it would send a packet for one of its own addresses from that very address. Nothing is sent.
    Unlike a trial bind, this is also right where foreign addresses may be bound (`ip_nonlocal_bind`).
    """
    parsed = ip_address(address)
    family = socket.AF_INET if isinstance(parsed, IPv4Address) else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, _ANY_PORT))
        except OSError:  # no route to the address, so it isn't local
            return False
        return ip_address(probe.getsockname()[0]) == parsed
