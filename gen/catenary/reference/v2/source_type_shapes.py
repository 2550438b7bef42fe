"""Generated from catenary/reference/v2/source_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

SourceType = TypedDict('SourceType', {
    'id': 'str',
    'name': 'str',
    'visible': 'bool',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
