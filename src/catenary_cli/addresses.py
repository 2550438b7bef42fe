"""Ports that several node processes share."""

from __future__ import annotations

import ipaddress
import socket


def reserve(host: str, port: int) -> socket.socket:
    """Binds a port with SO_REUSEPORT without listening: it finds a free one for 0 and keeps it for the nodes.

    OSError when another program has the port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    reserved = socket.socket(family, socket.SOCK_STREAM)
    try:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((host, port))
    except OSError:
        reserved.close()
        raise
    return reserved


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    return host == "localhost" or ipaddress.ip_address(host).is_loopback


def join(host: str, port: int) -> str:
    """`host:port`, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
