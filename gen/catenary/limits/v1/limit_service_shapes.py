"""Generated from catenary/limits/v1/limit_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

TakeCallsRequest = TypedDict('TakeCallsRequest', {
    'wanted': 'int',
    'ended_lease_id': 'str',
    'unused': 'int',
})

TakeCallsResponse = TypedDict('TakeCallsResponse', {
    'lease_id': 'str',
    'calls': 'int',
    'seconds': 'float',
    'limit': 'int',
    'remaining': 'int',
    'reset': 'int',
})

GiveBackCallsRequest = TypedDict('GiveBackCallsRequest', {
    'lease_id': 'str',
    'unused': 'int',
})

GiveBackCallsResponse = TypedDict('GiveBackCallsResponse', {})
