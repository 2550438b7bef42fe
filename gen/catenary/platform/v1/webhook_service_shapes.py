"""Generated from catenary/platform/v1/webhook_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import webhook_shapes

ListWebhooksRequest = TypedDict('ListWebhooksRequest', {
    'limit': 'int | None',
    'cursor': 'str',
})

ListWebhooksResponse = TypedDict('ListWebhooksResponse', {
    'webhooks': 'list[webhook_shapes.Webhook]',
    'next_cursor': 'str | None',
})

CreateWebhookRequest = TypedDict('CreateWebhookRequest', {
    'url': 'str',
    'events': 'list[str]',
    'secret': 'str | None',
})

CreateWebhookResponse = TypedDict('CreateWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
    'secret': 'str',
})

GetWebhookRequest = TypedDict('GetWebhookRequest', {
    'webhook_id': 'str',
})

GetWebhookResponse = TypedDict('GetWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
})

UpdateWebhookRequest = TypedDict('UpdateWebhookRequest', {
    'webhook_id': 'str',
    'url': 'str | None',
    'events': 'list[str]',
    'status': 'str | None',
    'update_mask': 'object',
})

UpdateWebhookResponse = TypedDict('UpdateWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
})

DeleteWebhookRequest = TypedDict('DeleteWebhookRequest', {
    'webhook_id': 'str',
})

DeleteWebhookResponse = TypedDict('DeleteWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
})

RotateWebhookSecretRequest = TypedDict('RotateWebhookSecretRequest', {
    'webhook_id': 'str',
    'secret': 'str | None',
})

RotateWebhookSecretResponse = TypedDict('RotateWebhookSecretResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
    'secret': 'str',
})

TestWebhookRequest = TypedDict('TestWebhookRequest', {
    'webhook_id': 'str',
})

TestWebhookResponse = TypedDict('TestWebhookResponse', {
    'delivery': 'webhook_shapes.WebhookDelivery | None',
})

ListWebhookDeliveriesRequest = TypedDict('ListWebhookDeliveriesRequest', {
    'webhook_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListWebhookDeliveriesResponse = TypedDict('ListWebhookDeliveriesResponse', {
    'deliveries': 'list[webhook_shapes.WebhookDelivery]',
    'next_cursor': 'str | None',
})

RedeliverWebhookRequest = TypedDict('RedeliverWebhookRequest', {
    'webhook_id': 'str',
    'delivery_id': 'str',
})

RedeliverWebhookResponse = TypedDict('RedeliverWebhookResponse', {
    'delivery': 'webhook_shapes.WebhookDelivery | None',
})
