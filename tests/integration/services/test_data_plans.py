"""Each list page of comments, sources, records and environment projects is read by an index: its plans on 200,000 rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from factories.database.plans import nodes_of, plan_of
from integration.services.data_world import NOBODY, World, world_of

pytestmark = pytest.mark.sampled

ROWS = 200_000
_ID = "('00000000-0000-7000-8000-' || lpad(to_hex({n}), 12, '0'))::uuid"
_MOMENT = "timestamptz '2026-01-01' + n * interval '1 millisecond'"


def _made(n: int) -> str:
    return f"00000000-0000-7000-8000-{n:012x}"


def _id(n: str) -> str:
    return _ID.format(n=f"({n})::int")


def _fill(dsn: str, maker: str) -> None:
    """Fill the tables of comments, sources, records and projects.

    2,000 things have 100 comments and records each; each title and each reference is that of a hundred sources; a
    thousandth of the projects is confidential.
    """
    series = f"generate_series(1, {ROWS}) n"
    things = _id("n % 2000")
    statements = [
        f"""INSERT INTO comments.comment (id, reference_id, reference_table, reference_url, content, created_by, created_at,
                                          updated_at)
            SELECT {_id("n")}, {things}, 'asset', 'https://example.com', 'Text ' || n, '{maker}', {_MOMENT}, {_MOMENT}
              FROM {series}""",
        f"""INSERT INTO reference.source_type (id, name, visible)
            SELECT {_id("n")}, 'Kind ' || n, true FROM generate_series(1, 9) n""",
        f"""INSERT INTO reference.source (id, source_type_id, title, reference, reference_id, created_at, updated_at)
            SELECT {_id("n")}, {_id("n % 9 + 1")}, 'Title ' || n % 2000, 'DOC-' || n % 2000, {things}, {_MOMENT}, {_MOMENT}
              FROM {series}""",
        f"INSERT INTO qa.record_type (id, name) SELECT {_id('n')}, 'Kind ' || n FROM generate_series(1, 9) n",
        f"""INSERT INTO qa.record (id, type_id, reference_id, reference_table, reference_url, created_by, created_at, updated_at)
            SELECT {_id("n")}, {_id("n % 9 + 1")}, {things}, 'asset', 'https://example.com', '{maker}', {_MOMENT}, {_MOMENT}
              FROM {series}""",
        f"""INSERT INTO environment.project (project_id, project_number, confidential, created_by, created_at, updated_at)
            SELECT {_id("n")}, 'P' || n, n % 1000 = 0, '{maker}', {_MOMENT}, {_MOMENT} FROM {series}""",
    ]
    with psycopg.connect(dsn, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())
        connection.execute("VACUUM ANALYZE")


SORTS: tuple[dict[str, Any], ...] = tuple(
    {"sort_by": name, "order": order} for name in ("id", "created_at", "updated_at") for order in (1, 2)
)
LISTS: dict[str, tuple[str, str, Sequence[dict[str, Any]]]] = {
    "comments": (
        "ListComments",
        "comment",
        (
            {"comment_id": [_made(7)]},
            {"reference_id": [_made(7)]},
            {"reference_id": [_made(7), _made(8)]},
            {"reference_id": [NOBODY]},
            {"reference_table": ["asset"]},
            {"reference_table": ["none"]},
        ),
    ),
    "reference": (
        "ListSources",
        "source",
        (
            {"source_id": [_made(7)]},
            {"reference_id": [_made(7)]},
            {"source_type_id": [_made(3)]},
            {"source_type_id": [NOBODY]},
            {"title": ["Title 7"]},
            {"title": ["none"]},
            {"reference": ["DOC-7"]},
        ),
    ),
    "qa": (
        "ListRecords",
        "record",
        ({"reference_id": [_made(7)]}, {"reference_id": [NOBODY]}, {"type_id": [_made(3)]}, {"type_id": [NOBODY]}),
    ),
    "environment": (
        "ListProjects",
        "project",
        ({"project_id": [_made(7)]}, {"number": ["P7"]}, {"number": ["none"]}),
    ),
}


WHOLE = ({"reference_table": ["asset"]}, {"source_type_id": [_made(3)]}, {"type_id": [_made(3)]})
"""Filters that let so much through that all of it is no page."""


@pytest.mark.slow
@pytest.mark.gate
async def test_each_page_is_read_by_an_index_and_not_by_the_whole_table(frame: Frame, dsn: str) -> None:
    world = await world_of(frame)
    _fill(dsn, world.people["ann"].user_id)
    wrong = []
    for service, (method, table, filters) in LISTS.items():
        for fields in ({}, *SORTS, {"show_deleted": True}, *filters):
            first = await _list(world, service, method, {"page_limit": 100, **fields})
            after = first["paging"]["next"]
            for start in ({}, *(() if after is None else ({"after": after},))):
                wrong += await _scanned(world, dsn, service, method, table, {"page_limit": 100, **fields, **start})
        for fields in (one for one in filters if one not in WHOLE):
            wrong += await _scanned(world, dsn, service, method, table, fields)
    assert not wrong, "\n".join(map(str, wrong))


async def _list(world: World, service: str, method: str, fields: dict[str, Any]) -> dict[str, Any]:
    return await world.as_("bob", service).list(method, **fields)


async def _scanned(
    world: World, dsn: str, service: str, method: str, table: str, fields: dict[str, Any]
) -> list[tuple[Any, ...]]:
    """List the nodes of the page's plans that read too much of the large table.

    Too much is more than a page, or a count, should read.
    """
    run = Transaction._run
    seen: list[tuple[Statement, dict[str, Any]]] = []

    async def noting(self: Transaction, statement: Statement, given: Any) -> Any:
        if not statement.sql.startswith("EXPLAIN"):
            seen.append((statement, dict(given)))
        return await run(self, statement, given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transaction, "_run", noting)
        await _list(world, service, method, fields)
    found = []
    with psycopg.connect(dsn, autocommit=True, options="-c timezone=UTC") as connection:
        for statement, given in seen:
            counts = "count(*) AS n" in statement.sql
            for node in nodes_of(plan_of(connection, statement, given)):
                read = (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
                # A count looks its keys up: the first 20,000 of an index, and 10,000 rows; a page may be gathered from 3,000.
                if node.get("Relation Name") == table and read > (20_100 if counts else 3_100):
                    found.append((method, fields, "count" if counts else "page", node["Node Type"], read))
    return found
