"""Verification of the audit trail's chain, from the database alone and the installation's secret."""

from __future__ import annotations

from dataclasses import dataclass

from catenary_core.audit import links, queries
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.secrets import Secrets


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a verification."""

    entries: int
    """Number of entries that were read, up to the break if there is one."""
    waiting: int
    """Number of newer entries that have no place in the chain yet."""
    anchored_at: str | None
    """Time of the newest signature; None without one."""
    break_: str | None
    """The first break of the chain, as a sentence; None for a whole chain."""


class _BreakError(Exception):
    """The chain is broken."""


async def verify(tx: Transaction, secrets: Secrets) -> Verified:
    """Read the whole chain and compare it with its hashes and signatures.

    Args:
        tx: one snapshot of the database.
        secrets: keys of the installation.
    """
    anchors = {row["chain_sequence"]: row for row in await tx.all(queries.ANCHORS)}
    waiting = (await tx.one(queries.WAITING))["count"]
    newest = max((str(row["made_at"]) for row in anchors.values()), default=None)
    reading = _Reading(secrets, anchors)
    try:
        reading.begin()
        while rows := await tx.all(queries.CHAIN_AFTER, after=reading.read_up_to):
            for row in rows:
                reading.read(row)
        reading.end()
    except _BreakError as found:
        return Verified(reading.entries, waiting, newest, str(found))
    return Verified(reading.entries, waiting, newest, None)


class _Reading:
    """The state of one walk along the chain."""

    def __init__(self, secrets: Secrets, anchors: dict[int, Row]) -> None:
        self._secrets = secrets
        self._anchors = anchors
        self._last_sequence: int | None = None
        self._place = 0
        self._link = links.BEGINNING
        self.entries = 0
        self.read_up_to = 0

    def begin(self) -> None:
        """Find where the chain begins: after the last entry that was removed for its age."""
        for place, anchor in self._anchors.items():
            if not links.is_signed(self._secrets, anchor):
                raise _BreakError(
                    f"the signature at place {place} of the chain is not of this installation's secret, or was changed"
                )
            if anchor["trimmed"]:
                self._place, self._link = place, bytes(anchor["chain_hash"])

    def read(self, row: Row) -> None:
        """Compare the next entry with its hash, place and anchor."""
        sequence, place = row["sequence"], row["chain_sequence"]
        if place != self._place + 1:
            raise _BreakError(
                f"entries before sequence {sequence} are missing, or were put there: "
                f"its place in the chain is {place} instead of {self._place + 1}"
            )
        link = links.linked(self._link, row)
        if link != bytes(row["chain_hash"]):
            raise _BreakError(f"the entry of sequence {sequence} was changed: it does not match its hash")
        if place in self._anchors and bytes(self._anchors[place]["chain_hash"]) != link:
            raise _BreakError(f"the entries up to sequence {sequence} were changed: they do not match the signed hash")
        self._place, self._link, self._last_sequence, self.read_up_to = place, link, sequence, place
        self.entries += 1

    def end(self) -> None:
        """Compare the end of the chain with its last signature."""
        last = max(self._anchors, default=0)
        if last > self._place:
            after = "at its beginning" if self._last_sequence is None else f"after sequence {self._last_sequence}"
            raise _BreakError(f"entries {after} are missing: the chain is signed up to place {last}")
