"""Generated from catenary/metadata/v1/tag_link_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.metadata.v1 import tag_link_shapes
from catenary.type.v1 import paging_shapes

ListTagLinksRequest = TypedDict('ListTagLinksRequest', {
    'tag_id': 'str',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListTagLinksResponse = TypedDict('ListTagLinksResponse', {
    'tag_links': 'list[tag_link_shapes.TagLink]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

GetTagLinkRequest = TypedDict('GetTagLinkRequest', {
    'tag_id': 'str',
    'reference_id': 'str',
    'show_deleted': 'bool',
})

GetTagLinkResponse = TypedDict('GetTagLinkResponse', {
    'tag_link': 'tag_link_shapes.TagLink | None',
})

UpdateTagLinkRequest = TypedDict('UpdateTagLinkRequest', {
    'tag_id': 'str',
    'reference_id': 'str',
    'reference_table': 'str | None',
    'reference_url': 'str | None',
    'update_mask': 'object',
})

UpdateTagLinkResponse = TypedDict('UpdateTagLinkResponse', {
    'tag_link': 'tag_link_shapes.TagLink | None',
})

DeleteTagLinkRequest = TypedDict('DeleteTagLinkRequest', {
    'tag_id': 'str',
    'reference_id': 'str',
})

DeleteTagLinkResponse = TypedDict('DeleteTagLinkResponse', {
    'tag_link': 'tag_link_shapes.TagLink | None',
})

PutTagLinksRequest = TypedDict('PutTagLinksRequest', {
    'tag_links': 'list[NewTagLink]',
    'create_only': 'bool | None',
})

PutTagLinksResponse = TypedDict('PutTagLinksResponse', {
    'tag_links': 'list[tag_link_shapes.TagLink]',
})

NewTagLink = TypedDict('NewTagLink', {
    'tag_id': 'str',
    'reference_id': 'str',
    'reference_table': 'str',
    'reference_url': 'str',
})
