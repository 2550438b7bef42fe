"""The event `user.login`: at most once an hour per user (contract, section 8)."""

from __future__ import annotations

from catenary_core import events
from catenary_core.call import Call
from catenary_core.db import Transaction
from catenary_core.services.identity import messages, token_queries


async def note(tx: Transaction, call: Call | None, user_id: str) -> None:
    """Writes the event unless the user logged in within the last hour."""
    row = await tx.one_or_none(token_queries.NOTE_LOGIN, user_id=user_id)
    if row is not None:
        await events.write(
            tx,
            call,
            "user.login",
            subject=f"/v1/users/{user_id}",
            data=messages.login_event(row),
            actor_id=user_id,
        )
