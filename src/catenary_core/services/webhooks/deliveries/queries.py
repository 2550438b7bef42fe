"""The SQL of deliveries: their creation from events, leases and ends."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSON, insert

from catenary_core.database.columns import INSTANT, Id
from catenary_core.database.retention import removal
from catenary_core.database.statements import Statement
from catenary_core.event_log import reader
from catenary_core.event_log.events import event
from catenary_core.services.webhooks.tables import delivery, secret, webhook

_enabled = sa.and_(webhook.c.status == sa.literal_column("'enabled'"), webhook.c.deleted_at.is_(None))
_pending = delivery.c.status == sa.literal_column("'pending'")


def _in(name: str) -> sa.ColumnElement[Any]:
    """Build the time that is the parameter `name`, in seconds, from now."""
    return INSTANT + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam(name, type_=sa.Float))


_IDENTITY_COLUMNS = (webhook.c.user_id, webhook.c.scopes, webhook.c.api_key_id)
"""The columns that `visibility` needs."""
# Creation.
WANTED = sa.exists().where(_enabled, webhook.c.after_sequence < event.c.sequence)
"""The condition for an event that there is a webhook to send it to."""
ENABLED = Statement(
    sa.select(webhook.c.webhook_id, webhook.c.events, *_IDENTITY_COLUMNS, webhook.c.after_sequence).where(_enabled)
)
NEW = ("delivery_id", "webhook_id", "event_id", "event_type")
_new = sa.func.unnest(*(sa.bindparam(name, type_=ARRAY(delivery.c[name].type)) for name in NEW))
MAKE = Statement(
    insert(delivery)
    .from_select(
        NEW, sa.select(*(sa.column(name) for name in NEW)).select_from(_new.table_valued(*NEW).render_derived("new"))
    )
    .on_conflict_do_nothing()
)
"""Insert deliveries, given as lists of their columns; a webhook gets each event once."""

# Sending.
_leased = delivery.alias("leased")
_of_webhook = (
    sa.select(sa.func.count())
    .where(_leased.c.webhook_id == webhook.c.webhook_id, _leased.c.lease_until > INSTANT)
    .correlate(webhook)
    .scalar_subquery()
)
_due = (
    sa.select(delivery.c.delivery_id, delivery.c.event_id, delivery.c.next_at)
    .where(
        delivery.c.webhook_id == webhook.c.webhook_id,
        _pending,
        delivery.c.next_at <= INSTANT,
        sa.or_(delivery.c.lease_until.is_(None), delivery.c.lease_until <= INSTANT),
    )
    .order_by(delivery.c.next_at, delivery.c.delivery_id)
    .limit(sa.func.greatest(sa.bindparam("per_webhook", type_=sa.Integer) - _of_webhook, sa.literal_column("0")))
    .with_for_update(skip_locked=True)
    .correlate(webhook)
    .lateral("due")
)
_owner = webhook.alias("owner")
_owned = (
    sa.select(_owner.c.user_id, sa.func.count().label("leased"))
    .join(_leased, _leased.c.webhook_id == _owner.c.webhook_id)
    .where(_leased.c.lease_until > INSTANT)
    .group_by(_owner.c.user_id)
    .subquery("owned")
)
_of_owner = sa.func.coalesce(_owned.c.leased, sa.literal_column("0"))
_per_owner = sa.bindparam("per_owner", type_=sa.Integer)
_in_webhook = sa.func.row_number().over(
    partition_by=webhook.c.webhook_id, order_by=(_due.c.next_at, _due.c.delivery_id)
)
_in_turn = (
    sa.select(
        *(_due, webhook.c.webhook_id, webhook.c.url, *_IDENTITY_COLUMNS, _of_owner.label("leased")),
        (_in_webhook + _of_webhook).label("turn"),
    )
    .select_from(webhook.join(_due, sa.true()).outerjoin(_owned, _owned.c.user_id == webhook.c.user_id))
    .where(_enabled, _of_owner < _per_owner)
    .subquery("turns")
)
_in_owner = sa.func.row_number().over(
    partition_by=_in_turn.c.user_id, order_by=(_in_turn.c.turn, _in_turn.c.next_at, _in_turn.c.delivery_id)
)
_queued = sa.select(_in_turn, (_in_owner + _in_turn.c.leased).label("place")).subquery("queued")
_TAKEN = ("delivery_id", "event_id", "webhook_id", "url", *(column.name for column in _IDENTITY_COLUMNS))
_taken = (
    sa.select(*(_queued.c[name] for name in _TAKEN))
    .where(_queued.c.place <= _per_owner)
    .order_by(_queued.c.next_at)
    .limit(sa.bindparam("most", type_=sa.Integer))
    .cte("taken")
)
_with_events = (
    sa.select(_taken, *reader.COLUMNS).outerjoin_from(_taken, event, event.c.id == _taken.c.event_id).subquery("found")
)
_secrets = (
    sa.select(secret.c.sealed)
    .where(
        secret.c.webhook_id == _with_events.c.webhook_id, sa.or_(secret.c.ends_at.is_(None), secret.c.ends_at > INSTANT)
    )
    .order_by(secret.c.created_at.desc())
    .limit(sa.literal_column("10"))
)
LEASE = Statement(
    sa.update(delivery)
    .where(delivery.c.delivery_id == _with_events.c.delivery_id)
    .values(
        lease_until=_in("seconds"),
        lease_token=sa.bindparam("token", type_=Id),
        attempts=delivery.c.attempts + 1,
    )
    .returning(
        _with_events,
        delivery.c.test_event,
        delivery.c.attempts,
        delivery.c.log,
        INSTANT.label("attempted_at"),
        sa.func.array(_secrets.scalar_subquery()).label("secrets"),
    )
)
"""Lease at most `most` due deliveries.

Together with those leased already, at most `per_webhook` of a webhook and `per_owner` of a user are leased.

The longest waiting delivery comes first; among a user's webhooks the one with the fewest deliveries in flight, so that
webhooks that hang don't block the others. The rows have the webhook, the event (`id` is NULL if the log no longer has
it) and the encrypted secrets, newest first.
"""
_held = sa.and_(
    delivery.c.delivery_id == sa.bindparam("held_id", type_=Id),
    delivery.c.lease_token == sa.bindparam("token", type_=Id),
)
_noted = {
    "log": sa.bindparam("new_log", type_=JSON),
    "request_excerpt": sa.bindparam("sent", type_=sa.Text),
    "lease_until": None,
    "lease_token": None,
    "updated_at": INSTANT,
}
RETRY = Statement(sa.update(delivery).where(_held).values(**_noted, next_at=_in("seconds")))
END = Statement(
    sa.update(delivery)
    .where(_held)
    .values(**_noted, status=sa.bindparam("new_status", type_=sa.Text), completed_at=INSTANT)
)
"""End a delivery. Like RETRY it changes no row if the delivery has another lease now."""
_of_ids = delivery.c.delivery_id == sa.any_(sa.bindparam("ids", type_=ARRAY(Id)))
_of_lease = delivery.c.lease_token == sa.bindparam("token", type_=Id)
GIVE_UP = Statement(
    sa.update(delivery)
    .where(_of_ids, _of_lease)
    .values(
        status=sa.literal_column("'cancelled'"),
        lease_until=None,
        lease_token=None,
        updated_at=INSTANT,
        completed_at=INSTANT,
    )
)
RELEASE = Statement(
    sa.update(delivery).where(_held).values(lease_until=None, lease_token=None, attempts=delivery.c.attempts - 1)
)
"""Release a delivery as if it had not been leased."""
# Removal. An event that the log no longer has can't be sent any more.
REMOVE_OLD = removal(delivery.c.delivery_id, delivery.c.updated_at, sa.text(f"interval '{reader.KEPT.days} days'"))
"""The statement for `retention.remove`."""
