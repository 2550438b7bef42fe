"""Generated from catenary/platform/v1/session_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

CreateSessionResponse = TypedDict('CreateSessionResponse', {
    'access_token': 'str',
    'token_type': 'str',
    'expires_in': 'int',
    'scope': 'str',
})

RefreshSessionResponse = TypedDict('RefreshSessionResponse', {
    'access_token': 'str',
    'token_type': 'str',
    'expires_in': 'int',
    'scope': 'str',
})

EndSessionResponse = TypedDict('EndSessionResponse', {})

CreateMySignInLinkResponse = TypedDict('CreateMySignInLinkResponse', {
    'url': 'str',
    'expires_at': 'str | None',
})

CreateSignInLinkResponse = TypedDict('CreateSignInLinkResponse', {
    'url': 'str',
    'expires_at': 'str | None',
})
