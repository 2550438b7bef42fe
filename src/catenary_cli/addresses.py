"""Addresses that processes listen on: whether each is allowed and free, and ports that several nodes share."""

from __future__ import annotations

import errno
import ipaddress
import socket


class AddressError(ValueError):
    """An address that a process cannot listen on, or may not without TLS."""


def check_free(host: str, port: int, flag: str = "--port") -> None:
    """Check that a port is free for listening; 0 is always free.

    The check does not set SO_REUSEPORT: with it a second installation would silently get a share of the first one's
    callers.

    Args:
        host: The address.
        port: The port.
        flag: The flag that gives another port.

    Raises:
        AddressError: Another program listens on the port, or the address is not one of this machine.
    """
    if port == 0:
        return
    with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of an ended server linger
        _bind(probe, host, port, flag)


def reserve(host: str, port: int, flag: str = "--port") -> socket.socket:
    """Bind a port with SO_REUSEPORT, without listening, to keep it for the nodes; 0 takes a free port.

    Args:
        host: The address.
        port: The port.
        flag: The flag that gives another port.

    Raises:
        AddressError: Another program listens on the port, or the address is not one of this machine.
    """
    check_free(host, port, flag)
    reserved = socket.socket(_family(host), socket.SOCK_STREAM)
    try:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        _bind(reserved, host, port, flag)
    except AddressError:
        reserved.close()
        raise
    return reserved


def check_grpc(host: str, *, tls: bool) -> None:
    """Check that gRPC without TLS listens on a loopback address only (guide/conventions.md, "HTTPS").

    Raises:
        AddressError: Others could reach the address, and there is no TLS.
    """
    if not tls and not is_loopback(host):
        raise AddressError(
            f"gRPC on {host} would be open to others without TLS; give --tls-cert and --tls-key, or a loopback address"
            " such as 127.0.0.1"
        )


def is_loopback(host: str) -> bool:
    """Return whether an address is this machine's own; a name other than `localhost` counts as reachable for others."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def reachable(host: str) -> str:
    """Return an address of this machine at which a server that listens on `host` responds."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (compared, not bound)


def join(host: str, port: int) -> str:
    """Return `host:port`, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _bind(unbound: socket.socket, host: str, port: int, flag: str) -> None:
    try:
        unbound.bind((host, port))
    except OSError as error:
        way_out = f"; give another {flag}, or 0 for a free port" if error.errno == errno.EADDRINUSE else ""
        reason = (error.strerror or str(error)).lower()
        raise AddressError(f"can't listen on {join(host, port)}: {reason}{way_out}") from None
