"""The taking of invitations: `catenary_core.frame.Invitations`."""

from __future__ import annotations

from catenary_core.call.call import Call
from catenary_core.database.transactions import Transaction
from catenary_core.frame import TakenInvitation
from catenary_core.secrets import Secrets
from catenary_core.services.projects import messages
from catenary_core.services.projects import queries as project_queries
from catenary_core.services.projects.invitations import queries
from catenary_core.services.projects.members import write_member_event


class Taking:
    """Gives the roles of invitations to those who take them."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    async def take(self, tx: Transaction, token: str, user_id: str) -> TakenInvitation | None:
        """Take an open invitation for a user, whom the caller holds or adds afterwards; None if there is none.

        The project is locked before the invitation, so that of two who take one invitation the second finds it taken, and
        nobody's rights to invite change meanwhile.
        """
        digest = self._secrets.digest(token)
        found = await tx.one_or_none(queries.PROJECT_OF_TOKEN, digest=digest)
        if found is None or await tx.one_or_none(project_queries.LOCK, project_id=found["project_id"]) is None:
            return None
        row = await tx.one_or_none(queries.TAKE, digest=digest, user_id=user_id)
        if row is None:
            return None
        return TakenInvitation(row["project_id"], row["email"], row["staff_name"], row["role"])

    async def join(self, tx: Transaction, call: Call, taken: TakenInvitation, user_id: str) -> None:
        """Give the role of a taken invitation to an active user, unless a member already has as much."""
        key = {"project_id": taken.project_id, "member_id": user_id}
        before = await tx.one_or_none(project_queries.GET_MEMBER, **key)
        if before is not None and before["role"] >= taken.role:
            return
        await tx.execute(project_queries.PUT_MEMBER, **key, is_team=False, role=taken.role)
        member = messages.member(await tx.one(project_queries.GET_MEMBER, **key))
        type_ = "project.shared" if before is None else "project.permission.changed"
        await write_member_event(tx, call, type_, taken.project_id, member, member["role"])
