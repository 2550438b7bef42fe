"""Generated from catenary/parameter/v1/parameter_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import entry_service_shapes
from catenary.parameter.v1 import parameter_shapes
from catenary.type.v1 import paging_shapes

ListParametersRequest = TypedDict('ListParametersRequest', {
    'parameter_id': 'list[str]',
    'project_id': 'list[str]',
    'asset_id': 'list[str]',
    'asset_type_id': 'list[str]',
    'parameter_type_id': 'list[str]',
    'source_id': 'list[str]',
    'source_type_id': 'list[str]',
    'unit_id': 'list[str]',
    'tag_id': 'list[str]',
    'qa_status': 'list[str | None]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
    'offset': 'int | None',
})

ListParametersResponse = TypedDict('ListParametersResponse', {
    'parameters': 'list[parameter_shapes.Parameter]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParametersRequest = TypedDict('CreateParametersRequest', {
    'parameters': 'list[NewParameter]',
})

CreateParametersResponse = TypedDict('CreateParametersResponse', {
    'parameters': 'list[parameter_shapes.Parameter]',
})

GetParameterRequest = TypedDict('GetParameterRequest', {
    'parameter_id': 'str',
    'show_deleted': 'bool',
})

GetParameterResponse = TypedDict('GetParameterResponse', {
    'parameter': 'parameter_shapes.Parameter | None',
})

UpdateParameterRequest = TypedDict('UpdateParameterRequest', {
    'parameter_id': 'str',
    'parent_ids': 'list[str]',
    'update_mask': 'object',
})

UpdateParameterResponse = TypedDict('UpdateParameterResponse', {
    'parameter': 'parameter_shapes.Parameter | None',
})

DeleteParameterRequest = TypedDict('DeleteParameterRequest', {
    'parameter_id': 'str',
})

DeleteParameterResponse = TypedDict('DeleteParameterResponse', {
    'parameter': 'parameter_shapes.Parameter | None',
})

NewParameter = TypedDict('NewParameter', {
    'id': 'str | None',
    'parameter_type_id': 'str',
    'project_id': 'str',
    'parent_ids': 'list[str]',
    'entries': 'list[NewEntry]',
})

NewEntry = TypedDict('NewEntry', {
    'entry_id': 'str | None',
    'source_id': 'str',
    'values': 'list[entry_service_shapes.NewEntryValue]',
    'comment': 'str | None',
    'location_in_source': 'str | None',
})
