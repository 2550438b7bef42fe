"""The connections of a gRPC port: how many there are, and the end of those of one address too many and of strangers.

gRPC itself holds the cap in all and the deadlines of handshakes, by options. A share for each address, and the end of
connections on which nobody authenticates, it does not know; nor does it take connections that others accepted. So this
module looks at the process's own sockets once a second, and shuts down those that must end: gRPC sees them closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import stat
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import unquote

import structlog

from catenary_core import metrics
from catenary_core.background.failures import end, run_step
from catenary_wire.addresses import party
from catenary_wire.connections import ConnectionCaps, RefusalReport

LOOK_SECONDS = 1.0
"""Seconds between two looks at the connections."""
_SHARE = 20
"""Parts of the time of which a look may take one: the more sockets, the longer the pause."""
HANDSHAKE_SECONDS = 10
"""Seconds for a handshake of TLS and HTTP/2."""
STRANGER_SECONDS = 30.0
"""Seconds after which a connection ends on which nobody has authenticated."""
IDLE_SECONDS = 300
"""Seconds after which a connection without calls ends."""
KEEPALIVE_SECONDS, KEEPALIVE_ANSWER_SECONDS = 60, 20
"""Seconds of silence until a client is pinged, and seconds that it has for the answer."""
OF_ADDRESS, STRANGER, FULL = "address", "stranger", "full"
"""Reasons: too many of one address; nobody authenticated; every place was taken at a look."""

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address
_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Connection:
    peer: tuple[Address, int]
    since: float


class GrpcConnections:
    """The connections of one gRPC port of this process."""

    def __init__(self, caps: ConnectionCaps, trusted: Sequence[Network]) -> None:
        """Set the caps.

        Args:
            caps: the caps of the port.
            trusted: networks of edges and proxies: their connections are many people's, and so have neither a share
                of an address nor an end as strangers.
        """
        self._caps = caps
        self._trusted = trusted
        self._known: dict[int, _Connection | None] = {}
        """By inode, all sockets of the process; None for one that is no connection of the port."""
        self._authenticated: set[str] = set()
        self._reports = RefusalReport(_report)
        self._task: asyncio.Task[None] | None = None

    @property
    def options(self) -> list[tuple[str, int]]:
        """The options by which gRPC itself guards the port."""
        return [
            ("grpc.max_allowed_incoming_connections", self._caps.total),
            ("grpc.server_handshake_timeout_ms", HANDSHAKE_SECONDS * 1000),
            ("grpc.http2.settings_timeout", HANDSHAKE_SECONDS * 1000),
            ("grpc.max_connection_idle_ms", IDLE_SECONDS * 1000),
            ("grpc.keepalive_time_ms", KEEPALIVE_SECONDS * 1000),
            ("grpc.keepalive_timeout_ms", KEEPALIVE_ANSWER_SECONDS * 1000),
        ]

    def authenticated(self, peer: str) -> None:
        """Note that somebody has authenticated on the connection of a peer, in gRPC's notation."""
        self._authenticated.add(peer)

    def start(self, port: int) -> None:
        """Begin to look at the connections of a listening port."""
        self._task = asyncio.create_task(self._watch(port), name=f"connections of gRPC port {port}")

    async def stop(self) -> None:
        """Look no more."""
        await end(self._task)
        self._reports.close()

    async def look(self, port: int) -> None:
        """Count the connections of the port once, and end those that must not go on."""
        # In a thread: thousands of sockets take some 10 ms.
        listed = frozenset(self._authenticated)  # later ones may have come after the sockets were listed
        await asyncio.to_thread(self._find, port)
        connections = {inode: one for inode, one in self._known.items() if one is not None}
        metrics.grpc_connections(len(connections))
        if len(connections) >= self._caps.total:
            self._reports.add(FULL)
        peers = {one.peer for one in connections.values()}
        self._authenticated -= {peer for peer in listed if parse_peer(peer) not in peers}
        ends = self._too_many(connections)
        if ends:
            await asyncio.to_thread(_shut_down, ends.keys())
            for inode, reason in ends.items():
                metrics.grpc_connection_ended(reason)
                self._reports.add(reason)
                del self._known[inode]

    async def _watch(self, port: int) -> None:
        while True:
            began = time.monotonic()
            await run_step("connections", lambda: self.look(port))
            await asyncio.sleep(max(LOOK_SECONDS, _SHARE * (time.monotonic() - began)))

    def _too_many(self, connections: Mapping[int, _Connection]) -> dict[int, str]:
        """Return the connections that must end, with the reason of each; of an address the newest."""
        known = {parse_peer(peer) for peer in self._authenticated}
        late = time.monotonic() - STRANGER_SECONDS
        ends: dict[int, str] = {}
        of_address: Counter[str] = Counter()
        # Those that have authenticated come first, so that strangers of their address do not push them out.
        order = sorted(connections.items(), key=lambda item: (item[1].peer not in known, item[1].since))
        for inode, one in order:
            if is_in(one.peer[0], self._trusted):
                continue
            address = party(one.peer[0])
            of_address[address] += 1
            if of_address[address] > self._caps.per_address:
                ends[inode] = OF_ADDRESS
            elif one.since < late and one.peer not in known:
                ends[inode] = STRANGER
        return ends

    def _find(self, port: int) -> None:
        """Bring the known sockets up to date; each new one is looked at once."""
        now = time.monotonic()
        found: dict[int, _Connection | None] = {}
        for descriptor, inode in _sockets():
            if inode in self._known:
                found[inode] = self._known[inode]
                continue
            try:
                peer = _peer(descriptor, inode, port)
            except OSError:  # no descriptor is left for a copy: the next look finds it
                continue
            found[inode] = None if peer is None else _Connection(peer, now)
        self._known = found


def is_in(address: Address, networks: Iterable[Network]) -> bool:
    """Return whether an address is in one of some networks."""
    return any(address in network for network in networks)


@lru_cache(maxsize=16_384)
def parse_peer(peer: str) -> tuple[Address, int] | None:
    """Parse a peer in gRPC's notation to address and port; None for a Unix socket.

    The notation is `ipv4:127.0.0.1:5`, `ipv6:%5B::1%5D:5` or `unix:`.
    """
    _, _, rest = unquote(peer).partition(":")
    host, _, port = rest.rpartition(":")
    try:
        return _address(host.strip("[]")), int(port)
    except ValueError:
        return None


def _address(text: str) -> Address:
    address = ip_address(text.partition("%")[0])
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _sockets() -> list[tuple[int, int]]:
    """List the process's sockets as descriptor and inode."""
    found = []
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 (names only)
        with contextlib.suppress(OSError):  # closed by now
            status = os.fstat(int(name))
            if stat.S_ISSOCK(status.st_mode):
                found.append((int(name), status.st_ino))
    return found


@contextlib.contextmanager
def _copy(descriptor: int, inode: int) -> Iterator[socket.socket | None]:
    """Open a copy of a socket's descriptor; None if it has become another file's since it was listed.

    Raises:
        OSError: no descriptor is left.
    """
    try:
        copied = os.dup(descriptor)
    except OSError as error:
        if error.errno != errno.EBADF:
            raise
        yield None  # closed by now
        return
    try:
        one = socket.socket(fileno=copied)
    except OSError:
        os.close(copied)
        yield None
        return
    with one:
        yield one if os.fstat(copied).st_ino == inode else None


def _peer(descriptor: int, inode: int, port: int) -> tuple[Address, int] | None:
    """Return the peer of a connection of the port; None for another socket. Raises OSError as `_copy` does."""
    with _copy(descriptor, inode) as one:
        if one is None or one.family not in (socket.AF_INET, socket.AF_INET6):
            return None
        try:
            if one.getsockname()[1] != port:
                return None
            host, peer_port, *_ = one.getpeername()
        except OSError:  # the listening socket, or the connection has ended
            return None
        return _address(host), peer_port


def _shut_down(inodes: Collection[int]) -> None:
    """Shut sockets down; their owner sees them closed, and closes its descriptors."""
    for descriptor, inode in _sockets():
        if inode in inodes:
            with contextlib.suppress(OSError), _copy(descriptor, inode) as one:
                if one is not None:
                    one.shutdown(socket.SHUT_RDWR)


def _report(counts: Mapping[str, int]) -> None:
    _log.warning("connections refused", port="grpc", **counts)
