"""Messages of webhook.proto built from rows."""

from __future__ import annotations

from catenary.platform.v1 import webhook_service_pb2
from catenary.platform.v1.webhook_shapes import Webhook, WebhookDelivery
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row, shaped

WEBHOOK_PATH = resource_path(webhook_service_pb2, "GetWebhook")


def webhook(row: Row) -> Webhook:
    """Build a webhook."""
    return shaped(Webhook, row | {"scopes": row["scopes"] or []})


def delivery(row: Row) -> WebhookDelivery:
    """Build a delivery."""
    return shaped(WebhookDelivery, row)
