"""Generated from catenary/platform/v1/api_key_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import api_key_shapes

ListApiKeysResponse = TypedDict('ListApiKeysResponse', {
    'api_keys': 'list[api_key_shapes.ApiKey]',
    'next_cursor': 'str | None',
})

CreateApiKeyResponse = TypedDict('CreateApiKeyResponse', {
    'api_key': 'api_key_shapes.ApiKey | None',
    'key': 'str',
})

GetApiKeyResponse = TypedDict('GetApiKeyResponse', {
    'api_key': 'api_key_shapes.ApiKey | None',
})

DeleteApiKeyResponse = TypedDict('DeleteApiKeyResponse', {
    'api_key': 'api_key_shapes.ApiKey | None',
})
