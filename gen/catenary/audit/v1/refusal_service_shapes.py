"""Generated from catenary/audit/v1/refusal_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

Refusal = TypedDict('Refusal', {
    'user_id': 'str',
    'address': 'str',
    'action': 'str',
    'reason': 'str',
    'request_id': 'str',
    'count': 'int',
})

ReportRefusalsResponse = TypedDict('ReportRefusalsResponse', {})
