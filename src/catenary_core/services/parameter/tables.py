"""The tables of the parameter service, and the views of other services that it reads.

Rows are only marked as deleted and never removed, so that an id in a row always names one. `parameter.catalogue` has
one row, whose version every change of a type or unit increases (by triggers, so that no writer can forget it): a node's
cache of types and units is valid while the version is the same.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from catenary_core.database.columns import TIES, Id, id_column, key_text, times, unique_among_active
from catenary_core.database.statements import metadata

SCHEMA = "parameter"
DATA_TYPES = ("string", "number", "integer", "boolean", "date", "json")
STATUSES = ("answered", "checked", "approved", "rejected")


def _one_of(column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    quoted = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({quoted})", name=column)


def _page_indexes(table: str, *sorts: str) -> tuple[sa.Index, ...]:
    """Build the index of each sort of a list."""
    return tuple(sa.Index(f"{table}_{sort}_id_idx", sort, "id") for sort in sorts)


catalogue = sa.Table("catalogue", metadata, sa.Column("version", sa.BigInteger, nullable=False), schema=SCHEMA)

unit_system = sa.Table(
    "unit_system",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("short_name", sa.Text, nullable=False),
    *times(),
    unique_among_active("unit_system_name_key", "name"),
    *_page_indexes("unit_system", "created_at"),
    schema=SCHEMA,
)

unit_type = sa.Table(
    "unit_type",
    metadata,
    id_column(),
    key_text("name"),
    *times(),
    unique_among_active("unit_type_name_key", "name"),
    *_page_indexes("unit_type", "created_at"),
    schema=SCHEMA,
)

unit = sa.Table(
    "unit",
    metadata,
    id_column(),
    key_text("symbol"),
    sa.Column("unit_type_id", Id, sa.ForeignKey(unit_type.c.id), nullable=False),
    sa.Column("unit_system_id", Id, sa.ForeignKey(unit_system.c.id), nullable=False),
    # The meaning of the symbol, from the built-in table of units; NULL for a unit that a user created.
    sa.Column("expression", sa.Text, nullable=True),
    *times(),
    unique_among_active("unit_unit_type_id_unit_system_id_symbol_key", "unit_type_id", "unit_system_id", "symbol"),
    *_page_indexes("unit", "created_at", "symbol"),
    sa.Index("unit_unit_system_id_idx", "unit_system_id"),
    schema=SCHEMA,
)

asset_type_group = sa.Table(
    "asset_type_group",
    metadata,
    id_column(),
    key_text("name"),
    *times(),
    unique_among_active("asset_type_group_name_key", "name"),
    *_page_indexes("asset_type_group", "created_at"),
    schema=SCHEMA,
)

asset_type = sa.Table(
    "asset_type",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("asset_type_group_id", Id, sa.ForeignKey(asset_type_group.c.id), nullable=True),
    sa.Column("parent_id", Id, sa.ForeignKey("parameter.asset_type.id"), nullable=True),
    sa.Column("asset_sub_type", sa.Boolean, nullable=False),
    *times(),
    unique_among_active(
        "asset_type_name_asset_type_group_id_parent_id_key",
        "name",
        "asset_type_group_id",
        "parent_id",
        equal_nulls=True,
    ),
    *_page_indexes("asset_type", "created_at"),
    sa.Index("asset_type_asset_type_group_id_idx", "asset_type_group_id"),
    sa.Index("asset_type_parent_id_idx", "parent_id"),
    schema=SCHEMA,
)

asset_sub_type = sa.Table(
    "asset_sub_type",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("asset_type_id", Id, sa.ForeignKey(asset_type.c.id), nullable=False),
    sa.Column("parent_asset_sub_type_id", Id, sa.ForeignKey("parameter.asset_sub_type.id"), nullable=True),
    *times(),
    unique_among_active("asset_sub_type_asset_type_id_name_key", "asset_type_id", "name"),
    sa.Index("asset_sub_type_asset_type_id_created_at_id_idx", "asset_type_id", "created_at", "id"),
    schema=SCHEMA,
)

parameter_type = sa.Table(
    "parameter_type",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("data_type", sa.Text, nullable=False),
    sa.Column("global_parameter", sa.Boolean, nullable=False),
    sa.Column("unit_type_id", Id, sa.ForeignKey(unit_type.c.id), nullable=True),
    sa.Column("default_unit_id", Id, sa.ForeignKey(unit.c.id), nullable=True),
    *times(),
    _one_of("data_type", DATA_TYPES),
    unique_among_active("parameter_type_name_unit_type_id_key", "name", "unit_type_id", equal_nulls=True),
    *_page_indexes("parameter_type", "created_at"),
    schema=SCHEMA,
)

item_type = sa.Table(
    "item_type",
    metadata,
    id_column(),
    sa.Column("parameter_type_id", Id, sa.ForeignKey(parameter_type.c.id), nullable=False),
    sa.Column("asset_type_id", Id, sa.ForeignKey(asset_type.c.id), nullable=False),
    sa.Column("asset_sub_type_id", Id, sa.ForeignKey(asset_sub_type.c.id), nullable=True),
    # Users; only version 0 of the REST surface shows them. NULL in rows older than these columns.
    sa.Column("created_by", Id, nullable=True),
    sa.Column("updated_by", Id, nullable=True),
    *times(),
    sa.Index(
        "item_type_triple_key",
        "parameter_type_id",
        "asset_type_id",
        "asset_sub_type_id",
        unique=True,
        postgresql_where=sa.text("deleted_at IS NULL"),
        postgresql_nulls_not_distinct=True,
    ),
    *_page_indexes("item_type", "created_at"),
    sa.Index("item_type_asset_type_id_idx", "asset_type_id"),
    schema=SCHEMA,
)

asset = sa.Table(
    "asset",
    metadata,
    id_column(),
    # A project of the environment context service.
    sa.Column("project_id", Id, nullable=False),
    sa.Column("parent_id", Id, sa.ForeignKey("parameter.asset.id"), nullable=True),
    key_text("name"),
    sa.Column("asset_type_id", Id, sa.ForeignKey(asset_type.c.id), nullable=False),
    sa.Column("asset_sub_type_id", Id, sa.ForeignKey(asset_sub_type.c.id), nullable=True),
    *times(),
    *_page_indexes("asset", "created_at", "updated_at", "name"),
    sa.Index("asset_project_id_created_at_id_idx", "project_id", "created_at", "id"),
    sa.Index("asset_asset_type_id_created_at_id_idx", "asset_type_id", "created_at", "id"),
    sa.Index("asset_parent_id_created_at_id_idx", "parent_id", "created_at", "id"),
    schema=SCHEMA,
)

parameter = sa.Table(
    "parameter",
    metadata,
    id_column(),
    sa.Column("project_id", Id, nullable=False),
    sa.Column("parameter_type_id", Id, sa.ForeignKey(parameter_type.c.id), nullable=False),
    # Ids of assets, sorted, so that equal sets are equal arrays.
    sa.Column("parent_ids", ARRAY(Id), nullable=False),
    # The parameter's entry, that entry's latest revision, and the revision's columns that lists filter by. They are
    # copied here so that a writer that has locked the row knows them; a deleted parameter keeps those of the entry
    # deleted with it.
    sa.Column("entry_id", Id, nullable=True),
    sa.Column("revision_id", Id, nullable=True),
    sa.Column("status", sa.Text, nullable=True),
    sa.Column("unit_id", Id, sa.ForeignKey(unit.c.id), nullable=True),
    sa.Column("source_id", Id, nullable=True),
    sa.Column("created_by", Id, nullable=False),
    *times(),
    _one_of("status", STATUSES),
    unique_among_active(
        "parameter_project_id_parameter_type_id_parent_ids_key", "project_id", "parameter_type_id", "parent_ids"
    ),
    # The indexes of the largest lists include the columns that counts need.
    sa.Index("parameter_created_at_id_idx", "created_at", "id", postgresql_include=["project_id", "deleted_at"]),
    sa.Index("parameter_updated_at_id_idx", "updated_at", "id"),
    sa.Index(
        "parameter_project_id_created_at_id_idx", "project_id", "created_at", "id", postgresql_include=["deleted_at"]
    ),
    sa.Index("parameter_parameter_type_id_created_at_id_idx", "parameter_type_id", "created_at", "id"),
    sa.Index("parameter_source_id_created_at_id_idx", "source_id", "created_at", "id"),
    sa.Index("parameter_unit_id_created_at_id_idx", "unit_id", "created_at", "id"),
    sa.Index("parameter_status_created_at_id_idx", "status", "created_at", "id"),
    sa.Index("parameter_unanswered_idx", "created_at", "id", postgresql_where=sa.text("status IS NULL")),
    sa.Index("parameter_project_wide_idx", "created_at", "id", postgresql_where=sa.text("parent_ids = '{}'::uuid[]")),
    # Leaves room on the page, so that a new entry's version of the row needs no index entries.
    postgresql_with={"fillfactor": 85},
    schema=SCHEMA,
)

parameter_parent = sa.Table(
    "parameter_parent",
    metadata,
    # The content of `parent_ids`, from the assets' side.
    sa.Column("parameter_id", Id, sa.ForeignKey(parameter.c.id), primary_key=True),
    sa.Column("asset_id", Id, sa.ForeignKey(asset.c.id), primary_key=True),
    sa.Index("parameter_parent_asset_id_parameter_id_idx", "asset_id", "parameter_id"),
    schema=SCHEMA,
)

entry = sa.Table(
    "entry",
    metadata,
    id_column("entry_id"),
    sa.Column("parameter_id", Id, sa.ForeignKey(parameter.c.id), nullable=False),
    # The project of the parameter.
    sa.Column("project_id", Id, nullable=False),
    # The latest revision.
    sa.Column("revision_id", Id, nullable=False),
    *times(),
    unique_among_active("entry_parameter_id_key", "parameter_id"),
    sa.Index(
        "entry_created_at_entry_id_idx", "created_at", "entry_id", postgresql_include=["project_id", "deleted_at"]
    ),
    sa.Index("entry_updated_at_entry_id_idx", "updated_at", "entry_id"),
    sa.Index("entry_parameter_id_created_at_entry_id_idx", "parameter_id", "created_at", "entry_id"),
    schema=SCHEMA,
)

revision = sa.Table(
    "revision",
    metadata,
    id_column("revision_id"),
    sa.Column("entry_id", Id, sa.ForeignKey(entry.c.entry_id), nullable=False),
    # The project of the entry.
    sa.Column("project_id", Id, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    # A revision has exactly one value (guide/conventions.md, "Values and revisions").
    sa.Column("value_id", Id, nullable=False),
    sa.Column("value", JSON, nullable=False),
    sa.Column("unit_id", Id, sa.ForeignKey(unit.c.id), nullable=True),
    # A source of the reference data service.
    sa.Column("source_id", Id, nullable=False),
    sa.Column("comment", sa.Text, nullable=True),
    sa.Column("location_in_source", sa.Text, nullable=True),
    sa.Column("created_by", Id, nullable=False),
    # The latest review, which gave the status; NULL before the first.
    sa.Column("review_comment", sa.Text, nullable=True),
    sa.Column("reviewed_by", Id, nullable=True),
    sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
    *times()[:2],  # A revision is never deleted by itself.
    _one_of("status", STATUSES),
    sa.Index("revision_entry_id_created_at_revision_id_idx", "entry_id", "created_at", "revision_id"),
    sa.Index("revision_source_id_project_id_idx", "source_id", "project_id"),
    schema=SCHEMA,
)

parameter_set_category = sa.Table(
    "parameter_set_category",
    metadata,
    id_column(),
    key_text("name"),
    *times(),
    *_page_indexes("parameter_set_category", "created_at"),
    schema=SCHEMA,
)

parameter_set_type = sa.Table(
    "parameter_set_type",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("parameter_set_category_id", Id, sa.ForeignKey(parameter_set_category.c.id), nullable=False),
    # Ids of item types, in the order in which they were added.
    sa.Column("item_type_ids", sa.ARRAY(Id), nullable=False),
    *times(),
    *_page_indexes("parameter_set_type", "created_at"),
    schema=SCHEMA,
)

parameter_set = sa.Table(
    "parameter_set",
    metadata,
    id_column(),
    key_text("name"),
    sa.Column("parameter_set_type_id", Id, sa.ForeignKey(parameter_set_type.c.id), nullable=False),
    sa.Column("project_id", Id, nullable=False),
    sa.Column("asset_id", Id, sa.ForeignKey(asset.c.id), nullable=False),
    *times(),
    *_page_indexes("parameter_set", "created_at"),
    sa.Index("parameter_set_parameter_set_type_id_created_at_id_idx", "parameter_set_type_id", "created_at", "id"),
    schema=SCHEMA,
)

# Views of other services. They have deleted rows too: an object that refers to a deleted source continues to show the
# source.
known_source = sa.table(
    "known_source",
    *(sa.column(name, Id) for name in ("id", "source_type_id", "reference_id", *TIES)),
    *(
        sa.column(name, sa.Text)
        for name in (
            "title",
            "reference",
            "url",
            "date_day",
            "date_month",
            "date_year",
            "time",
            "reference_table",
            "reference_url",
            "scope",
        )
    ),
    *(sa.column(name, sa.DateTime(timezone=True)) for name in ("created_at", "updated_at", "deleted_at")),
    schema="reference",
)
known_source_type = sa.table(
    "known_source_type",
    sa.column("id", Id),
    sa.column("name", sa.Text),
    sa.column("visible", sa.Boolean),
    *(sa.column(name, sa.DateTime(timezone=True)) for name in ("created_at", "updated_at", "deleted_at")),
    schema="reference",
)
tagged = sa.table(
    "tagged",
    *(sa.column(name, Id) for name in ("tag_id", "reference_id", "tag_scope")),
    schema="metadata",
)
"""The active links of tags; `tag_scope` is the project of the tag, NULL for a global one."""
