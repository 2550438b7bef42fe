"""Generated from catenary/parameter/v1/asset_type_group_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_type_group_shapes
from catenary.type.v1 import paging_shapes

ListAssetTypeGroupsRequest = TypedDict('ListAssetTypeGroupsRequest', {
    'asset_type_group_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListAssetTypeGroupsResponse = TypedDict('ListAssetTypeGroupsResponse', {
    'asset_type_groups': 'list[asset_type_group_shapes.AssetTypeGroup]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetTypeGroupsRequest = TypedDict('CreateAssetTypeGroupsRequest', {
    'asset_type_groups': 'list[NewAssetTypeGroup]',
})

CreateAssetTypeGroupsResponse = TypedDict('CreateAssetTypeGroupsResponse', {
    'asset_type_groups': 'list[asset_type_group_shapes.AssetTypeGroup]',
})

UpdateAssetTypeGroupRequest = TypedDict('UpdateAssetTypeGroupRequest', {
    'asset_type_group_id': 'str',
    'name': 'str | None',
    'update_mask': 'object',
})

UpdateAssetTypeGroupResponse = TypedDict('UpdateAssetTypeGroupResponse', {
    'asset_type_group': 'asset_type_group_shapes.AssetTypeGroup | None',
})

DeleteAssetTypeGroupRequest = TypedDict('DeleteAssetTypeGroupRequest', {
    'asset_type_group_id': 'str',
})

DeleteAssetTypeGroupResponse = TypedDict('DeleteAssetTypeGroupResponse', {
    'asset_type_group': 'asset_type_group_shapes.AssetTypeGroup | None',
})

NewAssetTypeGroup = TypedDict('NewAssetTypeGroup', {
    'id': 'str | None',
    'name': 'str',
})
