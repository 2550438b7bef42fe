"""Whom a webhook sees as now (guide/webhooks.md, "What it is sent")."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from catenary_core.call.call import Identity
from catenary_core.database.statements import Row

Standing = Callable[[Sequence[Identity]], Awaitable[Sequence[Identity | None]]]
"""What identities are now: None for a user that was disabled or deleted, and for an API key that has ended."""


async def identities(standing: Standing, webhooks: Sequence[Row]) -> list[Identity | None]:
    """Whom each webhook sees as: its owner, within the scopes and without the Admin of the credential that made it where that was
    narrowed; None for nobody. One look for all; the rows have `user_id`, `scopes` and `api_key_id`."""
    if not webhooks:
        return []
    found = await standing([_made_by(webhook) for webhook in webhooks])
    return [
        one if one is None or webhook["scopes"] is None else replace(one, kind="api_key", admin=False)
        for webhook, one in zip(webhooks, found, strict=True)
    ]


def _made_by(webhook: Row) -> Identity:
    scopes, key = frozenset(webhook["scopes"] or ()), webhook["api_key_id"]
    return Identity(webhook["user_id"], "api_key" if key else "person", scopes=scopes, credential_id=key or "")
