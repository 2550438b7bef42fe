"""Generated from catenary/limits/v1/limit_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

TakeCallsResponse = TypedDict('TakeCallsResponse', {
    'lease_id': 'str',
    'calls': 'int',
    'seconds': 'float',
    'limit': 'int',
    'remaining': 'int',
    'reset': 'int',
})

GiveBackCallsResponse = TypedDict('GiveBackCallsResponse', {})
