"""The places for connections: how many are open, in all and from each address, and which are refused.

A place is taken where the descriptor of a connection begins and given back where it ends, handshakes of TLS among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import structlog

from catenary_edge import metrics
from catenary_edge.http.origin import parse_address
from catenary_edge.settings import EdgeSettings
from catenary_wire.addresses import party
from catenary_wire.connections import RefusalReport

FULL, OF_ADDRESS, EXHAUSTED = "full", "address", "descriptors"
"""Reasons of a refusal: all places are taken, those of the address are, or the process has no descriptor left."""

log = structlog.get_logger("catenary.edge")


class Place:
    """The place of one open connection."""

    __slots__ = ("_places", "address")

    def __init__(self, places: Places, address: str) -> None:
        self.address = address
        """The party with a share of the places; empty for a trusted proxy, whose connections are many people's."""
        self._places: Places | None = places

    @property
    def is_trusted(self) -> bool:
        """True for a connection of a trusted proxy."""
        return not self.address

    def give_back(self) -> None:
        """Give the place back; a second time does nothing."""
        places, self._places = self._places, None
        if places is not None:
            places._free(self)


class Places:
    """The places for connections of one server."""

    def __init__(self, settings: EdgeSettings) -> None:
        """Begin with all places free."""
        self._caps = settings.connections
        self._proxies = settings.proxy_networks()
        self._open = 0
        self._of_address: Counter[str] = Counter()
        self._refusals = RefusalReport(_report)

    @property
    def open(self) -> int:
        """Number of taken places."""
        return self._open

    def take(self, peer: str) -> Place | None:
        """Take a place for a connection of a peer; None if there is none for it.

        A trusted proxy needs a free place like everybody, but has no share of its own that could be used up.
        """
        parsed = parse_address(peer)
        is_proxy = parsed is not None and any(parsed in network for network in self._proxies)
        address = "" if is_proxy else peer if parsed is None else party(parsed)
        if self._open >= self._caps.total:
            self.refuse(FULL)
            return None
        if not is_proxy and self._of_address[address] >= self._caps.per_address:
            self.refuse(OF_ADDRESS)
            return None
        self._open += 1
        self._of_address[address] += 1
        metrics.connections(self._open)
        return Place(self, address)

    def refuse(self, reason: str) -> None:
        """Count a refused connection."""
        metrics.connection_refused(reason)
        self._refusals.add(reason)

    def close(self) -> None:
        """Report the last refusals."""
        self._refusals.close()

    def _free(self, place: Place) -> None:
        self._open -= 1
        self._of_address[place.address] -= 1
        if not self._of_address[place.address]:
            del self._of_address[place.address]
        metrics.connections(self._open)


def _report(counts: Mapping[str, int]) -> None:
    log.warning("connections refused", port="http", **counts)
