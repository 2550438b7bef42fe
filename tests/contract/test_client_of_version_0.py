"""A client of version 0, written from the description of the older versions alone.

It knows nothing of the current version: it reads and writes environment context, metadata and parameters as the clients
of version 0 do, in both upstream modes, and each body is compared with the document of its route.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from catenary_cli.installation import clients
from catenary_edge import versions
from factories.installations.serving import SECRET
from factories.walks import goldens
from factories.walks.conformance import Conformance

pytestmark = pytest.mark.slow

TABLE = versions.build()
URL = "https://example.com/reports/7"
TIMES = {"created_at", "updated_at", "deleted_at"}
STAFF = {
    "staff_id",
    "staff_name",
    "email",
    "company_centre_org_unit",
    "location_name",
    "grade_level",
    "my_people_page_url",
}
REVISION = {
    "id",
    "status",
    "values",
    "source",
    "comment",
    "location_in_source",
    "created_at",
    "updated_at",
    "created_by",
}
UNIT = {"id", "name", "unit_type_id", "unit_system_id", *TIMES}
ASSET = {"id", "project_id", "parent", "children", "name", "asset_type", "asset_sub_type", *TIMES}
ASSET_TYPE = {"id", "name", "asset_type_group", "parent_id", "asset_sub_type", *TIMES}


class RefusedError(Exception):
    """A refusal, with its status and text."""

    def __init__(self, status: int, body: dict[str, Any], service: str) -> None:
        assert set(body) == {"details", "msg", "source"}, "errors of version 0 name their service"
        assert body["source"] == service
        super().__init__(body["details"])
        self.status = status


@dataclass
class Service:
    """One service of version 0."""

    http: httpx.AsyncClient
    name: str

    async def _send(self, method: str, path: str, **given: Any) -> dict[str, Any]:
        answer = await self.http.request(method, f"/{self.name}/v0/{path}", **given)
        if answer.is_success:
            assert {"deprecation", "sunset", "link"} <= set(answer.headers), "version 0 is deprecated"
            return dict(answer.json())
        raise RefusedError(answer.status_code, answer.json(), self.name)

    async def rows(self, path: str, key: str = "", **query: Any) -> list[dict[str, Any]]:
        """Read a whole list: version 0 has no pages."""
        body = await self._send("GET", path, params=query)
        assert list(body) == [key or path], "a list of version 0 has its rows alone"
        return list(body[key or path])

    async def one(self, path: str, key: str, **query: Any) -> dict[str, Any]:
        """Read one object."""
        return dict((await self._send("GET", path, params=query))[key])

    async def post(self, path: str, key: str, body: Any) -> Any:
        """Create."""
        return (await self._send("POST", path, json=body))[key]

    async def patch(self, path: str, key: str, body: Any) -> dict[str, Any]:
        """Change."""
        return dict((await self._send("PATCH", path, json=body))[key])

    async def delete(self, path: str, key: str) -> dict[str, Any]:
        """Delete."""
        return dict((await self._send("DELETE", path))[key])


@dataclass
class Client:
    """The three services of version 0, and what this client has created."""

    environment: Service
    metadata: Service
    parameter: Service
    admin_of_types: httpx.AsyncClient
    """For what version 0 had no routes: source types, sources and tag types come from their own services."""

    async def given(self, path: str, key: str, body: dict[str, Any]) -> str:
        """Create what only current versions create; return its id."""
        answer = await self.admin_of_types.post(path, json=body)
        return str(answer.json()[key]["id"])


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["here", "there"])
async def client(request: pytest.FixtureRequest, dsn: str, tmp_path: Path) -> AsyncIterator[Client]:
    made = await clients.create(dsn, SECRET, "Version 0", admin=True)
    async with goldens.conforming(dsn, tmp_path, Conformance(TABLE), remote=request.param) as http:
        given = {name: made[name] for name in ("client_id", "client_secret")}
        answer = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **given})
        http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        yield Client(*(Service(http, name) for name in ("environment", "metadata", "parameter")), http)


async def _project(client: Client, number: str = "070000") -> str:
    made = await client.environment.post("projects", "project", {"job_number": number, "job_suffix": "01"})
    return str(made["project_id"])


async def _source(client: Client) -> str:
    kind = await client.given("/reference/v1/source_types", "source_type", {"name": "Report", "visible": True})
    source = {"source_type_id": kind, "title": "Wind report", "reference": "R-7", "date_year": "2026"}
    return await client.given("/reference/v1/sources", "source", source)


async def _unit(client: Client, name: str) -> dict[str, Any]:
    units = await client.parameter.rows("units")
    return next(unit for unit in units if unit["name"] == name)


async def _asset_type(client: Client, name: str = "Building", **fields: Any) -> dict[str, Any]:
    return dict((await client.parameter.post("asset_types", "asset_types", {"name": name, **fields}))[0])


async def _parameter_type(client: Client, name: str, data_type: str, **fields: Any) -> dict[str, Any]:
    body = {"name": name, "data_type": data_type, **fields}
    return dict((await client.parameter.post("parameter_types", "parameter_types", body))[0])


async def _asset(client: Client, project: str, kind: str, name: str, **fields: Any) -> dict[str, Any]:
    body = {"project_id": project, "asset_type_id": kind, "name": name, **fields}
    return dict((await client.parameter.post("assets", "assets", body))[0])


async def _parameter(client: Client, project: str, kind: str, **fields: Any) -> dict[str, Any]:
    body = {"project_id": project, "parameter_type_id": kind, **fields}
    return dict((await client.parameter.post("parameters", "parameters", body))[0])


async def test_the_environment_is_read_and_written_by_the_keys_of_version_0(client: Client) -> None:
    service = client.environment
    new = {"job_number": "123456", "job_suffix": "00", "job_name_short": "Harbour", "organisation_name": "City"}
    made = await service.post("projects", "project", new)
    assert {key: made[key] for key in new} == new
    assert made["project_code"] == "123456-00"
    changed = await service.patch(f"projects/{made['project_id']}", "project", {"project_code": "123456-01"})
    assert (changed["job_number"], changed["job_suffix"]) == ("123456", "01")
    assert await service.one(f"projects/{made['project_id']}", "project") == changed
    assert await service.rows("projects", search="harb", page_limit=10**9) == [changed]
    assert await service.rows("ads/projects", "projects", number="123456-01") == [changed]
    await service.delete(f"projects/{made['project_id']}", "project")
    assert await service.rows("projects") == []
    (deleted,) = await service.rows("projects", show_deleted_projects=True)
    assert deleted["deleted_at"] is not None
    (region, *_) = await service.rows("regions", page_limit=1)
    assert {"org_region_level", "company_code", "region_code"} <= set(region)
    (country, *_) = await service.rows("countries")
    assert "iso_formal_country_name" in country
    for wrong in ({"show_active": True}, {"show_deleted": True}, {"after": "x"}, {"order": "asc"}, {"page_limit": 0}):
        with pytest.raises(RefusedError) as refused:
            await service.rows("projects", **wrong)
        assert refused.value.status == 400


async def test_tags_are_global_or_of_a_project_and_mark_what_they_are_linked_to(client: Client) -> None:
    service, project = client.metadata, await _project(client)
    kind = await client.given("/metadata/v1/tag_types", "tag_type", {"name": "Discipline", "allow_custom": True})
    (tag_type,) = await service.rows("tag_types")
    assert set(tag_type) == {"id", "name", *TIMES}
    everywhere = await service.post("tags", "tag", {"name": "Wind", "tag_type_id": kind})
    own = await service.post("tags", "tag", {"name": "Facade", "tag_type_id": kind, "tag_scope": project})
    assert (everywhere["global_tag"], own["global_tag"]) == (True, False)
    assert await service.rows("tags") == [everywhere, own]
    for cap in ("item_limit", "page_limit"):
        assert await service.rows("tags", **{cap: 1}) == [everywhere]
        assert len(await service.rows("tags", **{cap: 10**12})) == 2
        with pytest.raises(RefusedError, match=f"^{cap} must be 1 or more"):
            await service.rows("tags", **{cap: 0})
    height = await _parameter_type(client, "Height", "float")
    parameters = [await _parameter(client, project, height["id"])]
    link = {"reference_id": parameters[0]["id"], "reference_table": "parameter", "reference_url": URL}
    made = await service.post(f"tags/{own['id']}/links", "tag_link", link)
    assert made["reference_id"] == parameters[0]["id"]
    assert await service.rows(f"tags/{own['id']}/links", "tag_links") == [made]
    for use in ("category_id", "report_id", "discipline_id"):
        assert await client.parameter.rows("parameters", **{use: own["id"]}) == parameters
        assert await client.parameter.rows("parameters", **{use: everywhere["id"]}) == []
    both = {"category_id": own["id"], "report_id": everywhere["id"]}
    assert await client.parameter.rows("parameters", **both) == []


async def test_units_have_a_name_and_three_times_wherever_they_stand(client: Client) -> None:
    service = client.parameter
    metre = await _unit(client, "m")
    assert set(metre) == UNIT
    (unit_type,) = [row for row in await service.rows("unit_types") if row["id"] == metre["unit_type_id"]]
    assert set(unit_type) == {"id", "name"}
    height = await _parameter_type(client, "Height", "float", default_unit_id=metre["id"])
    assert height["unit_type"] == unit_type, "a default unit tells the unit type"
    assert height["data_type"] == "float"
    assert height["default_unit"] == metre
    assert all(set(unit) == UNIT for unit in height["units"])
    own = {"name": "ell", "unit_type_id": unit_type["id"], "unit_system_id": metre["unit_system_id"]}
    (ell,) = await service.post("units", "units", own)
    assert (ell["name"], set(ell)) == ("ell", UNIT)
    note = await _parameter_type(client, "Note", "string", unit_type_id=unit_type["id"])
    assert note["unit_type"] == unit_type, "a unit type fits any data type"


async def test_types_have_people_and_repeat_their_names(client: Client) -> None:
    service = client.parameter
    building = await _asset_type(client)
    assert (set(building), building["asset_type_group"]) == (ASSET_TYPE, None)
    (group,) = await service.post("asset_type_groups", "asset_type_groups", {"name": "Structures"})
    grouped = await _asset_type(client, asset_type_group_id=group["id"])
    assert (grouped["name"], grouped["asset_type_group"]) == ("Building", group)
    with pytest.raises(RefusedError) as refused:
        await _asset_type(client)
    assert refused.value.status == 409
    flag = await _parameter_type(client, "Listed", "bool")
    assert flag["data_type"] == "bool"
    pair = {"parameter_type_id": flag["id"], "asset_type_id": building["id"]}
    (item_type,) = await service.post("item_types", "item_types", pair)
    assert set(item_type["created_by"]) == set(item_type["updated_by"]) == STAFF
    assert item_type["created_by"]["staff_name"] == "Version 0"
    assert await service.rows("item_types", asset_type=building["id"]) == [item_type]
    assert await service.rows("item_types", offset=1) == []
    assert await service.rows("parameter_types", asset_type=building["id"]) == [flag]
    assert await service.rows("parameter_types", search="LIST") == [flag]


async def test_assets_are_made_once_and_found_in_the_tree(client: Client) -> None:
    service, project = client.parameter, await _project(client)
    building, storey = await _asset_type(client), await _asset_type(client, "Storey", asset_sub_type=True)
    path = f"asset_types/{storey['id']}/asset_sub_types"
    (basement,) = await service.post(path, "asset_sub_types", {"name": "Basement"})
    assert "asset_type_id" not in basement
    own_id = "0192a000-0000-7000-8000-0000000000aa"
    tower = await _asset(client, project, building["id"], "Tower", asset_id=own_id)
    assert (tower["id"], set(tower)) == (own_id, ASSET)
    floor = await _asset(client, project, storey["id"], "Basement", parent_id=tower["id"])
    assert floor["asset_sub_type"] == basement
    for again in ({"name": "Tower", "asset_type_id": building["id"]}, {"name": "Other", "asset_id": own_id}):
        with pytest.raises(RefusedError) as refused:
            await service.post("assets", "assets", {"project_id": project, "asset_type_id": building["id"], **again})
        assert refused.value.status == 422
    assert [row["id"] for row in await service.rows("assets", descendants_of=tower["id"])] == [floor["id"]]
    assert [row["id"] for row in await service.rows("assets", asset_type=building["id"])] == [tower["id"]]
    assert [row["id"] for row in await service.rows("asset_types", parent_asset_id=tower["id"])] == [storey["id"]]
    (hierarchy,) = await service.rows(f"assets/{floor['id']}/hierarchy", "hierarchies")
    assert hierarchy == [{"id": row["id"], "name": row["name"]} for row in (tower, floor)]
    await service.delete(f"assets/{floor['id']}", "asset")
    assert len(await service.rows("assets", show_deleted_assets=True)) == 2
    assert (await service.one(f"assets/{floor['id']}", "asset", show_deleted_assets=True))["deleted_at"] is not None


@pytest.mark.parametrize(
    ("data_type", "written", "value"),
    [
        ("float", "0.25", 0.25),
        ("float", "20", 20),
        ("integer", "20", 20),
        ("bool", "true", True),
        ("float", 24.5, 24.5),
        ("string", "20", "20"),
    ],
)
async def test_a_value_is_given_as_text_or_as_itself(client: Client, data_type: str, written: Any, value: Any) -> None:
    kind = await _parameter_type(client, "Property", data_type)
    given = {"source_id": await _source(client), "values": [{"value": written}]}
    project = await _project(client)
    first = await _parameter(client, project, kind["id"], revision=given)
    assert first["revision"]["values"][0]["value"] == value
    await client.parameter.delete(f"parameters/{first['id']}", "parameter")
    bare = await _parameter(client, project, kind["id"])
    made = await client.parameter.post(f"parameters/{bare['id']}/revision", "revision", given)
    assert (made["values"][0]["value"], type(made["values"][0]["value"])) == (value, type(value))


async def test_a_parameter_is_read_whole_revised_and_judged(client: Client) -> None:
    service, project, source = client.parameter, await _project(client), await _source(client)
    metre, building = await _unit(client, "m"), await _asset_type(client)
    height = await _parameter_type(client, "Height", "float", default_unit_id=metre["id"])
    tower = await _asset(client, project, building["id"], "Tower")
    value = {"source_id": source, "values": [{"value": "24.5", "unit_id": metre["id"]}], "comment": "Measured"}
    made = await _parameter(client, project, height["id"], parent_ids=tower["id"], revision=value)
    assert made["parents"] == [tower], "parents are whole assets"
    assert made["parameter_type"] == height
    assert isinstance(made["created_by"], str)
    revision = made["revision"]
    assert set(revision) == REVISION
    assert set(revision["created_by"]) == STAFF
    assert revision["values"][0]["unit"] == metre
    assert {"time", "reference_id", "reference_table", "reference_url", "scope", *TIMES} <= set(revision["source"])
    assert {"visible", "deleted_at"} <= set(revision["source"]["source_type"])
    assert datetime.fromisoformat(revision["created_at"]).utcoffset() is not None
    path = f"parameters/{made['id']}/revision"
    again = await service.post(path, "revision", {**value, "values": [{"value": 30, "unit_id": metre["id"]}]})
    assert (again["id"] != revision["id"], again["values"][0]["value"]) == (True, 30)
    judged = await service.patch(path, "revision", {"status": "rejected", "comment": "Too tall"})
    assert judged["status"] == "rejected"
    assert await service.one(path, "revision") == judged
    (listed,) = await service.rows("parameters", asset_id=tower["id"], page_limit=10**6)
    assert listed == await service.one(f"parameters/{made['id']}", "parameter")
    wide = await _parameter(client, project, (await _parameter_type(client, "Brief", "string"))["id"])
    assert (wide["parents"], wide["revision"]) == ([], None)
    assert await service.rows("parameters", project_parameter=True) == [wide]
    assert [row["id"] for row in await service.rows("parameters", project_parameter=False)] == [made["id"]]
    assert [row["id"] for row in await service.rows("parameters", offset=1)] == [wide["id"]]
    free = await service.rows("parameter_types", not_asset_id=tower["id"])
    assert [row["id"] for row in free] == [wide["parameter_type"]["id"]]
    assert await service.rows("parameter_types", not_project_id=project) == []
    await service.delete(f"parameters/{made['id']}", "parameter")
    assert len(await service.rows("parameters", show_deleted_parameters=True)) == 2


async def test_parameter_sets_have_the_names_of_version_0(client: Client) -> None:
    service, project, building = client.parameter, await _project(client), await _asset_type(client)
    height = await _parameter_type(client, "Height", "float")
    tower = await _asset(client, project, building["id"], "Tower")
    parameter = await _parameter(client, project, height["id"], parent_ids=[tower["id"]])
    pair = {"parameter_type_id": height["id"], "asset_type_id": building["id"]}
    (item_type,) = await service.post("item_types", "item_types", pair)
    kind = await service.post("parameter_set_types", "parameter_set_type", {"name": "Briefs"})
    new = {"name": "Brief", "parameter_set_type_id": kind["id"], "item_type_ids": [item_type["id"]]}
    own = await service.post("parameter_sets", "parameter_set", new)
    assert own["items"] == [item_type]
    path = f"parameter_sets/{own['id']}/instances"
    given = {"name": "Tower", "project_id": project, "asset_id": tower["id"]}
    instance = await service.post(path, "parameter_set_instance", given)
    assert instance["parameter_set_id"] == own["id"]
    assert await service.rows(path, "parameter_set_instances") == [instance]
    (shown,) = await service.rows(f"{path}/{instance['id']}/parameters", "parameter_set_instance_parameters")
    assert shown["id"] == parameter["id"]
    assert {"unit_type_id", *TIMES} <= set(shown["parameter_type"])
    assert set(shown["parents"][0]) == {"id", "asset_sub_type", "children", "name", "parent", "asset_type"}
    assert set(shown["parents"][0]["asset_type"]) == {"id", "name", "parent_id"}
    for path_of_one, key in (
        (f"{path}/{instance['id']}", "parameter_set_instance"),
        (f"parameter_sets/{own['id']}", "parameter_set"),
    ):
        assert (await service.delete(path_of_one, key))["deleted_at"] is not None


@pytest.mark.parametrize("path", ["asset_tree", "asset_type_tree", "entries", "revisions", "parameter_set_categories"])
async def test_what_version_1_brought_is_unknown(client: Client, path: str) -> None:
    with pytest.raises(RefusedError, match="route") as refused:
        await client.parameter.rows(path)
    assert refused.value.status == 404
