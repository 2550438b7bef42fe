"""Generated from catenary/parameter/v1/asset_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_type_group_shapes

AssetType = TypedDict('AssetType', {
    'id': 'str',
    'name': 'str',
    'asset_type_group': 'asset_type_group_shapes.AssetTypeGroup | None',
    'parent_id': 'str | None',
    'asset_sub_type': 'bool',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

AssetTypeTree = TypedDict('AssetTypeTree', {
    'id': 'str',
    'name': 'str',
    'asset_type_group': 'asset_type_group_shapes.AssetTypeGroup | None',
    'parent_id': 'str | None',
    'asset_sub_type': 'bool',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
    'children': 'list[AssetTypeTree]',
})
