"""Counts of refused calls and repeated logins, which reach the audit trail each second: one row a minute for equal ones.

They are no part of a transaction, so that a flood of them costs the database little. A process that is killed loses
those of its last second. The different ones of a minute are bounded, for an address and in all, so that no stranger
fills the disk; of an IPv6 address its /64 network counts, since one caller has all of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import orjson

from catenary_core.audit import queries
from catenary_core.audit.entries import AuditEntry
from catenary_core.background.periodic import Periodic
from catenary_core.database.transactions import Database
from catenary_wire.addresses import party
from catenary_wire.refusals import FURTHER, MOST_COUNT
from catenary_wire.tally import Tally

FLUSH_SECONDS = 1.0
"""Seconds between two flushes."""
MOST = 2_000
"""Largest number of different entries of a minute; further ones are counted together by their outcome."""
MOST_OF_ADDRESS = 100
"""Largest number of different entries of an address in a minute; further ones are counted together by their outcome."""


class MinuteCounts(Periodic):
    """Counts equal entries, and writes them each second and at the stop."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.time) -> None:
        super().__init__("writing counts to the audit trail", FLUSH_SECONDS, self._flush)
        self._db = db
        self._clock = clock
        self._writing: asyncio.Task[None] | None = None
        self._minute = 0
        self._kinds: set[AuditEntry] = set()
        self._of_address: Counter[str | None] = Counter()
        self._tally: Tally[AuditEntry] = Tally(2 * MOST, lambda entry: AuditEntry(FURTHER, entry.outcome))

    def add(self, entry: AuditEntry, count: int = 1) -> None:
        """Count equal entries; only the first's request id is kept."""
        kind = replace(entry, request_id="", address=_network(entry.address))
        self._tally.add(self._bounded(kind), entry.request_id, count)

    def _bounded(self, kind: AuditEntry) -> AuditEntry:
        """Return the kind under which an entry is counted in this minute."""
        minute = int(self._clock() // 60)
        if minute != self._minute:
            self._minute, self._kinds, self._of_address = minute, set(), Counter()
        if kind not in self._kinds:
            if len(self._kinds) >= MOST:
                return AuditEntry(FURTHER, kind.outcome)
            if self._of_address[kind.address] >= MOST_OF_ADDRESS:
                return AuditEntry(FURTHER, kind.outcome, address=kind.address)
            self._kinds.add(kind)
            self._of_address[kind.address] += 1
        return kind

    async def stop(self) -> None:
        """Stop, and write what is counted."""
        await super().stop()
        await self._flush()

    async def _flush(self) -> None:
        """Write what is counted, after a write that was left by the stop."""
        if self._writing is not None:
            await asyncio.wait([self._writing])
        self._writing = asyncio.create_task(self._write(), name="writing counts")
        await asyncio.shield(self._writing)  # cancelled in its commit, it would be written and counted twice

    async def _write(self) -> None:
        taken = self._tally.take()
        if not taken:
            return
        rows = [
            {
                **replace(entry, request_id=counted.first).values(),
                "count": min(counted.count, MOST_COUNT),
                "fold_key": _key(entry),
            }
            for entry, counted in taken.items()
        ]
        rows.sort(key=lambda row: row["fold_key"])  # all processes lock rows in one order
        try:
            async with self._db.transaction() as tx:
                await tx.execute_many(queries.COUNT_REFUSALS, rows)
        except Exception:  # whatever it was, these were not written: the next write has them
            self._tally.put_back(taken)
            raise


def _network(address: str | None) -> str | None:
    return None if address is None else party(ipaddress.ip_address(address)).partition("/")[0]


def _key(entry: AuditEntry) -> bytes:
    """Return the hash of what equal entries have in common."""
    common = [entry.actor_id, entry.credential_id, entry.address, entry.action, entry.outcome]
    return hashlib.sha256(orjson.dumps(common)).digest()
