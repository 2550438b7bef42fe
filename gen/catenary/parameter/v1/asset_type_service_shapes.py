"""Generated from catenary/parameter/v1/asset_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_type_shapes
from catenary.type.v1 import paging_shapes

ListAssetTypesRequest = TypedDict('ListAssetTypesRequest', {
    'asset_type_id': 'list[str]',
    'asset_type_group_id': 'list[str]',
    'project_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListAssetTypesResponse = TypedDict('ListAssetTypesResponse', {
    'asset_types': 'list[asset_type_shapes.AssetType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetTypesRequest = TypedDict('CreateAssetTypesRequest', {
    'asset_types': 'list[NewAssetType]',
})

CreateAssetTypesResponse = TypedDict('CreateAssetTypesResponse', {
    'asset_types': 'list[asset_type_shapes.AssetType]',
})

UpdateAssetTypeRequest = TypedDict('UpdateAssetTypeRequest', {
    'asset_type_id': 'str',
    'name': 'str | None',
    'asset_type_group_id': 'str | None',
    'parent_id': 'str | None',
    'asset_sub_type': 'bool | None',
    'update_mask': 'object',
})

UpdateAssetTypeResponse = TypedDict('UpdateAssetTypeResponse', {
    'asset_type': 'asset_type_shapes.AssetType | None',
})

DeleteAssetTypeRequest = TypedDict('DeleteAssetTypeRequest', {
    'asset_type_id': 'str',
})

DeleteAssetTypeResponse = TypedDict('DeleteAssetTypeResponse', {
    'asset_type': 'asset_type_shapes.AssetType | None',
})

GetAssetTypeTreeRequest = TypedDict('GetAssetTypeTreeRequest', {
    'asset_type_id': 'str',
})

GetAssetTypeTreeResponse = TypedDict('GetAssetTypeTreeResponse', {
    'asset_type_tree': 'asset_type_shapes.AssetTypeTree | None',
})

NewAssetType = TypedDict('NewAssetType', {
    'id': 'str | None',
    'name': 'str',
    'asset_type_group_id': 'str',
    'parent_id': 'str | None',
    'asset_sub_type': 'bool | None',
})
