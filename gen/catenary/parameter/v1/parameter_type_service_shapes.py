"""Generated from catenary/parameter/v1/parameter_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import parameter_type_shapes
from catenary.type.v1 import paging_shapes

ListParameterTypesRequest = TypedDict('ListParameterTypesRequest', {
    'parameter_type_id': 'list[str]',
    'asset_type_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListParameterTypesResponse = TypedDict('ListParameterTypesResponse', {
    'parameter_types': 'list[parameter_type_shapes.ParameterType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterTypesRequest = TypedDict('CreateParameterTypesRequest', {
    'parameter_types': 'list[NewParameterType]',
})

CreateParameterTypesResponse = TypedDict('CreateParameterTypesResponse', {
    'parameter_types': 'list[parameter_type_shapes.ParameterType]',
})

UpdateParameterTypeRequest = TypedDict('UpdateParameterTypeRequest', {
    'parameter_type_id': 'str',
    'name': 'str | None',
    'global_parameter': 'bool | None',
    'default_unit_id': 'str | None',
    'update_mask': 'object',
})

UpdateParameterTypeResponse = TypedDict('UpdateParameterTypeResponse', {
    'parameter_type': 'parameter_type_shapes.ParameterType | None',
})

DeleteParameterTypeRequest = TypedDict('DeleteParameterTypeRequest', {
    'parameter_type_id': 'str',
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
