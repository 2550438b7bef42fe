"""Generated from catenary/parameter/v1/item_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import item_type_shapes
from catenary.type.v1 import paging_shapes

ListItemTypesRequest = TypedDict('ListItemTypesRequest', {
    'item_type_id': 'list[str]',
    'parameter_type_id': 'list[str]',
    'asset_type_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
    'offset': 'int | None',
})

ListItemTypesResponse = TypedDict('ListItemTypesResponse', {
    'item_types': 'list[item_type_shapes.ItemType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateItemTypesRequest = TypedDict('CreateItemTypesRequest', {
    'item_types': 'list[NewItemType]',
})

CreateItemTypesResponse = TypedDict('CreateItemTypesResponse', {
    'item_types': 'list[item_type_shapes.ItemType]',
})

UpdateItemTypeRequest = TypedDict('UpdateItemTypeRequest', {
    'item_type_id': 'str',
    'parameter_type_id': 'str | None',
    'asset_type_id': 'str | None',
    'asset_sub_type_id': 'str | None',
    'update_mask': 'object',
})

UpdateItemTypeResponse = TypedDict('UpdateItemTypeResponse', {
    'item_type': 'item_type_shapes.ItemType | None',
})

DeleteItemTypeRequest = TypedDict('DeleteItemTypeRequest', {
    'item_type_id': 'str',
})

DeleteItemTypeResponse = TypedDict('DeleteItemTypeResponse', {
    'item_type': 'item_type_shapes.ItemType | None',
})

NewItemType = TypedDict('NewItemType', {
    'id': 'str | None',
    'parameter_type_id': 'str',
    'asset_type_id': 'str',
    'asset_sub_type_id': 'str | None',
})
