"""Projects, countries and regions over the dispatcher; who sees a confidential project."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pycountry
import pytest

from catenary.environment.v2.project_service_pb2 import ListProjectsRequest
from catenary.platform.v1 import role_pb2
from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.catalogues import Loaded
from catenary_core.services.environment import catalogue, queries
from factories.database.statement_counts import counted_statements
from factories.services.calls import events_of
from integration.services.data_world import NOBODY, World, world_of

TEXTS = {
    "short_title": "Bridge",
    "client_organisation_name": "City",
    "centre_code": "C1",
    "project_director_name": "Dee",
    "project_director_email": "dee@example.com",
    "project_manager_name": "Max",
    "project_manager_email": "max@example.com",
    "project_url": "https://example.com/p",
    "scope_of_works": "All",
}
PEOPLE = ("project_director_name", "project_director_email", "project_manager_name", "project_manager_email")


@pytest.fixture
async def world(frame: Frame) -> World:
    return await world_of(frame)


async def project(world: World, who: str = "ann", number: str = "100-1", **fields: Any) -> dict[str, Any]:
    caller = world.as_(who, "environment")
    return dict((await caller.call("CreateProject", project_number=number, **fields))["project"])


async def test_a_project_keeps_what_it_was_given(world: World) -> None:
    made = await project(world, **TEXTS)
    assert TEXTS.items() <= made.items()
    assert (made["project_number"], made["number"], made["confidential"]) == ("100-1", "100-1", False)
    bob = world.as_("bob", "environment")
    assert (await bob.call("GetProject", project_id=made["project_id"]))["project"] == made
    assert (await bob.list("ListProjects"))["projects"] == [made]
    bare = await project(world, number="2")
    assert all(bare[name] is None for name in TEXTS)


async def test_number_is_another_name_of_project_number(world: World) -> None:
    ann = world.as_("ann", "environment")
    made = (await ann.call("CreateProject", number="7"))["project"]
    assert made["project_number"] == "7"
    both = (await ann.call("CreateProject", number="8", project_number="8"))["project"]
    assert both["number"] == "8"
    refused = await ann.refused("CreateProject", number="9", project_number="10")
    assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", "number")
    refused = await ann.refused("CreateProject")
    assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", "project_number")
    key = {"project_id": made["project_id"]}
    assert (await ann.call("UpdateProject", number="11", **key))["project"]["project_number"] == "11"
    refused = await ann.refused("UpdateProject", number="12", project_number="13", **key)
    assert refused.details["parameter"] == "number"
    assert (await ann.list("ListProjects", number=["11", "8"]))["projects"][0]["number"] == "11"
    assert (await ann.list("ListProjects", project_id=[both["project_id"]]))["projects"] == [both]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"project_number": " "}, "project_number"),
        ({"project_number": "x" * 101}, "project_number"),
        ({"short_title": "x" * 501}, "short_title"),
        ({"project_director_email": "nobody"}, "project_director_email"),
        ({"project_url": "//example.com"}, "project_url"),
        ({"scope_of_works": "x" * 10_001}, "scope_of_works"),
    ],
)
async def test_a_bad_field_of_a_project_is_named_without_a_persons_data(
    world: World, fields: dict[str, Any], field: str
) -> None:
    ann = world.as_("ann", "environment")
    made = await project(world, number="good")
    for method, key in (("CreateProject", {}), ("UpdateProject", {"project_id": made["project_id"]})):
        refused = await ann.refused(method, **({"project_number": "1"} | key | fields))
        assert refused.reason == "VALIDATION_ERROR"
        assert refused.details["parameter"] == field
        assert "nobody" not in str(refused.details)
        assert "nobody" not in refused.message
    assert (await ann.list("ListProjects"))["projects"] == [made]


async def test_a_number_is_unique_among_active_projects(world: World) -> None:
    ann, ada = world.as_("ann", "environment"), world.as_("ada", "environment")
    made, other = await project(world), await project(world, number="200")
    assert (await ann.refused("CreateProject", project_number="100-1")).reason == "CONFLICT"
    refused = await ann.refused("UpdateProject", project_id=other["project_id"], number="100-1")
    assert refused.reason == "CONFLICT"
    await ada.call("DeleteProject", project_id=made["project_id"])
    assert (await project(world))["number"] == "100-1"


async def test_of_equal_numbers_at_once_one_wins(world: World) -> None:
    async def tried() -> bool:
        try:
            await project(world, number="same")
        except CallError:
            return False
        return True

    assert sorted(await asyncio.gather(*[tried() for _ in range(8)])) == [False] * 7 + [True]


async def test_only_an_admin_deletes_a_project(world: World) -> None:
    made = await project(world)
    key = {"project_id": made["project_id"]}
    ann, ada = world.as_("ann", "environment"), world.as_("ada", "environment")
    assert (await ann.refused("DeleteProject", **key)).reason == "PERMISSION_DENIED"
    deleted = (await ada.call("DeleteProject", **key))["project"]
    assert deleted["deleted_at"] is not None
    for caller in (ann, ada):
        for method in ("GetProject", "UpdateProject"):
            assert (await caller.refused(method, **key)).reason == "NOT_FOUND"
    assert (await ann.call("GetProject", show_deleted=True, **key))["project"] == deleted
    assert (await ann.list("ListProjects"))["projects"] == []
    assert (await ann.list("ListProjects", show_deleted=True, show_active=False))["projects"] == [deleted]
    for method in ("GetProject", "UpdateProject"):
        assert (await ann.refused(method, project_id="x")).details["parameter"] == "project_id"
    assert (await ada.refused("DeleteProject", project_id=NOBODY)).reason == "NOT_FOUND"


async def test_a_confidential_project_shows_to_its_creator_admins_and_linked_members_only(world: World) -> None:
    made = await project(world, confidential=True, **TEXTS)
    key = {"project_id": made["project_id"]}
    bob = world.as_("bob", "environment")

    async def sees(who: str) -> bool:
        caller = world.as_(who, "environment")
        listed = (await caller.list("ListProjects", show_deleted=True))["projects"]
        page = await caller.list("ListProjects", page_limit=5)
        by_number = (await caller.list("ListProjects", number=["100-1"]))["projects"]
        by_id = (await caller.list("ListProjects", project_id=[made["project_id"]]))["projects"]
        found = [bool(rows) for rows in (listed, page["projects"], by_number, by_id)]
        assert len(set(found)) == 1
        assert page["summary"]["estimate_count"] == len(page["projects"])
        return found[0]

    assert [await sees(who) for who in ("ann", "bob", "ada")] == [True, False, True]
    # What may not be seen answers as what doesn't exist.
    for method, fields in (
        ("GetProject", {}),
        ("GetProject", {"show_deleted": True}),
        ("UpdateProject", {"number": "1"}),
    ):
        hidden = await bob.refused(method, **key, **fields)
        assert hidden == await bob.refused(method, project_id=NOBODY, **fields)
        assert hidden.reason == "NOT_FOUND"
    # Nor may it be linked by one who doesn't see it.
    platform = world.as_("bob", "platform")
    refused = await platform.refused("CreateProject", name="Spy", environment_project_id=made["project_id"])
    unknown = await platform.refused("CreateProject", name="Spy", environment_project_id=NOBODY)
    assert (refused.reason, refused.message) == (unknown.reason, unknown.message)
    own = (await platform.call("CreateProject", name="Own"))["project"]
    refused = await platform.refused(
        "UpdateProject", project_id=own["project_id"], environment_project_id=made["project_id"]
    )
    assert refused.details["parameter"] == "environment_project_id"
    # A member of a linked platform project sees it, until it goes.
    linked = (
        await world.as_("ann", "platform").call(
            "CreateProject", name="Bridge", environment_project_id=made["project_id"]
        )
    )["project"]
    assert linked["environment_project_id"] == made["project_id"]
    assert not await sees("bob")
    member = {"project_id": linked["project_id"], "user_id": world.people["bob"].user_id}
    await world.as_("ann", "platform").call("PutProjectMember", role=role_pb2.ROLE_VIEWER, **member)
    assert await sees("bob")
    assert (await bob.call("GetProject", **key))["project"] == made
    await world.as_("ann", "platform").call("DeleteProjectMember", **member)
    assert not await sees("bob")


async def test_without_the_rule_of_visibility_a_stranger_would_see_it(world: World) -> None:
    await project(world, confidential=True)
    bob = world.as_("bob", "environment")
    assert (await bob.list("ListProjects"))["projects"] == []
    open_list = replace(queries.PROJECTS, always=())
    found = await pages.page(world.db, open_list, ListProjectsRequest(), {})
    assert [row["project_number"] for row in found["projects"]] == ["100-1"]


async def test_one_who_would_lose_sight_of_a_project_can_not_hide_it(world: World) -> None:
    made = await project(world)
    key = {"project_id": made["project_id"]}
    bob, ann = world.as_("bob", "environment"), world.as_("ann", "environment")
    assert (await bob.refused("UpdateProject", confidential=True, **key)).reason == "PERMISSION_DENIED"
    assert (await bob.call("GetProject", **key))["project"] == made
    assert (await ann.call("UpdateProject", confidential=True, **key))["project"]["confidential"] is True
    assert (await bob.refused("GetProject", **key)).reason == "NOT_FOUND"


async def test_a_patch_of_a_project_clears_by_null(world: World) -> None:
    made = await project(world, **TEXTS)
    ann = world.as_("ann", "environment")
    key = {"project_id": made["project_id"]}
    mask = {"paths": ["scope_of_works", "project_manager_name"]}
    changed = (await ann.call("UpdateProject", project_manager_name="Ida", update_mask=mask, **key))["project"]
    assert (changed["scope_of_works"], changed["project_manager_name"]) == (None, "Ida")
    assert changed["short_title"] == "Bridge"
    for name in ("project_number", "number", "confidential"):
        refused = await ann.refused("UpdateProject", update_mask={"paths": [name]}, **key)
        assert refused.details["parameter"] == name


async def test_events_of_projects_name_no_people(world: World) -> None:
    made = await project(world, **TEXTS)
    await world.as_("ann", "environment").call("UpdateProject", project_id=made["project_id"], short_title="B")
    await world.as_("ada", "environment").call("DeleteProject", project_id=made["project_id"])
    events = await events_of(world.db)
    assert [event["type"] for event in events] == [
        f"environment.project.{x}" for x in ("created", "updated", "deleted")
    ]
    for event in events:
        assert event["subject"] == f"/environment/v2/projects/{made['project_id']}"
        assert not set(PEOPLE) & set(event["data"]["project"])
        assert event["data"]["project"]["project_number"] == "100-1"


async def test_a_page_of_projects_costs_the_same_statements_whatever_its_size(world: World) -> None:
    for number in range(12):
        await project(world, number=str(number), confidential=number % 2 == 0)
    counts = []
    for limit in (1, 10):
        with counted_statements() as seen:
            page = await world.as_("bob", "environment").list("ListProjects", page_limit=limit)
        assert page["summary"]["estimate_count"] == 6
        counts.append(len(seen))
    assert counts == [2, 2]


async def test_the_catalogue_has_every_country_in_its_sub_region_and_loads_once(world: World) -> None:
    async with world.db.transaction() as tx:
        await catalogue.load_at_first_start(tx)
    async with world.db.transaction() as tx:
        await catalogue.load_at_first_start(tx)
        again = await catalogue.load_catalogue(tx, announce=True)
    assert again == [Loaded("region", 0, 22, 0), Loaded("country", 0, len(pycountry.countries), 0)]
    ann = world.as_("ann", "environment")
    countries = (await ann.list("ListCountries"))["countries"]
    assert len(countries) == len(pycountry.countries)
    by_code = {country["country_code"]: country for country in countries}
    assert [code for code, country in sorted(by_code.items()) if country["region"] is None] == ["AQ", "TW"]
    bolivia = by_code["BO"]
    assert bolivia["country_class"] == "country"
    assert bolivia["iso_code"] == "BOL"
    assert bolivia["country_name"] == "Bolivia"
    assert bolivia["iso_country_name"] == "Bolivia, Plurinational State of"
    assert bolivia["iso_formal_name"] == "Plurinational State of Bolivia"
    assert bolivia["region"]["region_name"] == "Latin America and the Caribbean"
    assert by_code["DK"]["region"]["region_code"] == "154"
    regions = (await ann.list("ListRegions"))["regions"]
    assert len(regions) == 22
    assert {"Africa", "Americas", "Asia", "Europe", "Oceania"} < {region["region_name"] for region in regions}
    assert await events_of(world.db) == []


async def test_only_an_admin_changes_countries_and_regions(world: World) -> None:
    ann, ada = world.as_("ann", "environment"), world.as_("ada", "environment")
    region = (await ada.call("CreateRegion", region_code="900", region_name="Moon"))["region"]
    country = (await ada.call("CreateCountry", country_code="XX", country_name="Base", region_id=region["region_id"]))[
        "country"
    ]
    assert country["region"] == region
    assert country["country_class"] == "country"
    assert (await ann.call("GetCountry", country_id=country["country_id"]))["country"] == country
    assert (await ann.call("GetRegion", region_id=region["region_id"]))["region"] == region
    for method, fields in (
        ("CreateRegion", {"region_code": "1", "region_name": "x"}),
        ("UpdateRegion", {"region_id": region["region_id"], "region_name": "x"}),
        ("CreateCountry", {"country_code": "YY", "country_name": "x"}),
        ("UpdateCountry", {"country_id": country["country_id"], "country_name": "x"}),
    ):
        assert (await ann.refused(method, **fields)).reason == "PERMISSION_DENIED"
    mask = {"paths": ["region_id", "iso_code"]}
    changed = await ada.call("UpdateCountry", country_id=country["country_id"], iso_code="XXX", update_mask=mask)
    assert changed["country"]["region"] is None
    assert changed["country"]["iso_code"] == "XXX"
    renamed = await ada.call("UpdateRegion", region_id=region["region_id"], region_name="Luna")
    assert renamed["region"]["region_name"] == "Luna"


@pytest.mark.parametrize(
    ("method", "fields", "field"),
    [
        ("CreateRegion", {"region_code": "", "region_name": "x"}, "region_code"),
        ("CreateRegion", {"region_code": "1", "region_name": " "}, "region_name"),
        ("CreateCountry", {"country_code": "XX"}, "country_name"),
        ("CreateCountry", {"country_code": "X" * 11, "country_name": "x"}, "country_code"),
        ("CreateCountry", {"country_code": "XX", "country_name": "x", "iso_code": "xx"}, "iso_code"),
        ("CreateCountry", {"country_code": "XX", "country_name": "x", "region_id": NOBODY}, "region_id"),
        ("GetCountry", {"country_id": "x"}, "country_id"),
        ("UpdateCountry", {"country_id": "x"}, "country_id"),
        ("GetRegion", {"region_id": "x"}, "region_id"),
        ("UpdateRegion", {"region_id": "x"}, "region_id"),
    ],
)
async def test_a_bad_field_of_a_country_or_region_is_named(
    world: World, method: str, fields: dict[str, Any], field: str
) -> None:
    refused = await world.as_("ada", "environment").refused(method, **fields)
    assert refused.reason == "VALIDATION_ERROR"
    assert refused.details["parameter"] == field


async def test_codes_of_countries_and_regions_are_unique_and_unknown_ones_not_found(world: World) -> None:
    ada = world.as_("ada", "environment")
    await ada.call("CreateRegion", region_code="1", region_name="x")
    other = (await ada.call("CreateRegion", region_code="2", region_name="x"))["region"]
    assert (await ada.refused("CreateRegion", region_code="1", region_name="y")).reason == "CONFLICT"
    refused = await ada.refused("UpdateRegion", region_id=other["region_id"], region_code="1")
    assert refused.reason == "CONFLICT"
    await ada.call("CreateCountry", country_code="A", country_name="x")
    assert (await ada.refused("CreateCountry", country_code="A", country_name="y")).reason == "CONFLICT"
    for method, field in (("Country", "country_id"), ("Region", "region_id")):
        for verb in ("Get", "Update"):
            assert (await ada.refused(f"{verb}{method}", **{field: NOBODY})).reason == "NOT_FOUND"
    for method in ("ListCountries", "ListRegions", "ListProjects"):
        assert (await ada.open_refused(method, page_limit=1001)).details["parameter"] == "page_limit"
        assert (await ada.open_refused(method, after="x")).details["parameter"] == "after"
