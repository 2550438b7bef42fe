"""The SQL of assets: rows, hierarchies and trees."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary.parameter.v1 import asset_service_pb2
from catenary.parameter.v1.asset_service_shapes import ListAssetsResponse
from catenary.parameter.v1.asset_shapes import Asset
from catenary_core.access import rights, visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import DELETED, Id
from catenary_core.database.statements import Statement, contains_search
from catenary_core.resources.listing import Listing, Probe
from catenary_core.resources.resource import Resource
from catenary_core.services.parameter.embedded_queries import (
    asset_sub_type_object,
    asset_type_from,
    asset_type_object,
    listed,
)
from catenary_core.services.parameter.filters import by_ids, ids
from catenary_core.services.parameter.tables import asset, asset_sub_type, asset_type, asset_type_group

_visible = visibility.visible(asset.c.project_id)
_child = asset.alias("child")


def children_of(asset_id: ColumnElement[Any]) -> ColumnElement[Any]:
    """Build the array of the ids of an asset's active children, oldest first."""
    below = sa.and_(_child.c.parent_id == asset_id, _child.c.deleted_at.is_(None))
    return listed(_child.c.id, _child.c.created_at, _child.c.id, where=below)


_start = (
    asset.c.id,
    asset.c.project_id,
    asset.c.parent_id.label("parent"),
    visibility.confidential(asset.c.project_id),
)
_end = (
    asset.c.name,
    asset_type_object(asset_type, asset_type_group).label("asset_type"),
    asset_sub_type_object(asset_sub_type).label("asset_sub_type"),
    asset.c.created_at,
    asset.c.updated_at,
    asset.c.deleted_at,
)
_from = asset.join(asset_type_from, asset_type.c.id == asset.c.asset_type_id).outerjoin(
    asset_sub_type, asset_sub_type.c.id == asset.c.asset_sub_type_id
)
_rows = sa.select(*_start, children_of(asset.c.id).label("children"), *_end).select_from(_from)

ASSET: Resource[Asset] = Resource(
    service="parameter",
    name="asset",
    path=resource_path(asset_service_pb2, "GetAsset"),
    table=asset,
    rows=_rows,
    project="project_id",
    writer_role=rights.CONTENT,
    always=(_visible,),
)
# The planner overestimates the size of a tree's level; OFFSET 0 makes it look up each row by an index.
_no_offset: ColumnElement[Any] = sa.literal_column("0")
_child_ids = sa.select(_child.c.id).where(_child.c.parent_id == sa.any_(ids("descendants_of")))
_descendants = _child_ids.cte("descendant", recursive=True)
_next_children = (
    sa.select(_child.c.id).where(_child.c.parent_id == _descendants.c.id).offset(_no_offset).lateral("next_child")
)
# Deleted rows too, for `show_deleted`: an active asset has no deleted ancestor.
_descendants = _descendants.union(
    sa.select(_next_children.c.id).select_from(_descendants.join(_next_children, sa.true()))
)
ASSETS: Listing[ListAssetsResponse] = Listing(
    key="assets",
    rows=_rows,
    sorts={name: asset.c[name] for name in ("id", "created_at", "updated_at", "name")},
    deleted_at=asset.c.deleted_at,
    filters={
        "asset_id": asset.c.id == sa.any_(ids("asset_id")),
        **by_ids("project_id", asset.c.project_id),
        **by_ids("asset_type_id", asset.c.asset_type_id),
        **by_ids("parent_id", asset.c.parent_id),
        "descendants_of": asset.c.id.in_(sa.select(_descendants.c.id)),
        "search": contains_search(asset.c.name),
    },
    always=(visibility.visible_of_many(asset.c.project_id),),
    counted=asset,
    probes={"descendants_of": Probe(asset.c.id, sa.select(_descendants.c.id))},
)

PROJECT_OF = Statement(
    sa.select(asset.c.project_id, rights.kept(asset.c.project_id)).where(
        asset.c.id == sa.bindparam("id", type_=Id), asset.c.deleted_at.is_(None), _visible
    )
)
"""The project of an active asset that the caller may see, for `rights.check`."""

_top = (
    sa.select(asset.c.id)
    .where(asset.c.id == sa.bindparam("id", type_=Id), asset.c.deleted_at.is_(None), _visible)
    .cte("below", recursive=True)
)
_next = (
    sa.select(asset.c.id)
    .where(asset.c.parent_id == _top.c.id, asset.c.deleted_at.is_(None))
    .offset(_no_offset)
    .lateral("next")
)
_below = _top.union_all(sa.select(_next.c.id).select_from(_top.join(_next, sa.true())))
TREE = Statement(
    sa.select(*_start, *_end)
    .select_from(_from)
    .where(asset.c.id.in_(sa.select(_below.c.id)))
    .order_by(asset.c.created_at, asset.c.id)
)
"""An active asset and its active descendants, oldest first; no row without the asset."""

_path = (
    sa.select(
        asset.c.id.label("of_id"),
        sa.literal_column("0").label("level"),
        asset.c.id,
        asset.c.parent_id,
        asset.c.name,
        asset.c.asset_type_id,
    )
    .where(asset.c.id == sa.any_(ids("ids")), asset.c.deleted_at.is_(None), _visible)
    .cte("way", recursive=True)
)
_up = sa.select(asset).where(asset.c.id == _path.c.parent_id).offset(_no_offset).lateral("up")
_above = _path.union_all(
    sa.select(_path.c.of_id, _path.c.level + 1, _up.c.id, _up.c.parent_id, _up.c.name, _up.c.asset_type_id).select_from(
        _path.join(_up, sa.true())
    )
)
_of = asset.alias("of_asset")
PATHS = Statement(
    sa.select(
        _above.c.of_id, _above.c.id, _above.c.name, _above.c.asset_type_id, visibility.confidential(_of.c.project_id)
    )
    .select_from(_above.join(_of, _of.c.id == _above.c.of_id))
    .order_by(_above.c.of_id, _above.c.level.desc())
)
"""The path to each active asset of `ids` that the caller may see, from the root to the asset."""

NAMED_TYPES = Statement(
    sa.select(asset_type.c.id, asset_type.c.asset_sub_type).where(
        asset_type.c.id == sa.any_(ids("ids")), asset_type.c.deleted_at.is_(None)
    )
)
NAMED_SUB_TYPES = Statement(
    sa.select(
        asset_sub_type.c.id,
        asset_sub_type.c.name,
        asset_sub_type.c.asset_type_id,
        asset_type.c.asset_sub_type.label("taken"),
    )
    .select_from(asset_sub_type.join(asset_type, asset_type.c.id == asset_sub_type.c.asset_type_id))
    .where(
        asset_sub_type.c.deleted_at.is_(None),
        asset_type.c.deleted_at.is_(None),
        sa.or_(
            asset_sub_type.c.id == sa.any_(ids("ids")),
            asset_sub_type.c.asset_type_id == sa.any_(ids("type_ids")),
        ),
    )
)
"""The active sub types among `ids`, and those of the asset types `type_ids`; `taken` where the type has sub types."""
PARENTS = Statement(
    sa.select(asset.c.id, asset.c.project_id, sa.func.count().label("levels"))
    .select_from(asset.join(_above, _above.c.of_id == asset.c.id))
    .group_by(asset.c.id, asset.c.project_id)
)
"""Project and depth (1 for a root) of each active asset of `ids` that the caller may see."""
IN_PROJECT = Statement(
    sa.select(asset.c.id, asset.c.parent_id).where(
        asset.c.project_id == sa.bindparam("project_id", type_=Id), asset.c.deleted_at.is_(None)
    )
)
"""The active assets of a project, each with its parent."""

EQUAL = Statement(
    sa.text(
        """
        SELECT DISTINCT g.place - 1 AS index
          FROM unnest(:project_ids, :parent_ids, :type_ids, :names) WITH ORDINALITY
               AS g (project_id, parent_id, asset_type_id, name, place)
          JOIN parameter.asset a ON a.project_id = g.project_id AND a.asset_type_id = g.asset_type_id
           AND a.name = g.name AND a.parent_id IS NOT DISTINCT FROM g.parent_id AND a.deleted_at IS NULL
         ORDER BY index
        """
    ).bindparams(ids("project_ids"), ids("parent_ids"), ids("type_ids"), sa.bindparam("names", type_=sa.ARRAY(sa.Text)))
)
"""The positions of the given assets that equal an active one in project, parent, type and name."""

_deleted = sa.select(_below.c.id).cte("gone")
DELETE_BELOW = Statement(
    sa.update(asset).where(asset.c.id.in_(sa.select(_deleted.c.id))).values(DELETED).returning(asset.c.id)
)
"""Delete an asset and its descendants; return their ids."""

# unnest returns rows in the array's order, so that locks are taken in the order of the names.
_names = sa.func.unnest(sa.bindparam("names", type_=sa.ARRAY(sa.Text))).column_valued("name")
_key = sa.func.hashtextextended(_names, 0)
HOLD_ALONE = Statement(sa.select(sa.func.pg_advisory_xact_lock(_key)))
HOLD_SHARED = Statement(sa.select(sa.func.pg_advisory_xact_lock_shared(_key)))
"""Wait for the advisory locks `names`, exclusive (HOLD_ALONE) or shared.

`locks` defines the names, for objects that aren't one row.
"""

HOLD_PARENTS = Statement(
    sa.select(asset.c.id).where(asset.c.id == sa.any_(ids("ids"))).order_by(asset.c.id).with_for_update(key_share=True)
)
"""Lock assets, so that their children are counted and added by one writer at a time."""
COUNT_CHILDREN = Statement(
    sa.select(asset.c.parent_id, sa.func.count().label("n"))
    .where(asset.c.parent_id == sa.any_(ids("ids")), asset.c.deleted_at.is_(None))
    .group_by(asset.c.parent_id)
)
"""The number of active children of each asset."""
