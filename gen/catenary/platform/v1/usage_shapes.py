"""Generated from catenary/platform/v1/usage.proto by .ci/generate; not for editing."""

from typing import TypedDict

Usage = TypedDict('Usage', {
    'project_id': 'str | None',
    'user_id': 'str',
    'month': 'str',
    'evaluations': 'int',
    'compute_seconds': 'float',
    'storage': 'int',
    'quota': 'Quota | None',
})

Quota = TypedDict('Quota', {
    'tier': 'str',
    'evaluations': 'int | None',
    'compute_seconds': 'int | None',
    'storage': 'int | None',
})
