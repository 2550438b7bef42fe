"""Generated from catenary/parameter/v1/parameter_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_shapes
from catenary.parameter.v1 import unit_type_shapes

ParameterType = TypedDict('ParameterType', {
    'id': 'str',
    'name': 'str',
    'data_type': 'str | None',
    'global_parameter': 'bool',
    'unit_type': 'unit_type_shapes.UnitTypeReference | None',
    'default_unit': 'unit_shapes.UnitReference | None',
    'units': 'list[unit_shapes.UnitReference]',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ParameterTypeReference = TypedDict('ParameterTypeReference', {
    'id': 'str',
    'name': 'str',
    'data_type': 'str | None',
    'global_parameter': 'bool',
})
