"""The party behind an IP address, for limits that hold for each address."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_network

_NETWORK_BITS = 64


def party(address: IPv4Address | IPv6Address) -> str:
    """Name the party behind an address; of IPv6 the /64 network, since one caller has all of it."""
    if isinstance(address, IPv4Address):
        return str(address)
    mapped = address.ipv4_mapped
    return str(mapped or ip_network((address, _NETWORK_BITS), strict=False))
