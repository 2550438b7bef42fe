"""Rows with a `reference_id`: to which project it ties them, and who sees them."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
import uuid_utils

from catenary.platform.v1 import role_pb2
from catenary_core.access import references
from catenary_core.database.columns import TIES, Id
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.services.evaluations.points import ids as point_ids
from catenary_core.services.metadata import links, queries
from factories.database.statement_counts import counted_statements
from factories.services.calls import Caller, events_of
from integration.services.data_world import NOBODY, URL
from integration.services.parameter_world import ParameterWorld, number, parameter_world_of

_EVALUATION = Statement(
    sa.text(
        "INSERT INTO evaluations.evaluation (evaluation_id, project_id, status, model_version_id, parameters, created_by) "
        "VALUES (:id, :project_id, 'queued', :id, '{}', :id)"
    ).bindparams(*(sa.bindparam(name, type_=Id) for name in ("id", "project_id")))
)
_BATCH = Statement(
    sa.text(
        "INSERT INTO evaluations.batch (batch_id, project_id, status, model_version_id, total, queued, created_by) "
        "VALUES (:id, :project_id, 'queued', :id, 1, 1, :id)"
    ).bindparams(*(sa.bindparam(name, type_=Id) for name in ("id", "project_id")))
)
_VARIANT = Statement(
    sa.text(
        "INSERT INTO variants.variant (variant_id, project_id, name, note, evaluation_id, model_version_id, created_by) "
        "VALUES (:id, :project_id, 'A', '', :id, :id, :id)"
    ).bindparams(*(sa.bindparam(name, type_=Id) for name in ("id", "project_id")))
)


class Tied:
    """A confidential project of ann's with what may be referred to, and each kind of row that refers to something."""

    def __init__(self, world: ParameterWorld) -> None:
        self.world = world
        self.ids: dict[str, str] = {}
        self.platform_ids: dict[str, str] = {}
        self.types: dict[str, str] = {}

    def as_(self, name: str, service: str) -> Caller:
        """Return a person that calls a service."""
        return self.world.world.as_(name, service)

    async def prepare(self) -> None:
        """Make what references name, and the types that the rows need."""
        world = self.world
        project_id = await world.project(confidential=True)
        asset = await world.asset(project_id, (await world.asset_type())["id"])
        source = await world.source()
        entry = {"source_id": source["id"], "values": [number(24.5)]}
        parameter_type = await world.parameter_type()
        parameter = await world.parameter(project_id, parameter_type["id"], parent_ids=[asset["id"]], entries=[entry])
        tag_type = (await self.as_("ada", "metadata").call("CreateTagType", name="Kind", allow_custom=True))["tag_type"]
        self.types["tag"] = tag_type["id"]
        tag = {"name": "Core", "tag_type_id": tag_type["id"]}
        self.types["global tag"] = (await self.as_("ada", "metadata").call("CreateTag", **tag))["tag"]["id"]
        self.types["source"] = source["source_type"]["id"]
        records = (await self.as_("ann", "qa").list("ListRecordTypes"))["record_types"]
        self.types["record"] = records[0]["id"]
        selected = parameter["selected_entry"]
        self.ids = {
            "project": project_id,
            "asset": asset["id"],
            "parameter": parameter["id"],
            "entry": selected["entry_id"],
            "revision": selected["revision_id"],
            "tag": (await self.as_("ann", "metadata").call("CreateTag", **tag, tag_scope=project_id))["tag"]["id"],
        }
        own = (await self.as_("ann", "platform").call("CreateProject", name="Own"))["project"]["project_id"]
        self.platform_ids = {"project": own, "evaluation": str(uuid_utils.uuid7())}
        batch_id = str(uuid_utils.uuid7())
        points = {
            "first point": point_ids.evaluation_id(batch_id, 0),
            "last point": point_ids.evaluation_id(batch_id, 99_999),
        }
        self.platform_ids |= {"batch": batch_id, **points, "variant": str(uuid_utils.uuid7())}
        async with world.db.transaction() as tx:
            await tx.execute(_BATCH, id=batch_id, project_id=own)
            await tx.execute(_EVALUATION, id=self.platform_ids["evaluation"], project_id=own)
            await tx.execute(_VARIANT, id=self.platform_ids["variant"], project_id=own)

    async def make(self, kind: str, reference_id: str, name: str = "ann") -> str:
        """Make a row of a kind that refers to an id; return the row's id, of a link the reference."""
        reference = {"reference_id": reference_id, "reference_table": "any", "reference_url": URL}
        if kind == "comment":
            made = await self.as_(name, "comments").call("CreateComments", comments=[{**reference, "content": "Seen"}])
            return str(made["comments"][0]["id"])
        if kind == "record":
            record = {**reference, "type_id": self.types["record"]}
            return str((await self.as_(name, "qa").call("CreateRecords", records=[record]))["records"][0]["id"])
        if kind == "source":
            fields = {**reference, "title": "Survey", "source_type_id": self.types["source"]}
            return str((await self.as_(name, "reference").call("CreateSource", **fields))["source"]["id"])
        link = {**reference, "tag_id": self.types["global tag"]}
        made = await self.as_(name, "metadata").call("PutTagLinks", tag_links=[link])
        return str(made["tag_links"][0]["reference_id"])

    async def sees(self, name: str, kind: str, id_: str) -> bool:
        """Return whether a person finds a row in each list and count, and singly."""
        found = []
        service, method, key = {
            "comment": ("comments", "ListComments", "comments"),
            "record": ("qa", "ListRecords", "records"),
            "source": ("reference", "ListSources", "sources"),
            "link": ("metadata", "ListTagLinks", "tag_links"),
        }[kind]
        caller = self.as_(name, service)
        if kind == "link":
            of_tag = {"tag_id": self.types["global tag"]}
            page = await caller.call(method, page_limit=1000, **of_tag)
            found.append(any(row["reference_id"] == id_ for row in page[key]))
        else:
            rows = (await caller.list(method))[key]
            page = await caller.list(method, page_limit=1000)
            found.append(any(row["id"] == id_ for row in rows))
            found.append(any(row["id"] == id_ for row in page[key]))
        assert page["summary"]["estimate_count"] == len(page[key])
        single: dict[str, tuple[str, dict[str, str]]] = {
            "comment": ("GetComment", {"comment_id": id_}),
            "record": ("GetRecord", {"record_id": id_}),
            "source": ("GetSource", {"source_id": id_}),
            "link": ("GetTagLink", {"tag_id": self.types["global tag"], "reference_id": id_}),
        }
        get, fields = single[kind]
        if found[0]:
            await caller.call(get, **fields)
        else:
            for query in ({}, {"show_deleted": True}):
                assert (await caller.refused(get, **fields, **query)).reason == "NOT_FOUND"
        assert len(set(found)) == 1, (kind, found)
        return found[0]

    def writes(self, kind: str, id_: str) -> list[tuple[str, str, dict[str, Any]]]:
        """Return the changes and deletions of a row, each as service, method and request."""
        link = {"tag_id": self.types["global tag"], "reference_id": id_}
        return {
            "comment": [
                ("comments", "UpdateComment", {"comment_id": id_, "content": "Stolen"}),
                ("comments", "DeleteComment", {"comment_id": id_}),
            ],
            "record": [("qa", "DeleteRecord", {"record_id": id_})],
            "source": [
                ("reference", "UpdateSource", {"source_id": id_, "title": "Stolen"}),
                ("reference", "DeleteSource", {"source_id": id_}),
            ],
            "link": [
                ("metadata", "UpdateTagLink", {**link, "reference_table": "stolen"}),
                ("metadata", "DeleteTagLink", link),
            ],
        }[kind]


KINDS = ("comment", "record", "source", "link")


@pytest.fixture
async def tied(frame: Frame) -> Tied:
    made = Tied(await parameter_world_of(frame))
    await made.prepare()
    return made


@pytest.mark.parametrize("kind", KINDS)
async def test_a_row_that_refers_to_something_of_a_project_is_seen_by_those_who_see_the_project(
    tied: Tied, kind: str
) -> None:
    for of, reference_id in tied.ids.items():
        id_ = await tied.make(kind, reference_id)
        seen = [await tied.sees(name, kind, id_) for name in ("ann", "bob", "ada")]
        assert seen == [True, False, True], of
    # A member of a linked project sees the project, and so the row.
    link = {"name": "Linked", "environment_project_id": tied.ids["project"]}
    linked = (await tied.as_("ann", "platform").call("CreateProject", **link))["project"]
    member = {"project_id": linked["project_id"], "user_id": tied.world.world.people["bob"].user_id}
    await tied.as_("ann", "platform").call("PutProjectMember", role=role_pb2.ROLE_VIEWER, **member)
    assert await tied.sees("bob", kind, id_)
    # So does everybody when the project is no longer confidential.
    await tied.as_("ann", "platform").call("DeleteProjectMember", **member)
    assert not await tied.sees("bob", kind, id_)
    await tied.as_("ann", "environment").call("UpdateProject", project_id=tied.ids["project"], confidential=False)
    assert await tied.sees("bob", kind, id_)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_row_that_refers_to_something_of_the_platform_is_seen_by_the_members(tied: Tied, kind: str) -> None:
    for of, reference_id in tied.platform_ids.items():
        id_ = await tied.make(kind, reference_id)
        seen = [await tied.sees(name, kind, id_) for name in ("ann", "bob", "ada")]
        assert seen == [True, False, True], of
    member = {"project_id": tied.platform_ids["project"], "user_id": tied.world.world.people["bob"].user_id}
    await tied.as_("ann", "platform").call("PutProjectMember", role=role_pb2.ROLE_VIEWER, **member)
    assert await tied.sees("bob", kind, id_)


async def test_unless_points_are_looked_up_everybody_reads_a_comment_on_one(
    tied: Tied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""
    found = references._named("evaluations", "project_id").subquery("found")
    without = sa.select(found.c.id, *(found.c[name] for name in TIES)).where(references.visible_reference(found))
    monkeypatch.setattr(references, "_TIED", Statement(without))
    for of in ("batch", "first point"):
        assert await tied.sees("bob", "comment", await tied.make("comment", tied.platform_ids[of]))


async def test_a_batch_is_found_by_the_ids_of_its_points_alone(tied: Tied) -> None:
    """The ids beside those of its points are of no batch, so they say nothing of its project."""
    lowest, highest = point_ids.ids_of(tied.platform_ids["batch"]).values()
    for edge, step in ((lowest, -1), (highest, 1)):
        reference_id = str(uuid_utils.UUID(int=uuid_utils.UUID(edge).int + step))
        assert await tied.sees("bob", "comment", await tied.make("comment", reference_id))


@pytest.mark.parametrize("kind", KINDS)
async def test_any_other_reference_is_seen_by_every_user(tied: Tied, kind: str) -> None:
    """So is one to what its writer may not see: whose an id is stays unknown."""
    for reference_id in (NOBODY, str(uuid_utils.uuid7()), *tied.ids.values(), *tied.platform_ids.values()):
        id_ = await tied.make(kind, reference_id, "bob")
        assert await tied.sees("bob", kind, id_)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_row_that_may_not_be_seen_is_changed_and_deleted_as_one_that_is_not_there(
    tied: Tied, kind: str
) -> None:
    for reference_id in (tied.ids["asset"], tied.platform_ids["project"]):
        id_ = await tied.make(kind, reference_id)
        before = len(await events_of(tied.world.db))
        for service, method, fields in tied.writes(kind, id_):
            refused = await tied.as_("bob", service).refused(method, **fields)
            unknown = {name: NOBODY if value == id_ else value for name, value in fields.items()}
            assert refused == await tied.as_("bob", service).refused(method, **unknown)
            assert refused.reason == "NOT_FOUND"
        assert len(await events_of(tied.world.db)) == before
        for service, method, fields in tied.writes(kind, id_):
            await tied.as_("ann", service).call(method, **fields)


async def test_a_link_that_may_not_be_seen_is_neither_shown_nor_overwritten_by_a_put(tied: Tied) -> None:
    await tied.make("link", tied.ids["asset"])
    link = {"tag_id": tied.types["global tag"], "reference_id": tied.ids["asset"]}
    stolen = {**link, "reference_table": "stolen", "reference_url": "https://example.com/stolen"}
    refused = await tied.as_("bob", "metadata").refused("PutTagLinks", tag_links=[stolen])
    assert (refused.reason, URL in str(refused)) == ("CONFLICT", False)
    kept = (await tied.as_("ann", "metadata").call("GetTagLink", **link))["tag_link"]
    assert (kept["reference_table"], kept["reference_url"]) == ("any", URL)


async def _links_put_by_a_stranger_first(tied: Tied) -> list[bool]:
    """Let bob link what he doesn't see, then let ann put the same links; return whether bob sees each then."""
    seen = []
    for id_ in (tied.ids["asset"], tied.platform_ids["evaluation"]):
        await tied.make("link", id_, "bob")
        await tied.make("link", id_, "ann")
        seen.append(await tied.sees("bob", "link", id_))
        assert await tied.sees("ann", "link", id_)
    return seen


async def test_a_stranger_who_puts_a_link_first_does_not_keep_it_from_being_tied(tied: Tied) -> None:
    assert await _links_put_by_a_stranger_first(tied) == [False, False]
    ties = "SELECT environment_project_id, project_id FROM events.event WHERE type = 'metadata.tag_link.updated'"
    async with tied.world.db.read() as tx:
        rows = await tx.all(Statement(sa.text(ties + " ORDER BY number")))
    assert rows == [
        {"environment_project_id": tied.ids["project"], "project_id": None},
        {"environment_project_id": None, "project_id": tied.platform_ids["project"]},
    ]


async def test_without_a_comparison_of_ties_a_strangers_link_stays_open(
    tied: Tied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""
    monkeypatch.setattr(links, "_COMPARED", links._CONTENT)
    assert await _links_put_by_a_stranger_first(tied) == [True, True]


async def test_the_projects_of_links_are_read_for_the_put_links_alone(
    tied: Tied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links of other pairs of the same tags and references cost nothing."""
    await tied.make("link", tied.ids["asset"])
    tags = [tied.types["global tag"], tied.ids["tag"]]
    references = [str(uuid_utils.uuid7()) for _ in range(2)]
    ann, url = tied.as_("ann", "metadata"), {"reference_table": "any", "reference_url": URL}
    every = [{"tag_id": tag, "reference_id": id_, **url} for tag in tags for id_ in references]
    await ann.call("PutTagLinks", tag_links=every)
    read: list[Any] = []
    all_rows = Transaction.all

    async def noted(self: Transaction, statement: Statement, /, **given: Any) -> list[Row]:
        rows = await all_rows(self, statement, **given)
        if statement is queries.PROJECTS_OF_LINKS:
            read.extend((str(row["tag_id"]), str(row["reference_id"])) for row in rows)
        return rows

    monkeypatch.setattr(Transaction, "all", noted)
    diagonal = [every[0], every[3]]
    await ann.call("PutTagLinks", tag_links=[{**link, "reference_table": "other"} for link in diagonal])
    assert sorted(read) == sorted((link["tag_id"], link["reference_id"]) for link in diagonal)


async def test_the_events_of_a_tied_row_belong_to_its_project(tied: Tied) -> None:
    environment = Statement(
        sa.text("SELECT type, project_id, environment_project_id FROM events.event ORDER BY number")
    )
    for kind in KINDS:
        for ids, own in (
            (tied.ids, (None, tied.ids["project"])),
            (tied.platform_ids, (tied.platform_ids["project"], None)),
        ):
            async with tied.world.db.read() as tx:
                before = len(await tx.all(environment))
            id_ = await tied.make(kind, list(ids.values())[-1])
            for service, method, fields in tied.writes(kind, id_):
                await tied.as_("ann", service).call(method, **fields)
            async with tied.world.db.read() as tx:
                events = (await tx.all(environment))[before:]
            assert len(events) == 1 + len(tied.writes(kind, id_))
            assert {(row["project_id"], row["environment_project_id"]) for row in events} == {own}, kind


async def test_an_event_of_a_tag_link_is_told_to_those_who_see_a_confidential_one_of_its_two_projects(
    tied: Tied,
) -> None:
    open_project = await tied.world.project()
    link = {"reference_table": "any", "reference_url": URL, "tag_id": tied.ids["tag"], "reference_id": open_project}
    await tied.as_("ann", "metadata").call("PutTagLinks", tag_links=[link])
    found = Statement(
        sa.text("SELECT environment_project_id FROM events.event WHERE type = 'metadata.tag_link.created'")
    )
    async with tied.world.db.read() as tx:
        rows = await tx.all(found)
    assert [row["environment_project_id"] for row in rows] == [tied.ids["project"]]


async def test_a_source_goes_with_the_reference_that_a_change_gives_it(tied: Tied) -> None:
    ann, id_ = tied.as_("ann", "reference"), await tied.make("source", NOBODY)
    assert await tied.sees("bob", "source", id_)
    await ann.call("UpdateSource", source_id=id_, title="Same reference")
    await ann.call("UpdateSource", source_id=id_, reference_id=tied.ids["entry"])
    assert not await tied.sees("bob", "source", id_)
    await ann.call("UpdateSource", source_id=id_, title="Renamed")
    assert not await tied.sees("bob", "source", id_)
    await ann.call("UpdateSource", source_id=id_, update_mask={"paths": ["reference_id"]})
    assert await tied.sees("bob", "source", id_)


async def test_a_source_that_may_not_be_seen_is_no_source_for_a_value(tied: Tied) -> None:
    """An entry that has the source goes on showing the source."""
    hidden = await tied.make("source", tied.ids["asset"])
    kind = await tied.world.parameter_type()
    item = {"project_id": await tied.world.project(), "parameter_type_id": kind["id"]}
    entries = [{"source_id": hidden, "values": [number(1.5)]}]
    refused = await tied.world.bob.refused("CreateParameters", parameters=[{**item, "entries": entries}])
    unknown = [{"source_id": NOBODY, "values": [number(1.5)]}]
    assert refused.reason == "VALIDATION_ERROR"
    assert (
        refused.message
        == (await tied.world.bob.refused("CreateParameters", parameters=[{**item, "entries": unknown}])).message
    )
    made = (await tied.world.ann.call("CreateParameters", parameters=[{**item, "entries": entries}]))["parameters"][0]
    assert made["selected_entry"]["source"]["id"] == hidden


async def test_the_look_up_of_references_costs_one_statement_for_all(tied: Tied) -> None:
    counts = []
    named = [*tied.ids.values(), *tied.platform_ids.values(), NOBODY]
    for ids in (named[:1], named):
        comments = [
            {"reference_id": id_, "reference_table": "any", "reference_url": URL, "content": "Seen"} for id_ in ids
        ]
        with counted_statements() as seen:
            await tied.as_("ann", "comments").call("CreateComments", comments=comments)
        counts.append(len(seen))
    assert counts[0] == counts[1]
