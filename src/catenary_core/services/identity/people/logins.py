"""The event `user.login`, written at most once an hour for each user."""

from __future__ import annotations

from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.services.identity import messages
from catenary_core.services.identity.tokens import queries


async def note(tx: Transaction, call: Call | None, user_id: str) -> None:
    """Write the event unless the user has logged in within the last hour."""
    row = await tx.one_or_none(queries.NOTE_LOGIN, user_id=user_id)
    if row is not None:
        await events.write(
            tx,
            call,
            "user.login",
            subject=f"/v1/users/{user_id}",
            data=messages.login_event(row),
            actor_id=user_id,
        )
