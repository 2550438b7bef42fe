"""Generated from catenary/parameter/v1/item_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import asset_sub_type_shapes
from catenary.parameter.v1 import asset_type_shapes
from catenary.parameter.v1 import parameter_type_shapes

ItemType = TypedDict('ItemType', {
    'id': 'str',
    'parameter_type': 'parameter_type_shapes.ParameterType | None',
    'asset_type': 'asset_type_shapes.AssetType | None',
    'asset_sub_type': 'asset_sub_type_shapes.AssetSubType | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
