"""The SQL of asset type groups, asset types, sub types, parameter types and item types."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.parameter.v1 import (
    asset_sub_type_service_pb2,
    asset_type_group_service_pb2,
    asset_type_service_pb2,
    item_type_service_pb2,
    parameter_type_service_pb2,
)
from catenary.parameter.v1.asset_sub_type_service_shapes import ListAssetSubTypesResponse
from catenary.parameter.v1.asset_sub_type_shapes import AssetSubType
from catenary.parameter.v1.asset_type_group_service_shapes import ListAssetTypeGroupsResponse
from catenary.parameter.v1.asset_type_group_shapes import AssetTypeGroup
from catenary.parameter.v1.asset_type_service_shapes import ListAssetTypesResponse
from catenary.parameter.v1.asset_type_shapes import AssetType
from catenary.parameter.v1.item_type_service_shapes import ListItemTypesResponse
from catenary.parameter.v1.item_type_shapes import ItemType
from catenary.parameter.v1.parameter_type_service_shapes import ListParameterTypesResponse
from catenary.parameter.v1.parameter_type_shapes import ParameterType
from catenary_core.access import visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import Id
from catenary_core.database.statements import Statement, contains_search
from catenary_core.resources.listing import Listing
from catenary_core.resources.resource import Resource
from catenary_core.services.parameter.embedded_queries import (
    asset_sub_type_object,
    asset_type_from,
    asset_type_object,
    group_object,
    parameter_type_fields,
    parameter_type_from,
    parameter_type_object,
)
from catenary_core.services.parameter.filters import ids
from catenary_core.services.parameter.tables import (
    asset,
    asset_sub_type,
    asset_type,
    asset_type_group,
    catalogue,
    item_type,
    parameter,
    parameter_parent,
    parameter_type,
    unit,
)

_SERVICE = "parameter"
_BY_NAME = ("id", "created_at", "updated_at", "name")

_group_rows = sa.select(asset_type_group)
ASSET_TYPE_GROUP: Resource[AssetTypeGroup] = Resource(
    service=_SERVICE,
    name="asset_type_group",
    path=resource_path(asset_type_group_service_pb2, "ListAssetTypeGroups"),
    table=asset_type_group,
    rows=_group_rows,
    unique=("name",),
)
ASSET_TYPE_GROUPS: Listing[ListAssetTypeGroupsResponse] = Listing(
    key="asset_type_groups",
    rows=_group_rows,
    sorts={name: asset_type_group.c[name] for name in _BY_NAME},
    deleted_at=asset_type_group.c.deleted_at,
    filters={"asset_type_group_id": asset_type_group.c.id == sa.any_(ids("asset_type_group_id"))},
)

_asset_type_rows = sa.select(
    asset_type.c.id,
    asset_type.c.name,
    group_object(asset_type_group).label("asset_type_group"),
    asset_type.c.parent_id,
    asset_type.c.asset_sub_type,
    asset_type.c.created_at,
    asset_type.c.updated_at,
    asset_type.c.deleted_at,
).select_from(asset_type_from)
ASSET_TYPE: Resource[AssetType] = Resource(
    service=_SERVICE,
    name="asset_type",
    path=resource_path(asset_type_service_pb2, "ListAssetTypes"),
    table=asset_type,
    rows=_asset_type_rows,
    unique=("name", "asset_type_group_id", "parent_id"),
)
_used_in_projects = sa.exists().where(
    asset.c.asset_type_id == asset_type.c.id,
    asset.c.project_id == sa.any_(ids("project_id")),
    asset.c.deleted_at.is_(None),
    visibility.visible(asset.c.project_id),
)
_used_below_assets = sa.exists().where(
    asset.c.asset_type_id == asset_type.c.id,
    asset.c.parent_id == sa.any_(ids("parent_asset_id")),
    asset.c.deleted_at.is_(None),
    visibility.visible(asset.c.project_id),
)
ASSET_TYPES: Listing[ListAssetTypesResponse] = Listing(
    key="asset_types",
    rows=_asset_type_rows,
    sorts={name: asset_type.c[name] for name in _BY_NAME},
    deleted_at=asset_type.c.deleted_at,
    filters={
        "asset_type_id": asset_type.c.id == sa.any_(ids("asset_type_id")),
        "asset_type_group_id": asset_type.c.asset_type_group_id == sa.any_(ids("asset_type_group_id")),
        "project_id": _used_in_projects,
        "parent_asset_id": _used_below_assets,
    },
)

_below = (
    sa.select(asset_type.c.id)
    .where(asset_type.c.id == sa.bindparam("id", type_=Id), asset_type.c.deleted_at.is_(None))
    .cte("below", recursive=True)
)
_below = _below.union(
    sa.select(asset_type.c.id).where(asset_type.c.parent_id == _below.c.id, asset_type.c.deleted_at.is_(None))
)
ASSET_TYPE_TREE = Statement(
    _asset_type_rows.where(asset_type.c.id.in_(sa.select(_below.c.id))).order_by(asset_type.c.name, asset_type.c.id)
)
"""An active asset type and its active descendants, by name; no row without the type."""

PARENTS_OF_TYPES = Statement(
    sa.select(asset_type.c.id, asset_type.c.parent_id).where(asset_type.c.deleted_at.is_(None))
)
PARENTS_OF_SUB_TYPES = Statement(
    sa.select(asset_sub_type.c.id, asset_sub_type.c.parent_asset_sub_type_id.label("parent_id")).where(
        asset_sub_type.c.asset_type_id == sa.bindparam("asset_type_id", type_=Id),
        asset_sub_type.c.deleted_at.is_(None),
    )
)
"""An asset type's active sub types, each with its parent, to check a new parent against."""

TYPES_OF_SUB_TYPES = Statement(
    sa.select(asset_sub_type.c.id, asset_sub_type.c.asset_type_id).where(
        asset_sub_type.c.id == sa.any_(ids("ids")), asset_sub_type.c.deleted_at.is_(None)
    )
)
"""The active sub types among `ids`, each with its asset type."""

_sub_type_rows = sa.select(
    asset_sub_type.c.id,
    asset_sub_type.c.name,
    asset_sub_type.c.asset_type_id,
    asset_sub_type.c.parent_asset_sub_type_id,
    asset_sub_type.c.created_at,
    asset_sub_type.c.updated_at,
    asset_sub_type.c.deleted_at,
)
_of_type = asset_sub_type.c.asset_type_id == sa.bindparam("asset_type_id", type_=Id)
ASSET_SUB_TYPE: Resource[AssetSubType] = Resource(
    service=_SERVICE,
    name="asset_sub_type",
    path=resource_path(asset_sub_type_service_pb2, "ListAssetSubTypes"),
    table=asset_sub_type,
    rows=_sub_type_rows,
    unique=("name", "asset_type_id"),
    always=(_of_type,),
)
ASSET_SUB_TYPES: Listing[ListAssetSubTypesResponse] = Listing(
    key="asset_sub_types",
    rows=_sub_type_rows,
    sorts={name: asset_sub_type.c[name] for name in _BY_NAME},
    deleted_at=asset_sub_type.c.deleted_at,
    always=(_of_type,),
)

_parameter_type_rows = sa.select(
    *(value.label(name) for name, value in parameter_type_fields.items()),
    parameter_type.c.created_at,
    parameter_type.c.updated_at,
    parameter_type.c.deleted_at,
).select_from(parameter_type_from)
PARAMETER_TYPE: Resource[ParameterType] = Resource(
    service=_SERVICE,
    name="parameter_type",
    path=resource_path(parameter_type_service_pb2, "ListParameterTypes"),
    table=parameter_type,
    rows=_parameter_type_rows,
    unique=("name", "unit_type_id"),
)
_of_asset_types = sa.select(item_type.c.parameter_type_id).where(
    item_type.c.asset_type_id == sa.any_(ids("asset_type_id")), item_type.c.deleted_at.is_(None)
)
_not_asset, _not_project = (sa.bindparam(name, type_=Id) for name in ("not_asset_id", "not_project_id"))
_known = sa.and_(parameter.c.parameter_type_id == parameter_type.c.id, parameter.c.deleted_at.is_(None))
_asset_without = sa.and_(
    sa.exists().where(asset.c.id == _not_asset, asset.c.deleted_at.is_(None), visibility.visible(asset.c.project_id)),
    ~sa.exists().where(
        _known, parameter_parent.c.parameter_id == parameter.c.id, parameter_parent.c.asset_id == _not_asset
    ),
)
"""The caller sees the asset, and none of its parameters has the type."""
_project_without = sa.and_(
    sa.exists().where(
        visibility.active_project.c.project_id == _not_project,
        visibility.visible(visibility.active_project.c.project_id),
    ),
    ~sa.exists().where(_known, parameter.c.project_id == _not_project),
)
"""The caller sees the project, and none of its parameters has the type."""
PARAMETER_TYPES: Listing[ListParameterTypesResponse] = Listing(
    key="parameter_types",
    rows=_parameter_type_rows,
    sorts={name: parameter_type.c[name] for name in _BY_NAME},
    deleted_at=parameter_type.c.deleted_at,
    filters={
        "parameter_type_id": parameter_type.c.id == sa.any_(ids("parameter_type_id")),
        "asset_type_id": parameter_type.c.id.in_(_of_asset_types),
        "not_asset_id": _asset_without,
        "not_project_id": _project_without,
        "search": contains_search(parameter_type.c.name),
    },
)

item_type_from = (
    item_type.join(parameter_type_from, parameter_type.c.id == item_type.c.parameter_type_id)
    .join(asset_type_from, asset_type.c.id == item_type.c.asset_type_id)
    .outerjoin(asset_sub_type, asset_sub_type.c.id == item_type.c.asset_sub_type_id)
)
item_type_rows = sa.select(
    item_type.c.id,
    parameter_type_object.label("parameter_type"),
    asset_type_object(asset_type, asset_type_group).label("asset_type"),
    asset_sub_type_object(asset_sub_type).label("asset_sub_type"),
    item_type.c.created_at,
    item_type.c.updated_at,
    item_type.c.deleted_at,
).select_from(item_type_from)
ITEM_TYPE: Resource[ItemType] = Resource(
    service=_SERVICE,
    name="item_type",
    path=resource_path(item_type_service_pb2, "ListItemTypes"),
    table=item_type,
    rows=item_type_rows,
    unique=("parameter_type_id", "asset_type_id", "asset_sub_type_id"),
)
ITEM_TYPES: Listing[ListItemTypesResponse] = Listing(
    key="item_types",
    rows=item_type_rows,
    sorts={name: item_type.c[name] for name in ("id", "created_at", "updated_at")},
    deleted_at=item_type.c.deleted_at,
    filters={
        "item_type_id": item_type.c.id == sa.any_(ids("item_type_id")),
        "parameter_type_id": item_type.c.parameter_type_id == sa.any_(ids("parameter_type_id")),
        "asset_type_id": item_type.c.asset_type_id == sa.any_(ids("asset_type_id")),
    },
)

version_column = sa.select(catalogue.c.version).scalar_subquery().label("catalogue_version")
"""The version of the types and units in a statement's snapshot."""
CATALOGUE_VERSION = Statement(sa.select(version_column))
# The rows of the nodes' cache (`known_types`), also deleted ones.
KNOWN_PARAMETER_TYPES = Statement(PARAMETER_TYPE.rows)
KNOWN_UNITS = Statement(
    sa.select(
        unit.c.id,
        unit.c.symbol,
        unit.c.unit_type_id,
        unit.c.unit_system_id,
        unit.c.deleted_at.is_(None).label("active"),
    )
)
KNOWN_ASSET_TYPES = Statement(ASSET_TYPE.rows)
KNOWN_ASSET_SUB_TYPES = Statement(
    sa.select(
        asset_sub_type.c.id,
        asset_sub_type.c.name,
        asset_sub_type.c.asset_type_id,
        asset_sub_type.c.parent_asset_sub_type_id,
        asset_sub_type.c.created_at,
        asset_sub_type.c.updated_at,
        asset_sub_type.c.deleted_at,
    )
)
