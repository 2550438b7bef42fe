"""Generated from catenary/parameter/v1/item_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import item_type_shapes
from catenary.type.v1 import paging_shapes

ListItemTypesResponse = TypedDict('ListItemTypesResponse', {
    'item_types': 'list[item_type_shapes.ItemType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateItemTypesResponse = TypedDict('CreateItemTypesResponse', {
    'item_types': 'list[item_type_shapes.ItemType]',
})

UpdateItemTypeResponse = TypedDict('UpdateItemTypeResponse', {
    'item_type': 'item_type_shapes.ItemType | None',
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
