"""Users of enterprise identity providers: the first token of a subject creates its user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import uuid_utils

from catenary_core.audit import entries
from catenary_core.audit.entries import AuditEntry
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Database
from catenary_core.secrets import Secrets
from catenary_core.services.identity.people import logins
from catenary_core.services.identity.people.erasure import erased_subject
from catenary_core.services.identity.tokens import queries
from catenary_core.services.identity.tokens.enterprise_issuers import EnterpriseIssuers
from catenary_wire.printable import escape_controls

_MAX_TEXT = 320
"""Maximum length, in characters, of a name or e-mail address taken from a token; the rest is cut off."""


class EnterpriseUsers:
    """Finds the user of a verified token.

    Name, verified e-mail address and, if the issuer has an Admin group, Admin are taken from the token with the latest issue
    time: an older token that is still valid restores nothing that a newer one revoked.
    """

    def __init__(self, db: Database, secrets: Secrets, issuers: EnterpriseIssuers) -> None:
        self._db = db
        self._secrets = secrets
        self._issuers = issuers

    async def user_of(self, issuer: str, claims: dict[str, Any], metadata: Mapping[str, str]) -> tuple[str, bool]:
        """Create or update the user of a token; return the user's id and whether the user is an Admin.

        Args:
            issuer: the token's issuer.
            claims: the token's verified claims.
            metadata: metadata of the request, for the audit trail.

        Raises INVALID_TOKEN: the user is disabled or deleted.
        """
        key = {"issuer": issuer, "subject": claims["sub"]}
        owner = {"issuer": issuer, "subjects": [claims["sub"], erased_subject(self._secrets, issuer, claims["sub"])]}
        issued_at = float(claims["iat"])
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.OWNER_OF_SUBJECT, **owner)
        if row is None or (row["counts"] and row["claims_at"] < issued_at):
            admin = self._issuers.is_admin(issuer, claims)
            name, email = _text(claims.get("name")), _email(claims)
            claimed = {"staff_name": name, "email": email, "admin": admin, "issued_at": issued_at}
            async with self._db.transaction() as tx:
                seen = 0
                if row is None:
                    first = {"staff_name": name or "", "email": email or "", "admin": bool(admin)}
                    seen = await tx.execute(queries.ADD_PERSON, id=str(uuid_utils.uuid7()), **key, **(claimed | first))
                person = {"of_issuer": issuer, "of_subject": claims["sub"]}
                seen += await tx.execute(queries.RENEW_PERSON, **person, **claimed)
                row = await tx.one(queries.OWNER_OF_SUBJECT, **owner)
                if row["counts"]:
                    await logins.record(tx, None, row["id"])
                if row["counts"] and seen:
                    login = AuditEntry(
                        entries.LOGIN,
                        request_id=metadata.get("x-request-id", ""),
                        **entries.caller_of(Identity(row["id"], "person"), metadata),
                    )
                    await entries.write(tx, login)
        if not row["counts"]:
            raise DomainError("INVALID_TOKEN", "The user of this token is disabled or deleted.")
        return row["id"], row["admin"]


def _email(claims: dict[str, Any]) -> str | None:
    """Return the address of a token, empty if its issuer states that the person has not shown to own it."""
    email = _text(claims.get("email"))
    return email if email is None or _is_verified(claims) else ""


def _is_verified(claims: dict[str, Any]) -> bool:
    # Some issuers write the claim as text, and many company directories, which assign the addresses, leave it out.
    verified = claims.get("email_verified", True)
    return verified is True or verified == "true"


def _text(claim: object) -> str | None:
    """Return a claim as one line; its control characters become escapes, since a login can't be refused for a name."""
    return " ".join(escape_controls(claim).split())[:_MAX_TEXT] if isinstance(claim, str) else None
