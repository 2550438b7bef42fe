"""Asset types without a group, names of types that repeat, and the list of parameters without parents."""

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Widen the unique rules, which every existing row keeps, and add an index."""
    op.execute("ALTER TABLE parameter.asset_type ALTER COLUMN asset_type_group_id DROP NOT NULL")
    op.execute("DROP INDEX parameter.asset_type_name_key")
    op.execute(
        """
        CREATE UNIQUE INDEX asset_type_name_asset_type_group_id_parent_id_key
            ON parameter.asset_type (name, asset_type_group_id, parent_id)
            NULLS NOT DISTINCT WHERE deleted_at IS NULL
        """
    )
    op.execute("DROP INDEX parameter.parameter_type_name_key")
    op.execute(
        """
        CREATE UNIQUE INDEX parameter_type_name_unit_type_id_key
            ON parameter.parameter_type (name, unit_type_id)
            NULLS NOT DISTINCT WHERE deleted_at IS NULL
        """
    )
    op.execute(
        """
        CREATE INDEX parameter_project_wide_idx
            ON parameter.parameter (created_at, id) WHERE parent_ids = '{}'::uuid[]
        """
    )
