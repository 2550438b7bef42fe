"""Generated from catenary/platform/v1/api_key.proto by .ci/generate; not for editing."""

from typing import TypedDict

ApiKey = TypedDict('ApiKey', {
    'api_key_id': 'str',
    'name': 'str',
    'prefix': 'str',
    'scopes': 'list[str]',
    'user_id': 'str',
    'expires_at': 'str | None',
    'last_used_at': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
