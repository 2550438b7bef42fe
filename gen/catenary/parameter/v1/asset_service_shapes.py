"""Generated from catenary/parameter/v1/asset_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_shapes
from catenary.type.v1 import paging_shapes

ListAssetsRequest = TypedDict('ListAssetsRequest', {
    'asset_id': 'list[str]',
    'project_id': 'list[str]',
    'asset_type_id': 'list[str]',
    'parent_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListAssetsResponse = TypedDict('ListAssetsResponse', {
    'assets': 'list[asset_shapes.Asset]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetsRequest = TypedDict('CreateAssetsRequest', {
    'assets': 'list[NewAsset]',
})

CreateAssetsResponse = TypedDict('CreateAssetsResponse', {
    'assets': 'list[asset_shapes.Asset]',
})

GetAssetRequest = TypedDict('GetAssetRequest', {
    'asset_id': 'str',
    'show_deleted': 'bool',
})

GetAssetResponse = TypedDict('GetAssetResponse', {
    'asset': 'asset_shapes.Asset | None',
})

UpdateAssetRequest = TypedDict('UpdateAssetRequest', {
    'asset_id': 'str',
    'name': 'str | None',
    'parent_id': 'str | None',
    'update_mask': 'object',
})

UpdateAssetResponse = TypedDict('UpdateAssetResponse', {
    'asset': 'asset_shapes.Asset | None',
})

DeleteAssetRequest = TypedDict('DeleteAssetRequest', {
    'asset_id': 'str',
})

DeleteAssetResponse = TypedDict('DeleteAssetResponse', {
    'asset': 'asset_shapes.Asset | None',
})

ListHierarchiesRequest = TypedDict('ListHierarchiesRequest', {
    'asset_ids': 'str',
})

ListHierarchiesResponse = TypedDict('ListHierarchiesResponse', {
    'hierarchies': 'list[list[asset_shapes.HierarchyElement]]',
})

GetAssetTreeRequest = TypedDict('GetAssetTreeRequest', {
    'asset_id': 'str',
})

GetAssetTreeResponse = TypedDict('GetAssetTreeResponse', {
    'asset_tree': 'asset_shapes.AssetTree | None',
})

NewAsset = TypedDict('NewAsset', {
    'id': 'str | None',
    'project_id': 'str',
    'parent_id': 'str | None',
    'name': 'str | None',
    'asset_type_id': 'str | None',
    'asset_sub_type_id': 'str | None',
})
