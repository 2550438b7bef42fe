"""Generated from catenary/metadata/v1/tag_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.metadata.v1 import tag_shapes
from catenary.type.v1 import paging_shapes

ListTagsResponse = TypedDict('ListTagsResponse', {
    'tags': 'list[tag_shapes.Tag]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateTagResponse = TypedDict('CreateTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})

GetTagResponse = TypedDict('GetTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})

UpdateTagResponse = TypedDict('UpdateTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})

DeleteTagResponse = TypedDict('DeleteTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})
