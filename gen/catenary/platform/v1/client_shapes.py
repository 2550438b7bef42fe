"""Generated from catenary/platform/v1/client.proto by .ci/generate; not for editing."""

from typing import TypedDict

Client = TypedDict('Client', {
    'client_id': 'str',
    'name': 'str',
    'user_id': 'str',
    'admin': 'bool',
    'disabled': 'bool',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
