"""The tables of projects, countries and regions, and the views on them for other services.

`environment.active_project(project_id, created_by)` has the projects that aren't deleted;
`environment.confidential_project(project_id, created_by)` has the confidential ones, deleted or not.
`catenary_core.access.visibility` decides which callers see a project.
"""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, times, unique_among_active
from catenary_core.database.statements import metadata

project = sa.Table(
    "project",
    metadata,
    id_column("project_id"),
    sa.Column("project_number", sa.Text, nullable=False),
    sa.Column("short_title", sa.Text, nullable=True),
    sa.Column("client_organisation_name", sa.Text, nullable=True),
    sa.Column("centre_code", sa.Text, nullable=True),
    sa.Column("confidential", sa.Boolean, nullable=False),
    sa.Column("project_director_name", sa.Text, nullable=True),
    sa.Column("project_director_email", sa.Text, nullable=True),
    sa.Column("project_manager_name", sa.Text, nullable=True),
    sa.Column("project_manager_email", sa.Text, nullable=True),
    sa.Column("project_url", sa.Text, nullable=True),
    sa.Column("scope_of_works", sa.Text, nullable=True),
    sa.Column("created_by", Id, nullable=False),
    *times(),
    unique_among_active("project_project_number_key", "project_number"),
    sa.Index("project_created_at_project_id_idx", "created_at", "project_id"),
    sa.Index("project_updated_at_project_id_idx", "updated_at", "project_id"),
    sa.Index("project_confidential_idx", "project_id", postgresql_where=sa.text("confidential")),
    schema="environment",
)

region = sa.Table(
    "region",
    metadata,
    id_column("region_id"),
    sa.Column("region_code", sa.Text, nullable=False),
    sa.Column("region_name", sa.Text, nullable=False),
    # The level in UN M49 (1 region, 2 sub-region), and a code of the company. Only version 1 of the REST surface shows
    # them.
    sa.Column("region_level", sa.Integer, nullable=True),
    sa.Column("company_code", sa.Text, nullable=True),
    *times(),
    unique_among_active("region_region_code_key", "region_code"),
    sa.Index("region_created_at_region_id_idx", "created_at", "region_id"),
    schema="environment",
)

country = sa.Table(
    "country",
    metadata,
    id_column("country_id"),
    sa.Column("country_class", sa.Text, nullable=False),
    sa.Column("country_code", sa.Text, nullable=False),
    sa.Column("country_name", sa.Text, nullable=False),
    sa.Column("iso_code", sa.Text, nullable=True),
    sa.Column("iso_country_name", sa.Text, nullable=True),
    sa.Column("iso_formal_name", sa.Text, nullable=True),
    sa.Column("region_id", Id, sa.ForeignKey(region.c.region_id), nullable=True),
    *times(),
    unique_among_active("country_country_code_key", "country_code"),
    sa.Index("country_created_at_country_id_idx", "created_at", "country_id"),
    schema="environment",
)
