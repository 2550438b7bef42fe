"""The hosts at which a server answers: a page of another site must not reach it under a name of its own (DNS rebinding).

A server on loopback answers at `localhost` and loopback addresses, on any port; another one also at the host of its
public URL, with which it is started. So no address in an answer comes from a stranger's Host.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp.web import BaseRequest

from catenary_edge.errors.fault import shortened
from catenary_edge.errors.problem import refusal

_HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


def is_loopback(name: str) -> bool:
    """Tell whether a host, without a port, is this machine itself; of names only `localhost` is."""
    try:
        return name.lower() == "localhost" or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def is_loopback_host(header: str) -> bool:
    """Tell whether a Host header names this machine itself, on any port."""
    found = _HOST.fullmatch(header)
    return found is not None and is_loopback(found["name"])


class Hosts:
    """The hosts of a server with this public URL; an empty one has loopback hosts only."""

    def __init__(self, public_url: str) -> None:
        self._public = (urlsplit(public_url).hostname or "").lower()

    def check(self, request: BaseRequest) -> None:
        """Check the header Host; HTTP/1.0 needs none.

        Raises:
            Problem: 400 for a Host that names no host (RFC 9112, section 3.2), or one at which this server doesn't answer.
        """
        header = request.headers.get("Host")  # the parser has refused a second one, and HTTP/1.1 without any
        if header is None:
            return
        found = _HOST.fullmatch(header)
        if found is None:
            message = "The header Host names no host; send the host of the address, and its port if there is one."
        elif is_loopback(found["name"]) or found["name"].strip("[]").lower() == self._public:
            return
        else:
            message = (
                "The header Host names a host at which this server does not answer; call it at its own address. An operator"
                " gives the address that callers use with --public-url; without it only localhost and loopback addresses"
                " such as 127.0.0.1 are taken."
            )
        raise refusal("VALIDATION_ERROR", message, parameter="Host", value=shortened(header), constraint="host")
