"""The descriptors that a serving process may open, and how many of them its ports give to connections of callers."""

from __future__ import annotations

import resource
from dataclasses import dataclass

from catenary_wire.connections import ConnectionCaps

RESERVE = 256
"""Descriptors that no caller's connection takes, beside those of the database: admin port, log, files, webhooks, gRPC."""
MOST = 10_000
"""Connections of a port where the process could open more."""
HIGHEST = 2**20
"""A limit beyond all needs: containers have limits of a thousand million, and some programs count up to them."""
LEAST = 16
"""Fewest connections with which a port is of use."""


class TooFewDescriptorsError(ValueError):
    """The process may not open as many descriptors as the connections need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionFlags:
    """The flags about connections; None takes what the process's limit allows."""

    http: int | None = None
    """Largest number of connections to the HTTP port."""
    grpc: int | None = None
    """Largest number of connections to the gRPC port."""
    per_address: int | None = None
    """Largest number of one address, for each port."""

    def arguments(self) -> list[str]:
        """Return the flags from which a child process gets the same."""
        given = {
            "--http-connections": self.http,
            "--grpc-connections": self.grpc,
            "--connections-per-address": self.per_address,
        }
        return [text for name, value in given.items() if value is not None for text in (name, str(value))]


def raise_limit() -> int:
    """Raise the soft limit of open descriptors to the hard one, at most to `HIGHEST`; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = HIGHEST if hard == resource.RLIM_INFINITY else min(hard, HIGHEST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


def both_ports(flags: ConnectionFlags, limit: int, database: int) -> tuple[ConnectionCaps, ConnectionCaps]:
    """Share the descriptors of a process among its HTTP and its gRPC port.

    Args:
        flags: The flags.
        limit: Descriptors that the process may open.
        database: Those of its database connections.

    Raises:
        TooFewDescriptorsError: The limit is too low for the flags, or for a few connections at all.
    """
    free = limit - RESERVE - database
    http = flags.http if flags.http is not None else _share(free - (flags.grpc or free // 2))
    grpc = flags.grpc if flags.grpc is not None else _share(free - (flags.http or free // 2))
    _check(http + grpc, free, limit)
    return _caps(http, flags), _caps(grpc, flags)


def one_port(wanted: int | None, flags: ConnectionFlags, limit: int, database: int = 0) -> ConnectionCaps:
    """Give the descriptors of a process to its only port.

    Args:
        wanted: The flag of this port.
        flags: The flags.
        limit: Descriptors that the process may open.
        database: Those of its database connections.

    Raises:
        TooFewDescriptorsError: The limit is too low for the flag, or for a few connections at all.
    """
    free = limit - RESERVE - database
    total = wanted if wanted is not None else _share(free)
    _check(total, free, limit)
    return _caps(total, flags)


def _share(free: int) -> int:
    return max(LEAST, min(free, MOST))


def _caps(total: int, flags: ConnectionFlags) -> ConnectionCaps:
    # Of no address more than a quarter: it takes four to fill a port.
    return ConnectionCaps(total=total, per_address=flags.per_address or max(1, total // 4))


def _check(total: int, free: int, limit: int) -> None:
    if total > free:
        raise TooFewDescriptorsError(
            f"{total} connections of callers need a process that may open {limit + total - free} files, and the limit is"
            f" {limit}; raise the hard limit (`ulimit -Hn`, LimitNOFILE of systemd), or give fewer --http-connections and"
            " --grpc-connections"
        )
