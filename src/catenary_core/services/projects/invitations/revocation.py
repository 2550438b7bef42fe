"""The end of invitations whose inviter may not invite any more.

Such an invitation can't be taken from that moment on. This marks it, so that it stays revoked when its inviter becomes an
owner again.
"""

from __future__ import annotations

from catenary_core.database.transactions import Database
from catenary_core.services.projects.invitations import queries

SECONDS = 2.0
"""Pause between two looks."""


async def revoke_orphans(db: Database) -> None:
    """Revoke the open invitations whose inviters are no enabled owners any more."""
    async with db.read() as tx:
        if await tx.one_or_none(queries.TO_REVOKE) is None:  # a statement without rows would count as a change too
            return
    async with db.transaction() as tx:
        await tx.execute(queries.REVOKE)
