"""Who sees a linked environment project but has no role in a linked project changes nothing of it, by any operation.

Nor does who sees nothing of a project change a source that its values show.

See guide/conventions.md, "Roles". What each role may do is in `test_isolation.py`.
"""

from __future__ import annotations

import pytest

from factories.isolation.operations import Operation, Request, all_operations, other_operations
from factories.isolation.principals import OUTSIDERS, Answer
from factories.isolation.rights import NEEDED, OPEN, writes_what_is_kept
from factories.isolation.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

CURRENT = [one for one in all_operations() if writes_what_is_kept(one)]
OLDER = [one for one in other_operations() if one.row in NEEDED]
OF_SOURCES = [one for one in (*all_operations(), *other_operations()) if not one.reads and "{source_id}" in one.row]
STRANGERS = ("viewer", "evaluator", "editor", "owner", "key of an Admin")
"""Members of the hidden side's project, and an Admin's key: none has a role in the project of the open side."""
VERSIONS = [pytest.param(CURRENT, id="current"), pytest.param(OLDER, id="older", marks=pytest.mark.slow)]


async def _write(world: World, principal: str, operation: Operation) -> Answer:
    """Send the operation on rows of the open side that are made for this call."""
    fresh = operation.fresh
    given = {} if fresh is None else {fresh.name: [await world.make(fresh.kind, "open")]}
    return await world.call(principal, operation.request(world.ids("open", given)))


async def test_every_operation_that_writes_what_a_project_keeps_has_a_row() -> None:
    assert {operation.row for operation in CURRENT} == {*NEEDED, *OPEN}
    assert OLDER


@pytest.mark.parametrize("operations", VERSIONS)
async def test_a_stranger_changes_nothing_of_a_linked_project(world: World, operations: list[Operation]) -> None:
    for operation in operations:
        if operation.row not in NEEDED:
            continue
        fresh = operation.fresh
        given = {} if fresh is None else {fresh.name: [await world.make(fresh.kind, "open")]}
        request = operation.request(world.ids("open", given), unique="same")
        before = await world.digest()
        answers = {principal: await world.call(principal, request) for principal in STRANGERS}
        assert {answer.status for answer in answers.values()} == {403}, (operation.name, answers)
        assert len({answer.text for answer in answers.values()}) == 1, (operation.name, answers)
        assert await world.digest() == before, operation.name


@pytest.mark.parametrize("operations", VERSIONS)
async def test_who_has_the_role_and_without_the_rule_anybody_writes_the_same(
    world: World, operations: list[Operation]
) -> None:
    """The outsider of the matrix is the owner of the open side."""
    for operation in operations:
        if operation.row not in NEEDED:
            continue
        answer = await _write(world, "outsider", operation)
        assert answer.status < 300, (operation.name, answer)
        async with world.rights_off():
            answer = await _write(world, "editor", operation)
        assert answer.status < 300, (operation.name, answer)


async def _used_source(world: World) -> str:
    """Make a source of the outsider's, from which the hidden side gives a value; return its id."""
    hidden = world.things["hidden"]
    body = {"title": "Survey", "source_type_id": hidden["source_type"]}
    source_id = str((await world.ok("outsider", "POST", "/reference/v2/sources", body))["source"]["id"])
    item = {
        "project_id": hidden["environment_project"],
        "parameter_type_id": hidden["parameter_type"],
        "parent_ids": [await world.make("asset", "hidden")],
        "entries": [{"source_id": source_id, "values": [{"value": 24.5, "unit_id": hidden["unit"]}]}],
    }
    await world.ok("owner", "POST", "/parameter/v1/parameters", item)
    return source_id


async def test_a_stranger_changes_no_source_of_a_hidden_project_on_any_version(world: World) -> None:
    """Its creator neither, by a token or a key; without the rule both would."""
    assert len(OF_SOURCES) >= 2
    source_id = await _used_source(world)
    read = Request("GET", f"/reference/v2/sources/{source_id}")
    before = await world.digest(), await world.call("outsider", read)
    for operation in OF_SOURCES:
        for principal in OUTSIDERS:
            request = operation.request(world.ids("open", {"source_id": [source_id]}))
            answer = await world.call(principal, request)
            assert answer.status == 403, (principal, operation.name, answer)
            assert "project" not in answer.text, (principal, operation.name, answer)
    assert (await world.digest(), await world.call("outsider", read)) == before
    for operation in OF_SOURCES:
        for principal in OUTSIDERS[:2]:
            given = {"source_id": [await _used_source(world)]}
            async with world.guard_off():
                answer = await world.call(principal, operation.request(world.ids("open", given)))
            assert answer.status < 300, (principal, operation.name, answer)
    answer = await world.call("admin", Request("DELETE", f"/reference/v2/sources/{source_id}"))
    assert answer.status == 200, answer
