"""Generated from catenary/parameter/v1/parameter.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_sub_type_shapes
from catenary.parameter.v1 import asset_type_group_shapes
from catenary.parameter.v1 import entry_shapes
from catenary.parameter.v1 import parameter_type_shapes
from catenary.type.v1 import creator_shapes

Parameter = TypedDict('Parameter', {
    'id': 'str',
    'project_id': 'str',
    'parents': 'list[ParameterParent]',
    'parameter_type': 'parameter_type_shapes.ParameterType | None',
    'created_by': 'creator_shapes.Creator | None',
    'selected_entry': 'entry_shapes.SelectedEntry | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ParameterParent = TypedDict('ParameterParent', {
    'id': 'str',
    'project_id': 'str',
    'parent': 'str | None',
    'children': 'list[str]',
    'name': 'str',
    'asset_type': 'ParentAssetType | None',
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ParentAssetType = TypedDict('ParentAssetType', {
    'id': 'str',
    'name': 'str',
    'asset_type_group': 'asset_type_group_shapes.AssetTypeGroup | None',
    'parent_id': 'str | None',
    'asset_sub_type': 'bool',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
