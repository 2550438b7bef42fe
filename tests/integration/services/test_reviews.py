"""Reviews of revisions: what they leave at the revision and in the QA records, and who may give them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from catenary.parameter.v1 import entry_pb2
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.resources.catalogues import Loaded
from catenary_core.services.qa import catalogue, queries
from factories.checks.timestamps import moment
from factories.database.statement_counts import counted_statements
from factories.services.calls import Caller, events_of
from factories.services.people import delete_user
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, number, parameter_world_of

STATUS = {
    name: entry_pb2.RevisionStatus.Value(f"REVISION_STATUS_{name.upper()}")
    for name in ("answered", "checked", "approved", "rejected")
}


class Reviewed:
    """A world in which ann gives values to parameters of one type."""

    def __init__(self, world: ParameterWorld, project_id: str, parameter_type_id: str, source_id: str) -> None:
        self.world = world
        self._item = {"project_id": project_id, "parameter_type_id": parameter_type_id}
        self._source_id = source_id

    def qa(self, name: str) -> Caller:
        """Return a person that calls the QA service."""
        return self.world.world.as_(name, "qa")

    async def revision(self, comment: str | None = None) -> tuple[str, str]:
        """Make a parameter with an entry; return the ids of entry and revision."""
        entry: dict[str, Any] = {"source_id": self._source_id, "values": [number(24.5)]}
        if comment is not None:
            entry["comment"] = comment
        kind = await self.world.parameter_type()
        item = {**self._item, "parameter_type_id": kind["id"], "entries": [entry]}
        made = await self.world.one("CreateParameters", "parameters", self.world.ann, **item)
        return made["selected_entry"]["entry_id"], made["selected_entry"]["revision_id"]

    async def review(self, by: Caller, *given: tuple[str, str, str | None]) -> list[dict[str, Any]]:
        """Give reviews, each of (revision, status, comment); return the revisions."""
        return list((await by.call("UpdateRevisions", revisions=[update(*item) for item in given]))["revisions"])

    async def records(self, *revision_ids: str) -> list[dict[str, Any]]:
        """Return the QA records of revisions."""
        return list((await self.qa("ann").list("ListRecords", reference_id=revision_ids))["records"])

    async def type_names(self) -> dict[str, str]:
        """Map the id of each record type to its name."""
        rows = (await self.qa("ann").list("ListRecordTypes"))["record_types"]
        return {row["id"]: row["name"] for row in rows}


def update(revision_id: str, status: str, comment: str | None = None) -> dict[str, Any]:
    item = {"revision_id": revision_id, "status": STATUS[status]}
    return item if comment is None else {**item, "comment": comment}


async def reviewed_of(frame: Frame) -> Reviewed:
    world = await parameter_world_of(frame)
    return Reviewed(world, await world.project(), (await world.parameter_type())["id"], (await world.source())["id"])


@pytest.fixture
async def reviewed(frame: Frame) -> Reviewed:
    return await reviewed_of(frame)


async def test_a_review_says_who_judged_when_and_why_and_the_comment_of_the_author_stays(reviewed: Reviewed) -> None:
    entry_id, id_ = await reviewed.revision("from the drawing")
    bob = reviewed.world.bob
    (before,) = (await bob.list("ListRevisions", entry_id=entry_id))["revisions"]
    assert before["review"] is None
    (judged,) = await reviewed.review(bob, (id_, "rejected", "too high"))
    assert judged["comment"] == "from the drawing"
    assert judged["created_by"]["staff_name"] == "ann"
    review = judged["review"]
    assert review["created_by"] == {"staff_name": "bob", "email": "bob@example.com"}
    assert (review["status"], review["comment"]) == ("rejected", "too high")
    assert moment(review["created_at"]) > moment(judged["created_at"])
    assert review["created_at"] == judged["updated_at"]
    (listed,) = (await bob.list("ListRevisions", entry_id=entry_id))["revisions"]
    assert listed == judged
    # A further revision begins without a review; the old one keeps its own.
    (again,) = await reviewed.review(reviewed.world.ada, (id_, "checked", None))
    assert again["review"]["created_by"]["staff_name"] == "ada"
    assert again["review"]["comment"] is None


async def test_a_new_revision_begins_without_a_review_and_the_old_one_keeps_its_own(reviewed: Reviewed) -> None:
    entry_id, id_ = await reviewed.revision()
    (judged,) = await reviewed.review(reviewed.world.bob, (id_, "approved", "fine"))
    listed = (await reviewed.world.bob.list("ListRevisions", entry_id=entry_id))["revisions"]
    (entry,) = (await reviewed.world.ann.list("ListEntries"))["entries"]
    item = {"entry_id": entry_id, "parameter_id": entry["parameter_id"], "source_id": entry["source"]["id"]}
    await reviewed.world.put({**item, "values": [number(25.5)]})
    newest, oldest = (await reviewed.world.bob.list("ListRevisions", entry_id=entry_id))["revisions"]
    assert (newest["status"], newest["review"]) == ("answered", None)
    assert listed == [judged] == [oldest]


async def test_a_review_stays_without_its_reviewer_when_the_user_is_gone(reviewed: Reviewed) -> None:
    entry_id, id_ = await reviewed.revision()
    await reviewed.review(reviewed.world.bob, (id_, "approved", "fine"))
    await delete_user(reviewed.world.db, reviewed.world.world.people["bob"])
    (shown,) = (await reviewed.world.ann.list("ListRevisions", entry_id=entry_id))["revisions"]
    assert (shown["review"]["created_by"], shown["review"]["comment"]) == (None, "fine")


async def test_each_review_writes_a_record_of_its_type_that_references_the_revision(reviewed: Reviewed) -> None:
    _, id_ = await reviewed.revision()
    assert await reviewed.records(id_) == [], "giving a value is no review"
    given = [("checked", None), ("checked", "seen again"), ("approved", None), ("rejected", "no"), ("answered", None)]
    for status, comment in given:
        await reviewed.review(reviewed.world.bob, (id_, status, comment))
    records, names = await reviewed.records(id_), await reviewed.type_names()
    assert [names[record["type_id"]].lower() for record in records] == [status for status, _ in given]
    for record in records:
        assert record["created_by"]["staff_name"] == "bob"
        assert record["reference_table"] == "revision"
        assert record["reference_url"].endswith("/revisions")
    told = [event for event in await events_of(reviewed.world.db) if event["type"] == "qa.record.created"]
    assert [event["data"]["record"]["id"] for event in told] == [record["id"] for record in records]
    assert not any("created_by" in event["data"]["record"] for event in told)


async def test_a_review_that_is_refused_writes_no_record(reviewed: Reviewed) -> None:
    entry_id, id_ = await reviewed.revision()
    other_entry, other = await reviewed.revision()
    (entry,) = (
        row for row in (await reviewed.world.ann.list("ListEntries"))["entries"] if row["entry_id"] == other_entry
    )
    item = {"entry_id": other_entry, "parameter_id": entry["parameter_id"], "source_id": entry["source"]["id"]}
    await reviewed.world.put({**item, "values": [number(25.5)]})
    before = len(await events_of(reviewed.world.db))
    refusals = (
        ([update(id_, "checked"), update(other, "checked")], "CONFLICT", "revisions[1].revision_id"),
        ([update(id_, "rejected")], "VALIDATION_ERROR", "revisions[0].comment"),
        ([update(id_, "rejected", " ")], "VALIDATION_ERROR", "revisions[0].comment"),
        ([update(id_, "checked"), update(id_, "approved")], "VALIDATION_ERROR", "revisions[1].revision_id"),
        ([update(id_, "checked"), update(NOBODY, "checked")], "VALIDATION_ERROR", "revisions[1].revision_id"),
    )
    for given, reason, field in refusals:
        refused = await reviewed.world.bob.refused("UpdateRevisions", revisions=given)
        assert (refused.reason, refused.details["parameter"]) == (reason, field)
    assert await reviewed.records(id_, other) == []
    assert len(await events_of(reviewed.world.db)) == before
    (shown,) = (await reviewed.world.bob.list("ListRevisions", entry_id=entry_id))["revisions"]
    assert (shown["status"], shown["review"]) == ("answered", None)


@pytest.mark.parametrize(
    ("public_url", "base_url", "expected"),
    [
        ("https://catenary.example.com/", "https://edge.example.com", "https://catenary.example.com"),
        (None, "https://edge.example.com", "https://edge.example.com"),
        (None, None, ""),
    ],
)
async def test_the_url_of_a_record_begins_with_the_address_of_the_installation(
    frame: Frame, public_url: str | None, base_url: str | None, expected: str
) -> None:
    settings = frame.settings.model_copy(update={"public_url": public_url})
    reviewed = await reviewed_of(replace(frame, settings=settings))
    entry_id, id_ = await reviewed.revision()
    bob = reviewed.world.bob
    await reviewed.review(
        bob if base_url is None else bob.sending("catenary-base-url", base_url), (id_, "checked", None)
    )
    (record,) = await reviewed.records(id_)
    assert record["reference_url"] == f"{expected}/parameter/v1/entries/{entry_id}/revisions"


async def test_independent_review_keeps_the_author_from_checking_and_approving_the_own_value(frame: Frame) -> None:
    settings = frame.settings.model_copy(update={"independent_review": True})
    reviewed = await reviewed_of(replace(frame, settings=settings))
    _, id_ = await reviewed.revision()
    _, other = await reviewed.revision()
    ann, bob = reviewed.world.ann, reviewed.world.bob
    for status in ("checked", "approved"):
        refused = await ann.refused("UpdateRevisions", revisions=[update(other, "answered"), update(id_, status)])
        assert (refused.reason, id_ in refused.message) == ("PERMISSION_DENIED", True)
        assert await reviewed.records(id_, other) == []
    # To take one's own value back is no approval; and others may.
    await reviewed.review(ann, (id_, "rejected", "wrong drawing"))
    await reviewed.review(ann, (id_, "answered", None))
    for status in ("checked", "approved"):
        (judged,) = await reviewed.review(bob, (id_, status, None))
        assert judged["status"] == status


async def test_without_the_setting_the_author_may(reviewed: Reviewed) -> None:
    _, id_ = await reviewed.revision()
    (judged,) = await reviewed.review(reviewed.world.ann, (id_, "approved", None))
    assert judged["review"]["created_by"]["staff_name"] == "ann"


async def test_a_review_costs_the_same_statements_whatever_the_number_of_revisions(reviewed: Reviewed) -> None:
    made = [(await reviewed.revision())[1] for _ in range(6)]
    counts = []
    for ids in (made[:1], made[1:]):
        with counted_statements() as seen:
            await reviewed.review(reviewed.world.bob, *((id_, "checked", None) for id_ in ids))
        counts.append(len(seen))
    # One statement writes the events of one revision, a pipelined one those of several.
    assert counts[0] == counts[1]


# Record types and records.


async def test_the_record_types_are_loaded_once_and_beside_those_of_users(frame: Frame) -> None:
    from integration.services.data_world import world_of

    world = await world_of(frame)
    # An installation of an earlier release, whose Admin made a type of the name.
    await world.as_("ada", "qa").call("CreateRecordType", name="Checked")
    await world.as_("ada", "qa").call("CreateRecordType", name="Inspected")
    for _ in range(2):
        async with world.db.transaction() as tx:
            await catalogue.load_at_first_start(tx)
    rows = (await world.as_("ann", "qa").list("ListRecordTypes", sort_by="name"))["record_types"]
    assert [row["name"] for row in rows] == ["Answered", "Approved", "Checked", "Inspected", "Rejected", "Review"]
    async with world.db.transaction() as tx:
        assert await catalogue.load_catalogue(tx, announce=True) == [Loaded("record_type", 0, 5, 0)]
    assert [row["type"] for row in await events_of(world.db)] == ["qa.record_type.created"] * 2


async def test_a_record_is_read_alone_and_deleted_by_its_creator_and_admins(reviewed: Reviewed) -> None:
    _, id_ = await reviewed.revision()
    for name in ("bob", "ada"):
        await reviewed.review(reviewed.world.bob, (id_, "checked", None))
        record = (await reviewed.records(id_))[-1]
        key = {"record_id": record["id"]}
        assert (await reviewed.qa("ann").call("GetRecord", **key))["record"] == record
        assert (await reviewed.qa("ann").refused("DeleteRecord", **key)).reason == "PERMISSION_DENIED"
        deleted = (await reviewed.qa(name).call("DeleteRecord", **key))["record"]
        assert deleted["deleted_at"] is not None
        assert (await reviewed.qa(name).refused("GetRecord", **key)).reason == "NOT_FOUND"
        assert (await reviewed.qa(name).refused("DeleteRecord", **key)).reason == "NOT_FOUND"
        assert (await reviewed.qa("ann").call("GetRecord", show_deleted=True, **key))["record"] == deleted
        event = (await events_of(reviewed.world.db))[-1]
        assert (event["type"], event["subject"]) == ("qa.record.deleted", f"/qa/v2/records/{record['id']}")
    assert await reviewed.records(id_) == []
    assert (await reviewed.qa("bob").refused("GetRecord", record_id="x")).details["parameter"] == "record_id"


async def test_reviews_of_earlier_releases_show_what_is_known_of_them(frame: Frame) -> None:
    """The statement of the migration, on rows as those releases left them."""
    reviewed = await reviewed_of(frame)
    ids = {status: await reviewed.revision(f"comment of {status}") for status in STATUS}
    as_before = "UPDATE parameter.revision SET status = :status, updated_at = clock_timestamp() WHERE revision_id = :id"
    migration = (
        "UPDATE parameter.revision SET reviewed_at = updated_at, review_comment = CASE WHEN status = 'rejected' THEN comment END"
        " WHERE status <> 'answered'"
    )
    async with frame.db.transaction() as tx:
        for status, (_, id_) in ids.items():
            bound = sa.text(as_before).bindparams(
                sa.bindparam("status", type_=sa.Text), sa.bindparam("id", type_=queries.Id)
            )
            await tx.execute(Statement(bound), status=status, id=id_)
        await tx.execute(Statement(sa.text(migration)))
    for status, (entry_id, _) in ids.items():
        (shown,) = (await reviewed.world.ann.list("ListRevisions", entry_id=entry_id))["revisions"]
        if status == "answered":
            assert shown["review"] is None
            continue
        comment = "comment of rejected" if status == "rejected" else None
        expected = {"status": status, "comment": comment, "created_by": None, "created_at": shown["updated_at"]}
        assert shown["review"] == expected
