"""The refresh token of a session as a cookie, on the routes of sessions alone (the method option `session_cookie`).

The core has the token in metadata, so that no body ever shows it. The cookie goes along with every request of a page of this
server, and counts only where it is exchanged or ended, for pages of this server's own origin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from aiohttp.web import BaseRequest

from catenary.options.v1 import options_pb2
from catenary_edge.errors.problem import refusal
from catenary_edge.http.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Mapping

REFRESH = "catenary-refresh-token"
"""Metadata with the refresh token; in a response it is empty once the session has ended."""
SECONDS = "catenary-refresh-seconds"
"""Response metadata with the seconds after which the refresh token ends."""
HEADER = "Set-Cookie"
_NAME = "catenary_session"
_SECURE_PREFIX = "__Host-"
"""Prefix of a cookie that browsers take from this host alone, over HTTPS (RFC 6265bis, section 4.1.3.2)."""
_MAX_LENGTH = 200


def metadata(request: BaseRequest, origin: Origin, public_url: str) -> dict[str, str]:
    """Return the refresh token of a request to a route that takes it, as metadata for the core; {} without one.

    Args:
        request: The request.
        origin: Scheme and address of the caller.
        public_url: The address of this server for callers; empty for that of each request.

    Raises:
        Problem: 403 unless a page of this server's own origin calls.
    """
    if not is_own_page(request, origin, public_url):
        raise refusal(
            "PERMISSION_DENIED", "A session is for pages of this server; send the header Origin with its own address."
        )
    token = request.cookies.get(name(origin), "")
    return {REFRESH: token} if 0 < len(token) <= _MAX_LENGTH and token.isascii() and token.isprintable() else {}


def is_own_page(request: BaseRequest, origin: Origin, public_url: str) -> bool:
    """Tell whether a request names the origin of this server's own pages; `public_url` as for `metadata`."""
    own = {f"{origin.scheme}://{request.headers.get('Host', '')}".lower()}
    if public_url:
        parts = urlsplit(public_url)
        own.add(f"{parts.scheme}://{parts.netloc}".lower())
    given = request.headers.getall("Origin", [])
    return len(given) == 1 and given[0].lower() in own


def header(origin: Origin, given: Mapping[str, str]) -> str | None:
    """Return the Set-Cookie value for the refresh token in response metadata; None without one."""
    if REFRESH not in given:
        return None
    value = f"{name(origin)}={given[REFRESH]}; Path=/; Max-Age={int(given[SECONDS])}; HttpOnly; SameSite=Strict"
    return f"{value}; Secure" if origin.scheme == "https" else value


def name(origin: Origin) -> str:
    """Return the cookie's name: over plain HTTP, which is loopback's alone, browsers take no prefixed one."""
    return _SECURE_PREFIX + _NAME if origin.scheme == "https" else _NAME


def is_taken(option: int) -> bool:
    """Tell whether a method with this option has the cookie of its requests."""
    return option == options_pb2.SESSION_COOKIE_TAKEN
