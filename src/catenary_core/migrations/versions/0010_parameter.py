"""Assets, types, units, parameters with entries and revisions, and parameter sets."""

from alembic import op

revision = "0010"
down_revision = "0009"

CATALOGUE_TABLES = (
    "unit_system",
    "unit_type",
    "unit",
    "asset_type_group",
    "asset_type",
    "asset_sub_type",
    "parameter_type",
)


def upgrade() -> None:
    """Create the schema `parameter`."""
    op.execute("CREATE SCHEMA parameter")
    _make_tables()
    op.execute("INSERT INTO parameter.catalogue (version) VALUES (1)")
    op.execute(
        """
        CREATE FUNCTION parameter.raise_catalogue_version() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN UPDATE parameter.catalogue SET version = version + 1; RETURN NULL; END $$
        """
    )
    for table in CATALOGUE_TABLES:
        op.execute(
            f"""
            CREATE TRIGGER {table}_catalogue AFTER INSERT OR UPDATE ON parameter.{table}
            FOR EACH STATEMENT EXECUTE FUNCTION parameter.raise_catalogue_version()
            """
        )


def _create(*indexes: str) -> None:
    for index in indexes:
        op.execute(f"CREATE {index}")


def _make_tables() -> None:
    op.execute(
        """
        CREATE TABLE parameter.asset_type_group (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT asset_type_group_pkey PRIMARY KEY (id)
        )
        """
    )
    _create(
        "INDEX asset_type_group_created_at_id_idx ON parameter.asset_type_group (created_at, id)",
        "UNIQUE INDEX asset_type_group_name_key ON parameter.asset_type_group (name) WHERE deleted_at IS NULL",
    )
    op.execute(
        """
        CREATE TABLE parameter.catalogue (
            version bigint NOT NULL
        )
        """
    )
    op.execute(
        """
        CREATE TABLE parameter.parameter_set_category (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT parameter_set_category_pkey PRIMARY KEY (id)
        )
        """
    )
    _create(
        "INDEX parameter_set_category_created_at_id_idx ON parameter.parameter_set_category (created_at, id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.unit_system (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            short_name text NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT unit_system_pkey PRIMARY KEY (id)
        )
        """
    )
    _create(
        "INDEX unit_system_created_at_id_idx ON parameter.unit_system (created_at, id)",
        "UNIQUE INDEX unit_system_name_key ON parameter.unit_system (name) WHERE deleted_at IS NULL",
    )
    op.execute(
        """
        CREATE TABLE parameter.unit_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT unit_type_pkey PRIMARY KEY (id)
        )
        """
    )
    _create(
        "INDEX unit_type_created_at_id_idx ON parameter.unit_type (created_at, id)",
        "UNIQUE INDEX unit_type_name_key ON parameter.unit_type (name) WHERE deleted_at IS NULL",
    )
    op.execute(
        """
        CREATE TABLE parameter.asset_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            asset_type_group_id uuid NOT NULL,
            parent_id uuid,
            asset_sub_type boolean NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT asset_type_pkey PRIMARY KEY (id),
            CONSTRAINT asset_type_asset_type_group_id_fkey FOREIGN KEY (asset_type_group_id)
                REFERENCES parameter.asset_type_group (id),
            CONSTRAINT asset_type_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES parameter.asset_type (id)
        )
        """
    )
    _create(
        "INDEX asset_type_asset_type_group_id_idx ON parameter.asset_type (asset_type_group_id)",
        "INDEX asset_type_created_at_id_idx ON parameter.asset_type (created_at, id)",
        "UNIQUE INDEX asset_type_name_key ON parameter.asset_type (name) WHERE deleted_at IS NULL",
        "INDEX asset_type_parent_id_idx ON parameter.asset_type (parent_id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.parameter_set_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            parameter_set_category_id uuid NOT NULL,
            item_type_ids uuid[] NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT parameter_set_type_pkey PRIMARY KEY (id),
            CONSTRAINT parameter_set_type_parameter_set_category_id_fkey FOREIGN KEY (parameter_set_category_id)
                REFERENCES parameter.parameter_set_category (id)
        )
        """
    )
    _create(
        "INDEX parameter_set_type_created_at_id_idx ON parameter.parameter_set_type (created_at, id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.unit (
            id uuid NOT NULL,
            symbol text COLLATE "C" NOT NULL,
            unit_type_id uuid NOT NULL,
            unit_system_id uuid NOT NULL,
            expression text,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT unit_pkey PRIMARY KEY (id),
            CONSTRAINT unit_unit_type_id_fkey FOREIGN KEY (unit_type_id) REFERENCES parameter.unit_type (id),
            CONSTRAINT unit_unit_system_id_fkey FOREIGN KEY (unit_system_id) REFERENCES parameter.unit_system (id)
        )
        """
    )
    _create(
        "INDEX unit_created_at_id_idx ON parameter.unit (created_at, id)",
        "INDEX unit_symbol_id_idx ON parameter.unit (symbol, id)",
        "INDEX unit_unit_system_id_idx ON parameter.unit (unit_system_id)",
        "UNIQUE INDEX unit_unit_type_id_unit_system_id_symbol_key"
        " ON parameter.unit (unit_type_id, unit_system_id, symbol) WHERE deleted_at IS NULL",
    )
    op.execute(
        """
        CREATE TABLE parameter.asset_sub_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            asset_type_id uuid NOT NULL,
            parent_asset_sub_type_id uuid,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT asset_sub_type_pkey PRIMARY KEY (id),
            CONSTRAINT asset_sub_type_asset_type_id_fkey FOREIGN KEY (asset_type_id) REFERENCES parameter.asset_type (id),
            CONSTRAINT asset_sub_type_parent_asset_sub_type_id_fkey FOREIGN KEY (parent_asset_sub_type_id)
                REFERENCES parameter.asset_sub_type (id)
        )
        """
    )
    _create(
        "INDEX asset_sub_type_asset_type_id_created_at_id_idx"
        " ON parameter.asset_sub_type (asset_type_id, created_at, id)",
        "UNIQUE INDEX asset_sub_type_asset_type_id_name_key"
        " ON parameter.asset_sub_type (asset_type_id, name) WHERE deleted_at IS NULL",
    )
    op.execute(
        """
        CREATE TABLE parameter.parameter_type (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            data_type text NOT NULL,
            global_parameter boolean NOT NULL,
            unit_type_id uuid,
            default_unit_id uuid,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT parameter_type_pkey PRIMARY KEY (id),
            CONSTRAINT parameter_type_data_type_check
                CHECK (data_type IN ('string', 'number', 'integer', 'boolean', 'date', 'json')),
            CONSTRAINT parameter_type_unit_type_id_fkey FOREIGN KEY (unit_type_id) REFERENCES parameter.unit_type (id),
            CONSTRAINT parameter_type_default_unit_id_fkey FOREIGN KEY (default_unit_id) REFERENCES parameter.unit (id)
        )
        """
    )
    _create(
        "INDEX parameter_type_created_at_id_idx ON parameter.parameter_type (created_at, id)",
        "UNIQUE INDEX parameter_type_name_key ON parameter.parameter_type (name) WHERE deleted_at IS NULL",
    )
    op.execute(
        """
        CREATE TABLE parameter.asset (
            id uuid NOT NULL,
            project_id uuid NOT NULL,
            parent_id uuid,
            name text COLLATE "C" NOT NULL,
            asset_type_id uuid NOT NULL,
            asset_sub_type_id uuid,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT asset_pkey PRIMARY KEY (id),
            CONSTRAINT asset_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES parameter.asset (id),
            CONSTRAINT asset_asset_type_id_fkey FOREIGN KEY (asset_type_id) REFERENCES parameter.asset_type (id),
            CONSTRAINT asset_asset_sub_type_id_fkey FOREIGN KEY (asset_sub_type_id)
                REFERENCES parameter.asset_sub_type (id)
        )
        """
    )
    _create(
        "INDEX asset_asset_type_id_created_at_id_idx ON parameter.asset (asset_type_id, created_at, id)",
        "INDEX asset_created_at_id_idx ON parameter.asset (created_at, id)",
        "INDEX asset_name_id_idx ON parameter.asset (name, id)",
        "INDEX asset_parent_id_created_at_id_idx ON parameter.asset (parent_id, created_at, id)",
        "INDEX asset_project_id_created_at_id_idx ON parameter.asset (project_id, created_at, id)",
        "INDEX asset_updated_at_id_idx ON parameter.asset (updated_at, id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.item_type (
            id uuid NOT NULL,
            parameter_type_id uuid NOT NULL,
            asset_type_id uuid NOT NULL,
            asset_sub_type_id uuid,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT item_type_pkey PRIMARY KEY (id),
            CONSTRAINT item_type_parameter_type_id_fkey FOREIGN KEY (parameter_type_id)
                REFERENCES parameter.parameter_type (id),
            CONSTRAINT item_type_asset_type_id_fkey FOREIGN KEY (asset_type_id) REFERENCES parameter.asset_type (id),
            CONSTRAINT item_type_asset_sub_type_id_fkey FOREIGN KEY (asset_sub_type_id)
                REFERENCES parameter.asset_sub_type (id)
        )
        """
    )
    _create(
        "INDEX item_type_asset_type_id_idx ON parameter.item_type (asset_type_id)",
        "INDEX item_type_created_at_id_idx ON parameter.item_type (created_at, id)",
        "UNIQUE INDEX item_type_triple_key"
        " ON parameter.item_type (parameter_type_id, asset_type_id, asset_sub_type_id) NULLS NOT DISTINCT"
        " WHERE deleted_at IS NULL",
    )
    op.execute(
        """
        CREATE TABLE parameter.parameter (
            id uuid NOT NULL,
            project_id uuid NOT NULL,
            parameter_type_id uuid NOT NULL,
            parent_ids uuid[] NOT NULL,
            entry_id uuid,
            revision_id uuid,
            status text,
            unit_id uuid,
            source_id uuid,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT parameter_pkey PRIMARY KEY (id),
            CONSTRAINT parameter_status_check CHECK (status IN ('answered', 'checked', 'approved', 'rejected')),
            CONSTRAINT parameter_parameter_type_id_fkey FOREIGN KEY (parameter_type_id)
                REFERENCES parameter.parameter_type (id),
            CONSTRAINT parameter_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES parameter.unit (id)
        )
        """
    )
    _create(
        "INDEX parameter_created_at_id_idx ON parameter.parameter (created_at, id) INCLUDE (project_id, deleted_at)",
        "INDEX parameter_parameter_type_id_created_at_id_idx"
        " ON parameter.parameter (parameter_type_id, created_at, id)",
        "INDEX parameter_project_id_created_at_id_idx"
        " ON parameter.parameter (project_id, created_at, id) INCLUDE (deleted_at)",
        "UNIQUE INDEX parameter_project_id_parameter_type_id_parent_ids_key"
        " ON parameter.parameter (project_id, parameter_type_id, parent_ids) WHERE deleted_at IS NULL",
        "INDEX parameter_source_id_created_at_id_idx ON parameter.parameter (source_id, created_at, id)",
        "INDEX parameter_status_created_at_id_idx ON parameter.parameter (status, created_at, id)",
        "INDEX parameter_unanswered_idx ON parameter.parameter (created_at, id) WHERE status IS NULL",
        "INDEX parameter_unit_id_created_at_id_idx ON parameter.parameter (unit_id, created_at, id)",
        "INDEX parameter_updated_at_id_idx ON parameter.parameter (updated_at, id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.entry (
            entry_id uuid NOT NULL,
            parameter_id uuid NOT NULL,
            project_id uuid NOT NULL,
            revision_id uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT entry_pkey PRIMARY KEY (entry_id),
            CONSTRAINT entry_parameter_id_fkey FOREIGN KEY (parameter_id) REFERENCES parameter.parameter (id)
        )
        """
    )
    _create(
        "INDEX entry_created_at_entry_id_idx"
        " ON parameter.entry (created_at, entry_id) INCLUDE (project_id, deleted_at)",
        "INDEX entry_parameter_id_created_at_entry_id_idx ON parameter.entry (parameter_id, created_at, entry_id)",
        "UNIQUE INDEX entry_parameter_id_key ON parameter.entry (parameter_id) WHERE deleted_at IS NULL",
        "INDEX entry_updated_at_entry_id_idx ON parameter.entry (updated_at, entry_id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.parameter_parent (
            parameter_id uuid NOT NULL,
            asset_id uuid NOT NULL,
            CONSTRAINT parameter_parent_pkey PRIMARY KEY (parameter_id, asset_id),
            CONSTRAINT parameter_parent_parameter_id_fkey FOREIGN KEY (parameter_id) REFERENCES parameter.parameter (id),
            CONSTRAINT parameter_parent_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES parameter.asset (id)
        )
        """
    )
    _create(
        "INDEX parameter_parent_asset_id_parameter_id_idx ON parameter.parameter_parent (asset_id, parameter_id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.parameter_set (
            id uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            parameter_set_type_id uuid NOT NULL,
            project_id uuid NOT NULL,
            asset_id uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT parameter_set_pkey PRIMARY KEY (id),
            CONSTRAINT parameter_set_parameter_set_type_id_fkey FOREIGN KEY (parameter_set_type_id)
                REFERENCES parameter.parameter_set_type (id),
            CONSTRAINT parameter_set_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES parameter.asset (id)
        )
        """
    )
    _create(
        "INDEX parameter_set_created_at_id_idx ON parameter.parameter_set (created_at, id)",
        "INDEX parameter_set_parameter_set_type_id_created_at_id_idx"
        " ON parameter.parameter_set (parameter_set_type_id, created_at, id)",
    )
    op.execute(
        """
        CREATE TABLE parameter.revision (
            revision_id uuid NOT NULL,
            entry_id uuid NOT NULL,
            status text NOT NULL,
            value_id uuid NOT NULL,
            value json NOT NULL,
            unit_id uuid,
            source_id uuid NOT NULL,
            comment text,
            location_in_source text,
            created_by uuid NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT revision_pkey PRIMARY KEY (revision_id),
            CONSTRAINT revision_status_check CHECK (status IN ('answered', 'checked', 'approved', 'rejected')),
            CONSTRAINT revision_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES parameter.entry (entry_id),
            CONSTRAINT revision_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES parameter.unit (id)
        )
        """
    )
    _create(
        "INDEX revision_entry_id_created_at_revision_id_idx ON parameter.revision (entry_id, created_at, revision_id)",
    )
