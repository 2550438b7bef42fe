"""ProjectService, CountryService, RegionService and OlderService of the environment context."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from catenary.environment.v2 import (
    country_service_pb2,
    country_service_shapes,
    older_service_pb2,
    older_service_shapes,
    project_service_pb2,
    project_service_shapes,
    region_service_pb2,
    region_service_shapes,
)
from catenary.environment.v2.older_service_shapes import RegionCodes
from catenary_core.access.visibility import viewer
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.call.errors import invalid
from catenary_core.database.statements import shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.environment import queries, rules

_PROJECT_TEXTS = (
    "short_title",
    "client_organisation_name",
    "centre_code",
    "project_director_name",
    "project_director_email",
    "project_manager_name",
    "project_manager_email",
    "project_url",
    "scope_of_works",
)
_ISO_NAMES = ("iso_code", "iso_country_name", "iso_formal_name", "region_id")


class EnvironmentProjectServicer:
    """`catenary.environment.v2.ProjectService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_projects(
        self, request: project_service_pb2.ListProjectsRequest, call: Call
    ) -> AsyncIterator[project_service_shapes.ListProjectsResponse]:
        """List the projects that the caller may see and every given filter matches."""
        given = pages.filters_of(request, "project_id", "number", "search")
        return await pages.parts(self._db, queries.PROJECTS, request, given, **viewer(call))

    async def create_project(
        self, request: project_service_pb2.CreateProjectRequest, call: Call
    ) -> project_service_shapes.CreateProjectResponse:
        """Create a project. A confidential one is visible to the caller as its creator."""
        numbers = field_masks.optional_values(request, "project_number", "number")
        values = {name: number for name, number in numbers.items() if number is not None}
        rules.merge_number(values)
        if "project_number" not in values:
            raise invalid("project_number", "{field} is required; give one.", value=None, constraint="required")
        values |= field_masks.optional_values(request, *_PROJECT_TEXTS)
        values |= {"confidential": request.confidential, "created_by": call.caller.user_id}
        async with self._db.transaction() as tx:
            (made,) = await queries.PROJECT.create(tx, call, [values], **viewer(call))
        return {"project": made}

    async def get_project(
        self, request: project_service_pb2.GetProjectRequest, call: Call
    ) -> project_service_shapes.GetProjectResponse:
        """Return one project."""
        async with self._db.read() as tx:
            found = await queries.PROJECT.get(tx, request.project_id, show_deleted=request.show_deleted, **viewer(call))
        return {"project": found}

    async def update_project(
        self, request: project_service_pb2.UpdateProjectRequest, call: Call
    ) -> project_service_shapes.UpdateProjectResponse:
        """Change a project. A change that would hide the project from the caller is refused."""
        values = field_masks.new_values(request)
        rules.merge_number(values)
        async with self._db.transaction() as tx:
            return {"project": await queries.PROJECT.change(tx, call, request.project_id, values, **viewer(call))}

    async def delete_project(
        self, request: project_service_pb2.DeleteProjectRequest, call: Call
    ) -> project_service_shapes.DeleteProjectResponse:
        """Delete a project."""
        async with self._db.transaction() as tx:
            return {"project": await queries.PROJECT.delete(tx, call, request.project_id, **viewer(call))}


class CountryServicer:
    """`catenary.environment.v2.CountryService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_countries(
        self, request: country_service_pb2.ListCountriesRequest, call: Call
    ) -> AsyncIterator[country_service_shapes.ListCountriesResponse]:
        """List all countries."""
        return await pages.parts(self._db, queries.COUNTRIES, request, {})

    async def create_country(
        self, request: country_service_pb2.CreateCountryRequest, call: Call
    ) -> country_service_shapes.CreateCountryResponse:
        """Create a country."""
        values: dict[str, Any] = {
            "country_class": request.country_class if request.HasField("country_class") else "country",
            "country_code": request.country_code,
            "country_name": request.country_name,
        }
        values |= field_masks.optional_values(request, *_ISO_NAMES)
        async with self._db.transaction() as tx:
            await _check_region(tx, values)
            (made,) = await queries.COUNTRY.create(tx, call, [values])
        return {"country": made}

    async def get_country(
        self, request: country_service_pb2.GetCountryRequest, call: Call
    ) -> country_service_shapes.GetCountryResponse:
        """Return one country."""
        async with self._db.read() as tx:
            return {"country": await queries.COUNTRY.get(tx, request.country_id, show_deleted=request.show_deleted)}

    async def update_country(
        self, request: country_service_pb2.UpdateCountryRequest, call: Call
    ) -> country_service_shapes.UpdateCountryResponse:
        """Change a country."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            await queries.COUNTRY.lock_target(tx, call, request.country_id)
            await _check_region(tx, values)
            return {"country": await queries.COUNTRY.change(tx, call, request.country_id, values)}


class RegionServicer:
    """`catenary.environment.v2.RegionService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_regions(
        self, request: region_service_pb2.ListRegionsRequest, call: Call
    ) -> AsyncIterator[region_service_shapes.ListRegionsResponse]:
        """List all regions."""
        return await pages.parts(self._db, queries.REGIONS, request, {})

    async def create_region(
        self, request: region_service_pb2.CreateRegionRequest, call: Call
    ) -> region_service_shapes.CreateRegionResponse:
        """Create a region."""
        values: dict[str, Any] = {"region_code": request.region_code, "region_name": request.region_name}
        values |= field_masks.optional_values(request, "region_level", "company_code")
        async with self._db.transaction() as tx:
            (made,) = await queries.REGION.create(tx, call, [values])
        return {"region": made}

    async def get_region(
        self, request: region_service_pb2.GetRegionRequest, call: Call
    ) -> region_service_shapes.GetRegionResponse:
        """Return one region."""
        async with self._db.read() as tx:
            return {"region": await queries.REGION.get(tx, request.region_id, show_deleted=request.show_deleted)}

    async def update_region(
        self, request: region_service_pb2.UpdateRegionRequest, call: Call
    ) -> region_service_shapes.UpdateRegionResponse:
        """Change a region's code or name."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            return {"region": await queries.REGION.change(tx, call, request.region_id, values)}


class OlderEnvironmentServicer:
    """`catenary.environment.v2.OlderService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def read_region_codes(
        self, request: older_service_pb2.ReadRegionCodesRequest, call: Call
    ) -> older_service_shapes.ReadRegionCodesResponse:
        """Return the region fields that only the older REST versions show."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.REGION_CODES, ids=list(request.region_ids))
        return {"regions": [shaped(RegionCodes, row) for row in rows]}


async def _check_region(tx: Transaction, values: dict[str, Any]) -> None:
    region_id = values.get("region_id")
    if region_id is not None and region_id not in await queries.REGION.active(tx, [region_id]):
        raise unknown("region_id", region_id, "region")
