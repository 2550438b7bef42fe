"""Generated from catenary/parameter/v1/asset_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_shapes
from catenary.type.v1 import paging_shapes

ListAssetsResponse = TypedDict('ListAssetsResponse', {
    'assets': 'list[asset_shapes.Asset]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateAssetsResponse = TypedDict('CreateAssetsResponse', {
    'assets': 'list[asset_shapes.Asset]',
})

GetAssetResponse = TypedDict('GetAssetResponse', {
    'asset': 'asset_shapes.Asset | None',
})

UpdateAssetResponse = TypedDict('UpdateAssetResponse', {
    'asset': 'asset_shapes.Asset | None',
})

DeleteAssetResponse = TypedDict('DeleteAssetResponse', {
    'asset': 'asset_shapes.Asset | None',
})

ListHierarchiesResponse = TypedDict('ListHierarchiesResponse', {
    'hierarchies': 'list[list[asset_shapes.HierarchyElement]]',
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
