"""The SQL of webhooks, their secrets and deliveries for API callers.

A row's columns are its message's fields, in order.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.database.statements import Statement
from catenary_core.event_log.events import event
from catenary_core.resources.platform_pages import listed
from catenary_core.services.webhooks.tables import delivery, secret, webhook

_Id = UUID(as_uuid=False)
_now = sa.func.clock_timestamp()
_webhook_id = sa.bindparam("webhook_id", type_=_Id)
_user_id = sa.bindparam("user_id", type_=_Id)


def _literal(text: str) -> sa.ColumnClause[Any]:
    return sa.literal_column(f"'{text}'", sa.Text)


# Webhooks.
_shown = [column for column in webhook.c if column.name not in ("after_sequence", "api_key_id")]
_end_of_log = sa.select(sa.func.coalesce(sa.func.max(event.c.sequence), 0)).scalar_subquery()
_this = sa.and_(webhook.c.webhook_id == _webhook_id, webhook.c.deleted_at.is_(None))


_active = sa.select(*_shown).where(webhook.c.deleted_at.is_(None))
LIST = {
    True: listed(_active, webhook.c.created_at, webhook.c.webhook_id),
    False: listed(_active.where(webhook.c.user_id == _user_id), webhook.c.created_at, webhook.c.webhook_id),
}
"""Webhooks, oldest first, by whether those of all users are listed."""
LOCK_WEBHOOKS_OF_USER = Statement(
    sa.select(
        sa.func.pg_advisory_xact_lock(
            sa.func.hashtextextended(sa.func.concat("webhooks.webhook ", sa.cast(_user_id, sa.Text)), 0)
        )
    )
)
"""Lock the creation of a user's webhooks, so that their number can be limited."""
COUNT = Statement(
    sa.select(sa.func.count().label("count")).where(webhook.c.user_id == _user_id, webhook.c.deleted_at.is_(None))
)
_GIVEN = ("webhook_id", "url", "events", "user_id", "scopes", "api_key_id")
INSERT = Statement(
    sa.insert(webhook)
    .values(**{name: sa.bindparam(name, type_=webhook.c[name].type) for name in _GIVEN}, after_sequence=_end_of_log)
    .returning(*_shown)
)
GET = Statement(sa.select(*_shown).where(_this))
LOCK = Statement(sa.select(*_shown).where(_this).with_for_update(key_share=True))
"""A webhook, locked against other changes; its deliveries may still be created."""


@cache
def update(names: frozenset[str]) -> Statement:
    """Build the update of a locked webhook; `names` are the columns' names with the prefix `new_`."""
    columns = {name: webhook.c[name.removeprefix("new_")] for name in names}
    values = {column.name: sa.bindparam(name, type_=column.type) for name, column in columns.items()}
    return Statement(sa.update(webhook).where(_this).values(**values, updated_at=_now).returning(*_shown))


ENABLE = Statement(
    sa.update(webhook)
    .where(_this)
    .values(status=_literal("enabled"), disabled_reason=None, after_sequence=_end_of_log, updated_at=_now)
    .returning(*_shown)
)
DISABLE = Statement(
    sa.update(webhook)
    .where(_this, webhook.c.status == _literal("enabled"))
    .values(
        status=_literal("disabled"),
        disabled_reason=sa.bindparam("new_reason", type_=sa.Text),
        updated_at=sa.func.statement_timestamp(),
    )
    .returning(*_shown)
)
"""Disable a webhook; no row if it is disabled already."""
DELETE = Statement(
    sa.update(webhook)
    .where(_this)
    .values(deleted_at=sa.func.statement_timestamp(), updated_at=sa.func.statement_timestamp())
    .returning(*_shown)
)
CANCEL_PENDING = Statement(
    sa.update(delivery)
    .where(delivery.c.webhook_id == _webhook_id, delivery.c.status == _literal("pending"))
    .values(
        status=_literal("cancelled"),
        lease_until=None,
        lease_token=None,
        updated_at=sa.func.statement_timestamp(),
        completed_at=sa.func.statement_timestamp(),
    )
)
"""Cancel the pending deliveries of a webhook, also those in flight, whose result is then ignored."""

# Secrets.
ADD_SECRET = Statement(
    sa.insert(secret).values(
        secret_id=sa.bindparam("secret_id", type_=_Id),
        webhook_id=_webhook_id,
        sealed=sa.bindparam("sealed", type_=sa.LargeBinary),
    )
)
END_SECRET = Statement(
    sa.update(secret)
    .where(secret.c.webhook_id == _webhook_id, secret.c.ends_at.is_(None))
    .values(ends_at=_now + sa.func.make_interval(0, 0, 0, 0, sa.bindparam("hours", type_=sa.Integer)))
)
"""Let the current secret end in `hours` hours."""
DROP_ENDED_SECRETS = Statement(sa.delete(secret).where(secret.c.webhook_id == _webhook_id, secret.c.ends_at <= _now))
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
    delivery.c.webhook_id == _webhook_id, delivery.c.delivery_id == sa.bindparam("delivery_id", type_=_Id)
)
LIST_DELIVERIES = listed(
    sa.select(*_DELIVERY).where(delivery.c.webhook_id == _webhook_id),
    delivery.c.created_at,
    delivery.c.delivery_id,
    newest_first=True,
)
"""A webhook's deliveries, newest first."""
ADD_TEST = Statement(
    sa.insert(delivery)
    .values(
        delivery_id=sa.bindparam("delivery_id", type_=_Id),
        webhook_id=_webhook_id,
        event_id=sa.bindparam("event_id", type_=_Id),
        event_type=sa.bindparam("event_type", type_=sa.Text),
        test_event=sa.bindparam("test_event", type_=JSON),
    )
    .returning(*_DELIVERY)
)
FIND_DELIVERY = Statement(
    sa.select(sa.func.coalesce(delivery.c.lease_until > _now, sa.false()).label("leased")).where(_this_delivery)
)
REDELIVER = Statement(
    sa.update(delivery)
    .where(_this_delivery, sa.or_(delivery.c.lease_until.is_(None), delivery.c.lease_until <= _now))
    .values(
        status=_literal("pending"),
        attempts=0,
        next_at=sa.func.statement_timestamp(),
        lease_until=None,
        lease_token=None,
        updated_at=sa.func.statement_timestamp(),
        completed_at=None,
    )
    .returning(*_DELIVERY)
)
"""Restart a delivery; no row while it is being sent."""
