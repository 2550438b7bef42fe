"""Generated from catenary/metadata/v1/tag_link_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.metadata.v1 import tag_link_shapes
from catenary.type.v1 import paging_shapes

ListTagLinksResponse = TypedDict('ListTagLinksResponse', {
    'tag_links': 'list[tag_link_shapes.TagLink]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

GetTagLinkResponse = TypedDict('GetTagLinkResponse', {
    'tag_link': 'tag_link_shapes.TagLink | None',
})

UpdateTagLinkResponse = TypedDict('UpdateTagLinkResponse', {
    'tag_link': 'tag_link_shapes.TagLink | None',
})

DeleteTagLinkResponse = TypedDict('DeleteTagLinkResponse', {
    'tag_link': 'tag_link_shapes.TagLink | None',
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
