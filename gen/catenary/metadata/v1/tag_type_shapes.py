"""Generated from catenary/metadata/v1/tag_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

TagType = TypedDict('TagType', {
    'id': 'str',
    'name': 'str',
    'allow_custom': 'bool',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
