"""Documents of enterprise identity providers (OpenID Connect Discovery 1.0), read over TLS."""

from __future__ import annotations

import ipaddress
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from catenary_core.call import json_text
from catenary_core.call.errors import DomainError

TIMEOUT_SECONDS = 5.0
"""Time limit of one read, discovery included."""
MAX_BYTES = 256 * 1024
"""Maximum size of a document."""
UNREADABLE = (aiohttp.ClientError, TimeoutError, OSError, ValueError)
"""Exceptions of a read when the provider can't be reached or answers something else."""
_DISCOVERY = "/.well-known/openid-configuration"


def session() -> aiohttp.ClientSession:
    """Return a client for reads; the caller closes it."""
    return aiohttp.ClientSession(
        auto_decompress=False,
        headers={"Accept": "application/json", "Accept-Encoding": "identity"},
        timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS),
    )


async def discover(session: aiohttp.ClientSession, issuer: str) -> dict[str, Any]:
    """Read the discovery document of an issuer.

    Raises:
        ValueError: It is no JSON object, too large, or another issuer's.
        aiohttp.ClientError: The issuer can't be reached.
    """
    document = await read(session, issuer.rstrip("/") + _DISCOVERY)
    if document.get("issuer") != issuer:
        raise ValueError("the discovery document is another issuer's")
    return document


async def read(session: aiohttp.ClientSession, url: str) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        ValueError: The answer is another one, or larger than `MAX_BYTES`.
        aiohttp.ClientError: The address can't be reached.
    """
    async with session.get(url, allow_redirects=False) as response:
        if response.status != 200:
            raise ValueError(f"{url} answered {response.status}")
        body = bytearray()
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) > MAX_BYTES:
                raise ValueError(f"{url} answered more than {MAX_BYTES} bytes")
    try:
        document = json_text.parse(body.decode(), "document")
    except DomainError as error:
        raise ValueError(error.message) from None
    if not isinstance(document, dict):
        raise ValueError(f"{url} answered no JSON object")
    return document


def check_address(url: str, issuer: str) -> None:
    """Refuse an address without TLS, unless it and its issuer are on loopback.

    Raises:
        ValueError: The address is not https.
    """
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or (_is_plain_loopback(issuer) and _is_plain_loopback(url))
    if not (parts.hostname and is_safe):
        raise ValueError(f"{url} must be an https address")


def _is_plain_loopback(url: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname:
        return False
    try:
        return parts.hostname == "localhost" or ipaddress.ip_address(parts.hostname).is_loopback
    except ValueError:
        return False
