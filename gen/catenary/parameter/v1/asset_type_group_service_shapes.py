"""Generated from catenary/parameter/v1/asset_type_group_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_type_group_shapes
from catenary.type.v1 import paging_shapes

ListAssetTypeGroupsResponse = TypedDict('ListAssetTypeGroupsResponse', {
    'asset_type_groups': 'list[asset_type_group_shapes.AssetTypeGroup]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetTypeGroupsResponse = TypedDict('CreateAssetTypeGroupsResponse', {
    'asset_type_groups': 'list[asset_type_group_shapes.AssetTypeGroup]',
})

UpdateAssetTypeGroupResponse = TypedDict('UpdateAssetTypeGroupResponse', {
    'asset_type_group': 'asset_type_group_shapes.AssetTypeGroup | None',
})

DeleteAssetTypeGroupResponse = TypedDict('DeleteAssetTypeGroupResponse', {
    'asset_type_group': 'asset_type_group_shapes.AssetTypeGroup | None',
})

NewAssetTypeGroup = TypedDict('NewAssetTypeGroup', {
    'id': 'str | None',
    'name': 'str',
})
