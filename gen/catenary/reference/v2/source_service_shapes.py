"""Generated from catenary/reference/v2/source_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.reference.v2 import source_shapes
from catenary.type.v1 import paging_shapes

ListSourcesResponse = TypedDict('ListSourcesResponse', {
    'sources': 'list[source_shapes.Source]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateSourceResponse = TypedDict('CreateSourceResponse', {
    'source': 'source_shapes.Source | None',
})

GetSourceResponse = TypedDict('GetSourceResponse', {
    'source': 'source_shapes.Source | None',
})

UpdateSourceResponse = TypedDict('UpdateSourceResponse', {
    'source': 'source_shapes.Source | None',
})

DeleteSourceResponse = TypedDict('DeleteSourceResponse', {
    'source': 'source_shapes.Source | None',
})
