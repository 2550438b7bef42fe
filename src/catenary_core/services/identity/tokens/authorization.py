"""The Authorization header (RFC 9110, section 11.4)."""

from __future__ import annotations


def split(header: str) -> tuple[str, str]:
    """Return the header's scheme, in lower case, and its credentials, which follow one or more blanks."""
    scheme, _, credentials = header.partition(" ")
    return scheme.lower(), credentials.lstrip(" ")
