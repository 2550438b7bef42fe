"""The effective identities of webhooks: each gets the events that its owner may see at the time of delivery.

See guide/webhooks.md, "What it is sent".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catenary_core.call.call import Identity, IdentityCheck
from catenary_core.database.statements import Row


async def identities(standing: IdentityCheck, webhooks: Sequence[Row]) -> list[Identity | None]:
    """Return each webhook's effective identity, or None if no longer valid.

    The identity is the webhook's owner. If the credential that created the webhook was narrowed, it has only the scopes
    of that credential and is never an Admin. One statement serves all webhooks; the rows have `user_id`, `scopes` and
    `api_key_id`.
    """
    if not webhooks:
        return []
    found = await standing([_creating_identity(webhook) for webhook in webhooks])
    return [
        one if one is None or webhook["scopes"] is None else replace(one, kind="api_key", admin=False)
        for webhook, one in zip(webhooks, found, strict=True)
    ]


def _creating_identity(webhook: Row) -> Identity:
    scopes, key = frozenset(webhook["scopes"] or ()), webhook["api_key_id"]
    return Identity(webhook["user_id"], "api_key" if key else "person", scopes=scopes, credential_id=key or "")
