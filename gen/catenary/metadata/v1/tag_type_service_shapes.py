"""Generated from catenary/metadata/v1/tag_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.metadata.v1 import tag_type_shapes
from catenary.type.v1 import paging_shapes

ListTagTypesRequest = TypedDict('ListTagTypesRequest', {
    'tag_type_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListTagTypesResponse = TypedDict('ListTagTypesResponse', {
    'tag_types': 'list[tag_type_shapes.TagType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateTagTypeRequest = TypedDict('CreateTagTypeRequest', {
    'name': 'str',
    'allow_custom': 'bool | None',
})

CreateTagTypeResponse = TypedDict('CreateTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})

GetTagTypeRequest = TypedDict('GetTagTypeRequest', {
    'tag_type_id': 'str',
    'show_deleted': 'bool',
})

GetTagTypeResponse = TypedDict('GetTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})

UpdateTagTypeRequest = TypedDict('UpdateTagTypeRequest', {
    'tag_type_id': 'str',
    'name': 'str | None',
    'allow_custom': 'bool | None',
    'update_mask': 'object',
})

UpdateTagTypeResponse = TypedDict('UpdateTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})

DeleteTagTypeRequest = TypedDict('DeleteTagTypeRequest', {
    'tag_type_id': 'str',
})

DeleteTagTypeResponse = TypedDict('DeleteTagTypeResponse', {
    'tag_type': 'tag_type_shapes.TagType | None',
})
