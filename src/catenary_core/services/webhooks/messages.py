"""Messages of webhook.proto built from rows."""

from __future__ import annotations

from catenary.platform.v1.webhook_shapes import Webhook, WebhookDelivery
from catenary_core.database.statements import Row, shaped


def webhook(row: Row) -> Webhook:
    """Build a webhook."""
    return shaped(Webhook, row | {"scopes": row["scopes"] or []})


def delivery(row: Row) -> WebhookDelivery:
    """Build a delivery."""
    return shaped(WebhookDelivery, row)
