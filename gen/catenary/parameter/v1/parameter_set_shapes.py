"""Generated from catenary/parameter/v1/parameter_set.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_sub_type_shapes
from catenary.parameter.v1 import entry_shapes
from catenary.parameter.v1 import item_type_shapes
from catenary.parameter.v1 import parameter_type_shapes

ParameterSetCategory = TypedDict('ParameterSetCategory', {
    'id': 'str',
    'name': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ParameterSetType = TypedDict('ParameterSetType', {
    'id': 'str',
    'name': 'str',
    'parameter_set_category_id': 'str',
    'items': 'list[item_type_shapes.ItemType]',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ParameterSet = TypedDict('ParameterSet', {
    'id': 'str',
    'name': 'str',
    'parameter_set_type_id': 'str',
    'project_id': 'str',
    'asset_id': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ParameterSetParameter = TypedDict('ParameterSetParameter', {
    'id': 'str',
    'project_id': 'str',
    'parameter_type': 'parameter_type_shapes.ParameterTypeReference | None',
    'parents': 'list[ParameterSetParent]',
    'selected_entry': 'entry_shapes.SelectedEntry | None',
})

ParameterSetParent = TypedDict('ParameterSetParent', {
    'id': 'str',
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
    'children': 'list[str]',
    'name': 'str',
    'parent': 'str | None',
    'asset_type': 'ParameterSetAssetType | None',
})

ParameterSetAssetType = TypedDict('ParameterSetAssetType', {
    'id': 'str',
    'name': 'str',
    'parent_id': 'str | None',
})
