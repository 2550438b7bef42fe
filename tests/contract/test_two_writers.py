"""Two writers at once, on every rule that makes rows exclude each other: one wins, the others are told (409), none fails (500).

The operations come from the descriptors; the rules are those of guide/conventions.md, "Unique values".
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence

import pytest

from catenary_core.database.transactions import Transaction
from catenary_core.resources.resource import Resource
from factories.isolation.operations import NEW, UNIQUE, Operation, Request, all_operations
from factories.isolation.principals import Answer
from factories.isolation.world import World, new_id
from factories.services.evaluations import run_sql

pytestmark = pytest.mark.asyncio(loop_scope="module")

WRITERS = 8
_NUMBERS = itertools.count(1)
OPERATION = {operation.name: operation for operation in all_operations()}
WITH_NAMES = [one.name for one in OPERATION.values() if UNIQUE in str(one.bodies) and not one.reads]
MAKERS = [name for name in WITH_NAMES if name.startswith("POST ")]
NOT_UNIQUE = {
    "POST /v1/clients",
    "POST /v1/worker_tokens",
    "POST /parameter/v1/parameter_set_categories",
    "POST /parameter/v1/parameter_set_types",
    "POST /parameter/v1/parameter_sets",
}
"""Makers of rows whose names may be the same."""
# What is renamed to one name, by the field and the kind of thing.
RENAMED = {
    "PATCH /environment/v2/projects/{project_id}": ("project_number", "environment_project"),
    "PATCH /environment/v2/regions/{region_id}": ("region_code", "region"),
    "PATCH /environment/v2/countries/{country_id}": ("country_code", "country"),
    "PATCH /metadata/v1/tag_types/{tag_type_id}": ("name", "tag_type"),
    "PATCH /metadata/v1/tags/{tag_id}": ("name", "tag"),
    "PATCH /reference/v2/source_types/{source_type_id}": ("name", "source_type"),
    "PATCH /parameter/v1/asset_type_groups/{asset_type_group_id}": ("name", "asset_type_group"),
    "PATCH /parameter/v1/asset_types/{asset_type_id}": ("name", "asset_type"),
    "PATCH /parameter/v1/asset_types/{asset_type_id}/asset_sub_types/{asset_sub_type_id}": ("name", "asset_sub_type"),
    "PATCH /parameter/v1/parameter_types/{parameter_type_id}": ("name", "parameter_type"),
    "PATCH /parameter/v1/unit_systems/{unit_system_id}": ("name", "unit_system"),
    "PATCH /parameter/v1/unit_types/{unit_type_id}": ("name", "unit_type"),
    "PATCH /parameter/v1/units/{unit_id}": ("symbol", "unit"),
    "PATCH /v1/projects/{project_id}/models/{model_id}": ("name", "model"),
    "PATCH /v1/teams/{team_id}": ("name", "team"),
}
CHOOSERS = [
    (one.name, place.name)
    for one in OPERATION.values()
    for place in one.places
    if place.kind.startswith(NEW) and place.name.count(".") == 1
]
"""Makers of rows whose id the caller may choose."""


def _text() -> str:
    """Return a text that no row has."""
    return f"race {next(_NUMBERS)}"


async def _at_once(calls: Sequence[Awaitable[Answer]]) -> Counter[int]:
    return Counter(answer.status for answer in await asyncio.gather(*calls))


def _made(
    operation: Operation, world: World, given: Mapping[str, Sequence[str]] | None = None, unique: str = ""
) -> Request:
    return operation.request(world.ids("open", given), unique=unique)


async def test_every_write_of_a_name_is_in_one_of_the_tests() -> None:
    assert set(WITH_NAMES) <= {*MAKERS, *RENAMED, "PATCH /v1/clients/{client_id}"}
    assert set(MAKERS) >= NOT_UNIQUE
    assert len(CHOOSERS) == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
async def test_of_writers_of_one_name_one_makes_the_row(world: World, name: str) -> None:
    operation = OPERATION[name]
    text = _text()
    calls = [world.call("admin", _made(operation, world, unique=text)) for _ in range(WRITERS)]
    expected = {201: WRITERS} if name in NOT_UNIQUE else {201: 1, 409: WRITERS - 1}
    assert await _at_once(calls) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MAKERS if OPERATION[name].route.rpc.options.item_field])
async def test_lists_of_the_same_names_in_both_orders_hold_nobody_up(world: World, name: str) -> None:
    operation = OPERATION[name]
    item_field = operation.route.rpc.options.item_field
    requests, texts = [], (_text(), _text())
    for turn in range(WRITERS):
        one, other = (_made(operation, world, unique=text) for text in texts)
        items = [*one.body[item_field], *other.body[item_field]]
        requests.append(Request(one.method, one.url, {item_field: items[:: -1 if turn % 2 else 1]}))
    assert await _at_once([world.call("admin", one) for one in requests]) == {201: 1, 409: WRITERS - 1}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "place"), CHOOSERS)
async def test_of_writers_of_one_chosen_id_one_makes_the_row(world: World, name: str, place: str) -> None:
    operation, chosen = OPERATION[name], new_id()
    requests = []
    for _ in range(WRITERS):
        given = {place: [chosen]}
        if name.endswith("/item_types"):
            given["item_types[].parameter_type_id"] = [await world.make("parameter_type", "open")]
        if name.endswith("/parameters"):
            given["parameters[].parent_ids[]"] = [await world.make("asset", "open")]
        requests.append(_made(operation, world, given))
    assert await _at_once([world.call("admin", one) for one in requests]) == {201: 1, 409: WRITERS - 1}


@pytest.mark.parametrize("name", RENAMED)
async def test_of_two_rows_that_get_one_name_one_has_it(world: World, name: str) -> None:
    operation = OPERATION[name]
    field, kind = RENAMED[name]
    last = operation.route.template.variables[-1]
    rows = [await world.make(kind, "open"), await world.make(kind, "open")]
    requests = [operation.request(world.ids("open", {last: [rows[turn % 2]]})) for turn in range(WRITERS)]
    text = _text()
    renamed = [Request(one.method, one.url, {field: text}) for one in requests]
    answers = await asyncio.gather(*(world.call("admin", one) for one in renamed))
    assert {answer.status for answer in answers} == {200, 409}
    winners = {turn % 2 for turn, answer in enumerate(answers) if answer.status == 200}
    assert len(winners) == 1


async def test_without_the_wait_of_writers_for_each_other_two_rows_would_race(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_wait(self: Resource, tx: Transaction) -> None:
        """Skip the wait: another writer then comes between the look for a clash and the change."""

    monkeypatch.setattr(Resource, "lock_writers", no_wait)
    rows = [await world.make("source_type", "open") for _ in range(WRITERS)]
    for _ in range(20):
        body = {"name": _text()}
        requests = [Request("PATCH", f"/reference/v2/source_types/{row}", body) for row in rows]
        if 500 in await _at_once([world.call("admin", one) for one in requests]):
            return
    raise AssertionError("nobody came between")


async def test_of_makers_and_renamers_of_one_name_one_has_it(world: World) -> None:
    for name, (field, kind) in RENAMED.items():
        operation = OPERATION[name]
        row = await world.make(kind, "open")
        renaming = operation.request(world.ids("open", {operation.route.template.variables[-1]: [row]}))
        maker = OPERATION[name.rpartition("/")[0].replace("PATCH", "POST")]
        text = _text()
        # Names of asset types repeat beside and below different types.
        place = {"parent_id": world.things["open"][kind]} if kind == "asset_type" else {}
        made, rename = _made(maker, world, unique=text), Request(renaming.method, renaming.url, {field: text, **place})
        answers = await asyncio.gather(*(world.call("admin", one) for one in (made, rename, made, rename)))
        statuses = [answer.status for answer in answers]
        assert set(statuses) <= {200, 201, 409}, (name, answers)
        # The name is that of the row that was renamed, or of one new row.
        assert (statuses.count(201), 200 in statuses) in ((1, False), (0, True)), (name, statuses)


async def test_of_writers_of_one_item_type_or_parameter_one_makes_it(world: World) -> None:
    item_type = {"item_types[].parameter_type_id": [await world.make("parameter_type", "open")]}
    operation = OPERATION["POST /parameter/v1/item_types"]
    assert await _at_once([world.call("admin", _made(operation, world, item_type)) for _ in range(WRITERS)]) == {
        201: 1,
        409: WRITERS - 1,
    }
    # With an entry each: a parameter has one, so that the others are refused.
    parent = {"parameters[].parent_ids[]": [await world.make("asset", "open")]}
    operation = OPERATION["POST /parameter/v1/parameters"]
    calls = [world.call("outsider", _made(operation, world, parent)) for _ in range(WRITERS)]
    assert await _at_once(calls) == {201: 1, 409: WRITERS - 1}
    assert await _entries(world, "parent_ids[1]", parent["parameters[].parent_ids[]"][0]) == 1


async def test_a_parameter_never_gets_a_second_entry_and_no_revision_is_lost(world: World) -> None:
    ids = world.things["open"]
    item = {
        "project_id": ids["environment_project"],
        "parameter_type_id": ids["parameter_type"],
        "parent_ids": [await world.make("asset", "open")],
    }
    parameter = (await world.ok("outsider", "POST", "/parameter/v1/parameters", item))["parameters"][0]["id"]

    def put(entry_id: str, value: float) -> Awaitable[Answer]:
        entry = {"entry_id": entry_id, "parameter_id": parameter, "source_id": ids["source"]}
        values = [{"value": value, "unit_id": ids["unit"]}]
        body = {"entries": [{**entry, "values": values}]}
        return world.call("outsider", Request("PUT", "/parameter/v1/entries", body))

    assert await _at_once([put(new_id(), number) for number in range(WRITERS)]) == {200: 1, 409: WRITERS - 1}
    assert await _entries(world, "id", parameter) == 1
    shown = await world.ok("outsider", "GET", f"/parameter/v1/parameters/{parameter}")
    entry_id = shown["parameter"]["selected_entry"]["entry_id"]
    revised = await asyncio.gather(*(put(entry_id, 100 + number) for number in range(WRITERS)))
    assert {answer.status for answer in revised} == {200}
    revisions = (await world.ok("outsider", "GET", f"/parameter/v1/entries/{entry_id}/revisions"))["revisions"]
    assert {revision["values"][0]["value"] for revision in revisions[:-1]} == {
        100 + number for number in range(WRITERS)
    }
    shown = await world.ok("outsider", "GET", f"/parameter/v1/parameters/{parameter}")
    assert shown["parameter"]["selected_entry"]["revision_id"] == revisions[0]["revision_id"]


async def test_of_writers_of_one_tag_link_each_is_answered_and_one_row_stands(world: World) -> None:
    link = {"tag_links[].reference_id": [new_id()]}
    operation = OPERATION["PUT /metadata/v1/tag_links"]
    calls = [world.call("outsider", _made(operation, world, link)) for _ in range(WRITERS)]
    assert await _at_once(calls) == {200: WRITERS}
    reference = link["tag_links[].reference_id"][0]
    count = "SELECT count(*) AS n FROM metadata.tag_link WHERE reference_id = :id"
    assert (await run_sql(world.core.frame.db, count, id=reference))[0]["n"] == 1
    events = "SELECT count(*) AS n FROM events.event WHERE subject LIKE '%' || CAST(:id AS text)"
    assert (await run_sql(world.core.frame.db, events, id=reference))[0]["n"] == 1


async def _entries(world: World, column: str, value: str) -> int:
    """Count the active entries of the parameter whose column has this value."""
    count = (
        "SELECT count(*) AS n FROM parameter.entry e JOIN parameter.parameter p ON p.id = e.parameter_id "
        f"WHERE e.deleted_at IS NULL AND p.{column} = :value"
    )
    return int((await run_sql(world.core.frame.db, count, value=value))[0]["n"])
