"""Generated from catenary/parameter/v1/parameter_set_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import parameter_set_shapes
from catenary.type.v1 import paging_shapes

ListParameterSetCategoriesRequest = TypedDict('ListParameterSetCategoriesRequest', {
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListParameterSetCategoriesResponse = TypedDict('ListParameterSetCategoriesResponse', {
    'parameter_set_categories': 'list[parameter_set_shapes.ParameterSetCategory]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterSetCategoryRequest = TypedDict('CreateParameterSetCategoryRequest', {
    'name': 'str',
})

CreateParameterSetCategoryResponse = TypedDict('CreateParameterSetCategoryResponse', {
    'parameter_set_category': 'parameter_set_shapes.ParameterSetCategory | None',
})

DeleteParameterSetCategoryRequest = TypedDict('DeleteParameterSetCategoryRequest', {
    'parameter_set_category_id': 'str',
})

DeleteParameterSetCategoryResponse = TypedDict('DeleteParameterSetCategoryResponse', {
    'parameter_set_category': 'parameter_set_shapes.ParameterSetCategory | None',
})

ListParameterSetTypesRequest = TypedDict('ListParameterSetTypesRequest', {
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListParameterSetTypesResponse = TypedDict('ListParameterSetTypesResponse', {
    'parameter_set_types': 'list[parameter_set_shapes.ParameterSetType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterSetTypeRequest = TypedDict('CreateParameterSetTypeRequest', {
    'name': 'str',
    'parameter_set_category_id': 'str',
    'item_type_ids': 'list[str]',
})

CreateParameterSetTypeResponse = TypedDict('CreateParameterSetTypeResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

DeleteParameterSetTypeRequest = TypedDict('DeleteParameterSetTypeRequest', {
    'parameter_set_type_id': 'str',
})

DeleteParameterSetTypeResponse = TypedDict('DeleteParameterSetTypeResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

CreateParameterSetTypeItemsRequest = TypedDict('CreateParameterSetTypeItemsRequest', {
    'parameter_set_type_id': 'str',
    'item_type_ids': 'list[str]',
})

CreateParameterSetTypeItemsResponse = TypedDict('CreateParameterSetTypeItemsResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

DeleteParameterSetTypeItemRequest = TypedDict('DeleteParameterSetTypeItemRequest', {
    'parameter_set_type_id': 'str',
    'item_type_id': 'str',
})

DeleteParameterSetTypeItemResponse = TypedDict('DeleteParameterSetTypeItemResponse', {
    'parameter_set_type': 'parameter_set_shapes.ParameterSetType | None',
})

ListParameterSetsRequest = TypedDict('ListParameterSetsRequest', {
    'parameter_set_type_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListParameterSetsResponse = TypedDict('ListParameterSetsResponse', {
    'parameter_sets': 'list[parameter_set_shapes.ParameterSet]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParameterSetRequest = TypedDict('CreateParameterSetRequest', {
    'name': 'str',
    'parameter_set_type_id': 'str',
    'project_id': 'str',
    'asset_id': 'str',
})

CreateParameterSetResponse = TypedDict('CreateParameterSetResponse', {
    'parameter_set': 'parameter_set_shapes.ParameterSet | None',
})

GetParameterSetRequest = TypedDict('GetParameterSetRequest', {
    'parameter_set_id': 'str',
    'show_deleted': 'bool',
    'parameter_set_type_id': 'str | None',
})

GetParameterSetResponse = TypedDict('GetParameterSetResponse', {
    'parameter_set': 'parameter_set_shapes.ParameterSet | None',
})

DeleteParameterSetRequest = TypedDict('DeleteParameterSetRequest', {
    'parameter_set_id': 'str',
    'parameter_set_type_id': 'str | None',
})

DeleteParameterSetResponse = TypedDict('DeleteParameterSetResponse', {
    'parameter_set': 'parameter_set_shapes.ParameterSet | None',
})

ListParameterSetParametersRequest = TypedDict('ListParameterSetParametersRequest', {
    'parameter_set_id': 'str',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
    'parameter_set_type_id': 'str | None',
})

ListParameterSetParametersResponse = TypedDict('ListParameterSetParametersResponse', {
    'parameter_set_parameters': 'list[parameter_set_shapes.ParameterSetParameter]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})
