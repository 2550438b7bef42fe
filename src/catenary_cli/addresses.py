"""Addresses that processes listen on: whether they may, whether they can, and ports that several nodes share."""

from __future__ import annotations

import ipaddress
import socket


class AddressError(ValueError):
    """An address that can't be listened on, or may not be without TLS."""


def check_free(host: str, port: int) -> None:
    """AddressError when another program listens on the port, or the address is none of this machine's; 0 is always free.

    Asked without SO_REUSEPORT: with it a second installation would silently get a share of the first one's callers.
    """
    if port == 0:
        return
    with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of an ended server linger
        _bind(probe, host, port)


def reserve(host: str, port: int) -> socket.socket:
    """Binds a port with SO_REUSEPORT without listening: it finds a free one for 0 and keeps it for the nodes.

    AddressError as `check_free`.
    """
    check_free(host, port)
    reserved = socket.socket(_family(host), socket.SOCK_STREAM)
    try:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        _bind(reserved, host, port)
    except AddressError:
        reserved.close()
        raise
    return reserved


def check_grpc(host: str, *, tls: bool) -> None:
    """AddressError for gRPC on an address that others can reach, without TLS (guide/conventions.md, "HTTPS")."""
    if not tls and not is_loopback(host):
        raise AddressError(
            f"gRPC on {host} would be open to others without TLS; give --tls-cert and --tls-key, or a loopback address"
            " such as 127.0.0.1"
        )


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own; a name other than `localhost` counts as anybody's."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def join(host: str, port: int) -> str:
    """`host:port`, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _bind(unbound: socket.socket, host: str, port: int) -> None:
    try:
        unbound.bind((host, port))
    except OSError as error:
        raise AddressError(f"can't listen on {join(host, port)}: {(error.strerror or str(error)).lower()}") from None
