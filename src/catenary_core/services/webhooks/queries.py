"""The SQL of webhooks, their secrets and deliveries for API callers.

A row's columns are its message's fields, in order.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from catenary_core.database.columns import CLOCK, INSTANT, Id
from catenary_core.database.statements import Statement
from catenary_core.event_log.events import event
from catenary_core.resources.platform_pages import listed
from catenary_core.resources.platform_rows import PlatformRow, inserted
from catenary_core.services.webhooks.tables import delivery, secret, webhook

_webhook_id = sa.bindparam("webhook_id", type_=Id)
_user_id = sa.bindparam("user_id", type_=Id)


def _literal(text: str) -> sa.ColumnClause[Any]:
    return sa.literal_column(f"'{text}'", sa.Text)


# Webhooks.
_shown = [column for column in webhook.c if column.name not in ("after_sequence", "api_key_id")]
_end_of_log = sa.select(sa.func.coalesce(sa.func.max(event.c.sequence), 0)).scalar_subquery()
_row = PlatformRow(webhook, _shown)
LIST = {True: _row.listed(_row.active), False: _row.listed(_row.active, webhook.c.user_id == _user_id)}
"""Webhooks, oldest first, by whether those of all users are listed."""
LOCK_WEBHOOKS_OF_USER = Statement(
    sa.select(
        sa.func.pg_advisory_xact_lock(
            sa.func.hashtextextended(sa.func.concat("webhooks.webhook ", sa.cast(_user_id, sa.Text)), 0)
        )
    )
)
"""Lock the creation of a user's webhooks, so that their number can be limited."""
COUNT = Statement(sa.select(sa.func.count().label("count")).where(webhook.c.user_id == _user_id, _row.active))
INSERT = Statement(
    inserted(webhook, "webhook_id", "url", "events", "user_id", "scopes", "api_key_id")
    .values(after_sequence=_end_of_log)
    .returning(*_shown)
)
GET, DELETE, update = _row.one(), _row.delete(), _row.update
LOCK = Statement(sa.select(*_shown).where(_row.this).with_for_update(key_share=True))
"""A webhook, locked against other changes; its deliveries may still be created."""
ENABLE = Statement(
    sa.update(webhook)
    .where(_row.this)
    .values(status=_literal("enabled"), disabled_reason=None, after_sequence=_end_of_log, updated_at=CLOCK)
    .returning(*_shown)
)
DISABLE = Statement(
    sa.update(webhook)
    .where(_row.this, webhook.c.status == _literal("enabled"))
    .values(
        status=_literal("disabled"),
        disabled_reason=sa.bindparam("new_reason", type_=sa.Text),
        updated_at=INSTANT,
    )
    .returning(*_shown)
)
"""Disable a webhook; no row if it is disabled already."""
CANCEL_PENDING = Statement(
    sa.update(delivery)
    .where(delivery.c.webhook_id == _webhook_id, delivery.c.status == _literal("pending"))
    .values(
        status=_literal("cancelled"),
        lease_until=None,
        lease_token=None,
        updated_at=INSTANT,
        completed_at=INSTANT,
    )
)
"""Cancel the pending deliveries of a webhook, also those in flight, whose result is then ignored."""

# Secrets.
ADD_SECRET = Statement(inserted(secret, "secret_id", "webhook_id", "sealed"))
END_SECRET = Statement(
    sa.update(secret)
    .where(secret.c.webhook_id == _webhook_id, secret.c.ends_at.is_(None))
    .values(ends_at=CLOCK + sa.func.make_interval(0, 0, 0, 0, sa.bindparam("hours", type_=sa.Integer)))
)
"""Let the current secret end in `hours` hours."""
DROP_ENDED_SECRETS = Statement(sa.delete(secret).where(secret.c.webhook_id == _webhook_id, secret.c.ends_at <= CLOCK))
DROP_SECRETS = Statement(sa.delete(secret).where(secret.c.webhook_id == _webhook_id))

# Deliveries.
_DELIVERY = [
    delivery.c.delivery_id,
    delivery.c.webhook_id,
    delivery.c.event_id,
    delivery.c.event_type,
    delivery.c.status,
    delivery.c.log.label("attempts"),
    sa.case((delivery.c.status == _literal("pending"), delivery.c.next_at)).label("next_attempt_at"),
    delivery.c.request_excerpt,
    delivery.c.created_at,
    delivery.c.updated_at,
    delivery.c.completed_at,
]
_this_delivery = sa.and_(
    delivery.c.webhook_id == _webhook_id, delivery.c.delivery_id == sa.bindparam("delivery_id", type_=Id)
)
LIST_DELIVERIES = listed(
    sa.select(*_DELIVERY).where(delivery.c.webhook_id == _webhook_id),
    delivery.c.created_at,
    delivery.c.delivery_id,
    newest_first=True,
)
"""A webhook's deliveries, newest first."""
ADD_TEST = Statement(
    inserted(delivery, "delivery_id", "webhook_id", "event_id", "event_type", "test_event").returning(*_DELIVERY)
)
FIND_DELIVERY = Statement(
    sa.select(sa.func.coalesce(delivery.c.lease_until > CLOCK, sa.false()).label("leased")).where(_this_delivery)
)
REDELIVER = Statement(
    sa.update(delivery)
    .where(_this_delivery, sa.or_(delivery.c.lease_until.is_(None), delivery.c.lease_until <= CLOCK))
    .values(
        status=_literal("pending"),
        attempts=0,
        next_at=INSTANT,
        lease_until=None,
        lease_token=None,
        updated_at=INSTANT,
        completed_at=None,
    )
    .returning(*_DELIVERY)
)
"""Restart a delivery; no row while it is being sent."""
