"""Rows as messages."""

from __future__ import annotations

from catenary.platform.v1.webhook_shapes import Webhook, WebhookDelivery
from catenary_core.database.statements import Row, shaped


def webhook(row: Row) -> Webhook:
    """A webhook, from its row."""
    return shaped(Webhook, row | {"scopes": row["scopes"] or []})


def delivery(row: Row) -> WebhookDelivery:
    """A delivery, from a row with its fields."""
    return shaped(WebhookDelivery, row)
