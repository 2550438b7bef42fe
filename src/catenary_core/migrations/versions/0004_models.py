"""Models, versions, deployments, narrowed parameters, and the views for other services."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the schema `models`."""
    op.execute("CREATE SCHEMA models")
    op.execute(
        """
        CREATE TABLE models.model (
            model_id uuid NOT NULL,
            project_id uuid NOT NULL,
            name text NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT model_pkey PRIMARY KEY (model_id)
        )
        """
    )
    op.execute("CREATE UNIQUE INDEX model_active_name_idx ON models.model (project_id, name) WHERE deleted_at IS NULL")
    op.execute(
        "CREATE INDEX model_project_id_created_at_model_id_idx ON models.model (project_id, created_at, model_id)"
    )
    op.execute(
        """
        CREATE TABLE models.model_version (
            model_version_id uuid NOT NULL,
            model_id uuid NOT NULL,
            number integer NOT NULL,
            status text NOT NULL,
            kind text NOT NULL,
            size bigint NOT NULL,
            sha256 text NOT NULL,
            deterministic boolean,
            error json,
            parameters json NOT NULL DEFAULT '[]',
            metrics json NOT NULL DEFAULT '[]',
            constraints json NOT NULL DEFAULT '[]',
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT model_version_pkey PRIMARY KEY (model_version_id),
            CONSTRAINT model_version_model_id_number_key UNIQUE (model_id, number),
            CONSTRAINT model_version_model_id_fkey FOREIGN KEY (model_id) REFERENCES models.model (model_id),
            CONSTRAINT model_version_status_check CHECK (status IN ('uploaded', 'checking', 'ready', 'failed')),
            CONSTRAINT model_version_kind_check CHECK (kind IN ('python', 'zip', 'openscad'))
        )
        """
    )
    op.execute(
        "CREATE INDEX model_version_model_id_created_at_model_version_id_idx"
        " ON models.model_version (model_id, created_at, model_version_id)"
    )
    op.execute(
        """
        CREATE TABLE models.deployment (
            deployment_id uuid NOT NULL,
            project_id uuid NOT NULL,
            model_version_id uuid NOT NULL,
            status text NOT NULL,
            error json,
            parameters json,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            activated_at timestamptz,
            retired_at timestamptz,
            CONSTRAINT deployment_pkey PRIMARY KEY (deployment_id),
            CONSTRAINT deployment_model_version_id_fkey FOREIGN KEY (model_version_id)
                REFERENCES models.model_version (model_version_id),
            CONSTRAINT deployment_status_check CHECK (status IN ('pending', 'active', 'retired', 'failed')),
            CONSTRAINT deployment_parameters_check CHECK (status <> 'active' OR parameters IS NOT NULL)
        )
        """
    )
    op.execute("CREATE UNIQUE INDEX deployment_active_idx ON models.deployment (project_id) WHERE status = 'active'")
    op.execute("CREATE UNIQUE INDEX deployment_pending_idx ON models.deployment (project_id) WHERE status = 'pending'")
    op.execute(
        "CREATE INDEX deployment_project_id_created_at_deployment_id_idx"
        " ON models.deployment (project_id, created_at, deployment_id)"
    )
    op.execute(
        """
        CREATE TABLE models.narrowing (
            model_id uuid NOT NULL,
            name text NOT NULL,
            fields json NOT NULL,
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT narrowing_pkey PRIMARY KEY (model_id, name),
            CONSTRAINT narrowing_model_id_fkey FOREIGN KEY (model_id) REFERENCES models.model (model_id)
        )
        """
    )
    op.execute(
        """
        CREATE VIEW models.deployed AS
        SELECT d.project_id, v.model_id, d.model_version_id, v.kind, v.sha256, d.parameters, v.metrics, v.constraints
          FROM models.deployment d
          JOIN models.model_version v ON v.model_version_id = d.model_version_id
         WHERE d.status = 'active'
        """
    )
    op.execute("CREATE VIEW models.source AS SELECT model_version_id, kind, sha256, size FROM models.model_version")
