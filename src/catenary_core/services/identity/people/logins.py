"""The event `user.login`, written at most once an hour for each user."""

from __future__ import annotations

from catenary.platform.v1 import user_service_pb2
from catenary_core.call.call import Call
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.services.identity import messages
from catenary_core.services.identity.tokens import queries

_USER = resource_path(user_service_pb2, "GetUser")


async def record(tx: Transaction, call: Call | None, user_id: str) -> None:
    """Write the event unless the user has logged in within the last hour."""
    row = await tx.one_or_none(queries.NOTE_LOGIN, user_id=user_id)
    if row is not None:
        await events.write(
            tx,
            call,
            "user.login",
            subject=_USER.format(user_id),
            data=messages.login_event(row),
            actor_id=user_id,
        )
