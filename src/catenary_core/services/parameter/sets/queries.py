"""The SQL of parameter sets, their types and categories."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.parameter.v1 import parameter_set_service_pb2
from catenary.parameter.v1.parameter_set_service_shapes import (
    ListParameterSetCategoriesResponse,
    ListParameterSetsResponse,
    ListParameterSetTypesResponse,
)
from catenary.parameter.v1.parameter_set_shapes import ParameterSet, ParameterSetCategory, ParameterSetType
from catenary_core.access import rights, visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import CLOCK, Id
from catenary_core.database.statements import Row, Statement
from catenary_core.resources.listing import Listing
from catenary_core.resources.resource import Resource
from catenary_core.services.parameter.embedded_queries import (
    asset_sub_type_object,
    asset_type_object,
    json_object,
    listed,
    parameter_type_object,
    rfc3339,
)
from catenary_core.services.parameter.filters import by_ids
from catenary_core.services.parameter.parameters import queries
from catenary_core.services.parameter.tables import (
    asset,
    asset_sub_type,
    asset_type,
    asset_type_group,
    item_type,
    parameter,
    parameter_parent,
    parameter_set,
    parameter_set_category,
    parameter_set_type,
)
from catenary_core.services.parameter.types.queries import item_type_from

_SERVICE = "parameter"
_BY_NAME = ("id", "created_at", "updated_at", "name")

_category_rows = sa.select(parameter_set_category)
CATEGORY: Resource[ParameterSetCategory] = Resource(
    service=_SERVICE,
    name="parameter_set_category",
    path=resource_path(parameter_set_service_pb2, "ListParameterSetCategories"),
    table=parameter_set_category,
    rows=_category_rows,
)
CATEGORIES: Listing[ListParameterSetCategoriesResponse] = Listing(
    key="parameter_set_categories",
    rows=_category_rows,
    sorts={name: parameter_set_category.c[name] for name in _BY_NAME},
    deleted_at=parameter_set_category.c.deleted_at,
)

_item = json_object(
    id=item_type.c.id,
    parameter_type=parameter_type_object,
    asset_type=asset_type_object(asset_type, asset_type_group),
    asset_sub_type=asset_sub_type_object(asset_sub_type),
    created_at=rfc3339(item_type.c.created_at),
    updated_at=rfc3339(item_type.c.updated_at),
    deleted_at=rfc3339(item_type.c.deleted_at),
)
_type_rows = sa.select(
    parameter_set_type.c.id,
    parameter_set_type.c.name,
    parameter_set_type.c.parameter_set_category_id,
    listed(
        _item,
        sa.func.array_position(parameter_set_type.c.item_type_ids, item_type.c.id),
        where=item_type.c.id == sa.any_(parameter_set_type.c.item_type_ids),
        of=item_type_from,
    ).label("items"),
    parameter_set_type.c.created_at,
    parameter_set_type.c.updated_at,
    parameter_set_type.c.deleted_at,
)
TYPE: Resource[ParameterSetType] = Resource(
    service=_SERVICE,
    name="parameter_set_type",
    path=resource_path(parameter_set_service_pb2, "ListParameterSetTypes"),
    table=parameter_set_type,
    rows=_type_rows,
)
TYPES: Listing[ListParameterSetTypesResponse] = Listing(
    key="parameter_set_types",
    rows=_type_rows,
    sorts={name: parameter_set_type.c[name] for name in _BY_NAME},
    deleted_at=parameter_set_type.c.deleted_at,
)
SET_ITEMS = Statement(
    sa.update(parameter_set_type)
    .where(parameter_set_type.c.id == sa.bindparam("id", type_=Id))
    .values(item_type_ids=sa.bindparam("item_type_ids", type_=sa.ARRAY(Id)), updated_at=CLOCK)
)
ADD_TYPE = Statement(
    sa.insert(parameter_set_type).values(
        {
            name: sa.bindparam(name, type_=parameter_set_type.c[name].type)
            for name in ("id", "name", "parameter_set_category_id", "item_type_ids")
        }
    )
)

_may_see = (visibility.visible(parameter_set.c.project_id),)
_set_rows = sa.select(parameter_set, visibility.confidential(parameter_set.c.project_id))
SET: Resource[ParameterSet] = Resource(
    service=_SERVICE,
    name="parameter_set",
    path=resource_path(parameter_set_service_pb2, "GetParameterSet"),
    table=parameter_set,
    rows=_set_rows,
    project="project_id",
    writer_role=rights.CONTENT,
    always=_may_see,
)
SETS: Listing[ListParameterSetsResponse] = Listing(
    key="parameter_sets",
    rows=_set_rows,
    sorts={name: parameter_set.c[name] for name in _BY_NAME},
    deleted_at=parameter_set.c.deleted_at,
    filters=by_ids("parameter_set_type_id", parameter_set.c.parameter_set_type_id),
    always=_may_see,
)

_asked = (
    sa.select(sa.literal_column("1"))
    .select_from(
        parameter_set.join(parameter_set_type, parameter_set_type.c.id == parameter_set.c.parameter_set_type_id)
        .join(item_type, item_type.c.id == sa.any_(parameter_set_type.c.item_type_ids))
        .join(asset, asset.c.id == parameter_set.c.asset_id)
    )
    .where(
        parameter_set.c.id == sa.bindparam("parameter_set_id", type_=Id),
        item_type.c.parameter_type_id == parameter.c.parameter_type_id,
        item_type.c.asset_type_id == asset.c.asset_type_id,
        sa.or_(item_type.c.asset_sub_type_id.is_(None), item_type.c.asset_sub_type_id == asset.c.asset_sub_type_id),
    )
    .correlate(parameter)
    .exists()
)
SET_PARAMETERS: Listing[Row] = Listing(
    key="parameter_set_parameters",
    rows=queries.ROWS,
    sorts={name: parameter.c[name] for name in ("id", "created_at", "updated_at")},
    deleted_at=parameter.c.deleted_at,
    always=(
        parameter.c.id.in_(
            sa.select(parameter_parent.c.parameter_id).where(
                parameter_parent.c.asset_id == sa.bindparam("asset_id", type_=Id)
            )
        ),
        _asked,
    ),
)
"""A set's parameters: those on its asset, of the types that the items of its set type ask for.

For callers that are known to see the set.
"""
