"""The erasure of a person: of a deleted user the ids are left, which other rows name."""

from __future__ import annotations

from collections.abc import Sequence

from catenary_core.audit import entries
from catenary_core.call.call import Call
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.frame import ErasedPerson, Eraser
from catenary_core.idempotency.erasure import erase_person
from catenary_core.secrets import Secrets
from catenary_core.services.identity import queries
from catenary_core.services.identity.people import rules

_TEXTS = ("staff_name", "email", "company_centre_unit", "location_name", "my_people_page_url")
_ERASED = "erased:"
"""Beginning of what stands in place of an erased person's subject."""


def erased_subject(secrets: Secrets, issuer: str, subject: str) -> str:
    """Return what stands for the subject of an erased person: a keyed digest, by which a later token is still refused."""
    return _ERASED + secrets.digest(f"{issuer} {subject}").hex()


class Erasure:
    """Erases persons from the tables of identity and, by the erasers of other services, from theirs."""

    def __init__(self, secrets: Secrets, erasers: Sequence[Eraser]) -> None:
        """Create the erasure; services that are assembled later add to `erasers`."""
        self._secrets = secrets
        self._erasers = erasers

    async def erase(self, tx: Transaction, call: Call, user_id: str) -> Row:
        """Delete a user, and erase the person from every row; return the user's row.

        Raises NOT_FOUND: no such active user. Raises CONFLICT: the user is the last enabled Admin or a project's only
        owner.
        """
        ended = await rules.end_user(tx, user_id)
        identity = await tx.one(queries.SUBJECT, user_id=user_id)
        issuer, subject = identity["issuer"], identity["subject"]
        is_known = issuer is not None
        row = await tx.one(
            queries.ERASE_USER,
            user_id=user_id,
            erased_subject=erased_subject(self._secrets, issuer, subject) if is_known else None,
        )
        await tx.execute(queries.END_API_KEYS, user_id=user_id)
        await entries.forget_addresses(tx, user_id)
        await erase_person(tx, self._secrets, user_id, {ended[name] for name in _TEXTS} - {""})
        # An address that no provider vouches for may be anybody's.
        person = ErasedPerson(user_id, ended["email"] if is_known else "")
        for erase in self._erasers:
            await erase(tx, call, person)
        return row
