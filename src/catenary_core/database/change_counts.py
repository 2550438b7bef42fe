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

from collections.abc import Iterable, Mapping

import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction

UNWATCHED: Mapping[str, str] = {
    "events.event": "streamed, never cached by an edge",
    "events.follower": "no response shows it",
    "jobs.job": "shown to workers only",
    "idempotency.record": "shown only to a caller who repeats a POST",
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

_WATCH = """
DO $watch$
DECLARE
    found record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('caching.count_change', 0));
    FOR found IN
        SELECT n.nspname, c.relname
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('public', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
           AND n.nspname || '.' || c.relname <> ALL (string_to_array('{unwatched}', ' '))
           AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'caching_count')
    LOOP
        EXECUTE format(
            'CREATE TRIGGER caching_count AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I.%I '
            'FOR EACH STATEMENT EXECUTE FUNCTION caching.count_change()', found.nspname, found.relname);
    END LOOP;
END
$watch$
"""


async def watch(tx: Transaction, unwatched: Iterable[str]) -> None:
    """Add the trigger to every table without one, except those in `unwatched`; concurrent processes take turns."""
    await tx.execute(Statement(sa.text(_WATCH.format(unwatched=" ".join(sorted(unwatched))))))
