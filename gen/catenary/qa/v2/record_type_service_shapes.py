"""Generated from catenary/qa/v2/record_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.qa.v2 import record_type_shapes
from catenary.type.v1 import paging_shapes

ListRecordTypesResponse = TypedDict('ListRecordTypesResponse', {
    'record_types': 'list[record_type_shapes.RecordType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateRecordTypeResponse = TypedDict('CreateRecordTypeResponse', {
    'record_type': 'record_type_shapes.RecordType | None',
})
