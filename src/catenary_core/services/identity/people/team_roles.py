"""The events of roles in projects that people get, change or lose by a team."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from catenary.platform.v1 import project_service_pb2, role_pb2
from catenary_core.call.call import Call
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_wire.json_form import enum_names

_MEMBER = resource_path(project_service_pb2, "ListProjectMembers")
_ROLES = enum_names(role_pb2.Role.DESCRIPTOR)
_BY_TEAM = Statement(
    sa.text(
        """
        SELECT given.project_id, joined.user_id, joined.created_at, statement_timestamp() AS changed_at,
               max(given.role) AS with_team, max(other.role) AS without_team
          FROM projects.role_holder given
          JOIN projects.active_project project ON project.project_id = given.project_id
          JOIN identity.team_member joined ON joined.team_id = given.member_id
          JOIN identity.active_user person ON person.user_id = joined.user_id
          LEFT JOIN projects.role_holder other ON other.project_id = given.project_id AND (
                CASE WHEN other.is_team
                     THEN other.member_id <> given.member_id AND EXISTS (
                          SELECT FROM identity.team_user
                           WHERE team_user.team_id = other.member_id AND team_user.user_id = joined.user_id)
                     ELSE other.member_id = joined.user_id END)
         WHERE given.is_team AND given.member_id = CAST(:team_id AS uuid)
           AND joined.user_id = ANY (CAST(:user_ids AS uuid[]))
         GROUP BY given.project_id, joined.user_id, joined.created_at
        HAVING max(other.role) IS NULL OR max(other.role) < max(given.role)
         ORDER BY given.project_id, joined.user_id
        """
    )
)
"""The roles in active projects that members of a team have by the team alone: without it none, or lower ones."""


async def by_team(tx: Transaction, team_id: str, user_ids: Sequence[str]) -> list[Row]:
    """Return the roles in projects that members have by a team alone; for `write_gained` and `write_ended`."""
    return await tx.all(_BY_TEAM, team_id=team_id, user_ids=list(user_ids))


async def write_gained(tx: Transaction, call: Call, found: Sequence[Row]) -> None:
    """Write the events of roles that people got by a team: `project.shared` for the first role in a project."""
    new = [_change(row, row["with_team"]) for row in found if row["without_team"] is None]
    raised = [_change(row, row["with_team"]) for row in found if row["without_team"] is not None]
    await events.write_all(tx, call, "project.shared", new)
    await events.write_all(tx, call, "project.permission.changed", raised)


async def write_ended(tx: Transaction, call: Call, found: Sequence[Row]) -> None:
    """Write the events of roles that people had by a team: with the lower role that is left, or none."""
    await events.write_all(tx, call, "project.permission.changed", [_change(row, row["without_team"]) for row in found])


def _change(row: Row, role: int | None) -> events.Change:
    member = {
        "user_id": row["user_id"],
        "team_id": None,
        "role": None if role is None else _ROLES[role],
        "created_at": row["created_at"],
        "updated_at": row["changed_at"],
        "expires_at": None,
        "share_id": None,
    }
    subject = _MEMBER.format(row["user_id"], project_id=row["project_id"])
    return events.Change(subject, {"member": member}, project_id=row["project_id"])
