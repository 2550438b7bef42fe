"""Tag links over the dispatcher: put and revived, changed, deleted, parallel writers, pages, events, bad input."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.services.metadata import queries
from factories.checks.timestamps import in_order, moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from factories.services.metadata import NOBODY, URL, Tagging, link, new_id, tagging_of

OTHER_URL = "https://example.com/core?level=3#wall"


@pytest.fixture
async def tagging(frame: Frame) -> Tagging:
    return await tagging_of(frame)


@pytest.fixture
async def tag_id(tagging: Tagging) -> str:
    return str((await tagging.tag("Fire", (await tagging.tag_type())["id"]))["id"])


async def link_events(tagging: Tagging) -> list[str]:
    return [name.removeprefix("tag_link.") for name in await tagging.event_types() if name.startswith("tag_link.")]


async def test_any_user_puts_new_links_and_reads_them(tagging: Tagging, tag_id: str) -> None:
    given = [link(tag_id.upper(), new_id().upper()), link(tag_id), link(tag_id, reference_url=OTHER_URL)]
    made = await tagging.put(*given)
    assert [row["reference_id"] for row in made] == [item["reference_id"].lower() for item in given]
    first = made[0]
    assert first | {"created_at": "", "updated_at": ""} == {
        "tag_id": tag_id,
        "reference_id": given[0]["reference_id"].lower(),
        "reference_table": "asset",
        "reference_url": URL,
        "created_at": "",
        "updated_at": "",
        "deleted_at": None,
    }
    assert made[2]["reference_url"] == OTHER_URL
    read = await tagging.bob.call("GetTagLink", tag_id=tag_id, reference_id=first["reference_id"].upper())
    assert read["tag_link"] == first
    listed = (await tagging.bob.call("ListTagLinks", tag_id=tag_id))["tag_links"]
    assert sorted(listed, key=lambda row: row["reference_id"]) == sorted(made, key=lambda row: row["reference_id"])
    assert await link_events(tagging) == ["created"] * 3


async def test_a_put_creates_changes_revives_and_leaves_alone(tagging: Tagging, tag_id: str) -> None:
    same, changed, deleted, both = await tagging.put(*(link(tag_id) for _ in range(4)))
    for row in (deleted, both):
        await tagging.bob.call("DeleteTagLink", tag_id=tag_id, reference_id=row["reference_id"])
    before = len(await link_events(tagging))
    new = link(tag_id)
    answer = await tagging.put(
        link(tag_id, both["reference_id"], reference_table="slab"),
        new,
        link(tag_id, deleted["reference_id"]),
        link(tag_id, changed["reference_id"], reference_url=OTHER_URL),
        link(tag_id, same["reference_id"]),
        by=tagging.bob,
    )
    expected = [
        {**both, "reference_table": "slab", "updated_at": answer[0]["updated_at"]},
        answer[1],
        {**deleted, "updated_at": answer[2]["updated_at"]},
        {**changed, "reference_url": OTHER_URL, "updated_at": answer[3]["updated_at"]},
        same,
    ]
    assert answer == expected
    assert answer[1]["reference_id"] == new["reference_id"]
    for old, now in ((both, answer[0]), (deleted, answer[2]), (changed, answer[3])):
        assert moment(now["updated_at"]) > moment(old["updated_at"])
        assert now["deleted_at"] is None
    assert (await link_events(tagging))[before:] == ["created", "created", "created", "updated"]
    events = (await events_of(tagging.db))[-4:]
    assert [event["data"]["tag_link"] for event in events] == [answer[0], answer[1], answer[2], answer[3]]
    assert events[0]["subject"] == f"/metadata/v1/tags/{tag_id}/links/{both['reference_id']}"
    assert events[0]["actor_id"] == tagging.people["bob"].user_id


async def test_one_bad_link_keeps_all_of_them_out(tagging: Tagging, tag_id: str) -> None:
    (kept,) = await tagging.put(link(tag_id))
    before = await events_of(tagging.db)
    for bad, field in (
        (link(NOBODY), "tag_links[2].tag_id"),
        (link("x"), "tag_links[2].tag_id"),
        (link(tag_id, "x"), "tag_links[2].reference_id"),
        ({**link(tag_id), "reference_id": ""}, "tag_links[2].reference_id"),
        (link(tag_id, reference_table=""), "tag_links[2].reference_table"),
        (link(tag_id, reference_table="x" * 201), "tag_links[2].reference_table"),
        (link(tag_id, reference_table="a\0b"), "reference_table"),
        (link(tag_id, reference_url=""), "tag_links[2].reference_url"),
        (link(tag_id, reference_url="ftp://example.com"), "tag_links[2].reference_url"),
        (link(tag_id, reference_url="/relative"), "tag_links[2].reference_url"),
        (link(tag_id, reference_url="https://me:secret@example.com"), "tag_links[2].reference_url"),
        (link(tag_id, reference_url="https://example.com/" + "x" * 2048), "tag_links[2].reference_url"),
        (link(tag_id.upper(), kept["reference_id"].upper()), "tag_links[2].reference_id"),
    ):
        changed = link(tag_id, kept["reference_id"], reference_table="changed")
        refused = await tagging.ann.refused("PutTagLinks", tag_links=[changed, link(tag_id), bad])
        assert refused.reason == "VALIDATION_ERROR"
        assert refused.details["parameter"].endswith(field), bad
        assert (await tagging.ann.call("ListTagLinks", tag_id=tag_id))["tag_links"] == [kept]
    assert await events_of(tagging.db) == before
    await tagging.put(link(tag_id))


async def test_none_and_over_a_thousand_links_are_refused(tagging: Tagging, tag_id: str) -> None:
    assert (await tagging.ann.refused("PutTagLinks")).details["parameter"] == "tag_links"
    many = [link(tag_id) for _ in range(1001)]
    assert (await tagging.ann.refused("PutTagLinks", tag_links=many)).details["parameter"] == "tag_links"
    with counted_statements() as one:
        await tagging.put(many[0])
    with counted_statements() as all_of_them:
        assert len(await tagging.put(*many[1:])) == 1000
    assert len(all_of_them) == len(one)
    assert len((await tagging.ann.call("ListTagLinks", tag_id=tag_id, page_limit=1000))["tag_links"]) == 1000


async def test_a_change_of_a_link_takes_one_field_or_both(tagging: Tagging, tag_id: str) -> None:
    (made,) = await tagging.put(link(tag_id))
    key = {"tag_id": tag_id, "reference_id": made["reference_id"]}
    slab = (await tagging.bob.call("UpdateTagLink", **key, reference_table="slab"))["tag_link"]
    assert slab == {**made, "reference_table": "slab", "updated_at": slab["updated_at"]}
    assert moment(slab["updated_at"]) > moment(made["updated_at"])
    url = (await tagging.bob.call("UpdateTagLink", **key, reference_url=OTHER_URL))["tag_link"]
    assert (url["reference_table"], url["reference_url"]) == ("slab", OTHER_URL)
    both = (await tagging.bob.call("UpdateTagLink", **key, reference_table="core", reference_url=URL))["tag_link"]
    assert (both["reference_table"], both["reference_url"]) == ("core", URL)
    assert (await tagging.ann.call("GetTagLink", **key))["tag_link"] == both
    assert await link_events(tagging) == ["created", "updated", "updated", "updated"]


async def test_a_change_of_a_link_without_a_field_is_refused(tagging: Tagging, tag_id: str) -> None:
    (made,) = await tagging.put(link(tag_id))
    key = {"tag_id": tag_id, "reference_id": made["reference_id"]}
    for fields, parameter in (
        ({}, "reference_table"),
        ({"reference_table": ""}, "reference_table"),
        ({"reference_url": "javascript:alert(1)"}, "reference_url"),
        ({"update_mask": {"paths": ["reference_table"]}}, "reference_table"),
        ({"update_mask": {"paths": ["reference_url"]}}, "reference_url"),
        ({"update_mask": {"paths": ["reference_id"]}}, "update_mask"),
        ({"tag_id": "x"}, "tag_id"),
        ({"reference_id": "x"}, "reference_id"),
    ):
        refused = await tagging.ann.refused("UpdateTagLink", **{**key, **fields})
        assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", parameter), fields
    assert (await tagging.ann.call("GetTagLink", **key))["tag_link"] == made
    assert await link_events(tagging) == ["created"]


async def test_a_deleted_link_shows_only_when_asked_for(tagging: Tagging, tag_id: str) -> None:
    kept, gone = [row for item in (link(tag_id), link(tag_id)) for row in await tagging.put(item)]
    key = {"tag_id": tag_id, "reference_id": gone["reference_id"]}
    deleted = (await tagging.bob.call("DeleteTagLink", **key))["tag_link"]
    assert deleted["deleted_at"] is not None
    assert deleted == {**gone, "updated_at": deleted["updated_at"], "deleted_at": deleted["deleted_at"]}

    async def listed(**queries: bool) -> list[dict[str, Any]]:
        answer = await tagging.ann.call("ListTagLinks", tag_id=tag_id, **queries)
        assert answer["summary"]["estimate_count"] == len(answer["tag_links"])
        return list(answer["tag_links"])

    assert await listed() == [kept]
    assert await listed(show_deleted=True) == [kept, deleted]
    assert await listed(show_deleted=True, show_active=False) == [deleted]
    assert await listed(show_active=False) == []
    assert (await tagging.ann.refused("GetTagLink", **key)).reason == "NOT_FOUND"
    assert (await tagging.ann.call("GetTagLink", **key, show_deleted=True))["tag_link"] == deleted
    assert (await tagging.ann.refused("UpdateTagLink", **key, reference_table="x")).reason == "NOT_FOUND"
    assert (await tagging.ann.refused("DeleteTagLink", **key)).reason == "NOT_FOUND"
    assert (await link_events(tagging))[-1] == "deleted"


async def test_an_unknown_link_is_not_found(tagging: Tagging, tag_id: str) -> None:
    other = await tagging.tag("Other", (await tagging.tag_type("Other"))["id"])
    (made,) = await tagging.put(link(tag_id))
    for key in (
        {"tag_id": tag_id, "reference_id": NOBODY},
        {"tag_id": other["id"], "reference_id": made["reference_id"]},
        {"tag_id": NOBODY, "reference_id": made["reference_id"]},
    ):
        for method, fields in (("GetTagLink", {}), ("UpdateTagLink", {"reference_table": "x"}), ("DeleteTagLink", {})):
            assert (await tagging.ada.refused(method, **key, **fields)).reason == "NOT_FOUND"
    assert (await tagging.ada.refused("ListTagLinks", tag_id=NOBODY)).reason == "NOT_FOUND"
    assert (await tagging.ada.refused("ListTagLinks", tag_id="x")).details["parameter"] == "tag_id"
    assert (await tagging.ada.refused("ListTagLinks", tag_id=tag_id, sort_by="name")).details["parameter"] == "sort_by"
    assert (await tagging.ada.call("ListTagLinks", tag_id=other["id"]))["tag_links"] == []


async def test_a_reference_has_links_of_many_tags(tagging: Tagging, tag_id: str) -> None:
    other = await tagging.tag("Other", (await tagging.tag_type("Other"))["id"])
    reference_id = new_id()
    first, second = await tagging.put(link(tag_id, reference_id), link(other["id"], reference_id, reference_table="b"))
    await tagging.ann.call("UpdateTagLink", tag_id=tag_id, reference_id=reference_id, reference_table="a")
    await tagging.ann.call("DeleteTagLink", tag_id=tag_id, reference_id=reference_id)
    assert (first["tag_id"], second["tag_id"]) == (tag_id, other["id"])
    kept = await tagging.ann.call("GetTagLink", tag_id=other["id"], reference_id=reference_id)
    assert kept["tag_link"] == second


async def test_parallel_puts_of_the_same_links_make_each_once(tagging: Tagging, tag_id: str) -> None:
    tag_type = await tagging.tag_type("Phase")
    tag_ids = [tag_id, *[(await tagging.tag(f"t{number}", tag_type["id"]))["id"] for number in range(3)]]
    pairs = [(tag_id, new_id()) for tag_id in tag_ids for _ in range(25)]

    async def write(number: int) -> list[dict[str, Any]]:
        order = pairs if number % 2 else pairs[::-1]
        url = f"https://example.com/{number}"
        return await tagging.put(*(link(tag_id, reference, reference_url=url) for tag_id, reference in order))

    answers = await asyncio.gather(*(write(number) for number in range(12)))
    for number, answer in enumerate(answers):
        assert {row["reference_url"] for row in answer} == {f"https://example.com/{number}"}
    events = await link_events(tagging)
    assert events.count("created") == len(pairs)
    assert events.count("updated") == len(pairs) * 11
    rows = [
        row
        for tag_id in tag_ids
        for row in (await tagging.ann.call("ListTagLinks", tag_id=tag_id, page_limit=1000))["tag_links"]
    ]
    assert sorted((row["tag_id"], row["reference_id"]) for row in rows) == sorted(pairs)
    assert len({row["reference_url"] for row in rows}) == 1, "one of the writers was last, with all of its links"


_MEET = """
    CREATE FUNCTION metadata.meet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('test.has_first', true) = 'yes' THEN
            PERFORM pg_advisory_xact_lock_shared(4711);
            FOR turn IN 1..{turns} LOOP
                EXIT WHEN (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711) = 2;
                PERFORM pg_sleep(0.01);
            END LOOP;
        END IF;
        PERFORM set_config('test.has_first', 'yes', true);
        RETURN NEW;
    END $$;
    CREATE TRIGGER meet BEFORE INSERT ON metadata.tag_link FOR EACH ROW EXECUTE FUNCTION metadata.meet()
"""
"""A writer that has made its first link waits with the second one until another writer is there too, at most so many
turns."""


@pytest.mark.parametrize("ordered", [True, False])
async def test_links_are_made_in_one_order_so_that_no_deadlock_comes(
    tagging: Tagging, tag_id: str, ordered: bool, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two writers of two links in opposite orders, each making one while the other makes the other one."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(_MEET.format(turns=30 if ordered else 6000))
    if not ordered:
        insert = Statement(sa.text(""))
        insert.sql = re.sub(r"ORDER BY .* ON CONFLICT", "ON CONFLICT", queries.INSERT_LINKS.sql)
        insert._defaults, insert._names = queries.INSERT_LINKS._defaults, queries.INSERT_LINKS._names
        assert insert.sql != queries.INSERT_LINKS.sql
        monkeypatch.setattr(queries, "INSERT_LINKS", insert)
    links = [link(tag_id), link(tag_id)]
    outcomes = await asyncio.gather(tagging.put(*links), tagging.put(*links[::-1]), return_exceptions=True)
    lost = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert len(lost) == (0 if ordered else 1)
    assert len((await tagging.ann.call("ListTagLinks", tag_id=tag_id))["tag_links"]) == 2


async def test_no_active_link_of_a_deleted_tag_is_left_by_parallel_writers(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    for number in range(5):
        made = await tagging.tag(f"t{number}", tag_type["id"])

        async def put(tag_id: str = made["id"]) -> str:
            try:
                await tagging.put(*(link(tag_id) for _ in range(20)))
            except CallError as error:
                return error.details()
            return "put"

        delete = tagging.ada.call("DeleteTag", tag_id=made["id"])
        *outcomes, _ = await asyncio.gather(put(), put(), put(), delete)
        assert all(text == "put" or "names no active tag" in text for text in outcomes)
        left = await tagging.ann.call("ListTagLinks", tag_id=made["id"], show_deleted=True, page_limit=1000)
        assert [row for row in left["tag_links"] if row["deleted_at"] is None] == []
        assert len(left["tag_links"]) == 20 * outcomes.count("put")


async def test_pages_of_links_walk_both_ways_in_every_sort(tagging: Tagging, tag_id: str) -> None:
    made = [row for _ in range(5) for row in await tagging.put(link(tag_id))]
    await tagging.put(link((await tagging.tag("Other", (await tagging.tag_type("Other"))["id"]))["id"]))
    for sort_by in ("id", "created_at", "updated_at"):
        key = "reference_id" if sort_by == "id" else sort_by
        for order, reverse in ((1, False), (2, True)):
            expected = sorted(made, key=lambda row: (in_order(row[key], key), row["reference_id"]), reverse=reverse)
            sort = {"tag_id": tag_id, "sort_by": sort_by, "order": order, "page_limit": 3}
            first = await tagging.ann.call("ListTagLinks", **sort)
            second = await tagging.ann.call("ListTagLinks", **sort, after=first["paging"]["next"])
            assert [*first["tag_links"], *second["tag_links"]] == expected
            assert (first["summary"], second["paging"]["next"]) == ({"estimate_count": 5}, None)
            back = await tagging.ann.call("ListTagLinks", **sort, before=second["paging"]["previous"])
            assert back["tag_links"] == first["tag_links"]


async def test_a_page_of_links_costs_the_same_statements_whatever_its_size(tagging: Tagging, tag_id: str) -> None:
    await tagging.put(*(link(tag_id) for _ in range(60)))
    for limit in (1, 50):
        first = await tagging.ann.call("ListTagLinks", tag_id=tag_id, page_limit=limit)
        with counted_statements() as seen:
            after = first["paging"]["next"]
            page = await tagging.ann.call("ListTagLinks", tag_id=tag_id, page_limit=limit, after=after)
        assert len(page["tag_links"]) == min(limit, 60 - limit)
        assert len(seen) == 3, "the tag, the rows, the count"


async def test_deleting_a_tag_costs_the_same_statements_for_any_number_of_links(tagging: Tagging) -> None:
    tag_type = await tagging.tag_type()
    counts = []
    for number in (1, 100):
        made = await tagging.tag(f"t{number}", tag_type["id"])
        await tagging.put(*(link(made["id"]) for _ in range(number)))
        with counted_statements() as seen:
            await tagging.ada.call("DeleteTag", tag_id=made["id"])
        counts.append(len(seen))
    assert counts[0] == counts[1]
