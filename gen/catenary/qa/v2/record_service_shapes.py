"""Generated from catenary/qa/v2/record_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.qa.v2 import record_shapes
from catenary.type.v1 import paging_shapes

ListRecordsResponse = TypedDict('ListRecordsResponse', {
    'records': 'list[record_shapes.Record]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateRecordsResponse = TypedDict('CreateRecordsResponse', {
    'records': 'list[record_shapes.Record]',
})

GetRecordResponse = TypedDict('GetRecordResponse', {
    'record': 'record_shapes.Record | None',
})

DeleteRecordResponse = TypedDict('DeleteRecordResponse', {
    'record': 'record_shapes.Record | None',
})

NewRecord = TypedDict('NewRecord', {
    'type_id': 'str',
    'reference_id': 'str',
    'reference_table': 'str',
    'reference_url': 'str',
})
