"""What changed: counters that every transaction moves, without one that all of them would wait for.

Edges keep answers and must know whether one still holds (guide/conventions.md, "Caching and conditions"). Each watched
table has a trigger that adds one to the row of (the table's schema, the connection's process) in
`caching.change_count`, once a transaction. A connection runs one transaction at a time, so no two of them ever write
the same row, and none waits. The counts become visible with the changes themselves, at the commit; so the sum of a
schema's rows is the number of committed transactions that changed the schema, and grows with each. What a later
snapshot sees contains what an earlier one saw: where two readers find the same sum, no such transaction was committed
between them, and whatever is computed from the schema's tables alone is the same for both.

The trigger sits on the table, so that no servicer, migration or hand-written SQL can forget it. `watch` puts it on every table
but those of `UNWATCHED`, after the migrations.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

UNWATCHED: Mapping[str, str] = {
    "events.event": "streamed, never kept by an edge",
    "jobs.job": "shown to workers only",
    "worker.runtime": "shown to workers only",
    "identity.api_key": "its last use moves by itself, so that edges don't keep what shows it; who a key is, they ask every 5 s",
    "identity.failed_grant": "no answer shows it",
    "identity.revoked_token": "no answer shows it; whether a token is revoked, edges ask every 5 s",
    "identity.signing_key": "shown without credentials only, which edges don't keep",
    "projects.access": "no answer shows it; it decides about an event alone",
    "evaluations.evaluation": "it moves by itself, so that edges don't keep what shows it",
    "evaluations.conversion": "shown in downloads only, which edges don't keep",
    "caching.change_count": "the counters themselves",
    "events.release": "no answer shows it",
    "notifications.notification": "they come by themselves, so that edges don't keep what shows them",
    "events.follower": "no answer shows it",
    "webhooks.webhook": "it is disabled by itself, so that edges don't keep what shows it",
    "webhooks.secret": "no answer shows it but the first",
    "webhooks.delivery": "it moves by itself, so that edges don't keep what shows it",
    "idempotency.record": "shown to who repeats a POST only",
    "limits.counter": "shown in the headers that every answer gets of its own",
}
"""Tables without the trigger, and why no answer that an edge keeps depends on them."""

_PEOPLE = ("identity", "projects", "environment")
"""Who may see what, and who made what."""
READ_BY: Mapping[str, tuple[str, ...]] = {
    "comments": (*_PEOPLE, "comments"),
    "reference": (*_PEOPLE, "reference"),
    "qa": (*_PEOPLE, "qa"),
    "environment": _PEOPLE,
    "parameter": (*_PEOPLE, "parameter", "reference", "metadata"),
    "metadata": (*_PEOPLE, "metadata"),
    "platform": (*_PEOPLE, "models"),
}
"""The schemas that a surface's answers are made from; a contract test reads them off the plans of its statements."""

_WATCH = """
DO $watch$
DECLARE
    found record;
BEGIN
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


def watch(connection: sa.Connection) -> None:
    """Puts the trigger on every table that should have it and hasn't, in the connection's transaction."""
    connection.exec_driver_sql(_WATCH.format(unwatched=" ".join(UNWATCHED)).replace("%", "%%"))
