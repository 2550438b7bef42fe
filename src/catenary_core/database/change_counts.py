"""Change counters per schema, which let an edge find out whether a cached response is still current.

Edges cache responses and must know whether each is still valid (guide/conventions.md, "Caching and conditions"). Each
watched table has a trigger that adds one to the row of (the table's schema, the connection's process) in
`caching.change_count`, once per transaction. A connection runs one transaction at a time, so two transactions never
write the same row and none waits for another. The counts become visible at the commit, together with the changes. So
the sum of a schema's rows is the number of committed transactions that changed the schema, and each such transaction
increases the sum.

A later snapshot contains all that an earlier one saw. Where two readers find the same sum, no transaction that changes
the schema was committed between them; a result computed from the schema's tables alone is therefore the same for both.

The trigger belongs to the table, so no servicer, migration or hand-written SQL can bypass the count. At the
start of a core, so before anyone can ask for the version of a response that depends on a new table, `watch` adds the
trigger to every table except the unwatched ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Mapping

import psycopg
import sqlalchemy as sa
import structlog

from catenary_core.database.statements import Statement, metadata
from catenary_core.database.transactions import Database

UNWATCHED: Mapping[str, str] = {
    "audit.entry": "every write adds a row, and edges keep no answer that shows one",
    "audit.address": "as its entry",
    "audit.anchor": "no response shows it",
    "events.event": "streamed, never cached by an edge",
    "events.follower": "no response shows it",
    "jobs.job": "shown to workers only",
    "jobs.turn": "no response shows it",
    "keyring.secret": "no response shows it",
    "keyring.node": "no response shows it",
    "keyring.inherited": "no response shows it",
    "idempotency.record": "shown only to a caller who repeats a POST",
    "objects.holding": "no response shows it",
    "objects.leaving": "no response shows it",
    "objects.object": "shown in downloads only, which edges don't cache",
    "quotas.month": "shown by a method whose answers no edge keeps",
    "quotas.project": "shown by a method whose answers no edge keeps",
    "quotas.user": "shown by a method whose answers no edge keeps",
    "limits.counter": "shown only in headers that are made for each response",
}
"""Tables of no service without the trigger, each with the reason why no cached response depends on the table.

Services name theirs in `assembly.py`.
"""

_PEOPLE = ("identity", "projects", "environment")
"""The schemas that decide which caller sees a row, and that name the creator of a row."""
READ_BY: Mapping[str, tuple[str, ...]] = {
    "comments": (*_PEOPLE, "comments"),
    "reference": (*_PEOPLE, "reference"),
    "qa": (*_PEOPLE, "qa"),
    "environment": _PEOPLE,
    "parameter": (*_PEOPLE, "parameter", "reference", "metadata"),
    "metadata": (*_PEOPLE, "metadata"),
    "platform": (*_PEOPLE, "models"),
}
"""The schemas that each surface reads for its responses; a contract test compares them with the statements' plans."""

_WATCHED = Statement(
    sa.text(
        "SELECT n.nspname || '.' || c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
        "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE t.tgname = 'caching_count'"
    )
)
_SHORT_WAIT = Statement(sa.text("SET LOCAL lock_timeout = '2s'"))
_PAUSE = 0.5
"""Seconds between two attempts to lock a table that another transaction holds."""
_log = structlog.get_logger(__name__)


async def watch(db: Database, unwatched: Container[str]) -> None:
    """Add the trigger to every table of ours without one, except those in `unwatched`.

    Each table has a transaction of its own with a short wait for its lock: no two tables are held at once, so that an import
    that is under way is neither blocked for long nor a deadlock's victim. Where it holds a table, the attempt is repeated.
    """
    async with db.read() as tx:
        watched = {row["name"] for row in await tx.all(_WATCHED)}
    ours = {table.fullname: table for table in metadata.tables.values() if table.schema is not None}
    left = [table for name, table in ours.items() if name not in unwatched and name not in watched]
    while left := [table for table in left if not await _added(db, Statement(_trigger(table)))]:
        _log.info("waiting for tables to count their changes", tables=[table.fullname for table in left])
        await asyncio.sleep(_PAUSE)


def _trigger(table: sa.Table) -> sa.TextClause:
    name = f'"{table.schema}"."{table.name}"'
    return sa.text(
        f"CREATE OR REPLACE TRIGGER caching_count AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {name} "
        "FOR EACH STATEMENT EXECUTE FUNCTION caching.count_change()"
    )


async def _added(db: Database, trigger: Statement) -> bool:
    """Add one trigger, also where another core has just done so; return False if another transaction holds the table."""
    try:
        async with db.transaction() as tx:
            await tx.execute(_SHORT_WAIT)
            await tx.execute(trigger)
    except psycopg.errors.LockNotAvailable:
        return False
    return True
