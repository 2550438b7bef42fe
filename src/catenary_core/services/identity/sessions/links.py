"""Sign-in links: for a second device of a person with a session, or from an Admin for a lost one."""

from __future__ import annotations

import uuid_utils

from catenary.platform.v1 import user_service_pb2
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError, not_found
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.transactions import Transaction
from catenary_core.event_log.notifications import notify
from catenary_core.secrets import Secrets, random_sign_in_token
from catenary_core.services.identity.sessions import queries

LIFETIME = 3600.0
"""Seconds for which a link can be taken."""
_USER = resource_path(user_service_pb2, "GetUser")


class SignInLinks:
    """The sign-in links of an installation."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    async def make_own(self, tx: Transaction, caller: Identity) -> tuple[str, str]:
        """Make a link for the caller, which ends with the caller's session; return its token and its end.

        Raises PERMISSION_DENIED: the caller has no session.
        """
        if caller.kind != "session":
            raise DomainError(
                "PERMISSION_DENIED",
                "Only the token of a session makes a sign-in link; sign in on the other device as you did on this one.",
            )
        return await self._make(tx, caller.user_id, caller.credential_id)

    async def make_for(self, tx: Transaction, user_id: str, actor_id: str) -> tuple[str, str]:
        """Make a link for a person who has lost theirs, in place of earlier ones, and notify the person.

        Returns the link's token and its end.

        Raises NOT_FOUND: no such active user. Raises CONFLICT: the user signs in otherwise, is an Admin or is disabled.
        """
        row = await tx.one_or_none(queries.LOCK_PERSON, id=user_id)
        if row is None:
            raise not_found("user")
        if row["has_provider"] or row["is_client"]:
            raise DomainError(
                "CONFLICT", "This user signs in by an identity provider or as a client; sign-in links are for others."
            )
        if row["admin"]:
            raise DomainError(
                "CONFLICT", "This user is an Admin, for whom nobody makes a sign-in link; take Admin first."
            )
        if row["disabled"]:
            raise DomainError("CONFLICT", "This user is disabled; enable the user first.")
        await tx.execute(queries.DROP_LINKS_OF_ADMINS, user_id=user_id)
        made = await self._make(tx, user_id, None)
        await notify(tx, "sign_in_link", [user_id], subject=_USER.format(user_id), actor_id=actor_id)
        return made

    async def take(self, tx: Transaction, token: str) -> str | None:
        """Use up a link; return its user, or None for a link that does not hold."""
        row = await tx.one_or_none(queries.TAKE_LINK, digest=self._secrets.digest(token))
        return None if row is None else str(row["user_id"])

    async def _make(self, tx: Transaction, user_id: str, session_id: str | None) -> tuple[str, str]:
        await tx.execute(queries.DROP_EXPIRED_LINKS)
        token = random_sign_in_token()
        named = {"id": str(uuid_utils.uuid7()), "user_id": user_id, "session_id": session_id}
        row = await tx.one(queries.ADD_LINK, **named, digest=self._secrets.digest(token), lifetime_seconds=LIFETIME)
        return token, row["expires_at"]
