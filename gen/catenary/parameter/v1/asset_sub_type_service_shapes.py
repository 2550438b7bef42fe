"""Generated from catenary/parameter/v1/asset_sub_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_sub_type_shapes
from catenary.type.v1 import paging_shapes

ListAssetSubTypesResponse = TypedDict('ListAssetSubTypesResponse', {
    'asset_sub_types': 'list[asset_sub_type_shapes.AssetSubType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetSubTypesResponse = TypedDict('CreateAssetSubTypesResponse', {
    'asset_sub_types': 'list[asset_sub_type_shapes.AssetSubType]',
})

UpdateAssetSubTypeResponse = TypedDict('UpdateAssetSubTypeResponse', {
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
})

DeleteAssetSubTypeResponse = TypedDict('DeleteAssetSubTypeResponse', {
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
})

NewAssetSubType = TypedDict('NewAssetSubType', {
    'id': 'str | None',
    'name': 'str',
    'parent_asset_sub_type_id': 'str | None',
})
