"""Generated from catenary/reference/v2/source_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.reference.v2 import source_type_shapes
from catenary.type.v1 import paging_shapes

ListSourceTypesRequest = TypedDict('ListSourceTypesRequest', {
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListSourceTypesResponse = TypedDict('ListSourceTypesResponse', {
    'source_types': 'list[source_type_shapes.SourceType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateSourceTypeRequest = TypedDict('CreateSourceTypeRequest', {
    'name': 'str',
    'visible': 'bool | None',
})

CreateSourceTypeResponse = TypedDict('CreateSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})

GetSourceTypeRequest = TypedDict('GetSourceTypeRequest', {
    'source_type_id': 'str',
    'show_deleted': 'bool',
})

GetSourceTypeResponse = TypedDict('GetSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})

UpdateSourceTypeRequest = TypedDict('UpdateSourceTypeRequest', {
    'source_type_id': 'str',
    'name': 'str | None',
    'visible': 'bool | None',
    'update_mask': 'object',
})

UpdateSourceTypeResponse = TypedDict('UpdateSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})

DeleteSourceTypeRequest = TypedDict('DeleteSourceTypeRequest', {
    'source_type_id': 'str',
})

DeleteSourceTypeResponse = TypedDict('DeleteSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})
