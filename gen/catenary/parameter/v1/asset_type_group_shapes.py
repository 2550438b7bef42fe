"""Generated from catenary/parameter/v1/asset_type_group.proto by .ci/generate; not for editing."""

from typing import TypedDict

AssetTypeGroup = TypedDict('AssetTypeGroup', {
    'id': 'str',
    'name': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
