"""Generated from catenary/parameter/v1/parameter_set_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import parameter_set_shapes
from catenary.type.v1 import paging_shapes

ListParameterSetCategoriesResponse = TypedDict('ListParameterSetCategoriesResponse', {
    'parameter_set_categories': 'list[parameter_set_shapes.ParameterSetCategory]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterSetCategoryResponse = TypedDict('CreateParameterSetCategoryResponse', {
    'parameter_set_category': 'parameter_set_shapes.ParameterSetCategory | None',
})

DeleteParameterSetCategoryResponse = TypedDict('DeleteParameterSetCategoryResponse', {
    'parameter_set_category': 'parameter_set_shapes.ParameterSetCategory | None',
})

ListParameterSetTypesResponse = TypedDict('ListParameterSetTypesResponse', {
    'parameter_set_types': 'list[parameter_set_shapes.ParameterSetType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterSetTypeResponse = TypedDict('CreateParameterSetTypeResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

DeleteParameterSetTypeResponse = TypedDict('DeleteParameterSetTypeResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

CreateParameterSetTypeItemsResponse = TypedDict('CreateParameterSetTypeItemsResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

DeleteParameterSetTypeItemResponse = TypedDict('DeleteParameterSetTypeItemResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

ListParameterSetsResponse = TypedDict('ListParameterSetsResponse', {
    'parameter_sets': 'list[parameter_set_shapes.ParameterSet]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterSetResponse = TypedDict('CreateParameterSetResponse', {
    'parameter_set': 'parameter_set_shapes.ParameterSet | None',
})

GetParameterSetResponse = TypedDict('GetParameterSetResponse', {
    'parameter_set': 'parameter_set_shapes.ParameterSet | None',
})

DeleteParameterSetResponse = TypedDict('DeleteParameterSetResponse', {
    'parameter_set': 'parameter_set_shapes.ParameterSet | None',
})

ListParameterSetParametersResponse = TypedDict('ListParameterSetParametersResponse', {
    'parameter_set_parameters': 'list[parameter_set_shapes.ParameterSetParameter]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})
