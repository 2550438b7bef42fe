"""Generated from catenary/platform/v1/webhook.proto by .ci/generate; not for editing."""

from typing import TypedDict

Webhook = TypedDict('Webhook', {
    'webhook_id': 'str',
    'url': 'str',
    'events': 'list[str]',
    'status': 'str | None',
    'disabled_reason': 'str | None',
    'user_id': 'str',
    'scopes': 'list[str]',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

WebhookAttempt = TypedDict('WebhookAttempt', {
    'attempted_at': 'str | None',
    'response_status': 'int | None',
    'response_excerpt': 'str',
    'reason': 'str | None',
    'duration_ms': 'float',
})

WebhookDelivery = TypedDict('WebhookDelivery', {
    'delivery_id': 'str',
    'webhook_id': 'str',
    'event_id': 'str',
    'event_type': 'str',
    'status': 'str | None',
    'attempts': 'list[WebhookAttempt]',
    'next_attempt_at': 'str | None',
    'request_excerpt': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'completed_at': 'str | None',
})
