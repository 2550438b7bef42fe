"""Scheme and address of callers: TLS, trusted proxies, loopback (guide/conventions.md, "HTTPS")."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from aiohttp.web import BaseRequest

from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.http.hosts import is_loopback
from catenary_edge.settings import EdgeSettings

Address = IPv4Address | IPv6Address
WAYS_TO_SERVE = (
    ("--tls-cert FILE --tls-key FILE", "the server does TLS itself"),
    ("--trusted-proxy NETWORK", "a proxy in front does TLS and sets X-Forwarded-Proto"),
    ("--dev", "plain HTTP, from this machine only"),
)
"""Flags with which a server answers, and the meaning of each."""


def tls_context(settings: EdgeSettings) -> ssl.SSLContext | None:
    """Build the server's TLS context, for TLS 1.2 or newer; None without a certificate.

    Raises:
        ValueError: The certificate or key can't be used.
    """
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(settings.tls_cert, settings.tls_key)
    except OSError as error:
        problem = (
            "they are not a certificate and its key" if isinstance(error, ssl.SSLError) else str(error.strerror).lower()
        )
        raise ValueError(
            f"can't use {settings.tls_cert} with {settings.tls_key}: {problem}; give a certificate chain and its key as PEM files"
        ) from error
    return context


def refuses_everything(settings: EdgeSettings) -> bool:
    """Tell whether the server refuses every request, since none can come by HTTPS."""
    return settings.tls_cert is None and not settings.trusted_proxies and not settings.dev


def check_bind(settings: EdgeSettings, host: str) -> None:
    """Check the listening address: loopback, unless TLS or a trusted proxy is configured, and the public URL.

    Raises:
        ValueError: The address is not safe without TLS, or callers could use any Host.
    """
    if is_loopback(host):
        return
    if settings.tls_cert is None and not settings.trusted_proxies:
        raise ValueError(
            f"without TLS the server listens on loopback only, not on {host!r}; "
            "give --tls-cert and --tls-key, or --trusted-proxy when a proxy in front does TLS"
        )
    if not settings.public_url:
        raise ValueError(
            f"on {host!r} others reach the server, so it must know its name: give --public-url with the address that they"
            " use, such as https://catenary.example; links and the issuer of tokens begin with it, and a request for"
            " another host is refused"
        )


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme and address of a caller."""

    scheme: str
    """`http` or `https`, as used by the caller."""
    address: str
    """IP address of the caller; empty when unknown."""


UNKNOWN_ORIGIN = Origin("http", "")


class Gate:
    """Finds the origin of requests and refuses plain HTTP."""

    def __init__(self, settings: EdgeSettings) -> None:
        self._proxies = settings.proxy_networks()
        self._dev = settings.dev

    def origin(self, request: BaseRequest) -> Origin:
        """Return the request's origin.

        Headers count only from a trusted proxy: the last value of X-Forwarded-Proto, and the last address in
        X-Forwarded-For that is no trusted proxy itself.
        """
        transport = request.transport
        scheme = "https" if transport is not None and transport.get_extra_info("sslcontext") else "http"
        peer = _peer(request)
        if not self._trusted(parse_address(peer)):
            return Origin(scheme, peer)
        protocols = _values(request, "X-Forwarded-Proto")
        if protocols:
            scheme = "https" if protocols[-1].lower() == "https" else "http"
        for text in reversed(_values(request, "X-Forwarded-For")):
            address = parse_address(text)
            if address is None:
                break
            peer = str(address)
            if not self._trusted(address):
                break
        return Origin(scheme, peer)

    def check(self, request: BaseRequest, origin: Origin) -> None:
        """Refuse plain HTTP, except on loopback in development.

        Raises:
            Problem: 403 HTTPS_REQUIRED.
        """
        if origin.scheme == "https":
            return
        if self._dev and _is_loopback(parse_address(_peer(request))) and _is_loopback(parse_address(origin.address)):
            return
        raise https_required()

    def _trusted(self, address: Address | None) -> bool:
        return address is not None and any(address in network for network in self._proxies)


def https_required() -> Problem:
    """Build the refusal of plain HTTP."""
    ways = ", or ".join(f"{flags} ({meaning})" for flags, meaning in WAYS_TO_SERVE)
    return refusal("HTTPS_REQUIRED", f"Plain HTTP is refused; use https. An operator starts the server with {ways}.")


@lru_cache(maxsize=4096)
def parse_address(text: str) -> Address | None:
    """Parse an IP address as proxies write it, with or without port or brackets; None for anything else."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _is_loopback(address: Address | None) -> bool:
    return address is not None and address.is_loopback


def _peer(request: BaseRequest) -> str:
    transport = request.transport
    name = transport.get_extra_info("peername") if transport is not None else None
    return str(name[0]) if isinstance(name, tuple) else ""


def _values(request: BaseRequest, header: str) -> list[str]:
    return [part.strip() for value in request.headers.getall(header, ()) for part in value.split(",") if part.strip()]
