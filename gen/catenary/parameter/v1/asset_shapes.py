"""Generated from catenary/parameter/v1/asset.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_sub_type_shapes
from catenary.parameter.v1 import asset_type_shapes

Asset = TypedDict('Asset', {
    'id': 'str',
    'project_id': 'str',
    'parent': 'str | None',
    'children': 'list[str]',
    'name': 'str',
    'asset_type': 'asset_type_shapes.AssetType | None',
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

AssetTree = TypedDict('AssetTree', {
    'id': 'str',
    'project_id': 'str',
    'parent': 'str | None',
    'name': 'str',
    'asset_type': 'asset_type_shapes.AssetType | None',
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
    'children': 'list[AssetTree]',
})

HierarchyElement = TypedDict('HierarchyElement', {
    'id': 'str',
    'name': 'str',
    'asset_type_id': 'str',
})

Hierarchy = TypedDict('Hierarchy', {
    'elements': 'list[HierarchyElement]',
})
