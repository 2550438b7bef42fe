"""Each page of the audit trail is read by an index: its plans on 300,000 entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from catenary_core.services.audit import queries
from factories.database.plans import nodes_of, plan_of

ROWS = 300_000
LIMIT = 51
# Of every rare kind there are some entries, the oldest: a walk from the newest entry would read all the others first.
_FILL = f"""
    INSERT INTO audit.entry (occurred_at, actor_id, action, subject, outcome, request_id, chain_sequence)
    SELECT timestamptz '2026-01-01' + n * interval '1 second',
           CASE WHEN n % 10 = 0 THEN NULL WHEN n < 200 THEN '00000000-0000-7000-8000-000000000000'::uuid
                ELSE ('00000000-0000-7000-8000-00000000' || lpad((1000 + n % 50)::text, 4, '0'))::uuid END,
           CASE WHEN n < 200 THEN 'rare' ELSE 'action ' || n % 60 END,
           CASE WHEN n % 7 = 0 THEN NULL WHEN n < 200 THEN '/v1/projects/rare'
                WHEN n < 400 THEN '/v1/projects/rare/members/' || n % 2
                ELSE '/v1/projects/' || n % 500 || CASE WHEN n % 2 = 0 THEN '/models/' || n % 9 ELSE '' END END,
           CASE WHEN n < 200 THEN 'RATE_LIMIT_EXCEEDED' WHEN n % 20 = 0 THEN 'PERMISSION_DENIED' ELSE 'ok' END,
           'request ' || n, n
      FROM generate_series(1, {ROWS}) n
"""
_ADD_UNCHAINED = """
    INSERT INTO audit.entry (occurred_at, actor_id, action, subject, outcome, request_id)
    SELECT occurred_at + interval '1 hour', actor_id, action, subject, outcome, request_id
      FROM audit.entry ORDER BY sequence DESC LIMIT 40
"""
"""Those of the last second, which no index of the lists has."""
_MIXED = Statement(
    sa.text(
        "INSERT INTO audit.entry (occurred_at, action, outcome, request_id, chain_sequence)"
        " SELECT timestamptz '2026-01-01' + n * interval '1 second', 'a', 'ok', n, CASE WHEN n % 3 > 0 THEN n END"
        " FROM generate_series(1, 12) n"
    )
)
"""Add three entries, one of which waits for the chain, as where a later one was committed first."""
FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"actor_id": "00000000-0000-7000-8000-000000000000"},
    {"actor_id": "00000000-0000-7000-8000-000000001007"},
    {"actor_id": "00000000-0000-7000-8000-ffffffffffff"},
    {"action": "rare"},
    {"action": "action 7"},
    {"action": "none"},
    {"subject": "/v1/projects/rare"},
    {"subject": "/v1/projects/rare/members/1"},
    {"subject": "/v1/projects/7"},
    {"subject": "/v1/projects/8/models/0"},
    {"subject": "/v1/none/1"},
    {"outcome": "ok"},
    {"outcome": "PERMISSION_DENIED"},
    {"outcome": "RATE_LIMIT_EXCEEDED"},
    {"outcome": "NONE"},
    {"to": "2026-01-01T00:10:00Z"},
    {"from": "2026-01-01T00:10:00Z", "to": "2026-01-01T00:11:00Z"},
    {"from": "2027-01-01T00:00:00Z"},
    {"actor_id": "00000000-0000-7000-8000-000000001007", "to": "2026-01-01T00:40:00Z"},
    {"subject": "/v1/projects/7", "to": "2026-01-01T02:00:00Z"},
    {"outcome": "PERMISSION_DENIED", "to": "2026-01-01T00:40:00Z"},
)
AFTER = {"after_created_at": "2026-01-01T00:30:00Z", "after_id": 1800}


def _read(connection: psycopg.Connection[Any], given: Mapping[str, str], after: Mapping[str, Any]) -> tuple[int, Any]:
    """Return the number of entries that a page reads, and the plan's nodes at the entries and addresses."""
    statement = queries.page(queries.conditions(given), bool(after))
    nodes = nodes_of(plan_of(connection, statement, {**given, **after, "page_rows": LIMIT}))
    scans = [node for node in nodes if node.get("Relation Name") in ("entry", "address")]
    assert scans
    return sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in scans
    ), scans


@pytest.mark.slow
def test_each_page_is_read_by_an_index_and_without_it_by_the_whole_table(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(_FILL.encode())
        connection.execute(_ADD_UNCHAINED)
        connection.execute("INSERT INTO audit.address SELECT sequence, '192.0.2.7' FROM audit.entry")
        connection.execute("VACUUM ANALYZE audit.entry, audit.address")
        for given in FILTERS:
            for after in ({}, AFTER):
                read, scans = _read(connection, given, after)
                assert all(node["Node Type"] != "Seq Scan" for node in scans), (given, after, scans)
                assert read <= 4 * LIMIT, (given, after, scans)
        connection.execute("DROP INDEX audit.entry_actor_idx, audit.entry_action_idx, audit.entry_object_idx")
        connection.execute("DROP INDEX audit.entry_subject_idx, audit.entry_refusal_idx, audit.entry_time_idx")
        for given in FILTERS:
            if given != {}:
                assert _read(connection, given, {})[0] > ROWS / 10, given


@pytest.mark.parametrize("given", [{}, {"action": "a"}, {"outcome": "ok"}, {"from": "2026-01-01T00:00:03Z"}])
async def test_entries_in_the_chain_and_before_it_are_one_list(dsn: str, given: dict[str, str]) -> None:
    db = Database(dsn)
    await db.open()
    try:
        async with db.transaction() as tx:
            await tx.execute(_MIXED)
            found: list[int] = []
            after: dict[str, Any] = {}
            # Pages of three: either part alone would fill the first of them, and leave gaps.
            while rows := await tx.all(
                queries.page(queries.conditions(given), bool(after)), **given, **after, page_rows=3
            ):
                found += [int(row["request_id"]) for row in rows]
                after = {"after_created_at": rows[-1]["occurred_at"], "after_id": rows[-1]["sequence"]}
    finally:
        await db.close()
    assert found == list(range(12, 2 if "from" in given else 0, -1))
