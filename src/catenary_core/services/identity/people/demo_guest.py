"""The demo guest: the user as whom a newcomer looks at the demo, owner of its project and never an Admin.

The guest is a client of a fixed id, so that every installation has at most one, and a secret that nobody is shown. Its
credentials count only while the core runs with the demo: what a guest has made is no way in later.
"""

from __future__ import annotations

from catenary_core.call.errors import invalid
from catenary_core.database.transactions import Transaction
from catenary_core.secrets import Secrets, random_credential
from catenary_core.services.identity import queries, scopes

CLIENT_ID = "01900000-0000-7000-8000-00000000de30"
USER_ID = "01900000-0000-7000-8000-00000000de31"
NAME = "Demo guest"
SCOPES = tuple(scope for scope in scopes.ALL if scope.startswith("platform:"))
"""Scopes of the guest's tokens: the data services show more than the demo's project."""


async def ensure(tx: Transaction, secrets: Secrets) -> bool:
    """Add the guest unless the installation has one, deleted or not; return whether this call did."""
    added = await tx.execute(queries.ADD_GUEST_USER, id=USER_ID, staff_name=NAME)
    if added:
        digest = secrets.digest(random_credential())
        await tx.execute(queries.ADD_CLIENT, id=CLIENT_ID, user_id=USER_ID, secret_digest=digest)
    return bool(added)


def counts(user_id: str, *, demo: bool) -> bool:
    """Tell whether credentials of a user count: those of the guest do so only with the demo."""
    return demo or user_id != USER_ID


def keep_from_admin(user_id: str, changes: dict[str, object]) -> None:
    """Refuse changes that would make the guest an Admin.

    Raises VALIDATION_ERROR: they would.
    """
    if user_id == USER_ID and changes.get("admin"):
        raise invalid(
            "admin",
            "{field} must be false for the demo guest; make another user an Admin.",
            value=True,
            constraint="guest",
        )
