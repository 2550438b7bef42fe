"""Sources that a hidden project uses: their creator changes and deletes them no longer, and learns nothing of the project.

See guide/conventions.md, "Roles".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from copy import copy
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
import uuid_utils

from catenary.platform.v1 import role_pb2
from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources.resource import _used_unseen
from catenary_core.services.parameter.entries import queries as entry_queries
from catenary_core.services.reference.queries import SOURCE
from factories.database.many_parameters import fill, made_id
from factories.database.plans import nodes_of, plan_of
from factories.database.statement_counts import counted_statements
from factories.services.calls import Refusal, events_of
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, number, parameter_world_of

LOCK = " FOR KEY SHARE OF known_source"
_UNGUARDED = (
    "CREATE OR REPLACE VIEW parameter.source_use AS SELECT source_id, project_id FROM parameter.revision WHERE false"
)


async def status_of(call: Awaitable[Any]) -> str:
    """Return the status of a call, OK for success."""
    try:
        await call
    except CallError as error:
        return str(error.code().name)
    return "OK"


class InUse:
    """A source of bob's, and confidential projects of ann's that may use it."""

    def __init__(self, world: ParameterWorld) -> None:
        self.world = world
        self.kind: dict[str, Any] = {}
        self.source_id = ""

    async def prepare(self) -> None:
        """Make the source, and the type of the parameters."""
        self.kind = await self.world.parameter_type()
        self.source_id = await self.source("bob")

    async def source(self, name: str) -> str:
        """Make a person's source; return its id."""
        type_id = (await self.world.source())["source_type"]["id"]
        caller = self.world.world.as_(name, "reference")
        return str((await caller.call("CreateSource", title="Survey", source_type_id=type_id))["source"]["id"])

    async def parameter(self, *, confidential: bool = True) -> dict[str, str]:
        """Make a parameter of a new project of ann's; return their ids."""
        project_id = await self.world.project(confidential=confidential)
        made = await self.world.parameter(project_id, self.kind["id"])
        return {"project_id": project_id, "parameter_id": made["id"], "entry_id": str(uuid_utils.uuid7())}

    async def use(self, of: dict[str, str], source_id: str | None = None, value: float = 1.5) -> dict[str, Any]:
        """Give the parameter a value from a source, bob's unless another is given."""
        named = {name: of[name] for name in ("parameter_id", "entry_id")}
        return await self.world.put({**named, "source_id": source_id or self.source_id, "values": [number(value)]})

    def writes(self, source_id: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the changes and the deletion of a source."""
        return [
            ("UpdateSource", {"source_id": source_id, "title": "Other"}),
            ("UpdateSource", {"source_id": source_id, "reference_id": NOBODY}),
            ("UpdateSource", {"source_id": source_id}),
            ("DeleteSource", {"source_id": source_id}),
        ]

    async def refusals(self, name: str, source_id: str | None = None) -> list[Refusal]:
        """Return the refusals of all writes of a source by a person."""
        caller, id_ = self.world.world.as_(name, "reference"), source_id or self.source_id
        return [await caller.refused(method, **fields) for method, fields in self.writes(id_)]

    async def may_write(self, name: str) -> bool:
        """Return whether a person may change the source; the change is kept."""
        caller = self.world.world.as_(name, "reference")
        change = caller.call("UpdateSource", source_id=self.source_id, title=self.world.name("Survey"))
        return await status_of(change) == "OK"

    async def seen_by_bob(self) -> Any:
        """Return what bob reads of sources, single and listed, and the entity tag."""
        bob = self.world.world.as_("bob", "reference")
        get = {"source_id": self.source_id}
        return (
            await bob.call("GetSource", **get),
            (await bob.metadata("GetSource", **get)).get("etag"),
            await bob.list("ListSources"),
            await bob.list("ListSources", page_limit=10),
            await self.world.bob.call("ListParameters", source_id=[self.source_id]),
        )


@pytest.fixture
async def in_use(frame: Frame) -> InUse:
    made = InUse(await parameter_world_of(frame))
    await made.prepare()
    return made


async def test_a_source_that_a_hidden_project_uses_is_not_changed_or_deleted_by_its_creator(in_use: InUse) -> None:
    before = await in_use.seen_by_bob()
    hidden = await in_use.parameter()
    await in_use.use(hidden)
    events = len(await events_of(in_use.world.db))
    refused = await in_use.refusals("bob")
    assert {one.reason for one in refused} == {"PERMISSION_DENIED"}
    # The sentence names no project and no use, and nothing that bob reads has changed.
    assert {one.message for one in refused} == {
        "Only an Admin may change or delete this source by now; ask one, or create another."
    }
    assert hidden["project_id"] not in str(refused)
    assert await in_use.seen_by_bob() == before
    assert len(await events_of(in_use.world.db)) == events
    assert await in_use.may_write("ada")


async def test_without_the_rule_the_creator_changes_what_the_hidden_project_shows(in_use: InUse) -> None:
    """The guard of the test above."""
    hidden = await in_use.parameter()
    await in_use.use(hidden)
    async with in_use.world.db.transaction() as tx:
        await tx.execute(Statement(sa.text(_UNGUARDED)))
    assert await in_use.may_write("bob")
    bob = in_use.world.world.as_("bob", "reference")
    await bob.call("UpdateSource", source_id=in_use.source_id, title="Forged")
    await bob.call("DeleteSource", source_id=in_use.source_id)
    (entry,) = (await in_use.world.ann.list("ListEntries", parameter_id=[hidden["parameter_id"]]))["entries"]
    assert (entry["source"]["title"], entry["source"]["deleted_at"] is None) == ("Forged", False)


async def test_a_stranger_gets_the_same_refusal_whether_a_hidden_project_uses_the_source_or_not(in_use: InUse) -> None:
    """So whoever did not create a source learns nothing by trying to change it."""
    other = await in_use.source("ada")
    before = await in_use.refusals("bob", other)
    await in_use.use(await in_use.parameter(), other)
    assert await in_use.refusals("bob", other) == before
    assert {one.reason for one in before} == {"PERMISSION_DENIED"}


async def test_who_sees_the_project_changes_its_source(in_use: InUse) -> None:
    open_ = await in_use.parameter(confidential=False)
    await in_use.use(open_)
    assert await in_use.may_write("bob")
    # It becomes confidential later; then bob becomes a member of a linked project, and loses the role.
    environment, platform = (in_use.world.world.as_("ann", name) for name in ("environment", "platform"))
    await environment.call("UpdateProject", project_id=open_["project_id"], confidential=True)
    assert not await in_use.may_write("bob")
    link = {"name": "Linked", "environment_project_id": open_["project_id"]}
    project_id = (await platform.call("CreateProject", **link))["project"]["project_id"]
    member = {"project_id": project_id, "user_id": in_use.world.world.people["bob"].user_id}
    await platform.call("PutProjectMember", role=role_pb2.ROLE_VIEWER, **member)
    assert await in_use.may_write("bob")
    await platform.call("DeleteProjectMember", **member)
    assert not await in_use.may_write("bob")
    # One project that bob sees beside it does not make up for the hidden one.
    await in_use.use(await in_use.parameter(confidential=False))
    assert not await in_use.may_write("bob")


async def test_earlier_revisions_and_deleted_values_use_a_source_too(in_use: InUse) -> None:
    """Lists of revisions and of deleted rows go on showing it."""
    hidden = await in_use.parameter()
    await in_use.use(hidden)
    await in_use.use(hidden, await in_use.source("ann"))
    assert not await in_use.may_write("bob")
    await in_use.world.ann.call("DeleteEntry", entry_id=hidden["entry_id"])
    assert not await in_use.may_write("bob")
    await in_use.world.ann.call("DeleteParameter", parameter_id=hidden["parameter_id"])
    assert not await in_use.may_write("bob")
    ada = in_use.world.world.as_("ada", "environment")
    await ada.call("DeleteProject", project_id=hidden["project_id"])
    assert not await in_use.may_write("bob")


async def test_a_value_that_was_refused_uses_no_source(in_use: InUse) -> None:
    hidden = await in_use.parameter()
    item = {"parameter_id": hidden["parameter_id"], "entry_id": hidden["entry_id"], "source_id": in_use.source_id}
    await in_use.world.ann.refused("PutEntries", entries=[{**item, "values": [{"value": {"string_value": "x"}}]}])
    assert await in_use.may_write("bob")


async def test_a_new_parameter_with_a_value_uses_its_source(in_use: InUse) -> None:
    entries = [{"source_id": in_use.source_id, "values": [number(2.5)]}]
    await in_use.world.parameter(await in_use.world.project(confidential=True), in_use.kind["id"], entries=entries)
    assert not await in_use.may_write("bob")


async def test_the_look_costs_one_statement_whether_the_source_is_used_or_not(in_use: InUse) -> None:
    bob, counts = in_use.world.world.as_("bob", "reference"), []
    for project in (None, False, True):
        if project is not None:
            await in_use.use(await in_use.parameter(confidential=project))
        with counted_statements() as seen:
            await bob.refused("UpdateSource", source_id=in_use.source_id, source_type_id=NOBODY)
        counts.append([sum("source_use" in sql for sql in seen)])
    assert counts == [[1], [1], [1]]


# A use and a change at the same moment.


@asynccontextmanager
async def held(
    monkeypatch: pytest.MonkeyPatch, after: Callable[[Statement], bool]
) -> AsyncIterator[tuple[asyncio.Event, asyncio.Event]]:
    """Hold the first transaction that has run a statement; yield the events that it has, and that it may go on."""
    reached, going, run = asyncio.Event(), asyncio.Event(), Transaction._run

    async def holding(self: Transaction, statement: Statement, given: Any) -> Any:
        rows = await run(self, statement, given)
        if after(statement) and not reached.is_set():
            reached.set()
            await going.wait()
        return rows

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "_run", holding)
        try:
            yield reached, going
        finally:
            going.set()


async def _waits_or_ends(in_use: InUse, task: asyncio.Task[Any]) -> None:
    """Return when the task's transaction waits for another one, or the task has ended."""
    waiting = (
        "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    async with asyncio.timeout(30):
        while not task.done():
            async with in_use.world.db.read() as tx:
                if (await tx.one(Statement(sa.text(waiting))))["n"]:
                    return
            await asyncio.sleep(0.02)


async def _raced(
    in_use: InUse,
    monkeypatch: pytest.MonkeyPatch,
    after: Callable[[Statement], bool],
    first: Callable[[], Awaitable[Any]],
    second: Callable[[], Awaitable[Any]],
) -> list[str]:
    """Run the second while the transaction of the first is open; return the status of each, OK for success."""
    async with held(monkeypatch, after) as (reached, going):
        one = asyncio.create_task(status_of(first()))
        await asyncio.wait_for(reached.wait(), 30)
        two = asyncio.create_task(status_of(second()))
        await _waits_or_ends(in_use, two)
        going.set()
        return [await one, await two]


def _unlocked() -> Statement:
    """Return the statement of puts without the lock of sources."""
    statement = copy(entry_queries.PUT)
    assert statement.sql.count(LOCK) == 1
    statement.sql = statement.sql.replace(LOCK, "")
    return statement


GUARDS = [pytest.param(True, id="guarded"), pytest.param(False, id="unguarded")]


@pytest.mark.parametrize("guarded", GUARDS)
async def test_a_change_at_the_moment_of_a_first_use_waits_for_it_and_is_refused(
    in_use: InUse, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    hidden, bob = await in_use.parameter(), in_use.world.world.as_("bob", "reference")
    if not guarded:
        monkeypatch.setattr(entry_queries, "PUT", _unlocked())
    put = entry_queries.PUT
    results = await _raced(
        in_use,
        monkeypatch,
        lambda statement: statement is put,
        lambda: in_use.use(hidden),
        lambda: bob.call("DeleteSource", source_id=in_use.source_id),
    )
    assert results == (["OK", "PERMISSION_DENIED"] if guarded else ["OK", "OK"])
    ada = in_use.world.world.as_("ada", "reference")
    deleted = (await ada.call("GetSource", source_id=in_use.source_id, show_deleted=True))["source"]["deleted_at"]
    assert (deleted is None) == guarded


@pytest.mark.parametrize("guarded", GUARDS)
async def test_a_first_use_at_the_moment_of_a_deletion_waits_for_it_and_is_refused(
    in_use: InUse, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    hidden, bob = await in_use.parameter(), in_use.world.world.as_("bob", "reference")
    if not guarded:
        monkeypatch.setattr(entry_queries, "PUT", _unlocked())
    results = await _raced(
        in_use,
        monkeypatch,
        lambda statement: "source_use" in statement.sql,
        lambda: bob.call("DeleteSource", source_id=in_use.source_id),
        lambda: in_use.use(hidden),
    )
    assert results == (["OK", "INVALID_ARGUMENT"] if guarded else ["OK", "OK"])


async def test_a_first_use_at_the_moment_of_a_change_shows_the_source_as_it_is_then(
    in_use: InUse, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden, bob = await in_use.parameter(), in_use.world.world.as_("bob", "reference")
    shown: list[dict[str, Any]] = []

    async def use() -> None:
        shown.append(await in_use.use(hidden))

    results = await _raced(
        in_use,
        monkeypatch,
        lambda statement: "source_use" in statement.sql,
        lambda: bob.call("UpdateSource", source_id=in_use.source_id, title="Changed before"),
        use,
    )
    assert results == ["OK", "OK"]
    assert shown[0]["source"]["title"] == "Changed before"


async def test_puts_of_one_source_never_wait_for_each_other(in_use: InUse, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = await in_use.parameter(), await in_use.parameter()
    async with held(monkeypatch, lambda statement: statement is entry_queries.PUT) as (reached, going):
        first = asyncio.create_task(in_use.use(one))
        await asyncio.wait_for(reached.wait(), 30)
        await asyncio.wait_for(in_use.use(other), 30)
        assert not first.done()
        going.set()
        await first


@pytest.mark.slow
async def test_the_look_is_read_by_an_index_whoever_uses_the_source(frame: Frame, dsn: str) -> None:
    """One source stands in half of 60,000 revisions, and every tenth project is hidden and does not use it."""
    fill(dsn, 40_000)
    popular = made_id("8003", 7)
    changes = (
        "UPDATE environment.project SET confidential = right(project_number, 1) = '0'",
        f"""UPDATE parameter.revision r SET source_id = '{popular}' FROM environment.project p
             WHERE p.project_id = r.project_id AND NOT p.confidential AND right(r.revision_id::text, 1) < '8'""",
        f"""UPDATE parameter.revision r SET source_id = '{made_id("8003", 8)}' FROM environment.project p
             WHERE p.project_id = r.project_id AND p.confidential AND r.source_id = '{popular}'""",
        "VACUUM ANALYZE",
    )
    with psycopg.connect(dsn, autocommit=True) as connection:
        for change in changes:
            connection.execute(change.encode())
        given = {"id": popular, "viewer_id": NOBODY, "viewer_admin": False}
        plan = plan_of(connection, _used_unseen(SOURCE), given)
    reads = [node for node in nodes_of(plan) if node.get("Relation Name") == "revision"]
    assert reads
    for node in reads:
        assert node.get("Index Name") == "revision_source_id_project_id_idx", node
        # Found or thrown away: all that is looked at.
        looked_at = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        assert looked_at * node["Actual Loops"] < 10, node
