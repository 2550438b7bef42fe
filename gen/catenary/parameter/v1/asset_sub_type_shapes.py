"""Generated from catenary/parameter/v1/asset_sub_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

AssetSubType = TypedDict('AssetSubType', {
    'id': 'str',
    'name': 'str',
    'asset_type_id': 'str',
    'parent_asset_sub_type_id': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
