"""Generated from catenary/parameter/v1/entry.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_shapes
from catenary.reference.v2 import source_shapes
from catenary.type.v1 import creator_shapes

EntryValue = TypedDict('EntryValue', {
    'id': 'str',
    'value': 'object',
    'unit': 'unit_shapes.UnitReference | None',
})

ReducedSource = TypedDict('ReducedSource', {
    'id': 'str',
    'created_at': 'str | None',
    'date_day': 'str | None',
    'date_month': 'str | None',
    'date_year': 'str | None',
    'reference': 'str | None',
    'title': 'str',
    'url': 'str | None',
    'source_type': 'ReducedSourceType | None',
})

ReducedSourceType = TypedDict('ReducedSourceType', {
    'id': 'str',
    'name': 'str',
})

SelectedEntry = TypedDict('SelectedEntry', {
    'entry_id': 'str',
    'revision_id': 'str',
    'status': 'str | None',
    'values': 'list[EntryValue]',
    'source': 'ReducedSource | None',
    'created_by': 'creator_shapes.Creator | None',
    'created_at': 'str | None',
})

Entry = TypedDict('Entry', {
    'entry_id': 'str',
    'parameter_id': 'str',
    'revision_id': 'str',
    'status': 'str | None',
    'values': 'list[EntryValue]',
    'source': 'source_shapes.Source | None',
    'comment': 'str | None',
    'location_in_source': 'str | None',
    'created_by': 'creator_shapes.Creator | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

Review = TypedDict('Review', {
    'status': 'str | None',
    'comment': 'str | None',
    'created_by': 'creator_shapes.Creator | None',
    'created_at': 'str | None',
})

Revision = TypedDict('Revision', {
    'entry_id': 'str',
    'revision_id': 'str',
    'status': 'str | None',
    'values': 'list[EntryValue]',
    'source': 'source_shapes.Source | None',
    'comment': 'str | None',
    'location_in_source': 'str | None',
    'created_by': 'creator_shapes.Creator | None',
    'review': 'Review | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
