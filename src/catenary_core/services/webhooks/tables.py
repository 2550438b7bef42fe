"""The tables of webhooks. They have no door for other services.

Order of locks, so that nobody waits in a ring: the webhook, then its deliveries. Who sends a delivery holds its lease and no row.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON, UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

CHANNEL = "catenary_deliveries"
"""Woken when there is something to send."""


# The columns are the fields of catenary.platform.v1.Webhook, as answers have them. `scopes` is null for a webhook that was made
# with a token of all surfaces; `api_key_id` is the key that made it, with which it ends; `after_sequence` is where the log ended
# when it was made, or enabled again: it is sent what came later.
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

# What deliveries are signed with, encrypted by the installation's secret: the one without an end, and those that were rotated out
# until their end.
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

# A job for the processes that send, claimed by a lease. Its event is read from the log when it is sent, but that of a test, which
# is in none. `attempts` counts the leases of this round, by which the schedule goes; `log` has the attempts that ended, as
# catenary.platform.v1.WebhookAttempt.
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
