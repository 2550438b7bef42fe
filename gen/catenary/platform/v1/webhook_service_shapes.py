"""Generated from catenary/platform/v1/webhook_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import webhook_shapes

ListWebhooksResponse = TypedDict('ListWebhooksResponse', {
    'webhooks': 'list[webhook_shapes.Webhook]',
    'next_cursor': 'str | None',
})

CreateWebhookResponse = TypedDict('CreateWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
    'secret': 'str',
})

GetWebhookResponse = TypedDict('GetWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
})

UpdateWebhookResponse = TypedDict('UpdateWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
})

DeleteWebhookResponse = TypedDict('DeleteWebhookResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
})

RotateWebhookSecretResponse = TypedDict('RotateWebhookSecretResponse', {
    'webhook': 'webhook_shapes.Webhook | None',
    'secret': 'str',
})

TestWebhookResponse = TypedDict('TestWebhookResponse', {
    'delivery': 'webhook_shapes.WebhookDelivery | None',
})

ListWebhookDeliveriesResponse = TypedDict('ListWebhookDeliveriesResponse', {
    'deliveries': 'list[webhook_shapes.WebhookDelivery]',
    'next_cursor': 'str | None',
})

RedeliverWebhookResponse = TypedDict('RedeliverWebhookResponse', {
    'delivery': 'webhook_shapes.WebhookDelivery | None',
})
