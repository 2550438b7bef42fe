"""Generated from catenary/reference/v2/source_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.reference.v2 import source_shapes
from catenary.type.v1 import paging_shapes

ListSourcesRequest = TypedDict('ListSourcesRequest', {
    'source_id': 'list[str]',
    'reference_id': 'list[str]',
    'source_type_id': 'list[str]',
    'title': 'list[str]',
    'reference': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListSourcesResponse = TypedDict('ListSourcesResponse', {
    'sources': 'list[source_shapes.Source]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateSourceRequest = TypedDict('CreateSourceRequest', {
    'source_type_id': 'str',
    'title': 'str',
    'reference': 'str | None',
    'url': 'str | None',
    'date_day': 'str | None',
    'date_month': 'str | None',
    'date_year': 'str | None',
    'time': 'str | None',
    'reference_id': 'str | None',
    'reference_table': 'str | None',
    'reference_url': 'str | None',
    'scope': 'str | None',
})

CreateSourceResponse = TypedDict('CreateSourceResponse', {
    'source': 'source_shapes.Source | None',
})

GetSourceRequest = TypedDict('GetSourceRequest', {
    'source_id': 'str',
    'show_deleted': 'bool',
})

GetSourceResponse = TypedDict('GetSourceResponse', {
    'source': 'source_shapes.Source | None',
})

UpdateSourceRequest = TypedDict('UpdateSourceRequest', {
    'source_id': 'str',
    'source_type_id': 'str | None',
    'title': 'str | None',
    'reference': 'str | None',
    'url': 'str | None',
    'date_day': 'str | None',
    'date_month': 'str | None',
    'date_year': 'str | None',
    'time': 'str | None',
    'reference_id': 'str | None',
    'reference_table': 'str | None',
    'reference_url': 'str | None',
    'scope': 'str | None',
    'update_mask': 'object',
})

UpdateSourceResponse = TypedDict('UpdateSourceResponse', {
    'source': 'source_shapes.Source | None',
})

DeleteSourceRequest = TypedDict('DeleteSourceRequest', {
    'source_id': 'str',
})

DeleteSourceResponse = TypedDict('DeleteSourceResponse', {
    'source': 'source_shapes.Source | None',
})
