"""Events of the members of a project."""

from __future__ import annotations

from catenary.platform.v1 import project_service_pb2
from catenary.platform.v1.project_shapes import ProjectMember
from catenary_core.call.call import Call
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events

_MEMBER = resource_path(project_service_pb2, "ListProjectMembers")


async def write_member_event(
    tx: Transaction, call: Call, type_: str, project_id: str, member: ProjectMember, role: str | None
) -> None:
    """Write the event of a changed member; `role` is the new role, None for a removed member."""
    subject = _MEMBER.format(member["user_id"] or member["team_id"], project_id=project_id)
    data = {key: value for key, value in member.items() if key != "name"} | {"role": role}
    await events.write(tx, call, type_, subject=subject, data={"member": data}, project_id=project_id)
