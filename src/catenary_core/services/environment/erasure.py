"""The erasure of a person as director or manager of projects, by the e-mail address."""

from __future__ import annotations

from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.frame import ErasedPerson
from catenary_core.services.environment import queries


async def erase_from_projects(tx: Transaction, call: Call, person: ErasedPerson) -> None:
    """Empty name and address of a person who is director or manager of a project."""
    if not person.email:
        return
    changed = await tx.all(queries.ERASE_PERSON, email=person.email)
    ids = sorted(row["project_id"] for row in changed)
    if ids:
        await queries.PROJECT.write_events(tx, call, "updated", await queries.PROJECT.read(tx, ids, **viewer(call)))
