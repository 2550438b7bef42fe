"""The chain of the audit trail: made after the commit by one process at a time, so that no writer waits for another.

Each committed entry gets the next place and a hash of itself and the entry before, and is then a line of the log. From
time to time, and where old entries are removed, the chain's place is signed. Whoever removes the signatures too, and has
the rest signed anew, is found only by the log, which has every entry with its hash.
"""

from __future__ import annotations

import asyncio
import logging
import time
from itertools import takewhile

import orjson
import structlog

from catenary_core.audit import links, queries
from catenary_core.database.leader_election import Leader
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database, Session, Transaction
from catenary_core.secrets import Secrets

CHAIN_SECONDS = 1.0
"""Seconds between two looks for new entries."""
ANCHOR_SECONDS = 3600.0
"""Seconds between two signatures of the chain's end."""
TRIM_SECONDS = 600.0
"""Seconds between two removals of old entries."""
ADDRESS_DAYS = 90
"""Days that addresses are kept."""
# Always on, whatever level the other lines need.
_log = structlog.wrap_logger(
    None,
    wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    logger_factory_args=("audit",),
    stream="audit",
)


class Chain(Leader):
    """The leader that makes the chain and removes what is too old; every core process is a candidate."""

    def __init__(self, db: Database, secrets: Secrets, days: int) -> None:
        """Set the work up.

        Args:
            db: database of the trail.
            secrets: keys that sign.
            days: days that entries are kept.
        """
        super().__init__("chaining the audit trail", db)
        self._secrets = secrets
        self._days = days

    async def work(self, session: Session) -> None:
        """Extend the chain as entries come."""
        anchor_at = trim_at = 0.0
        while True:
            now = time.monotonic()
            count = await self.extend(session, anchored=now >= anchor_at)
            if count and now >= anchor_at:
                anchor_at = now + ANCHOR_SECONDS
            if now >= trim_at:
                more = await self.trim(session)
                trim_at = now if more else now + TRIM_SECONDS
            if count < queries.BATCH:
                await asyncio.sleep(CHAIN_SECONDS)

    async def extend(self, session: Session, *, anchored: bool) -> int:
        """Chain the next entries, at most `queries.BATCH`; return their number.

        Args:
            session: the leader's connection.
            anchored: whether to sign the new end of the chain.
        """
        async with session.transaction() as tx:
            rows = await tx.all(queries.UNCHAINED)
            if not rows:
                return 0
            place, link = await _end(tx)
            for row in rows:
                place, link = place + 1, links.linked(link, row)
                row |= {"chain_sequence": place, "chain_hash": link}
            given = {
                "sequences": [row["sequence"] for row in rows],
                "places": [row["chain_sequence"] for row in rows],
                "hashes": [row["chain_hash"] for row in rows],
            }
            await tx.execute(queries.KEEP_ADDRESSES, sequences=given["sequences"])
            await tx.execute(queries.CHAIN, **given)
            if anchored:
                await self._anchor(tx, place, link, trimmed=False)
        for row in rows:
            _log.info("audit", **_line(row))
        return len(rows)

    async def trim(self, session: Session) -> bool:
        """Remove a batch of the entries and addresses that are too old; return whether more may be left."""
        async with session.transaction() as tx:
            addresses = await tx.execute(queries.DELETE_OLD_ADDRESSES, days=ADDRESS_DAYS)
            rows = await tx.all(queries.OLDEST, days=self._days)
            old = list(takewhile(lambda row: row["is_old"], rows))
            if old:
                place = old[-1]["chain_sequence"]
                await self._anchor(tx, place, bytes(old[-1]["chain_hash"]), trimmed=True)
                await tx.execute(queries.DELETE_ANCHORS, place=place)
                await tx.execute(queries.DELETE_ADDRESSES, sequences=[row["sequence"] for row in old])
                await tx.execute(queries.DELETE_ENTRIES, place=place)
        return queries.BATCH in (addresses, len(old))

    async def _anchor(self, tx: Transaction, place: int, link: bytes, *, trimmed: bool) -> None:
        signature = links.signed(self._secrets, place, link, trimmed=trimmed)
        await tx.execute(
            queries.PUT_ANCHOR, chain_sequence=place, chain_hash=link, signature=signature, trimmed=trimmed
        )


async def _end(tx: Transaction) -> tuple[int, bytes]:
    """Return place and hash of the chain's end."""
    row = await tx.one_or_none(queries.LAST) or await tx.one_or_none(queries.LAST_ANCHOR)
    return (0, links.BEGINNING) if row is None else (row["chain_sequence"], bytes(row["chain_hash"]))


def _line(row: Row) -> dict[str, object]:
    """Return the fields of an entry's line in the log."""
    details = row["details"]
    return {
        **{name: value for name, value in row.items() if value is not None},
        "chain_hash": row["chain_hash"].hex(),
        **({} if details is None else {"details": orjson.loads(details)}),
    }
