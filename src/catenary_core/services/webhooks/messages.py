"""Rows as messages."""

from __future__ import annotations

from typing import cast

from catenary.platform.v1.webhook_shapes import Webhook, WebhookDelivery
from catenary_core.database.statements import Row


def webhook(row: Row) -> Webhook:
    """A webhook, from its row."""
    return cast("Webhook", row | {"scopes": row["scopes"] or []})


def delivery(row: Row) -> WebhookDelivery:
    """A delivery, from a row with its fields."""
    return cast("WebhookDelivery", row)
