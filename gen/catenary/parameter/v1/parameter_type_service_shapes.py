"""Generated from catenary/parameter/v1/parameter_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import parameter_type_shapes
from catenary.type.v1 import paging_shapes

ListParameterTypesResponse = TypedDict('ListParameterTypesResponse', {
    'parameter_types': 'list[parameter_type_shapes.ParameterType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterTypesResponse = TypedDict('CreateParameterTypesResponse', {
    'parameter_types': 'list[parameter_type_shapes.ParameterType]',
})

UpdateParameterTypeResponse = TypedDict('UpdateParameterTypeResponse', {
    'parameter_type': 'parameter_type_shapes.ParameterType | None',
})

DeleteParameterTypeResponse = TypedDict('DeleteParameterTypeResponse', {
    'parameter_type': 'parameter_type_shapes.ParameterType | None',
})

NewParameterType = TypedDict('NewParameterType', {
    'id': 'str | None',
    'name': 'str',
    'data_type': 'str | None',
    'global_parameter': 'bool | None',
    'unit_type_id': 'str | None',
    'default_unit_id': 'str | None',
})
