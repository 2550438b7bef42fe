"""Generated from catenary/parameter/v1/parameter_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import entry_service_shapes
from catenary.parameter.v1 import parameter_shapes
from catenary.type.v1 import paging_shapes

ListParametersResponse = TypedDict('ListParametersResponse', {
    'parameters': 'list[parameter_shapes.Parameter]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateParametersResponse = TypedDict('CreateParametersResponse', {
    'parameters': 'list[parameter_shapes.Parameter]',
})

GetParameterResponse = TypedDict('GetParameterResponse', {
    'parameter': 'parameter_shapes.Parameter | None',
})

UpdateParameterResponse = TypedDict('UpdateParameterResponse', {
    'parameter': 'parameter_shapes.Parameter | None',
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
