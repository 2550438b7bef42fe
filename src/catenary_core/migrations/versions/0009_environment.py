"""Projects of the company, countries and regions, and the views for other services."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the schema `environment`."""
    op.execute("CREATE SCHEMA environment")
    op.execute(
        """
        CREATE TABLE environment.project (
            project_id uuid NOT NULL,
            project_number text NOT NULL,
            short_title text,
            client_organisation_name text,
            centre_code text,
            confidential boolean NOT NULL,
            project_director_name text,
            project_director_email text,
            project_manager_name text,
            project_manager_email text,
            project_url text,
            scope_of_works text,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT project_pkey PRIMARY KEY (project_id)
        )
        """
    )
    op.execute("CREATE INDEX project_confidential_idx ON environment.project (project_id) WHERE confidential")
    op.execute("CREATE INDEX project_created_at_project_id_idx ON environment.project (created_at, project_id)")
    op.execute(
        """
        CREATE UNIQUE INDEX project_project_number_key ON environment.project (project_number) WHERE deleted_at IS NULL
        """
    )
    op.execute("CREATE INDEX project_updated_at_project_id_idx ON environment.project (updated_at, project_id)")
    op.execute(
        """
        CREATE TABLE environment.region (
            region_id uuid NOT NULL,
            region_code text NOT NULL,
            region_name text NOT NULL,
            region_level integer,
            company_code text,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT region_pkey PRIMARY KEY (region_id)
        )
        """
    )
    op.execute("CREATE INDEX region_created_at_region_id_idx ON environment.region (created_at, region_id)")
    op.execute(
        """
        CREATE UNIQUE INDEX region_region_code_key ON environment.region (region_code) WHERE deleted_at IS NULL
        """
    )
    op.execute(
        """
        CREATE TABLE environment.country (
            country_id uuid NOT NULL,
            country_class text NOT NULL,
            country_code text NOT NULL,
            country_name text NOT NULL,
            iso_code text,
            iso_country_name text,
            iso_formal_name text,
            region_id uuid,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT country_pkey PRIMARY KEY (country_id),
            CONSTRAINT country_region_id_fkey FOREIGN KEY(region_id) REFERENCES environment.region (region_id)
        )
        """
    )
    op.execute(
        """
        CREATE UNIQUE INDEX country_country_code_key ON environment.country (country_code) WHERE deleted_at IS NULL
        """
    )
    op.execute("CREATE INDEX country_created_at_country_id_idx ON environment.country (created_at, country_id)")
    op.execute(
        """
        CREATE VIEW environment.active_project AS
        SELECT project_id FROM environment.project WHERE deleted_at IS NULL
        """
    )
    op.execute(
        """
        CREATE VIEW environment.confidential_project AS
        SELECT project_id, created_by FROM environment.project WHERE confidential
        """
    )
    # The members of platform projects linked to a project of the company: they see it even if it is confidential.
    op.execute(
        """
        CREATE INDEX project_environment_project_id_idx ON projects.project (environment_project_id)
        WHERE environment_project_id IS NOT NULL
        """
    )
    op.execute(
        """
        CREATE VIEW projects.linked_user AS
        SELECT p.environment_project_id, r.user_id
          FROM projects.project p
          JOIN projects.project_role r ON r.project_id = p.project_id
         WHERE p.environment_project_id IS NOT NULL
        """
    )
