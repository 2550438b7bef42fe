"""InvitationService: invitations to a project, as its owners make and end them."""

from __future__ import annotations

import uuid_utils

from catenary.platform.v1 import invitation_service_pb2 as pb
from catenary.platform.v1 import invitation_service_shapes as shapes
from catenary_core.call import preconditions
from catenary_core.call.base_url import base_url
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.secrets import random_invitation_token
from catenary_core.services.projects.invitations import messages, queries
from catenary_core.services.projects.queries import LOCK as LOCK_PROJECT

LIFETIME = 7 * 86400.0
"""Seconds for which an invitation can be taken."""
MAX_OPEN = 100
"""Largest number of open invitations to a project."""


class InvitationServicer:
    """`catenary.platform.v1.InvitationService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db
        self._secrets = frame.secrets
        self._public_url = frame.settings.public_url

    async def list_invitations(self, request: pb.ListInvitationsRequest, call: Call) -> shapes.ListInvitationsResponse:
        """List a page of the invitations to a project, oldest first."""
        page = page_of(request)
        async with self._db.read() as tx:
            rows, next_cursor = await queries.LIST.read(tx, page, project_id=request.project_id)
        return {"invitations": [messages.invitation(row) for row in rows], "next_cursor": next_cursor}

    async def create_invitation(
        self, request: pb.CreateInvitationRequest, call: Call
    ) -> shapes.CreateInvitationResponse:
        """Invite a person to a project."""
        token = random_invitation_token()
        named = {"project_id": request.project_id, "invitation_id": str(uuid_utils.uuid7())}
        async with self._db.transaction() as tx:
            if await tx.one_or_none(LOCK_PROJECT, project_id=request.project_id) is None:
                raise not_found("project")
            if (await tx.one(queries.COUNT_OPEN, project_id=request.project_id))["count"] >= MAX_OPEN:
                raise DomainError(
                    "CONFLICT", f"The project has {MAX_OPEN} open invitations; delete one to make another."
                )
            await tx.execute(
                queries.INSERT,
                **named,
                digest=self._secrets.digest(token),
                email=request.email,
                staff_name=request.staff_name.strip(),
                role=request.role,
                created_by=call.caller.user_id,
                lifetime_seconds=LIFETIME,
            )
            row = await tx.one(queries.ONE, **named)
        url = f"{base_url(self._public_url, call)}/studio/#invite={token}"
        return {"invitation": messages.invitation(row), "url": url}

    async def get_invitation(self, request: pb.GetInvitationRequest, call: Call) -> shapes.GetInvitationResponse:
        """Return one invitation."""
        async with self._db.read() as tx:
            return {"invitation": messages.invitation(await _one(tx, request))}

    async def delete_invitation(
        self, request: pb.DeleteInvitationRequest, call: Call
    ) -> shapes.DeleteInvitationResponse:
        """Delete an invitation, which nobody can take any more.

        The row forgets the person, whom the response still shows.
        """
        named = {"project_id": request.project_id, "invitation_id": request.invitation_id}
        async with self._db.transaction() as tx:
            await tx.one_or_none(queries.LOCK, **named)
            before = await _one(tx, request)
            preconditions.check(call, messages.invitation(before))
            row = await tx.one(queries.DELETE, **named)
        shown = {**row, "email": before["email"], "staff_name": before["staff_name"]}
        return {"invitation": messages.invitation(shown)}


async def _one(tx: Transaction, request: pb.GetInvitationRequest | pb.DeleteInvitationRequest) -> Row:
    row = await tx.one_or_none(queries.ONE, project_id=request.project_id, invitation_id=request.invitation_id)
    if row is None:
        raise not_found("invitation")
    return row
