"""Writes of several items are refused with the faults of all items, in the order of the items and of refusals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import combinations, cycle
from typing import Any

import pytest

from catenary.parameter.v1 import entry_pb2
from catenary_core.frame import Frame
from factories.database.statement_counts import counted_statements
from factories.services.metadata import link, new_id, tagging_of
from factories.services.mixed_items import Bulk, Flaw, Item, as_before, check_mixes, drawn, given
from integration.services.data_world import NOBODY, URL
from integration.services.parameter_world import NUMBER, ParameterWorld, number, parameter_world_of


@pytest.fixture
async def world(frame: Frame) -> ParameterWorld:
    return await parameter_world_of(frame)


async def _assets(world: ParameterWorld) -> Bulk:
    project, elsewhere = await world.project(), await world.project()
    plain, typed = await world.asset_type(), await world.asset_type(asset_sub_type=True)
    await world.sub_type(typed["id"], "Basement")
    tower = await world.asset(project, plain["id"])
    other = await world.asset(elsewhere, plain["id"])
    fields = {"project_id": project, "asset_type_id": plain["id"], "name": "Slab", "parent_id": tower["id"]}
    flaws = [
        given(project_id=NOBODY, parent_id=None),
        given(field="name", name=" ", asset_type_id=plain["id"], asset_sub_type_id=None),
        given(asset_type_id=NOBODY),
        given(field="asset_type_id", asset_type_id=None, asset_sub_type_id=None),
        given(field="asset_type_id", asset_sub_type_id=NOBODY, asset_type_id=plain["id"]),
        given(asset_sub_type_id=NOBODY, asset_type_id=None),
        given(field="name", name="Attic", asset_type_id=typed["id"]),
        given(parent_id=NOBODY),
        given(parent_id=other["id"]),
        given(conflict=True, id=tower["id"]),
        as_before("id", conflict=True),
    ]
    return Bulk(world.ann, "CreateAssets", "assets", lambda: {"id": new_id(), **fields}, flaws, {})


async def _parameters(world: ParameterWorld) -> Bulk:
    project, source = await world.project(), await world.source()
    asset_type = await world.asset_type()
    assets = [(await world.asset(project, asset_type["id"]))["id"] for _ in range(25)]
    sets = (sorted(some) for some in combinations(assets, 3))
    length, other_type = await world.unit_type(), await world.unit_type()
    unit, strange = await world.unit(length["id"]), await world.unit(other_type["id"])
    kind = await world.parameter_type(unit_type_id=length["id"])
    entry = {"source_id": source["id"], "values": [number(1, unit["id"])]}

    def new(**fields: Any) -> Item:
        return {"project_id": project, "parameter_type_id": kind["id"], "parent_ids": next(sets), **fields}

    async def there(**fields: Any) -> Iterator[Item]:
        made = await world.ann.call("CreateParameters", parameters=[new(**fields) for _ in range(150)])
        return cycle(made["parameters"])

    empty, valued = await there(), await there(entries=[entry])
    whole = frozenset({"id", "project_id", "parameter_type_id", "parent_ids", "entries"})

    def there_already(found: Iterator[Item], field: str, **entries: Any) -> Flaw:
        def spoil(item: Item, before: Sequence[Item]) -> bool:
            del item["id"], item["entries"]
            item |= {"parent_ids": [parent["id"] for parent in next(found)["parents"]], **entries}
            return True

        return Flaw(field, spoil, whole, conflict=True)

    def bad_entry(field: str, **fields: Any) -> Flaw:
        return drawn(f"entries[0].{field}", lambda: {"entries": [{"entry_id": new_id(), **entry, **fields}]}, "entries")

    def with_entry_of_another() -> Item:
        return {"entries": [{**entry, "entry_id": next(valued)["selected_entry"]["entry_id"]}]}

    flaws = [
        given(project_id=NOBODY),
        given(parameter_type_id=NOBODY, hides=["entries", "parent_ids"]),
        drawn("parent_ids[1]", lambda: {"parent_ids": [assets[0], new_id()]}, "parent_ids", "project_id"),
        as_before("parent_ids", "project_id", "parameter_type_id", conflict=False),
        bad_entry("values[0].value", values=[{"value": {"string_value": "x"}, "unit_id": unit["id"]}]),
        bad_entry("values[0].unit_id", values=[number(1, strange["id"])]),
        bad_entry("values[0].unit_id", values=[number(1, NOBODY)]),
        bad_entry("source_id", source_id=NOBODY),
        given(conflict=True, id=next(empty)["id"]),
        there_already(empty, "parent_ids"),
        there_already(valued, "entries[0].entry_id", entries=[entry]),
        drawn("entries[0].entry_id", with_entry_of_another, "entries", conflict=True),
    ]
    return Bulk(
        world.ann,
        "CreateParameters",
        "parameters",
        lambda: new(id=new_id(), entries=[{"entry_id": new_id(), **entry}]),
        flaws,
        {},
    )


async def _entries(world: ParameterWorld) -> Bulk:
    project, source = await world.project(), await world.source()
    kind = await world.parameter_type()
    asset_type = await world.asset_type()
    assets = [(await world.asset(project, asset_type["id"]))["id"] for _ in range(25)]
    sets = (sorted(some) for some in combinations(assets, 3))
    content = {"source_id": source["id"], "values": [number(1)]}

    async def parameters(**fields: Any) -> Iterator[Item]:
        items = [
            {"project_id": project, "parameter_type_id": kind["id"], "parent_ids": next(sets), **fields}
            for _ in range(150)
        ]
        return cycle((await world.ann.call("CreateParameters", parameters=items))["parameters"])

    free, valued = await parameters(), await parameters(entries=[content])

    def of_valued_parameter() -> Item:
        return {"parameter_id": next(valued)["id"]}

    def of_other_parameter() -> Item:
        return {"entry_id": next(valued)["selected_entry"]["entry_id"]}

    flaws = [
        as_before("entry_id", conflict=False),
        drawn("parameter_id", lambda: {"parameter_id": new_id()}, "parameter_id", "values"),
        given(field="values[0].value", values=[{"value": {"string_value": "x"}}]),
        given(field="values[0].unit_id", values=[number(1, NOBODY)]),
        drawn("entry_id", of_valued_parameter, "entry_id", "parameter_id", conflict=True),
        drawn("entry_id", of_other_parameter, "entry_id", "parameter_id", conflict=True),
        as_before("parameter_id", conflict=True, field="entry_id"),
        given(source_id=NOBODY),
    ]
    return Bulk(
        world.ann,
        "PutEntries",
        "entries",
        lambda: {"entry_id": new_id(), "parameter_id": next(free)["id"], **content},
        flaws,
        {},
    )


async def _revisions(world: ParameterWorld) -> Bulk:
    source, kind = await world.source(), await world.parameter_type()
    project_ids = [await world.project() for _ in range(150)]
    given_now = [{"project_id": id_, "parameter_type_id": kind["id"]} for id_ in project_ids]
    made = await world.ann.call("CreateParameters", parameters=given_now)

    async def put(value: float) -> Iterator[Item]:
        content = {"source_id": source["id"], "values": [number(value)]}
        items = [
            {"entry_id": entry_id, "parameter_id": one["id"], **content}
            for entry_id, one in zip(entry_ids, made["parameters"], strict=True)
        ]
        return cycle((await world.ann.call("PutEntries", entries=items))["entries"])

    entry_ids = [new_id() for _ in project_ids]
    stale, latest = await put(1), await put(2)

    def not_latest() -> Item:
        return {"revision_id": next(stale)["revision_id"]}

    flaws = [
        as_before("revision_id", conflict=False),
        given(field="comment", status=entry_pb2.REVISION_STATUS_REJECTED),
        drawn("revision_id", lambda: {"revision_id": new_id()}, "revision_id"),
        drawn("revision_id", not_latest, "revision_id", conflict=True),
    ]
    status = entry_pb2.REVISION_STATUS_CHECKED
    return Bulk(
        world.ann,
        "UpdateRevisions",
        "revisions",
        lambda: {"revision_id": next(latest)["revision_id"], "status": status},
        flaws,
        {},
    )


async def _asset_types(world: ParameterWorld) -> Bulk:
    there = await world.asset_type()
    group = there["asset_type_group"]["id"]
    flaws = [
        given(asset_type_group_id=NOBODY),
        given(parent_id=NOBODY),
        given(conflict=True, name=there["name"]),
        as_before("name", conflict=True),
        given(conflict=True, id=there["id"]),
    ]
    return Bulk(
        world.ada,
        "CreateAssetTypes",
        "asset_types",
        lambda: {"id": new_id(), "name": world.name("T"), "asset_type_group_id": group},
        flaws,
        {},
    )


async def _sub_types(world: ParameterWorld) -> Bulk:
    there = await world.asset_type(asset_sub_type=True)
    taken = await world.sub_type(there["id"], "Basement")
    flaws = [
        given(parent_asset_sub_type_id=NOBODY),
        given(conflict=True, name="Basement"),
        given(conflict=True, id=taken["id"]),
    ]
    fields = {"asset_type_id": there["id"]}
    return Bulk(world.ada, "CreateAssetSubTypes", "asset_sub_types", lambda: {"name": world.name("S")}, flaws, fields)


async def _item_types(world: ParameterWorld) -> Bulk:
    kind, other = await world.asset_type(asset_sub_type=True), await world.asset_type(asset_sub_type=True)
    sub_type = await world.sub_type(other["id"], "Basement")
    new = [{"name": world.name("Quantity"), "data_type": NUMBER} for _ in range(90)]
    made = await world.ada.call("CreateParameterTypes", parameter_types=new)
    quantities = [one["id"] for one in made["parameter_types"]]
    free = cycle((quantity, asset_type) for quantity in quantities[1:] for asset_type in (kind["id"], other["id"]))
    item = {"parameter_type_id": quantities[0], "asset_type_id": kind["id"]}
    there = await world.one("CreateItemTypes", "item_types", **item)
    flaws = [
        given(parameter_type_id=NOBODY),
        given(asset_type_id=NOBODY),
        given(asset_sub_type_id=NOBODY),
        given(asset_sub_type_id=sub_type["id"], asset_type_id=kind["id"], field="asset_sub_type_id"),
        given(conflict=True, **item),
        given(conflict=True, id=there["id"]),
    ]

    def good() -> Item:
        quantity, asset_type = next(free)
        return {"parameter_type_id": quantity, "asset_type_id": asset_type}

    return Bulk(world.ada, "CreateItemTypes", "item_types", good, flaws, {})


async def _parameter_types(world: ParameterWorld) -> Bulk:
    length, other = await world.unit_type(), await world.unit_type()
    strange = await world.unit(other["id"])
    there = await world.parameter_type()
    flaws = [
        given(unit_type_id=NOBODY),
        given(default_unit_id=NOBODY),
        given(field="default_unit_id", default_unit_id=strange["id"], unit_type_id=length["id"]),
        given(conflict=True, name=there["name"], unit_type_id=None),
        as_before("name", conflict=True),
        given(conflict=True, id=there["id"]),
    ]
    return Bulk(
        world.ada,
        "CreateParameterTypes",
        "parameter_types",
        lambda: {"name": world.name("Q"), "data_type": NUMBER, "unit_type_id": length["id"]},
        flaws,
        {},
    )


async def _units(world: ParameterWorld) -> Bulk:
    kind, system = await world.unit_type(), await world.unit_system()
    fields = {"unit_type_id": kind["id"], "unit_system_id": system["id"]}
    there = await world.one("CreateUnits", "units", symbol="m", **fields)
    flaws = [
        given(unit_type_id=NOBODY),
        given(unit_system_id=NOBODY),
        given(conflict=True, symbol="m", **fields),
        as_before("symbol", "unit_type_id", "unit_system_id", conflict=True),
        given(conflict=True, id=there["id"]),
    ]
    return Bulk(world.ada, "CreateUnits", "units", lambda: {"symbol": world.name("u"), **fields}, flaws, {})


async def _unit_types(world: ParameterWorld) -> Bulk:
    there = await world.unit_type()
    flaws = [
        given(conflict=True, name=there["name"]),
        as_before("name", conflict=True),
        given(conflict=True, id=there["id"]),
        as_before("id", conflict=True),
    ]
    return Bulk(
        world.ada, "CreateUnitTypes", "unit_types", lambda: {"id": new_id(), "name": world.name("K")}, flaws, {}
    )


async def _records(world: ParameterWorld) -> Bulk:
    kind = (await world.world.as_("ada", "qa").call("CreateRecordType", name="Seen"))["record_type"]
    fields = {"type_id": kind["id"], "reference_id": NOBODY, "reference_table": "x", "reference_url": URL}
    caller = world.world.as_("ann", "qa")
    return Bulk(caller, "CreateRecords", "records", lambda: dict(fields), [given(type_id=NOBODY)], {})


@pytest.mark.parametrize(
    "bulk_of",
    [
        _assets,
        _parameters,
        _entries,
        _revisions,
        _asset_types,
        _sub_types,
        _item_types,
        _parameter_types,
        _units,
        _unit_types,
        _records,
    ],
)
async def test_a_refusal_lists_the_faults_of_all_items_in_their_order(
    world: ParameterWorld, bulk_of: Callable[[ParameterWorld], Awaitable[Bulk]]
) -> None:
    await check_mixes(await bulk_of(world))


async def test_a_refusal_lists_the_faulty_tag_links(frame: Frame) -> None:
    tagging = await tagging_of(frame)
    tag = await tagging.tag("Fire", (await tagging.tag_type())["id"])
    taken = link(tag["id"])
    await tagging.put(taken)
    flaws = [given(tag_id=NOBODY), as_before("reference_id", "tag_id", conflict=False)]
    await check_mixes(Bulk(tagging.ann, "PutTagLinks", "tag_links", lambda: link(tag["id"]), flaws, {}))
    conflict = given(conflict=True, reference_id=taken["reference_id"])
    flaws = [given(tag_id=NOBODY), conflict]
    only_new = {"create_only": True}
    refusal = await Bulk(tagging.ann, "PutTagLinks", "tag_links", dict, flaws, only_new).refused(
        [link(tag["id"]), taken, link(tag["id"])]
    )
    assert (refusal.reason, refusal.fields) == ("CONFLICT", ["tag_links[1].reference_id"])


async def test_the_faulty_item_types_of_a_set_type_are_named_by_their_places(world: ParameterWorld) -> None:
    kind = await world.asset_type()
    items = [
        await world.one(
            "CreateItemTypes",
            "item_types",
            parameter_type_id=(await world.parameter_type())["id"],
            asset_type_id=kind["id"],
        )
        for _ in range(3)
    ]
    category = (await world.ann.call("CreateParameterSetCategory", name="Briefs"))["parameter_set_category"]
    new = {"name": "Brief", "parameter_set_category_id": category["id"]}
    refusal = await world.ann.refused(
        "CreateParameterSetType",
        **new | {"parameter_set_category_id": NOBODY},
        item_type_ids=[items[0]["id"], new_id()],
    )
    assert refusal.fields == ["parameter_set_category_id", "item_type_ids[1]"]
    made = await world.ann.call("CreateParameterSetType", **new, item_type_ids=[one["id"] for one in items[:2]])
    path = {"parameter_set_type_id": made["parameter_set_type"]["id"]}
    ids = [items[0]["id"], items[2]["id"], items[1]["id"]]
    refusal = await world.ann.refused("CreateParameterSetTypeItems", **path, item_type_ids=[*ids, new_id()])
    assert (refusal.reason, refusal.fields) == ("VALIDATION_ERROR", ["item_type_ids[3]"])
    refusal = await world.ann.refused("CreateParameterSetTypeItems", **path, item_type_ids=ids)
    assert (refusal.reason, refusal.fields) == ("CONFLICT", ["item_type_ids[0]", "item_type_ids[2]"])


async def test_an_unknown_asset_type_comes_after_the_unknown_parents_of_its_sub_types(world: ParameterWorld) -> None:
    items = [{"name": "Basement"}, {"name": "Attic", "parent_asset_sub_type_id": NOBODY}]
    of_none = {"asset_type_id": NOBODY}
    refusal = await world.ada.refused("CreateAssetSubTypes", **of_none, asset_sub_types=items)
    field = "asset_sub_types[1].parent_asset_sub_type_id"
    assert (refusal.reason, refusal.fields) == ("VALIDATION_ERROR", [field])
    refusal = await world.ada.refused("CreateAssetSubTypes", **of_none, asset_sub_types=items[:1])
    assert (refusal.reason, refusal.fields) == ("NOT_FOUND", [])


async def test_a_taken_id_and_a_taken_name_of_one_item_are_both_listed(world: ParameterWorld) -> None:
    there, other = await world.unit_type(), await world.unit_type()
    new = {"id": new_id(), "name": world.name("Kind")}
    items = [
        new,
        {"id": there["id"], "name": other["name"]},
        {"id": there["id"], "name": there["name"]},
        {"id": new_id(), "name": new["name"]},
        new,
        {"id": other["id"], "name": world.name("Kind")},
    ]
    refusal = await world.ada.refused("CreateUnitTypes", unit_types=items)
    faults = ("1].id", "1].name", "2].id", "2].name", "3].name", "4].id", "4].name", "5].id")
    assert (refusal.reason, refusal.fields) == ("CONFLICT", [f"unit_types[{fault}" for fault in faults])


async def test_an_id_that_was_refused_for_its_name_is_listed_with_its_later_copy(world: ParameterWorld) -> None:
    there, id_ = await world.unit_type(), new_id()
    items = [{"id": id_, "name": there["name"]}, {"id": id_, "name": world.name("Kind")}]
    refusal = await world.ada.refused("CreateUnitTypes", unit_types=items)
    assert (refusal.reason, refusal.fields) == ("CONFLICT", ["unit_types[0].name", "unit_types[1].id"])


async def test_equal_assets_of_version_0_are_listed_with_taken_ids(world: ParameterWorld) -> None:
    project, kind = await world.project(), await world.asset_type()
    there = await world.asset(project, kind["id"])
    fields = {"project_id": project, "asset_type_id": kind["id"]}
    items = [
        {**fields, "id": there["id"], "name": "Free"},
        {**fields, "id": new_id(), "name": there["name"]},
        {**fields, "id": there["id"], "name": there["name"]},
    ]
    refusal = await world.ann.refused("CreateAssets", assets=items, refuse_equal=True)
    faults = ("0].id", "1].name", "2].name", "2].id")
    assert (refusal.reason, refusal.fields) == ("CONFLICT", [f"assets[{fault}" for fault in faults])


async def test_a_value_that_does_not_fit_comes_before_a_second_entry(world: ParameterWorld) -> None:
    """The second item's 409 came before the first item's 400."""
    source = await world.source()
    parameter = await world.parameter(await world.project(), (await world.parameter_type())["id"])
    content = {"source_id": source["id"], "values": [number(1)]}
    await world.put({"entry_id": new_id(), "parameter_id": parameter["id"], **content})
    second = {"entry_id": new_id(), "parameter_id": parameter["id"], **content}
    refusal = await world.ann.refused("PutEntries", entries=[{**second, "values": [{"value": {"string_value": "x"}}]}])
    assert (refusal.reason, refusal.fields) == ("VALIDATION_ERROR", ["entries[0].values[0].value"])
    refusal = await world.ann.refused("PutEntries", entries=[second])
    assert (refusal.reason, refusal.fields) == ("CONFLICT", ["entries[0].entry_id"])


@pytest.mark.parametrize(
    "bulk_of",
    [
        _assets,
        pytest.param(_parameters, marks=pytest.mark.slow),
        pytest.param(_entries, marks=pytest.mark.slow),
        _asset_types,
        _item_types,
        _parameter_types,
    ],
)
async def test_the_number_of_statements_does_not_grow_with_the_faulty_items(
    world: ParameterWorld, bulk_of: Callable[[ParameterWorld], Awaitable[Bulk]]
) -> None:
    bulk = await bulk_of(world)
    flaw = next(one for one in bulk.flaws if not one.conflict and one.spoil(bulk.good(), []))
    numbers = []
    for size in (2, 40):
        items = [bulk.good() for _ in range(size)]
        for item in items:
            flaw.spoil(item, [])
        with counted_statements() as statements:
            assert len((await bulk.refused(items)).violations) == size
        numbers.append(len(statements))
    assert numbers[0] == numbers[1]
