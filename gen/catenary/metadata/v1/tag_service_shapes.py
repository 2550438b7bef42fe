"""Generated from catenary/metadata/v1/tag_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.metadata.v1 import tag_shapes
from catenary.type.v1 import paging_shapes

ListTagsRequest = TypedDict('ListTagsRequest', {
    'tag_scope': 'list[str]',
    'omit_global': 'bool',
    'tag_id': 'list[str]',
    'tag_type_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListTagsResponse = TypedDict('ListTagsResponse', {
    'tags': 'list[tag_shapes.Tag]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateTagRequest = TypedDict('CreateTagRequest', {
    'name': 'str',
    'tag_type_id': 'str',
    'tag_scope': 'str | None',
})

CreateTagResponse = TypedDict('CreateTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})

GetTagRequest = TypedDict('GetTagRequest', {
    'tag_id': 'str',
    'show_deleted': 'bool',
})

GetTagResponse = TypedDict('GetTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})

UpdateTagRequest = TypedDict('UpdateTagRequest', {
    'tag_id': 'str',
    'name': 'str | None',
    'update_mask': 'object',
})

UpdateTagResponse = TypedDict('UpdateTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})

DeleteTagRequest = TypedDict('DeleteTagRequest', {
    'tag_id': 'str',
})

DeleteTagResponse = TypedDict('DeleteTagResponse', {
    'tag': 'tag_shapes.Tag | None',
})
