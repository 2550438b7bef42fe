"""TeamService: groups of users that share a role in projects."""

from __future__ import annotations

import uuid_utils

from catenary.platform.v1 import team_service_pb2 as pb
from catenary.platform.v1 import team_service_shapes as shapes
from catenary.platform.v1.team_shapes import Team, TeamMember
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.call.field_masks import changed_fields
from catenary_core.database.statements import Row, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.identity import queries
from catenary_core.services.identity.people import rules, team_roles


class TeamServicer:
    """`catenary.platform.v1.TeamService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_teams(self, request: pb.ListTeamsRequest, call: Call) -> shapes.ListTeamsResponse:
        """List a page of the teams that the caller may see."""
        page = page_of(request)
        rows = queries.TEAMS if call.caller.admin else queries.TEAMS_OF_USER
        user = {} if call.caller.admin else {"caller_id": call.caller.user_id}
        async with self._db.read() as tx:
            teams, next_cursor = await rows.read(tx, page, search=request.search, **user)
        return {"teams": [shaped(Team, row) for row in teams], "next_cursor": next_cursor}

    async def create_team(self, request: pb.CreateTeamRequest, call: Call) -> shapes.CreateTeamResponse:
        """Create a team with the caller as its first member."""
        team_id, user_id = str(uuid_utils.uuid7()), call.caller.user_id
        async with self._db.transaction() as tx:
            await tx.all(queries.LOCK_TEAM_NAME, name=request.name)
            row = await tx.one_or_none(queries.ADD_TEAM, id=team_id, name=request.name, created_by=user_id)
            if row is None:
                raise _taken()
            await tx.execute(queries.ADD_TEAM_MEMBER, team_id=team_id, user_id=user_id)
        return {"team": shaped(Team, row)}

    async def get_team(self, request: pb.GetTeamRequest, call: Call) -> shapes.GetTeamResponse:
        """Return one team."""
        async with self._db.read() as tx:
            return {"team": await _visible(tx, request.team_id, call)}

    async def update_team(self, request: pb.UpdateTeamRequest, call: Call) -> shapes.UpdateTeamResponse:
        """Rename a team."""
        changed = changed_fields(request)
        async with self._db.transaction() as tx:
            team = await _managed(tx, request.team_id, call)
            preconditions.check(call, team)
            if not changed:
                return {"team": team}
            await tx.all(queries.LOCK_TEAM_NAME, name=request.name)
            if await tx.one_or_none(queries.OTHER_TEAM_OF_NAME, name=request.name, team_id=request.team_id):
                raise _taken()
            row = await tx.one(queries.RENAME_TEAM, team_id=request.team_id, name=request.name)
        return {"team": shaped(Team, row)}

    async def delete_team(self, request: pb.DeleteTeamRequest, call: Call) -> shapes.DeleteTeamResponse:
        """Delete a team. Refused if a project would lose its last owner, or the owner who pays."""
        async with self._db.transaction() as tx:
            preconditions.check(call, await _managed(tx, request.team_id, call))
            members = await tx.all(queries.MEMBERS_OF_TEAM, team_id=request.team_id)
            user_ids = [row["user_id"] for row in members]
            owned = await rules.lock_owned_projects(tx, user_ids)
            ended = await team_roles.by_team(tx, request.team_id, user_ids)
            paid = await rules.paid_by_owner(tx, owned)
            row = await tx.one(queries.DELETE_TEAM, team_id=request.team_id)
            await rules.keep_an_owner(tx, owned)
            await rules.keep_payers(tx, paid, named=call.caller.admin)
            await team_roles.write_ended(tx, call, ended)
        return {"team": shaped(Team, row)}

    async def list_team_members(self, request: pb.ListTeamMembersRequest, call: Call) -> shapes.ListTeamMembersResponse:
        """List a page of a team's members."""
        page = page_of(request)
        async with self._db.read() as tx:
            await _visible(tx, request.team_id, call)
            members, next_cursor = await queries.TEAM_MEMBERS.read(tx, page, team_id=request.team_id)
        return {"members": [shaped(TeamMember, row) for row in members], "next_cursor": next_cursor}

    async def put_team_member(self, request: pb.PutTeamMemberRequest, call: Call) -> shapes.PutTeamMemberResponse:
        """Add a user to a team."""
        key = {"team_id": request.team_id, "user_id": request.user_id}
        async with self._db.transaction() as tx:
            await _managed(tx, request.team_id, call)
            preconditions.check(call, await tx.one_or_none(queries.TEAM_MEMBER, **key))
            if await tx.one_or_none(queries.HOLD_USER, user_id=request.user_id) is None:
                raise invalid(
                    "user_id",
                    "{field} names no user; it must be the id of an active one.",
                    value=request.user_id,
                    constraint="exists",
                )
            if await tx.execute(queries.ADD_TEAM_MEMBER, **key):
                await tx.execute(queries.TOUCH_TEAM, team_id=request.team_id)
                gained = await team_roles.by_team(tx, request.team_id, [request.user_id])
                await team_roles.write_gained(tx, call, gained)
            row = await tx.one(queries.TEAM_MEMBER, **key)
        return {"member": shaped(TeamMember, row)}

    async def delete_team_member(
        self, request: pb.DeleteTeamMemberRequest, call: Call
    ) -> shapes.DeleteTeamMemberResponse:
        """Remove a user from a team. Every member may leave."""
        key = {"team_id": request.team_id, "user_id": request.user_id}
        async with self._db.transaction() as tx:
            await _managed(tx, request.team_id, call, leaving=request.user_id)
            row = await tx.one_or_none(queries.TEAM_MEMBER, **key)
            if row is None:
                raise not_found("member of the team")
            preconditions.check(call, row)
            owned = await rules.lock_owned_projects(tx, [request.user_id])
            ended = await team_roles.by_team(tx, request.team_id, [request.user_id])
            paid = await rules.paid_by_owner(tx, owned)
            await tx.execute(queries.DELETE_TEAM_MEMBER, **key)
            await tx.execute(queries.TOUCH_TEAM, team_id=request.team_id)
            await rules.keep_an_owner(tx, owned)
            await rules.keep_payers(tx, paid, named=call.caller.admin or request.user_id == call.caller.user_id)
            await team_roles.write_ended(tx, call, ended)
        return {"member": shaped(TeamMember, row)}


def _maker(team: Team) -> str | None:
    made_by = team["created_by"]
    return None if made_by is None else made_by["user_id"]


async def _visible(tx: Transaction, team_id: str, call: Call) -> Team:
    """Return a team that the caller may see.

    Raises NOT_FOUND: no such team for this caller.
    """
    return _shown(await tx.one_or_none(queries.TEAM_FOR, team_id=team_id, caller_id=call.caller.user_id), call)


async def _managed(tx: Transaction, team_id: str, call: Call, *, leaving: str | None = None) -> Team:
    """Lock and return a team that the caller may change.

    `leaving`: the id of the member to remove; a user may always remove itself.

    Raises NOT_FOUND: no such team for this caller. Raises PERMISSION_DENIED: the caller may only see the team.
    """
    caller = call.caller
    team = _shown(await tx.one_or_none(queries.LOCK_TEAM_FOR, team_id=team_id, caller_id=caller.user_id), call)
    if not (caller.admin or caller.user_id in (_maker(team), leaving)):
        raise DomainError("PERMISSION_DENIED", "Only the user that made the team and Admins may change it.")
    return team


def _shown(row: Row | None, call: Call) -> Team:
    if row is None or not (row.pop("mine") or call.caller.admin):
        raise not_found("team")
    return shaped(Team, row)


def _taken() -> DomainError:
    return DomainError("CONFLICT", "Another team has this name; choose another one.")
