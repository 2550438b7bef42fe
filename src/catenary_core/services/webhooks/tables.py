"""The tables of webhooks, which have no view for other services.

Order of locks, against deadlocks: the webhook, then its deliveries. A process that sends a delivery holds its lease and
locks no row.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON, UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

CHANNEL = "catenary_deliveries"
"""Notified when there are deliveries to send."""


# The columns are the fields of catenary.platform.v1.Webhook, as in responses. `scopes` is null for a webhook created
# with a token of all surfaces; `api_key_id` is the key that created the webhook, which ends with the key.
# `after_sequence` is the end of the log when the webhook was created or last enabled: only later events are sent.
webhook = sa.Table(
    "webhook",
    metadata,
    sa.Column("webhook_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("events", ARRAY(sa.Text), nullable=False),
    sa.Column("status", sa.Text, nullable=False, server_default=sa.text("'enabled'")),
    sa.Column("disabled_reason", sa.Text, nullable=True),
    sa.Column("user_id", UUID(as_uuid=False), nullable=False),
    sa.Column("scopes", ARRAY(sa.Text), nullable=True),
    sa.Column("api_key_id", UUID(as_uuid=False), nullable=True),
    sa.Column("after_sequence", sa.BigInteger, nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("(status = 'enabled') = (disabled_reason IS NULL)", name="reason"),
    sa.CheckConstraint("status IN ('enabled', 'disabled')", name="status"),
    sa.Index(None, "created_at", "webhook_id"),
    sa.Index(None, "user_id", "created_at", "webhook_id"),
    sa.Index(
        "webhook_enabled_idx", "webhook_id", postgresql_where=sa.text("status = 'enabled' AND deleted_at IS NULL")
    ),
    schema="webhooks",
)

# Secrets that sign deliveries, encrypted with the installation's keys: the current one, without an end, and rotated
# ones until their end.
secret = sa.Table(
    "secret",
    metadata,
    sa.Column("secret_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("webhook_id", UUID(as_uuid=False), sa.ForeignKey("webhooks.webhook.webhook_id"), nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
    sa.Index("secret_webhook_id_idx", "webhook_id"),
    sa.Index("secret_current_idx", "webhook_id", unique=True, postgresql_where=sa.text("ends_at IS NULL")),
    schema="webhooks",
)

# A job for the sending processes, claimed by a lease. Its event is read from the log when it is sent, except a test
# event, which no log has. `attempts` counts the leases of this round, for the schedule; `log` has the finished attempts
# as catenary.platform.v1.WebhookAttempt.
delivery = sa.Table(
    "delivery",
    metadata,
    sa.Column("delivery_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("webhook_id", UUID(as_uuid=False), sa.ForeignKey("webhooks.webhook.webhook_id"), nullable=False),
    sa.Column("event_id", UUID(as_uuid=False), nullable=False),
    sa.Column("event_type", sa.Text, nullable=False),
    sa.Column("test_event", JSON(none_as_null=True), nullable=True),
    sa.Column("status", sa.Text, nullable=False, server_default=sa.text("'pending'")),
    sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("next_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
    sa.Column("lease_token", UUID(as_uuid=False), nullable=True),
    sa.Column("log", JSON, nullable=False, server_default=sa.text("'[]'")),
    sa.Column("request_excerpt", sa.Text, nullable=True),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("status IN ('pending', 'delivered', 'failed', 'cancelled')", name="status"),
    sa.CheckConstraint("(completed_at IS NULL) = (status = 'pending')", name="final"),
    sa.CheckConstraint("(lease_until IS NULL) = (lease_token IS NULL)", name="lease"),
    sa.UniqueConstraint("webhook_id", "event_id"),
    sa.Index(None, "webhook_id", "created_at", "delivery_id"),
    sa.Index(None, "updated_at"),
    sa.Index(
        "delivery_due_idx", "webhook_id", "next_at", "delivery_id", postgresql_where=sa.text("status = 'pending'")
    ),
    sa.Index("delivery_leased_idx", "webhook_id", postgresql_where=sa.text("lease_until IS NOT NULL")),
    schema="webhooks",
)
