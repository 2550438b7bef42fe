"""Generated from catenary/platform/v1/auth_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

IssueTokenResponse = TypedDict('IssueTokenResponse', {
    'access_token': 'str',
    'token_type': 'str',
    'expires_in': 'int',
    'scope': 'str',
})

IssueDemoTokenResponse = TypedDict('IssueDemoTokenResponse', {
    'access_token': 'str',
    'token_type': 'str',
    'expires_in': 'int',
    'scope': 'str',
})

RevokeTokenResponse = TypedDict('RevokeTokenResponse', {})

GetJwksResponse = TypedDict('GetJwksResponse', {
    'keys': 'list[Jwk]',
})

Jwk = TypedDict('Jwk', {
    'kty': 'str',
    'use': 'str',
    'alg': 'str',
    'kid': 'str',
    'crv': 'str',
    'x': 'str',
    'y': 'str',
})

GetServerMetadataResponse = TypedDict('GetServerMetadataResponse', {
    'issuer': 'str',
    'token_endpoint': 'str',
    'revocation_endpoint': 'str',
    'jwks_uri': 'str',
    'grant_types_supported': 'list[str]',
    'response_types_supported': 'list[str]',
    'token_endpoint_auth_methods_supported': 'list[str]',
    'revocation_endpoint_auth_methods_supported': 'list[str]',
    'scopes_supported': 'list[str]',
})

IdentifyResponse = TypedDict('IdentifyResponse', {
    'user_id': 'str',
    'admin': 'bool',
    'scopes': 'list[str]',
    'expires_at': 'int | None',
    'trusted_seconds': 'float',
    'share_id': 'str',
})
