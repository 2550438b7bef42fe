"""Generated from catenary/environment/v2/region.proto by .ci/generate; not for editing."""

from typing import TypedDict

Region = TypedDict('Region', {
    'region_code': 'str',
    'region_id': 'str',
    'region_name': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
