"""Generated from catenary/parameter/v1/asset_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_type_shapes
from catenary.type.v1 import paging_shapes

ListAssetTypesResponse = TypedDict('ListAssetTypesResponse', {
    'asset_types': 'list[asset_type_shapes.AssetType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetTypesResponse = TypedDict('CreateAssetTypesResponse', {
    'asset_types': 'list[asset_type_shapes.AssetType]',
})

UpdateAssetTypeResponse = TypedDict('UpdateAssetTypeResponse', {
    'asset_type': 'asset_type_shapes.AssetType | None',
})

DeleteAssetTypeResponse = TypedDict('DeleteAssetTypeResponse', {
    'asset_type': 'asset_type_shapes.AssetType | None',
})

GetAssetTypeTreeResponse = TypedDict('GetAssetTypeTreeResponse', {
    'asset_type_tree': 'asset_type_shapes.AssetTypeTree | None',
})

NewAssetType = TypedDict('NewAssetType', {
    'id': 'str | None',
    'name': 'str',
    'asset_type_group_id': 'str | None',
    'parent_id': 'str | None',
    'asset_sub_type': 'bool | None',
})
