"""Change counters per schema, which let an edge find out whether a cached response is still current.

Edges cache responses and must know whether each is still valid (guide/conventions.md, "Caching and conditions"). Each
watched table has a trigger that adds one to the row of (the table's schema, the connection's process) in
`caching.change_count`, once per transaction. A connection runs one transaction at a time, so two transactions never
write the same row and none waits for another. The counts become visible at the commit, together with the changes. So
the sum of a schema's rows is the number of committed transactions that changed the schema, and each such transaction
increases the sum.

A later snapshot contains all that an earlier one saw. Where two readers find the same sum, no transaction that changes
the schema was committed between them; a result computed from the schema's tables alone is therefore the same for both.

The trigger belongs to the table, so no servicer, migration or hand-written SQL can bypass the count. After the
migrations, `watch` adds the trigger to every table except those in `UNWATCHED`.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

UNWATCHED: Mapping[str, str] = {
    "events.event": "streamed, never cached by an edge",
    "jobs.job": "shown to workers only",
    "worker.runtime": "shown to workers only",
    "identity.api_key": "its last use changes without a write by a caller, so edges don't cache it; they verify a key every 5 s",
    "identity.failed_grant": "no response shows it",
    "identity.revoked_token": "no response shows it; edges ask every 5 s whether a token is revoked",
    "identity.signing_key": "shown only without credentials, and edges don't cache such responses",
    "projects.access": "no response shows it; it only decides who sees an event",
    "evaluations.evaluation": "its state changes without a caller's write, so edges don't cache responses that show it",
    "evaluations.conversion": "shown in downloads only, which edges don't cache",
    "caching.change_count": "the counters themselves",
    "events.release": "no response shows it",
    "notifications.notification": "rows appear without a caller's write, so edges don't cache responses that show them",
    "events.follower": "no response shows it",
    "webhooks.webhook": "the platform may disable it, so edges don't cache responses that show it",
    "webhooks.secret": "shown only in the response that creates it",
    "webhooks.delivery": "its state changes without a caller's write, so edges don't cache responses that show it",
    "idempotency.record": "shown only to a caller who repeats a POST",
    "limits.counter": "shown only in headers that are made for each response",
}
"""Tables without the trigger, each with the reason why no cached response depends on the table."""

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
    """Add the trigger to every watched table without one, in the connection's transaction."""
    connection.exec_driver_sql(_WATCH.format(unwatched=" ".join(UNWATCHED)).replace("%", "%%"))
