"""Generated from catenary/qa/v2/record_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.qa.v2 import record_shapes
from catenary.type.v1 import paging_shapes

ListRecordsRequest = TypedDict('ListRecordsRequest', {
    'reference_id': 'list[str]',
    'type_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListRecordsResponse = TypedDict('ListRecordsResponse', {
    'records': 'list[record_shapes.Record]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateRecordsRequest = TypedDict('CreateRecordsRequest', {
    'records': 'list[NewRecord]',
})

CreateRecordsResponse = TypedDict('CreateRecordsResponse', {
    'records': 'list[record_shapes.Record]',
})

NewRecord = TypedDict('NewRecord', {
    'type_id': 'str',
    'reference_id': 'str',
    'reference_table': 'str',
    'reference_url': 'str',
})
