"""Generated from catenary/qa/v2/record_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

RecordType = TypedDict('RecordType', {
    'id': 'str',
    'name': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
