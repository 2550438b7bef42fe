"""Lists of the platform: the order of their rows, and the pages after a key."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa

from catenary_core.database.statements import Row, Statement
from catenary_core.resources.platform_pages import PlatformPage, listed

TABLE = sa.table("thing", sa.column("id", sa.Integer), sa.column("created_at", sa.DateTime(timezone=True)))
ROWS = sa.select(TABLE.c.id.label("thing_id"), TABLE.c.created_at)


@pytest.mark.parametrize(("newest_first", "sign", "order"), [(True, "<", " DESC"), (False, ">", "")])
def test_pages_go_on_in_the_order_of_the_rows(newest_first: bool, sign: str, order: str) -> None:
    things = listed(ROWS, TABLE.c.created_at, TABLE.c.id, newest_first=newest_first)
    ordered = f"ORDER BY thing.created_at{order}, thing.id{order}"
    assert all(ordered in " ".join(one.sql.split()) for one in (things.first, things.following))
    assert f"(thing.created_at, thing.id) {sign} " in things.following.sql
    assert f"(thing.created_at, thing.id) {sign} " not in things.first.sql


async def test_a_page_begins_after_its_key_and_leads_to_the_next() -> None:
    things = listed(ROWS, TABLE.c.created_at, TABLE.c.id, id_key="thing_id")
    ran: list[tuple[Statement, dict[str, Any]]] = []

    async def rows(statement: Statement, /, **given: Any) -> list[Row]:
        ran.append((statement, given))
        return [{"thing_id": number, "created_at": "2026-01-01T00:00:00Z"} for number in range(given["page_rows"])]

    tx = cast("Any", SimpleNamespace(all=rows))
    page, cursor = await things.read(tx, PlatformPage(2, None, None))
    assert [row["thing_id"] for row in page] == [0, 1]
    assert cursor is not None
    await things.read(tx, PlatformPage(2, "2026-01-01T00:00:00Z", "1"))
    start = {"after_created_at": "2026-01-01T00:00:00Z", "after_id": "1"}
    assert ran == [(things.first, {"page_rows": 3}), (things.following, {"page_rows": 3, **start})]
