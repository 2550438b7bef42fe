"""Generated from catenary/platform/v1/worker_token.proto by .ci/generate; not for editing."""

from typing import TypedDict

WorkerToken = TypedDict('WorkerToken', {
    'worker_token_id': 'str',
    'name': 'str',
    'prefix': 'str',
    'last_used_at': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
