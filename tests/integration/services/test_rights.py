"""Who may write what belongs to a project that is linked to projects of the platform, who may link it, and whose a source is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa

from catenary.parameter.v1 import entry_pb2
from catenary.platform.v1 import role_pb2
from catenary_core.access import rights
from catenary_core.call.call import Call
from catenary_core.call.errors import CallError
from catenary_core.database.columns import Id
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.services.parameter import locks
from catenary_core.services.projects import queries
from factories.database.lock_waits import until_waiting
from factories.database.statement_counts import counted_statements
from factories.services.calls import Caller, Refusal, events_of, refusal_of
from factories.services.people import add_team, add_user
from integration.services.data_world import NOBODY
from integration.services.parameter_world import ParameterWorld, number, parameter_world_of

_UNLINK = Statement(
    sa.text("UPDATE projects.project SET environment_project_id = NULL WHERE project_id = :id").bindparams(
        sa.bindparam("id", type_=Id)
    )
)
_UNLOCKED = Statement(
    sa.text(
        "SELECT project_id, environment_project_id FROM projects.project WHERE project_id = :project_id"
    ).bindparams(sa.bindparam("project_id", type_=Id))
)
WAIT_SECONDS = 30
ROLES = {"viewer": role_pb2.ROLE_VIEWER, "evaluator": role_pb2.ROLE_EVALUATOR, "editor": role_pb2.ROLE_EDITOR}
STRANGER = "bob"
CHECKED = entry_pb2.REVISION_STATUS_CHECKED


@dataclass
class KeptProject:
    """A project of ann's, linked to a project of the platform where each role has a user of its name."""

    world: ParameterWorld
    id: str
    platform_id: str
    asset_type: str
    parameter_type: str
    set_type: str
    source: str

    def as_(self, name: str, service: str = "parameter") -> Caller:
        """Return a person that calls a service."""
        return self.world.world.as_(name, service)

    async def asset(self) -> str:
        """Make an asset as the Admin; return its id."""
        item = {"project_id": self.id, "asset_type_id": self.asset_type, "name": self.world.name("Asset")}
        return str((await self.world.one("CreateAssets", "assets", **item))["id"])

    async def parameter(self) -> dict[str, Any]:
        """Make a parameter with an entry as the Admin."""
        item = {
            "project_id": self.id,
            "parameter_type_id": self.parameter_type,
            "parent_ids": [await self.asset()],
            "entries": [{"source_id": self.source, "values": [number(24.5)]}],
        }
        return await self.world.one("CreateParameters", "parameters", **item)

    async def set(self) -> str:
        """Make a parameter set as the Admin; return its id."""
        fields = {"name": "Set", "parameter_set_type_id": self.set_type, "project_id": self.id}
        made = await self.world.ada.call("CreateParameterSet", asset_id=await self.asset(), **fields)
        return str(made["parameter_set"]["id"])


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


@pytest.fixture
async def kept(world: ParameterWorld) -> KeptProject:
    return await linked_project(world)


async def linked_project(world: ParameterWorld, **fields: Any) -> KeptProject:
    """Make a project as ann and link it to one whose members are the users of the roles."""
    project_id = await world.project(**fields)
    platform = world.world.as_("ann", "platform")
    linked = (await platform.call("CreateProject", name="Bridge", environment_project_id=project_id))["project"]
    for name, role in ROLES.items():
        if name not in world.world.people:
            world.world.people[name] = await add_user(world.db, name)
        user_id = world.world.people[name].user_id
        await platform.call("PutProjectMember", project_id=linked["project_id"], user_id=user_id, role=role)
    asset_type, parameter_type = await world.asset_type(), await world.parameter_type()
    item = {"parameter_type_id": parameter_type["id"], "asset_type_id": asset_type["id"]}
    item_type = await world.one("CreateItemTypes", "item_types", **item)
    category = await world.ada.call("CreateParameterSetCategory", name=world.name("Category"))
    set_type = await world.ada.call(
        "CreateParameterSetType",
        name=world.name("Set type"),
        parameter_set_category_id=category["parameter_set_category"]["id"],
        item_type_ids=[item_type["id"]],
    )
    return KeptProject(
        world,
        project_id,
        linked["project_id"],
        asset_type["id"],
        parameter_type["id"],
        set_type["parameter_set_type"]["id"],
        (await world.source())["id"],
    )


Write = Callable[[KeptProject], Awaitable[tuple[str, str, dict[str, Any]]]]
"""Makes what a write needs, and returns the write's service, method and request."""


async def _rename_project(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "environment", "UpdateProject", {"project_id": kept.id, "short_title": kept.world.name("Title")}


async def _say_nothing_of_project(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "environment", "UpdateProject", {"project_id": kept.id}


async def _create_asset(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    item = {"project_id": kept.id, "asset_type_id": kept.asset_type, "name": "Slab"}
    return "parameter", "CreateAssets", {"assets": [item]}


async def _rename_asset(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "parameter", "UpdateAsset", {"asset_id": await kept.asset(), "name": "Wall"}


async def _move_asset(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "parameter", "UpdateAsset", {"asset_id": await kept.asset(), "parent_id": await kept.asset()}


async def _delete_asset(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "parameter", "DeleteAsset", {"asset_id": await kept.asset()}


async def _create_parameter(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    item = {"project_id": kept.id, "parameter_type_id": kept.parameter_type, "parent_ids": [await kept.asset()]}
    return "parameter", "CreateParameters", {"parameters": [item]}


async def _move_parameter(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    made = await kept.parameter()
    return "parameter", "UpdateParameter", {"parameter_id": made["id"], "parent_ids": [await kept.asset()]}


async def _delete_parameter(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "parameter", "DeleteParameter", {"parameter_id": (await kept.parameter())["id"]}


async def _delete_entry(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "parameter", "DeleteEntry", {"entry_id": (await kept.parameter())["selected_entry"]["entry_id"]}


async def _create_set(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    fields = {"parameter_set_type_id": kept.set_type, "project_id": kept.id, "asset_id": await kept.asset()}
    return "parameter", "CreateParameterSet", {"name": "Set", **fields}


async def _delete_set(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "parameter", "DeleteParameterSet", {"parameter_set_id": await kept.set()}


def entry_of(kept: KeptProject, parameter: dict[str, Any], value: float) -> dict[str, Any]:
    return {
        "entry_id": parameter["selected_entry"]["entry_id"],
        "parameter_id": parameter["id"],
        "source_id": kept.source,
        "values": [number(value)],
    }


async def _put_value(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    return "parameter", "PutEntries", {"entries": [entry_of(kept, await kept.parameter(), 25.5)]}


async def _post_value(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    made = await kept.parameter()
    entry = entry_of(kept, made, 26.5)
    del entry["parameter_id"]
    item = {
        "project_id": kept.id,
        "parameter_type_id": kept.parameter_type,
        "parent_ids": [parent["id"] for parent in made["parents"]],
        "entries": [entry],
    }
    return "parameter", "CreateParameters", {"parameters": [item]}


async def _review(kept: KeptProject) -> tuple[str, str, dict[str, Any]]:
    revision_id = (await kept.parameter())["selected_entry"]["revision_id"]
    return "parameter", "UpdateRevisions", {"revisions": [{"revision_id": revision_id, "status": CHECKED}]}


CONTENT_WRITES: tuple[Write, ...] = (
    _rename_project,
    _say_nothing_of_project,
    _create_asset,
    _rename_asset,
    _move_asset,
    _delete_asset,
    _create_parameter,
    _move_parameter,
    _delete_parameter,
    _delete_entry,
    _create_set,
    _delete_set,
)
VALUE_WRITES: tuple[Write, ...] = (_put_value, _post_value, _review)


async def _refusal(kept: KeptProject, write: Write, name: str) -> Refusal:
    """Return the refusal of a write and check that no event is left behind."""
    service, method, fields = await write(kept)
    before = len(await events_of(kept.world.db))
    refused = await kept.as_(name, service).refused(method, **fields)
    assert len(await events_of(kept.world.db)) == before, (method, name)
    return refused


async def _done(kept: KeptProject, write: Write, name: str) -> None:
    service, method, fields = await write(kept)
    await kept.as_(name, service).call(method, **fields)


async def test_the_content_of_a_linked_project_is_written_by_editors_of_a_linked_project_and_admins(
    kept: KeptProject,
) -> None:
    for write in CONTENT_WRITES:
        for name in (STRANGER, "viewer", "evaluator"):
            refused = await _refusal(kept, write, name)
            assert refused.reason == "PERMISSION_DENIED", (write, name)
            assert "the role editor in one of them" in refused.message
        for name in ("editor", "ann", "ada"):
            await _done(kept, write, name)


async def test_values_and_reviews_of_a_linked_project_are_its_evaluators_too(kept: KeptProject) -> None:
    for write in VALUE_WRITES:
        for name in (STRANGER, "viewer"):
            refused = await _refusal(kept, write, name)
            assert refused.reason == "PERMISSION_DENIED", (write, name)
            assert "the role evaluator in one of them" in refused.message
        for name in ("evaluator", "editor", "ann", "ada"):
            await _done(kept, write, name)


async def test_the_creator_without_a_role_writes_a_linked_project_no_more(kept: KeptProject) -> None:
    """The members decide about members; a creator is one of them or none."""
    platform, people = kept.as_("ann", "platform"), kept.world.world.people
    owner = {"project_id": kept.platform_id, "user_id": people["editor"].user_id, "role": role_pb2.ROLE_OWNER}
    await platform.call("PutProjectMember", **owner)
    taken_over = {"project_id": kept.platform_id, "owner_user_id": people["editor"].user_id}
    await kept.as_("editor", "platform").call("UpdateProject", **taken_over)
    await platform.call("DeleteProjectMember", project_id=kept.platform_id, user_id=people["ann"].user_id)
    for write in (*CONTENT_WRITES, *VALUE_WRITES):
        assert (await _refusal(kept, write, "ann")).reason == "PERMISSION_DENIED"


async def test_a_role_in_any_linked_project_is_enough_and_a_team_gives_it(kept: KeptProject) -> None:
    platform = kept.as_("ann", "platform")
    second = (await platform.call("CreateProject", name="Second", environment_project_id=kept.id))["project"]
    people = kept.world.world.people
    team_id = await add_team(kept.world.db, "Team", people[STRANGER], maker=people["ann"])
    member = {"project_id": second["project_id"], "user_id": team_id}
    await platform.call("PutProjectMember", role=role_pb2.ROLE_EDITOR, **member)
    await _done(kept, _create_asset, STRANGER)
    await platform.call("PutProjectMember", role=role_pb2.ROLE_VIEWER, **member)
    assert (await _refusal(kept, _create_asset, STRANGER)).reason == "PERMISSION_DENIED"


async def test_a_project_that_nobody_has_linked_is_open_to_every_user(kept: KeptProject) -> None:
    platform = kept.as_("ann", "platform")
    mask = {"paths": ["environment_project_id"]}
    await platform.call("UpdateProject", project_id=kept.platform_id, update_mask=mask)
    for write in (*CONTENT_WRITES, *VALUE_WRITES):
        await _done(kept, write, STRANGER)
    # A link counts while the project that has it does.
    await platform.call("UpdateProject", project_id=kept.platform_id, environment_project_id=kept.id)
    assert (await _refusal(kept, _create_asset, STRANGER)).reason == "PERMISSION_DENIED"
    await platform.call("DeleteProject", project_id=kept.platform_id)
    await _done(kept, _create_asset, STRANGER)


async def test_an_evaluator_gives_values_to_parameters_that_are_there_and_makes_none(kept: KeptProject) -> None:
    """One request may do both: it is refused whole."""
    _, method, revises = await _post_value(kept)
    _, _, makes = await _create_parameter(kept)
    both = {"parameters": [*revises["parameters"], *makes["parameters"]]}
    before = len(await events_of(kept.world.db))
    refused = await kept.as_("evaluator").refused(method, **both)
    assert (refused.reason, len(await events_of(kept.world.db))) == ("PERMISSION_DENIED", before)
    assert len((await kept.as_("editor").call(method, **both))["parameters"]) == 2


async def test_an_evaluator_who_makes_a_parameter_is_told_so_before_its_references(kept: KeptProject) -> None:
    _, method, revises = await _post_value(kept)
    _, _, makes = await _create_parameter(kept)
    bad_entry = {"source_id": NOBODY, "values": [number(1.0)]}
    for fields in ({"parameter_type_id": NOBODY}, {"parent_ids": [NOBODY]}, {}):
        new = {**makes["parameters"][0], **fields, "entries": [bad_entry]}
        refused = await kept.as_("evaluator").refused(method, parameters=[*revises["parameters"], new])
        assert refused.reason == "PERMISSION_DENIED", fields
        refused = await kept.as_("editor").refused(method, parameters=[*revises["parameters"], new])
        assert refused.reason == "VALIDATION_ERROR", fields
    revised = {**revises["parameters"][0], "entries": [{**revises["parameters"][0]["entries"][0], "source_id": NOBODY}]}
    refused = await kept.as_("evaluator").refused(method, parameters=[revised])
    assert (refused.reason, refused.fields) == ("VALIDATION_ERROR", ["parameters[0].entries[0].source_id"])


async def test_a_fault_of_a_review_s_body_is_told_before_a_missing_right(kept: KeptProject) -> None:
    revision = (await kept.parameter())["selected_entry"]["revision_id"]
    rejected = {"revision_id": revision, "status": entry_pb2.REVISION_STATUS_REJECTED}
    checked = {"revision_id": revision, "status": CHECKED}
    viewer = kept.as_("viewer")
    for given, field in (([rejected], "revisions[0].comment"), ([checked, checked], "revisions[1].revision_id")):
        refused = await viewer.refused("UpdateRevisions", revisions=given)
        assert (refused.reason, refused.fields) == ("VALIDATION_ERROR", [field])
    assert (await viewer.refused("UpdateRevisions", revisions=[checked])).reason == "PERMISSION_DENIED"


async def test_items_of_a_kept_project_among_others_refuse_the_whole_request(kept: KeptProject) -> None:
    own = await kept.world.project()
    items = [
        {"project_id": project_id, "asset_type_id": kept.asset_type, "name": "Slab"} for project_id in (own, kept.id)
    ]
    bob = kept.as_(STRANGER)
    refused = await bob.refused("CreateAssets", assets=items)
    assert refused.reason == "PERMISSION_DENIED"
    assert (await bob.call("ListAssets", project_id=[own]))["assets"] == []
    await bob.call("CreateAssets", assets=items[:1])


async def test_a_missing_right_is_told_before_rules_that_need_rows(kept: KeptProject) -> None:
    """The order of guide/conventions.md, "Order of refusals": 403 before 412 and 400."""
    bob = kept.as_(STRANGER)
    item = {"project_id": kept.id, "asset_type_id": NOBODY, "name": "Slab"}
    assert (await bob.refused("CreateAssets", assets=[item])).reason == "PERMISSION_DENIED"
    entry = entry_of(kept, await kept.parameter(), 1.0) | {"source_id": NOBODY}
    assert (await bob.refused("PutEntries", entries=[entry])).reason == "PERMISSION_DENIED"
    set_ = {"name": "Set", "parameter_set_type_id": NOBODY, "project_id": kept.id, "asset_id": NOBODY}
    assert (await bob.refused("CreateParameterSet", **set_)).reason == "PERMISSION_DENIED"
    for write in (_rename_project, _rename_asset, _move_asset, _delete_asset, _move_parameter, _delete_parameter):
        service, method, fields = await write(kept)
        caller = kept.as_(STRANGER, service).sending("if-match", '"stale"')
        assert (await caller.refused(method, **fields)).reason == "PERMISSION_DENIED", method
        caller = kept.as_("editor", service).sending("if-match", '"stale"')
        assert (await caller.refused(method, **fields)).reason == "PRECONDITION_FAILED", method


async def test_a_linked_project_that_may_not_be_seen_is_refused_as_one_that_is_not_there(world: ParameterWorld) -> None:
    hidden = await linked_project(world, confidential=True)
    for write in (*CONTENT_WRITES, *VALUE_WRITES):
        refused = await _refusal(hidden, write, STRANGER)
        assert refused.reason in ("NOT_FOUND", "VALIDATION_ERROR"), write


async def test_tags_of_a_linked_project_are_any_users_as_specified(kept: KeptProject) -> None:
    """See guide/conventions.md, "Tags"."""
    kind = (await kept.as_("ada", "metadata").call("CreateTagType", name="Package", allow_custom=True))["tag_type"]
    made = await kept.as_(STRANGER, "metadata").call(
        "CreateTag", name="Core", tag_type_id=kind["id"], tag_scope=kept.id
    )
    assert made["tag"]["tag_scope"] == kept.id


async def test_the_check_costs_one_statement_whatever_the_number_of_items_and_none_without_a_link(
    kept: KeptProject,
) -> None:
    other = await linked_project(kept.world)
    unlinked = await linked_project(kept.world)
    mask = {"paths": ["environment_project_id"]}
    await kept.as_("ann", "platform").call("UpdateProject", project_id=unlinked.platform_id, update_mask=mask)
    evaluator, counts = kept.as_("evaluator"), []
    for projects in ([unlinked], [unlinked] * 10, [kept], [kept] * 10, [kept, other] * 5):
        entries = [entry_of(project, await project.parameter(), 27.5) for project in projects]
        with counted_statements() as seen:
            await evaluator.call("PutEntries", entries=entries)
        counts.append(len(seen))
    assert counts == [counts[0]] * 2 + [counts[0] + 1] * 3
    costs = []
    for project in (unlinked, kept):
        for write in (*CONTENT_WRITES, *VALUE_WRITES):
            service, method, fields = await write(project)
            with counted_statements() as seen:
                await project.as_("editor", service).call(method, **fields)
            costs.append(len(seen))
    half = len(costs) // 2
    assert costs[half:] == [cost + 1 for cost in costs[:half]]


async def _moved_during_a_write(kept: KeptProject, seconds: float) -> Refusal:
    """Let a viewer move a parameter while another writer has locked the project's assets."""
    service, method, fields = await _move_parameter(kept)
    async with kept.world.db.transaction() as tx:
        await locks.hold_assets(tx, [kept.id], alone=True)
        async with asyncio.timeout(seconds):
            return await kept.as_("viewer", service).refused(method, **fields)


async def test_a_move_without_the_right_waits_for_no_writer_and_makes_none_wait(kept: KeptProject) -> None:
    assert (await _moved_during_a_write(kept, WAIT_SECONDS)).reason == "PERMISSION_DENIED"


@pytest.mark.slow
async def test_without_the_check_before_the_lock_a_move_without_the_right_waits(
    kept: KeptProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""

    async def nothing(tx: Transaction, call: Call, needed: dict[str, int]) -> set[str]:
        return set(needed)

    monkeypatch.setattr(rights, "writable_projects", nothing)
    with pytest.raises(TimeoutError):
        await _moved_during_a_write(kept, 1)


# Links.


async def test_a_project_is_linked_by_its_creator_owners_of_linked_projects_and_admins(world: ParameterWorld) -> None:
    project_id = await world.project()
    as_ = world.world.as_
    refused = await as_(STRANGER, "platform").refused("CreateProject", name="Spy", environment_project_id=project_id)
    assert (refused.reason, project_id in refused.message) == ("PERMISSION_DENIED", True)
    own = (await as_(STRANGER, "platform").call("CreateProject", name="Own"))["project"]
    link = {"project_id": own["project_id"], "environment_project_id": project_id}
    assert (await as_(STRANGER, "platform").refused("UpdateProject", **link)).reason == "PERMISSION_DENIED"
    events = await events_of(world.db)
    assert [event["type"] for event in events].count("project.updated") == 0
    # An owner of a project that is linked already, but no other member of it.
    first = (await as_("ann", "platform").call("CreateProject", name="First", environment_project_id=project_id))[
        "project"
    ]
    member = {"project_id": first["project_id"], "user_id": world.world.people[STRANGER].user_id}
    await as_("ann", "platform").call("PutProjectMember", role=role_pb2.ROLE_EDITOR, **member)
    assert (await as_(STRANGER, "platform").refused("UpdateProject", **link)).reason == "PERMISSION_DENIED"
    await as_("ann", "platform").call("PutProjectMember", role=role_pb2.ROLE_OWNER, **member)
    linked = (await as_(STRANGER, "platform").call("UpdateProject", **link))["project"]
    assert linked["environment_project_id"] == project_id
    made = await as_("ada", "platform").call("CreateProject", name="Admin's", environment_project_id=project_id)
    assert made["project"]["environment_project_id"] == project_id


async def test_an_editor_sends_back_the_link_that_is_there(kept: KeptProject) -> None:
    """A client that reads a project and writes it back links nothing."""
    editor = kept.as_("editor", "platform")
    fields = {"project_id": kept.platform_id, "environment_project_id": kept.id, "description": "Changed"}
    assert (await editor.call("UpdateProject", **fields))["project"]["description"] == "Changed"
    other = await kept.world.project()
    refused = await editor.refused("UpdateProject", project_id=kept.platform_id, environment_project_id=other)
    assert refused.reason == "PERMISSION_DENIED"


async def _unlinked_by_an_editor(kept: KeptProject, link: str | None) -> tuple[Refusal, str]:
    """Let an editor take the link away or replace it; return the refusal and the answer to a stranger's write then."""
    mask = {"update_mask": {"paths": ["environment_project_id"]}}
    fields = mask if link is None else {"environment_project_id": link}
    refused = await kept.as_("editor", "platform").refused("UpdateProject", project_id=kept.platform_id, **fields)
    stranger = await kept.as_(STRANGER, "environment").refused("UpdateProject", project_id=kept.id, short_title="Mine")
    return refused, stranger.reason


async def test_a_link_is_removed_and_replaced_only_by_those_who_may_link_its_project(kept: KeptProject) -> None:
    """Without its last link, a project would be open to every user."""
    made = await kept.as_("editor", "environment").call("CreateProject", project_number=kept.world.name("P"))
    open_project = str(made["project"]["project_id"])
    for link in (None, open_project):
        refused, stranger = await _unlinked_by_an_editor(kept, link)
        assert (refused.reason, kept.id in refused.message) == ("PERMISSION_DENIED", True)
        assert stranger == "PERMISSION_DENIED", "the project is kept as before"
    assert [event["type"] for event in await events_of(kept.world.db)].count("project.updated") == 0
    owner = kept.as_("ann", "platform")
    mask = {"paths": ["environment_project_id"]}
    unlinked = (await owner.call("UpdateProject", project_id=kept.platform_id, update_mask=mask))["project"]
    assert unlinked["environment_project_id"] is None
    # Nothing is linked now: an editor links what the editor has created, and takes the link away.
    editor = kept.as_("editor", "platform")
    await editor.call("UpdateProject", project_id=kept.platform_id, environment_project_id=open_project)
    await editor.call("UpdateProject", project_id=kept.platform_id, update_mask=mask)


async def test_without_the_check_of_the_present_link_an_editor_opens_the_project_to_every_user(
    kept: KeptProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""
    check_link = rights.check_link

    async def of_the_new_one(tx: Transaction, call: Call, id_: str) -> bool:
        return True if id_ == kept.id else await check_link(tx, call, id_)

    monkeypatch.setattr(rights, "check_link", of_the_new_one)
    mask = {"paths": ["environment_project_id"]}
    await kept.as_("editor", "platform").call("UpdateProject", project_id=kept.platform_id, update_mask=mask)
    await kept.as_(STRANGER, "environment").call("UpdateProject", project_id=kept.id, short_title="Mine")


async def _sent_back_during_an_unlink(kept: KeptProject) -> str:
    """Let an editor send back the link while an owner takes it away; return the outcome of the editor's call."""
    editor = kept.as_("editor", "platform")
    fields = {"project_id": kept.platform_id, "environment_project_id": kept.id, "description": "Late"}
    async with kept.world.db.transaction() as tx:
        await tx.execute(_UNLINK, id=kept.platform_id)
        sent = asyncio.create_task(editor.call("UpdateProject", **fields))
        await until_waiting(tx, named="projects.project")  # another part of the core may wait for a lock
    try:
        await sent
    except CallError as error:
        return refusal_of(error).reason
    return "linked"


async def test_a_link_that_an_owner_takes_away_is_not_put_back_by_an_editors_change_at_the_same_time(
    kept: KeptProject,
) -> None:
    assert await _sent_back_during_an_unlink(kept) == "PERMISSION_DENIED"
    project = (await kept.as_("ann", "platform").call("GetProject", project_id=kept.platform_id))["project"]
    assert (project["environment_project_id"], project["description"]) == (None, "")


async def test_without_the_lock_before_the_check_an_editors_change_puts_the_link_back(
    kept: KeptProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""
    monkeypatch.setattr(queries, "LOCK", _UNLOCKED)
    assert await _sent_back_during_an_unlink(kept) == "linked"


async def test_a_link_that_is_refused_is_told_before_the_precondition_and_an_unknown_one_after(
    kept: KeptProject,
) -> None:
    other = await kept.world.project()
    for name, project_id, reason in (("editor", other, "PERMISSION_DENIED"), ("ann", NOBODY, "PRECONDITION_FAILED")):
        caller = kept.as_(name, "platform").sending("if-match", 'W/"stale"')
        fields = {"project_id": kept.platform_id, "environment_project_id": project_id}
        assert (await caller.refused("UpdateProject", **fields)).reason == reason


# Sources.


async def test_a_source_is_changed_and_deleted_by_its_creator_and_admins(world: ParameterWorld) -> None:
    as_ = world.world.as_
    kind = (await as_("ada", "reference").call("CreateSourceType", name="Kind"))["source_type"]
    for name in ("ann", "ada"):
        made = (await as_("ann", "reference").call("CreateSource", title="Survey", source_type_id=kind["id"]))["source"]
        key = {"source_id": made["id"]}
        before = len(await events_of(world.db))
        for method, fields in (("UpdateSource", {"title": "Stolen"}), ("UpdateSource", {}), ("DeleteSource", {})):
            refused = await as_(STRANGER, "reference").refused(method, **key, **fields)
            assert (refused.reason, "creator of a source" in refused.message) == ("PERMISSION_DENIED", True)
        assert len(await events_of(world.db)) == before
        assert (await as_(STRANGER, "reference").call("GetSource", **key))["source"] == made
        changed = (await as_(name, "reference").call("UpdateSource", title="Changed", **key))["source"]
        assert changed["title"] == "Changed"
        assert (await as_(name, "reference").call("DeleteSource", **key))["source"]["deleted_at"] is not None
        assert (await as_(STRANGER, "reference").refused("DeleteSource", **key)).reason == "NOT_FOUND"


async def test_a_source_of_an_unknown_creator_is_changed_by_admins_only(world: ParameterWorld) -> None:
    """So are those of releases that did not note the creator."""
    made = await world.source()
    async with world.db.transaction() as tx:
        await tx.execute(Statement(sa.text("UPDATE reference.source SET created_by = NULL")))
    key = {"source_id": made["id"], "title": "Changed"}
    assert (await world.world.as_("ann", "reference").refused("UpdateSource", **key)).reason == "PERMISSION_DENIED"
    assert (await world.world.as_("ada", "reference").call("UpdateSource", **key))["source"]["title"] == "Changed"
