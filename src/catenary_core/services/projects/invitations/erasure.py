"""The erasure of a person from the invitation by which the person came."""

from __future__ import annotations

from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.frame import ErasedPerson
from catenary_core.services.projects.invitations import queries


async def erase_from_invitations(tx: Transaction, _: Call, person: ErasedPerson) -> None:
    """Empty the name and address in the invitations that the person has taken."""
    await tx.execute(queries.ERASE, user_id=person.user_id)
