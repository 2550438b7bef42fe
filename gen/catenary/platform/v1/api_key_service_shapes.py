"""Generated from catenary/platform/v1/api_key_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import api_key_shapes

ListApiKeysRequest = TypedDict('ListApiKeysRequest', {
    'limit': 'int | None',
    'cursor': 'str',
})

ListApiKeysResponse = TypedDict('ListApiKeysResponse', {
    'api_keys': 'list[api_key_shapes.ApiKey]',
    'next_cursor': 'str | None',
})

CreateApiKeyRequest = TypedDict('CreateApiKeyRequest', {
    'name': 'str',
    'scopes': 'list[str]',
    'expires_at': 'str | None',
})

CreateApiKeyResponse = TypedDict('CreateApiKeyResponse', {
    'api_key': 'api_key_shapes.ApiKey | None',
    'key': 'str',
})

GetApiKeyRequest = TypedDict('GetApiKeyRequest', {
    'api_key_id': 'str',
})

GetApiKeyResponse = TypedDict('GetApiKeyResponse', {
    'api_key': 'api_key_shapes.ApiKey | None',
})

DeleteApiKeyRequest = TypedDict('DeleteApiKeyRequest', {
    'api_key_id': 'str',
})

DeleteApiKeyResponse = TypedDict('DeleteApiKeyResponse', {
    'api_key': 'api_key_shapes.ApiKey | None',
})
