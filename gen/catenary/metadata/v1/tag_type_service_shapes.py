"""Generated from catenary/metadata/v1/tag_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.metadata.v1 import tag_type_shapes
from catenary.type.v1 import paging_shapes

ListTagTypesResponse = TypedDict('ListTagTypesResponse', {
    'tag_types': 'list[tag_type_shapes.TagType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateTagTypeResponse = TypedDict('CreateTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})

GetTagTypeResponse = TypedDict('GetTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})

UpdateTagTypeResponse = TypedDict('UpdateTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})

DeleteTagTypeResponse = TypedDict('DeleteTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})
