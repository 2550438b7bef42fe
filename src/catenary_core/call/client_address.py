"""The address of a call's caller, as request metadata has it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import unquote

KEY = "catenary-client-address"
"""Name of the metadata: an address of an edge's caller, or the peer of the gRPC server."""
# gRPC's names of peers: ipv4:192.0.2.1:5000, ipv6:%5B2001:db8::1%5D:5000.
_PEER = re.compile(r"ipv[46]:\[?(?P<address>[0-9A-Fa-f.:]+?)\]?(?::\d+)?")
_PEER_V6 = re.compile(r"ipv6:\[(?P<address>[^\]]+)\](?::\d+)?")


def client_address(metadata: Mapping[str, str]) -> IPv4Address | IPv6Address | None:
    """Return the caller's address without its port; None for a Unix socket or where none is known."""
    text = unquote(metadata.get(KEY, ""))
    match = _PEER_V6.fullmatch(text) or _PEER.fullmatch(text)
    try:
        address = ip_address((match["address"] if match else text).partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
