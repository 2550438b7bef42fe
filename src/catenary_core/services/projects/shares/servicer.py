"""ShareService: shares of projects and variants with users and teams, and as links."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import uuid_utils

from catenary.platform.v1 import share_service_pb2 as pb
from catenary.platform.v1 import share_service_shapes as shapes
from catenary_core.call import preconditions
from catenary_core.call.base_url import base_url
from catenary_core.call.call import Call, Identity
from catenary_core.call.ends import end_of
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.secrets import random_share_token
from catenary_core.services.projects import candidates
from catenary_core.services.projects.queries import LOCK as LOCK_PROJECT
from catenary_core.services.projects.shares import messages, queries, rules

MAX_SHARES = 200
"""Largest number of shares of a project that hold."""


class ShareServicer:
    """`catenary.platform.v1.ShareService`, and the roles of users in shared variants."""

    def __init__(self, frame: Frame, clock: Callable[[], float] = time.time) -> None:
        """Create the servicer; `clock` returns Unix seconds."""
        self._db = frame.db
        self._secrets = frame.secrets
        self._public_url = frame.settings.public_url
        self._clock = clock

    async def shared_role_of(self, project_id: str, named: Mapping[str, str], caller: Identity) -> int | None:
        """Return the caller's role in the shared variant that the ids name; without ids, in any of the project."""
        if not all(named.values()):
            return None
        if caller.shown is not None:
            shown = {"variant_id": caller.shown.variant_id, "evaluation_id": caller.shown.evaluation_id}
            is_shown = caller.shown.project_id == project_id and all(shown[name] == named[name] for name in named)
            return rules.LINK_ROLE if is_shown else None
        async with self._db.read() as tx:
            statement = queries.VARIANT_ROLE[tuple(named)]
            row = await tx.one(statement, project_id=project_id, user_id=caller.user_id, **named)
        return None if row["role"] is None else int(row["role"])

    async def list_shares(self, request: pb.ListSharesRequest, call: Call) -> shapes.ListSharesResponse:
        """List a page of the shares of a project, oldest first."""
        page = page_of(request)
        async with self._db.read() as tx:
            rows, next_cursor = await queries.LIST.read(tx, page, project_id=request.project_id)
        return {"shares": [messages.share(row) for row in rows], "next_cursor": next_cursor}

    async def create_share(self, request: pb.CreateShareRequest, call: Call) -> shapes.CreateShareResponse:
        """Share a project or one of its variants."""
        field, role, end = rules.naming_field(request), rules.role(request), end_of(request, self._clock())
        token = random_share_token() if field is None else None
        async with self._db.transaction() as tx:
            member_id = None
            if field is not None:
                member_id = await candidates.hold_member(tx, field, getattr(request, field), call.caller)
            if await tx.one_or_none(LOCK_PROJECT, project_id=request.project_id) is None:
                raise not_found("project")
            await _check_room(tx, request)
            named = {"project_id": request.project_id, "share_id": str(uuid_utils.uuid7())}
            await tx.execute(
                queries.INSERT,
                **named,
                kind=request.kind,
                member_id=member_id,
                digest=None if token is None else self._secrets.digest(token),
                role=role,
                variant_id=request.variant_id if request.HasField("variant_id") else None,
                expires_at=end,
                created_by=call.caller.user_id,
            )
            row = await tx.one(queries.ONE, **named)
            await write_event(tx, call, "project.shared", row)
        url = None if token is None else f"{base_url(self._public_url, call)}/studio/#share={token}"
        return {"share": messages.share(row), "url": url}

    async def get_share(self, request: pb.GetShareRequest, call: Call) -> shapes.GetShareResponse:
        """Return one share."""
        async with self._db.read() as tx:
            return {"share": messages.share(await _one(tx, request))}

    async def get_current_share(self, request: pb.GetCurrentShareRequest, call: Call) -> shapes.GetCurrentShareResponse:
        """Return the share of the link that calls."""
        shown = call.caller.shown
        if shown is None:
            raise not_found("share")
        named = {"project_id": shown.project_id, "share_id": call.caller.principal_id}
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ONE, **named)
        if row is None:  # it has ended meanwhile
            raise not_found("share")
        return {"share": messages.linked_share(row)}

    async def delete_share(self, request: pb.DeleteShareRequest, call: Call) -> shapes.DeleteShareResponse:
        """Delete a share, which ends what it gave."""
        named = {"project_id": request.project_id, "share_id": request.share_id}
        async with self._db.transaction() as tx:
            await tx.one_or_none(queries.LOCK, **named)
            preconditions.check(call, messages.share(await _one(tx, request)))
            row = await tx.one_or_none(queries.DELETE, **named)
            if row is None:  # it has expired meanwhile
                raise not_found("share")
            await write_event(tx, call, "project.permission.changed", row)
        return {"share": messages.share(row)}


async def write_event(tx: Transaction, call: Call | None, type_: str, row: Row) -> None:
    """Write the event of a share that was made or has ended; without a call the platform itself ends it."""
    await events.write(
        tx,
        call,
        type_,
        subject=messages.SHARE_PATH.format(row["share_id"], project_id=row["project_id"]),
        data=messages.event_data(messages.share(row)),
        project_id=row["project_id"],
    )


async def _one(tx: Transaction, request: pb.GetShareRequest | pb.DeleteShareRequest) -> Row:
    row = await tx.one_or_none(queries.ONE, project_id=request.project_id, share_id=request.share_id)
    if row is None:
        raise not_found("share")
    return row


async def _check_room(tx: Transaction, request: pb.CreateShareRequest) -> None:
    """Check that the locked project takes another share, and has the variant.

    Raises CONFLICT: it has too many shares. Raises VALIDATION_ERROR: it has no such variant.
    """
    project = {"project_id": request.project_id}
    if (await tx.one(queries.COUNT, **project))["count"] >= MAX_SHARES:
        raise DomainError("CONFLICT", f"The project has {MAX_SHARES} shares; delete one to make another.")
    if not request.HasField("variant_id"):
        return
    if await tx.one_or_none(queries.VARIANT, variant_id=request.variant_id, **project) is None:
        raise invalid(
            "variant_id",
            "{field} names no variant of this project; give the id of one.",
            value=request.variant_id,
            constraint="unknown",
        )
