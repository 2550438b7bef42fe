"""Pages of the data services' lists on a real server: walks while rows come and go, cursors, counts, plans."""

from __future__ import annotations

import base64
import random
import zlib
from typing import Any

import orjson
import psycopg
import pytest

from catenary.reference.v2.source_type_service_pb2 import ListSourceTypesRequest
from catenary.type.v1 import paging_pb2
from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Database
from catenary_core.resources import listing, pages
from catenary_core.services.reference import queries
from factories.database.statement_counts import counted_statements

TYPES = queries.SOURCE_TYPES
# Many rows share a moment, so that ties by id matter.
FILL = """
    INSERT INTO reference.source_type (id, name, visible, created_at)
    SELECT gen_random_uuid(), 'n' || md5(n::text), true, timestamptz '2030-01-01' + (n / 7) * interval '1 second'
      FROM generate_series(1, %s) n
"""


def fill(dsn: str, rows: int) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(FILL, [rows])
        connection.execute("ANALYZE reference.source_type")


async def page(db: Database, **fields: Any) -> dict[str, Any]:
    return await pages.page(db, TYPES, ListSourceTypesRequest(**fields), {})


@pytest.mark.parametrize("sort_by", ["created_at", "name", "id"])
@pytest.mark.parametrize("backward", [False, True])
async def test_a_walk_shows_each_surviving_row_once_while_rows_come_and_go(
    db: Database, dsn: str, sort_by: str, backward: bool
) -> None:
    fill(dsn, 10_000)
    chance = random.Random(f"{sort_by} {backward}")
    order = chance.choice([paging_pb2.ORDER_ASC, paging_pb2.ORDER_DESC])
    seen: list[str] = []
    keys: list[tuple[Any, str]] = []
    with psycopg.connect(dsn, autocommit=True) as other:
        before = {str(row[0]) for row in other.execute("SELECT id FROM reference.source_type")}
        cursor: dict[str, Any] = {}
        if backward:
            # From the end: the last page is the first one of the other direction.
            falling = paging_pb2.ORDER_DESC if order == paging_pb2.ORDER_ASC else paging_pb2.ORDER_ASC
            (last,) = (await page(db, page_limit=1, sort_by=sort_by, order=falling))["source_types"]
            seen.append(last["id"])
            cursor = {
                "before": pages._cursor(TYPES, listing.Shape(frozenset(), True, False, sort_by, order == 2), last)
            }
        while True:
            limit = chance.randint(1, 1000)
            found = await page(db, page_limit=limit, sort_by=sort_by, order=order, **cursor)
            rows = found["source_types"]
            assert len(rows) <= limit
            seen.extend(row["id"] for row in rows)
            here = [(row[sort_by], row["id"]) for row in rows]
            assert here == sorted(here, reverse=order == paging_pb2.ORDER_DESC)
            keys.extend(here)
            following = found["paging"]["previous" if backward else "next"]
            if following is None:
                break
            assert following == found["paging"]["cursors"]["before" if backward else "after"]
            cursor = {"before" if backward else "after": following}
            # Rows come anywhere, and go: of those seen, of those to come, and the very row that the cursor names.
            other.execute(FILL.replace("'n' ||", "'m' || random() ||"), [40])
            other.execute("DELETE FROM reference.source_type WHERE id = %s", [rows[0 if backward else -1]["id"]])
            other.execute(
                "UPDATE reference.source_type SET deleted_at = clock_timestamp() WHERE id IN"
                " (SELECT id FROM reference.source_type WHERE deleted_at IS NULL ORDER BY random() LIMIT 40)"
            )
        alive = {str(row[0]) for row in other.execute("SELECT id FROM reference.source_type WHERE deleted_at IS NULL")}
    assert len(seen) == len(set(seen))
    assert before & alive <= set(seen)
    assert len(before & alive) > 9_000


async def test_parts_show_every_row_once_while_rows_come_and_go(db: Database, dsn: str) -> None:
    fill(dsn, 2_500)
    seen: list[str] = []
    sizes = []
    with psycopg.connect(dsn, autocommit=True) as other:
        before = {str(row[0]) for row in other.execute("SELECT id FROM reference.source_type")}
        async for part in await pages.parts(db, TYPES, ListSourceTypesRequest(), {}):
            assert part["paging"] is None
            assert part["summary"] is None
            rows = part["source_types"]
            sizes.append(len(rows))
            seen.extend(row["id"] for row in rows)
            other.execute("DELETE FROM reference.source_type WHERE id = %s", [rows[-1]["id"]])
            other.execute(FILL.replace("'n' ||", "'m' || random() ||"), [10])
        alive = {str(row[0]) for row in other.execute("SELECT id FROM reference.source_type")}
    assert sizes[:5] == [pages.PART] * 5
    assert len(seen) == len(set(seen))
    assert before & alive <= set(seen)


async def test_an_empty_list_is_one_part_and_one_page(db: Database) -> None:
    parts = [part async for part in await pages.parts(db, TYPES, ListSourceTypesRequest(), {})]
    assert parts == [{"source_types": [], "paging": None, "summary": None}]
    nothing = {"cursors": {"before": None, "after": None}, "previous": None, "next": None}
    assert await page(db) == {"source_types": [], "paging": nothing, "summary": {"estimate_count": 0}}


async def test_pages_lead_to_each_other_and_end_with_null(db: Database, dsn: str) -> None:
    fill(dsn, 10)
    first = await page(db, page_limit=4)
    assert first["paging"]["previous"] is None
    second = await page(db, page_limit=4, after=first["paging"]["next"])
    third = await page(db, page_limit=4, after=second["paging"]["next"])
    assert [len(one["source_types"]) for one in (first, second, third)] == [4, 4, 2]
    assert third["paging"]["next"] is None
    again = await page(db, page_limit=4, before=third["paging"]["previous"])
    assert again["source_types"] == second["source_types"]
    assert again["paging"] == second["paging"]
    start = await page(db, page_limit=4, before=again["paging"]["previous"])
    assert start == first
    assert len((await page(db))["source_types"]) == 10


def _forged(*content: Any) -> str:
    data = orjson.dumps(list(content))
    return base64.b64encode(zlib.crc32(data).to_bytes(4, "big") + data).decode()


ID = "01890000-0000-7000-8000-000000000001"
MOMENT = "2030-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "AAAA",
        "====",
        "é",
        _forged("sources", "created_at", False, MOMENT, ID),
        _forged("source_types", "updated_at", False, MOMENT, ID),
        _forged("source_types", "created_at", True, MOMENT, ID),
        _forged("source_types", "created_at", False, "2030-13-01T00:00:00Z", ID),
        _forged("source_types", "created_at", False, "now()", ID),
        _forged("source_types", "created_at", False, MOMENT, "x"),
        _forged("source_types", "created_at", False, MOMENT),
        _forged("source_types", "created_at", False, 1, ID),
        _forged("source_types", "created_at", False, MOMENT, 7),
        base64.b64encode(zlib.crc32(b"{}").to_bytes(4, "big") + b"{}").decode(),
        base64.b64encode(zlib.crc32(b"[").to_bytes(4, "big") + b"[").decode(),
    ],
)
async def test_a_cursor_that_the_list_did_not_give_is_refused(db: Database, cursor: str) -> None:
    for name in ("before", "after"):
        with pytest.raises(DomainError) as caught:
            await page(db, **{name: cursor})
        assert caught.value.reason == "VALIDATION_ERROR"
        assert caught.value.details["parameter"] == name


async def test_every_flipped_bit_of_a_cursor_is_found(db: Database, dsn: str) -> None:
    fill(dsn, 3)
    cursor = (await page(db, page_limit=1))["paging"]["next"]
    data = bytearray(base64.b64decode(cursor))
    for bit in range(len(data) * 8):
        data[bit // 8] ^= 1 << bit % 8
        with pytest.raises(DomainError):
            await page(db, after=base64.b64encode(data).decode())
        data[bit // 8] ^= 1 << bit % 8
    assert len((await page(db, after=base64.b64encode(data).decode()))["source_types"]) == 2


async def test_before_beside_after_is_refused(db: Database) -> None:
    with pytest.raises(DomainError) as caught:
        await page(db, before="x", after="x")
    assert caught.value.details["constraint"] == "oneof"


async def test_the_count_is_exact_to_ten_thousand_and_the_planners_above(db: Database, dsn: str) -> None:
    fill(dsn, 10_000)
    assert (await page(db, page_limit=1))["summary"]["estimate_count"] == 10_000
    with psycopg.connect(dsn) as connection:
        connection.execute(FILL.replace("'n' ||", "'o' ||"), [30_000])
        connection.execute("ANALYZE reference.source_type")
    with counted_statements() as seen:
        estimate = (await page(db, page_limit=1))["summary"]["estimate_count"]
    assert 30_000 < estimate < 50_000
    assert len(seen) == 3
    assert "LIMIT 10001" in seen[1]
    assert seen[2].startswith("EXPLAIN")


async def test_the_statement_of_the_rows_tells_whether_there_are_rows_before_the_page(db: Database, dsn: str) -> None:
    fill(dsn, 100)
    first = await page(db, page_limit=10)
    with counted_statements() as seen:
        second = await page(db, page_limit=10, after=first["paging"]["next"])
        back = await page(db, page_limit=10, before=second["paging"]["previous"])
    assert [sql.startswith("SELECT count(*)") for sql in seen] == [False, True, False, True]
    assert (first["paging"]["previous"], back["paging"]["previous"]) == (None, None)
    assert second["paging"]["previous"] == second["paging"]["cursors"]["before"]
    assert back["paging"]["next"] == first["paging"]["next"]
    assert listing.BEHIND not in second["source_types"][0]


@pytest.mark.parametrize("sort_by", ["created_at", "name", "id"])
async def test_a_page_of_many_rows_is_read_by_an_index(db: Database, dsn: str, sort_by: str) -> None:
    fill(dsn, 20_000)
    with counted_statements() as seen:
        first = await page(db, page_limit=10, sort_by=sort_by)
        await page(db, page_limit=10, sort_by=sort_by, after=first["paging"]["next"])
    with psycopg.connect(dsn, cursor_factory=psycopg.RawCursor) as connection:
        connection.execute("SET plan_cache_mode = force_generic_plan")
        for sql, key in (
            (seen[0], []),
            (seen[3], [*([] if sort_by == "id" else [first["source_types"][-1][sort_by]]), ID]),
        ):
            plan = connection.execute(f"EXPLAIN {sql}", [*key, 10]).fetchall()
            text = "\n".join(row[0] for row in plan)
            assert "Index" in text, text
            assert "->  Sort" not in text, text


async def test_a_change_shows_in_the_parts_of_a_list_that_are_read_after_it_so_no_version_tells_its_bytes(
    db: Database, dsn: str
) -> None:
    fill(dsn, 2 * pages.PART)
    request = ListSourceTypesRequest(sort_by="id")
    parts = await pages.parts(db, TYPES, request, {})
    first = [row["id"] for row in (await anext(parts))["source_types"]]
    with psycopg.connect(dsn, autocommit=True) as other:
        other.execute("UPDATE reference.source_type SET visible = false")
    later = [row async for part in parts for row in part["source_types"]]
    assert len(first) == len(later) == pages.PART
    assert not any(row["visible"] for row in later), "while the first part said that it was visible"
