"""Whom a webhook's owner is now, and so what it may be sent (contract, section 8: what its owner may see at delivery time)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from catenary_core.call import Identity
from catenary_core.db import Row

Standing = Callable[[Sequence[Identity]], Awaitable[Sequence[Identity | None]]]
"""What identities are now: None for a user that was disabled or deleted."""


async def owners(standing: Standing, user_ids: Iterable[str]) -> Mapping[str, Identity]:
    """The users that still count, by their ids: one look for all."""
    asked = [Identity(user_id, "person") for user_id in sorted(set(user_ids))]
    return {one.user_id: one for one in await standing(asked) if one is not None} if asked else {}


def identity_of(webhook: Row, owners: Mapping[str, Identity]) -> Identity | None:
    """Whom a webhook sees as: its owner, within the scopes and without the Admin of the API key that made it; None for nobody.

    `webhook` has `user_id` and `scopes`.
    """
    owner = owners.get(webhook["user_id"])
    if owner is None or webhook["scopes"] is None:
        return owner
    return replace(owner, kind="api_key", admin=False, scopes=frozenset(webhook["scopes"]))
