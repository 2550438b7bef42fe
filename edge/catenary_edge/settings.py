"""Settings of the edge. The command line fills them from flags and `CATENARY_*`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from catenary_wire.connections import ConnectionCaps

KIB = 1024
MIB = 1024 * KIB
_SLUG = re.compile(r"[a-z][a-z0-9_]{0,31}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Limits of time in seconds, and least rates of bodies and writes."""

    header: float = 10.0
    """The time from the first byte of a request to the end of its header; for the first request, from the connection."""
    body: float = 30.0
    """For a body, plus one second for every `body_rate` bytes received: a slow line passes, a drip doesn't."""
    body_rate: int = 8 * KIB
    """Least rate of a body in bytes a second."""
    keep_alive: float = 75.0
    """Between two requests of a connection."""
    anonymous: float = 30.0
    """For a connection on which nobody authenticates; it ends between two requests, or with its next answer."""
    write: float = 30.0
    """Period in which a client must receive at least `write_progress` bytes of the pending response."""
    write_progress: int = KIB
    """Least number of bytes received in a write period."""
    call: float = 30.0
    """For one call of the core."""
    wait: float = 90.0
    """For a call whose caller may ask to wait, as with `Prefer: wait=60`."""
    transfer: float = 3600.0
    """For a call that streams a file or a list."""
    stop: float = 30.0
    """For running requests when the server stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSettings:
    """The address, limits and trust of the edge. Raises ValueError for settings that contradict each other."""

    public_url: str = ""
    """Address that callers use, without a path (`https://catenary.example`); empty: a loopback Host of each request."""
    tls_cert: Path | None = None
    """PEM file of the certificate with its chain; needs `tls_key`."""
    tls_key: Path | None = None
    """PEM file of the private key."""
    trusted_proxies: tuple[str, ...] = ()
    """Networks (CIDR) whose X-Forwarded-Proto and X-Forwarded-For are trusted."""
    dev: bool = False
    """Accepts plain HTTP on loopback."""
    cors_origins: tuple[str, ...] = ()
    """Origins (`https://host[:port]`) whose scripts may call; none: the same origin only."""
    org_slug: str = "org"
    """The company's slug in the names of some fields of older versions; lower-case letters, digits and `_`."""
    gone_after_sunset: bool = False
    """Responds with 410 on a version or method past its sunset."""
    body_limit: int = MIB
    """Largest body in bytes, after decompression."""
    upload_limit: int = 64 * MIB
    """Largest uploaded file in bytes."""
    cache_limit: int = 64 * MIB
    """Size of the response cache in bytes; 0 turns the cache off."""
    max_line: int = 64 * KIB
    """Longest address (path and query) of a request in bytes.

    A filter takes 1,000 ids, some 55 KB under the longest name.
    """
    max_header: int = 16 * KIB
    """Longest header field in bytes."""
    max_headers: int = 64
    """Largest number of header fields."""
    timeouts: Timeouts = field(default_factory=Timeouts)
    connections: ConnectionCaps = field(default_factory=ConnectionCaps)

    def __post_init__(self) -> None:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tls_cert and tls_key go together; give both or neither")
        if self.public_url and not self.public_url.startswith(("http://", "https://")):
            raise ValueError(f"public_url must start with http:// or https://, not {self.public_url!r}")
        if self.public_url and not urlsplit(self.public_url).hostname:
            raise ValueError(f"public_url must name a host, as https://catenary.example, not {self.public_url!r}")
        if not _SLUG.fullmatch(self.org_slug):
            raise ValueError(f"org_slug must be 1 to 32 of a-z, 0-9 and _, a letter first, not {self.org_slug!r}")
        for origin in self.cors_origins:
            parts = urlsplit(origin)
            if not parts.netloc or "*" in origin or origin != f"{parts.scheme}://{parts.netloc}":
                raise ValueError(f"a CORS origin is scheme://host[:port] without a path, not {origin!r}")
        self.proxy_networks()

    def proxy_networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """Return the trusted proxies as networks.

        Raises:
            ValueError: A trusted proxy is no network in CIDR form.
        """
        try:
            return tuple(ip_network(text) for text in self.trusted_proxies)
        except ValueError as error:
            raise ValueError(f"trusted_proxies must be networks such as 10.0.0.0/8: {error}") from None
