"""Generated from catenary/reference/v2/source_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.reference.v2 import source_type_shapes
from catenary.type.v1 import paging_shapes

ListSourceTypesResponse = TypedDict('ListSourceTypesResponse', {
    'source_types': 'list[source_type_shapes.SourceType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateSourceTypeResponse = TypedDict('CreateSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})

GetSourceTypeResponse = TypedDict('GetSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})

UpdateSourceTypeResponse = TypedDict('UpdateSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})

DeleteSourceTypeResponse = TypedDict('DeleteSourceTypeResponse', {
    'source_type': 'source_type_shapes.SourceType | None',
})
