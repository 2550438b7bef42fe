"""Generated from catenary/platform/v1/share.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

Share = TypedDict('Share', {
    'share_id': 'str',
    'project_id': 'str',
    'kind': 'str | None',
    'user_id': 'str | None',
    'team_id': 'str | None',
    'name': 'str | None',
    'role': 'str | None',
    'variant_id': 'str | None',
    'expires_at': 'str | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

LinkedShare = TypedDict('LinkedShare', {
    'share_id': 'str',
    'project_id': 'str',
    'variant_id': 'str | None',
    'expires_at': 'str | None',
})
