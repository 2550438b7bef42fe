"""Generated from catenary/platform/v1/studio_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

GetStudioConfigResponse = TypedDict('GetStudioConfigResponse', {
    'config': 'StudioConfig | None',
})

StudioConfig = TypedDict('StudioConfig', {
    'issuers': 'list[StudioIssuer]',
    'demo': 'bool',
    'version': 'str',
})

StudioIssuer = TypedDict('StudioIssuer', {
    'issuer': 'str',
    'studio_client_id': 'str',
    'name': 'str',
    'scope': 'str',
    'authorization_endpoint': 'str | None',
    'token_endpoint': 'str | None',
    'end_session_endpoint': 'str | None',
})
