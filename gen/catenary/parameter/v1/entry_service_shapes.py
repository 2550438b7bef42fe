"""Generated from catenary/parameter/v1/entry_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import entry_shapes
from catenary.type.v1 import paging_shapes

ListEntriesResponse = TypedDict('ListEntriesResponse', {
    'entries': 'list[entry_shapes.Entry]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

PutEntriesResponse = TypedDict('PutEntriesResponse', {
    'entries': 'list[entry_shapes.Entry]',
})

DeleteEntryResponse = TypedDict('DeleteEntryResponse', {
    'entry': 'entry_shapes.Entry | None',
})

ListRevisionsResponse = TypedDict('ListRevisionsResponse', {
    'revisions': 'list[entry_shapes.Revision]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

UpdateRevisionsResponse = TypedDict('UpdateRevisionsResponse', {
    'revisions': 'list[entry_shapes.Revision]',
})

PutEntry = TypedDict('PutEntry', {
    'entry_id': 'str',
    'parameter_id': 'str',
    'source_id': 'str',
    'values': 'list[NewEntryValue]',
    'comment': 'str | None',
    'location_in_source': 'str | None',
})

NewEntryValue = TypedDict('NewEntryValue', {
    'value': 'object',
    'unit_id': 'str | None',
})

RevisionUpdate = TypedDict('RevisionUpdate', {
    'revision_id': 'str',
    'status': 'str | None',
    'comment': 'str | None',
})
