"""The end of what an erased person has shared by links, and of what was shared with the person."""

from __future__ import annotations

from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.frame import ErasedPerson
from catenary_core.services.projects.shares import queries
from catenary_core.services.projects.shares.servicer import write_event


async def end_shares(tx: Transaction, call: Call, person: ErasedPerson) -> None:
    """End the links that a person has made, and the shares with the person.

    Who has such a link is known to nobody else.
    """
    for row in await tx.all(queries.END_OF_PERSON, user_id=person.user_id):
        await write_event(tx, call, "project.permission.changed", row)
