"""Generated from catenary/platform/v1/audit.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

AuditEntry = TypedDict('AuditEntry', {
    'sequence': 'int',
    'occurred_at': 'str | None',
    'actor': 'user_shapes.UserReference | None',
    'credential_id': 'str | None',
    'address': 'str | None',
    'action': 'str',
    'subject': 'str | None',
    'outcome': 'str',
    'count': 'int',
    'request_id': 'str',
    'details': 'object',
    'chain_sequence': 'int | None',
})
