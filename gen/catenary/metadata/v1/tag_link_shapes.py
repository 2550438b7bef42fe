"""Generated from catenary/metadata/v1/tag_link.proto by .ci/generate; not for editing."""

from typing import TypedDict

TagLink = TypedDict('TagLink', {
    'tag_id': 'str',
    'reference_id': 'str',
    'reference_table': 'str',
    'reference_url': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
