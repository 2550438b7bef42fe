"""Generated from catenary/parameter/v1/asset_sub_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_sub_type_shapes
from catenary.type.v1 import paging_shapes

ListAssetSubTypesRequest = TypedDict('ListAssetSubTypesRequest', {
    'asset_type_id': 'str',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListAssetSubTypesResponse = TypedDict('ListAssetSubTypesResponse', {
    'asset_sub_types': 'list[asset_sub_type_shapes.AssetSubType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetSubTypesRequest = TypedDict('CreateAssetSubTypesRequest', {
    'asset_type_id': 'str',
    'asset_sub_types': 'list[NewAssetSubType]',
})

CreateAssetSubTypesResponse = TypedDict('CreateAssetSubTypesResponse', {
    'asset_sub_types': 'list[asset_sub_type_shapes.AssetSubType]',
})

UpdateAssetSubTypeRequest = TypedDict('UpdateAssetSubTypeRequest', {
    'asset_type_id': 'str',
    'asset_sub_type_id': 'str',
    'name': 'str | None',
    'parent_asset_sub_type_id': 'str | None',
    'update_mask': 'object',
})

UpdateAssetSubTypeResponse = TypedDict('UpdateAssetSubTypeResponse', {
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
})

DeleteAssetSubTypeRequest = TypedDict('DeleteAssetSubTypeRequest', {
    'asset_type_id': 'str',
    'asset_sub_type_id': 'str',
})

DeleteAssetSubTypeResponse = TypedDict('DeleteAssetSubTypeResponse', {
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
})

NewAssetSubType = TypedDict('NewAssetSubType', {
    'id': 'str | None',
    'name': 'str',
    'parent_asset_sub_type_id': 'str | None',
})
