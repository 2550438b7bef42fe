"""Deleted rows, for every resource that can be deleted: lists, single reads, writes, references, unique rules.

See guide/conventions.md, "Deleted rows".

The resources come from the descriptors: every operation DELETE of a data service that deletes what its path ends in.
"""

from __future__ import annotations

import itertools

import pytest

from factories.isolation.operations import UNIQUE, Operation, Place, all_operations
from factories.isolation.principals import Answer
from factories.isolation.world import World, new_id

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPERATION = {operation.name: operation for operation in all_operations()}
DELETES = [
    name
    for name, operation in OPERATION.items()
    if name.startswith("DELETE ") and operation.surface != "platform" and "/items/" not in name
]
_ID_FIELDS = ("id", "project_id", "entry_id", "reference_id")
# What the two queries ask for: by (show_active, show_deleted) whether the active and the deleted row is there.
SHOWN = {
    (None, None): (True, False),
    ("true", "false"): (True, False),
    (None, "true"): (True, True),
    ("true", "true"): (True, True),
    ("false", "true"): (False, True),
    ("false", None): (False, False),
    ("false", "false"): (False, False),
}
# An entry's id that is unused may be chosen; that of a deleted entry is taken (409) and names no entry of the parameter.
NAMES_ITSELF = {("PUT /parameter/v1/entries", "entries[].entry_id")}
_NUMBERS = itertools.count(1)


def _maker(name: str) -> str:
    """Return the operation that makes the rows of a DELETE by a name; empty when they have none."""
    made_by = name.rpartition("/")[0].replace("DELETE", "POST")
    return made_by if made_by in OPERATION and UNIQUE in str(OPERATION[made_by].bodies) else ""


def _last(operation: Operation) -> Place:
    return [place for place in operation.places if place.source == "path"][-1]


async def _call(world: World, name: str, given: dict[str, list[str]], query: str = "") -> Answer:
    request = OPERATION[name].request(world.ids("open", given))
    return await world.call("admin", request.asking(query))


async def _two(world: World, name: str) -> tuple[str, str]:
    """Return the ids of a new row and of a deleted one."""
    operation = OPERATION[name]
    kind = _last(operation).kind
    kept, gone = await world.make(kind, "open"), await world.make(kind, "open")
    deleted = await _call(world, name, {_last(operation).name: [gone]})
    assert deleted.status == 200, deleted
    (shown,) = deleted.json.values()
    assert shown["deleted_at"] is not None
    return kept, gone


@pytest.mark.slow
@pytest.mark.parametrize("name", DELETES)
async def test_a_list_shows_deleted_rows_when_it_is_asked(world: World, name: str) -> None:
    kept, gone = await _two(world, name)
    listing = name.rpartition("/")[0].replace("DELETE", "GET")
    for (show_active, show_deleted), expected in SHOWN.items():
        asked = {"show_active": show_active, "show_deleted": show_deleted, "page_limit": "1000"}
        query = "&".join(f"{key}={value}" for key, value in asked.items() if value is not None)
        answer = await _call(world, listing, {}, query)
        assert answer.status == 200, answer
        rows = next(iter(answer.json.values()))
        # The first of the fields that the row has is its own id.
        ids = [{row[field] for field in _ID_FIELDS if field in row} for row in rows]
        found = tuple(any(id_ in one for one in ids) for id_ in (kept, gone))
        assert found == expected, query
        assert answer.json["summary"]["estimate_count"] == len(rows)
        assert expected != (False, False) or rows == []


@pytest.mark.parametrize("name", DELETES)
async def test_a_deleted_row_is_gone_for_reads_and_writes_of_one(world: World, name: str) -> None:
    _, gone = await _two(world, name)
    place = _last(OPERATION[name]).name
    unknown = new_id()
    before = await world.digest()
    for method in ("GET", "PATCH", "DELETE"):
        other = name.replace("DELETE", method)
        if other not in OPERATION:
            continue
        answers = [await _call(world, other, {place: [id_]}) for id_ in (gone, unknown)]
        assert answers[0].status == 404, (other, answers)
        assert answers[0].without([gone]) == answers[1].without([unknown])
        if method == "GET":
            shown = await _call(world, other, {place: [gone]}, "show_deleted=true")
            assert shown.status == 200, (other, shown)
            (row,) = shown.json.values()
            assert row["deleted_at"] is not None
            assert (await _call(world, other, {place: [unknown]}, "show_deleted=true")).status == 404
    assert await world.digest() == before


@pytest.mark.slow
@pytest.mark.parametrize("name", DELETES)
async def test_a_body_that_refers_to_a_deleted_row_is_refused_as_one_that_refers_to_nothing(
    world: World, name: str
) -> None:
    _, gone = await _two(world, name)
    kind, unknown = _last(OPERATION[name]).kind, new_id()
    # Without a parameter of its own: else the request would name that one.
    parent = {"parameters[].parent_ids[]": [await world.make("asset", "open")]}
    before = await world.digest()
    for operation in OPERATION.values():
        for place in operation.places:
            if place.source != "body" or place.kind != kind or operation.surface == "platform":
                continue
            if (operation.name, place.name) in NAMES_ITSELF:
                continue
            answers = []
            for id_ in (gone, unknown):
                ids = world.ids("open", {**parent, place.name: [id_]})
                request = operation.request(ids, body=operation.body_with(place), unique="same")
                answers.append((await world.call("admin", request)).without([id_]))
            assert answers[0] == answers[1], (operation.name, place.name)
            assert answers[0][0] == 400, (operation.name, place.name, answers)
    assert await world.digest() == before


@pytest.mark.parametrize("name", [name for name in DELETES if _maker(name) and "parameter_set" not in name])
async def test_the_name_of_a_deleted_row_is_free_again(world: World, name: str) -> None:
    operation = OPERATION[name]
    maker = OPERATION[_maker(name)]
    text = f"again {next(_NUMBERS)}"

    async def make() -> Answer:
        return await world.call("admin", maker.request(world.ids("open"), unique=text))

    for _ in range(2):
        made = await make()
        assert made.status == 201, made
        assert (await make()).status == 409
        (rows,) = made.json.values()
        row = rows[0] if isinstance(rows, list) else rows
        id_ = row["project_id"] if "environment" in name else row["id"]
        assert (await _call(world, name, {_last(operation).name: [id_]})).status == 200


async def test_the_resources_are_many() -> None:
    assert len(DELETES) == 22
    lists = [name.rpartition("/")[0].replace("DELETE", "GET") for name in DELETES]
    assert set(lists) <= OPERATION.keys()


async def test_lists_of_what_is_never_deleted_heed_the_queries_too(world: World) -> None:
    for name in (
        "GET /qa/v2/record_types",
        "GET /environment/v2/countries",
        "GET /environment/v2/regions",
    ):
        everything = (await _call(world, name, {})).json
        assert (await _call(world, name, {}, "show_deleted=true")).json == everything
        for query in ("show_active=false", "show_active=false&show_deleted=true"):
            assert next(iter((await _call(world, name, {}, query)).json.values())) == []
