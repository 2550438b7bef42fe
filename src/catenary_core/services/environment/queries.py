"""The SQL of projects, countries and regions."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.environment.v2 import country_service_pb2, project_service_pb2, region_service_pb2
from catenary.environment.v2.country_service_shapes import ListCountriesResponse
from catenary.environment.v2.country_shapes import Country
from catenary.environment.v2.project_service_shapes import ListProjectsResponse
from catenary.environment.v2.project_shapes import Project
from catenary.environment.v2.region_service_shapes import ListRegionsResponse
from catenary.environment.v2.region_shapes import Region
from catenary_core.access import rights, visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import INSTANT, Id
from catenary_core.database.statements import CONFIDENTIAL, Statement, contains_search
from catenary_core.resources.listing import Listing
from catenary_core.resources.resource import Resource
from catenary_core.services.environment.messages import country_message
from catenary_core.services.environment.tables import country, project, region

_project_rows = sa.select(
    project.c.project_id,
    project.c.project_number,
    project.c.project_number.label("number"),
    project.c.short_title,
    project.c.client_organisation_name,
    project.c.centre_code,
    project.c.confidential,
    project.c.project_director_name,
    project.c.project_director_email,
    project.c.project_manager_name,
    project.c.project_manager_email,
    project.c.project_url,
    project.c.scope_of_works,
    project.c.created_at,
    project.c.updated_at,
    project.c.deleted_at,
    project.c.confidential.label(CONFIDENTIAL),
)
_may_see = (visibility.visible(project.c.project_id),)

PROJECT: Resource[Project] = Resource(
    service="environment",
    name="project",
    path=resource_path(project_service_pb2, "GetProject"),
    table=project,
    rows=_project_rows,
    id_field="project_id",
    unique=("project_number",),
    private=frozenset(
        {"project_director_name", "project_director_email", "project_manager_name", "project_manager_email"}
    ),
    project="project_id",
    writer_role=rights.CONTENT,
    always=_may_see,
)
PROJECTS: Listing[ListProjectsResponse] = Listing(
    key="projects",
    rows=_project_rows,
    sorts={"id": project.c.project_id, "created_at": project.c.created_at, "updated_at": project.c.updated_at},
    deleted_at=project.c.deleted_at,
    filters={
        "project_id": project.c.project_id == sa.any_(sa.bindparam("project_id", type_=sa.ARRAY(Id))),
        "number": project.c.project_number == sa.any_(sa.bindparam("number", type_=sa.ARRAY(sa.Text))),
        "search": contains_search(project.c.project_number, project.c.short_title, project.c.client_organisation_name),
    },
    always=_may_see,
    id_field="project_id",
)

_email = sa.func.lower(sa.bindparam("email", type_=sa.Text))
_people = ("project_director", "project_manager")
_is_person = {who: sa.func.lower(project.c[f"{who}_email"]) == _email for who in _people}
ERASE_PERSON = Statement(
    sa.update(project)
    .where(sa.or_(*_is_person.values()))
    .values(
        {
            name: sa.case((_is_person[who], None), else_=project.c[name])
            for who in _people
            for name in (f"{who}_name", f"{who}_email")
        }
        | {"updated_at": INSTANT}
    )
    .returning(project.c.project_id)
)
"""Empty name and address of a director or manager with an e-mail address, also in deleted projects."""

_region_rows = sa.select(
    region.c.region_code,
    region.c.region_id,
    region.c.region_name,
    region.c.created_at,
    region.c.updated_at,
    region.c.deleted_at,
)

REGION: Resource[Region] = Resource(
    service="environment",
    name="region",
    path=resource_path(region_service_pb2, "GetRegion"),
    table=region,
    rows=_region_rows,
    id_field="region_id",
    unique=("region_code",),
)
REGIONS: Listing[ListRegionsResponse] = Listing(
    key="regions",
    rows=_region_rows,
    sorts={"id": region.c.region_id, "created_at": region.c.created_at, "updated_at": region.c.updated_at},
    deleted_at=region.c.deleted_at,
    id_field="region_id",
)
REGION_CODES = Statement(
    sa.select(region.c.region_id, region.c.region_level, region.c.company_code).where(
        region.c.region_id == sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id)))
    )
)
"""The region fields that only the older REST versions show."""
REGION_IDS = Statement(
    sa.select(region.c.region_code.label("name"), region.c.region_id.label("id")).where(region.c.deleted_at.is_(None))
)

_country_rows = sa.select(
    country,
    region.c.region_code,
    region.c.region_name,
    region.c.created_at.label("region_created_at"),
    region.c.updated_at.label("region_updated_at"),
    region.c.deleted_at.label("region_deleted_at"),
).select_from(country.outerjoin(region))

COUNTRY: Resource[Country] = Resource(
    service="environment",
    name="country",
    path=resource_path(country_service_pb2, "GetCountry"),
    table=country,
    rows=_country_rows,
    id_field="country_id",
    unique=("country_code",),
    message=country_message,
)
COUNTRIES: Listing[ListCountriesResponse] = Listing(
    key="countries",
    rows=_country_rows,
    sorts={"id": country.c.country_id, "created_at": country.c.created_at, "updated_at": country.c.updated_at},
    deleted_at=country.c.deleted_at,
    id_field="country_id",
    message=country_message,
)
