"""ProjectService: projects and their members."""

from __future__ import annotations

import uuid_utils

from catenary.platform.v1 import project_service_pb2, project_service_shapes, role_pb2
from catenary_core.access import rights
from catenary_core.call import field_masks, preconditions
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError, invalid, not_found, shortened
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.frame import Frame
from catenary_core.limits import accounts
from catenary_core.resources import platform_pages
from catenary_core.services.projects import candidates, messages, queries
from catenary_core.services.projects.members import write_member_event
from catenary_core.services.projects.shares import queries as share_queries
from catenary_core.services.projects.shares.rules import LINK_ROLE
from catenary_core.services.projects.shares.servicer import write_event
from catenary_core.storage import holdings
from catenary_wire.sentences import Fields, Sentence

_PROJECT = resource_path(project_service_pb2, "GetProject")


class ProjectServicer:
    """`catenary.platform.v1.ProjectService`, and the role of each user in each project."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db
        self._tiers = frame.settings.tiers

    async def role_of(self, project_id: str, caller: Identity) -> int | None:
        """Return the caller's role in an active project, the highest of its own and its teams' roles.

        The role is a number of role.proto; None without a role or without such a project. An Admin is owner of every
        project, and a link to a project is a viewer there.
        """
        user_id = caller.user_id if caller.is_user else None
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ROLE, project_id=project_id, user_id=user_id, admin=caller.admin)
        if row is not None and caller.shown is not None:
            return LINK_ROLE if caller.shown.project_id == project_id and caller.shown.variant_id is None else None
        return None if row is None else row["role"]

    async def list_projects(
        self, request: project_service_pb2.ListProjectsRequest, call: Call
    ) -> project_service_shapes.ListProjectsResponse:
        """List the projects that the caller may see, oldest first."""
        page = platform_pages.page_of(request)
        user = {} if call.caller.admin else {"user_id": call.caller.user_id}
        async with self._db.read() as tx:
            rows, next_cursor = await queries.LIST[call.caller.admin].read(tx, page, search=request.search, **user)
        return {"projects": [messages.project(row, row["role"]) for row in rows], "next_cursor": next_cursor}

    async def create_project(
        self, request: project_service_pb2.CreateProjectRequest, call: Call
    ) -> project_service_shapes.CreateProjectResponse:
        """Create a project with the caller as its owner."""
        link = request.environment_project_id if request.HasField("environment_project_id") else None
        project_id = str(uuid_utils.uuid7())
        async with self._db.transaction() as tx:
            if link is not None and not await rights.check_link(tx, call, link):
                raise _unknown_link(link)
            row = await tx.one(
                queries.INSERT,
                project_id=project_id,
                name=request.name,
                description=request.description,
                environment_project_id=link,
                owner_user_id=call.caller.user_id,
            )
            await tx.execute(
                queries.PUT_MEMBER,
                project_id=project_id,
                member_id=call.caller.user_id,
                is_team=False,
                role=role_pb2.ROLE_OWNER,
            )
            await _write_event(tx, call, "project.created", row)
        return {"project": messages.project(row, role_pb2.ROLE_OWNER)}

    async def get_project(
        self, request: project_service_pb2.GetProjectRequest, call: Call
    ) -> project_service_shapes.GetProjectResponse:
        """Return one project. A user's first access within an hour writes an event."""
        is_user = call.caller.is_user
        user = {"project_id": request.project_id, "user_id": call.caller.user_id if is_user else None}
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.GET, **user)
        if row is None:
            raise not_found("project")
        if not is_user:
            return {"project": {**messages.project(row, call.role), "owner_user_id": None}}
        if not row["seen"]:
            async with self._db.transaction() as tx:
                if await tx.execute(queries.NOTE_ACCESS, **user):
                    await _write_event(tx, call, "user.project.accessed", row)
        return {"project": messages.project(row, call.role)}

    async def update_project(
        self, request: project_service_pb2.UpdateProjectRequest, call: Call
    ) -> project_service_shapes.UpdateProjectResponse:
        """Change the given fields. Without any, the project stays as it is."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            known = True
            if "environment_project_id" in values:
                known = await _check_links(tx, call, request.project_id, values["environment_project_id"])
            if not values or call.condition is not None:
                row = await _held(tx, call, request.project_id)
                if not values:
                    return {"project": messages.project(row, call.role)}
            if not known:
                raise _unknown_link(request.environment_project_id)
            if "owner_user_id" in values:
                await _hand_on(tx, call, self._tiers, request.project_id, values["owner_user_id"])
            row = _found(await tx.one_or_none(queries.update(values), project_id=request.project_id, **values))
            await _write_event(tx, call, "project.updated", row)
        return {"project": messages.project(row, call.role)}

    async def delete_project(
        self, request: project_service_pb2.DeleteProjectRequest, call: Call
    ) -> project_service_shapes.DeleteProjectResponse:
        """Delete a project."""
        async with self._db.transaction() as tx:
            if call.condition is not None:
                await _held(tx, call, request.project_id)
            row = _found(await tx.one_or_none(queries.DELETE, project_id=request.project_id))
            await accounts.close(tx, request.project_id)
            await holdings.leave(tx, request.project_id)
            await _write_event(tx, call, "project.deleted", row)
        return {"project": messages.project(row, call.role)}

    async def list_project_members(
        self, request: project_service_pb2.ListProjectMembersRequest, call: Call
    ) -> project_service_shapes.ListProjectMembersResponse:
        """List the members of a project, oldest membership first."""
        page = platform_pages.page_of(request)
        async with self._db.read() as tx:
            rows, next_cursor = await queries.LIST_MEMBERS.read(tx, page, project_id=request.project_id)
        return {"members": [messages.member(row) for row in rows], "next_cursor": next_cursor}

    async def add_project_member(
        self, request: project_service_pb2.AddProjectMemberRequest, call: Call
    ) -> project_service_shapes.AddProjectMemberResponse:
        """Add a user or a team to a project."""
        field = candidates.naming_field(request)
        async with self._db.transaction() as tx:
            member_id = await candidates.hold_named(tx, request, field, call.caller)
            _found(await tx.one_or_none(queries.LOCK, project_id=request.project_id))
            key = {"project_id": request.project_id, "member_id": member_id}
            if await tx.one_or_none(queries.GET_MEMBER, **key) is not None:
                raise DomainError(
                    "CONFLICT",
                    Sentence(
                        "{field} names a member of the project; change the role of that member.",
                        {"field": Fields(field)},
                    ),
                    details={"parameter": field, "constraint": "unique"},
                )
            await tx.execute(queries.PUT_MEMBER, **key, is_team=field == "team_id", role=request.role)
            member = messages.member(await tx.one(queries.GET_MEMBER, **key))
            await write_member_event(tx, call, "project.shared", request.project_id, member, member["role"])
        return {"member": member}

    async def put_project_member(
        self, request: project_service_pb2.PutProjectMemberRequest, call: Call
    ) -> project_service_shapes.PutProjectMemberResponse:
        """Add a user or a team to a project, or change its role."""
        key = {"project_id": request.project_id, "member_id": request.user_id}
        async with self._db.transaction() as tx:
            is_team = await candidates.hold(tx, request.user_id, call.caller)
            _found(await tx.one_or_none(queries.LOCK, project_id=request.project_id))
            before = await tx.one_or_none(queries.GET_MEMBER, **key)
            preconditions.check(call, None if before is None else messages.member(before))
            if is_team is None:
                raise invalid(
                    "user_id",
                    "{field} names neither a user nor a team that you may see; give the id of one.",
                    value=request.user_id,
                    constraint="unknown",
                )
            if before is not None and before["role"] == request.role:
                return {"member": messages.member(before)}
            await tx.execute(queries.PUT_MEMBER, **key, is_team=is_team, role=request.role)
            if before is not None:
                await _keep_owners(tx, before, request.project_id)
            member = messages.member(await tx.one(queries.GET_MEMBER, **key))
            type_ = "project.shared" if before is None else "project.permission.changed"
            await write_member_event(tx, call, type_, request.project_id, member, member["role"])
        return {"member": member}

    async def delete_project_member(
        self, request: project_service_pb2.DeleteProjectMemberRequest, call: Call
    ) -> project_service_shapes.DeleteProjectMemberResponse:
        """Remove a member, and what is shared with it. An owner may remove anyone, and every member itself."""
        if request.user_id != call.caller.user_id and call.role < role_pb2.ROLE_OWNER:
            raise DomainError(
                "PERMISSION_DENIED", "Only an owner of the project may take out others; you may take out yourself."
            )
        key = {"project_id": request.project_id, "member_id": request.user_id}
        async with self._db.transaction() as tx:
            _found(await tx.one_or_none(queries.LOCK, project_id=request.project_id))
            roles = await tx.all(queries.ROLES_OF_MEMBER, **key)
            if not roles:
                raise not_found("member")
            member = messages.member(roles[0])
            preconditions.check(call, member)
            if roles[0]["share_id"] is None:
                await tx.execute(queries.DELETE_MEMBER, **key)
                await _keep_owners(tx, roles[0], request.project_id)
                await write_member_event(tx, call, "project.permission.changed", request.project_id, member, None)
            for ended in await tx.all(share_queries.END_OF_MEMBER, **key):
                await write_event(tx, call, "project.permission.changed", ended)
        return {"member": member}


def _found(row: Row | None) -> Row:
    if row is None:
        raise not_found("project")
    return row


async def _held(tx: Transaction, call: Call, project_id: str) -> Row:
    """Lock an active project, compare the project with If-Match and return the row.

    Raises NOT_FOUND: no such active project. Raises PRECONDITION_FAILED: the project differs from If-Match.
    """
    _found(await tx.one_or_none(queries.LOCK, project_id=project_id))
    row = _found(await tx.one_or_none(queries.GET, project_id=project_id, user_id=call.caller.user_id))
    preconditions.check(call, messages.project(row, call.role))
    return row


async def _check_links(tx: Transaction, call: Call, project_id: str, link: str | None) -> bool:
    """Lock an active project and check that the caller may give this link in place of the present one.

    Returns False for a new link that the caller may not see. The link that is there already needs no right; the lock
    keeps it there until the change.

    Raises NOT_FOUND: no such active project. Raises PERMISSION_DENIED: the caller may not link one of the two.
    """
    before = _found(await tx.one_or_none(queries.LOCK, project_id=project_id))["environment_project_id"]
    if link == before:
        return True
    if before is not None:
        # Without its last link, a project is open to every user. One that is deleted needs no right.
        await rights.check_link(tx, call, before)
    return link is None or await rights.check_link(tx, call, link)


def _unknown_link(environment_project_id: str) -> DomainError:
    return invalid(
        "environment_project_id",
        "{field} names no project of the environment context service that you may see; leave it out.",
        value=shortened(environment_project_id),
        constraint="unknown",
    )


async def _keep_owners(tx: Transaction, before: Row, project_id: str) -> None:
    """Check that a project still has an owner, and that who pays is one, after a change.

    The caller has locked the project.

    Raises CONFLICT: no owner is left, or the payer was an owner by this member alone.
    """
    if before["role"] != role_pb2.ROLE_OWNER:
        return
    if not (await tx.one(queries.OWNED, project_id=project_id))["owned"]:
        raise DomainError("CONFLICT", "This is the last owner of the project; make another member owner first.")
    if (await tx.one(queries.PAYER_LOST, project_id=project_id, member_id=before["member_id"]))["lost"]:
        raise DomainError(
            "CONFLICT",
            "The project would lose the owner who pays for it; let another owner take over the payment first, by naming themself"
            " as payer in a change of the project, or let an Admin give it to one.",
        )


async def _hand_on(tx: Transaction, call: Call, tiers: accounts.Tiers, project_id: str, user_id: str) -> None:
    """Lock an active project, and let another of its owners pay for it.

    Raises NOT_FOUND: no such active project. Raises PERMISSION_DENIED: the caller is no owner, or an owner who isn't an
    Admin and names somebody else. Raises VALIDATION_ERROR: the user is no owner. Raises QUOTA_EXCEEDED: the user's
    storage has no room for what the project stores.
    """
    if call.role < role_pb2.ROLE_OWNER:
        raise DomainError("PERMISSION_DENIED", "Only an owner of the project may take over its payment.")
    if not call.caller.admin and user_id != call.caller.user_id:
        raise DomainError(
            "PERMISSION_DENIED",
            "You may take over the payment of a project yourself alone: ask the other owner to do so, or an Admin to give it on.",
        )
    _found(await tx.one_or_none(queries.LOCK, project_id=project_id))
    if not (await tx.one(queries.OWNS, project_id=project_id, user_id=user_id))["owns"]:
        raise invalid(
            "owner_user_id",
            "{field} names no owner of the project; make the user one first.",
            value=user_id,
            constraint="unknown",
        )
    await accounts.hand_on(tx, tiers, project_id, user_id)


async def _write_event(tx: Transaction, call: Call, type_: str, row: Row) -> None:
    project_id = row["project_id"]
    data = {"project": messages.project(row, None)}
    await events.write(tx, call, type_, subject=_PROJECT.format(project_id), data=data, project_id=project_id)
