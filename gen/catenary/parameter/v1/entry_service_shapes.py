"""Generated from catenary/parameter/v1/entry_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import entry_shapes
from catenary.type.v1 import paging_shapes

ListEntriesRequest = TypedDict('ListEntriesRequest', {
    'parameter_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListEntriesResponse = TypedDict('ListEntriesResponse', {
    'entries': 'list[entry_shapes.Entry]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

PutEntriesRequest = TypedDict('PutEntriesRequest', {
    'entries': 'list[PutEntry]',
})

PutEntriesResponse = TypedDict('PutEntriesResponse', {
    'entries': 'list[entry_shapes.Entry]',
})

DeleteEntryRequest = TypedDict('DeleteEntryRequest', {
    'entry_id': 'str',
})

DeleteEntryResponse = TypedDict('DeleteEntryResponse', {
    'entry': 'entry_shapes.Entry | None',
})

ListRevisionsRequest = TypedDict('ListRevisionsRequest', {
    'entry_id': 'str',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListRevisionsResponse = TypedDict('ListRevisionsResponse', {
    'revisions': 'list[entry_shapes.Revision]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

UpdateRevisionsRequest = TypedDict('UpdateRevisionsRequest', {
    'revisions': 'list[RevisionUpdate]',
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
