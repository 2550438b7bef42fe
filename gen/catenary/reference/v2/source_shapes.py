"""Generated from catenary/reference/v2/source.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.reference.v2 import source_type_shapes

Source = TypedDict('Source', {
    'id': 'str',
    'source_type': 'source_type_shapes.SourceType | None',
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
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
